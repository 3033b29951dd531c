// Mutants and benign variants: named changes of rules or answers, and functions that write one in a line
import { STATUS_CODES } from "node:http";
import type { ErrorTable, MethodName } from "../../specs/generated/operations.ts";
import type { BenignVariantId, MutantId, RequirementId } from "../../specs/generated/requirements.ts";
import type { RpcCause } from "../errors/causes.ts";
import type { PlatformProxy } from "./proxy.ts";
import type { RefusalCause, RuleChange } from "./rules.ts";
import {
  bodyText,
  type Doc,
  isDocValue,
  type JsonRpcCall,
  type PlatformAnswer,
  type ResponseMutation,
  type RpcCall,
  type Value,
} from "./wire.ts";

interface Change {
  readonly rules?: RuleChange;
  readonly answer?: ResponseMutation;
  /** A proxy before the platform, where no response mutation sees enough. */
  readonly proxy?: PlatformProxy;
}

export interface Variant extends Change {
  readonly id: string;
}

/** A defect that must be found. */
export interface Mutant extends Variant {
  readonly id: MutantId;
  /** Further requirements that it breaks, as ids or prefixes of ids; an undeclared one fails the proof. */
  readonly also: readonly string[];
}

/** What a mutant of another file breaks besides, declared where the broken requirements are new. */
export type AlsoBroken = readonly [mutant: MutantId, ...breaks: RequirementId[]];

/** A defect that the register doesn't name; `also` lists what else it breaks, no more and no less. */
export interface Unlisted extends Variant {
  readonly breaks: RequirementId;
  readonly also: readonly RequirementId[];
}

/** A change that no check may call broken. */
export interface BenignVariant extends Variant {
  readonly id: BenignVariantId;
}

/** A change; a function changes answers alone. */
type Changing = Change | ResponseMutation;

const changeOf = (change: Changing): Change => (typeof change === "function" ? { answer: change } : change);

/** What each mutant changes, by its id, followed by the further requirements that it breaks. */
export const mutantsOf = (
  rows: {
    readonly [I in MutantId]?: Changing | [change: Changing, ...also: string[]];
  },
): readonly Mutant[] =>
  Object.entries(rows).map(([id, row]) => {
    const [change, ...also] = Array.isArray(row) ? row : [row];
    return { id: id as MutantId, ...changeOf(change), also };
  });

export const benignVariantsOf = (rows: { readonly [I in BenignVariantId]?: Changing }): readonly BenignVariant[] =>
  Object.entries(rows).map(([id, change]) => ({ id: id as BenignVariantId, ...changeOf(change) }));

/** By a sentence that says what each one does: the requirement that it breaks, its change, and what else it breaks. */
export const unlistedOf = (rows: {
  readonly [id: string]: [breaks: RequirementId, change: Changing, ...also: RequirementId[]];
}): readonly Unlisted[] =>
  Object.entries(rows).map(([id, [breaks, change, ...also]]) => ({ id, breaks, also, ...changeOf(change) }));

/** A usage request refused for a cause with another status, by that status's own name. */
export const refusedWith = (cause: RefusalCause, status: number, message: string) => ({
  rules: { refusals: { [cause]: { status, message, error: STATUS_CODES[status] ?? "" } } },
});

export const withHeaders = (answer: PlatformAnswer, headers: Record<string, string>): PlatformAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

export const isDoc = (body: PlatformAnswer["body"]): body is Doc =>
  isDocValue(body as Value | undefined) && !("raw" in (body as Doc));

/** Changes usage documents that are served. */
export const usageDoc =
  (change: (doc: Doc, call: JsonRpcCall) => Value): ResponseMutation =>
  (answer, call) => {
    if (call.operation !== "getProjectUsage" || answer.status !== 200 || !isDoc(answer.body)) return answer;
    return { ...answer, body: change(answer.body, call) };
  };

/** Changes refusals of the usage endpoint, with one status or any. */
export const refusalOf =
  (status: number | "any", change: (answer: PlatformAnswer, body: Doc) => PlatformAnswer): ResponseMutation =>
  (answer, call) => {
    if (call.operation !== "getProjectUsage" || answer.status < 400 || !isDoc(answer.body)) return answer;
    return status === "any" || answer.status === status ? change(answer, answer.body) : answer;
  };

/** Changes answers to some requests only. */
export const whereCalled =
  (applies: (call: JsonRpcCall) => boolean) =>
  (mutation: ResponseMutation): ResponseMutation =>
  (answer, call) =>
    applies(call) ? mutation(answer, call) : answer;
export const onFree = whereCalled(({ project }) => project?.plan.kind === "free");
export const onPaid = whereCalled(({ project }) => project?.plan.kind === "paid");
/** Answers to requests whose key is in the query. */
export const byQuery = whereCalled(({ carrier }) => carrier === "query");

/** @param pointer e.g. `/creditCycle/start`; an empty one names the whole document */
export const getAt = (doc: Doc, pointer: string): Value | undefined =>
  pointer
    .split("/")
    .slice(1)
    .reduce<Value | undefined>((here, step) => (isDocValue(here) ? here[step] : undefined), doc);

/** The document after a change of the object that holds the last step of a pointer. */
function changedAt(doc: Doc, pointer: string, change: (holder: Doc, name: string) => void): Doc {
  const end = pointer.lastIndexOf("/");
  const holder = getAt(doc, pointer.slice(0, end));
  if (isDocValue(holder)) change(holder, pointer.slice(end + 1));
  return doc;
}

export const numberAt = (doc: Doc, pointer: string): number => Number(getAt(doc, pointer));

/** The document without some members. */
export function docWithout(doc: Doc, ...pointers: readonly string[]): Doc {
  for (const pointer of pointers) changedAt(doc, pointer, (holder, name) => delete holder[name]);
  return doc;
}

/** The document with another value at a place that it has. */
export const having = (doc: Doc, pointer: string, value: (honest: Value) => Value): Doc =>
  changedAt(doc, pointer, (holder, name) => {
    const honest = holder[name];
    if (honest !== undefined) holder[name] = value(honest);
  });

/** The document with a member under another name. */
export const calling = (doc: Doc, pointer: string, name: string): Doc =>
  changedAt(doc, pointer, (holder, old) => {
    const honest = holder[old];
    if (honest === undefined) return;
    delete holder[old];
    holder[name] = honest;
  });

/** Usage documents without some members. */
export const without = (...pointers: readonly string[]): ResponseMutation =>
  usageDoc((doc) => docWithout(doc, ...pointers));

/** Usage documents with another value at a place that they have. */
export const replaced = (
  pointer: string,
  value: (honest: Value, doc: Doc, call: JsonRpcCall) => Value,
): ResponseMutation => usageDoc((doc, call) => having(doc, pointer, (honest) => value(honest, doc, call)));

/** Usage documents with a further member. */
export const added = (pointer: string, value: (doc: Doc) => Value): ResponseMutation =>
  usageDoc((doc) =>
    changedAt(doc, pointer, (holder, name) => {
      holder[name] = value(doc);
    }),
  );

/** Usage documents with a member under another name. */
export const renamed = (pointer: string, name: string): ResponseMutation =>
  usageDoc((doc) => calling(doc, pointer, name));

/** The JSON-RPC calls that a mutant changes: of one method, of an error table, or all. */
type Calls = "any" | ErrorTable | MethodName;

const isAbout = (calls: Calls, { method, errorTable }: RpcCall): boolean =>
  calls === "any" || calls === errorTable || calls === method;

/** Changes envelopes of JSON-RPC calls; a change that returns undefined leaves one as it is. */
export const envelope =
  (calls: Calls, change: (body: Doc, call: RpcCall) => PlatformAnswer["body"]): ResponseMutation =>
  (answer, { rpc }) => {
    if (!rpc || !isDoc(answer.body) || !isAbout(calls, rpc)) return answer;
    const body = change(answer.body, rpc);
    return body === undefined ? answer : { ...answer, body };
  };

/** Changes results of JSON-RPC calls. */
export const result = (calls: Calls, change: (result: Value, call: RpcCall) => Value): ResponseMutation =>
  envelope(calls, (body, call) =>
    call.cause === null && body["result"] !== undefined ? { ...body, result: change(body["result"], call) } : undefined,
  );

/** Changes results that are objects. */
export const resultDoc = (calls: Calls, change: (doc: Doc, call: RpcCall) => Value): ResponseMutation =>
  result(calls, (served, call) => (isDocValue(served) ? change(served, call) : served));

/** Changes the errors of JSON-RPC calls for one cause, or for any. @param change other members, or another error */
export const rpcError = (
  calls: Calls,
  cause: RpcCause | "any",
  change: Doc | ((error: Doc, call: RpcCall) => Value),
  applies: (call: RpcCall) => boolean = () => true,
): ResponseMutation =>
  envelope(calls, (body, call) => {
    const error = body["error"];
    const isOfCause = call.cause !== null && (cause === "any" || call.cause === cause);
    if (!isOfCause || !isDocValue(error) || !applies(call)) return undefined;
    return { ...body, error: typeof change === "function" ? change(error, call) : { ...error, ...change } };
  });

/** Another error, or other members of it, for one kind of bad key; on all methods or one. */
export const keyRefused = (kind: RpcCall["keyCause"], change: Doc, calls: Calls = "any"): ResponseMutation =>
  rpcError(calls, "key", change, ({ keyCause }) => keyCause === kind);

/** Changes bodies as they are written. */
export const rewritten =
  (change: (text: string) => string): ResponseMutation =>
  (answer) => {
    const text = bodyText(answer.body);
    return typeof text === "string" ? { ...answer, body: { raw: change(text) } } : answer;
  };

/** One mutation after the other. */
export const bothChanges =
  (first: ResponseMutation, second: ResponseMutation): ResponseMutation =>
  (answer, call) =>
    second(first(answer, call), call);

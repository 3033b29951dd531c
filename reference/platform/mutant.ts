// What is a mutant? One named change of the rules or of the answers, beside the honest code.
import type { MethodName } from "../../specs/generated/operations.ts";
import type { BenignVariantId, MutantId } from "../../specs/generated/requirements.ts";
import { methods } from "../generated/methods.ts";
import type { RpcCause } from "../rpc/refusals.ts";
import type { PlatformProxy } from "./proxy.ts";
import type { RuleChange } from "./rules.ts";
import type { Call, ResponseMutation, RpcCall, Value, WireAnswer } from "./wire.ts";

export interface Variant {
  readonly id: string;
  readonly rules?: RuleChange;
  readonly answer?: ResponseMutation;
  /** What stands before the platform, where no bend sees enough. */
  readonly proxy?: PlatformProxy;
}

interface Change {
  readonly rules?: RuleChange;
  readonly answer?: ResponseMutation;
}

/** A mutant that must be found. */
export interface Mutant extends Variant {
  readonly id: MutantId;
  /** Further requirements that it trips, as ids or prefixes of ids; an undeclared trip fails. */
  readonly also: readonly string[];
}

/** A benign variation that must not be flagged. */
export interface BenignVariant extends Variant {
  readonly id: BenignVariantId;
}

export const mutant = (id: MutantId, change: Change, ...also: readonly string[]): Mutant => ({ id, ...change, also });
export const benignVariant = (id: BenignVariantId, change: Change): BenignVariant => ({ id, ...change });

export type Doc = { [member: string]: Value };

const isDoc = (value: unknown): value is Doc =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("raw" in value);

/** Bends the usage documents that are served. */
export const usageDoc =
  (change: (doc: Doc, call: Call) => Value): ResponseMutation =>
  (answer, call) => {
    if (call.operation !== "getProjectUsage" || answer.status !== 200 || !isDoc(answer.body)) return answer;
    return { ...answer, body: change(answer.body, call) };
  };

/** Bends refusals of the usage endpoint, with one status or any. */
export const refusalOf =
  (status: number | "any", change: (answer: WireAnswer, body: Doc) => WireAnswer): ResponseMutation =>
  (answer, call) => {
    if (call.operation !== "getProjectUsage" || answer.status < 400 || !isDoc(answer.body)) return answer;
    return status === "any" || answer.status === status ? change(answer, answer.body) : answer;
  };

export const onPlan =
  (kind: "free" | "paid", mutation: ResponseMutation): ResponseMutation =>
  (answer, call) =>
    call.project?.plan.kind === kind ? mutation(answer, call) : answer;

/** The object that holds the last step of a pointer, e.g. `creditCycle` for `/creditCycle/start`. */
function holderAt(doc: Doc, pointer: string): [Doc, string] | null {
  const steps = pointer.split("/").slice(1);
  const last = steps.pop() ?? "";
  let here: Value | undefined = doc;
  for (const step of steps) here = isDoc(here) ? here[step] : undefined;
  return isDoc(here) ? [here, last] : null;
}

export const getAt = (doc: Doc, pointer: string): Value | undefined => {
  const place = holderAt(doc, pointer);
  return place?.[0][place[1]];
};

/** Usage documents without a member. */
export const without = (...pointers: readonly string[]): ResponseMutation =>
  usageDoc((doc) => {
    for (const pointer of pointers) {
      const place = holderAt(doc, pointer);
      if (place) delete place[0][place[1]];
    }
    return doc;
  });

/** Usage documents with another value at a place that they have. */
export const replaced = (pointer: string, value: (honest: Value, doc: Doc, call: Call) => Value): ResponseMutation =>
  usageDoc((doc, call) => {
    const place = holderAt(doc, pointer);
    const honest = place?.[0][place[1]];
    if (place && honest !== undefined) place[0][place[1]] = value(honest, doc, call);
    return doc;
  });

/** Usage documents with a further member. */
export const added = (pointer: string, value: (doc: Doc) => Value): ResponseMutation =>
  usageDoc((doc) => {
    const place = holderAt(doc, pointer);
    if (place) place[0][place[1]] = value(doc);
    return doc;
  });

/** Usage documents with a member under another name. */
export const renamed = (pointer: string, name: string): ResponseMutation =>
  usageDoc((doc) => {
    const place = holderAt(doc, pointer);
    const honest = place?.[0][place[1]];
    if (place && honest !== undefined) {
      delete place[0][place[1]];
      place[0][name] = honest;
    }
    return doc;
  });

/** Which JSON-RPC calls a mutant is about: one method, a family, or all. */
type Calls = "any" | "compression" | MethodName;

const isAbout = (calls: Calls, { method }: RpcCall): boolean =>
  calls === "any" || (calls === "compression" ? methods.get(method)?.errorTable === "compression" : method === calls);

/** Bends envelopes of JSON-RPC calls; a change that gives undefined leaves one as it is. */
export const envelope =
  (calls: Calls, change: (body: Doc, call: RpcCall) => WireAnswer["body"]): ResponseMutation =>
  (answer, { rpc }) => {
    if (!rpc || !isDoc(answer.body) || !isAbout(calls, rpc)) return answer;
    const body = change(answer.body, rpc);
    return body === undefined ? answer : { ...answer, body };
  };

/** Bends the results that JSON-RPC calls are served. */
export const result = (calls: Calls, change: (result: Value, call: RpcCall) => Value): ResponseMutation =>
  envelope(calls, (body, call) =>
    call.cause === null && body["result"] !== undefined ? { ...body, result: change(body["result"], call) } : undefined,
  );

/** Bends members of results that are objects, by pointer as in `without` and `replaced`. */
export const resultDoc = (calls: Calls, change: (doc: Doc, call: RpcCall) => Value): ResponseMutation =>
  result(calls, (served, call) => (isDoc(served) ? change(served, call) : served));

/** Bends the errors that JSON-RPC calls draw for one cause, or for any. */
export const rpcError = (
  calls: Calls,
  cause: RpcCause | "any",
  change: (error: Doc, call: RpcCall, body: Doc) => Value,
): ResponseMutation =>
  envelope(calls, (body, call) => {
    const error = body["error"];
    const isMeant = call.cause !== null && (cause === "any" || call.cause === cause);
    return isMeant && isDoc(error) ? { ...body, error: change(error, call, body) } : undefined;
  });

/** A document without members. */
export function lacking(doc: Doc, ...pointers: readonly string[]): Doc {
  for (const pointer of pointers) {
    const place = holderAt(doc, pointer);
    if (place) delete place[0][place[1]];
  }
  return doc;
}

/** A document with other values at places that it has. */
export function having(doc: Doc, pointer: string, value: (honest: Value) => Value): Doc {
  const place = holderAt(doc, pointer);
  const honest = place?.[0][place[1]];
  if (place && honest !== undefined) place[0][place[1]] = value(honest);
  return doc;
}

/** A document with a member under another name. */
export function calling(doc: Doc, pointer: string, name: string): Doc {
  const place = holderAt(doc, pointer);
  const honest = place?.[0][place[1]];
  if (!place || honest === undefined) return doc;
  delete place[0][place[1]];
  place[0][name] = honest;
  return doc;
}

/** One bend after the other. */
export const both =
  (first: ResponseMutation, second: ResponseMutation): ResponseMutation =>
  (answer, call) =>
    second(first(answer, call), call);

// One JSON-RPC body: a call, a batch, or a text that is neither (§4.3, §7.2; JSON-RPC 2.0)
import type { openRpc } from "../../specs/generated/openrpc.ts";
import type { ErrorTable } from "../../specs/generated/operations.ts";
import type { Identified } from "../access/keys.ts";
import type { RpcCause } from "../errors/causes.ts";
import { slotAt } from "../platform/chain.ts";
import { healthyIndexer } from "../platform/project.ts";
import type { RpcRules } from "../platform/rpcRules.ts";
import { type Doc, isDocValue, type PlatformAnswer, type RpcCall, type Value } from "../platform/wire.ts";
import { hasOnlyItsMembers, inContext, isRequestId, read } from "./envelope.ts";
import type { Methods, RpcContext, ServedMethod } from "./method.ts";
import { Refused } from "./refusals.ts";

/** What all calls of one body share. */
export interface CallServices extends Pick<RpcContext, "rules" | "chain" | "book" | "now_ms" | "carried"> {
  readonly methods: Methods;
  readonly who: Identified;
  /** Whether the key may be used from this address. */
  readonly mayCall: boolean;
  /** Whether the limit that governs a method admits one more call. */
  readonly admit: (method: string) => boolean;
  /** Called for each call of a known method whose key is valid. */
  readonly meter: (errorTable: ErrorTable, method: string, params: Value | undefined, isServed: boolean) => void;
  /** Envelopes that were sent, by method and params. */
  readonly cache: Map<string, Value>;
  /** Bodies so far, this one included. */
  readonly before: number;
  /** The result of rpc.discover. */
  readonly description: typeof openRpc;
}

interface Answered {
  /** Undefined for a notification. */
  readonly body: Value | undefined;
  readonly call: RpcCall | null;
  readonly cause: RpcCause | null;
}

const httpStatus: { readonly [C in RpcCause]?: number } = {
  key: 401,
  permission: 403,
  notFound: 404,
  rate: 429,
  server: 500,
  unavailable: 503,
  timeout: 504,
  params: 400,
};

export async function serveCall(
  text: string,
  services: CallServices,
): Promise<{ readonly answer: PlatformAnswer; readonly call: RpcCall | null }> {
  const { errorStatus, envelope } = services.rules;
  const { body, call, cause } = await answerText(text, services);
  if (body === undefined) return { answer: { status: envelope.notificationStatus, headers: {}, body }, call };
  const atParsing = cause === "parse" ? envelope.parseStatus : 200;
  const status =
    cause === null ? envelope.servedStatus : errorStatus === "by cause" ? (httpStatus[cause] ?? 400) : atParsing;
  const sent = envelope.requestId === "none" || !isDocValue(body) ? body : { ...body, requestId: "0193-7c5e" };
  return { answer: { status, headers: { "content-type": "application/json; charset=utf-8" }, body: sent }, call };
}

function answerText(text: string, services: CallServices): Answered | Promise<Answered> {
  let request: Value;
  try {
    request = read(text, services.rules.envelope);
  } catch {
    return refusal(beforeAll("parse", services), null, services);
  }
  return Array.isArray(request) ? batch(request, services) : single(request, services);
}

/** The cause of a refusal; the key where it is judged first and isn't valid. */
const beforeAll = (cause: RpcCause, { rules, who }: CallServices): RpcCause =>
  rules.envelope.keyJudged === "before the envelope" && "cause" in who ? "key" : cause;

async function batch(requests: readonly Value[], services: CallServices): Promise<Answered> {
  const { batches, emptyBatch, batchOfOne, envelope } = services.rules;
  if (batches === "refused" || requests.length > (envelope.longestBatch ?? requests.length))
    return refusal("invalid", null, services);
  if (requests.length === 0)
    return emptyBatch === "refused" ? refusal("invalid", null, services) : { body: [], call: null, cause: null };
  const bodies: Value[] = [];
  for (const request of requests) {
    const { body } = await single(request, services);
    if (body !== undefined) bodies.push(body);
  }
  if (envelope.batchOrder === "the last first") bodies.reverse();
  const body = batchOfOne === "an object" && requests.length === 1 ? bodies[0] : bodies;
  return { body: bodies.length === 0 ? undefined : body, call: null, cause: null };
}

/** @param method whose error table has the words; that of compression where the method is unknown */
function refusal(cause: RpcCause, id: Value, { rules, methods }: CallServices, method?: Value, why?: string): Answered {
  const { refusals } = rules;
  const errorTable = (typeof method === "string" ? methods.get(method)?.errorTable : undefined) ?? "compression";
  const { code, message } = refusals[errorTable][cause] ??
    refusals.compression[cause] ??
    refusals.tokenAccounts[cause] ?? { code: -32603, message: "Internal error" };
  const data: Doc = rules.envelope.errorData === "none" ? {} : { data: { cause } };
  const error = { code, message: why === undefined ? message : `${message}: ${why}`, ...data };
  return { body: { jsonrpc: "2.0", error, id }, call: null, cause };
}

/** A request object of JSON-RPC 2.0: member names match exactly, ids are strings, numbers or null. */
function isRequest(request: Value, rules: RpcRules): request is Doc {
  if (!isDocValue(request)) return false;
  const { jsonrpc, id, method, params } = request;
  if (rules.requiredMember !== null && request[rules.requiredMember] === undefined) return false;
  if (rules.stringIds === "refused" && typeof id === "string") return false;
  const { envelope } = rules;
  if (envelope.otherMembers === "refused" && !hasOnlyItsMembers(request)) return false;
  const isVersion =
    jsonrpc === (envelope.version === "1.0 wanted" ? "1.0" : "2.0") || envelope.version === "not looked at";
  // Null is a matter of the method: getIndexerHealth takes it.
  const areParams =
    params === undefined || params === null || typeof params === "object" || envelope.scalarParams === "bad params";
  return isVersion && typeof method === "string" && isRequestId(id, envelope) && areParams;
}

async function single(request: Value, services: CallServices): Promise<Answered> {
  const { rules } = services;
  if (!isRequest(request, rules)) {
    const id =
      isDocValue(request) && (typeof request["id"] === "string" || typeof request["id"] === "number")
        ? request["id"]
        : null;
    return rules.notRequests === "served" && isDocValue(request)
      ? { body: { jsonrpc: "2.0", result: "ok", id }, call: null, cause: null }
      : refusal(beforeAll("invalid", services), id, services, isDocValue(request) ? request["method"] : undefined);
  }
  const { id, method, params } = request;
  const isNotification = id === undefined || (id === null && rules.nullIds === "notifications");
  const answered = await call(typeof method === "string" ? method : "", params, id ?? null, services);
  return isNotification && rules.notifications === "not answered"
    ? { body: undefined, call: null, cause: null }
    : answered;
}

function firstSent(name: string, envelope: Value, cache: Map<string, Value>): Value {
  const first = cache.get(name) ?? envelope;
  cache.set(name, first);
  return first;
}

async function call(method: string, params: Value | undefined, id: Value, services: CallServices): Promise<Answered> {
  const { who, methods } = services;
  const keyCause = "cause" in who ? who.cause : null;
  const made = { method, params, id, errorTable: methods.get(method)?.errorTable ?? null, keyCause };
  try {
    const served = { jsonrpc: "2.0", result: await serve(method, params, id, services), id };
    meterCall(method, params, true, services);
    const body =
      services.rules.cache === "of whole envelopes"
        ? firstSent(JSON.stringify([method, params ?? null]), served, services.cache)
        : served;
    return { body, call: { ...made, cause: null }, cause: null };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    meterCall(method, params, false, services);
    return { ...refusal(error.rpcCause, id, services, method, error.why), call: { ...made, cause: error.rpcCause } };
  }
}

function meterCall(
  name: string,
  params: Value | undefined,
  isServed: boolean,
  { rules, methods, meter, who }: CallServices,
): void {
  const errorTable = methodCalled(name, methods, rules)?.errorTable;
  if (errorTable && "project" in who) meter(errorTable, name, params, isServed);
}

/** @throws Refused */
async function serve(name: string, params: Value | undefined, id: Value, services: CallServices): Promise<Value> {
  const { rules, methods, who } = services;
  const wanted = rules.reservedNames === "aliases" ? name.replace(/^rpc\.(?!discover$)/, "") : name;
  const known = methodCalled(wanted, methods, rules);
  const project = "project" in who ? who.project : null;
  const { keyJudged, limitJudged, discover } = rules.envelope;
  if (keyJudged === "after the method" && !known && wanted !== "rpc.discover") throw new Refused("method");
  if (project === null && !rules.openMethods.includes(wanted)) throw new Refused("key");
  if (!services.mayCall) throw new Refused(hasPermission(known, rules) ? "permission" : "key");
  const isOver = (): boolean => project !== null && !services.admit(nameOf(known, methods) ?? wanted);
  if (limitJudged === "before the method" && isOver()) throw new Refused("rate");
  if (wanted === "rpc.discover" && discover === "a document") return services.description as unknown as Value;
  if (!known || rules.unknownMethods.includes(wanted)) throw new Refused("method");
  const fault = project?.faults.get(wanted);
  if (fault) throw new Refused(fault);
  const result = await known.handle({
    ...services,
    params: rules.memberCase === "any" ? withSmallInitials(params) : params,
    slot: slotAt(services.now_ms),
    indexer: project?.indexer ?? healthyIndexer,
    project: project?.id ?? "",
    id,
  });
  if (limitJudged === "last" && isOver()) throw new Refused("rate");
  // The slot of a status look-up is a requirement (§4.3), so the context stays as it is.
  return known.errorTable === "bundles" ? result : inContext(result, services.before, rules.envelope);
}

/** Whether the method's error table has a code of its own for permissions. */
const hasPermission = (called: ServedMethod | undefined, { refusals }: RpcRules): boolean =>
  called !== undefined && refusals[called.errorTable].permission !== undefined;

/** The documented name, whatever the spelling in the call. */
const nameOf = (called: ServedMethod | undefined, methods: Methods): string | undefined =>
  [...methods].find(([, one]) => one === called)?.[0];

function methodCalled(name: string, methods: Methods, { methodNames, envelope }: RpcRules): ServedMethod | undefined {
  const isNamed: (name: string) => boolean =
    envelope.methodSpelling === "any case and white space"
      ? (one) => one.toLowerCase() === name.trim().toLowerCase()
      : (one) => one.toLowerCase() === name;
  return methodNames === "in lower case" || envelope.methodSpelling !== "exact"
    ? [...methods].find(([one]) => isNamed(one))?.[1]
    : methods.get(name);
}

const withSmallInitials = (params: Value | undefined): Value | undefined =>
  isDocValue(params)
    ? Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name.slice(0, 1).toLowerCase() + name.slice(1), value]),
      )
    : params;

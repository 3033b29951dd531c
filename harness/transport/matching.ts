// Which operation of the interface a request of others calls, and how: only what it describes can be judged.
import type { Operation } from "../core/interface.ts";
import { isObject, type Json, listOf, parseJson } from "../core/json.ts";
import type { PathPart } from "../core/requestSpec.ts";
import { basePattern } from "../targets/bases.ts";
import { nameOn } from "../targets/renaming.ts";
import type { Target } from "../targets/target.ts";
import { type HeaderList, headerOf } from "./exchange.ts";
import { isNotified } from "./foreign.ts";

/** A request as it was sent, by whomever. */
export interface SentByAny {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: HeaderList;
  /** Null where there was none, or where it isn't recorded. */
  readonly body: string | null;
}

/** One call; a batch of JSON-RPC makes several. */
export interface MatchedCall {
  readonly operation: Operation;
  readonly path: readonly PathPart[];
  /** The request of a JSON-RPC method. */
  readonly json?: Json;
}

export interface Calls {
  readonly calls: readonly MatchedCall[];
  /** How many requests a batch has, those that are no operations included; null for one that is alone. */
  readonly batched: number | null;
}

/** Why a request isn't judged, the same words for all alike. */
export const unmatched = {
  address: "a request without an address that can be read",
  host: "a request to a host that neither --target nor --base names",
  webSocket: "a WebSocket connection, whose messages aren't judged",
  path: "a request that isn't an operation of the interface",
  method: "a JSON-RPC method that isn't in the interface",
  notification: "a JSON-RPC notification (without an id)",
  accept: "a request that doesn't accept JSON",
  range: "a request for a part of an answer (Range)",
  parameters: "a request with query parameters that the interface doesn't describe",
  content: "a request whose body is compressed, isn't labelled as JSON, or is sent with GET",
  form: "a request in a form that the interface doesn't describe",
  body: "a JSON-RPC request whose body isn't recorded",
} as const;

const variable = /\{[^}]+\}/;

/** Where each operation is. */
const routesOf = ({ interface: tables, bases }: Target) =>
  tables.operations.flatMap((operation) => {
    const base = bases[operation.api];
    if (base === undefined) return [];
    const isMethod = tables.apis[operation.api] === "json-rpc";
    const literals = operation.path.split(variable).map((literal) => literal.replaceAll(/[^\w/-]/g, "\\$&"));
    const source = isMethod ? "/?" : literals.join("([^/]+)");
    return [{ operation, base: basePattern(base), pattern: new RegExp(`^${source}$`) }];
  });

/**
 * Finds what recorded requests call on a target.
 * @returns the calls of a request, or why the interface doesn't describe it
 */
export function matcherFor(target: Target): (recorded: SentByAny) => Calls | keyof typeof unmatched {
  const { interface: tables } = target;
  const routes = routesOf(target);
  const parameters = [tables.carriers.query, nameOn(target, tables.carriers.query)];

  /** Other headers and parameters of a request change the answer in ways that the interface doesn't describe. */
  const undescribedIn = (operation: Operation, url: URL, recorded: SentByAny): keyof typeof unmatched | null => {
    const accept = headerOf(recorded, "accept") ?? "*/*";
    if (!/\*\/\*|application\/(\*|json)/i.test(accept)) return "accept";
    if (headerOf(recorded, "range") !== undefined) return "range";
    const isOpen = tables.apis[operation.api] === "json-rpc" || operation.answers.length === 0;
    if (!isOpen && [...url.searchParams.keys()].some((name) => !parameters.includes(name))) return "parameters";
    if (recorded.method === "GET") return recorded.body === null || recorded.body === "" ? null : "content";
    if (headerOf(recorded, "content-encoding") !== undefined) return "content";
    const type = headerOf(recorded, "content-type") ?? "application/json";
    return /^application\/json\s*(;|$)/i.test(type) ? null : "content";
  };

  return (recorded) => {
    if (!URL.canParse(recorded.url)) return "address";
    const url = new URL(recorded.url);
    const here = routes.filter(({ base }) => base.host.test(url.host));
    if (here.length === 0) return "host";
    const fitting = here.flatMap(({ operation, base, pattern }) => {
      const [prefix] = operation.method === recorded.method ? (base.prefix.exec(url.pathname) ?? []) : [];
      const values = prefix === undefined ? null : pattern.exec(url.pathname.slice(prefix.length));
      return values ? [{ operation, values: values.slice(1) }] : [];
    });
    // Concrete paths come before those with variables.
    const [first] = fitting.sort((one, other) => one.values.length - other.values.length);
    if (!first) return "path";
    const { operation, values } = first;
    const undescribed = undescribedIn(operation, url, recorded);
    if (undescribed !== null) return undescribed;
    if (tables.apis[operation.api] === "json-rpc") return methodsIn(recorded.body, fitting);
    return { calls: [{ operation, path: pathOf(operation, values, target) }], batched: null };
  };
}

/** A project of the target stands as its key's role, as in our own requests. */
function pathOf({ path }: Operation, values: readonly string[], { keys }: Target): readonly PathPart[] {
  const roleOf = (id: string) =>
    [...keys].find(([, { project }]) => project.id?.toLowerCase() === id.toLowerCase())?.[0];
  const literals = path.split(variable);
  return literals.flatMap((literal, nth): readonly PathPart[] => {
    const value = values[nth];
    if (value === undefined) return [literal];
    const role = roleOf(value);
    return [literal, role === undefined ? { id: value } : { projectOf: role }];
  });
}

/** Several times as many levels as a described request has. */
const deepest = 32;

const isDeeper = (value: Json, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner: Json) => isDeeper(inner, levels - 1)));

type Methods = readonly Pick<MatchedCall, "operation">[];

function methodsIn(body: string | null, methods: Methods): Calls | keyof typeof unmatched {
  if (body === null || body === "") return "body";
  const parsed = parseJson(body);
  // Which of two members of one name counts isn't described, nor how deep a request may be.
  if (!parsed || parsed.duplicates.length > 0 || isDeeper(parsed.value, deepest)) return "form";
  const json = parsed.value;
  const requests = Array.isArray(json) ? listOf(json) : [json];
  const calls = requests.flatMap((request): readonly MatchedCall[] => {
    const method = isEnvelope(request) ? request["method"] : null;
    const found = methods.find(({ operation }) => operation.id === method);
    return found ? [{ operation: found.operation, path: ["/"], json: request }] : [];
  });
  if (calls.length > 0) return { calls, batched: Array.isArray(json) ? requests.length : null };
  if (requests.some(isEnvelope)) return "method";
  return requests.length > 0 && isNotified(json) ? "notification" : "form";
}

/** As the interface shows it; what answers a notification, or an id of another type, isn't described. */
const isEnvelope = (request: Json): request is { readonly [member: string]: Json } =>
  isObject(request) && request["jsonrpc"] === "2.0" && ["string", "number"].includes(typeof request["id"]);

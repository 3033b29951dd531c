// Which operation of the interface a request of others calls, and how: only what it describes can be judged.
import type { Operation } from "../core/interface.ts";
import { isDeeper, isObject, type Json, listOf, parseJson, stepsOf } from "../core/json.ts";
import type { PathPart } from "../core/requestSpec.ts";
import { withoutKeys } from "../core/secret.ts";
import { withoutTrailing } from "../core/trailing.ts";
import { basePattern } from "../targets/bases.ts";
import { nameOn } from "../targets/renaming.ts";
import type { Target } from "../targets/target.ts";
import { type HeaderList, headerOf } from "./exchange.ts";
import { isNotified } from "./foreign.ts";
import {
  formSays,
  isWord,
  type PathShape,
  parametersSay,
  shownName,
  shownPath,
  type Unmatched,
  unmatched,
  unmatchedBy,
} from "./unmatched.ts";

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

const variable = /\{[^{}]+\}/;

/** Any host, and whatever stands before the path of an operation; methods are anywhere. */
const anyBase = (isMethod: boolean, literal: string) => ({
  host: /^/,
  prefix: isMethod ? /^.*/ : new RegExp(`^.*?(?=${literal})`),
  path: "",
});

/** Where each operation is. */
const routesOf = ({ interface: tables, bases }: Target, isAnywhere: boolean) =>
  tables.operations.flatMap((operation) => {
    const base = bases[operation.api];
    if (base === undefined && !isAnywhere) return [];
    const isMethod = tables.apis[operation.api] === "json-rpc";
    const literals = operation.path.split(variable).map((literal) => literal.replaceAll(/[^\w/-]/g, "\\$&"));
    const source = isMethod ? "/?" : literals.join("([^/]+)");
    const pattern = new RegExp(`^${source}$`);
    const found = base === undefined || isAnywhere ? anyBase(isMethod, literals[0] ?? "") : basePattern(base);
    return [{ operation, base: found, pattern }];
  });

/** A path of the interface below a base, of whose own segments one may be a key. */
const shapeOf = (prefix: string, path: string): PathShape => [
  ...prefix
    .split("/")
    .slice(1)
    .map((segment) => (isWord(segment) ? segment : null)),
  ...path
    .split("/")
    .slice(1)
    .map((segment) => (variable.test(segment) ? null : segment)),
];

/**
 * Finds what recorded requests call on a target.
 * @param isAnywhere whether they may have gone to any host, in whatever way: by method, path and envelope alone
 * @returns the calls of a request, or why the interface doesn't describe it
 */
export function matcherFor(target: Target, { isAnywhere = false } = {}): (recorded: SentByAny) => Calls | Unmatched {
  const { interface: tables } = target;
  const routes = routesOf(target, isAnywhere);
  const shapes = routes.map(({ operation, base }) => shapeOf(base.path, operation.path));
  const parameters = [tables.carriers.query, nameOn(target, tables.carriers.query)];

  /** Other headers and parameters of a request change the answer in ways that the interface doesn't describe. */
  const undescribedIn = (operation: Operation, url: URL, recorded: SentByAny): Unmatched | null => {
    const accept = headerOf(recorded, "accept") ?? "*/*";
    if (!/\*\/\*|application\/(\*|json)/i.test(accept))
      return unmatchedBy("accept", `a request that accepts ${typeIn(accept)} and no JSON`);
    if (headerOf(recorded, "range") !== undefined) return unmatchedBy("range");
    const isOpen = tables.apis[operation.api] === "json-rpc" || operation.answers.length === 0;
    const others = isOpen ? [] : [...url.searchParams.keys()].filter((name) => !parameters.includes(name));
    if (others.length > 0) return unmatchedBy("parameters", parametersSay(others, operation.id));
    return undescribedBody(recorded);
  };

  /** Names an operation that the path would call without the slash at its end. */
  const pathSays = (recorded: SentByAny, url: URL, matching: (path: string) => readonly Fitting[]): string => {
    const method = /^[A-Z]{1,10}$/.exec(recorded.method)?.[0] ?? "…";
    const request = `${method} ${shownPath(url.pathname, shapes)}`;
    const [near] = url.pathname.endsWith("/") ? matching(withoutTrailing("/", url.pathname)) : [];
    return near
      ? `${request} isn't ${near.operation.id}: its path has no slash at the end`
      : `${request} isn't an operation of the interface`;
  };

  return (recorded) => {
    if (!URL.canParse(recorded.url)) return unmatchedBy("address");
    const url = new URL(recorded.url);
    const here = routes.filter(({ base }) => base.host.test(url.host));
    if (here.length === 0) return unmatchedBy("host", `${unmatched.host} (${withoutKeys(url.host) || url.protocol})`);
    const matching = (path: string): readonly Fitting[] =>
      here.flatMap(({ operation, base, pattern }) => {
        const [prefix] = operation.method === recorded.method ? (base.prefix.exec(path) ?? []) : [];
        const values = prefix === undefined ? null : pattern.exec(path.slice(prefix.length));
        return values ? [{ operation, values: values.slice(1) }] : [];
      });
    // Concrete paths come before those with variables.
    const fitting = matching(url.pathname).toSorted((one, other) => one.values.length - other.values.length);
    const [first] = fitting;
    if (!first) return unmatchedBy("path", pathSays(recorded, url, matching));
    const { operation, values } = first;
    const undescribed = isAnywhere ? null : undescribedIn(operation, url, recorded);
    if (undescribed !== null) return undescribed;
    if (tables.apis[operation.api] === "json-rpc") return methodsIn(recorded.body, fitting);
    return { calls: [{ operation, path: pathOf(operation, values, target) }], batched: null };
  };
}

/** An operation with the values of its path's variables. */
interface Fitting {
  readonly operation: Operation;
  readonly values: readonly string[];
}

/** The first media type of a header, without parameters. */
const typeIn = (header: string): string => shownName(header.split(/[,;]/)[0]?.trim() ?? "");

function undescribedBody(recorded: SentByAny): Unmatched | null {
  if (recorded.method === "GET")
    return recorded.body === null || recorded.body === "" ? null : unmatchedBy("content", "a GET with a body");
  const coding = headerOf(recorded, "content-encoding");
  if (coding !== undefined) return unmatchedBy("content", `a request whose body is compressed (${shownName(coding)})`);
  const type = headerOf(recorded, "content-type") ?? "application/json";
  return /^application\/json\s*(;|$)/i.test(type)
    ? null
    : unmatchedBy("content", `a request whose body is labelled ${typeIn(type)} instead of application/json`);
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

type Methods = readonly Pick<MatchedCall, "operation">[];

function methodsIn(body: string | null, methods: Methods): Calls | Unmatched {
  if (body === null || body === "") return unmatchedBy("body");
  const parsed = parseJson(body);
  if (!parsed) return unmatchedBy("form", "a JSON-RPC request whose body isn't JSON");
  // Which of two members of one name counts isn't described, nor how deep a request may be.
  const [duplicate] = parsed.duplicates;
  if (duplicate !== undefined)
    return unmatchedBy("form", `a JSON-RPC request that names ${shownName(stepsOf(duplicate).at(-1) ?? "")} twice`);
  if (isDeeper(parsed.value, deepest))
    return unmatchedBy("form", `a JSON-RPC request that is nested deeper than ${deepest} levels`);
  const json = parsed.value;
  const requests = Array.isArray(json) ? listOf(json) : [json];
  const calls = requests.flatMap((request): readonly MatchedCall[] => {
    const method = isEnvelope(request) ? request["method"] : null;
    const found = methods.find(({ operation }) => operation.id === method);
    return found ? [{ operation: found.operation, path: ["/"], json: request }] : [];
  });
  if (calls.length > 0) return { calls, batched: Array.isArray(json) ? requests.length : null };
  const [other] = requests.filter(isEnvelope);
  if (typeof other?.["method"] === "string")
    return unmatchedBy("method", `the JSON-RPC method ${shownName(other["method"])}: not in the interface`);
  return requests.length > 0 && isNotified(json) ? unmatchedBy("notification") : unmatchedBy("form", formSays(json));
}

/** As the interface shows it; what answers a notification, or an id of another type, isn't described. */
const isEnvelope = (request: Json): request is { readonly [member: string]: Json } =>
  isObject(request) && request["jsonrpc"] === "2.0" && ["string", "number"].includes(typeof request["id"]);

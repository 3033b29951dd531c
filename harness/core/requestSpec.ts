// A request spec: one request as a value; its canonical JSON is the key of its exchange.
import type { Api, Interface, OperationId, Role } from "./interface.ts";
import { canonical } from "./json.ts";
import { type Given, givensOf, isGiven, type Template } from "./template.ts";

export type { Role };
export type Made = `made-${number}`;
/** Whose key or project is meant: of a role, the owner, a bystander where there is one, or a caller who isn't known. */
export type Asker = Role | "owner" | "bystander" | "someone" | Made;

export type KeySpelling = "spaceBefore" | "spaceAfter" | "otherCase" | "percentEncoded" | "bearer";

/** A key: an asker's, an unknown one of the same shape, an asker's with its end changed, or any text. */
export type KeyText =
  | { readonly keyOf: Asker; readonly spelled?: KeySpelling }
  | { readonly likeKeyOf: Asker }
  | { readonly nearKeyOf: Asker }
  | { readonly text: string };

/**
 * How a key travels; `either` is the documented carrier that the platform has accepted. The name is the documented one
 * unless given.
 */
export interface Carrier {
  readonly in: "header" | "query" | "either";
  readonly name?: string;
  readonly key: KeyText;
}

/**
 * A piece of a path: literal text, something that the target gives, an asker's project id, or an unknown id, which is
 * any text or an asker's project id with its end changed.
 */
export type PathPart =
  | string
  | Given
  | { readonly id: string }
  | { readonly nearIdOf: Asker }
  | { readonly projectOf: Asker; readonly upperCase?: boolean; readonly spelled?: "noHyphens" | "braces" };

export interface RequestSpec {
  /** The documented operation whose laws judge the answer; null for what the interface doesn't describe. */
  readonly operation: OperationId | null;
  readonly api: Api;
  readonly method: string;
  readonly path: readonly PathPart[];
  readonly carriers: readonly Carrier[];
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly query?: readonly (readonly [name: string | Given, value: string | Given])[];
  readonly body?: string;
  /** A JSON body that is filled in from the target; instead of `body`. */
  readonly json?: Template;
  /** Sent over http though the base says https; must carry no key. */
  readonly plainHttp?: true;
  /** Distinguishes the repetitions in one list. */
  readonly again?: number;
  /** Issued by the context: no other request of the run has it, so that its answer is never a remembered one. */
  readonly issued?: number;
  /** Set in the second repeat of a probe. */
  readonly repeat?: 2;
}

/** Caches names: they are needed repeatedly for thousands of exchanges. */
function remembered(nameOne: (requestSpec: RequestSpec) => string): (requestSpec: RequestSpec) => string {
  const known = new WeakMap<RequestSpec, string>();
  return (requestSpec) => {
    const name = known.get(requestSpec) ?? nameOne(requestSpec);
    known.set(requestSpec, name);
    return name;
  };
}

/** The canonical JSON of a request spec, under which its exchange is remembered. */
export const requestKey = remembered(canonical);

/** The name of a request spec, the same for all its repetitions. */
export const questionOf = remembered(({ again: _, issued: __, repeat: ___, ...question }) => canonical(question));

/** The same request spec with `either` decided. */
export const withCarrier = (requestSpec: RequestSpec, carrier: "header" | "query"): RequestSpec => ({
  ...requestSpec,
  carriers: requestSpec.carriers.map((one) => (one.in === "either" ? { ...one, in: carrier } : one)),
});

/** The key in the query instead of the header, or the other way round, which isn't documented for JSON-RPC. */
export const inOtherCarrier = (requestSpec: RequestSpec): RequestSpec =>
  requestSpec.carriers.some((one) => one.in === "query")
    ? { ...requestSpec, operation: null, carriers: requestSpec.carriers.map(({ key }) => ({ in: "header", key })) }
    : { ...requestSpec, carriers: requestSpec.carriers.map((one) => ({ ...one, in: "query" })) };

/** The owner's request as another asker's, on that asker's project. */
export const asAsker = (requestSpec: RequestSpec, asker: Asker): RequestSpec => ({
  ...requestSpec,
  path: requestSpec.path.map((part) =>
    typeof part === "object" && "projectOf" in part ? { ...part, projectOf: asker } : part,
  ),
  carriers: requestSpec.carriers.map((one) =>
    "keyOf" in one.key ? { ...one, key: { ...one.key, keyOf: asker } } : one,
  ),
});

export const asSecondRepeat = (requestSpec: RequestSpec): RequestSpec => ({ ...requestSpec, repeat: 2 });

/** JSON pointers of all that the target must give for a request spec. */
export const givensIn = ({ path, query = [], json = null }: RequestSpec): readonly string[] => [
  ...path.flatMap((part) => (typeof part === "object" && isGiven(part) ? givensOf(part) : [])),
  ...query.flat().flatMap(givensOf),
  ...givensOf(json),
];

/** The operation that a request spec calls, judged or not: a JSON-RPC request names its method. */
export function calledBy({ operation, json, api }: RequestSpec, { apis }: Pick<Interface, "apis">): string | null {
  if (operation !== null || apis[api] !== "json-rpc") return operation;
  const named = typeof json === "object" && json !== null && "method" in json ? json["method"] : null;
  return typeof named === "string" ? named : null;
}

/** The asker whose key it is, or from whose key it is derived. */
export const whoseKey = (key: Exclude<KeyText, { readonly text: string }>): Asker =>
  "keyOf" in key ? key.keyOf : "likeKeyOf" in key ? key.likeKeyOf : key.nearKeyOf;

/** All askers whose key or project a request spec needs. */
export function askersOf({ carriers, path }: RequestSpec): Asker[] {
  const keys = carriers.flatMap(({ key }) => ("text" in key ? [] : [whoseKey(key)]));
  const projects = path.flatMap((part) =>
    typeof part === "string" || "id" in part || isGiven(part)
      ? []
      : ["projectOf" in part ? part.projectOf : part.nearIdOf],
  );
  return [...new Set([...keys, ...projects])];
}

/** The asker whose valid key a request spec carries; null where it carries none. */
export const keyHolder = (requestSpec: RequestSpec): Asker | null => keyHolders(requestSpec)[0] ?? null;

/** Whose keys it carries, unless they are changed beyond spelling. */
export const keyHolders = ({ carriers }: RequestSpec): readonly Asker[] =>
  carriers.flatMap(({ key }) => ("keyOf" in key ? [key.keyOf] : []));

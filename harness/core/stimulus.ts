// A stimulus: one request as a value; its canonical JSON is the key of its exchange.
import type { Api, Interface, OperationId } from "./interface.ts";
import { canonical } from "./json.ts";
import { type Given, givensOf, type Template } from "./template.ts";

/** Whose key is used. `owner` is whichever ordinary key the target has: paid, else other, else free. */
export const roles = ["paid", "second", "other", "free", "adminOff", "unbilled", "slow", "ipBlocked"] as const;
export type Role = (typeof roles)[number];
/** A project that control has made for one scenario. */
export type Made = `made-${number}`;
export type Asker = Role | "owner" | Made;

/** Another way to write a good key than as it is. */
export type KeySpelling = "spaceBefore" | "spaceAfter" | "otherCase" | "percentEncoded" | "bearer";

/** A key: somebody's, an unknown one of the same shape, somebody's with its end changed, or a text. */
export type KeyText =
  | { readonly keyOf: Asker; readonly spelled?: KeySpelling }
  | { readonly likeKeyOf: Asker }
  | { readonly nearKeyOf: Asker }
  | { readonly text: string };

/**
 * How a key travels; `either` is whichever documented carrier the platform was seen to accept. The name is the
 * documented one unless the stimulus is about another.
 */
export interface Carrier {
  readonly in: "header" | "query" | "either";
  readonly name?: string;
  readonly key: KeyText;
}

/**
 * A piece of a path: literal text, something that the target gives, the project id of somebody's key, or an unknown id:
 * a text, or somebody's with its end changed.
 */
export type PathPart =
  | string
  | Given
  | { readonly id: string }
  | { readonly nearIdOf: Asker }
  | { readonly projectOf: Asker; readonly upperCase?: boolean; readonly spelled?: "noHyphens" | "braces" };

export interface Stimulus {
  /** The documented operation whose laws judge the answer; null for what the interface doesn't describe. */
  readonly operation: OperationId | null;
  readonly api: Api;
  readonly method: string;
  readonly path: readonly PathPart[];
  readonly carriers: readonly Carrier[];
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly query?: readonly (readonly [name: string | Given, value: string | Given])[];
  readonly body?: string;
  /** A JSON body in which the target fills in what only it knows; in place of `body`. */
  readonly json?: Template;
  /** Sent over http where the base says https; carries no key then. */
  readonly plainHttp?: true;
  /** Tells a repetition made on purpose from the exchange that is remembered; numbers are issued by the context. */
  readonly again?: number;
  /** Of the second pass of a probe. */
  readonly pass?: 2;
}

/** Names are asked for over and over, of thousands of exchanges. */
function remembered(nameOne: (stimulus: Stimulus) => string): (stimulus: Stimulus) => string {
  const known = new WeakMap<Stimulus, string>();
  return (stimulus) => {
    const name = known.get(stimulus) ?? nameOne(stimulus);
    known.set(stimulus, name);
    return name;
  };
}

export const nameOf = remembered(canonical);

/** The name of the question, whichever time it is asked. */
export const questionOf = remembered(({ again: _, pass: __, ...question }) => canonical(question));

/** The same stimulus with `either` decided. */
export const carriedBy = (stimulus: Stimulus, carrier: "header" | "query"): Stimulus => ({
  ...stimulus,
  carriers: stimulus.carriers.map((one) => (one.in === "either" ? { ...one, in: carrier } : one)),
});

/** The same question, as the second pass of probes asks it. */
export const secondTime = (stimulus: Stimulus): Stimulus => ({ ...stimulus, pass: 2 });

/** Pointers of all that the target must give for it. */
export const givensIn = ({ path, query = [], json = null }: Stimulus): readonly string[] => [
  ...path.flatMap((part) => (typeof part === "object" && "§" in part ? givensOf(part) : [])),
  ...query.flat().flatMap(givensOf),
  ...givensOf(json),
];

/** The operation that it calls, also where no law judges the answer: a JSON-RPC request names its method. */
export function calledBy({ operation, json, api }: Stimulus, { apis }: Pick<Interface, "apis">): string | null {
  if (operation !== null || apis[api] !== "json-rpc") return operation;
  const named = typeof json === "object" && json !== null && "method" in json ? json["method"] : null;
  return typeof named === "string" ? named : null;
}

/** Whose key one is, or is made from. */
export const whoseKey = (key: Exclude<KeyText, { readonly text: string }>): Asker =>
  "keyOf" in key ? key.keyOf : "likeKeyOf" in key ? key.likeKeyOf : key.nearKeyOf;

/** Everybody whose key or project a stimulus needs. */
export function askersOf({ carriers, path }: Stimulus): Asker[] {
  const keys = carriers.flatMap(({ key }) => ("text" in key ? [] : [whoseKey(key)]));
  const projects = path.flatMap((part) =>
    typeof part === "string" || "id" in part || "§" in part
      ? []
      : ["projectOf" in part ? part.projectOf : part.nearIdOf],
  );
  return [...new Set([...keys, ...projects])];
}

/** Whose good key a stimulus carries; null where it carries none. */
export function keyHolder({ carriers }: Stimulus): Asker | null {
  for (const { key } of carriers) if ("keyOf" in key) return key.keyOf;
  return null;
}

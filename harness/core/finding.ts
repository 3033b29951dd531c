// A finding: whether a requirement holds in one exchange, and where it does not.
import type Big from "big.js";
import type { Counterexample } from "./generation.ts";
import { canonical, type Json, pointerFromPath, stepsOf } from "./json.ts";
import { type Redactor, redactedIn } from "./secret.ts";

export type Got = { readonly is: "absent" } | { readonly value: Json };

export interface Broken {
  readonly outcome: "broken";
  /** JSON pointer into the body, `status`, or `header <name>`. */
  readonly at: string;
  readonly expected: string;
  readonly got: Got;
  readonly counterexample?: Counterexample;
  /** Set where a lawful platform could answer so: on a vendor at most a warning. */
  readonly warnsOnVendors?: true;
  readonly untried?: never;
}

/** What a place of a breach names; a pointer into the body is one of JSON. */
export type AnswerPlace =
  | { readonly in: "body"; readonly pointer: string }
  | { readonly in: "header"; readonly name: string }
  | { readonly in: "status" };

const ofHeader = "header ";

/** Reads the notation in which breaches and deviations are written. */
export function answerPlaceIn(at: string): AnswerPlace {
  if (at === "status") return { in: "status" };
  return at.startsWith(ofHeader)
    ? { in: "header", name: at.slice(ofHeader.length).toLowerCase() }
    : { in: "body", pointer: at };
}

export interface Held {
  readonly outcome: "held";
  /** What of its scope wasn't tried, where it held only in part. */
  readonly untried?: string;
}

export type Finding = Broken | Held;

export const held: Held = { outcome: "held" };
/** @param untried what wasn't tried, e.g. `pages beyond the 40th` */
export const heldInPart = (untried: string): Held => ({ outcome: "held", untried });
export const absent: Got = { is: "absent" };

const asGot = (value: unknown): Got => {
  if (value === undefined) return absent;
  if (typeof value === "object" && value !== null && "toFixed" in value) return { value: (value as Big).toFixed() };
  return { value: shallow(value as Json) };
};

/** Values are cut below this depth, since a hostile answer would fill reports. */
const deepest = 32;

function shallow(value: Json, depth = 0): Json {
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepest) return "(nested deeper)";
  if (Array.isArray(value)) return value.map((item: Json) => shallow(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shallow(member, depth + 1)]));
}

/** @param got what was found: JSON, an exact decimal, or undefined where there was nothing */
export const broken = (at: string, expected: string, got: unknown): Broken => ({
  outcome: "broken",
  at,
  expected,
  got: asGot(got),
});

/** The same breach, as it may be shown: it may quote an answer that holds a key. */
export const shownBroken = <B extends Broken>(breach: B, redact: Redactor): B => ({
  ...redactedIn(breach, redact),
  at: breach.at.startsWith("/") ? pointerFromPath(stepsOf(breach.at).map(redact)) : redact(breach.at),
});

/** For people: canonical JSON of what was found. */
export const describeGot = (got: Got): string => ("is" in got ? "nothing" : canonical(got.value));

/** On a vendor at most a warning, as it is found outside the condition under which the requirement is entailed. */
export const onlyWarning = (finding: Finding): Finding =>
  finding.outcome === "broken" ? { ...finding, warnsOnVendors: true } : finding;

/** Broken unless `condition`; `got` is what was found at `at`. */
export const must = (condition: boolean, at: string, expected: string, got: unknown): Finding =>
  condition ? held : broken(at, expected, got);

export const equals = (at: string, got: Json | undefined, expected: Json): Finding =>
  must(got !== undefined && canonical(got) === canonical(expected), at, canonical(expected), got);

/** A breach where there is one, else what held in part, else what held; undefined where nothing was found. */
export const worstOf = (findings: readonly (Finding | undefined)[]): Finding | undefined =>
  findings.find((one) => one?.outcome === "broken") ??
  findings.find((one) => one?.outcome === "held" && one.untried !== undefined) ??
  findings.find((one) => one !== undefined);

/** |got − expected| ≤ within, in exact decimals. */
export const near = (at: string, got: Big, expected: Big, { within }: { readonly within: number }): Finding =>
  must(got.minus(expected).abs().lte(within), at, `${expected.toFixed()}${within ? ` (±${within})` : ""}`, got);

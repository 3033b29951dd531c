// Unspecified behaviours that changed.
import type { Interface } from "../../harness/core/interface.ts";
import { canonical, isObject, type Json } from "../../harness/core/json.ts";
import type { Run, RunObservation } from "../../harness/record/run.ts";
import type { ChangedAnswer, Drift } from "./comparison.ts";

/** Members by JSON pointer: what an answer looks like. */
type Shape = { readonly [pointer: string]: string };

const isShape = (value: Json): value is Shape =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(([at, kind]) => (at === "" || at.startsWith("/")) && typeof kind === "string");

/** Each case of a probe with all values that its passes observed. */
function answersOf({ values }: RunObservation): ReadonlyMap<string, readonly Json[]> {
  const answers = new Map<string, Map<string, Json>>();
  for (const { summary } of values) {
    for (const [name, value] of Object.entries(summary)) {
      const seen = answers.get(name) ?? new Map<string, Json>();
      answers.set(name, seen.set(canonical(value), value));
    }
  }
  return new Map([...answers].map(([name, seen]) => [name, [...seen.values()]]));
}

type Scales = readonly (readonly string[])[];
const none: Scales = [];
type Register = Pick<Interface, "unspecified">;
/** Undefined for what is chosen; empty for what is measured, and compared elsewhere. */
const scalesOf = ({ unspecified }: Register, id: string): Scales | undefined =>
  unspecified.find((one) => one.id === id)?.scales;

/** A value that a varying observation had before is no change. */
const isAlike = (some: readonly Json[], others: readonly Json[], scales: Scales): boolean =>
  some.some((one) => others.some((other) => isSame(one, other, scales)));

function isSame(one: Json, other: Json, scales: Scales): boolean {
  if (isShape(one) && isShape(other)) return isSameShape(one, other);
  if (scales.length > 0 && (Array.isArray(one) || Array.isArray(other)))
    return isSameSet(asList(one), asList(other), scales);
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].every(
      (name) => name in one && name in other && isSame(one[name] ?? null, other[name] ?? null, scales),
    );
  }
  return canonical(one) === canonical(other) || scales.some((scale) => areNeighbours(scale, one, other));
}

const asList = (value: Json): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [value]);

/** Several measured figures of one case: each has its equal, or its neighbour, among the others. */
function isSameSet(some: readonly Json[], others: readonly Json[], scales: Scales): boolean {
  const has = (all: readonly Json[], wanted: Json): boolean => all.some((one) => isSame(one, wanted, scales));
  return some.every((one) => has(others, one)) && others.every((one) => has(some, one));
}

function areNeighbours(scale: readonly string[], one: Json, other: Json): boolean {
  const [here = -1, there = -1] = [one, other].map((word) => (typeof word === "string" ? scale.indexOf(word) : -1));
  return here >= 0 && there >= 0 && Math.abs(here - there) <= 1;
}

const coarse: { readonly [kind: string]: string } = {
  int: "number",
  frac: "number",
  big: "number",
  uuid: "text",
  date: "text",
  hex: "text",
  base58: "text",
  free: "text",
};
const kindsIn = (classes: string): readonly string[] =>
  classes
    .replace(/\(.*\)$/, "")
    .split("|")
    .map((kind) => coarse[kind] ?? kind)
    .filter((kind) => kind !== "null");

/** Which of several types a place holds is chance, null above all; so is what lies in an object of one shape only. */
function isSameShape(one: Shape, other: Shape): boolean {
  const hasParent = (shape: Shape, at: string): boolean =>
    at === "" || at.slice(0, at.lastIndexOf("/")) in shape || !at.slice(1).includes("/");
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((at) => {
    const [here, there] = [one[at], other[at]];
    if (here === undefined || there === undefined) return !hasParent(here === undefined ? one : other, at);
    const [some, others] = [kindsIn(here), kindsIn(there)];
    return some.length === 0 || others.length === 0 || some.some((kind) => others.includes(kind));
  });
}

/** Only cases in both runs are compared. */
function changedAnswers(was: RunObservation, is: RunObservation, scales: Scales): readonly ChangedAnswer[] {
  const [before, after] = [answersOf(was), answersOf(is)];
  return [...after].flatMap(([name, now]) => {
    const then = before.get(name);
    return then && !isAlike(then, now, scales) ? [{ case: name, was: then, is: now }] : [];
  });
}

/** @param all every run that is compared, to find when a change was first seen */
export function driftsBetween(base: Run, head: Run, all: readonly Run[], register: Register): readonly Drift[] {
  const known = new Map(base.observations.map((one) => [one.id, one]));
  return head.observations.flatMap((is): Drift[] => {
    const was = known.get(is.id);
    const scales = scalesOf(register, is.id);
    const cases = was && scales?.length !== 0 ? changedAnswers(was, is, scales ?? none) : [];
    if (cases.length === 0) return [];
    const { id, question, clause } = is;
    return [{ id, question, clause, cases, firstSeen: firstSeenOf(id, cases, head, all) }];
  });
}

function firstSeenOf(id: string, cases: readonly ChangedAnswer[], head: Run, all: readonly Run[]): Drift["firstSeen"] {
  const saw = (run: Run): boolean => {
    const seen = run.observations.find((one) => one.id === id);
    const answers = seen ? answersOf(seen) : new Map<string, readonly Json[]>();
    return cases.some((one) => isAlike(answers.get(one.case) ?? [], one.is, none));
  };
  const earlier = all
    .filter((run) => run.target.name === head.target.name && saw(run))
    .sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const first = earlier[0] ?? head;
  return { run: all.indexOf(first), at: first.startedAt };
}

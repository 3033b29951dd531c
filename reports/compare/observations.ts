// Unspecified behaviours that changed.
import type { Interface } from "../../harness/core/interface.ts";
import { canonical, isObject, type Json } from "../../harness/core/json.ts";
import type { Run } from "../../harness/record/run.ts";
import { groupedBy } from "../lists.ts";
import type { ChangedAnswer, Drift } from "./comparison.ts";

/** Members by JSON pointer: what an answer looks like. */
type Shape = { readonly [pointer: string]: string };

const isShape = (value: Json): value is Shape =>
  isObject(value) &&
  Object.entries(value).every(([at, kind]) => (at === "" || at.startsWith("/")) && typeof kind === "string");

/** Each case of a probe with all values that its passes observed. */
export function answersIn({ observations }: Run, id: string): ReadonlyMap<string, readonly Json[]> {
  const summaries = observations.filter((one) => one.id === id).flatMap(({ values }) => values);
  const answers = groupedBy(
    summaries.flatMap(({ summary }) => Object.entries(summary)),
    ([name]) => name,
  );
  return new Map([...answers].map(([name, seen]) => [name, distinct(seen.map(([, value]) => value))]));
}

/** Each value once. */
export const distinct = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map((value) => [canonical(value), value])).values(),
];

export type Scales = readonly (readonly string[])[];
const none: Scales = [];
type Register = Pick<Interface, "unspecified">;

/** Words of an observation that are neighbours; null where it is measured, and compared elsewhere. */
export function scalesIn({ unspecified }: Register): (id: string) => Scales | null {
  const scalesById = new Map<string, Scales | undefined>(unspecified.map(({ id, scales }) => [id, scales]));
  return (id) => {
    const scales = scalesById.get(id) ?? none;
    return scalesById.get(id)?.length === 0 ? null : scales;
  };
}

/** A varying observation is unchanged where it had the value before. */
export const isAlike = (some: readonly Json[], others: readonly Json[], scales: Scales): boolean =>
  some.some((one) => others.some((other) => isSame(one, other, scales)));

function isSame(one: Json, other: Json, scales: Scales): boolean {
  if (isShape(one) && isShape(other)) return isSameShape(one, other);
  if (scales.length > 0 && (Array.isArray(one) || Array.isArray(other)))
    return isSameSet(asList(one), asList(other), scales);
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].every((name) => {
      const here = one[name];
      const there = other[name];
      return here !== undefined && there !== undefined && isSame(here, there, scales);
    });
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
  const placeOf = (value: Json): number => scale.findIndex((word) => word === value);
  const here = placeOf(one);
  const there = placeOf(other);
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
    .replace(/\(.*/, "")
    .split("|")
    .map((kind) => coarse[kind] ?? kind)
    .filter((kind) => kind !== "null");

/** Which of several types a place holds is chance, null above all; so is what lies in an object of one shape only. */
function isSameShape(one: Shape, other: Shape): boolean {
  const hasParent = (shape: Shape, at: string): boolean => {
    const end = at.lastIndexOf("/");
    return end <= 0 || at.slice(0, end) in shape;
  };
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((at) => {
    const here = one[at];
    const there = other[at];
    if (here === undefined || there === undefined) return !hasParent(here === undefined ? one : other, at);
    const some = kindsIn(here);
    const others = kindsIn(there);
    return some.length === 0 || others.length === 0 || some.some((kind) => others.includes(kind));
  });
}

/** Only cases in both runs are compared. */
function changedAnswers(base: Run, head: Run, id: string, scales: Scales): readonly ChangedAnswer[] {
  const before = answersIn(base, id);
  return [...answersIn(head, id)].flatMap(([name, now]) => {
    const then = before.get(name);
    return then && !isAlike(then, now, scales) ? [{ case: name, was: then, is: now }] : [];
  });
}

/** @param all every run that is compared, to find when a change was first seen */
export function driftsBetween(base: Run, head: Run, all: readonly Run[], register: Register): readonly Drift[] {
  const scalesOf = scalesIn(register);
  return head.observations.flatMap(({ id, question, clause }): Drift[] => {
    const scales = scalesOf(id);
    const cases = scales ? changedAnswers(base, head, id, scales) : [];
    return cases.length === 0 ? [] : [{ id, question, clause, cases, firstSeen: firstSeenOf(id, cases, head, all) }];
  });
}

function firstSeenOf(id: string, cases: readonly ChangedAnswer[], head: Run, all: readonly Run[]): Drift["firstSeen"] {
  const saw = (run: Run): boolean => {
    const answers = answersIn(run, id);
    return cases.some((one) => isAlike(answers.get(one.case) ?? [], one.is, none));
  };
  const first = all
    .filter((run) => run.target.name === head.target.name && saw(run))
    .reduce((one, other) => (Date.parse(other.startedAt) < Date.parse(one.startedAt) ? other : one), head);
  return { run: all.indexOf(first), at: first.startedAt };
}

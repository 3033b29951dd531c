// Changes of shape in answers to the same requests: members that appeared, vanished or changed type.
import { createHash } from "node:crypto";
import { type Json, plainValueIn, pointerFromPath, stepsOf } from "../../harness/core/json.ts";
import { nameClass } from "../../harness/model/fingerprint.ts";
import type { Run } from "../../harness/record/run.ts";
import type { ShapeChange } from "./comparison.ts";
import { type AnsweredRecord, answeredInBoth, type BothAnswers } from "./questions.ts";
import { chanceOfAll } from "./statistics.ts";

/** Limits on what is compared of an answer. */
const deepest = 16;
const mostPlaces = 2_000;

/** What occurs by chance more often than this isn't reported. */
const chance = 0.001;
/** Fewer answers, or fewer distinct items of lists, show nothing: members may be optional. */
const fewestAnswers = 2;
const fewestItems = 3;

/** How often something was seen. */
interface Sightings {
  /** Distinct requests, or distinct items of lists. */
  readonly units: Set<string>;
  /** Answers or items, equal ones included. */
  count: number;
}

interface Place {
  /** As an object, which could have members. */
  readonly asObject: Sightings;
  readonly types: Map<string, Sightings>;
}

const unseen = (): Sightings => ({ units: new Set(), count: 0 });
function note(sightings: Sightings, unit: string): Sightings {
  sightings.units.add(unit);
  sightings.count += 1;
  return sightings;
}

const typeOf = (value: Json | undefined): string =>
  value === undefined ? "no JSON" : value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

/** Items and members named by ids are many of a kind; all else occurs once in each answer. */
const isOfMany = (path: readonly string[]): boolean => path.some((step) => step === "*" || /^<\w+>$/.test(step));
const digestOf = (value: Json): string => createHash("sha1").update(JSON.stringify(value)).digest("base64");

export class Shapes {
  readonly places = new Map<string, Place>();

  add({ stimulus: digest, answer }: AnsweredRecord): void {
    if (answer.cutAt_chars !== null) return;
    this.#addValue(plainValueIn(answer.body), [], digest, digest);
  }

  #addValue(value: Json | undefined, path: readonly string[], unit: string, digest: string): void {
    const name = pointerFromPath([...path]);
    if (path.length > deepest || (!this.places.has(name) && this.places.size >= mostPlaces)) return;
    const place = this.places.get(name) ?? { asObject: unseen(), types: new Map<string, Sightings>() };
    this.places.set(name, place);
    place.types.set(typeOf(value), note(place.types.get(typeOf(value)) ?? unseen(), unit));
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value as readonly Json[]) this.#addValue(item, [...path, "*"], digestOf(item), digest);
      return;
    }
    const own = isOfMany(path) ? digestOf(value) : digest;
    note(place.asObject, own);
    for (const [member, inner] of Object.entries(value))
      this.#addValue(inner, [...path, nameClass(member)], own, digest);
  }

  #at(path: readonly string[]): Place | undefined {
    return this.places.get(pointerFromPath([...path]));
  }

  /** How many of those that could have a member have it. */
  has(path: readonly string[]): Tally {
    return tallyOf(this.#allAt(path), this.#at(path.slice(0, -1))?.asObject ?? unseen());
  }

  /** How many of those that have it have it with one type. */
  hasAs(path: readonly string[], type: string): Tally {
    return tallyOf(this.#at(path)?.types.get(type) ?? unseen(), this.#allAt(path));
  }

  /** Of any type. */
  #allAt(path: readonly string[]): Sightings {
    const all = [...(this.#at(path)?.types.values() ?? [])];
    const units = new Set(all.flatMap((one) => [...one.units]));
    return { units, count: all.reduce((total, { count }) => total + count, 0) };
  }

  typesAt(path: readonly string[]): readonly string[] {
    return [...(this.#at(path)?.types.keys() ?? [])].sort();
  }
}

const tallyOf = (some: Sightings, all: Sightings) => ({
  seen: { have: some.units.size, of: all.units.size },
  /** Answers or items, equal ones included. */
  haveAtAll: some.count,
  ofAtAll: all.count,
});
type Tally = ReturnType<typeof tallyOf>;

/** All of the one and none of the other; or some and none, where that is hardly chance. */
function isChanged(path: readonly string[], was: Tally, is: Tally): boolean {
  const [some, none] = was.seen.have > 0 ? [was, is] : [is, was];
  if (none.seen.have > 0) return false;
  // Items differ by their own shape, members by what they belong to.
  const isMany = isOfMany(path.at(-1) === "*" ? path : path.slice(0, -1));
  const isEnough = isMany
    ? Math.min(was.seen.of, is.seen.of) >= fewestItems
    : Math.min(was.ofAtAll, is.ofAtAll) >= fewestAnswers;
  return (
    (isEnough && some.haveAtAll === some.ofAtAll) || chanceOfAll(some.seen.have, some.seen.of, none.seen.of) < chance
  );
}

type Found = Pick<ShapeChange, "at" | "change" | "was" | "is" | "seen">;

function changesIn(both: readonly BothAnswers[]): readonly Found[] {
  const before = new Shapes();
  const after = new Shapes();
  for (const { was, is } of both) {
    for (const answer of was) before.add(answer);
    for (const answer of is) after.add(answer);
  }
  return [...new Set([...before.places.keys(), ...after.places.keys()])]
    .sort()
    .flatMap((at): Found[] => changeAt(at, before, after));
}

function changeAt(at: string, before: Shapes, after: Shapes): Found[] {
  const path = stepsOf(at);
  const was = before.typesAt(path);
  const is = after.typesAt(path);
  const isMember = path.at(-1) !== "*";
  const had = before.has(path);
  const has = after.has(path);
  if (isMember && isChanged(path, had, has))
    return [{ at, change: was.length === 0 ? "appeared" : "vanished", was, is, seen: { was: had.seen, is: has.seen } }];
  for (const type of new Set([...was, ...is])) {
    const some = before.hasAs(path, type);
    const others = after.hasAs(path, type);
    if (isChanged(path, some, others))
      return [{ at, change: "other type", was, is, seen: { was: some.seen, is: others.seen } }];
  }
  return [];
}

const outcomes = ["served", "refused"] as const;

/** Operation by operation, status by status; without answers that the journal cut. */
export function shapeChangesBetween(base: Run, head: Run): readonly ShapeChange[] {
  return outcomes.flatMap((outcome) => {
    const groups = answeredInBoth(
      base,
      head,
      (answer) => answer.outcome === outcome,
      ({ operation, answer }) => `${operation} ${answer.status}`,
    );
    return [...groups.values()].flatMap((both): ShapeChange[] => {
      const [{ is }] = both;
      const [{ operation, answer }] = is;
      return changesIn(both).map((found) => ({ operation, status: answer.status, outcome, ...found }));
    });
  });
}

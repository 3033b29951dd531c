// What changed over nights: unspecified behaviours case by case, shapes of answers place by place
import type { Interface } from "../../harness/core/interface.ts";
import { canonical, type Json } from "../../harness/core/json.ts";
import { isAlike, scalesIn } from "../compare/observations.ts";
import { type Night, opened } from "./night.ts";
import type { GroupShape } from "./nightShapes.ts";

/** Values that are new. Nights by their place among those of a history. */
interface Change<Value extends Json = Json> {
  readonly was: readonly Value[];
  readonly is: readonly Value[];
  /** The first with the new value. */
  readonly night: number;
  /** The first on which the old value was there again: it varies. Null where it wasn't. */
  back: number | null;
}

/** One case of an unspecified behaviour. */
export interface BehaviourChange extends Change {
  readonly id: string;
  readonly case: string;
}

/** A member or header that appeared in, vanished from, or changed its type in the answers of a night. */
export interface PlaceChange extends Change<string> {
  readonly group: Pick<GroupShape, "operation" | "status" | "outcome">;
  /** A JSON pointer, or `header: …`. */
  readonly at: string;
}

export interface Changes {
  readonly behaviours: readonly BehaviourChange[];
  readonly shapes: readonly PlaceChange[];
}

type IsAlike<Value extends Json> = (some: readonly Value[], others: readonly Value[]) => boolean;

/** Values night after night: what is like none of the recent ones is a change. */
class Values<Of extends object, Value extends Json> {
  readonly changes: (Of & Change<Value>)[] = [];
  readonly #of: Of;
  readonly #isAlike: IsAlike<Value>;
  /** How many nights a value is remembered. */
  readonly #recent: number;
  #last: readonly Value[] | null = null;
  #seen = new Map<string, { readonly values: readonly Value[]; readonly until: number }>();

  constructor(of: Of, recent: number, isAlikeTo: IsAlike<Value>) {
    this.#of = of;
    this.#recent = recent;
    this.#isAlike = isAlikeTo;
  }

  /** Nights that are like the one before needn't be added. */
  add(night: number, is: readonly Value[]): void {
    const was = this.#last;
    if (was !== null) this.#seen.set(canonical(was), { values: was, until: night - 1 });
    this.#last = is;
    if (was === null || this.#isAlike(was, is)) return;
    const isRecent = (then: number): boolean => night - then <= this.#recent;
    const isKnown = [...this.#seen.values()].some(({ values, until }) => isRecent(until) && this.#isAlike(values, is));
    if (isKnown) for (const change of this.changes) change.back ??= isRecent(change.night) ? night : null;
    else this.changes.push({ ...this.#of, was, is, night, back: null });
  }
}

type Place = Values<Pick<PlaceChange, "group" | "at">, string>;

/** How many nights values and shapes are remembered: a member that was optional long ago may be missed today. */
const recent = { values: 30, shapes: 7 } as const;

/** Fewer answers say nothing of a shape: members are optional. */
const fewestAnswers = 3;

/** Of a place that answers could have and don't. */
export const absent = "";
const typesIn = (types: string): readonly string[] => types.replace(/\?$/, "").split("|");

/** Where the interface lets a member be null or absent, only all or nothing counts. */
function areAlikeTypes([was = absent]: readonly string[], [is = absent]: readonly string[]): boolean {
  if (was === absent || is === absent) return was === is || was.endsWith("?") || is.endsWith("?");
  const [some, others] = [typesIn(was), typesIn(is)];
  return some.some((type) => type === "null" || others.includes(type)) || others.includes("null");
}

/** Headers lie beside the body, which every answer has. */
const parentOf = (at: string): string =>
  at.startsWith("header: ") ? "" : at.slice(0, Math.max(0, at.lastIndexOf("/")));

/** The types of a shape by place, those that it could have and hasn't included. */
function typesOf({ places }: GroupShape, known: Iterable<string>): readonly (readonly [at: string, types: string])[] {
  // A header has no type.
  const named = Object.entries(places).map(
    ([at, types]) => [at, at.startsWith("header: ") ? `there${types}` : types] as const,
  );
  const missing = [...known].filter((at) => !(at in places) && parentOf(at) in places);
  return [...named, ...missing.map((at) => [at, absent] as const)];
}

function entryOf<Value>(all: Map<string, Value>, name: string, make: () => Value): Value {
  const value = all.get(name) ?? make();
  all.set(name, value);
  return value;
}

const inOrder = <Of extends object, Value extends Json>(all: Iterable<Values<Of, Value>>) =>
  [...all].flatMap(({ changes }) => changes).sort((a, b) => a.night - b.night);

/** @param nights in their order */
export function changesIn(nights: readonly Night[], register: Pick<Interface, "unspecified">): Changes {
  const behaviours = new Map<string, Values<Pick<BehaviourChange, "id" | "case">, Json>>();
  const groups = new Map<string, Map<string, Place>>();
  const texts = new Map<string, string>();
  /** Most nights are like the one before, which needs no further look. */
  const isNew = (name: string, value: unknown): boolean => {
    const [text, last] = [JSON.stringify(value), texts.get(name)];
    texts.set(name, text);
    return text !== last;
  };
  const scalesOf = scalesIn(register);
  for (const [night, one] of nights.entries()) {
    const packed = opened(one);
    for (const [id, cases] of Object.entries(packed.behaviours)) {
      const scales = scalesOf(id);
      if (scales === null || !isNew(id, cases)) continue;
      const isSame: IsAlike<Json> = (some, others) => isAlike(some, others, scales);
      for (const [name, values] of Object.entries(cases))
        entryOf(behaviours, `${id} ${name}`, () => new Values({ id, case: name }, recent.values, isSame)).add(
          night,
          values,
        );
    }
    for (const shape of packed.shapes) {
      const { operation, status, outcome, answers, places } = shape;
      const name = `${operation} ${status} ${outcome}`;
      if (answers < fewestAnswers || !isNew(name, places)) continue;
      const group = { operation, status, outcome };
      const known = entryOf(groups, name, () => new Map<string, Place>());
      const before = new Set(known.keys());
      for (const [place, types] of typesOf(shape, before)) {
        const make = (): Place => {
          const values: Place = new Values({ group, at: place }, recent.shapes, areAlikeTypes);
          // Not where its parent is new, too.
          if (before.has(parentOf(place))) values.add(night - 1, [absent]);
          return values;
        };
        entryOf(known, place, make).add(night, [types]);
      }
    }
  }
  return {
    behaviours: inOrder(behaviours.values()),
    shapes: inOrder([...groups.values()].flatMap((places) => [...places.values()])),
  };
}

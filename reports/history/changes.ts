// What changed over nights: unspecified behaviours case by case, shapes of answers place by place
import type { Interface } from "../../harness/core/interface.ts";
import { canonical, type Json } from "../../harness/core/json.ts";
import { isAlike, scalesIn } from "../compare/observations.ts";
import { type Night, opened } from "./night.ts";
import type { Found } from "./nightShapes.ts";

/** Values that are new. Nights by their place among those of a history. */
export interface HistoryChange {
  /** An unspecified behaviour's id, or `<operation> <status> <outcome>` of answers. */
  readonly what: string;
  /** A case of it, or a place: a JSON pointer, or `header: …`. */
  readonly where: string;
  readonly was: readonly Json[];
  readonly is: readonly Json[];
  /** The first with the new value. */
  readonly night: number;
  /** The first on which the old value was there again: it varies. Null where it wasn't. */
  back: number | null;
}

export interface HistoryChanges {
  readonly behaviours: readonly HistoryChange[];
  readonly shapes: readonly HistoryChange[];
}

/** Of an operation's answers; ids have no space. */
const isShape = (what: string): boolean => what.includes(" ");

/** How many nights values and shapes are remembered: a member that was optional long ago may be missed today. */
const recent = { values: 30, shapes: 7 } as const;

type IsAlike = (some: readonly Json[], others: readonly Json[]) => boolean;

/** Values night after night: what is like none of the recent ones is a change. */
class Values {
  readonly changes: HistoryChange[] = [];
  readonly #of: Pick<HistoryChange, "what" | "where">;
  readonly #isAlike: IsAlike;
  #last: readonly Json[] | null = null;
  #seen = new Map<string, { readonly values: readonly Json[]; readonly until: number }>();

  constructor(of: Pick<HistoryChange, "what" | "where">, isAlikeTo: IsAlike) {
    this.#of = of;
    this.#isAlike = isAlikeTo;
  }

  /** Nights that are like the one before needn't be added. */
  add(night: number, is: readonly Json[]): void {
    const was = this.#last;
    if (was !== null) this.#seen.set(canonical(was), { values: was, until: night - 1 });
    this.#last = is;
    if (was === null || this.#isAlike(was, is)) return;
    const remembered = isShape(this.#of.what) ? recent.shapes : recent.values;
    const isRecent = (then: number): boolean => night - then <= remembered;
    const isKnown = [...this.#seen.values()].some(({ values, until }) => isRecent(until) && this.#isAlike(values, is));
    if (isKnown) for (const change of this.changes) change.back ??= isRecent(change.night) ? night : null;
    else this.changes.push({ ...this.#of, was, is, night, back: null });
  }
}

/** Of a place that answers could have and don't. */
export const absentValue = "";

/** Of a place of a shape. */
export const typesIn = ([types]: readonly Json[]): readonly string[] =>
  typeof types === "string" && types !== absentValue ? types.replace(/\?$/, "").split("|") : [];

/** Where the interface lets a member be null or absent, only all or nothing counts. */
function areAlikeTypes(was: readonly Json[], is: readonly Json[]): boolean {
  const some = typesIn(was);
  const others = typesIn(is);
  if (some.length === 0 || others.length === 0)
    return some.length === others.length || /\?"/.test(JSON.stringify([was, is]));
  return some.some((type) => type === "null" || others.includes(type)) || others.includes("null");
}

/** Headers lie beside the body, which every answer has. */
const parentOf = (at: string): string =>
  at.startsWith("header: ") ? "" : at.slice(0, Math.max(0, at.lastIndexOf("/")));

/** @param nights in their order */
export function changesIn(nights: readonly Night[], register: Pick<Interface, "unspecified">): HistoryChanges {
  const found = new Map<string, Map<string, Values>>();
  const scalesOf = scalesIn(register);
  let before: ReadonlySet<string> = new Set();
  const add = (night: number, [what, cases]: Found): void => {
    const scales = scalesOf(what);
    if (scales === null) return;
    const known = found.get(what) ?? new Map<string, Values>();
    found.set(what, known);
    const places = new Set(isShape(what) ? known.keys() : []);
    const missing = [...places].filter((at) => !(at in cases) && parentOf(at) in cases);
    const isAlikeTo: IsAlike = isShape(what) ? areAlikeTypes : (some, others) => isAlike(some, others, scales);
    for (const [where, values] of [...Object.entries(cases), ...missing.map((at) => [at, [absentValue]] as const)]) {
      const of = known.get(where) ?? new Values({ what, where }, isAlikeTo);
      // Not where its parent is new, too.
      if (!known.has(where) && places.has(parentOf(where))) of.add(night - 1, [absentValue]);
      known.set(where, of);
      of.add(night, values);
    }
  };
  for (const [night, one] of nights.entries()) {
    const lines = opened(one);
    // Most are as on the night before, which needs no further look.
    for (const line of lines) if (!before.has(line)) add(night, JSON.parse(line) as Found); // By its format.
    before = new Set(lines);
  }
  const changes = [...found.values()].flatMap((cases) => [...cases.values()].flatMap((one) => one.changes));
  const [shapes = [], behaviours = []] = [true, false].map((of) =>
    changes.filter(({ what }) => isShape(what) === of).sort((a, b) => a.night - b.night),
  );
  return { behaviours, shapes };
}

// What changed over nights: unspecified behaviours case by case, shapes of answers place by place
import type { Interface } from "../../harness/core/interface.ts";
import { canonical, type Json } from "../../harness/core/json.ts";
import { isAlike, scalesIn } from "../compare/observations.ts";
import { type Night, opened } from "./night.ts";
import { absentValue, type Found, placeAround, shapedNamed, typesWritten } from "./nightShapes.ts";

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

/** How many nights values and shapes are remembered: a member that was optional long ago may be missed today. */
const recent = { values: 30, shapes: 7 } as const;

type IsAlike = (some: readonly Json[], others: readonly Json[]) => boolean;

/** Values night after night: one that differs from all recent ones is a change. */
class Values {
  readonly changes: HistoryChange[] = [];
  readonly #of: Pick<HistoryChange, "what" | "where">;
  readonly #isAlike: IsAlike;
  readonly #remembered: number;
  #last: readonly Json[] | null = null;
  #seen = new Map<string, { readonly values: readonly Json[]; readonly until: number }>();

  /** @param remembered nights */
  constructor(of: Pick<HistoryChange, "what" | "where">, isAlikeTo: IsAlike, remembered: number) {
    this.#of = of;
    this.#isAlike = isAlikeTo;
    this.#remembered = remembered;
  }

  /** Nights that are like the one before needn't be added. */
  add(night: number, is: readonly Json[]): void {
    const was = this.#last;
    if (was !== null) this.#seen.set(canonical(was), { values: was, until: night - 1 });
    this.#last = is;
    if (was === null || this.#isAlike(was, is)) return;
    const isRecent = (then: number): boolean => night - then <= this.#remembered;
    const isKnown = [...this.#seen.values()].some(({ values, until }) => isRecent(until) && this.#isAlike(values, is));
    if (isKnown) for (const change of this.changes) change.back ??= isRecent(change.night) ? night : null;
    else this.changes.push({ ...this.#of, was, is, night, back: null });
  }
}

/** Where the interface lets a member be null or absent, only all or nothing counts. */
function areAlikeTypes(was: readonly Json[], is: readonly Json[]): boolean {
  const before = typesWritten(was);
  const now = typesWritten(is);
  if (before.types.length === 0 || now.types.length === 0)
    return before.types.length === now.types.length || before.isOptional || now.isOptional;
  return before.types.some((type) => type === "null" || now.types.includes(type)) || now.types.includes("null");
}

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
    const isShape = shapedNamed(what) !== null;
    const places = new Set(isShape ? known.keys() : []);
    const missing = [...places].filter((at) => !(at in cases) && placeAround(at) in cases);
    const isAlikeTo: IsAlike = isShape ? areAlikeTypes : (some, others) => isAlike(some, others, scales);
    const remembered = isShape ? recent.shapes : recent.values;
    for (const [where, values] of [...Object.entries(cases), ...missing.map((at) => [at, [absentValue]] as const)]) {
      const of = known.get(where) ?? new Values({ what, where }, isAlikeTo, remembered);
      // Not where its parent is new, too.
      if (!known.has(where) && places.has(placeAround(where))) of.add(night - 1, [absentValue]);
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
    changes.filter(({ what }) => (shapedNamed(what) !== null) === of).sort((a, b) => a.night - b.night),
  );
  return { behaviours, shapes };
}

// How many checks and laws find a mutant, and how many find one that nothing else finds
import { type Detector, detectors, type Kind } from "./detectors.ts";
import type { On, Row } from "./tried.ts";

/** On one target. */
export interface Count {
  readonly found: number;
  readonly alone: number;
}

const countOn = (some: readonly Detector[], rows: readonly Row[]): Count => {
  const [found, alone] = [new Set(rows.flatMap((row) => row.found)), new Set(rows.flatMap((row) => row.alone))];
  const within = (names: ReadonlySet<string>): number => some.filter(({ name }) => names.has(name)).length;
  return { found: within(found), alone: within(alone) };
};

export const countsOf = (some: readonly Detector[], rows: readonly Row[], targets: readonly On[]): readonly Count[] =>
  targets.map((target) =>
    countOn(
      some,
      rows.filter(({ on }) => on === target),
    ),
  );

/** Targets on which each kind is tried. */
export const targetsOf: { readonly [K in Extract<Kind, "check" | "law">]: readonly On[] } = {
  check: ["control", "without control", "one key"],
  law: ["control", "without control", "one key", "traffic"],
};

/** Those that find no mutant on any target. */
export function idle(kind: Kind, rows: readonly Row[]): readonly Detector[] {
  const found = new Set(rows.flatMap((row) => row.found));
  return detectors.filter((one) => one.kind === kind && !found.has(one.name));
}

/** What only one detector finds, by its name: mutants with their target. */
export function aloneBy(rows: readonly Row[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { mutant, on, alone } of rows)
    for (const name of alone) found.set(name, [...(found.get(name) ?? []), `${mutant} (${on})`]);
  return found;
}

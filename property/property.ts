// How is a promise tried for generated input? A law over drawn values, as a check that the engine plans, pays for and paces.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { BudgetSpent } from "../harness/budget.ts";
import { type Bench, type Check, type Needs, type Shown, Withheld } from "../harness/check.ts";
import type { Drawn, Generates, Scale } from "../harness/generation.ts";
import type { Json } from "../harness/json.ts";
import type { Stimulus } from "../harness/stimulus.ts";
import type { Target } from "../harness/target.ts";
import type { Part } from "../specs/generated/operations.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { examples, type Kept, keptIn } from "./kept.ts";

/** Values are plain JSON, so that a case can be written down; what they stand for is made by the law. */
export type Arbitraries<Values> = { readonly [Name in keyof Values]: fc.Arbitrary<Values[Name]> };

/** Where cases are made of what the target gives; null where it doesn't give that. */
export type DrawnFrom<Values> = (target: Target) => fc.Arbitrary<Values> | null;

/**
 * Judges one case by what its own requests drew.
 * @throws Withheld or Inconclusive where it can't: neither is a counter-example
 */
export type Predicate<Values> = (values: Values, bench: Bench) => Promise<Shown>;

export interface Options extends Omit<Needs, "asks" | "generates"> {
  /** Of the property: one word, which replay lines name. */
  readonly name: string;
  readonly part: Part;
  /** What one case asks, at most. */
  readonly each: readonly Stimulus[];
  /** Where others than usual. */
  readonly cases?: Partial<Generates["cases"]>;
}

/** In this process a case takes about a millisecond for each request; on a port the pace decides. */
const usualCases: Generates["cases"] = { many: 200, some: 12, few: 5 };

/** Cases that are tried at most to make one that fails smaller. */
const shrinks: { readonly [S in Scale]: number } = { many: 1_000, some: 60, few: 15 };

/** What hides one case needn't hide the next; what hides so many in a row hides all. */
const mostHidden = 5;

/** What was kept of all properties, read once. */
const kept: readonly Kept[] = keptIn(examples);

export function property<Values extends object>(
  ids: RequirementId | readonly RequirementId[],
  arbitraries: Arbitraries<Values>,
  holds: Predicate<Values>,
  options: Options,
): Check {
  const arbitrary = fc.record<Values>({ ...arbitraries }, { noNullPrototype: true });
  return propertyFrom(ids, () => arbitrary, holds, options);
}

/** The same of cases that are made of the target's samples. */
export function propertyFrom<Values extends object>(
  ids: RequirementId | readonly RequirementId[],
  drawnFrom: DrawnFrom<Values>,
  holds: Predicate<Values>,
  options: Options,
): Check {
  const { name, part, each, cases = {}, unless, ...needs } = options;
  const generates: Generates = { property: name, cases: { ...usualCases, ...cases }, each };
  return {
    ids: typeof ids === "string" ? [ids] : ids,
    shows: [],
    part,
    needs: { ...needs, asks: [], generates, unless: (target) => unless?.(target) ?? (drawnFrom(target) ? null : lacking) },
    optional: true,
    first: false,
    last: false,
    run: async (bench) => {
      const arbitrary = drawnFrom(bench.target);
      if (!arbitrary) throw new Withheld(lacking);
      return tried(new Trial(holds, bench), arbitrary, generates);
    },
  };
}

const lacking = "the target doesn't give what cases are made of";

/** Each property has a seed of its own, so that one more of them doesn't change the cases of the others. */
const seedOf = (name: string, seed: number): number => createHash("sha256").update(`${seed} ${name}`).digest().readInt32BE(0);

async function tried<Values extends object>(trial: Trial<Values>, arbitrary: fc.Arbitrary<Values>, generates: Generates): Promise<readonly Shown[]> {
  const { property: name, cases } = generates;
  const { seed: runSeed, scale, replay } = trial.bench.generation;
  const seed = seedOf(name, runSeed);
  const law = fc.asyncProperty(arbitrary, (values) => trial.judge(values));
  const drawn = (path: string, isMinimal: boolean): Omit<Drawn, "values"> => ({ property: name, seed: runSeed, path, isMinimal });
  for (const { file, values } of kept.filter((one) => one.property === name && (!replay || replay.path === `kept:${one.file}`))) {
    if (!(await trial.holdsFor(values as Values))) return trial.shown(drawn(`kept:${file}`, true));
  }
  if (replay) {
    if (replay.path.startsWith("kept:")) return trial.shown(null);
    const once = fc.asyncProperty(arbitrary, (values) => trial.judgeFirst(values));
    await fc.check(once, { seed, path: replay.path, numRuns: 1, endOnFailure: true });
    return trial.shown(drawn(replay.path, true));
  }
  const { counterexamplePath } = await fc.check(law, { seed, numRuns: cases[scale] });
  return trial.shown(counterexamplePath === null ? null : drawn(counterexamplePath, trial.isMinimal));
}

/** One run of one property: what its cases showed, and why it ended early. */
class Trial<Values extends object> {
  readonly bench: Bench;
  readonly #holds: Predicate<Values>;
  #last: Shown | null = null;
  #failing: { readonly shown: Shown; readonly values: Values } | null = null;
  #ended: Error | null = null;
  #hidden: Withheld | null = null;
  #hiddenInARow = 0;
  #shrinks = 0;

  constructor(holds: Predicate<Values>, bench: Bench) {
    this.#holds = holds;
    this.bench = bench;
  }

  /** Whether the search for a smaller case came to its end. */
  get isMinimal(): boolean {
    return this.#ended === null;
  }

  /** For fast-check: false is a counter-example. Once it has ended nothing is asked any more. */
  async judge(values: Values): Promise<boolean> {
    if (this.#ended !== null) return true;
    if (this.#failing && this.#shrinks >= shrinks[this.bench.generation.scale]) this.#ended = new BudgetSpent("enough smaller cases were tried");
    if (this.#failing) this.#shrinks += 1;
    return this.#ended !== null || this.holdsFor(values);
  }

  /** For a replay: fast-check goes on to the neighbours of a case that holds, of which nothing is asked. */
  async judgeFirst(values: Values): Promise<boolean> {
    return this.#isJudged || this.holdsFor(values);
  }

  get #isJudged(): boolean {
    return this.#last !== null || this.#failing !== null || this.#hidden !== null || this.#ended !== null;
  }

  async holdsFor(values: Values): Promise<boolean> {
    try {
      const shown = await this.#holds(values, this.bench);
      this.#hiddenInARow = 0;
      if (shown.finding.outcome === "held") this.#last = shown;
      else this.#failing = { shown, values };
      return shown.finding.outcome === "held";
    } catch (error) {
      this.#note(error);
      return true;
    }
  }

  /** A smaller case that can't be judged isn't the smallest that fails; only want of money ends the search for that. */
  #note(error: unknown): void {
    if (error instanceof Withheld) {
      this.#hidden = error;
      this.#hiddenInARow += 1;
      if (this.#hiddenInARow < mostHidden) return;
    }
    if (!this.#failing || error instanceof BudgetSpent) this.#ended = error instanceof Error ? error : new Error(String(error));
  }

  /**
   * @param drawn how the failing case is drawn again, where one failed
   * @throws what ended the trial or hid all cases, unless some were judged before they were hidden or the budget was spent
   */
  shown(drawn: Omit<Drawn, "values"> | null): readonly Shown[] {
    if (this.#failing && drawn) {
      const { shown, values } = this.#failing;
      return shown.finding.outcome === "broken" ? [{ ...shown, finding: { ...shown.finding, drawn: { ...drawn, values: values as unknown as Json } } }] : [shown];
    }
    if (this.#last && (this.#ended === null || this.#ended instanceof BudgetSpent || this.#ended instanceof Withheld)) return [this.#last];
    const why = this.#ended ?? this.#hidden;
    if (why !== null) throw why;
    return [];
  }
}

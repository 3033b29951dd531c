// Trials of one property in one run: generated from a seed, shrunk where one fails, or replayed
import { createHash } from "node:crypto";
import fc from "fast-check";
import type { Counterexample, Generates, Scale } from "../harness/core/generation.ts";
import type { Json } from "../harness/core/json.ts";
import { BudgetSpent, Withheld } from "../harness/core/outcomes.ts";
import type { CheckContext, Shown } from "../harness/model/check.ts";
import { examples, regressionsIn } from "./regressions.ts";

/** The finding of one case, and the case as it is saved. */
export interface JudgedCase {
  readonly shown: Shown;
  readonly values: Json;
}

/** How cases of one kind are generated, judged and saved. */
export interface CaseSource<Case> {
  /** @param ran for a replay, which commands of the sequence ran */
  generate(ran: string | null): fc.Arbitrary<Case>;
  /** What a replay path needs besides numbers; null where that is nothing. */
  ranIn(generated: Case): string | null;
  restored(values: Json): Case;
  /** @throws Withheld or Inconclusive where it can't be judged, which isn't a counterexample */
  judge(generated: Case, context: CheckContext): Promise<JudgedCase>;
}

/** Cases tried to shrink a counterexample, at most. */
const shrinks: { readonly [S in Scale]: number } = { many: 1_000, some: 60, few: 15 };

/** So many withheld cases in a row withhold all further ones. */
const mostWithheld = 5;

const regressions = regressionsIn(examples);

/** Each property has its own seed, so that a new property doesn't change the cases of others. */
const seedOf = (name: string, seed: number): number =>
  createHash("sha256").update(`${seed} ${name}`).digest().readInt32BE(0);

/** @throws what ended the trial, unless some cases were judged before they were withheld or the budget was spent */
export async function tryProperty<Case>(
  source: CaseSource<Case>,
  { property: name, cases }: Generates,
  context: CheckContext,
): Promise<readonly Shown[]> {
  const { seed: runSeed, scale, replay, shrinks: isSmallWanted = true } = context.generation;
  const seed = seedOf(name, runSeed);
  const trial = new Trial(source, context);
  const counterexampleAt = (path: string, isMinimal: boolean) => ({ property: name, seed: runSeed, path, isMinimal });
  for (const { file, property, values } of regressions) {
    const isWanted = property === name && (!replay || ("regression" in replay && replay.regression === file));
    if (isWanted && !(await trial.holdsFor(source.restored(values))))
      return trial.shown(counterexampleAt(`regression:${file}`, true));
  }
  if (replay) {
    if ("regression" in replay) return trial.shown(null);
    const { path, ran } = replay;
    for (const generated of fc.sample(source.generate(ran), { seed, path, numRuns: 1 }))
      await trial.holdsFor(generated);
    return trial.shown(counterexampleAt(casePath(path, ran), true));
  }
  const law = fc.asyncProperty(source.generate(null), (one) => trial.judge(one));
  const options = { seed, numRuns: cases[scale], endOnFailure: !isSmallWanted };
  const { counterexamplePath: path, counterexample } = await fc.check(law, options);
  if (path === null) return trial.shown(null);
  const at = casePath(path, source.ranIn(counterexample[0]));
  return trial.shown(counterexampleAt(at, isSmallWanted && trial.isMinimal));
}

const casePath = (path: string, ran: string | null): string => (ran === null ? path : `${path}@${ran}`);

/** One run of one property: the findings of its cases, and why it ended early. */
class Trial<Case> {
  readonly #context: CheckContext;
  readonly #source: CaseSource<Case>;
  #last: Shown | null = null;
  #failing: JudgedCase | null = null;
  #ended: Error | null = null;
  #withheld: Withheld | null = null;
  #withheldInARow = 0;
  #shrinks = 0;

  constructor(source: CaseSource<Case>, context: CheckContext) {
    this.#source = source;
    this.#context = context;
  }

  get isMinimal(): boolean {
    return this.#ended === null;
  }

  /** For fast-check: false is a counterexample. An ended trial sends no further requests. */
  async judge(generated: Case): Promise<boolean> {
    if (this.#ended !== null) return true;
    if (this.#failing && this.#shrinks >= shrinks[this.#context.generation.scale])
      this.#ended = new BudgetSpent({ kind: "shrunkEnough", detail: "enough smaller cases were tried" });
    if (this.#failing) this.#shrinks += 1;
    return this.#ended !== null || this.holdsFor(generated);
  }

  async holdsFor(generated: Case): Promise<boolean> {
    try {
      const judged = await this.#source.judge(generated, this.#context);
      this.#withheldInARow = 0;
      if (judged.shown.finding.outcome === "held") {
        this.#last = judged.shown;
        return true;
      }
      this.#failing = judged;
      return false;
    } catch (error) {
      this.#note(error);
      return true;
    }
  }

  /** While shrinking, cases that can't be judged are skipped; only a spent budget ends it. */
  #note(error: unknown): void {
    if (error instanceof Withheld) {
      this.#withheld = error;
      this.#withheldInARow += 1;
      if (this.#withheldInARow < mostWithheld) return;
    }
    if (!this.#failing || error instanceof BudgetSpent)
      this.#ended = error instanceof Error ? error : new Error(String(error));
  }

  /**
   * @param counterexample how a failing case is generated again
   * @throws what ended the trial, unless some cases were judged before they were withheld or the budget was spent
   */
  shown(counterexample: Omit<Counterexample, "values"> | null): readonly Shown[] {
    if (this.#failing && counterexample) {
      const { shown, values } = this.#failing;
      return shown.finding.outcome === "broken"
        ? [{ ...shown, finding: { ...shown.finding, counterexample: { ...counterexample, values } } }]
        : [shown];
    }
    if (this.#last && (this.#ended === null || this.#ended instanceof BudgetSpent || this.#ended instanceof Withheld))
      return [this.#last];
    const why = this.#ended ?? this.#withheld;
    if (why !== null) throw why;
    return [];
  }
}

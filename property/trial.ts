// What do the cases of one property show in one run? Drawn from a seed, made smaller where one fails, or drawn again by their path.
import { createHash } from "node:crypto";
import fc from "fast-check";
import type { Counterexample, Generates, Scale } from "../harness/core/generation.ts";
import type { Json } from "../harness/core/json.ts";
import { type CheckContext, type Shown, Withheld } from "../harness/model/check.ts";
import { BudgetSpent } from "../harness/target/budget.ts";
import { examples, type Regression, regressionsIn } from "./regressions.ts";

/** What one case showed, and the case as it is written down. */
export interface Judged {
  readonly shown: Shown;
  readonly values: Json;
}

/** How cases of one kind are drawn, judged and written down. */
export interface Source<Case> {
  /** @param ran which commands of a sequence ran, where one is drawn again */
  draw(ran: string | null): fc.Arbitrary<Case>;
  /** What a path needs besides numbers to draw this case again; empty where that is nothing. */
  ranIn(one: Case): string;
  /** A case that was kept. */
  restored(values: Json): Case;
  /** @throws Withheld or Inconclusive where it can't be judged: neither is a counter-example */
  judge(one: Case, context: CheckContext): Promise<Judged>;
}

/** Cases that are tried at most to make one that fails smaller. */
const shrinks: { readonly [S in Scale]: number } = { many: 1_000, some: 60, few: 15 };

/** What hides one case needn't hide the next; what hides so many in a row hides all. */
const mostHidden = 5;

/** What was kept of all properties, read once. */
const regressions: readonly Regression[] = regressionsIn(examples);

/** Each property has a seed of its own, so that one more of them doesn't change the cases of the others. */
const seedOf = (name: string, seed: number): number =>
  createHash("sha256").update(`${seed} ${name}`).digest().readInt32BE(0);

/** @throws what ended the trial or hid all cases, unless some were judged before they were hidden or the budget was spent */
export async function tried<Case>(
  source: Source<Case>,
  { property: name, cases }: Generates,
  context: CheckContext,
): Promise<readonly Shown[]> {
  const { seed: runSeed, scale, replay, shrinks: isSmallWanted = true } = context.generation;
  const seed = seedOf(name, runSeed);
  const trial = new Trial(source, context);
  const counterexampleAt = (path: string, isMinimal: boolean): Omit<Counterexample, "values"> => ({
    property: name,
    seed: runSeed,
    path,
    isMinimal,
  });
  for (const { file, values } of regressions.filter(
    (one) => one.property === name && (!replay || replay.path === `regression:${one.file}`),
  )) {
    if (!(await trial.holdsFor(source.restored(values))))
      return trial.shown(counterexampleAt(`regression:${file}`, true));
  }
  if (replay) {
    if (replay.path.startsWith("regression:")) return trial.shown(null);
    const [path = "", ran = null] = replay.path.split("@");
    const once = fc.asyncProperty(source.draw(ran), (one) => trial.judgeFirst(one));
    await fc.check(once, { seed, path, numRuns: 1, endOnFailure: true });
    return trial.shown(counterexampleAt(replay.path, true));
  }
  const law = fc.asyncProperty(source.draw(null), (one) => trial.judge(one));
  const { counterexamplePath, counterexample } = await fc.check(law, {
    seed,
    numRuns: cases[scale],
    endOnFailure: !isSmallWanted,
  });
  if (counterexamplePath === null) return trial.shown(null);
  const ran = source.ranIn(counterexample[0]);
  return trial.shown(
    counterexampleAt(
      ran === "" ? counterexamplePath : `${counterexamplePath}@${ran}`,
      isSmallWanted && trial.isMinimal,
    ),
  );
}

/** One run of one property: what its cases showed, and why it ended early. */
class Trial<Case> {
  readonly #context: CheckContext;
  readonly #source: Source<Case>;
  #last: Shown | null = null;
  #failing: Judged | null = null;
  #ended: Error | null = null;
  #hidden: Withheld | null = null;
  #hiddenInARow = 0;
  #shrinks = 0;

  constructor(source: Source<Case>, context: CheckContext) {
    this.#source = source;
    this.#context = context;
  }

  /** Whether the search for a smaller case came to its end. */
  get isMinimal(): boolean {
    return this.#ended === null;
  }

  /** For fast-check: false is a counter-example. Once it has ended nothing is asked any more. */
  async judge(one: Case): Promise<boolean> {
    if (this.#ended !== null) return true;
    if (this.#failing && this.#shrinks >= shrinks[this.#context.generation.scale])
      this.#ended = new BudgetSpent("enough smaller cases were tried");
    if (this.#failing) this.#shrinks += 1;
    return this.#ended !== null || this.holdsFor(one);
  }

  /** For a replay: fast-check goes on to the neighbours of a case that holds, of which nothing is asked. */
  async judgeFirst(one: Case): Promise<boolean> {
    return this.#isJudged || this.holdsFor(one);
  }

  get #isJudged(): boolean {
    return this.#last !== null || this.#failing !== null || this.#hidden !== null || this.#ended !== null;
  }

  async holdsFor(one: Case): Promise<boolean> {
    try {
      const judged = await this.#source.judge(one, this.#context);
      this.#hiddenInARow = 0;
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

  /** A smaller case that can't be judged isn't the smallest that fails; only want of money ends the search for that. */
  #note(error: unknown): void {
    if (error instanceof Withheld) {
      this.#hidden = error;
      this.#hiddenInARow += 1;
      if (this.#hiddenInARow < mostHidden) return;
    }
    if (!this.#failing || error instanceof BudgetSpent)
      this.#ended = error instanceof Error ? error : new Error(String(error));
  }

  /**
   * @param drawn how the failing case is drawn again, where one failed
   * @throws what ended the trial or hid all cases, unless some were judged before they were hidden or the budget was spent
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
    const why = this.#ended ?? this.#hidden;
    if (why !== null) throw why;
    return [];
  }
}

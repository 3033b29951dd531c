// Accuracy of the verdicts on limits, counted by limiter
import type { ProofTable } from "../table.ts";
import type { Answers, LimiterQuestion } from "./judged.ts";
import { type Row, rows } from "./rows.ts";
import { randomFrom } from "./simulatedPlatform.ts";

/** Of all tables of limits, so that they can be made again. */
export const limiterSeed = 20;

/** Seeds of so many runs, as they follow from one. */
export const seedsFrom = (seed: number, runs: number): readonly number[] =>
  Array.from({ length: runs }, (_, nth) => (seed + nth * 7_919) % 2 ** 32);

/** One limiter, and how its runs were judged. */
export interface AnswerTally {
  readonly row: Row;
  runs: number;
  called: number;
  inconclusive: number;
  /** Runs judged neither rightly nor wrongly. */
  undecided: number;
  /** How often each question was answered with a breach. */
  readonly by: Map<LimiterQuestion, number>;
}

export interface LimiterRun {
  readonly tally: AnswerTally;
  readonly seed: number;
  /** The most that a request takes each way. */
  readonly jitter_ms: number;
}

/** The most that a request takes each way. */
export const mostJitter_ms = 80;

/** So many runs over all limiters in turn. */
export function runsOf(count: number) {
  const random = randomFrom(limiterSeed);
  const tallies = rows.map(
    (row): AnswerTally => ({ row, runs: 0, called: 0, inconclusive: 0, undecided: 0, by: new Map() }),
  );
  const runs = Array.from({ length: count }, (_, nth) => tallies[nth % tallies.length]).flatMap(
    (tally): readonly LimiterRun[] =>
      tally ? [{ tally, seed: Math.floor(random() * 2 ** 32), jitter_ms: random() * mostJitter_ms }] : [],
  );
  return { tallies, runs };
}

export const breachesIn = (answers: Answers): readonly LimiterQuestion[] =>
  [...answers].flatMap(([question, { is }]) => (is === "broken" ? [question] : []));

export function countAnswers(tally: AnswerTally, answers: Answers): void {
  const breaches = breachesIn(answers);
  tally.runs += 1;
  tally.called += breaches.length > 0 ? 1 : 0;
  tally.inconclusive += [...answers.values()].some(({ is }) => is === "inconclusive") ? 1 : 0;
  for (const question of breaches) tally.by.set(question, (tally.by.get(question) ?? 0) + 1);
}

/** Runs in which a right limiter was called broken, or a wrong one that can be detected wasn't. */
export const wronglyJudged = (tallies: readonly AnswerTally[]): number =>
  tallies.reduce(
    (total, { row, runs, called, undecided }) =>
      total + { right: called, wrong: runs - called - undecided, undetectable: 0 }[row.is],
    0,
  );

export const numberOrNone = (number: number): string => (number === 0 ? "none" : String(number));

export const accuracyTable = (title: string, summary: string, tallies: readonly AnswerTally[]): ProofTable => ({
  title,
  summary,
  columns: ["limiter", "is", "runs", "called broken", "inconclusive", "shown by (in how many runs, unless in all)"],
  rows: tallies.map((tally) => {
    const { row, runs } = tally;
    const shownBy = [...tally.by].map(([question, times]) => `${question}${times === runs ? "" : ` (${times})`}`);
    return [row.title, row.is, runs, tally.called, tally.inconclusive, shownBy.join(" · ") || "–"];
  }),
  wrong: tallies.flatMap((tally) => {
    const wrong = wronglyJudged([tally]);
    return wrong === 0 ? [] : [`The limiter "${tally.row.title}" is judged wrongly in ${wrong} of ${tally.runs} runs.`];
  }),
});

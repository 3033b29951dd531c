// What is told of known limiters, and its table
import type { ProofTable } from "../table.ts";
import { type LimiterKind, limiterKinds } from "./kinds.ts";
import { latencies_ms, statementOf } from "./recognition.ts";
import { limiterSeed, numberOrNone, seedsFrom } from "./tables.ts";

const questions = ["atOnce", "limit", "window"] as const;

/** What was told of one kind, over all runs. */
async function statementsOf({ title, make, is }: LimiterKind, seeds: readonly number[], latencies: readonly number[]) {
  const right = { atOnce: 0, limit: 0, window: 0 };
  const wrong = [] as string[];
  for (const latency_ms of latencies)
    for (const seed of seeds) {
      const stated = await statementOf(make, latency_ms, seed);
      for (const question of questions)
        if (stated[question] === is[question]) right[question] += 1;
        else if (stated[question] !== "can't be told") wrong.push(`${question}: ${stated[question]}`);
    }
  return { title, right, wrong };
}

/** @param runs of each kind at each latency */
export const limitStatements = (runs: number, { of = limiterKinds, at = latencies_ms, seed = 1 } = {}) =>
  Promise.all(of.map((kind) => statementsOf(kind, seedsFrom(seed, runs), at)));

const runsOfEach = 4;

export async function statementTable(
  runs = runsOfEach,
  { of = limiterKinds, at = latencies_ms } = {},
): Promise<ProofTable> {
  const rows = await limitStatements(runs, { of, at, seed: limiterSeed });
  const wrong = rows.flatMap((row) =>
    row.wrong.map((statement) => `Of the limiter "${row.title}" is told: ${statement}.`),
  );
  const counted = `${runs} runs at each of ${at.length} latencies from seed ${limiterSeed}`;
  return {
    title: "What is told of a limit",
    summary: `${counted}; ${numberOrNone(wrong.length)} told wrongly.`,
    columns: ["limiter", "at once", "in how long", "window", "told wrongly"],
    rows: rows.map(({ title, right, wrong: statements }) => [
      title,
      ...Object.values(right),
      statements.join(" · ") || "–",
    ]),
    wrong,
  };
}

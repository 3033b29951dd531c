// What is told of known limiters; run it to write the table into docs/rateLimitAccuracy.md
import { type Kind, kinds } from "./kinds.ts";
import { latencies_ms, statementOf } from "./recognition.ts";
import { accuracyDocument, seedOf, seedsFrom } from "./tables.ts";

const questions = ["atOnce", "limit", "window"] as const;

/** What was told of one kind, over all runs. */
async function statementsOf({ title, make, is }: Kind, seeds: readonly number[], latencies: readonly number[]) {
  const [right, wrong] = [{ atOnce: 0, limit: 0, window: 0 }, [] as string[]];
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
export const limitStatements = (runs: number, { of = kinds, at = latencies_ms, seed = 1 } = {}) =>
  Promise.all(of.map((kind) => statementsOf(kind, seedsFrom(seed, runs), at)));

if (process.argv[1] === import.meta.filename) {
  const [runs, seed] = [4, seedOf(["recognition", "kinds"])];
  const rows = await limitStatements(runs, { seed });
  const wrong = rows.flatMap((row) => row.wrong).length;
  accuracyDocument.publish({
    by: "proof/limiter/recognitionTable.ts",
    summary: `${runs} runs at each of ${latencies_ms.length} latencies from seed ${seed}; ${wrong} told wrongly.`,
    columns: ["limiter", "at once", "in how long", "window", "told wrongly"],
    rows: rows.map(({ title, right, wrong }) => [title, ...Object.values(right), wrong.join(" · ") || "–"]),
  });
}

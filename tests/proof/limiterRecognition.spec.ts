// Tests of what is told of known limiters: the truth, or that it can't be told
import { expect, test } from "@playwright/test";
import { k6Generator } from "../../load/k6/generator.ts";
import { slidingLog } from "../../load/rateLimits/limiterModels.ts";
import { limitInWords } from "../../load/rateLimits/limitSeen.ts";
import { limiterKinds } from "../../proof/limiter/kinds.ts";
import { realPlatform } from "../../proof/limiter/realPlatform.ts";
import { sentTo } from "../../proof/limiter/recognition.ts";
import { limitStatements, statementTable } from "../../proof/limiter/recognitionTable.ts";
import { k6 } from "../support/k6.ts";

/** Kinds of which a run tells all: windows that slide or are fixed, buckets, and no limit. */
const statedWholly = [
  "5, sliding log",
  "5, two weighted windows",
  "5, windows from the first request",
  "5, windows at set times",
  "bucket of 5, 5 per second",
  "leaky bucket as a meter, 5, 4 per second",
  "no limit",
];

/** @param least of the runs of each of those in which all is told */
async function expectTruth(runs: number, at: readonly number[], least: number): Promise<void> {
  const rows = await limitStatements(runs, { at, seed: 3 });
  expect(rows.map(({ title }) => title)).toEqual(limiterKinds.map(({ title }) => title));
  expect(rows.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  for (const { title, right } of rows)
    if (statedWholly.includes(title))
      for (const count of Object.values(right)) expect(count, title).toBeGreaterThanOrEqual(least);
}

test("of no kind of limiter anything else is told than the truth", () => expectTruth(1, [20], 1));

test("nor over other networks, again and again", { tag: "@slow" }, () => expectTruth(10, [0, 5, 20, 40, 80], 35));

test("what is told wrongly is counted as wrong", async () => {
  const [kind] = limiterKinds;
  const of = kind ? [{ ...kind, is: { atOnce: 5, limit: "6 in 1 s", window: undefined } as const }] : [];
  const [row] = await limitStatements(1, { of, at: [5] });
  expect(row).toEqual({
    title: kind?.title,
    right: { atOnce: 1, limit: 0, window: 0 },
    wrong: ["limit: 5 in 1 s", "window: slides"],
  });
  const table = await statementTable(1, { of, at: [5] });
  expect(table.summary).toMatch(/; 2 told wrongly\.$/);
  expect(table.wrong).toEqual([
    `Of the limiter "${kind?.title}" is told: limit: 5 in 1 s.`,
    `Of the limiter "${kind?.title}" is told: window: slides.`,
  ]);
});

test("over real sockets of a sliding log the truth is told, or nothing", { tag: "@slow" }, async () => {
  const generator = k6Generator(k6(), { redact: (text) => text });
  const platform = await realPlatform({ make: slidingLog(5), seed: 3, jitter_ms: 20 }, generator);
  const stated = limitInWords(await sentTo(platform));
  await platform.close();
  const unknown = "can't be told";
  expect(["5 in 1 s", unknown]).toContain(stated.limit);
  expect([5, unknown]).toContain(stated.atOnce);
  expect(["slides", unknown]).toContain(stated.window);
});

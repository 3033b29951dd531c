// Tests of the recognition of limiters: no wrong name, no second name, and the published table
import { expect, test } from "@playwright/test";
import { k6Generator } from "../../load/k6/generator.ts";
import { type Algorithm, limiterBehind, wordsOf } from "../../load/rateLimits/algorithms.ts";
import {
  blocking,
  bucket,
  fixed,
  fixedFromFirst,
  none,
  slidingLog,
  weighted,
} from "../../load/rateLimits/limiterModels.ts";
import type { Outcome, Sample } from "../../load/rateLimits/samples.ts";
import { kinds } from "../../proof/limiter/kinds.ts";
import { realPlatform } from "../../proof/limiter/realPlatform.ts";
import { recognised, samplesOf } from "../../proof/limiter/recognition.ts";
import {
  confusion,
  publishedRuns,
  script,
  seedOfRecognition,
  summaryFrom,
} from "../../proof/limiter/recognitionTable.ts";
import { accuracyDocument } from "../../proof/limiter/tables.ts";
import { k6 } from "../support/k6.ts";

const sole = {
  "sliding log": slidingLog(5),
  "windows from the first request": fixedFromFirst(5),
  "windows at set times": fixed(5),
  "two weighted windows": weighted(5),
  bucket: bucket(5, 5),
  "blocks once exceeded": blocking(5),
} as const satisfies { readonly [algorithm in Algorithm]?: unknown };

test("no kind of limiter is given a wrong name", async () => {
  const rows = await confusion(1, { at: [20], seed: 3 });
  expect(rows.map(({ kind: { title } }) => title)).toEqual(kinds.map(({ title }) => title));
  expect(rows.flatMap(({ kind: { title }, wrong }) => (wrong > 0 ? [title] : []))).toEqual([]);
  const recognisedKinds = rows.filter(({ named }) => named.some((count) => count > 0));
  expect(recognisedKinds.length).toBeGreaterThanOrEqual(12);
});

test("two runs of one limiter never give two names, and its own algorithm is never refuted", async () => {
  for (const [algorithm, make] of Object.entries(sole)) {
    const runs = [await recognised(make, 5, 11), await recognised(make, 40, 12), await recognised(make, 80, 13)];
    expect(new Set(runs.flatMap(({ named }) => named ?? [algorithm]))).toEqual(new Set([algorithm]));
    for (const { possible } of runs) expect(possible).toContain(algorithm);
  }
});

test("limit and window are measured where the algorithm is named", async () => {
  expect(wordsOf(await recognised(slidingLog(7, { length_ms: 1_500 }), 5, 1))).toEqual({
    limit: "7 in 1.5 s",
    algorithm: "sliding log",
  });
  expect(wordsOf(await recognised(bucket(10, 5), 5, 1))).toEqual({ limit: "10 in 2 s", algorithm: "bucket" });
});

test("nothing is named where nothing was refused", async () => {
  expect(wordsOf(await recognised(none, 5, 1))).toEqual({
    limit: "none: nothing was refused",
    algorithm: "none that we know",
  });
});

/** Five of 12 at once are served, and one of two a second later. */
const few = (outcomes: readonly Outcome[]): readonly Sample[] =>
  [...outcomes].map((outcome, nth) => ({
    sent_ms: 3_000 + 1_100 * Math.floor(nth / 12),
    received_ms: 3_010 + 1_100 * Math.floor(nth / 12),
    outcome,
  }));
const burst: readonly Outcome[] = Array.from({ length: 12 }, (_, nth) => (nth < 5 ? "served" : "refused"));

test("a burst or two fit several algorithms, which are all told", () => {
  const seen = limiterBehind([few(burst), few([...burst, ...burst])]);
  expect(seen.named).toBeNull();
  expect(seen.possible.length).toBeGreaterThan(3);
  expect(wordsOf(seen).algorithm).toMatch(/^can't be distinguished: .* \| /);
});

test("requests whose answers were lost may have been served, and refute nothing", () => {
  const [whole, lost] = [burst, burst.map((outcome) => (outcome === "served" ? "failed" : outcome))];
  const before = limiterBehind([few([...whole, ...whole])]).possible;
  expect(limiterBehind([few([...lost, ...whole])]).possible).toEqual(expect.arrayContaining([...before]));
});

test("the published table of names is newer than the last change of what they rest on, and has no wrong one", () => {
  const [, summary = ""] = accuracyDocument.tableBy(script).split("\n");
  expect(publishedRuns * kinds.length).toBeGreaterThanOrEqual(50);
  expect(summary, `run: node --import tsx ${script}`).toContain(summaryFrom(seedOfRecognition()));
  expect(summary).toContain("; no wrong names");
});

test("over real sockets a sliding log gets its name or none", { tag: "@slow" }, async () => {
  test.setTimeout(600_000);
  const generator = k6Generator(k6(), { redact: (text) => text });
  const platform = await realPlatform({ make: slidingLog(5), seed: 3, jitter_ms: 20 }, generator);
  const { named, possible } = limiterBehind(await samplesOf(platform));
  await platform.close();
  expect(possible).toContain("sliding log");
  expect([null, "sliding log"]).toContain(named);
});

// Tests of what reports say of a load: what was reached first, then by operation and over time
import { expect, test } from "@playwright/test";
import type { LoadReport, LoadStretch } from "../../harness/record/load.ts";
import type { Run } from "../../harness/record/run.ts";
import { verdictWord } from "../../reports/headline.ts";
import { loadHeadline, overTimeLines, reachedText } from "../../reports/load.ts";
import { noticesOf } from "../../reports/sentences.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { judged, made } from "../support/madeRuns.ts";

const totals = (broken = 0) => ({ totals: { broken } as Run["totals"] });

const phase = { name: "steady", seconds: 20, perSecond: 54, requests: 1_079, served: 1_076, limited: 3, failed: 0 };
const latency = { p50_ms: 1.2, p95_ms: 4.1, p99_ms: 9.8 };
const sent: Partial<LoadReport> = { phases: [{ ...phase, p95_ms: 4.1 }], latency, judged: 1_079 };
const reached = "54/s for 20 s · p95 4.1 ms · 3 of 1,079 rate-limited · 0 failed";

type Headline = readonly [title: string, load: Partial<LoadReport>, broken: number, exitCode: number, text: string];

const headlines: readonly Headline[] = [
  ["a sound load", sent, 0, 0, `Passed: ${reached} · nothing broken`],
  ["one that breaks requirements", sent, 2, 1, `Failed: 2 requirements broken · ${reached}`],
  [
    "one that exceeds a bound",
    { ...sent, bounds: [{ operation: "getTokenAccounts", bound_ms: 2, p95_ms: 4.1, isKept: false }] },
    0,
    1,
    `Failed: 1 bound exceeded · ${reached}`,
  ],
  [
    "one that was ended",
    { ...sent, doubt: "SIGINT ended the load after 20 s of 60" },
    0,
    3,
    `Inconclusive: SIGINT ended the load after 20 s of 60 · ${reached}`,
  ],
  [
    "one whose latency isn't the platform's",
    { phases: [{ ...phase, p95_ms: 4.1 }], judged: 0 },
    0,
    0,
    "Passed: 54/s for 20 s · 3 of 1,079 rate-limited · 0 failed · nothing judged",
  ],
  ["one that wasn't sent", { doubt: "no answer" }, 0, 3, "Inconclusive: no answer · no request was sent"],
];
for (const [title, load, broken, exitCode, text] of headlines)
  test(`the first line of ${title} says its verdict, why, and what was reached`, () => {
    expect(loadHeadline(totals(broken), madeLoad(load), verdictWord(exitCode))).toBe(text);
  });

test("a load of which answers were judged isn't said to have had none", () => {
  const doubt = "49 of 540 requests got no answer that can be judged";
  const load = madeLoad({ ...sent, doubt, judged: 491 });
  const run = made(0, { requirements: [judged("USG-HTTP-01", "inconclusive", { reason: doubt })], load });
  expect(noticesOf(run)).toEqual([]);
});

const stretch = (from_s: number, more: Partial<LoadStretch> = {}): LoadStretch => ({
  ...{ from_s, seconds: 1, due: 10, requests: 10, served: 10, limited: 0, failed: 0 },
  ...{ p50_ms: 1, p95_ms: 2, p99_ms: 3 },
  ...more,
});

test("the rate of a load that was ended isn't that of a part of a second", () => {
  const overTime = [stretch(0), stretch(1), stretch(2, { requests: 3, served: 3 })];
  const reason = { kind: "loadEnded", by: "SIGINT", after_s: 2, of_s: 60 } as const;
  const phases = [{ ...phase, seconds: 2, requests: 23, served: 23, limited: 0, p95_ms: 2 }];
  expect(reachedText(madeLoad({ phases, overTime, reason }))).toBe("10/s for 2 s · 0 of 23 rate-limited · 0 failed");
});

test("over time, what never occurred has no line, and a stretch without an answer no bar", () => {
  const overTime = [
    stretch(0),
    stretch(1, { requests: 5, served: 0, limited: 5, p50_ms: null, p95_ms: null, p99_ms: null }),
    stretch(2, { p95_ms: 16 }),
  ];
  expect(overTimeLines(madeLoad({ overTime }))).toEqual([
    "over time, a bar for 1 s:",
    "  rate         █▅█ 5/s to 10/s",
    "  p95          ▂ █ 2.0 ms to 16 ms",
    "  rate-limited ▁█▁ 0/s to 5/s",
  ]);
});

test("a load of an hour has at most sixty bars, which hide no spike", () => {
  const overTime = Array.from({ length: 120 }, (_, nth) =>
    stretch(nth * 30, { seconds: 30, requests: 300, ...(nth === 77 ? { p95_ms: 900 } : {}) }),
  );
  const [head, rate, p95] = overTimeLines(madeLoad({ overTime }));
  expect(head).toBe("over time, a bar for 60 s:");
  expect(rate).toBe(`  rate         ${"█".repeat(60)} 10/s`);
  expect(p95).toContain("2.0 ms to 900 ms");
});

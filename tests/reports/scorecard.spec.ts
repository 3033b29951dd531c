// Two vendors beside each other: who is better in what and by how much, and where nothing tells.
import { expect, test } from "@playwright/test";
import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import type { LoadReport } from "../../harness/record/load.ts";
import { latencySampleOf } from "../../reports/compare/quantileRatio.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { audited, type Comparison, exchanged, judged, made, type Run, sayCompared } from "../support/madeRuns.ts";

type Made = NonNullable<Parameters<typeof made>[1]>;
type Scorecard = NonNullable<Comparison["pairs"][number]["scorecard"]>;
type Aspect = Exclude<keyof Scorecard, "load">;

async function scored(was: Made, is: Made) {
  const runs = [made(0, { ...was, name: "acme" }), made(0, { ...is, name: "beta" })];
  const { code, stdout } = await sayCompared(runs);
  const json = await sayCompared(runs, "--json");
  if (json.stderr !== "") throw new Error(json.stderr);
  const { scorecard } = (JSON.parse(json.stdout) as Comparison).pairs[0] ?? {};
  if (!scorecard) throw new Error("there is no scorecard");
  const lines = stdout.split("\n");
  /** In the table, and in the sentence below. */
  const rowOf = (name: string): string => lines.find((line) => line.startsWith(`  ${name} `)) ?? "";
  const sentenceOf = (name: string): string =>
    lines.find((line) => new RegExp(`^ {2}(stated )?${name}: `).test(line)) ?? "";
  return { code, headline: lines[0], rowOf, sentenceOf, scorecard };
}

const rowsOf: { readonly [aspect in Aspect]: readonly string[] } = {
  conformance: ["conformance"],
  latency: ["p50", "p95"],
  limits: ["limits"],
  credits: ["credits"],
};

const [first, second, third] = ["USG-HTTP-01", "USG-FLD-01", "USG-FLD-02"] as const;
const broken = (...ids: readonly string[]): Run["requirements"] =>
  [first, second, third].map((id) => judged(id, ids.includes(id) ? "broken" : "holds"));

const answering = (latency_ms: number, operation = "getProjectUsage", count = 40): Run["exchanges"] =>
  Array.from({ length: count }, (_, nth) =>
    exchanged({ operation, stimulus: operation, latency_ms: latency_ms + nth / 40 }),
  );
const stating = (...headers: readonly string[]): Run["exchanges"] => [
  exchanged({
    headers: headers.map((header) => {
      const [name = "", value = ""] = header.split(": ");
      return [name, value] as const;
    }),
  }),
];
const isDeviating = judged(first, "deviates");
const isWarned = judged(first, "broken", { enforced: "warn" });

type Case = readonly [title: string, was: Made, is: Made, aspect: Aspect, better: string, headline: string];
const none = "acme and beta break none of 1 requirement";

const cases: readonly Case[] = [
  [
    "fewer requirements are broken",
    { requirements: broken(first, second, third) },
    { requirements: broken(first) },
    "conformance",
    "is",
    "beta breaks 2 requirements fewer (1 against 3 of 3).",
  ],
  [
    "each breaks another",
    { requirements: broken(first) },
    { requirements: broken(second) },
    "conformance",
    "neither",
    "acme and beta each break 1 requirement that the other doesn't.",
  ],
  [
    "both break the same",
    { requirements: broken(first) },
    { requirements: broken(first) },
    "conformance",
    "same",
    "acme and beta break the same 1 requirement.",
  ],
  ["none is broken", {}, {}, "conformance", "same", `${none}.`],
  [
    "a known issue is one that is broken",
    { requirements: [isDeviating] },
    {},
    "conformance",
    "is",
    "beta breaks 1 requirement fewer (0 against 1 of 1).",
  ],
  ["a warning isn't", { requirements: [isWarned] }, {}, "conformance", "same", `${none}.`],
  [
    "what the other wasn't judged on outweighs it",
    { requirements: [...broken(first).slice(0, 2), judged(third, "withheld")] },
    { requirements: broken(third) },
    "conformance",
    "neither",
    "beta breaks 1 requirement fewer (0 against 1 of 2), beta also breaks 1 that acme wasn't judged on.",
  ],
  [
    "nothing was judged at both",
    { requirements: [judged(first, "withheld")] },
    {},
    "conformance",
    "unmeasured",
    "Nothing could be compared.",
  ],
  [
    "one is surely faster",
    { exchanges: answering(100) },
    { exchanges: answering(140) },
    "latency",
    "was",
    `${none}; acme answers 1.4 times faster (p50).`,
  ],
  [
    "one is among the slow answers",
    { exchanges: [...answering(100), ...answering(9, "getIndexerHealth", 60)] },
    { exchanges: [...answering(60), ...answering(9, "getIndexerHealth", 60)] },
    "latency",
    "is",
    `${none}; beta answers 1.7 times faster (p95).`,
  ],
  [
    "one is in few of all answers",
    { exchanges: [...answering(100, "getProjectUsage", 12), ...answering(9, "getIndexerHealth", 400)] },
    { exchanges: [...answering(60, "getProjectUsage", 12), ...answering(9, "getIndexerHealth", 400)] },
    "latency",
    "is",
    `${none}; beta answers 1 of 2 operations faster.`,
  ],
  [
    "too little to matter",
    { exchanges: answering(10) },
    { exchanges: answering(25) },
    "latency",
    "same",
    `${none}; no difference shown in latency.`,
  ],
  [
    "each is faster in something",
    { exchanges: [...answering(100), ...answering(200, "getIndexerHealth")] },
    { exchanges: [...answering(200), ...answering(100, "getIndexerHealth")] },
    "latency",
    "neither",
    `${none}; acme answers 1 operation faster, beta 1.`,
  ],
  [
    "too few answers",
    { exchanges: answering(100, "getProjectUsage", 7) },
    { exchanges: answering(900, "getProjectUsage", 7) },
    "latency",
    "unmeasured",
    `${none}.`,
  ],
  [
    "a higher limit is stated, in another period",
    { exchanges: stating('ratelimit-policy: "a";q=120;w=60') },
    { exchanges: stating("ratelimit-policy: 5;w=1") },
    "limits",
    "is",
    `${none}; beta states higher limits for 1 of 1 operation.`,
  ],
  [
    "another limit is stated, and no period",
    { exchanges: stating("x-ratelimit-limit: 5") },
    { exchanges: stating("x-ratelimit-limit: 10") },
    "limits",
    "neither",
    `${none}; acme and beta state other limits for 1 of 1 operation.`,
  ],
  [
    "the same limit is stated",
    { exchanges: stating("x-ratelimit-limit: 5") },
    { exchanges: stating("x-ratelimit-limit: 5") },
    "limits",
    "same",
    `${none}.`,
  ],
  [
    "one states no limit",
    { exchanges: stating("x-ratelimit-limit: 5") },
    { exchanges: stating() },
    "limits",
    "unmeasured",
    `${none}.`,
  ],
  [
    "one charges too much",
    { audit: audited("300", "differs") },
    { audit: audited("200", "agrees") },
    "credits",
    "is",
    `${none}; acme charges 1 of 1 counter more than expected.`,
  ],
  [
    "one charges too little",
    { audit: audited("200", "agrees") },
    { audit: audited("50", "differs") },
    "credits",
    "neither",
    `${none}; beta charges 1 of 1 counter less than expected.`,
  ],
  [
    "charges are inconclusive",
    { audit: audited("0", "open") },
    { audit: audited("300", "differs") },
    "credits",
    "unmeasured",
    `${none}.`,
  ],
];
for (const [title, was, is, aspect, better, text] of cases)
  test(`who is better in ${aspect}: ${title}`, async () => {
    const { headline, rowOf, sentenceOf, scorecard } = await scored(was, is);
    expect([scorecard[aspect].better, headline]).toEqual([better, text]);
    const words = { same: /no difference|none of|the same/, neither: /acme|beta/, unmeasured: /not measured: / };
    const isBetter = better === "was" || better === "is";
    if (!isBetter) expect(sentenceOf(aspect)).toMatch(words[better as keyof typeof words]);
    // Of few among many answers the rank tests tell more than a percentile of all.
    const isMarked = isBetter && !text.includes("1 of 2 operations faster");
    expect(rowsOf[aspect].some((row) => rowOf(row).includes("✓"))).toBe(isMarked);
  });

test("one that is better in conformance and one in latency are both named, and the exit code stays", async () => {
  const was = { requirements: broken(first, second, third), exchanges: answering(100) };
  const is = { requirements: broken(first), exchanges: answering(140) };
  const { code, headline, sentenceOf } = await scored(was, is);
  expect(headline).toBe("beta breaks 2 requirements fewer (1 against 3 of 3); acme answers 1.4 times faster (p50).");
  expect(sentenceOf("latency")).toMatch(
    /acme answers 1.4 times faster \(p50; 95 % interval [\d.]+ to [\d.]+\), surely in 1 of 1/,
  );
  expect([code, (await scored(is, was)).code, (await scored(is, is)).code]).toEqual([0, 1, 0]);
});

test("runs of one vendor have no scorecard, and a recording's conformance isn't measured", async () => {
  const { stdout } = await sayCompared([made(0), made(1)], "--json");
  expect((JSON.parse(stdout) as Comparison).pairs[0]).not.toHaveProperty("scorecard");
  const recording = { sources: ["a.har"], exchanges: 3, judged: 3, operations: [], broken: [], unjudged: [] };
  expect(
    (await scored({ requirements: broken(first) }, { recording, requirements: broken(first, second) })).scorecard,
  ).toMatchObject({ conformance: { better: "unmeasured", judged: 0 } });
});

const phase = (limited: number, failed: number, perSecond = 10): LoadReport["phases"][number] => {
  const requests = perSecond * 20;
  return {
    name: "steady",
    seconds: 20,
    perSecond,
    requests,
    served: requests - limited - failed,
    limited,
    failed,
    p95_ms: 1,
  };
};
const [latencies_ms] = [Array.from({ length: 200 }, (_, nth) => 40 + nth / 10)];
const loaded = (times: number, phases: LoadReport["phases"], more: Partial<LoadReport> = {}): Made => {
  const histogram = encodeIntoCompressedBase64(latencySampleOf(latencies_ms.map((ms) => times * ms)).histogram);
  const [p50_ms, p95_ms, p99_ms, max_ms] = [50, 59, 60, 60].map((ms) => times * ms) as [number, number, number, number];
  const line = {
    operation: "getProjectUsage",
    outcome: "served",
    count: 200,
    p50_ms,
    p95_ms,
    p99_ms,
    max_ms,
    histogram,
  } as const;
  return { load: madeLoad({ phases, latencies: [line], judged: 200, ...more }) };
};

test("of loads, refusals and failures have rows, and one of another rate or in doubt tells nothing", async () => {
  const base = loaded(1, [phase(40, 0)]);
  const same = await scored(base, loaded(2, [phase(0, 30)]));
  expect(same.headline).toBe(
    "acme answers 2 times faster (p50); beta rate-limits 20 fewer of 100 requests; " +
      "acme fails 15 fewer of 100 requests.",
  );
  expect(same.sentenceOf("conformance")).toContain("not measured");
  expect(same.rowOf("refusals").replace(/ +/g, " ")).toBe(" refusals 20 % rate-limited 15 % failed");
  for (const [head, why] of [
    [loaded(2, [phase(0, 30, 20)]), "not the same load"],
    [loaded(2, [phase(0, 30)], { doubt: "k6 failed" }), "a load is unreliable"],
    [loaded(2, [phase(0, 30)], { lag: "k6 dropped 9" }), "a load is unreliable"],
  ] as const) {
    const { headline, rowOf, sentenceOf } = await scored(base, head);
    expect(headline).toBe("Nothing could be compared.");
    for (const row of ["latency", "limits", "failures"]) expect(sentenceOf(row)).toContain(`not measured: ${why}`);
    expect(["p50", "refusals"].map(rowOf)).toEqual(["", ""]);
  }
});

// A run as one line of a history: what it holds, what it leaves out, and why trends leave it out.

import { expect, test } from "@playwright/test";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { described } from "../../cli/described.ts";
import type { Run } from "../../harness/record/run.ts";
import { nightOf, opened } from "../../reports/history/night.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { exchanged, judged, made, narrowed, observed } from "../support/madeRuns.ts";
import { ranInProcess } from "../support/runs.ts";
import { schemaProblems } from "../support/standards.ts";

const night = (run: Run, vantage: string | null = null) => nightOf(run, vantage, described.tables);

test("a whole run fits a line of 64 kB, as the schema has it, without keys, bodies and addresses", async () => {
  const run = await ranInProcess();
  const line = JSON.stringify(night(run, "Frankfurt"));
  expect(Buffer.byteLength(line)).toBeLessThan(64 * 1024);
  expect(schemaProblems("reports/history.schema.json", JSON.parse(line))).toEqual([]);
  const { packed, ...plain } = night(run);
  expect(packed.length).toBeGreaterThan(1_000);
  // Histograms are base64, in which any letters may stand side by side.
  const latencies = plain.latencies.map(({ histogram: _, ...line }) => line);
  const all = JSON.stringify([{ ...plain, latencies }, opened(night(run))]);
  const texts = [...Object.values(run.target.bases), "reference.assay.example", "http://", "https://"];
  expect(texts.filter((text) => all.includes(text))).toEqual([]);
  // Bodies of usage have dates, those of wallets addresses of 32 bytes in base58.
  expect(all.match(/\b[1-9A-HJ-NP-Za-km-z]{43,44}\b/g) ?? []).toEqual([]);
  expect(Object.keys(plain.requirements)).toHaveLength(run.requirements.length);
});

test("its requirements are kinds, with what wasn't tried where they are narrowed", () => {
  const requirements = [
    judged("USG-HTTP-01", "holds"),
    judged("USG-FLD-01", "broken"),
    judged("USG-FLD-02", "broken", { enforced: "warn" }),
    judged("USG-FLD-03", "holds", narrowed("a", "b")),
  ];
  expect(night(made(0, { requirements })).requirements).toEqual({
    "USG-HTTP-01": "holds",
    "USG-FLD-01": "broken",
    "USG-FLD-02": "warned",
    "USG-FLD-03": { is: "narrowed", untried: ["a", "b"] },
  });
});

test("behaviours are values by case, each once, limits also in words", () => {
  const run = made(0, {
    observations: [
      observed("OBS-HTTP-SLASH", { "with a slash": "404" }, { "with a slash": "308" }, { "with a slash": "404" }),
      observed("OBS-RATE-ALGO", { "the limit": "5 in 1 s", bursts: 3 }),
    ],
  });
  expect(opened(night(run)).behaviours).toEqual({
    "OBS-HTTP-SLASH": { "with a slash": ["404", "308"] },
    "OBS-RATE-ALGO": { "the limit": ["5 in 1 s"], bursts: [3] },
  });
  expect(night(run).limits).toEqual({ "the limit": "5 in 1 s" });
});

test("shapes are types by place and headers, with ? where some answers lack them", () => {
  const exchanges = [
    exchanged({ body: { a: 1, b: "x" }, headers: [["x-one", "1"]] }),
    exchanged({ body: { a: null }, headers: [] }),
  ];
  const [shape] = opened(night(made(0, { exchanges }))).shapes;
  expect(shape).toMatchObject({ operation: "getProjectUsage", status: 200, outcome: "served", answers: 2 });
  expect(shape?.places).toMatchObject({ "": "object", "/a": "null|number", "/b": "string?", "header: x-one": "?" });
});

test("latencies are histograms by operation and outcome; timeouts stand apart", () => {
  const times = [10, 20, 30, 40].map((latency_ms) => exchanged({ latency_ms }));
  const late = {
    ...exchanged({ latency_ms: 30_000 }),
    answer: null,
    outcome: "failed" as const,
    fault: "timeout: 30 s",
  };
  const { latencies } = night(made(0, { exchanges: [...times, late] }));
  expect(latencies.map(({ operation, outcome, count }) => [operation, outcome, count])).toEqual([
    ["getProjectUsage", "served", 4],
    ["getProjectUsage", "timeout", 1],
  ]);
  const [served] = latencies;
  const histogram = decodeFromCompressedBase64(served?.histogram ?? "");
  expect([histogram.totalCount, histogram.getValueAtPercentile(50)]).toEqual([4, expect.closeTo(20_000, -3)]);
  // Two digits are kept.
  expect(served?.p95_ms).toBeCloseTo(40, 0);
});

test("a load has what it asked for and got, and its own kind", () => {
  const load = madeLoad({ shape: "nightly", doubt: null });
  const alone = night(made(0, { load, requirements: [] }));
  expect(alone.kind).toBe("nightly");
  expect(alone.load?.phases).toHaveLength(load.phases.length);
  expect(night(made(0, { load: { ...load, after: 3 } })).kind).toBe("run");
  expect(night(made(0)).load).toBeUndefined();
});

for (const [title, run, left] of [
  ["complete", {}, null],
  ["ended by a signal", { complete: false, cutShort: "SIGTERM ended it" }, "SIGTERM ended it"],
  ["without an end", { complete: false, endedAt: null }, "it was ended"],
  ["that judged nothing", { requirements: [judged("USG-HTTP-01", "withheld")] }, "nothing was judged"],
  [
    "nothing but an inconclusive load",
    { load: madeLoad({ doubt: "no request was served" }) },
    "the load was inconclusive",
  ],
] as const)
  test(`a run ${title}: ${left === null ? "counts" : "is kept, and left out of trends"}`, () => {
    expect(night(made(0, run)).left).toBe(left);
  });

test("the seed is that of the command", () => {
  expect(night(made(0, { command: "npx assay run --seed 7" })).seed).toBe(7);
  expect(night(made(0, { command: "npx assay run" })).seed).toBeNull();
});

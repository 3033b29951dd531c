// A run as one line of a history: what it holds, what it leaves out, and why trends leave it out.
import { createHash } from "node:crypto";
import { expect, test } from "@playwright/test";
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { madeLoad } from "../support/madeLoads.ts";
import { type Night, importedNight as night, unpacked } from "../support/madeNights.ts";
import { exchanged, judged, made, narrowed, observed } from "../support/madeRuns.ts";
import { ranInProcess } from "../support/runs.ts";
import { schemaProblems } from "../support/standards.ts";

const foundIn = (line: Night) => Object.fromEntries(unpacked(line));

test("a whole run fits a line of 64 kB, as the schema has it, without keys, bodies and addresses", {
  tag: "@slow",
}, async () => {
  const run = await ranInProcess();
  const line = JSON.stringify(await night(run, "Frankfurt"));
  expect(Buffer.byteLength(line)).toBeLessThan(64 * 1024);
  expect(schemaProblems("reports/history.schema.json", JSON.parse(line))).toEqual([]);
  const { packed, ...plain } = await night(run);
  expect(packed.length).toBeGreaterThan(1_000);
  // Histograms are base64, in which any letters may stand side by side.
  const latencies = plain.latencies.map(({ histogram: _, ...line }) => line);
  const all = JSON.stringify([{ ...plain, latencies }, foundIn(await night(run))]);
  const texts = [...Object.values(run.target.bases), "reference.assay.example", "http://", "https://"];
  expect(texts.filter((text) => all.includes(text))).toEqual([]);
  // Bodies of usage have dates, those of wallets addresses of 32 bytes in base58.
  expect(all.match(/\b[1-9A-HJ-NP-Za-km-z]{43,44}\b/g) ?? []).toEqual([]);
  expect(Object.keys(plain.requirements)).toHaveLength(run.requirements.length);
});

test("a line that is too long loses histograms first, then shapes, at last behaviours", async () => {
  /** So many operations with histograms, members of answers, and cases of a behaviour. */
  const lengths = async (operations: number, members: number, cases: number) => {
    let count = 0;
    const textOf = (): string => {
      const digest = createHash("sha512")
        .update(String((count += 1)))
        .digest();
      return [...digest.subarray(0, 40)].map((byte) => "abcdefghij klmnopqrst"[byte % 21]).join("");
    };
    const body = Object.fromEntries(Array.from({ length: members }, () => [textOf(), 1]));
    const exchanges = Array.from({ length: operations }, (_, nth) =>
      [1, 2, 4, 8].map((by) => exchanged({ operation: `get${nth}`, latency_ms: by * (nth + 1), body })),
    ).flat();
    const values = Object.fromEntries(Array.from({ length: cases }, () => [textOf(), textOf()]));
    const line = await night(made(0, { exchanges, observations: [observed("OBS-HTTP-SLASH", values)] }));
    expect(Buffer.byteLength(JSON.stringify(line))).toBeLessThan(64 * 1024);
    const found = Object.keys(foundIn(line));
    return [line.latencies.some(({ histogram }) => histogram), found.some((one) => / /.test(one)), found.length > 0];
  };
  expect(await lengths(20, 10, 10)).toEqual([true, true, true]);
  expect(await lengths(400, 10, 10)).toEqual([false, true, true]);
  expect(await lengths(1, 2_000, 10)).toEqual([false, false, true]);
  expect(await lengths(1, 10, 2_000)).toEqual([false, false, false]);
});

test("its requirements are kinds, with what wasn't tried where they are narrowed", async () => {
  const requirements = [
    judged("USG-HTTP-01", "holds"),
    judged("USG-FLD-01", "broken"),
    judged("USG-FLD-02", "broken", { enforced: "warn" }),
    judged("USG-FLD-03", "holds", narrowed("a", "b")),
  ];
  expect((await night(made(0, { requirements }))).requirements).toEqual({
    "USG-HTTP-01": "holds",
    "USG-FLD-01": "broken",
    "USG-FLD-02": "warned",
    "USG-FLD-03": { is: "narrowed", untried: ["a", "b"] },
  });
});

test("behaviours are values by case, each once, limits also in words", async () => {
  const run = made(0, {
    observations: [
      observed("OBS-HTTP-SLASH", { "with a slash": "404", doubled: "404" }, { "with a slash": "308", doubled: "404" }),
      observed("OBS-RATE-ALGO", { "the limit": "5 in 1 s", bursts: 3 }),
    ],
  });
  expect(foundIn(await night(run))).toEqual({
    "OBS-HTTP-SLASH": { "with a slash": ["404", "308"], doubled: ["404"] },
    "OBS-RATE-ALGO": { "the limit": ["5 in 1 s"], bursts: [3] },
  });
  expect((await night(run)).limits).toEqual({ "the limit": "5 in 1 s" });
});

test("texts within values are masked and cut, and what wasn't observed is left out", async () => {
  const [uuid, long] = ["b1946ac9-2492-4d23-a6f5-0b5c9d1e3f40", "long ".repeat(100)];
  const values = { nested: [uuid, { [uuid]: uuid, none: null, few: [1, true] }], long, number: 7 };
  const observations = [observed("OBS-HTTP-SLASH", values), observed("OBS-RATE-ALGO")];
  expect(foundIn(await night(made(0, { observations })))).toEqual({
    "OBS-HTTP-SLASH": {
      nested: [["<uuid>", { "<uuid>": "<uuid>", none: null, few: [1, true] }]],
      long: [long.slice(0, 200)],
      number: [7],
    },
  });
});

test("shapes are types by place and headers, with ? where some answers lack them", async () => {
  const [whole, lacking] = [
    exchanged({ body: { a: 1, b: "x" }, headers: [["x-one", "1"]] }),
    exchanged({ body: { a: null }, headers: [] }),
  ];
  const found = foundIn(await night(made(0, { exchanges: [whole, lacking, lacking] })));
  const places = { "": ["object"], "/a": ["null|number"], "/b": ["string?"], "header: x-one": ["there?"] };
  expect(found).toEqual({ "getProjectUsage 200 served": places });
  // Two say nothing, as members are optional.
  expect(foundIn(await night(made(0, { exchanges: [whole, lacking] })))).toEqual({});
});

test("latencies are histograms by operation and outcome; timeouts stand apart, old ones, too", async () => {
  const times = [10, 20, 30, 40].map((latency_ms) => exchanged({ latency_ms }));
  const late = {
    ...exchanged({ latency_ms: 30_000 }),
    answer: null,
    outcome: "failed" as const,
    fault: "timeout: 30 s",
  };
  const others = [
    exchanged({ latency_ms: 5, outcome: "throttled" }),
    exchanged({ latency_ms: 6, outcome: "refused" }),
    { ...late, faultKind: "timeout" as const },
    { ...late, fault: "reset: after a timeout" },
    { ...exchanged({ latency_ms: 7 }), operation: null },
  ];
  const { latencies } = await night(made(0, { exchanges: [...times, late, ...others] }));
  expect(latencies.map(({ operation, outcome, count }) => [operation, outcome, count])).toEqual([
    ["getProjectUsage", "served", 4],
    ["getProjectUsage", "timeout", 2],
    ["getProjectUsage", "limited", 1],
    ["getProjectUsage", "refused", 1],
    ["getProjectUsage", "failed", 1],
  ]);
  const [served] = latencies;
  const histogram = decodeFromCompressedBase64(served?.histogram ?? "");
  expect([histogram.totalCount, histogram.getValueAtPercentile(50)]).toEqual([4, expect.closeTo(20_000, -3)]);
  // Two digits are kept.
  expect(served?.p95_ms).toBeCloseTo(40, 0);
});

test("latencies of a load are those that k6 measured, with two digits", async () => {
  const measured = build({ numberOfSignificantValueDigits: 3 });
  for (const us of [1_000, 2_000, 3_001]) measured.recordValue(us);
  const line = {
    operation: "getIndexerHealth",
    outcome: "limited",
    histogram: encodeIntoCompressedBase64(measured),
  } as const;
  const load = madeLoad({ latencies: [{ ...line, count: 3, p50_ms: 2, p95_ms: 3, p99_ms: 3, max_ms: 3 }] });
  const { latencies } = await night(made(0, { load, exchanges: [exchanged({})] }));
  expect(latencies).toMatchObject([{ operation: "getIndexerHealth", outcome: "limited", count: 3 }]);
  const histogram = decodeFromCompressedBase64(latencies[0]?.histogram ?? "");
  expect([histogram.totalCount, histogram.numberOfSignificantValueDigits]).toEqual([3, 2]);
  expect(latencies[0]?.p50_ms).toBeCloseTo(2, 1);
  // Without measured ones, those of its exchanges.
  const none = { ...load, latencies: [] };
  expect((await night(made(0, { load: none, exchanges: [exchanged({})] }))).latencies).toHaveLength(1);
});

test("a load has what it asked for and got, and its own kind", async () => {
  const load = madeLoad({ shape: "nightly", doubt: null });
  const alone = await night(made(0, { load, requirements: [] }));
  expect(alone.kind).toBe("nightly");
  const phase = { name: "steady", seconds: 20, perSecond: 5, requests: 0, served: 0, limited: 0, failed: 0 };
  const expected = { shape: "nightly", phases: [phase], dropped: 0, knee_perSecond: null };
  expect(alone.load).toEqual(expected);
  const stopped = { ...load, stopped: "it failed", dropped: 2, knee: { perSecond: 40, brokenBy: "p95" } };
  expect((await night(made(0, { load: stopped }))).load).toEqual({
    ...expected,
    ...{ stopped: "it failed", dropped: 2, knee_perSecond: 40 },
  });
  const bounds = [1, 90].map((p95_ms) => {
    return { operation: "getIndexerHealth" as const, bound_ms: 50, p95_ms, isKept: p95_ms < 50 };
  });
  const exceeding = await night(made(0, { load: { ...load, bounds } }));
  expect(exceeding.load).toEqual({ ...expected, exceeded: [bounds[1]] });
  expect(schemaProblems("reports/history.schema.json", exceeding)).toEqual([]);
  expect((await night(made(0, { load: { ...load, after: 3 } }))).kind).toBe("run");
  expect((await night(made(0))).load).toBeUndefined();
});

for (const [title, run, left] of [
  ["complete", {}, null],
  ["ended by a signal", { complete: false, cutShort: "SIGTERM ended it" }, "SIGTERM ended it"],
  ["without an end", { complete: false, endedAt: null }, "it didn't finish"],
  ["that judged nothing", { requirements: [judged("USG-HTTP-01", "withheld")] }, "nothing was judged"],
  [
    "nothing but an inconclusive load",
    { load: madeLoad({ doubt: "no request was served" }) },
    "the load was inconclusive",
  ],
  ["with a load beside it that was inconclusive", { load: { ...madeLoad({ doubt: "why" }), after: 3 } }, null],
  ["nothing but a load that judged answers", { requirements: [], load: madeLoad({ judged: 1, doubt: null }) }, null],
  [
    "nothing but a load that judged none",
    { requirements: [], load: madeLoad({ judged: 0, doubt: null }) },
    "nothing was judged",
  ],
] as const)
  test(`a run ${title}: ${left === null ? "counts" : "is kept, and left out of trends"}`, async () => {
    expect((await night(made(0, run))).left).toBe(left);
  });

test("failures that didn't recur are counted, whatever caused them", async () => {
  const intermittent = [
    { cause: "503", count: 2, exchanges: [3, 9] },
    { cause: "the connection was reset", count: 1, exchanges: [7] },
  ];
  expect((await night(made(0, { intermittent }))).intermittent).toBe(3);
  expect((await night(made(0))).intermittent).toBe(0);
});

test("outages are named by what kept sound requests from being served, each once", async () => {
  const met = (by: "silence" | "quota", from: number) => ({ by, from, api: "rpc", role: null, outcome: "" }) as const;
  const { outages } = await night(made(0, { outages: [met("silence", 3), met("quota", 5), met("silence", 9)] }));
  expect(outages).toEqual(["silence", "quota"]);
  expect(await night(made(0))).not.toHaveProperty("outages");
});

test("the seed is that of the flags", async () => {
  const call = { program: "npx assay", words: ["run"], flags: { seed: "7" } };
  expect((await night(made(0, { call }))).seed).toBe(7);
  expect((await night(made(0, { command: "npx assay run" }))).seed).toBeNull();
});

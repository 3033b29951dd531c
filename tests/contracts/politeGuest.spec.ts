// Whole runs on platforms that serve few requests per second: nothing is found broken, and nothing inconclusive.
import { expect, test } from "@playwright/test";
import { type GeneralLimit, limited, rateRefusalsIn, twoAtOnce } from "../support/limitedVendor.ts";
import { changeIn, outcomeOf, type TargetChange, type Trial } from "../support/probeSpecs.ts";
import { payingVendor } from "../support/vendorsInProcess.ts";

/** The usual pace of a vendor, who also pays for bundles. */
const asUsual = (change: TargetChange = {}) =>
  payingVendor((given) => ({
    ...{ offers: given.offers, quiet: true, perSecond: 2, apiPerSecond: { admin: 2 } },
    ...changeIn(given, change),
  }));

const judgedAt = (limit: GeneralLimit, trial: Trial = {}) => outcomeOf({ ...limited(limit, asUsual()), ...trial });

const limits: readonly (readonly [title: string, limit: GeneralLimit, tag?: "@slow"])[] = [
  ["2 per second and project, from a bucket of one", { perSecond: 2, per: "project", by: "bucket" }],
  [
    "2 per second and API, in windows, with Retry-After",
    { perSecond: 2, per: "api", by: "windows", headers: "Retry-After" },
    "@slow",
  ],
  [
    "2 per second and key, in windows, with X-RateLimit",
    { perSecond: 2, per: "key", by: "windows", headers: "X-RateLimit" },
    "@slow",
  ],
  [
    "2 per second for all, from a bucket of one, with RateLimit",
    { perSecond: 2, per: "address", by: "bucket", headers: "RateLimit" },
    "@slow",
  ],
  [
    "2 per second and project, in windows, 400 ms away",
    { perSecond: 2, per: "project", by: "windows", latency_ms: 400 },
    "@slow",
  ],
  ["1 per second for all, refused ones counted", { perSecond: 1, per: "address", by: "log" }, "@slow"],
  [
    "1 per second and project, from a bucket of one, with Retry-After",
    { perSecond: 1, per: "project", by: "bucket", headers: "Retry-After" },
    "@slow",
  ],
];
for (const [title, limit, tag = []] of limits)
  test(`a faithful vendor with a general limit of ${title}, has no finding in a whole run`, { tag }, async () => {
    // In the gate without probes, which send half of all requests.
    const trial: Trial = tag === "@slow" ? {} : { observe: [] };
    const { verdicts, observed, broken, inconclusive, held, exchanges } = await judgedAt(limit, trial);
    expect({ broken, inconclusive }).toEqual({ broken: [], inconclusive: [] });
    expect([...verdicts, ...observed].filter(({ defect }) => defect)).toEqual([]);
    // Two need calls at once to be served.
    expect(held.length).toBeGreaterThan(235);
    // A burst counts once.
    const refused = rateRefusalsIn(exchanges).map(({ sentAt_ms }) => Math.floor(sentAt_ms / 1000));
    expect(new Set(refused).size).toBeLessThan(exchanges.length / 30);
  });

test("schedules, and requirements that are only implied, have no finding there either", { tag: "@slow" }, async () => {
  const limit: GeneralLimit = { perSecond: 2, per: "project", by: "log" };
  const { broken, inconclusive } = await judgedAt(limit, { hasSchedules: true, impliedFails: true });
  expect({ broken, inconclusive }).toEqual({ broken: [], inconclusive: [] });
});

for (const [apart_ms, tag] of [
  [20_000, undefined],
  [1_000, "@slow"],
  [90_000, "@slow"],
  [40_000, "@slow"],
] as const)
  test(`two runs on one project, ${apart_ms / 1000} s apart, notice it, and neither finds a charge broken`, {
    tag: tag ?? [],
  }, async () => {
    const runs = await twoAtOnce(apart_ms, asUsual({ offers: ["usage", "wallet", "compression"] }));
    expect(runs.map(({ broken }) => broken)).toEqual([[], []]);
    expect([...new Set(runs.flatMap(({ used }) => used))]).toContain("main");
  });

test("a project that only this run uses isn't said to be used by others", async () => {
  const target = asUsual({ perSecond: 100, offers: ["usage", "wallet", "compression"] });
  const { usedByOthers, held, broken } = await outcomeOf({ observe: [], target });
  expect({ usedByOthers, broken }).toEqual({ usedByOthers: [], broken: [] });
  expect(held).toContain("MET-WAL-01");
});

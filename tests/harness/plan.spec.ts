// Plans: their cost, their order, and that nothing is left out without a reason.

import { expect, test } from "@playwright/test";
import { planLines, plannedRun } from "../../cli/plan.ts";
import { wholeSuite } from "../../cli/suite.ts";
import { describeReason } from "../../harness/core/reason.ts";
import type { Role } from "../../harness/core/requestSpec.ts";
import { scheduledAs } from "../../harness/engine/jobs.ts";
import { type Plan, planFor } from "../../harness/engine/plan.ts";
import { citedBy } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { limited } from "../support/limitedVendor.ts";
import { asVendor, keysOf, outcomeOf } from "../support/probeSpecs.ts";
import { journalInProcess, runFrom } from "../support/runs.ts";
import { payingVendor } from "../support/vendorsInProcess.ts";

/** A vendor with only these keys, which allows nothing but reading. */
function vendor(...roles: readonly Role[]): Target {
  const { bundles: _, ...target } = inProcess(wholeSuite).target;
  return asVendor({ allow: [], keys: keysOf(target, ...roles) })(target);
}

const planOn = (target: Target): Plan => planFor(target, wholeSuite, { only: null });

test("a full read-only pass with one paid and one free key costs at most 7,500 credits", () => {
  const { credits, sends, tried } = planOn(vendor("paid", "free"));
  expect(credits).toBeLessThanOrEqual(7_500);
  expect(sends.calls).toBe(0);
  expect(tried.length).toBeGreaterThan(200);
});

test("every requirement with a check of an offered feature is planned, even without sample data", () => {
  const { samples: _, ...bare } = vendor("paid");
  const { checks } = planOn({ ...bare, samples: {} });
  const cited = new Set(wholeSuite.checks.flatMap(citedBy));
  const planned = new Set(checks.flatMap(({ check }) => citedBy(check)));
  expect([...cited].filter((id) => !planned.has(id))).toEqual([]);
});

test("what isn't testable from outside says what would have to be under control", () => {
  const { checks } = planOn(vendor("paid", "free"));
  const reasonOf = (id: string) =>
    checks.flatMap(({ check, unmetNeed: lacks }) =>
      lacks?.kind === "noControl" && citedBy(check).some((one) => one === id) ? [describeReason(lacks)] : [],
    )[0];
  const ids = ["TA-FLT-04", "TA-SLOT-02", "IH-LAG-01", "ERR-CMP-32002", "CYC-ANCH-01", "BND-ATOM-01"];
  expect(ids.map((id) => `${id}: ${reasonOf(id)}`)).toEqual([
    "TA-FLT-04: not testable from outside (needs token accounts written on demand)",
    "TA-SLOT-02: not testable from outside (needs an index that lags on demand)",
    "IH-LAG-01: not testable from outside (needs an index that lags on demand)",
    "ERR-CMP-32002: not testable from outside (needs failures on demand)",
    "CYC-ANCH-01: not testable from outside (needs a test project with prepared billing data)",
    "BND-ATOM-01: not testable from outside (needs a test project)",
  ]);
});

test("checks are planned in the order of their priorities", () => {
  const target: Target = { ...vendor("paid", "second", "other", "free"), allow: ["throttle"] };
  const priorities = planOn(target).checks.map((planned) => scheduledAs(planned, target).priority);
  expect(priorities).toEqual([...priorities].sort((a, b) => a - b));
  expect(new Set(priorities).size).toBe(5);
});

test("a plan says what runs alone, and why", async () => {
  const target: Target = { ...vendor("paid", "second", "other", "free"), allow: ["throttle"] };
  const lines = planLines(await plannedRun(target, planOn(target)));
  expect(lines.flatMap((line) => /^run alone: \d+ checks and probes: ([^,]+),/.exec(line)?.[1] ?? [])).toEqual([
    "their calls are counted",
    "they exceed limits that may count all requests of a project",
    "they measure a rate for a long time",
    "they would disturb others",
  ]);
});

test("what a run verifies by a hundred requests and by a thousand credits is counted", async () => {
  const lines = await journalInProcess({ features: ["usage", "wallet"], observe: [] });
  const { yield: found, spent } = runFrom(lines);
  expect(found.byHundredRequests).toBeGreaterThan(found.musts / 10);
  expect(found.perHundredRequests).toBeCloseTo((found.musts / spent.requests) * 100, 1);
  expect(found.perThousandCredits).toBe(Math.round((found.musts / spent.credits) * 10_000) / 10);
});

test("four fifths of what is verified on a vendor stand after 20 s at 25 requests a second", {
  tag: "@slow",
}, async () => {
  const everything = ({ offers, ...target }: Target): Target =>
    payingVendor({ offers, perSecond: 25, apiPerSecond: { admin: 4.9 } })({ offers, ...target });
  const free = { perSecond: 1_000, per: "project", by: "windows", latency_ms: 2 } as const;
  const { held, heldAfter_s } = await outcomeOf({ suite: wholeSuite, ...limited(free, everything) });
  const early = held.filter((id) => (heldAfter_s.get(id) ?? Number.POSITIVE_INFINITY) <= 20);
  expect(early.length / held.length).toBeGreaterThanOrEqual(0.8);
});

// Plans: their cost, their order, and that nothing is left out without a reason.
import { expect, test } from "@playwright/test";
import { suite } from "../../cli/suite.ts";
import type { Role } from "../../harness/core/stimulus.ts";
import { checkPhaseNames, phaseOf } from "../../harness/engine/phases.ts";
import { type Plan, planFor } from "../../harness/engine/plan.ts";
import { citedBy } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { asVendor, keysOf } from "../support/probeSpecs.ts";
import { journalInProcess, runFrom } from "../support/runs.ts";

/** A vendor with only these keys, which allows nothing but reading. */
function vendor(...roles: readonly Role[]): Target {
  const { bundles: _, ...target } = inProcess(suite).target;
  return asVendor({ allow: [], keys: keysOf(target, ...roles) })(target);
}

const planOn = (target: Target): Plan => planFor(target, suite, { only: null });

test("a full read-only pass with one paid and one free key costs at most 4,000 credits", () => {
  const { credits, sends, tried } = planOn(vendor("paid", "free"));
  expect(credits).toBeLessThanOrEqual(4_000);
  expect(sends.calls).toBe(0);
  expect(tried.length).toBeGreaterThan(200);
});

test("every requirement with a check of an offered feature is planned, even without sample data", () => {
  const { samples: _, ...bare } = vendor("paid");
  const { checks } = planOn({ ...bare, samples: {} });
  const cited = new Set(suite.checks.flatMap(citedBy));
  const planned = new Set(checks.flatMap(({ check }) => citedBy(check)));
  expect([...cited].filter((id) => !planned.has(id))).toEqual([]);
});

test("checks are planned in the order of their phases", () => {
  const target: Target = { ...vendor("paid", "second", "other", "free"), allow: ["throttle"] };
  const ranks = planOn(target).checks.map(({ check }) => checkPhaseNames.indexOf(phaseOf(check, target)));
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  // Without control no check has projects of its own, so two phases stay empty.
  expect(new Set(ranks).size).toBe(checkPhaseNames.length - 2);
});

test("the first hundred requests verify a fifth of all MUST requirements, for no credits", async () => {
  const lines = await journalInProcess({ features: ["usage", "wallet"], observe: [] });
  const { yield: found, spent } = runFrom(lines);
  const free = lines.filter(
    (line) => line.record === "verdict" && line.verdict.verdict === "holds" && line.spent.credits === 0,
  );
  expect(found.byHundredRequests).toBeGreaterThan(found.musts / 5);
  expect(found.perHundredRequests).toBeCloseTo((found.musts / spent.requests) * 100, 1);
  expect(found.perThousandCredits).toBe(Math.round((found.musts / spent.credits) * 10_000) / 10);
  expect(free.length).toBeGreaterThanOrEqual(found.byHundredRequests);
});

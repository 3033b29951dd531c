// The cost of a plan: what a run sends at most, wherever its charges show within 10 s.
import { expect, test } from "@playwright/test";
import { wholeSuite } from "../../cli/suite.ts";
import type { Role } from "../../harness/core/requestSpec.ts";
import { citedBy } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import { metering } from "../support/choices.ts";
import { asVendor, keysOf, type Outcome, outcomeOf, type Trial } from "../support/probeSpecs.ts";

interface Vendor {
  readonly offers: Target["offers"];
  readonly roles: readonly Role[];
}

const ofWallets: Vendor = { offers: ["usage", "wallet"], roles: ["paid"] };
const ofAll: Vendor = {
  offers: ["usage", "wallet", "tokenAccounts", "compression", "bundles"],
  roles: ["paid", "free"],
};

/** A run of a vendor that allows only reading, and whose charges show so late. */
const run = ({ offers, roles }: Vendor, lag_s: number, trial: Trial = {}, budget: Target["budget"] = {}) =>
  outcomeOf({
    suite: wholeSuite,
    choice: metering({ lag_ms: lag_s * 1000 }),
    target: ({ bundles: _, ...given }) =>
      asVendor({ offers, keys: keysOf(given, ...roles), allow: [], perSecond: 25, budget })(given),
    observe: [],
    ...trial,
  });

/** How much more was planned than spent. */
const sharesOf = ({ engine: { plan, spent } }: Outcome): readonly number[] =>
  [plan.requests / spent.requests, plan.credits / spent.credits].filter(Number.isFinite);

for (const lag_s of [0, 3, 8])
  test(`a plan is what a run sends at most, and not twice as much, where charges show after ${lag_s} s`, async () => {
    const outcome = await run(ofWallets, lag_s);
    for (const share of sharesOf(outcome)) expect(1 <= share && share <= 1.6).toBe(true);
    expect(outcome.engine.spent.credits).toBeGreaterThan(1_000);
  });

test("a budget of what is planned leaves nothing out", async () => {
  const { engine } = await run(ofWallets, 8);
  const { requests, credits } = engine.plan;
  const bounded = await run(ofWallets, 8, {}, { requests, credits });
  expect(bounded.engine.spent).toEqual(engine.spent);
});

test("whatever the vendor offers, with observations and without", { tag: "@slow" }, async () => {
  for (const vendor of [ofWallets, ofAll, { ...ofAll, roles: ["paid", "second", "other", "free"] } as const])
    for (const lag_s of [0, 1, 3, 8, 10])
      for (const trial of [{}, { observe: undefined }, { generation: { seed: 7, scale: "few" } }] as const) {
        const outcome = await run(vendor, lag_s, trial);
        const shares = sharesOf(outcome);
        expect(shares.map((share) => [vendor.offers.length, lag_s, 1 <= share && share <= 1.6])).toEqual(
          shares.map(() => [vendor.offers.length, lag_s, true]),
        );
      }
});

test("so it is for each requirement alone", { tag: "@slow" }, async () => {
  const ids = [...new Set(wholeSuite.checks.flatMap(citedBy))];
  const exceeded: string[] = [];
  for (const id of ids) {
    const { engine } = await run(ofAll, 3, { only: [id] });
    const { plan, spent } = engine;
    if (spent.requests > plan.requests || spent.credits > plan.credits) exceeded.push(id);
  }
  expect(exceeded).toEqual([]);
});

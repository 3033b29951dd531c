// Tests of what a first look at a platform learns, over its public surface
import { expect, test } from "@playwright/test";
import { suite } from "../../contracts/suite.ts";
import { type Survey, survey, unseen } from "../../contracts/survey.ts";
import { scenario } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import { asVendor, keysOf, outcomeOf, type Trial, withHeader } from "../support/probeSpecs.ts";

const { auditor: _, ...quiet } = suite;

/** Judged with one key; the target names only what is given. */
async function looked(given: Partial<Target>, trial: Trial = {}): Promise<Survey> {
  let seen = unseen();
  const looking = scenario([], { requests: [], feature: "usage" }, async (context) => {
    seen = await survey(context, ["paid"], "all", suite.finders);
    return [];
  });
  await outcomeOf({
    suite: { ...quiet, checks: [looking], probes: [], laws: [], authSanityChecks: [] },
    observe: [],
    target: (target) => asVendor({ keys: keysOf(target, "paid"), samples: {}, names: {}, allow: [], ...given })(target),
    ...trial,
  });
  return seen;
}

test("each feature is seen to be there without a sample, and the rate that usage reads are told", async () => {
  const { features, samples, rates } = await looked({});
  expect(features.map(({ feature, is }) => `${feature}: ${is}`).sort()).toEqual([
    "bundles: offered",
    "compression: offered",
    "tokenAccounts: offered",
    "wallet: offered",
  ]);
  expect([samples, rates]).toEqual([[], [5]]);
});

test("an owner is found where a mint is known", async () => {
  const mint = "7fVLvPeLoSrtshkX7Eh4x7uM8VTqY3KPGXjtkV2ya5rA";
  const { samples } = await looked({ samples: { mint } });
  expect(samples.map(({ at, by }) => [at, by])).toEqual([["/samples/owner", "found"]]);
});

test("a method that isn't there is seen, and rates that headers state", async () => {
  const choice = {
    rules: { rpc: { unknownMethods: ["getTokenAccounts"] as const } },
    answer: (answer: Parameters<typeof withHeader>[0]) => withHeader(answer, "ratelimit-policy", '"all";q=60;w=60'),
  };
  const { features, rates } = await looked({}, { choice });
  expect(features.find(({ feature }) => feature === "tokenAccounts")?.is).toBe("not offered");
  expect(new Set(rates)).toEqual(new Set([1]));
});

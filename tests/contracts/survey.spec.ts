// Tests of what a first look at a platform learns, over its public surface
import { expect, test } from "@playwright/test";
import { withHeader } from "../support/probeSpecs.ts";
import { surveyed } from "../support/scenarios.ts";

test("each feature is seen to be there without a sample, and the rate that usage reads are told", async () => {
  const { features, samples, rates } = await surveyed({});
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
  const { samples } = await surveyed({ samples: { mint } });
  expect(samples.map(({ at, by }) => [at, by])).toEqual([["/samples/owner", "found"]]);
});

test("a method that isn't there is seen, and rates that headers state", async () => {
  const choice = {
    rules: { rpc: { unknownMethods: ["getTokenAccounts"] as const } },
    answer: (answer: Parameters<typeof withHeader>[0]) => withHeader(answer, "ratelimit-policy", '"all";q=60;w=60'),
  };
  const { features, rates } = await surveyed({}, choice);
  expect(features.find(({ feature }) => feature === "tokenAccounts")?.is).toBe("not offered");
  expect(new Set(rates)).toEqual(new Set([1]));
});

// Tests of load plans: the mix, its rates, shapes, consent and budget
import { expect, test } from "@playwright/test";
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { keyHolder } from "../../harness/core/stimulus.ts";
import type { Target } from "../../harness/target/target.ts";
import { requestsOf, secondsOf, shapes, smoke, spike, stress } from "../../load/shapes/shapes.ts";
import { suite } from "../../load/suite.ts";
import { mixFor, orderOf, perSecondOf, scaledTo } from "../../load/traffic/mix.ts";
import { planLoad } from "../../load/traffic/plan.ts";
import { operations } from "../../specs/generated/operations.ts";
import { loadTarget as target } from "../support/madeLoads.ts";

const remote = "https://acme.example";
const walletReadsOf = (of: Target): readonly string[] =>
  mixFor(of, suite.reads).shares.flatMap(({ operation }) => (operation.includes("Wallet") ? [operation] : []));

test("a mix calls every read operation that the target allows, at its pace, and never sends a bundle", () => {
  const { shares, left } = mixFor(target(), suite.reads);
  expect(shares.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(["getProjectUsage", "getWalletBalances", "getIndexerHealth", "getTokenAccounts"]),
  );
  expect([...shares, ...left].map(({ operation }) => operation)).not.toContain("sendBundle");
  const rate = (api: string): number => perSecondOf({ shares: shares.filter(({ stimulus }) => stimulus.api === api) });
  expect([rate("admin"), rate("api"), rate("rpc")].map((one) => Math.round(one * 1000) / 1000)).toEqual([4, 12, 12]);
  expect(left.find(({ operation }) => operation === "getWalletBalanceAt")?.reason).toBe(
    "the target gives no `names.balanceAt.mint`",
  );
  expect(shares.every(({ stimulus }) => keyHolder(stimulus) !== null)).toBe(true);
});

test("weights and the project's general limit divide the pace of an API", () => {
  const { shares } = mixFor(
    target("load: { weights: { getTokenAccounts: 3 } }", { project: "plan: paid, generalPerSecond: 5" }),
    suite.reads,
  );
  const rpc = shares.filter(({ stimulus }) => stimulus.api === "rpc");
  expect(perSecondOf({ shares: rpc })).toBeCloseTo(4);
  const [accounts, health] = ["getTokenAccounts", "getIndexerHealth"].map(
    (name) => rpc.find(({ operation }) => operation === name)?.perSecond ?? 0,
  );
  expect((accounts ?? 0) / (health ?? 1)).toBeCloseTo(3);
});

test("calls of 100 credits are part of a mix on loopback, elsewhere only where the target names them", () => {
  expect(walletReadsOf(target())).toContain("getWalletBalances");
  expect(walletReadsOf(target("", { base: remote }))).toEqual([]);
  const named = target("load: { operations: [getWalletBalances] }", { base: remote });
  expect(walletReadsOf(named)).toEqual(["getWalletBalances"]);
});

test("each share is spaced evenly at its rate", () => {
  const order = orderOf([{ perSecond: 4 }, { perSecond: 30 }, { perSecond: 16 }]);
  const places = order.flatMap((share, place) => (share === 0 ? [place] : []));
  expect(places.length / order.length).toBeCloseTo(4 / 50, 2);
  const gaps = places.slice(1).map((place, nth) => place - (places[nth] ?? 0));
  // 12.5 on average: no six of them within a second of 50 requests.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(11);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(14);
});

test("at any rate usage requests stay below their documented limit", () => {
  const { shares } = mixFor(target(), suite.reads);
  for (const perSecond of [1, 28, 400]) {
    const scaled = scaledTo(shares, perSecond);
    expect(perSecondOf({ shares: scaled })).toBeCloseTo(perSecond);
    expect(scaled.find(({ operation }) => operation === "getProjectUsage")?.perSecond).toBeLessThanOrEqual(4);
  }
});

test("shapes take the given time, and only stress exceeds the allowed rate", () => {
  for (const shape of shapes) {
    const phases = shape.phases(40, 60);
    expect(secondsOf(phases)).toBeCloseTo(60);
    expect(Math.max(...phases.map(({ perSecond }) => perSecond)) > 40).toBe(shape.isBeyondPace);
  }
  expect(spike.phases(40, 60).map(({ perSecond }) => perSecond)).toEqual([8, 40, 8]);
  expect(stress.phases(10, 60).map(({ perSecond }) => perSecond)).toEqual([10, 20, 40, 80, 160, 320]);
  expect(requestsOf(spike.phases(40, 60))).toBe(1120);
});

/** The features that a load of a target calls: owner and unauthorized caller ask each once before it. */
const featuresCalled = (of: Target): number =>
  new Set(mixFor(of, suite.reads).shares.map(({ operation }) => operations.find(({ id }) => id === operation)?.feature))
    .size;

const planned = (of: Target, perSecond?: number) =>
  planLoad(of, smoke, { suite, seed: 1, ...(perSecond ? { perSecond } : {}) });
for (const [name, plan, says] of [
  [
    "on another machine without consent",
    () => planned(target("", { base: remote })),
    /is not on this machine, and the target doesn't allow load\. Write `allow: \[load\]`/,
  ],
  [
    "that exceeds limits without consent",
    () => planLoad(target(), stress, { suite, seed: 1 }),
    /passes its limits on purpose .* doesn't allow load/,
  ],
  [
    "above the allowed rate",
    () => planned(target(), 29),
    /--rate is 29 requests per second, and acme allows 28 at most/,
  ],
  [
    "above the rate that the target allows",
    () => planned(target("load: { perSecond: 6 }"), 7),
    /acme allows 6 at most/,
  ],
  [
    "of more requests than the budget has",
    () => planned(target("budget: { requests: 100 }")),
    new RegExp(`would take ${560 + 2 * featuresCalled(target())} requests, and the budget of acme is 100`),
  ],
  [
    "of more credits than the budget has",
    () => planned(target("budget: { credits: 500 }")),
    /credits, and the budget of acme is 500/,
  ],
  ["that takes longer than the budget has", () => planned(target("budget: { seconds: 5 }")), /would take 20 seconds/],
] as const) {
  test(`a load ${name} is refused before anything is sent`, () => {
    expect(plan).toThrow(CommandLineError);
    expect(plan).toThrow(says);
  });
}

test("with consent a load takes the target's rate and duration", () => {
  const consenting = target("allow: [load]\nload: { perSecond: 6, seconds: { smoke: 30 } }", { base: remote });
  const { phases, cost, byK6, mix } = planned(consenting);
  expect(phases).toEqual([{ name: "steady", seconds: 30, perSecond: 6 }]);
  expect(byK6.requests).toBe(180);
  expect(cost.requests - byK6.requests).toBe(2 * featuresCalled(consenting));
  expect(perSecondOf(mix)).toBeCloseTo(6);
});

test("a wrong load section in a target file is a command line error", () => {
  expect(() => target("load: { perSecnd: 6 }")).toThrow(
    /load has an unknown field "perSecnd" \(did you mean "perSecond"\?\)/,
  );
  expect(() => target("load: { operations: [sendBundle] }")).toThrow(
    /load\.operations\.0 must be one of getProjectUsage/,
  );
});

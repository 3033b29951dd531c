// Is a load what was asked for and allowed, and does it say no more than it saw?

import { expect, test } from "@playwright/test";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { suite } from "../../contracts/suite.ts";
import { targetForm } from "../../contracts/targets.ts";
import { realClock } from "../../harness/core/clock.ts";
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { keyHolder } from "../../harness/core/stimulus.ts";
import type { LoadPhase } from "../../harness/record/load.ts";
import type { Target } from "../../harness/target/target.ts";
import { readTarget } from "../../harness/target/targetFile.ts";
import type { WireAnswer } from "../../harness/transport/wire.ts";
import { chanceOf } from "../../load/k6/chance.ts";
import { reads } from "../../load/reads.ts";
import { shapes } from "../../load/shapes/shapes.ts";
import { smoke } from "../../load/shapes/smoke.ts";
import { spike } from "../../load/shapes/spike.ts";
import { stress } from "../../load/shapes/stress.ts";
import { exchangeOf } from "../../load/traffic/exchanges.ts";
import { boundsOf, brokenBy, doubtOn, findingsOf, kneeOf } from "../../load/traffic/findings.ts";
import { planLoad } from "../../load/traffic/load.ts";
import { mixFor, orderOf, perSecondOf, scaledTo } from "../../load/traffic/mix.ts";
import { Tally } from "../../load/traffic/tally.ts";
import { judgedAt, requestsOf, secondsOf } from "../../load/traffic/traffic.ts";
import { targetFile, vendorKey, vendorProject } from "../support/vendor.ts";

const allParts = (base: string, more = ""): string => `
name: acme
bases: { admin: "${base}", api: "${base}", rpc: "${base}" }
projects: { main: { id: ${vendorProject}, plan: paid } }
keys: { paid: { project: main, env: SMALL_KEY } }
samples: { wallets: [5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv], owner: D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w }
pace: { perSecond: 12, usagePerSecond: 4.9 }
${more}
`;
const remote = "https://acme.example";
const target = (more = "", base = "http://127.0.0.1:9"): Target =>
  readTarget(targetForm, targetFile(allParts(base, more)), { SMALL_KEY: vendorKey });
const operationsOf = (of: Target): readonly string[] => mixFor(of, reads).shares.map(({ operation }) => operation);

test("a mix reads every operation that the target lets us ask, at its pace, and never sends a bundle", () => {
  const { shares, left } = mixFor(target(), reads);
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

test("weights and the general limit of a project share out a surface's pace", () => {
  const { shares } = mixFor(
    readTarget(
      targetForm,
      targetFile(
        allParts("http://127.0.0.1:9", "load: { weights: { getTokenAccounts: 3 } }").replace(
          "plan: paid }",
          "plan: paid, generalPerSecond: 5 }",
        ),
      ),
      {
        SMALL_KEY: vendorKey,
      },
    ),
    reads,
  );
  const rpc = shares.filter(({ stimulus }) => stimulus.api === "rpc");
  expect(perSecondOf({ shares: rpc })).toBeCloseTo(4);
  const [accounts, health] = ["getTokenAccounts", "getIndexerHealth"].map(
    (name) => rpc.find(({ operation }) => operation === name)?.perSecond ?? 0,
  );
  expect((accounts ?? 0) / (health ?? 1)).toBeCloseTo(3);
});

test("calls of 100 credits are part of it on this machine, elsewhere only where they are named", () => {
  expect(operationsOf(target())).toContain("getWalletBalances");
  expect(operationsOf(target("", remote)).filter((name) => name.includes("Wallet"))).toEqual([]);
  expect(
    operationsOf(target("load: { operations: [getWalletBalances] }", remote)).filter((name) => name.includes("Wallet")),
  ).toEqual(["getWalletBalances"]);
});

test("each share comes evenly, as often as it should", () => {
  const order = orderOf([{ perSecond: 4 }, { perSecond: 30 }, { perSecond: 16 }]);
  const places = order.flatMap((share, place) => (share === 0 ? [place] : []));
  expect(places.length / order.length).toBeCloseTo(4 / 50, 2);
  const gaps = places.slice(1).map((place, nth) => place - (places[nth] ?? 0));
  // 12.5 on average: no six of them within a second of 50 requests.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(11);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(14);
});

test("at any rate usage requests stay below their documented limit", () => {
  const { shares } = mixFor(target(), reads);
  for (const perSecond of [1, 28, 400]) {
    const scaled = scaledTo(shares, perSecond);
    expect(perSecondOf({ shares: scaled })).toBeCloseTo(perSecond);
    expect(scaled.find(({ operation }) => operation === "getProjectUsage")?.perSecond).toBeLessThanOrEqual(4);
  }
});

test("shapes last as long as they are told and never pass the allowed rate, but for stress", () => {
  for (const shape of shapes) {
    const phases = shape.phases(40, 60);
    expect(secondsOf(phases)).toBeCloseTo(60);
    expect(Math.max(...phases.map(({ perSecond }) => perSecond)) > 40).toBe(shape.isBeyondPace);
  }
  expect(spike.phases(40, 60).map(({ perSecond }) => perSecond)).toEqual([8, 40, 8]);
  expect(stress.phases(10, 60).map(({ perSecond }) => perSecond)).toEqual([10, 20, 40, 80, 160, 320]);
  expect(requestsOf(spike.phases(40, 60))).toBe(1120);
});

const wanted = { suite: { ...suite, reads }, seed: 1 };
for (const [name, plan, says] of [
  [
    "off this machine without consent",
    () => planLoad(target("", remote), smoke, wanted),
    /is not on this machine, and the target doesn't allow load\. Write `allow: \[load\]`/,
  ],
  [
    "that passes limits without consent",
    () => planLoad(target(), stress, wanted),
    /passes its limits on purpose .* doesn't allow load/,
  ],
  [
    "above the allowed rate",
    () => planLoad(target(), smoke, { ...wanted, perSecond: 29 }),
    /--rate is 29 requests per second, and acme allows 28 at most/,
  ],
  [
    "above the rate that the target allows",
    () => planLoad(target("load: { perSecond: 6 }"), smoke, { ...wanted, perSecond: 7 }),
    /acme allows 6 at most/,
  ],
  [
    "of more requests than the budget has",
    () => planLoad(target("budget: { requests: 100 }"), smoke, wanted),
    /would take 568 requests, and the budget of acme is 100/,
  ],
  [
    "of more credits than the budget has",
    () => planLoad(target("budget: { credits: 500 }"), smoke, wanted),
    /credits, and the budget of acme is 500/,
  ],
  [
    "that takes longer than the budget has",
    () => planLoad(target("budget: { seconds: 5 }"), smoke, wanted),
    /would take 20 seconds/,
  ],
] as const) {
  test(`a load ${name} is refused before anything is sent`, () => {
    expect(plan).toThrow(CommandLineError);
    expect(plan).toThrow(says);
  });
}

test("with consent the target's own rate and duration are taken", () => {
  const { phases, cost, byK6, mix } = planLoad(
    target("allow: [load]\nload: { perSecond: 6, seconds: { smoke: 30 } }", remote),
    smoke,
    wanted,
  );
  expect(phases).toEqual([{ name: "steady", seconds: 30, perSecond: 6 }]);
  expect(byK6.requests).toBe(180);
  // An owner and a stranger of usage, token accounts and compression: nothing is known of bundles here, and off this machine wallets aren't asked.
  expect(cost.requests - byK6.requests).toBe(2 * 3);
  expect(perSecondOf(mix)).toBeCloseTo(6);
});

test("a profile that isn't one is misuse", () => {
  expect(() => target("load: { perSecnd: 6 }")).toThrow(
    /load has an unknown field "perSecnd" \(did you mean "perSecond"\?\)/,
  );
  expect(() => target("load: { operations: [sendBundle] }")).toThrow(
    /load\.operations\.0 must be one of getProjectUsage/,
  );
});

test("the sample is the seed's, and as large as it should be", () => {
  const chosen = (seed: number, share: number): readonly number[] =>
    Array.from({ length: 20_000 }, (_, nth) => nth).filter((nth) => chanceOf(seed, nth) < share);
  expect(chosen(1, 0.1)).toEqual(chosen(1, 0.1));
  expect(chosen(1, 0.1)).not.toEqual(chosen(2, 0.1));
  for (const seed of [0, 1, 2, 12_345])
    for (const share of [0.01, 0.1, 0.5])
      expect(Math.abs(chosen(seed, share).length - 20_000 * share)).toBeLessThan(4 * Math.sqrt(20_000 * share));
  expect(chosen(1, 1)).toHaveLength(20_000);
  expect([judgedAt(499), judgedAt(500), judgedAt(5_000)]).toEqual([1, 0.1, 0.01]);
});

test("no share of the answers takes longer than the longest of them", () => {
  const tally = new Tally(["getIndexerHealth"], 1);
  for (const latency_us of [2_205, 3_155, 4_704]) tally.add([0, 0, 0, latency_us, 1, []]);
  const [served] = tally.latencies();
  expect(served?.max_ms).toBeGreaterThan(4.6);
  expect(served?.p99_ms).toBe(served?.max_ms);
});

test("latencies of refusals stand apart from those of answers, and histograms add up", () => {
  const tally = new Tally(["getIndexerHealth"], 2);
  for (let nth = 1; nth <= 100; nth += 1) tally.add([0, 0, 0, nth * 1_000, 1, []]);
  tally.add([1, 0, 1, 10, 1, ["ERR-ADM-429-01"]]);
  tally.add([1, 0, 3, 99_000_000, 0, []]);
  const [served, limited, failed] = tally.latencies();
  expect(served).toMatchObject({ operation: "getIndexerHealth", outcome: "served", count: 100 });
  expect(served?.p50_ms).toBeCloseTo(50, 0);
  expect(served?.p95_ms).toBeCloseTo(95, 0);
  expect(limited).toMatchObject({ outcome: "limited", count: 1, p95_ms: 0.01 });
  // Longer than a minute counts as a minute.
  expect(failed).toMatchObject({ outcome: "failed", count: 1 });
  const sum = decodeFromCompressedBase64(served?.histogram ?? "");
  sum.add(decodeFromCompressedBase64(limited?.histogram ?? ""));
  expect(sum.totalCount).toBe(101);
  expect(
    tally.phases.map(({ requests, served: of, limited: refused, failed: lost }) => [requests, of, refused, lost]),
  ).toEqual([
    [100, 100, 0, 0],
    [2, 0, 1, 1],
  ]);
  expect([tally.judged, tally.requests, [...tally.broken]]).toEqual([101, 102, [["ERR-ADM-429-01", 1]]]);
  expect(
    boundsOf(
      { ...target(), load: { ...target().load, latencyP95_ms: { getIndexerHealth: 90, getTokenAccounts: 1 } } },
      tally.latencies(),
    ),
  ).toMatchObject([{ operation: "getIndexerHealth", bound_ms: 90, isKept: false }]);
  expect(() => tally.add([0, 1, 0, 1, 0, []])).toThrow(/nothing that was asked for/);
});

const phase = (perSecond: number, more: Partial<LoadPhase> = {}): LoadPhase => ({
  name: "step",
  seconds: 10,
  perSecond,
  requests: perSecond * 10,
  served: perSecond * 10,
  limited: 0,
  failed: 0,
  p95_ms: 20,
  ...more,
});

test("the knee is the last step before one that breaks a bound, and says which", () => {
  expect(kneeOf([phase(10), phase(20), phase(40, { p95_ms: 900 }), phase(80)])).toEqual({
    perSecond: 20,
    brokenBy: "95 of 100 answers took up to 900 ms, beyond 500 ms",
  });
  expect(kneeOf([phase(10), phase(20)])).toEqual({ perSecond: 20, brokenBy: null });
  expect(kneeOf([phase(10, { limited: 3 })])).toEqual({
    perSecond: null,
    brokenBy: "3 of 100 requests were refused for their rate",
  });
  expect(brokenBy(phase(100, { failed: 11 }))).toBe("11 of 1000 requests failed");
  expect(brokenBy(phase(100, { requests: 900 }))).toBe("the generator began only 900 of 1000 requests");
  expect(brokenBy(phase(100, { requests: 1001, failed: 10, limited: 10 }))).toBeNull();
});

test("a load that the generator or the network spoilt is in doubt", () => {
  const tally = new Tally(["getIndexerHealth"], 1);
  for (let nth = 0; nth < 100; nth += 1) tally.add([0, 0, nth < 95 ? 0 : 3, 1_000, 1, []]);
  const whole = { iterations: 100, droppedIterations: 0, requests: 100 };
  const doubt = (summary: typeof whole, phases: readonly LoadPhase[], of = tally): string | null =>
    doubtOn({ tally: of, summary, shown: [], dashboard: null }, phases, false);
  expect(doubt(whole, [phase(10)])).toBeNull();
  expect(doubt({ ...whole, droppedIterations: 3 }, [phase(10)])).toBe(
    "the generator was saturated: k6 dropped 3 of 103 iterations",
  );
  expect(doubt({ ...whole, iterations: 101 }, [phase(10)])).toBe("k6 told of 100 requests and counted 101");
  expect(doubt(whole, [phase(10, { served: 95, failed: 5 })])).toBe(
    "5 of 100 requests drew no answer that can be judged",
  );
  expect(doubt(whole, [phase(10, { served: 0 })])).toBe("no request was served");
  expect(doubt({ ...whole, iterations: 0 }, [phase(10, { served: 0 })], new Tally(["getIndexerHealth"], 1))).toBe(
    "k6 sent no request",
  );
});

const jsonAnswer = (body: string): WireAnswer => ({
  status: 200,
  headers: [["content-type", "application/json"]],
  body: new TextEncoder().encode(body),
});

async function shownOf(body: string, broken: readonly string[] | null, number = 1) {
  const stimulus = mixFor(target(), reads).shares.find(({ operation }) => operation === "getIndexerHealth")?.stimulus;
  if (!stimulus) throw new Error("health isn't in the mix");
  return {
    broken,
    exchange: await exchangeOf(target(), stimulus, jsonAnswer(body), { number, sentAt_ms: Date.now(), latency_ms: 1 }),
  };
}

const options = { target: target(), suite, clock: realClock, impliedFails: false, doubt: null };

test("under load laws break; what holds counts only where checks leave the word to the laws", async () => {
  const good = findingsOf([await shownOf('{"jsonrpc":"2.0","id":1,"result":"ok"}', [])], options);
  const named = (verdict: string): readonly string[] =>
    good.verdicts.filter((one) => one.verdict === verdict).map(({ id }) => id);
  expect(named("broken")).toEqual([]);
  expect(named("holds")).toContain("RPC-ENV-01");
  const shows = new Set<string>(suite.checks.flatMap((check) => check.shows));
  for (const id of named("holds")) expect(shows).toContain(id);
  const bad = findingsOf([await shownOf('{"jsonrpc":"2.0","id":2,"result":"ok"}', ["RPC-ENV-03"])], options);
  expect(bad.disagreement).toBeNull();
  expect(
    bad.verdicts
      .filter(({ verdict }) => verdict === "broken")
      .map(({ id, breaches }) => [id, breaches.map(({ at }) => at)]),
  ).toEqual([["RPC-ENV-03", ["/id"]]]);
});

test("what k6 and this process judge otherwise makes the run inconclusive, never green", async () => {
  const body = '{"jsonrpc":"2.0","id":1,"result":"ok"}';
  const { verdicts, disagreement } = findingsOf(
    [await shownOf(body, ["RPC-ENV-03"]), await shownOf(body, null, 2)],
    options,
  );
  expect(disagreement).toBe("k6 and this process judged 1 of 2 answers otherwise: RPC-ENV-03");
  expect(verdicts.every(({ verdict }) => verdict === "inconclusive")).toBe(true);
  expect(
    findingsOf([await shownOf(body, [])], { ...options, doubt: "saturated" }).verdicts.every(
      ({ verdict, reason }) => verdict === "inconclusive" && reason === "saturated",
    ),
  ).toBe(true);
});

// Tests of the checks on rate limits: right limiters hold, withheld verdicts have their reasons

import { expect, test } from "@playwright/test";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import { askersOf } from "../../harness/core/requestSpec.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import { lockNames, scheduledAs } from "../../harness/engine/jobs.ts";
import { writesTo } from "../../harness/engine/scheduler.ts";
import type { Check } from "../../harness/model/check.ts";
import { type ShownVerdict, shownVerdict } from "../../harness/model/shown.ts";
import { isRateRefusal } from "../../harness/transport/answers.ts";
import type { Generator } from "../../harness/transport/timedRequests.ts";
import { loadSuite } from "../../load/suite.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { algorithms } from "../../reference/platform/limitRules.ts";
import { type RequirementId, requirements } from "../../specs/generated/requirements.ts";
import { asVendor, outcomeOf, type Trial } from "../support/probeSpecs.ts";
import { payingVendor } from "../support/vendorsInProcess.ts";
import { variantNamed } from "../support/wallets.ts";

const rates: readonly RequirementId[] = requirements.map(({ id }) => id).filter((id) => id.startsWith("RATE-"));
const ofUsage = rates.filter((id) => id.startsWith("RATE-ADM-"));
const ofBundles = rates.filter((id) => id.startsWith("RATE-SB-"));

const judged = (trial: Trial) =>
  outcomeOf({ suite: loadSuite, hasSchedules: true, observe: [], only: rates, ...trial });

const resultsOf = (verdicts: readonly ShownVerdict[]): { readonly [id: string]: string } =>
  Object.fromEntries(
    verdicts
      .filter(({ id }) => id.startsWith("RATE-"))
      .map(({ id, verdict, reason }) => [id, reason === null ? verdict : `${verdict}: ${reason}`]),
  );
const all = (ids: readonly string[], what: string): { readonly [id: string]: string } =>
  Object.fromEntries(ids.map((id) => [id, what]));

/** On a push: a burst may meet two of its windows. All sorts are simulated in proof/limiter on each push. */
const onPush: (typeof algorithms)[number] = "windows at set times";

for (const limiter of algorithms) {
  for (const [judging, only] of [
    ["by limits alone", rates],
    ["by every check of usage and bundles", null],
  ] as const) {
    const tag = only === null || limiter !== onPush ? "@slow" : [];
    test(`a limiter of 5 per second holds, judged ${judging}: ${limiter}`, { tag }, async () => {
      const offers = ["usage", "bundles"] as const;
      const { verdicts, broken, inconclusive } = await judged({
        choice: { rules: { choices: { limiter } } },
        target: (target) => ({ ...target, offers }),
        only,
      });
      expect({ broken, inconclusive }).toEqual({ broken: [], inconclusive: [] });
      expect(resultsOf(verdicts)).toEqual(all(rates, "holds"));
    });
  }
}

test("where projects can be made, experiments with bundles use projects of their own", async () => {
  const { exchanges } = await judged({ only: ofBundles });
  const senders = new Set(
    exchanges.flatMap(({ requestSpec, asker }) =>
      requestSpec.operation === "sendBundle" && asker ? [asker.role] : [],
    ),
  );
  expect(senders.size).toBeGreaterThan(4);
  expect([...senders].filter((role) => !role.startsWith("made-"))).toEqual([]);
});

test("with consent to throttle a vendor's usage limit is judged; bundles and plans are withheld", async () => {
  const { verdicts } = await judged({ target: asVendor({ allow: ["throttle"] }) });
  expect(resultsOf(verdicts)).toEqual({
    ...all(ofUsage, "holds"),
    ...all(ofBundles, "withheld: the target doesn't allow `sendBundle`"),
    ...all(["RATE-GEN-01", "RATE-GEN-02"], "withheld: not testable from outside (needs a test project)"),
  });
});

test("without consent no refusal is provoked", async () => {
  const { verdicts, exchanges } = await judged({ target: asVendor({ allow: [] }), only: ofUsage });
  expect(resultsOf(verdicts)).toEqual(all(ofUsage, "withheld: the target doesn't allow `throttle`"));
  expect(exchanges.filter(isRateRefusal)).toEqual([]);
});

test("without a generator the verdicts are withheld with its reason", async () => {
  const lacks = "no k6: it is neither on the PATH nor built";
  const { verdicts } = await judged({ generator: () => ({ lacks }) });
  expect(resultsOf(verdicts)).toEqual(all(rates, `withheld: ${lacks}`));
  const { generator: _, ...options } = inProcess(loadSuite);
  const without = await openEngine({ ...options, only: ofUsage, observe: [] }).run();
  expect(resultsOf(without.map(shownVerdict))).toEqual(all(ofUsage, "withheld: nothing here generates load"));
});

test("a generator that couldn't send on time leaves verdicts inconclusive", async () => {
  const overloaded = { name: "overloaded", fire: () => Promise.reject(new Inconclusive("12 iterations were dropped")) };
  const { verdicts } = await judged({ generator: () => overloaded, only: ofUsage });
  expect(resultsOf(verdicts)).toEqual(all(ofUsage, "inconclusive: 12 iterations were dropped"));
});

test("bursts of bundles run one after another, since they may share a limit; other bursts run in parallel", () => {
  const { target } = inProcess(loadSuite);
  const byTurn = new Map<string, Check[]>();
  for (const check of loadSuite.checks.filter(({ needs }) => needs.schedules)) {
    const { locks } = scheduledAs({ check, unmetNeed: null }, target);
    const [turn = ""] = locks.writes;
    if (writesTo(locks, lockNames.ownLimits)) byTurn.set(turn, [...(byTurn.get(turn) ?? []), check]);
  }
  const turns = [...byTurn.values()];
  const sending = turns.filter((checks) => checks.some(({ ids }) => ids.some((id) => id.startsWith("RATE-SB-"))));
  expect(sending.map((checks) => [...new Set(checks.flatMap(({ ids }) => ids))])).toEqual([ofBundles]);
  expect(turns.length).toBeGreaterThan(5);
  // None of the others uses the target's own keys.
  const others = turns.filter((checks) => !sending.includes(checks)).flat();
  expect([...new Set(others.flatMap(({ needs }) => needs.requests.flatMap(askersOf)))]).toEqual(["bystander"]);
});

test("a schedule that was sent late is judged when it is sent again on time", async () => {
  const sent = new Set<number>();
  const lateAtFirst = (usual: Generator): Generator => ({
    name: "late at first",
    fire: async (timedRequests) => {
      const timedAnswers = await usual.fire(timedRequests);
      if (sent.has(timedRequests.length)) return timedAnswers;
      sent.add(timedRequests.length);
      throw new Inconclusive("a request was sent late");
    },
  });
  const { verdicts } = await judged({ generator: lateAtFirst, only: ofUsage });
  expect(sent.size).toBeGreaterThan(3);
  expect(resultsOf(verdicts)).toEqual(all(ofUsage, "holds"));
});

const gatewayPage = { status: 502, headers: [["content-type", "text/html"]], body: new Uint8Array() } as const;

test("requests without an answer break nothing", async () => {
  const losing = (usual: Generator): Generator => ({
    name: "losing",
    fire: async (timedRequests) => (await usual.fire(timedRequests)).map((one) => ({ ...one, outcome: gatewayPage })),
  });
  const { broken, held } = await judged({ generator: losing, only: ofUsage });
  expect({ broken, held }).toEqual({ broken: [], held: [] });
});

test("serving too little is a breach only where nobody else can have used the limit up", async () => {
  const found = async (only: RequirementId, mutant: string, quiet: boolean): Promise<readonly string[]> => {
    const target = asVendor({ allow: ["throttle"], quiet });
    const { verdicts } = await judged({ choice: variantNamed(`${only}.${mutant}`), target, only: [only] });
    return verdicts.map(({ verdict, reason }) => `${verdict}: ${reason}`);
  };
  expect(await found("RATE-ADM-01", "limit-4", false)).toEqual([
    expect.stringMatching(/^withheld: .* the target doesn't say `quiet: true`/),
  ]);
  expect(await found("RATE-ADM-01", "limit-4", true)).toEqual([expect.stringMatching(/^broken: /)]);
  expect(await found("RATE-ADM-02", "limit-6", false)).toEqual([expect.stringMatching(/^broken: /)]);
});

test("a budget that doesn't cover a schedule sends none of it", async () => {
  const target = asVendor({ allow: ["throttle"], budget: { requests: 30 } });
  const { verdicts, engine } = await judged({ target, only: ["RATE-ADM-02"] });
  expect(resultsOf(verdicts)).toEqual({ "RATE-ADM-02": "withheld: the budget of 30 requests is spent" });
  expect(engine.spent.requests).toBeLessThan(20);
});

for (const [title, mutant, tag] of [
  ["nothing is broken", null, null],
  ["their limit is 6", "RATE-SB-02.limit-6", null],
  ["projects share it", "RATE-SB-04.global", "@slow"],
] as const)
  test(`no more bundles are sent than planned where ${title}`, tag ? { tag } : {}, async () => {
    const target = payingVendor({ allow: ["throttle", "sendBundle"] });
    const choice = mutant === null ? undefined : variantNamed(mutant);
    const { broken, exchanges, engine } = await judged({ choice, target, only: ofBundles });
    const sent = exchanges.filter(({ requestSpec }) => requestSpec.operation === "sendBundle").length;
    expect(sent).toBeGreaterThan(80);
    expect(sent).toBeLessThanOrEqual(engine.plan.sends.calls);
    expect(broken.length > 0).toBe(choice !== undefined);
  });

test("exchanges of schedules hold no key, and every answer passes the laws", async () => {
  const { exchanges, engine } = await judged({ choice: variantNamed("ERR-ADM-429-01.trimmed"), only: ofUsage });
  const { target } = inProcess(loadSuite);
  expect(exchanges.length).toBeGreaterThan(400);
  for (const { secret } of target.keys.values()) expect(JSON.stringify(exchanges)).not.toContain(secret.open());
  expect(new Set(exchanges.map(({ number }) => number)).size).toBe(exchanges.length);
  expect(engine.verdict("ERR-ADM-429-01").verdict).toBe("broken");
  expect(resultsOf([shownVerdict(engine.verdict("RATE-ADM-03"))])).toEqual({
    "RATE-ADM-03": "withheld: ERR-ADM-429-01: the refusal's message isn't the documented one",
  });
});

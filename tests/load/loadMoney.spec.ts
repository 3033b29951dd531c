// Money of loads: what goes out before k6 stays within what the budget leaves beside k6, whatever comes back
import { expect, test } from "@playwright/test";
import { virtualClock } from "../../harness/core/clock.ts";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import type { WireRequest } from "../../harness/transport/wire.ts";
import { smoke } from "../../load/shapes/shapes.ts";
import { loadSuite } from "../../load/suite.ts";
import { perform } from "../../load/traffic/load.ts";
import { planLoad } from "../../load/traffic/plan.ts";
import { preflight } from "../../load/traffic/preflight.ts";
import { loadTarget } from "../support/madeLoads.ts";
import { moneyFaults } from "../support/moneyFaults.ts";

const wanted = { suite: loadSuite, seed: 1, seconds: 10, perSecond: 5 };
const free = loadTarget();
const { cost } = planLoad(free, smoke, wanted);
/** Just enough. */
const target = { ...free, budget: { requests: cost.requests, credits: cost.credits } };
const plan = planLoad(target, smoke, wanted);

const isWallet = ({ url }: WireRequest): boolean => new URL(url).pathname.startsWith("/v1/wallet");

for (const [name, fault] of Object.entries(moneyFaults))
  test(`${name} before a load: no more is asked than the budget leaves beside k6, and nothing is sent by k6`, async () => {
    const sent: WireRequest[] = [];
    const clock = virtualClock(0);
    const wire = (request: WireRequest) => {
      sent.push(request);
      return fault.how(request);
    };
    const transport = transportTo({ ...target, budget: plan.preflight }, wire, clock, { deadline_ms: 20 });
    const asking = preflight(target, plan.mix.shares, loadSuite.authSanityChecks, transport, clock);
    await expect(asking).rejects.toThrow(Inconclusive);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length + plan.byK6.requests).toBeLessThanOrEqual(target.budget.requests);
    expect(100 * sent.filter(isWallet).length + plan.byK6.credits).toBeLessThanOrEqual(target.budget.credits);
  });

test("a load whose preflight has spent what the budget leaves ends with a sentence that says so", async () => {
  const how = moneyFaults["JSON 429 with Retry-After: 0"]?.how;
  const [share] = plan.mix.shares;
  if (!how || !share) throw new Error("there is no such fault, or no share");
  const tight = { ...plan, preflight: { requests: 1 } };
  const k6 = { path: "/nowhere/k6", version: "0" };
  const loading = perform({ k6, target, plan: tight, suite: loadSuite, impliedFails: false, wire: how });
  await expect(loading).rejects.toThrow(/no load was sent: the preflight failed .*the budget of 1 request/);
});

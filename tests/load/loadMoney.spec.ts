// Money of loads: what goes out before k6 stays within what the budget leaves beside k6, whatever comes back
import { expect, test } from "@playwright/test";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import type { Wire, WireRequest } from "../../harness/transport/wire.ts";
import { smoke } from "../../load/shapes/shapes.ts";
import { loadSuite } from "../../load/suite.ts";
import { perform } from "../../load/traffic/load.ts";
import { planLoad } from "../../load/traffic/plan.ts";
import { preflight } from "../../load/traffic/preflight.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { moneyFaults } from "../support/moneyFaults.ts";
import { asVendor } from "../support/probeSpecs.ts";

const own = inProcess(loadSuite);
const free = asVendor({ allow: ["load"] })(own.target);
const wanted = { suite: loadSuite, seed: 1, seconds: 10, perSecond: 5 };
const { cost } = planLoad(free, smoke, wanted);
/** Just enough. */
const target = { ...free, budget: { requests: cost.requests, credits: cost.credits } };
const plan = planLoad(target, smoke, wanted);

const isWallet = ({ url }: WireRequest): boolean => new URL(url).pathname.startsWith("/v1/wallet");

for (const [name, { how, isTaken }] of Object.entries(moneyFaults))
  test(`${name}, twice for each request before a load: no more is asked than the budget leaves beside k6`, async () => {
    const sent: WireRequest[] = [];
    const { wire, clock } = own;
    const faulty: Wire = async (request, signal) => {
      const key = JSON.stringify([request.url, request.body]);
      const before = sent.filter(({ url, body }) => JSON.stringify([url, body]) === key).length;
      sent.push(request);
      const answer = isTaken || before > 1 ? await wire(request, signal) : null;
      return before > 1 && answer ? answer : how(request);
    };
    const transport = transportTo({ ...target, budget: plan.preflight }, faulty, clock, { deadline_ms: 20 });
    const preparing = preflight(target, plan.mix.shares, loadSuite.authSanityChecks, transport, clock);
    await expect(preparing).rejects.toThrow(Inconclusive);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length + plan.byK6.requests).toBeLessThanOrEqual(target.budget.requests);
    expect(100 * sent.filter(isWallet).length + plan.byK6.credits).toBeLessThanOrEqual(target.budget.credits);
  });

test("a load whose preflight has spent what the budget leaves ends with a sentence that says so", async () => {
  const how = moneyFaults["JSON 429 with Retry-After: 0"]?.how;
  if (!how) throw new Error("there is no such fault");
  const tight = { ...plan, preflight: { requests: 1 } };
  const k6 = { path: "/nowhere/k6", version: "0" };
  const loading = perform({ k6, target, plan: tight, suite: loadSuite, impliedFails: false, wire: how });
  await expect(loading).rejects.toThrow(/no load was sent: the preflight failed .*the budget of 1 request/);
});

// Observing: what reads the answers of others asks only what wasn't answered twice already
import { expect, test } from "@playwright/test";
import { ownersUsage } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite } from "../../contracts/suite.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import { scenario } from "../../harness/model/check.ts";
import { observeAll } from "../../harness/model/probe.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { asVendor, outcomeOf } from "../support/probeSpecs.ts";

const { auditor: _, ...rest } = contractSuite;

for (const [answered, asked] of [
  [1, 1],
  [2, 0],
] as const)
  test(`a request that was answered ${answered} times is asked ${asked} more`, async () => {
    const reading = scenario("USG-HTTP-01", { requests: [ownersUsage], feature: "usage" }, async (context) => {
      // The auth sanity check has asked once.
      for (let nth = 1; nth < answered; nth += 1) await context.ask(context.fresh(ownersUsage));
      return [];
    });
    const halves: number[] = [];
    const probe = observeAll("usage", "OBS-CRD-RESIDUAL", [ownersUsage], ({ ownAnswers }) => {
      halves.push(ownAnswers.length);
      return [];
    });
    const { exchanges } = await outcomeOf({
      suite: { ...rest, checks: [reading], probes: [probe] },
      observe: ["OBS-CRD-RESIDUAL"],
      target: asVendor({ offers: ["usage"] }),
    });
    const owners = exchanges.filter(({ asker, answer }) => asker?.role === "paid" && answer?.status === 200);
    expect([owners.length, halves]).toEqual([answered + asked, [1, 1]]);
  });

test("a run that only observes can be ended with its verdicts, and what isn't observed yet is withheld", async () => {
  const reading = scenario("USG-HTTP-01", { requests: [ownersUsage], feature: "usage" }, () => Promise.resolve([]));
  const never = new Promise<never>(() => {});
  const waiting = { ...observeAll("usage", "OBS-CRD-RESIDUAL", [ownersUsage], () => []), observe: () => never };
  const engine = openEngine({
    ...inProcess({
      ...rest,
      auditor: () => Promise.resolve({ close: () => never }),
      checks: [reading],
      probes: [waiting],
    }),
    observe: ["OBS-CRD-RESIDUAL"],
  });
  const observed: unknown[] = [];
  const audits: unknown[] = [];
  engine.events.on((event) => {
    if (event.event === "observation") observed.push(event.observation);
    if (event.event === "audit") audits.push(event.audit);
  });
  expect(engine.isObserving).toBe(false);
  void engine.run();
  await expect.poll(() => engine.isObserving).toBe(true);
  expect((await engine.stopObserving()).map(({ id }) => id)).toEqual(["USG-HTTP-01"]);
  expect(observed).toMatchObject([{ id: "OBS-CRD-RESIDUAL", state: "withheld", reasons: [{ kind: "notReached" }] }]);
  expect(audits).toEqual([{ entries: [], reason: "the run ended before it was closed" }]);
});

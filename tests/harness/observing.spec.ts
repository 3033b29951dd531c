// Observing: what reads the answers of others asks only what wasn't answered twice already
import { expect, test } from "@playwright/test";
import { ownersUsage } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite } from "../../contracts/suite.ts";
import { scenario } from "../../harness/model/check.ts";
import { observeAll } from "../../harness/model/probe.ts";
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

// Has each plan its own general limit, and are statuses and simulations under it? (§8) Its numbers aren't shown, so that only plans made for it can tell.
import {
  feature,
  simulate,
  statuses,
  transactions,
  unknownBundleIds,
  written,
} from "../../contracts/bundles/requests.ts";
import { health } from "../../contracts/shared/jsonRpcRequests.ts";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import { type Check, scenario } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import type { OperationId } from "../../specs/generated/operations.ts";
import { acrossPlans, type Experiment, overPlan, plainPlan, plans } from "./experiments.ts";
import { twice } from "./gate.ts";
import { plansApart } from "./planLimits.ts";
import { servesBetween } from "./rates.ts";
import { askerFor, sendingExperiment, shown } from "./running.ts";
import { planned } from "./usage.ts";

type Ask = (target: Target, as: Asker) => (nth: number) => Stimulus;

const statusOf: Ask = (_, as) => (nth) => statuses([[unknownBundleIds[0] ?? ""]], { as, id: nth + 1 });

/** One bundle for all: nothing of it is sent. */
const simulation: Ask = (target, as) => {
  const texts = transactions(target, { tip: "all" }).map((signed) => written(signed, "base64"));
  return (nth) => simulate([texts, { encoding: "base64" }], { as, id: nth + 1 });
};

const needs = (name: string, experiment: Experiment, operation: OperationId) =>
  ({
    feature,
    requests: [],
    control: { reads: 0 },
    consent: "throttle",
    schedules: [planned(name, experiment, operation)],
  }) as const;

const underPlan = (name: string, operation: OperationId, ask: Ask): Check =>
  scenario("RATE-GEN-01", needs(name, overPlan, operation), async (context) => {
    const fire = sendingExperiment(context, name, async () => {
      const stimulus = ask(context.target, await askerFor(context, name, { plan: { general: plainPlan } }));
      return (_, nth) => stimulus(nth);
    });
    return shown(
      await twice(async (go) =>
        servesBetween(await fire(overPlan, go), { least: plainPlan.burst, perSecond: plainPlan.perSecond }),
      ),
      "/error",
    );
  });

const byPlan = scenario("RATE-GEN-02", needs("plans", acrossPlans, "getIndexerHealth"), async (context) => {
  const fire = sendingExperiment(context, "plans", async () => {
    // A quota that is spent stays so: whatever is sent, for the first time or again, has projects of its own.
    const askers = await Promise.all(
      Object.values(plans).map(async (general) => (await context.project({ plan: { general } })).asker),
    );
    return ({ caller }, nth) => health(undefined, { as: askers[caller] ?? "owner", id: nth + 1 });
  });
  return shown(await twice(async (go) => plansApart(await fire(acrossPlans, go))), "/error");
});

export const checks: readonly Check[] = [
  underPlan("statuses over the plan", "getBundleStatuses", statusOf),
  underPlan("simulations over the plan", "simulateBundle", simulation),
  byPlan,
];

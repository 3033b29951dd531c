// Checks of the general limit of each plan, made by control as its numbers aren't documented (§8)
import {
  encodedTransaction,
  feature,
  simulate,
  statuses,
  transactions,
  unknownBundleIds,
} from "../../contracts/bundles/requests.ts";
import { health } from "../../contracts/shared/jsonRpcRequests.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import { type Check, type CheckContext, scenario } from "../../harness/model/check.ts";
import type { OperationId } from "../../specs/generated/operations.ts";
import { acrossPlans, type Experiment, overPlan, plainPlan, plans } from "./experiments.ts";
import { judgeTwice } from "./gate.ts";
import { plansApart } from "./planLimits.ts";
import { servesBetween } from "./rates.ts";
import { askerFor, experimentSender, shownByLimit } from "./running.ts";
import { plannedUsageReads } from "./usage.ts";

type RequestFor = (context: CheckContext, as: Asker) => Promise<(nth: number) => RequestSpec>;

const statusOf: RequestFor = (_, as) =>
  Promise.resolve((nth) => statuses([[unknownBundleIds[0] ?? ""]], { as, id: nth + 1 }));

/** All simulate one bundle, which is never sent. */
const simulation: RequestFor = async (context, as) => {
  const texts = (await transactions(context, { tip: "all" })).map((signed) => encodedTransaction(signed, "base64"));
  return (nth) => simulate([texts, { encoding: "base64" }], { as, id: nth + 1 });
};

const needs = (name: string, experiment: Experiment, operation: OperationId) =>
  ({
    feature,
    requests: [],
    control: { reads: 0 },
    consent: "throttle",
    schedules: [plannedUsageReads(name, experiment, operation)],
  }) as const;

const underPlan = (name: string, operation: OperationId, requestFor: RequestFor): Check =>
  scenario("RATE-GEN-01", needs(name, overPlan, operation), async (context) => {
    const fire = experimentSender(context, name, async () => {
      const requestSpec = await requestFor(context, await askerFor(context, name, { plan: { general: plainPlan } }));
      return (_, nth) => requestSpec(nth);
    });
    const { burst: least, perSecond } = plainPlan;
    const judge = async (attempt: number) => servesBetween(await fire(overPlan, attempt), { least, perSecond });
    return shownByLimit(await judgeTwice(judge), "/error");
  });

const byPlan = scenario("RATE-GEN-02", needs("plans", acrossPlans, "getIndexerHealth"), async (context) => {
  const fire = experimentSender(context, "plans", async () => {
    // A spent quota stays spent: each attempt has projects of its own.
    const askers = await Promise.all(
      Object.values(plans).map(async (general) => (await context.project({ plan: { general } })).asker),
    );
    return ({ caller }, nth) => health(undefined, { as: askers[caller] ?? "owner", id: nth + 1 });
  });
  return shownByLimit(await judgeTwice(async (attempt) => plansApart(await fire(acrossPlans, attempt))), "/error");
});

export const checks: readonly Check[] = [
  underPlan("statuses over the plan", "getBundleStatuses", statusOf),
  underPlan("simulations over the plan", "simulateBundle", simulation),
  byPlan,
];

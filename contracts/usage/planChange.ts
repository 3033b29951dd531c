// Checks of a change of plan: what stays, and what follows the new plan (§2.1).
import { equals } from "../../harness/core/finding.ts";
import { notSettled } from "../../harness/core/outcomes.ts";
import type { Check, Shown } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { asUndescribed } from "../shared/describeCalls.ts";
import { notTested } from "../shared/masked.ts";
import { usageRequest } from "../shared/requestSpecs.ts";
import { amountAt, nothingFell, numberIs, valueIn, withProject } from "./usageReader.ts";

/** Judges the usage of a project with 300 regular and 40 prepaid credits used, before and after a change of plan. */
const changing = (
  id: RequirementId,
  plan: { readonly name: string; readonly kind: "paid" | "free" },
  judge: (after: Exchange, before: Exchange) => Shown,
): Check =>
  withProject(id, 2, { plan: { creditsLimit: 1000 }, prepaid: "500" }, async ({ project, read }, { ask, fresh }) => {
    await project.consume("rpc", "300", { pool: "regular" });
    await project.consume("das", "40", { pool: "prepaid" });
    const before = await read();
    await project.changePlan({ ...plan, creditsLimit: 5000 });
    // The target describes the test project by its first plan, so that no law may judge this answer.
    const after = await ask(fresh(asUndescribed(usageRequest({ as: project.asker }))));
    if (after.answer?.status !== 200) throw notTested(`usage got ${after.answer?.status} after a change of plan`);
    return [judge(after, before)];
  });

const larger = { name: "larger", kind: "paid" } as const;
const free = { name: "free of charge", kind: "free" } as const;

export const checks: readonly Check[] = [
  // Whether a new cycle begins is unspecified (OBS-CYC-PLANCHG); within one cycle nothing falls.
  changing("CRD-MONO-01", larger, (after, before) => nothingFell(before, after)),

  // Whichever plan's limit is shown, the other figures follow from it.
  changing("CRD-REM-01", larger, (after) => {
    const regular = amountAt(after, "/creditsUsed").minus(amountAt(after, "/prepaidCreditsUsed"));
    const left = amountAt(after, "/subscriptionDetails/creditsLimit").minus(regular);
    return numberIs(after, "/creditsRemaining", left.lt(0) ? 0 : left, 1);
  }),

  changing("CYC-BILL-01", free, (after) => {
    if (valueIn(after, "/subscriptionDetails/plan") !== free.name)
      throw notSettled("the change of plan isn't in effect yet");
    const at = "/subscriptionDetails/billingCycle";
    return { exchange: after, finding: equals(at, valueIn(after, at), null) };
  }),
];

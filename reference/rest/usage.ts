// What does the platform say of a project's usage? (§2.1, §4.1)
import { cycleAt, dayOf, plusDays, type Window, yearAt } from "../calendar.ts";
import { metered, perProduct, products, rounded, streams, totalsOf } from "../ledger.ts";
import type { Rules } from "../rules.ts";
import type { Value } from "../wire.ts";
import { nowOf, type Project } from "../world.ts";

export function usageOf(project: Project, rules: Rules, real_ms: number): { [member: string]: Value } {
  const { plan, usage } = project;
  const totals = totalsOf(usage, plan.creditsLimit);
  return {
    creditsRemaining: totals.remaining,
    creditsUsed: totals.used,
    prepaidCreditsRemaining: totals.prepaidRemaining,
    prepaidCreditsUsed: totals.prepaidUsed,
    creditCycle: { ...creditCycleOf(project, rules, real_ms) },
    subscriptionDetails: {
      billingCycle: plan.kind === "free" ? null : { ...billingCycleOf(project, rules, real_ms) },
      creditsLimit: plan.creditsLimit,
      plan: plan.name,
    },
    credits: perProduct(products, (product) => rounded(usage.credits[product])),
    requests: perProduct(metered, (product) => usage.requests[product]),
    dataTransfer: perProduct(streams, (stream) => usage.bytes[stream]),
  };
}

function creditCycleOf(project: Project, rules: Rules, real_ms: number): Window {
  const now_ms = nowOf(project, real_ms);
  const current = cycleAt(project.billingAnchor, now_ms);
  switch (rules.creditCycle) {
    case "current":
      return current;
    case "previous":
      return cycleAt(project.billingAnchor, now_ms, -1);
    case "next on the last day":
      return current.end === dayOf(now_ms) ? cycleAt(project.billingAnchor, now_ms, 1) : current;
    case "of the signup":
      return cycleAt(project.billingAnchor, Date.parse(project.billingAnchor));
  }
}

function billingCycleOf(project: Project, rules: Rules, real_ms: number): Window {
  const now_ms = nowOf(project, real_ms);
  const current = cycleAt(project.billingAnchor, now_ms);
  switch (rules.billingCycle) {
    case "as creditCycle":
      return creditCycleOf(project, rules, real_ms);
    case "shifted by a day":
      return { start: plusDays(current.start, 1), end: plusDays(current.end, 1) };
    case "annual":
      return yearAt(project.billingAnchor, now_ms);
    case "previous":
      return cycleAt(project.billingAnchor, now_ms, -1);
    case "next":
      return cycleAt(project.billingAnchor, now_ms, 1);
  }
}

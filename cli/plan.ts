// What will be tried on a target, what will it cost, and what can't be tried?
import { citedBy } from "../harness/check.ts";
import type { Plan } from "../harness/plan.ts";
import type { PlannedProbe } from "../harness/probe.ts";
import type { Target } from "../harness/target.ts";

/** The first line is the plan in one sentence; the others say what is lacking. */
export function planLines(target: Target, plan: Plan, probes: readonly PlannedProbe[] = []): string[] {
  const { tried, requests, credits, unpriced, checks } = plan;
  const seconds = Math.ceil(requests / target.perSecond);
  const bases = [...new Set(Object.values(target.bases))].join(", ");
  const lacking = new Map<string, Set<string>>();
  for (const { check, lacks } of checks) {
    if (lacks === null) continue;
    const ids = lacking.get(lacks) ?? new Set();
    lacking.set(lacks, ids);
    for (const id of citedBy(check)) ids.add(id);
  }
  const unseen = new Map<string, string[]>();
  for (const { probe, lacks } of probes) if (lacks !== null) unseen.set(lacks, [...(unseen.get(lacks) ?? []), probe.id]);
  const looked = probes.filter(({ lacks }) => lacks === null).length;
  return [
    `assay run · ${target.name} (${bases}) · ${tried.length} requirements planned · ${credits} credits + ${unpriced} calls of unknown price${looked ? ` · ${looked} open points` : ""} · about ${seconds} s`,
    ...[...lacking].filter(([, ids]) => ids.size > 0).map(([reason, ids]) => `withheld: ${reason}: ${[...ids].join(", ")}`),
    ...[...unseen].map(([reason, ids]) => `not looked at: ${reason}: ${ids.join(", ")}`),
  ];
}

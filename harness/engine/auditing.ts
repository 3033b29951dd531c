// The charge audit within a run: opened before its first call, closed after its last.

import type { OpenAudit } from "../model/chargeAudit.ts";
import type { CheckContext } from "../model/check.ts";
import type { EngineEvent } from "../model/event.ts";
import type { Suite } from "../model/suite.ts";
import type { Target } from "../targets/target.ts";
import type { Ledger } from "./ledger.ts";
import { callersOfPlan, type Plan } from "./plan.ts";
import type { Verdicts } from "./verdicts.ts";

/** What the audit itself waits for. */
export const auditNeeds = { settles: { window: "audit", rounds: 1 } } as const;

export const openAudit = async ({ auditor }: Suite, context: CheckContext, plan: Plan, target: Target) =>
  (await auditor?.(context, callersOfPlan(plan, target).features)) ?? null;

interface Closing {
  readonly target: Pick<Target, "others">;
  readonly verdicts: Pick<Verdicts, "withdrawCounted">;
  readonly ledger: Pick<Ledger, "find">;
  readonly onEvent: (event: EngineEvent) => void;
}

/** Takes back what was counted in projects that others used, and adds what the audit found. */
export async function closeAudit(audit: OpenAudit | null, { target, ...closing }: Closing): Promise<void> {
  const { verdicts, ledger, onEvent } = closing;
  const closed = await audit?.close();
  const usedByOthers = [...new Set([...(closed?.usedByOthers ?? []), ...(target.others?.projects() ?? [])])];
  if (usedByOthers.length > 0) onEvent({ event: "usedByOthers", projects: usedByOthers });
  verdicts.withdrawCounted(usedByOthers);
  if (!closed) return;
  for (const { id, shown } of closed.differences) ledger.find(id, shown);
  onEvent({ event: "audit", audit: closed.audit });
}

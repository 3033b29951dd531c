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
  readonly verdicts: Pick<Verdicts, "withdrawCounted">;
  readonly ledger: Pick<Ledger, "find">;
  readonly onEvent: (event: EngineEvent) => void;
}

/** Takes back what was counted in projects that others used. */
export function withdrawUsed({ verdicts, onEvent }: Omit<Closing, "ledger">, projects: readonly string[]): void {
  if (projects.length > 0) onEvent({ event: "usedByOthers", projects });
  verdicts.withdrawCounted(projects);
}

/** Adds what the audit found, once what others may have moved is taken back. */
export async function closeAudit(audit: OpenAudit | null, closing: Closing): Promise<void> {
  const closed = await audit?.close();
  if (!closed) return;
  const { ledger, onEvent } = closing;
  withdrawUsed(closing, closed.usedByOthers);
  for (const { id, shown } of closed.differences) ledger.find(id, shown);
  onEvent({ event: "audit", audit: closed.audit });
}

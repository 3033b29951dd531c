// Changes of the charge audit from one run to another.
import Big from "big.js";
import type { Run } from "../../harness/record/run.ts";
import { expectedText, type ShownAuditEntry } from "../audit.ts";
import type { Charge, ChargeChange } from "./comparedFigures.ts";

const chargeOf = (entry: ShownAuditEntry): Charge => {
  const { charged, spent, result } = entry;
  const isKnown = result === "differs" && charged !== null;
  return {
    charged,
    spent: expectedText(entry),
    result,
    ...(isKnown ? { thanExpected: new Big(charged).gt(spent.most) ? "more" : "less" } : {}),
  };
};

const counterOf = ({ project, at }: ShownAuditEntry): string => `${project} ${at}`;

/** By counter. */
export const chargesIn = ({ audit }: Pick<Run, "audit">): ReadonlyMap<string, Charge> =>
  new Map((audit?.entries ?? []).map((entry) => [counterOf(entry), chargeOf(entry)]));

/** Counters in both audits; one that is inconclusive in either counts as unchanged. */
export function chargeChangesBetween(base: Run, head: Run): readonly ChargeChange[] {
  const before = new Map((base.audit?.entries ?? []).map((entry) => [counterOf(entry), entry]));
  return (head.audit?.entries ?? []).flatMap((entry): ChargeChange[] => {
    const was = before.get(counterOf(entry));
    if (!was) return [];
    const { project, at, result } = entry;
    const isReported = was.result !== result && was.result !== "open" && result !== "open";
    return [{ project, at, was: chargeOf(was), is: chargeOf(entry), isReported }];
  });
}

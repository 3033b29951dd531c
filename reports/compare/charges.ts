// Changes of the charge audit from one run to another.
import type { Run } from "../../harness/record/run.ts";
import { type Entry, expectedOf } from "../sentences.ts";
import type { Charge, ChargeChange } from "./comparison.ts";

const chargeOf = (entry: Entry): Charge => ({ charged: entry.charged, spent: expectedOf(entry), result: entry.result });

/** Counters in both audits; one that is inconclusive in either is no change. */
export function chargeChangesBetween(base: Run, head: Run): readonly ChargeChange[] {
  const before = base.audit?.entries ?? [];
  return (head.audit?.entries ?? []).flatMap((entry): ChargeChange[] => {
    const was = before.find(({ project, at }) => project === entry.project && at === entry.at);
    if (!was) return [];
    const { project, at, result } = entry;
    const isReported = was.result !== result && was.result !== "open" && result !== "open";
    return [{ project, at, was: chargeOf(was), is: chargeOf(entry), isReported }];
  });
}

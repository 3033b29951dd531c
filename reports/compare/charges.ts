// Was as much charged as was spent, in both runs?
import type { Run } from "../../harness/record/run.ts";
import { expectedOf } from "../words.ts";
import type { Charge, ChargeChange } from "./comparison.ts";

type Entry = NonNullable<Run["audit"]>["entries"][number];

const chargeOf = (entry: Entry): Charge => ({ charged: entry.charged, spent: expectedOf(entry), result: entry.result });

/** Figures that both audits looked at; what can't be told in one of them is no change. */
export function chargeChangesBetween(base: Run, head: Run): readonly ChargeChange[] {
  const before = base.audit?.entries ?? [];
  return (head.audit?.entries ?? []).flatMap((entry): ChargeChange[] => {
    const was = before.find(({ project, at }) => project === entry.project && at === entry.at);
    if (!was) return [];
    const { project, at } = entry;
    return [
      {
        project,
        at,
        was: chargeOf(was),
        is: chargeOf(entry),
        isReported: was.result !== entry.result && was.result !== "open" && entry.result !== "open",
      },
    ];
  });
}

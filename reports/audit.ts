// The charge audit in words: what should have been charged, and what it found.
import type { Run } from "../harness/record/run.ts";
import { countsOf, toTenths } from "./numbers.ts";

export type ShownAuditEntry = NonNullable<Run["audit"]>["entries"][number];

/** What should have been charged: one amount, or a range where it is unspecified whether refused calls count. */
export const expectedText = ({ spent: { least, most } }: ShownAuditEntry): string =>
  least === most ? least : `${least} to ${most}`;

/** What the charge audit found; null where there was none. */
export function auditLine({ audit }: Pick<Run, "audit">): string | null {
  if (!audit) return null;
  const of = (result: ShownAuditEntry["result"]): number =>
    audit.entries.filter((entry) => entry.result === result).length;
  const parts = [
    ...countsOf(
      [of("agrees"), "counter matches expected usage", "counters match expected usage"],
      [of("differs"), "counter differs from expected usage", "counters differ from expected usage"],
      [of("open"), "counter is inconclusive", "counters are inconclusive"],
    ),
    ...(audit.shownAfter_s === undefined ? [] : [`charges showed within ${toTenths(audit.shownAfter_s)} s`]),
    ...(audit.reason === null ? [] : [audit.reason]),
  ];
  return `${audit.entries.length ? "charge audit" : "no charge audit"}: ${parts.join(" · ")}`;
}

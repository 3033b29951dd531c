/** @jsxImportSource hono/jsx */
// The charge audit, counter by counter.
import type { Audit } from "../../harness/model/chargeAudit.ts";
import { short, TableElement } from "../document/elements.tsx";
import { expectedOf } from "../sentences.ts";

const results = { agrees: "✓ as expected", differs: "✗ differs", open: "? inconclusive" } as const;

export const Charges = ({ audit: { entries, reason } }: { readonly audit: Audit }) => (
  <>
    <p>
      From the first request of the run to its last. Two amounts where it is unspecified whether a refused call counts.
      {reason === null ? "" : ` Not compared: ${short(reason)}.`}
    </p>
    {entries.length === 0 ? null : (
      <TableElement
        caption="Expected and charged, by project and counter"
        heads={["Project and counter", "Expected", "Charged", "Result"]}
        rows={entries.map((entry) => [
          `${short(entry.project)} ${entry.at}`,
          expectedOf(entry),
          entry.charged ?? "–",
          `${results[entry.result]}${entry.reason === null ? "" : ` (${short(entry.reason)})`}`,
        ])}
      />
    )}
  </>
);

/** @jsxImportSource hono/jsx */
// The charge audit, counter by counter.
import type { Run } from "../../harness/record/run.ts";
import { expectedOf } from "../sentences.ts";
import { capped } from "../text.ts";
import { Table } from "./figures.tsx";

const longestText_chars = 300;

const results = { agrees: "✓ as expected", differs: "✗ differs", open: "? inconclusive" } as const;

export function Charges({ run: { audit } }: { readonly run: Run }) {
  if (!audit) return null;
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">Charge audit</h2>
      <p>
        From the first request of the run to its last. Two amounts where it is unspecified whether a refused call
        counts.
        {audit.reason === null ? "" : ` Not compared: ${capped(audit.reason, longestText_chars)}.`}
      </p>
      {audit.entries.length === 0 ? null : (
        <Table
          caption="Expected and charged, by project and counter"
          heads={["Project and counter", "Expected", "Charged", "Result"]}
          rows={audit.entries.map((entry) => [
            `${capped(entry.project, longestText_chars)} ${entry.at}`,
            expectedOf(entry),
            entry.charged ?? "–",
            `${results[entry.result]}${entry.reason === null ? "" : ` (${capped(entry.reason, longestText_chars)})`}`,
          ])}
        />
      )}
    </section>
  );
}

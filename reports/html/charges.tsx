/** @jsxImportSource hono/jsx */
// Did the platform charge what the run spent? The audit, figure by figure.
import type { Run } from "../../harness/record/run.ts";
import { capped } from "../text.ts";
import { expectedOf } from "../words.ts";
import { Figures } from "./figures.tsx";

const longestText_chars = 300;

const signs = { agrees: "✓ as spent", differs: "✗ differs", open: "? can't be told" } as const;

export function Charges({ run: { audit } }: { readonly run: Run }) {
  if (!audit) return null;
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">What was charged and what was spent</h2>
      <p>
        From the first request of the run to its last. Two amounts stand where the interface doesn't say whether a
        refused call counts.
        {audit.reason === null ? "" : ` Not compared: ${capped(audit.reason, longestText_chars)}.`}
      </p>
      {audit.entries.length === 0 ? null : (
        <Figures
          caption="Spent and charged, by project and figure"
          svg={null}
          heads={["Project and figure", "Spent", "Charged", "Verdict"]}
          rows={audit.entries.map((entry) => [
            `${capped(entry.project, longestText_chars)} ${entry.at}`,
            expectedOf(entry),
            entry.charged ?? "–",
            `${signs[entry.result]}${entry.reason === null ? "" : ` (${capped(entry.reason, longestText_chars)})`}`,
          ])}
        />
      )}
    </section>
  );
}

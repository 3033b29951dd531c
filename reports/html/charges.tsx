/** @jsxImportSource hono/jsx */
// Did the platform charge what the run spent? The audit, figure by figure.
import type { Run } from "../../harness/run.ts";
import { capped } from "../text.ts";
import { expectedOf } from "../words.ts";

const longestText_chars = 300;

const signs = { agrees: "✓ as spent", differs: "✗ differs", open: "? can't be told" } as const;

export function Charges({ run: { audit } }: { readonly run: Run }) {
  if (!audit) return null;
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">What was charged and what was spent</h2>
      <p>
        From the first request of the run to its last. Two amounts stand where the interface doesn't say whether a refused call counts.
        {audit.reason === null ? "" : ` Not compared: ${capped(audit.reason, longestText_chars)}.`}
      </p>
      {audit.entries.length === 0 ? null : (
        <table class="observations">
          <thead>
            <tr>
              <th scope="col">Project</th>
              <th scope="col">Figure</th>
              <th scope="col">Spent</th>
              <th scope="col">Charged</th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {audit.entries.map((entry) => (
              <tr>
                <td>{capped(entry.project, longestText_chars)}</td>
                <td>
                  <code>{entry.at}</code>
                </td>
                <td>{expectedOf(entry)}</td>
                <td>{entry.charged ?? "–"}</td>
                <td>
                  {signs[entry.says]}
                  {entry.reason === null ? "" : ` (${capped(entry.reason, longestText_chars)})`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

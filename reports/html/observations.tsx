/** @jsxImportSource hono/jsx */
// What does this platform do where the interface leaves it open? Told, never judged.
import type { Run, RunObservation } from "../../harness/record/run.ts";
import { capped } from "../text.ts";
import { counted, observedLine, valueText } from "../words.ts";

const longestText_chars = 600;

export function Observations({ run: { observations } }: { readonly run: Run }) {
  if (observations.length === 0) return null;
  const seen = observations.filter(({ state }) => state !== "withheld");
  const untried = observations.filter(({ state }) => state === "withheld");
  return (
    <section aria-labelledby="observations">
      <h2 id="observations">What the interface leaves open</h2>
      <p>Looked at twice and told as it was seen; nothing here is a verdict. {observedLine(observations)}.</p>
      <table class="observations">
        <thead>
          <tr>
            <th scope="col">Open point</th>
            <th scope="col">Question</th>
            <th scope="col">Seen</th>
          </tr>
        </thead>
        <tbody>
          {seen.map((observation) => (
            <Row observation={observation} />
          ))}
        </tbody>
      </table>
      {untried.length === 0 ? null : (
        <details>
          <summary>{counted(untried.length, "open point")} not looked at</summary>
          <table class="observations">
            <tbody>
              {untried.map((observation) => (
                <Row observation={observation} />
              ))}
            </tbody>
          </table>
        </details>
      )}
    </section>
  );
}

function Row({
  observation: { id, question, clause, state, values, reason },
}: {
  readonly observation: RunObservation;
}) {
  return (
    <tr id={id}>
      <td>
        <code class="id">{id}</code>
      </td>
      <td>
        {question} <span class="fine">{clause}</span>
      </td>
      <td>
        {state === "unstable" ? <p class="label">The two looks differ</p> : null}
        {reason === null ? null : capped(reason, longestText_chars)}
        {values.map(({ summary }) => (
          <ul>
            {Object.entries(summary).map(([name, value]) => (
              <li>
                {name}: <code>{capped(valueText(value), longestText_chars)}</code>
              </li>
            ))}
          </ul>
        ))}
      </td>
    </tr>
  );
}

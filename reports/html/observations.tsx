/** @jsxImportSource hono/jsx */
// Unspecified behaviours, as observed; never judged.
import type { Run, RunObservation } from "../../harness/record/run.ts";
import { counted } from "../numbers.ts";
import { observedLine, valueText } from "../sentences.ts";
import { capped } from "../text.ts";
import { Folded } from "./figures.tsx";

const longestText_chars = 600;

export function Observations({ run: { observations } }: { readonly run: Run }) {
  if (observations.length === 0) return null;
  const observed = observations.filter(({ state }) => state !== "withheld");
  const withheld = observations.filter(({ state }) => state === "withheld");
  return (
    <section aria-labelledby="observations">
      <h2 id="observations">Unspecified behaviour</h2>
      <p>What the interface doesn't specify: observed twice, never judged. {observedLine(observations)}.</p>
      <table class="observations">
        <thead>
          <tr>
            <th scope="col">Id</th>
            <th scope="col">Question</th>
            <th scope="col">Observed</th>
          </tr>
        </thead>
        <tbody>
          {observed.map((observation) => (
            <Row observation={observation} />
          ))}
        </tbody>
      </table>
      {withheld.length === 0 ? null : (
        <Folded summary={`${counted(withheld.length, "unspecified behaviour")} not observed`}>
          <table class="observations">
            <tbody>
              {withheld.map((observation) => (
                <Row observation={observation} />
              ))}
            </tbody>
          </table>
        </Folded>
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
        {state === "unstable" ? <p class="label">The two passes differ</p> : null}
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

/** @jsxImportSource hono/jsx */
// Unspecified behaviours, as observed; never judged.
import type { RunObservation } from "../../harness/record/run.ts";
import { counted } from "../numbers.ts";
import { observedLine, valueText } from "../sentences.ts";
import { capped } from "../text.ts";
import { Folded } from "./figures.tsx";

const longestText_chars = 600;

interface ObservationsProps {
  readonly observations: readonly RunObservation[];
}

export function Observations({ observations }: ObservationsProps) {
  const withheld = observations.filter(({ state }) => state === "withheld");
  return (
    <>
      <p>What the interface doesn't specify: observed twice, never judged. {observedLine(observations)}.</p>
      <table class="observations">
        <thead>
          <tr>
            <th scope="col">Id</th>
            <th scope="col">Question</th>
            <th scope="col">Observed</th>
          </tr>
        </thead>
        <Rows observations={observations.filter(({ state }) => state !== "withheld")} />
      </table>
      {withheld.length === 0 ? null : (
        <Folded summary={`${counted(withheld.length, "unspecified behaviour")} not observed`}>
          <table class="observations">
            <Rows observations={withheld} />
          </table>
        </Folded>
      )}
    </>
  );
}

const Rows = ({ observations }: ObservationsProps) => (
  <tbody>
    {observations.map(({ id, question, clause, state, values, reason }) => (
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
    ))}
  </tbody>
);

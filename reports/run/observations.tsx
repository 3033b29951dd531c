/** @jsxImportSource hono/jsx */
// Unspecified behaviours, as observed, and which of these answers no law judged.
import type { Run, RunObservation } from "../../harness/record/run.ts";
import { areaTitle, type Described } from "../described.ts";
import { Group } from "../document/elements.tsx";
import { groupedBy } from "../lists.ts";
import { observedLine, valueText } from "../sentences.ts";
import { capped } from "../text.ts";

const longestText_chars = 600;

interface ObservationsProps {
  readonly observations: readonly RunObservation[];
}

/** `WAL` of OBS-WAL-ORDER. */
const areaOf = ({ id }: RunObservation): string => id.split("-")[1] ?? "";

interface PageProps extends ObservationsProps {
  readonly unjudged: Run["unjudged"] | undefined;
  readonly described: Described;
}

export function Observations({ observations, unjudged = [], described }: PageProps) {
  const areas = [...groupedBy(observations, areaOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <>
      <p>What the interface doesn't specify: observed twice, never judged. {observedLine(observations, unjudged)}.</p>
      {unjudged.length > 0 && (
        <p class="fine">
          Not judged by laws: {unjudged.map(({ reason, exchanges }) => `${reason} ${exchanges}`).join(", ")}.
        </p>
      )}
      <search class="filter" hidden>
        <label for="observed">Filter</label>
        <input id="observed" type="search" placeholder="id, word or value" autocomplete="off" spellcheck={false} />
        <output for="observed"></output>
      </search>
      {areas.map(([area, members]) => (
        <Group name="kind" isOpen={false} summary={<Area title={areaTitle(described, area)} members={members} />}>
          <table class="observations">
            <thead>
              <tr>
                <th scope="col">Id</th>
                <th scope="col">Question</th>
                <th scope="col">Observed</th>
              </tr>
            </thead>
            <Rows observations={members} />
          </table>
        </Group>
      ))}
    </>
  );
}

const Area = ({ title, members }: { readonly title: string; readonly members: readonly RunObservation[] }) => (
  <>
    {title} <span class="fine">{observedLine(members)}</span>
  </>
);

const Rows = ({ observations }: ObservationsProps) => (
  <tbody>
    {observations.map(({ id, question, clause, state, values, reason }) => (
      <tr class="row" id={id}>
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

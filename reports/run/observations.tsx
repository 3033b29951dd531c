/** @jsxImportSource hono/jsx */
// Unspecified behaviours, as observed, and which of these answers no law judged.
import type { Run, RunObservation } from "../../harness/record/run.ts";
import { areaTitle, type Described } from "../described.ts";
import { type Block, type Cell, detail, note, paragraph } from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { observedLine, valueText } from "../sentences.ts";
import { capped } from "../text.ts";

const longestText_chars = 600;

/** `WAL` of OBS-WAL-ORDER. */
const areaOf = ({ id }: RunObservation): string => id.split("-")[1] ?? "";

export function observationBlocks({ observations, unjudged = [] }: Run, described: Described): readonly Block[] {
  if (observations.length === 0) return [];
  const areas = [...groupedBy(observations, areaOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const counted = observedLine(observations, unjudged);
  const reasons = unjudged.map(({ reason, exchanges }) => `${reason} ${exchanges}`).join(", ");
  return [
    paragraph(`What the interface doesn't specify: observed twice, never judged. ${counted}.`),
    ...(reasons ? [note(`Not judged by laws: ${reasons}.`)] : []),
    { is: "element", element: <Filter /> },
    ...areas.map(([area, members]) => {
      const caption = areaTitle(described, area);
      const rows = members.map(rowOf);
      const heads = ["Id", "Question", "Observed"];
      return detail(`${caption} · ${observedLine(members)}`, { is: "table", kind: "matrix", caption, heads, rows });
    }),
  ];
}

/** Hidden until its script runs. */
const Filter = () => (
  <search class="filter" hidden>
    <label for="observed">Filter</label>
    <input id="observed" type="search" placeholder="id, word or value" autocomplete="off" spellcheck={false} />
    <output for="observed"></output>
  </search>
);

function rowOf(observation: RunObservation): readonly Cell[] {
  const name = (
    <code class="id" id={observation.id}>
      {observation.id}
    </code>
  );
  const observed = (
    <>
      {observation.state === "unstable" ? <p class="label">The two repeats differ</p> : null}
      {observation.reason === null ? null : capped(observation.reason, longestText_chars)}
      {observation.values.map(({ summary }) => (
        <ul>
          {Object.entries(summary).map(([of, value]) => (
            <li>
              {of}: <code>{capped(valueText(value), longestText_chars)}</code>
            </li>
          ))}
        </ul>
      ))}
    </>
  );
  return [
    { is: "element", element: name },
    [{ text: observation.question }, " ", { text: observation.clause, as: "aside" }],
    { is: "element", element: observed },
  ];
}

/** @jsxImportSource hono/jsx */
// The kill matrix: mutants of the reference, and which requirements find them.
import { areaOf, areaTitle, type Described } from "../described.ts";
import { Figures, figure, short } from "../document/elements.tsx";
import { groupedBy } from "../lists.ts";
import { counted, numberText } from "../numbers.ts";
import type { KillMatrix, Tried } from "./killedBy.ts";

interface KillsProps {
  readonly kills: KillMatrix;
  readonly described: Described;
  readonly svg: string | null;
}

export function Kills({ kills, described, svg }: KillsProps) {
  const of = (...wanted: readonly Tried["result"][]): readonly Tried[] =>
    kills.results.filter(({ result }) => wanted.includes(result));
  const mutants = of("killed", "survived", "misdeclared");
  const faults = [
    ...kills.honest.map((id) => `The honest platform seems to break ${id}: a false alarm.`),
    ...of("flagged").map(
      ({ id, broken }) => `The benign variant ${id} seems to break ${broken.join(", ")}: a false alarm.`,
    ),
    ...of("survived").map(({ id }) => `The mutant ${id} survived.`),
    ...of("misdeclared").map(
      ({ id, broken }) => `The mutant ${id} breaks ${broken.join(", ")}, which isn't what it declares.`,
    ),
  ];
  return (
    <>
      <p>
        {numberText(of("killed").length)} of {counted(mutants.length, "mutant")} killed by the requirement that each
        breaks · {numberText(of("silent").length)} of{" "}
        {counted(of("silent").length + of("flagged").length, "benign variant")} silent · honest platform:{" "}
        {counted(kills.honest.length, "false alarm")} · {counted(kills.pending.length, "mutant")} of the register not
        implemented.
      </p>
      {faults.length === 0 ? null : (
        <ul class="plain">
          {faults.map((fault) => (
            <li class="broken">
              <span aria-hidden="true">✗</span> {short(fault)}
            </li>
          ))}
        </ul>
      )}
      <Figures
        caption="Mutants by area"
        svg={svg}
        heads={["Area of the mutants", "Mutants", "Killed", "Not killed", "Requirements broken"]}
        rows={rowsOf(mutants, described)}
      />
    </>
  );
}

function rowsOf(mutants: readonly Tried[], described: Described): readonly (readonly string[])[] {
  const areas = [...groupedBy(mutants, ({ id }) => areaOf(id))].sort(([a], [b]) => (a < b ? -1 : 1));
  return areas.map(([area, members]) => {
    const found = members.filter(({ result }) => result === "killed").length;
    const broken = new Set(members.flatMap((one) => one.broken));
    const counts = [members.length, found, members.length - found, broken.size];
    return [`${area} · ${areaTitle(described, area)}`, ...counts.map(figure)];
  });
}

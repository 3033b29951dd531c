/** @jsxImportSource hono/jsx */
// Can the checks fail at all? Lies of the reference platform, and who finds them.
import { areaOf, areaTitle, type Described } from "../described.ts";
import { capped } from "../text.ts";
import { counted } from "../words.ts";
import { Figures, figure } from "./figures.tsx";
import type { KillMatrix, Tried } from "./killedBy.ts";

const longestText_chars = 300;

interface KillsProps {
  readonly kills: KillMatrix | null;
  readonly described: Described;
  readonly svg: string | null;
}

export function Kills({ kills, described, svg }: KillsProps) {
  if (!kills) return null;
  const of = (...wanted: readonly Tried["result"][]): readonly Tried[] =>
    kills.results.filter(({ result }) => wanted.includes(result));
  const mutants = of("killed", "survived", "misdeclared");
  const faults = [
    ...kills.honest.map((id) => `The honest platform is seen to break ${id}: a false alarm.`),
    ...of("flagged").map(
      ({ id, broken }) => `The benign variation ${id} is seen to break ${broken.join(", ")}: a false alarm.`,
    ),
    ...of("survived").map(({ id }) => `The mutant ${id} is found by nothing.`),
    ...of("misdeclared").map(
      ({ id, broken }) => `The mutant ${id} breaks ${broken.join(", ")}, which is not what it declares.`,
    ),
  ];
  return (
    <section aria-labelledby="kills">
      <h2 id="kills">Can each check fail? Lies of the reference platform</h2>
      <p>
        {of("killed").length.toLocaleString("en-GB")} of {counted(mutants.length, "lie")} found by the requirement that
        each breaks · {counted(of("silent").length, "benign variation")} of{" "}
        {(of("silent").length + of("flagged").length).toLocaleString("en-GB")} left in peace · honest platform:{" "}
        {counted(kills.honest.length, "false alarm")} · {kills.pending.length.toLocaleString("en-GB")} of the register's
        lies can't be told yet.
      </p>
      {faults.length === 0 ? null : (
        <ul class="plain">
          {faults.map((fault) => (
            <li class="broken">
              <span aria-hidden="true">✗</span> {capped(fault, longestText_chars)}
            </li>
          ))}
        </ul>
      )}
      <Figures
        caption="Lies by area"
        svg={svg}
        heads={["Area of the mutants", "Lies", "Found", "Not found", "Requirements broken by them"]}
        rows={rowsOf(mutants, described)}
      />
    </section>
  );
}

function rowsOf(mutants: readonly Tried[], described: Described): readonly (readonly string[])[] {
  return [...new Set(mutants.map(({ id }) => areaOf(id)))].sort().map((area) => {
    const members = mutants.filter(({ id }) => areaOf(id) === area);
    const found = members.filter(({ result }) => result === "killed").length;
    const broken = new Set(members.flatMap((one) => one.broken));
    return [
      `${area} · ${areaTitle(described, area)}`,
      figure(members.length),
      figure(found),
      figure(members.length - found),
      figure(broken.size),
    ];
  });
}

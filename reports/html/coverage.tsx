/** @jsxImportSource hono/jsx */
// Coverage by area: what was verified, and how much of the rest there is.
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { areaOf, areaTitle, type Described } from "../described.ts";
import { Bar, Folded, figure, TableElement } from "../document/elements.tsx";
import { counted } from "../numbers.ts";
import { type Kind, kindOf, presentIn, words } from "../words.ts";

interface CoverageProps {
  readonly run: Run;
  readonly described: Described;
}

export const Coverage = ({ run, described }: CoverageProps) => (
  <>
    <ByArea run={run} described={described} />
    <Unchecked run={run} described={described} />
  </>
);

/** How little of an area was verified; what is broken weighs most. */
const worst = (members: readonly JudgedRequirement[], unchecked: number): number => {
  const of = (...some: readonly Kind[]): number => members.filter((one) => some.includes(kindOf(one))).length;
  return of("broken") * 1_000 + (of("withheld", "inconclusive") + unchecked) / (members.length + unchecked);
};

function ByArea({ run, described }: CoverageProps) {
  const selected = run.requirements.filter(({ unselected }) => !unselected);
  const present = presentIn(run.totals);
  const areas = [...new Set([...selected.map(({ area }) => area), ...run.unchecked.map(areaOf)])]
    .map((area) => {
      const members = selected.filter((one) => one.area === area);
      const unchecked = run.unchecked.filter((id) => areaOf(id) === area).length;
      return { area, members, unchecked };
    })
    .sort((a, b) => worst(b.members, b.unchecked) - worst(a.members, a.unchecked));
  const most = Math.max(...areas.map(({ members, unchecked }) => members.length + unchecked));
  const rows = areas.map(({ area, members, unchecked }) => {
    const counts = present.map((kind) => [kind, members.filter((one) => kindOf(one) === kind).length] as const);
    return [
      `${area} · ${areaTitle(described, area)}`,
      <Bar counts={counts} of={most} />,
      ...counts.map(([, count]) => figure(count)),
      ...(run.unchecked.length ? [figure(unchecked)] : []),
    ];
  });
  const uncheckedHead = run.unchecked.length ? ["not yet checked"] : [];
  const heads = ["Area", "", ...present.map((kind) => words[kind].many), ...uncheckedHead];
  return <TableElement caption="Requirements by area and verdict, worst first" heads={heads} rows={rows} />;
}

function Unchecked({ run: { unchecked }, described }: CoverageProps) {
  if (unchecked.length === 0) return null;
  return (
    <>
      <h3 id="unchecked">Not yet checked by this version</h3>
      <Folded summary={`${counted(unchecked.length, "requirement")} of the register`}>
        <ul class="ids">
          {unchecked.map((id) => (
            <li>
              <code>{id}</code> {described.tables.requirements.find((one) => one.id === id)?.sentence}
            </li>
          ))}
        </ul>
      </Folded>
    </>
  );
}

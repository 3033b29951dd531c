/** @jsxImportSource hono/jsx */
// Coverage: what was verified, and why the rest wasn't.
import type { Child } from "hono/jsx";
import type { Run } from "../../harness/record/run.ts";
import { areaOf, areaTitle, type Described } from "../described.ts";
import { counted, numberText } from "../numbers.ts";
import { byReason, type Reasoned } from "../sentences.ts";
import { capped } from "../text.ts";
import { countIn, kindOf, kinds, words } from "../words.ts";
import { Folded, figure, Table } from "./figures.tsx";

const longestReason_chars = 500;
/** More are folded below their reason. */
const mostShown = 6;

interface CoverageProps {
  readonly run: Run;
  readonly described: Described;
}

export const Coverage = ({ run, described }: CoverageProps) => (
  <>
    <ByArea run={run} described={described} />
    <InGroups run={run} described={described} kind="renamed" title="Renamed">
      Judged under the names that the target gives: {counted(run.totals.renamed, "requirement")}.
    </InGroups>
    <InGroups run={run} described={described} kind="narrowed" title="Verified in part, by what wasn't tried">
      Held where they were tried: {counted(run.totals.narrowed, "requirement")}.
    </InGroups>
    <InGroups run={run} described={described} kind="withheld" title="Withheld, by reason">
      Withheld is not verified: {counted(run.totals.withheld, "requirement is", "requirements are")} untested or masked.
    </InGroups>
    <Unchecked run={run} described={described} />
  </>
);

function ByArea({ run, described }: CoverageProps) {
  const present = kinds.filter((kind) => countIn(run.totals, kind) > 0).reverse();
  const areas = [...new Set([...run.requirements.map(({ area }) => area), ...run.unchecked.map(areaOf)])];
  const rows = areas.map((area) => {
    const members = run.requirements.filter((one) => one.area === area);
    const unchecked = run.unchecked.filter((id) => areaOf(id) === area);
    return [
      `${area} · ${areaTitle(described, area)}`,
      ...present.map((kind) => figure(members.filter((one) => kindOf(one) === kind).length)),
      ...(run.unchecked.length ? [figure(unchecked.length)] : []),
    ];
  });
  const uncheckedHead = run.unchecked.length ? ["not yet checked"] : [];
  const heads = ["Area", ...present.map((kind) => words[kind].many), ...uncheckedHead];
  return <Table caption="Requirements by area and verdict" heads={heads} rows={rows} />;
}

interface GroupsProps extends CoverageProps {
  readonly kind: Reasoned;
  readonly title: string;
  readonly children: Child;
}

function InGroups({ run, described, kind, title, children }: GroupsProps) {
  const groups = byReason(run, kind);
  if (groups.length === 0) return null;
  return (
    <>
      <h3 id={kind}>{title}</h3>
      <p>{children}</p>
      {groups.map(({ reason, requirements: members }) => {
        const list = <Sentences ids={members.map(({ id }) => id)} described={described} isLinked />;
        return (
          <div class="group">
            <p>
              <b>{numberText(members.length)}</b> {capped(reason, longestReason_chars)}
            </p>
            {members.length <= mostShown ? (
              list
            ) : (
              <Folded summary={counted(members.length, "requirement")}>{list}</Folded>
            )}
          </div>
        );
      })}
    </>
  );
}

function Unchecked({ run: { unchecked }, described }: CoverageProps) {
  if (unchecked.length === 0) return null;
  return (
    <>
      <h3 id="unchecked">Not yet checked by this version</h3>
      <Folded summary={`${counted(unchecked.length, "requirement")} of the register`}>
        <Sentences ids={unchecked} described={described} />
      </Folded>
    </>
  );
}

interface SentencesProps extends Pick<CoverageProps, "described"> {
  readonly ids: readonly string[];
  readonly isLinked?: boolean;
}

const Sentences = ({ ids, described, isLinked = false }: SentencesProps) => (
  <ul class="ids">
    {ids.map((id) => (
      <li>
        {isLinked ? <a href={`#${id}`}>{code(id)}</a> : code(id)}{" "}
        {described.tables.requirements.find((one) => one.id === id)?.sentence}
      </li>
    ))}
  </ul>
);

const code = (id: string) => <code>{id}</code>;

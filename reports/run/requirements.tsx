/** @jsxImportSource hono/jsx */
// All requirements by verdict, worst first: groups that need attention are open, the others closed.
import type { Child } from "hono/jsx";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { areaTitle, type Described } from "../described.ts";
import { Group } from "../document/elements.tsx";
import { spansIn } from "../document/page.tsx";
import { groupedBy } from "../lists.ts";
import { counted, numberText } from "../numbers.ts";
import { byReason, reasoned } from "../sentences.ts";
import { capped } from "../text.ts";
import { countedKind, countOfKind, type Kind, kindOf, kinds, words } from "../words.ts";
import { type Material, RequirementBlock } from "./requirement.tsx";

/** What needs no attention is many. */
const closedKinds: ReadonlySet<Kind> = new Set(["holds", "untestable"]);
const sharingReasons: ReadonlySet<Kind> = new Set(reasoned);
const longestReason_chars = 500;
/** Of one reason; more are folded below it. */
const mostShown = 3;
/** Of a kind; the others are folded. */
const mostReasons = 12;
/** Broken requirements whose evidence is open; that of more would bury what follows. */
const mostOpen = 5;

interface RequirementsProps {
  readonly run: Run;
  readonly described: Described;
  readonly material: Material;
}

export function Requirements({ run, described, material }: RequirementsProps) {
  const rowsOf = (members: readonly JudgedRequirement[]): Child =>
    members.map((requirement, index) => (
      <RequirementBlock
        requirement={requirement}
        material={material}
        isOpen={kindOf(requirement) === "broken" && index < mostOpen}
      />
    ));
  return (
    <>
      <Filter run={run} />
      {kinds.map((kind) => {
        const members = run.requirements.filter((one) => kindOf(one) === kind);
        if (members.length === 0) return null;
        const isOpen = !closedKinds.has(kind);
        return (
          <Group name={`kind ${kind}`} isOpen={isOpen} summary={<Heading kind={kind} count={members.length} />}>
            {sharingReasons.has(kind) ? (
              <ByReason run={run} kind={kind} rowsOf={rowsOf} />
            ) : isOpen ? (
              rowsOf(members)
            ) : (
              [...groupedBy(members, ({ area }) => area)].map(([area, ofArea]) => (
                <section class="area" aria-labelledby={`area-${kind}-${area}`}>
                  <h4 id={`area-${kind}-${area}`}>
                    {areaTitle(described, area)} <span class="fine">{area}</span>
                  </h4>
                  {rowsOf(ofArea)}
                </section>
              ))
            )}
          </Group>
        );
      })}
    </>
  );
}

const Heading = ({ kind, count }: { readonly kind: Kind; readonly count: number }) => (
  <>
    <h3 id={kind}>
      <span aria-hidden="true">{words[kind].sign}</span> {countedKind(count, kind)}
    </h3>{" "}
    <span class="fine">{words[kind].means}</span>
  </>
);

interface ByReasonProps {
  readonly run: Run;
  readonly kind: Kind;
  readonly rowsOf: (members: readonly JudgedRequirement[]) => Child;
}

function ByReason({ run, kind, rowsOf }: ByReasonProps) {
  const groups = byReason(run, kind);
  const shown = groups.slice(0, mostReasons);
  const folded = groups.slice(mostReasons);
  const inGroups = (some: typeof groups): Child =>
    some.map(({ reason, requirements: members }) => (
      <Group
        name="group"
        isOpen={members.length <= mostShown}
        summary={<Reason count={members.length} text={reason} />}
      >
        {rowsOf(members)}
      </Group>
    ));
  return (
    <>
      {inGroups(shown)}
      {folded.length === 0 ? null : (
        <Group name="group" isOpen={false} summary={counted(folded.length, "other reason")}>
          {inGroups(folded)}
        </Group>
      )}
    </>
  );
}

const Reason = ({ count, text }: { readonly count: number; readonly text: string }) => (
  <>
    <b>{numberText(count)}</b> {spansIn([capped(text, longestReason_chars)])}
  </>
);

/** Hidden until its script runs. */
function Filter({ run: { totals, requirements } }: { readonly run: Run }) {
  const present = kinds.filter((kind) => countOfKind(totals, kind) > 0);
  return (
    <search class="filter" hidden>
      <label for="wanted">Find</label>
      <input id="wanted" type="search" placeholder="id, word or clause" autocomplete="off" spellcheck={false} />
      <div role="group" aria-label="Verdict">
        <button type="button" data-kind="" aria-pressed="true">
          all {requirements.length}
        </button>
        {present.map((kind) => (
          <button type="button" data-kind={kind} aria-pressed="false">
            <span aria-hidden="true">{words[kind].sign}</span> {words[kind].one} {countOfKind(totals, kind)}
          </button>
        ))}
      </div>
      <output for="wanted"></output>
    </search>
  );
}

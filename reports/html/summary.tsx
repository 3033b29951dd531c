/** @jsxImportSource hono/jsx */
// The first screen: verdict, coverage, every broken sentence, the facts of the run, and what to add next.
import type { Breach } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { byCause, placeName, unescaped } from "../breach.ts";
import { Bar, Folded, SectionElement, short, TermList } from "../document/elements.tsx";
import type { Mood } from "../document/frame.tsx";
import { groupedBy } from "../lists.ts";
import { loadFlaws } from "../load.ts";
import { counted, numberText } from "../numbers.ts";
import {
  byReason,
  costOf,
  headlineOf,
  nextSteps,
  noticesOf,
  samplesLines,
  spentText,
  yieldLine,
} from "../sentences.ts";
import { capped } from "../text.ts";
import { countIn, type Kind, kindOf, presentIn, words } from "../words.ts";

export function Summary({ run }: { readonly run: Run }) {
  const { totals, preflight } = run;
  const counts = presentIn(totals).map((kind) => [kind, countIn(totals, kind)] as const);
  return (
    <header>
      <p class="assay">Assay {run.version}, conformance run</p>
      <h1 class={moodOf(run)}>{headlineOf(run)}</h1>
      {preflight?.ended ? null : (
        <>
          <Bar counts={counts} of={counts.reduce((sum, [, count]) => sum + count, 0)} />
          <ul class="counts" aria-label="Verdicts">
            {counts.map(([kind, count]) => (
              <li class={kind} title={words[kind].means}>
                <span aria-hidden="true">{words[kind].sign}</span> <b>{numberText(count)}</b>{" "}
                {count === 1 ? words[kind].one : words[kind].many}
              </li>
            ))}
          </ul>
        </>
      )}
      <Flaws run={run} />
      <Found run={run} kind="broken" title="Broken" />
      {preflight?.ended ? null : <Found run={run} kind="inconclusive" title="Could not be judged" />}
      <Facts run={run} />
      <Next run={run} />
    </header>
  );
}

export function moodOf({ totals, exitCode }: Pick<Run, "totals" | "exitCode">): Mood {
  if (totals.broken > 0) return "broken";
  return exitCode === 0 ? "holds" : "inconclusive";
}

/** What must be known before the verdicts, and why a load isn't green. */
function Flaws({ run }: { readonly run: Run }) {
  const flaws = [...noticesOf(run), ...(run.load ? loadFlaws(run.load) : [])];
  return flaws.length === 0 ? null : (
    <ul class="plain">
      {flaws.map((flaw) => (
        <li>{capped(flaw, 1_000)}</li>
      ))}
    </ul>
  );
}

function Facts({ run }: { readonly run: Run }) {
  const { target, plan, exitCode } = run;
  const verified = yieldLine(run);
  // APIs of one base together.
  const bases = [...groupedBy(Object.entries(target.bases), ([, base]) => base)];
  return (
    <TermList
      kind="facts"
      entries={[
        ["Target", `${short(target.name)}${target.isReference ? " (embedded platform)" : ""}`],
        ["When", <When run={run} />],
        ...bases.map(
          ([base, apis]) => [`Base of ${apis.map(([api]) => api).join(", ")}`, <code>{short(base)}</code>] as const,
        ),
        [
          "Spent",
          run.recording ? (
            spentText(run)
          ) : (
            <Noted text={spentText(run)} note={`planned: ${counted(plan.requests, "request")}, ${costOf(plan)}`} />
          ),
        ],
        ...(verified === null ? [] : [["Verified", verified] as const]),
        ["Exit code", <Noted text={String(exitCode)} note={meaningOf(run)} />],
        ["Command", <code>{short(run.command)}</code>],
        ...samplesLines(run.samples).map((line) => ["Samples", short(line)] as const),
        ...(run.remarks ?? []).map((sentence) => ["Remark", sentence] as const),
      ]}
    />
  );
}

function Next({ run }: { readonly run: Run }) {
  const steps = nextSteps(run);
  return steps.length === 0 ? null : (
    <SectionElement id="next" title="What to add next">
      <ul class="plain">
        {steps.map((step) => (
          <li>{short(step)}</li>
        ))}
      </ul>
    </SectionElement>
  );
}

const Noted = ({ text, note }: { readonly text: string; readonly note: string }) => (
  <>
    {text} <span class="fine">({note})</span>
  </>
);

const exitMeanings: { readonly [code: number]: string } = {
  0: "nothing broken, something verified",
  1: "a requirement is broken",
  3: "inconclusive, cut short, nothing verified, or in part where the run is strict",
};

/** A recording verifies nothing. */
const meaningOf = ({ exitCode, recording }: Run): string =>
  recording && exitCode === 0 ? "nothing broken of what was judged" : (exitMeanings[exitCode] ?? "unknown");

const asDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });

function When({ run: { startedAt, endedAt } }: { readonly run: Run }) {
  const started_ms = Date.parse(startedAt);
  if (Number.isNaN(started_ms)) return <>{startedAt}</>;
  return (
    <>
      <time datetime={startedAt}>{asDate.format(started_ms)} UTC</time>
      {endedAt === null ? ", never ended" : ""}
    </>
  );
}

/** More are folded. */
const mostCauses = 8;

interface FoundProps {
  readonly run: Run;
  readonly kind: "broken" | "inconclusive";
  readonly title: string;
}

function Found({ run, kind, title }: FoundProps) {
  const found = run.requirements.filter((requirement) => kindOf(requirement) === kind);
  if (found.length === 0) return null;
  const causes = kind === "broken" ? byCause(run, found) : byReason(run, kind).map(({ requirements }) => requirements);
  const [shown, folded] = [causes.slice(0, mostCauses), causes.slice(mostCauses)];
  return (
    <SectionElement id={`found-${kind}`} title={title} tone={kind}>
      <List kind={kind} causes={shown} />
      {folded.length === 0 ? null : (
        <Folded summary={`${numberText(folded.length)} more`}>
          <List kind={kind} causes={folded} />
        </Folded>
      )}
    </SectionElement>
  );
}

interface ListProps {
  readonly kind: Kind;
  readonly causes: readonly (readonly [JudgedRequirement, ...JudgedRequirement[]])[];
}

const mostAlso = 12;

/** One headline for each cause; what else it breaks stands below. */
const List = ({ kind, causes }: ListProps) => (
  <ul class="sentences">
    {causes.map(
      ([
        {
          id,
          sentence,
          clause,
          reason,
          breaches: [breach],
        },
        ...others
      ]) => (
        <li>
          <span aria-hidden="true">{words[kind].sign}</span>
          <a href={`#${id}`}>{sentence}</a>
          {breach || reason !== null ? (
            <span class="seen">{breach ? <SeenAt breach={breach} /> : short(reason ?? "")}</span>
          ) : null}
          <span class="fine">
            {id} · {clause}
          </span>
          {others.length === 0 ? null : (
            <span class="fine">
              also{" "}
              {others.slice(0, mostAlso).map((other, index) => (
                <>
                  {index > 0 ? ", " : ""}
                  <a href={`#${other.id}`}>{other.id}</a>
                </>
              ))}
              {others.length > mostAlso ? ` and ${others.length - mostAlso} more` : ""}
            </span>
          )}
        </li>
      ),
    )}
  </ul>
);

const longestSeen_chars = 120;
const Seen = ({ text }: { readonly text: string }) => <code>{capped(text, longestSeen_chars)}</code>;

const SeenAt = ({ breach }: { readonly breach: Breach }) => (
  <>
    <Seen text={placeName(breach.at)} /> · expected <Seen text={breach.expected} /> · got{" "}
    <Seen text={unescaped(breach)} />
  </>
);

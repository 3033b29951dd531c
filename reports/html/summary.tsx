/** @jsxImportSource hono/jsx */
// The first screen: verdict, target, time, cost, and every broken sentence.
import type { Breach } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { gotText, placeName } from "../breach.ts";
import { groupedBy } from "../lists.ts";
import { loadFlaws } from "../load.ts";
import { counted, numberText } from "../numbers.ts";
import { costOf, headlineOf, noticesOf, samplesLines, yieldLine } from "../sentences.ts";
import { capped } from "../text.ts";
import { countIn, type Kind, kindOf, kinds, words } from "../words.ts";
import type { Mood } from "./document.tsx";
import { Folded, Section, short, Terms } from "./figures.tsx";

export function Summary({ run }: { readonly run: Run }) {
  const { totals } = run;
  return (
    <header>
      <p class="assay">Assay {run.version}, conformance run</p>
      <h1 class={moodOf(run)}>{headlineOf(run)}</h1>
      <ul class="counts" aria-label="Verdicts">
        {kinds
          .filter((kind) => countIn(totals, kind) > 0 || kind === "holds" || kind === "broken")
          .map((kind) => (
            <li class={countIn(totals, kind) > 0 ? kind : "none"} title={words[kind].means}>
              <span aria-hidden="true">{words[kind].sign}</span> <b>{numberText(countIn(totals, kind))}</b>{" "}
              {countIn(totals, kind) === 1 ? words[kind].one : words[kind].many}
            </li>
          ))}
      </ul>
      <Flaws run={run} />
      <Facts run={run} />
      <Sentences run={run} kind="broken" title="Broken" />
      <Sentences run={run} kind="warned" title="Broken; reported as a warning" />
      <Sentences run={run} kind="inconclusive" title="Inconclusive, by our fault or the network's" />
      <MoreFacts run={run} />
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

const Facts = ({ run }: { readonly run: Run }) => (
  <Terms
    kind="facts"
    entries={[
      ["Target", `${short(run.target.name)}${run.target.isReference ? " (embedded platform)" : ""}`],
      ["When", <When run={run} />],
      ["Spent", <Noted text={costOf(run.spent)} note={`planned: ${costOf(run.plan)}`} />],
      ["Command", <code>{short(run.command)}</code>],
    ]}
  />
);

/** Below what is broken. */
function MoreFacts({ run }: { readonly run: Run }) {
  const { target, plan, spent, exitCode } = run;
  // APIs of one base together.
  const bases = [...groupedBy(Object.entries(target.bases), ([, base]) => base)];
  const sent = `${counted(spent.requests, "request")} for ${counted(plan.requirements, "requirement")}`;
  return (
    <Terms
      kind="facts"
      entries={[
        ...bases.map(
          ([base, apis]) => [`Base of ${apis.map(([api]) => api).join(", ")}`, <code>{short(base)}</code>] as const,
        ),
        ["Sent", <Noted text={sent} note={`planned: ${numberText(plan.requests)}`} />],
        ["Verified", yieldLine(run)],
        ...samplesLines(run.samples).map((line) => ["Samples", short(line)] as const),
        ["Exit code", <Noted text={String(exitCode)} note={exitMeanings[exitCode] ?? "unknown"} />],
      ]}
    />
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

const asDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });

function When({ run: { startedAt, endedAt } }: { readonly run: Run }) {
  const started_ms = Date.parse(startedAt);
  if (Number.isNaN(started_ms)) return <>{startedAt}</>;
  const took_s = endedAt === null ? null : Math.round((Date.parse(endedAt) - started_ms) / 1000);
  return (
    <>
      <time datetime={startedAt}>{asDate.format(started_ms)} UTC</time>
      {took_s === null ? ", never ended" : took_s < 1 ? ", under 1 s" : `, ${numberText(took_s)} s`}
    </>
  );
}

/** More are folded. */
const mostSentences = 12;

interface SentencesProps {
  readonly run: Run;
  readonly kind: "broken" | "warned" | "inconclusive";
  readonly title: string;
}

function Sentences({ run, kind, title }: SentencesProps) {
  const found = run.requirements.filter((requirement) => kindOf(requirement) === kind);
  if (found.length === 0) return null;
  const [shown, folded] = [found.slice(0, mostSentences), found.slice(mostSentences)];
  return (
    <Section id={kind} title={title} tone={kind}>
      <List kind={kind} requirements={shown} />
      {folded.length === 0 ? null : (
        <Folded summary={`${numberText(folded.length)} more`}>
          <List kind={kind} requirements={folded} />
        </Folded>
      )}
    </Section>
  );
}

const List = ({ kind, requirements }: { readonly kind: Kind; readonly requirements: readonly JudgedRequirement[] }) => (
  <ul class="sentences">
    {requirements.map(({ id, sentence, clause, reason, breaches: [breach] }) => (
      <li>
        <span aria-hidden="true">{words[kind].sign}</span>
        <a href={`#${id}`}>{sentence}</a>
        {breach || reason !== null ? <span class="seen">{breach ? seenAt(breach) : short(reason ?? "")}</span> : null}
        <span class="fine">
          {id} · {clause}
        </span>
      </li>
    ))}
  </ul>
);

const longestSeen_chars = 120;

const seenAt = (breach: Breach): string =>
  [
    placeName(breach.at),
    `expected ${capped(breach.expected, longestSeen_chars)}`,
    `got ${capped(gotText(breach), longestSeen_chars)}`,
  ].join(" · ");

/** @jsxImportSource hono/jsx */
// The first screen: verdict, target, time, cost, and every broken sentence.
import type { Breach } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { gotText, placeName } from "../breach.ts";
import { loadFlaws } from "../load.ts";
import { counted, numberText } from "../numbers.ts";
import { costOf, headlineOf, yieldLine } from "../sentences.ts";
import { capped } from "../text.ts";
import { type Kind, kindOf, kinds, words } from "../words.ts";
import type { Mood } from "./document.tsx";
import { Folded } from "./figures.tsx";

const longestText_chars = 300;

export function Summary({ run }: { readonly run: Run }) {
  const { totals } = run;
  return (
    <header>
      <p class="assay">Assay {run.version}, conformance run</p>
      <h1 class={moodOf(run)}>{headlineOf(run)}</h1>
      <ul class="counts" aria-label="Verdicts">
        {kinds
          .filter((kind) => totals[kind] > 0 || kind === "holds" || kind === "broken")
          .map((kind) => (
            <li class={totals[kind] > 0 ? kind : "none"} title={words[kind].means}>
              <span aria-hidden="true">{words[kind].sign}</span> <b>{numberText(totals[kind])}</b>{" "}
              {totals[kind] === 1 ? words[kind].one : words[kind].many}
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

/** Why a load isn't green. */
function Flaws({ run: { load } }: { readonly run: Run }) {
  const flaws = load ? loadFlaws(load) : [];
  return flaws.length === 0 ? null : (
    <ul class="plain">
      {flaws.map((flaw) => (
        <li>{capped(flaw, longestText_chars)}</li>
      ))}
    </ul>
  );
}

function Facts({ run }: { readonly run: Run }) {
  const { target, plan, spent } = run;
  return (
    <dl class="facts">
      <dt>Target</dt>
      <dd>
        {capped(target.name, longestText_chars)}
        {target.isReference ? " (embedded platform)" : ""}
      </dd>
      <dt>When</dt>
      <dd>
        <When run={run} />
      </dd>
      <dt>Spent</dt>
      <dd>
        {costOf(spent)} <span class="fine">(planned: {costOf(plan)})</span>
      </dd>
      <dt>Command</dt>
      <dd>
        <code>{capped(run.command, longestText_chars)}</code>
      </dd>
    </dl>
  );
}

/** Below what is broken. */
function MoreFacts({ run }: { readonly run: Run }) {
  const { target, plan, spent } = run;
  return (
    <dl class="facts">
      {basesOf(target.bases).map(([base, apis]) => (
        <>
          <dt>Base of {apis.join(", ")}</dt>
          <dd>
            <code>{capped(base, longestText_chars)}</code>
          </dd>
        </>
      ))}
      <dt>Sent</dt>
      <dd>
        {counted(spent.requests, "request")} for {counted(plan.requirements, "requirement")}{" "}
        <span class="fine">(planned: {numberText(plan.requests)})</span>
      </dd>
      <dt>Verified</dt>
      <dd>{yieldLine(run)}</dd>
      <dt>Exit code</dt>
      <dd>
        {run.exitCode} <span class="fine">({exitMeanings[run.exitCode] ?? "unknown"})</span>
      </dd>
    </dl>
  );
}

const exitMeanings: { readonly [code: number]: string } = {
  0: "nothing broken, something verified",
  1: "a requirement is broken",
  3: "inconclusive, cut short, or nothing verified",
};

/** APIs of one base together. */
function basesOf(bases: Run["target"]["bases"]): readonly (readonly [base: string, apis: readonly string[]])[] {
  const byBase = new Map<string, string[]>();
  for (const [api, base] of Object.entries(bases)) byBase.set(base, [...(byBase.get(base) ?? []), api]);
  return [...byBase];
}

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

function Sentences({
  run,
  kind,
  title,
}: {
  readonly run: Run;
  readonly kind: "broken" | "warned" | "inconclusive";
  readonly title: string;
}) {
  const found = run.requirements.filter((requirement) => kindOf(requirement) === kind);
  if (found.length === 0) return null;
  const [shown, folded] = [found.slice(0, mostSentences), found.slice(mostSentences)];
  return (
    <section class={kind} aria-labelledby={kind}>
      <h2 id={kind}>{title}</h2>
      <List kind={kind} requirements={shown} />
      {folded.length === 0 ? null : (
        <Folded summary={`${numberText(folded.length)} more`}>
          <List kind={kind} requirements={folded} />
        </Folded>
      )}
    </section>
  );
}

const List = ({ kind, requirements }: { readonly kind: Kind; readonly requirements: readonly JudgedRequirement[] }) => (
  <ul class="sentences">
    {requirements.map(({ id, sentence, clause, reason, breaches: [breach] }) => (
      <li>
        <span aria-hidden="true">{words[kind].sign}</span>
        <a href={`#${id}`}>{sentence}</a>
        {breach || reason !== null ? (
          <span class="seen">{breach ? seenAt(breach) : capped(reason ?? "", longestText_chars)}</span>
        ) : null}
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

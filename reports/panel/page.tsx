/** @jsxImportSource hono/jsx */
// A panel, and two panels compared, as HTML pages that need nothing else; they compute nothing.
import type { Child } from "hono/jsx";
import type { Dissent, PanelReport, StandingCounts } from "../../panel/panelReport.ts";
import type { Comparison } from "../compare/comparison.ts";
import { Changed, style as common, Matrix, PairSection } from "../compare/page.tsx";
import { documentOf } from "../html/document.tsx";
import { Answer, Command } from "../html/exchange.tsx";
import { Folded, figure, type TableProps as Props, Section, short, Table } from "../html/figures.tsx";
import { counted, inMs, numberText, whenText } from "../numbers.ts";
import { costOf } from "../sentences.ts";
import { shown } from "../text.ts";
import { signOf } from "../words.ts";
import type { PanelChanges } from "./changes.ts";
import * as words from "./words.ts";

const style = `${common}
main > p::first-letter { text-transform: uppercase; }
.side { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .8rem; }
.side pre { max-height: 24rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
const moods = { 0: "holds", 1: "broken", 3: "inconclusive" } as const;
const longestBody_chars = 2_000;

const pageOf = (kind: string, mood: string, headline: string, main: Child, footer?: Child): string =>
  documentOf(
    { title: `${headline} · Assay`, icon: "comparison", style, script: null },
    <>
      <header>
        <p class="assay">{kind}</p>
        <h1 class={mood}>{short(headline)}</h1>
      </header>
      <main>{main}</main>
      {footer ? <footer>{footer}</footer> : null}
    </>,
  );

/** A panel with a comparison of its vendors' latest runs. */
export type PanelWithRuns = PanelReport & { readonly conformance?: Comparison | null };

/** One HTML document: it sends no request and has no script. @param nights that were pooled, the latest first */
export function panelPageOf(report: PanelWithRuns, nights: readonly PanelReport[] = []): string {
  const panel = shown(report);
  const headline = words.headlineOf(shown(nights[0] ?? report));
  const tables = [freshness(panel), latency(panel), questions(panel)];
  const { conformance: latest } = panel;
  return pageOf(
    `Assay ${panel.version}, panel`,
    words.moodOf(panel),
    nights.length > 1 ? `On the latest of ${nights.length} nights: ${headline}` : headline,
    <>
      <p>
        {whenText(panel.startedAt)} to {whenText(panel.endedAt)}, {counted(panel.rounds, "round")}
        {panel.complete ? "." : ", cut short."}
        {panel.reference === null ? "" : ` ${short(words.nameIn(panel, panel.reference))} is trusted.`}
      </p>
      {words.splitLines(panel).map((line) => (
        <p>{short(line)}.</p>
      ))}
      {nights.length > 1 ? TableSection(nightByNight(nights)) : null}
      {TableSection(agreement(panel))}
      {panel.dissents.length === 0 ? null : (
        <Section id="dissents" title="Where they differed">
          {panel.dissents.map((dissent) => oneDissent(panel, dissent))}
        </Section>
      )}
      {tables.map(TableSection)}
      {latest ? (
        <>
          <h2>Their latest runs</h2>
          <Matrix comparison={latest} />
          {latest.pairs.map((pair) => (
            <PairSection comparison={latest} pair={pair} />
          ))}
        </>
      ) : nights.length > 0 ? null : (
        <p class="fine">
          Once two of them have a run in the folder of <code>--runs</code>, their conformance and limits stand here.
        </p>
      )}
    </>,
    <p>
      Slots are lower bounds, so that one difference proves nothing: wrong is who stood alone in three polls while the
      others' answers stayed the same. Only token accounts and compression can be compared between vendors. Keys are
      redacted. The same for programs is in <code>panel.json</code>.
    </p>,
  );
}

/** Two panels compared. */
export function panelChangesPageOf(changes: PanelChanges, version: string): string {
  const { vendors, others, exitCode, headline } = shown(changes);
  const sections = vendors.map(({ name, lines, isNewlyWrong }) => {
    const tone = isNewlyWrong ? ("broken" as const) : ("noted" as const);
    return { tone, sign: signOf(tone), title: short(name), items: lines.map((line) => [short(line)]) };
  });
  const lone = others.length > 0 ? <p>Not in both: {short(others.join(", "))}</p> : null;
  return pageOf(`Assay ${version}, panels compared`, moods[exitCode], headline, [Changed({ sections }), lone]);
}

interface TableProps extends Omit<Props, "caption"> {
  readonly title: string;
  readonly note?: string;
}

const TableSection = ({ title, note, ...table }: TableProps) =>
  table.rows.length === 0 ? null : (
    <Section id={title.toLowerCase().replaceAll(" ", "-")} title={title}>
      {note ? <p class="fine">{note}</p> : null}
      <Table caption={title} isCaptionShown={false} {...table} />
    </Section>
  );

const namesIn = ({ vendors }: PanelReport): readonly string[] => vendors.map(({ name }) => short(name));

/** What is wrong is shown as what is broken. */
const Counts = ({ counts }: { readonly counts: StandingCounts }) => (
  <span class={counts.wrong > 0 ? "broken" : ""}>{words.standingsText(counts)}</span>
);

const agreement = (panel: PanelReport): TableProps => ({
  title: "Who agrees",
  note: `Spent: ${panel.vendors.map(({ name, spent }) => `${short(name)} ${costOf(spent)}`).join(", ")}.`,
  kind: "matrix",
  heads: ["Operation", ...namesIn(panel)],
  rows: words.operationsIn(panel).map((operation) => {
    return [operation, ...panel.vendors.map((_, nth) => <Counts counts={words.countsIn(panel, nth, operation)} />)];
  }),
});

const questions = (panel: PanelReport): TableProps => ({
  title: "Question by question",
  kind: "matrix",
  heads: ["Question", "Polls", ...namesIn(panel)],
  rows: panel.questions.map(({ id, about, polls, counts }) => {
    const name = [<code>{id}</code>, ` ${short(about)}`];
    return [<>{name}</>, polls, ...counts.map((one) => <Counts counts={one} />)];
  }),
});

const freshness = (panel: PanelReport): TableProps => ({
  title: "Who is fresh",
  note: "Slots behind the newest that the panel had shown in the same poll; ± is what round trips leave open.",
  heads: ["Operation", "Vendor", "Answers", "Median", "p95", "Most", "±", "Certainly behind"],
  rows: Object.entries(panel.freshness).flatMap(([operation, all]) =>
    all.map((one) => {
      const { answers, median, p95, most, uncertain, stale } = words.lagIn(one);
      return [operation, namesIn(panel)[one.vendor], answers, median, p95, most, uncertain, figure(stale)];
    }),
  ),
});

const latency = (panel: PanelReport): TableProps => ({
  title: "Who is fast",
  note: `In ms; intervals hold together at 99 %. ${words.leadLines(panel).join("; ")}`,
  heads: ["Operation", "Connection", "Vendor", "Answers", "Median", "p95", "p99", ""],
  rows: panel.latencies
    .toSorted((a, b) => `${a.operation} ${b.kind}`.localeCompare(`${b.operation} ${a.kind}`) || a.p50_ms - b.p50_ms)
    .map(({ operation, vendor, kind, count, p50_ms, p95_ms, p99_ms }) => {
      const figures = [p50_ms, p95_ms, p99_ms].map(inMs);
      const note = kind === "warm" && words.isUnranked(panel, vendor, operation) ? "too few to rank" : "";
      return [operation, kind, namesIn(panel)[vendor], numberText(count), ...figures, note];
    }),
});

const nightByNight = (nights: readonly PanelReport[]): TableProps => ({
  title: "Night by night",
  kind: "matrix",
  heads: ["When", "Panel", "Rounds", "Found"],
  rows: nights.map((night) => [
    whenText(night.startedAt),
    short(night.id),
    night.rounds,
    short(words.headlineOf(night)),
  ]),
});

function oneDissent(panel: PanelReport, { question, standings: all, exchanges, replay }: Dissent) {
  const about = panel.questions.find(({ id }) => id === question)?.about ?? "";
  const those = all.flatMap((one, nth) => (one === null ? [] : [`${namesIn(panel)[nth]} ${one}`]));
  return (
    <Folded summary={short(`${question} ${about}: ${those.join(", ")}`)}>
      <Command text={replay} />
      <div class="side">
        {exchanges.map((exchange, vendor) =>
          exchange === null ? null : (
            <div>
              <h3>{namesIn(panel)[vendor]}</h3>
              <Folded summary="As curl">
                <Command text={exchange.curl} />
              </Folded>
              <Answer exchange={exchange} places={[]} longestBody_chars={longestBody_chars} />
            </div>
          ),
        )}
      </div>
    </Folded>
  );
}

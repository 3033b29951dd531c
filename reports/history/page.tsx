/** @jsxImportSource hono/jsx */
// Histories as one HTML page that needs nothing else; it computes nothing
import { sum } from "simple-statistics";
import type { Json } from "../../harness/core/json.ts";
import type { LoadPhase } from "../../harness/record/load.ts";
import { Changed, style as common, KindCell } from "../compare/page.tsx";
import { documentOf } from "../html/document.tsx";
import { Bar, Folded, Section, short, Table, type TableProps } from "../html/figures.tsx";
import { inMs, numberText } from "../numbers.ts";
import { valueText } from "../sentences.ts";
import { shown } from "../text.ts";
import { absent } from "./changes.ts";
import type { History } from "./history.ts";
import { Lines } from "./lines.tsx";
import { dayOf, flakySection, headlineIn, moodOf, sinceIn, titleOf, trendText, type Words } from "./sections.ts";
import { lastOf, type Strip } from "./strips.ts";

const style = `${common}
.strip .bar { width: 22rem; max-width: 50vw; height: .8rem; margin-top: .3rem; }
.strip .absent { fill: none; }
.lines { width: 40rem; max-width: 100%; }
.lines path { fill: none; stroke-width: 1.5; stroke-linecap: round; }
.lines .axis { stroke: var(--line); } .lines .point { stroke: var(--broken); stroke-dasharray: 3 3; }
.line-1 { --line-hue: var(--hue-1); } .line-2 { --line-hue: var(--hue-2); }
.line-3 { --line-hue: var(--hue-5); }
.lines path[class^="line-"] { stroke: var(--line-hue); }
span[class^="line-"] { border-bottom: 3px solid var(--line-hue); }
.lines text { fill: var(--soft); font-size: 11px; }
.since { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0 2rem; }
`;

const textOf = (pieces: ReturnType<typeof titleOf>): string =>
  pieces.map((piece) => (typeof piece === "string" ? piece : short(piece.text))).join("");

/** Of what views show: the rest takes time. */
const visibly = ({ strips, nights, ...history }: History): History => ({
  ...shown({ ...history, nights: nights.map((night) => ({ ...night, requirements: {}, latencies: [], packed: "" })) }),
  strips,
});

/** One HTML document: it sends no request and has no script. */
export function historyPageOf(found: readonly History[], words: Words): string {
  const histories = found.map(visibly);
  const moods = histories.map(moodOf);
  const mood = moods.find((one) => one === "broken") ?? moods.find((one) => one === "inconclusive") ?? "holds";
  const [only] = histories;
  const red = moods.filter((one) => one === "broken").length;
  const headline =
    only && histories.length === 1
      ? headlineIn(only)
      : `${red} of ${histories.length} histories end with a broken requirement`;
  return documentOf(
    { title: `${headline} · Assay`, icon: mood, style, script: null },
    <>
      <header>
        <p class="assay">Assay {words.version}, history</p>
        <h1 class={mood}>{headline}</h1>
        {histories.map((history, nth) => (
          <First history={history} words={words} nth={nth} isOnly={histories.length === 1} />
        ))}
      </header>
      <main>
        {histories.map((history, nth) => (
          <Details history={history} nth={nth} />
        ))}
      </main>
      <footer>
        <p>
          Nights that were cut short or reached nothing are left out. The history holds no keys, bodies and addresses.
        </p>
      </footer>
    </>,
  );
}

interface OneProps {
  readonly history: History;
  readonly words: Words;
  readonly nth: number;
}

function First({ history, words, nth, isOnly }: OneProps & { readonly isOnly: boolean }) {
  return (
    <section aria-labelledby={`history-${nth}`}>
      <h2 id={`history-${nth}`}>{textOf(titleOf(history))}</h2>
      {isOnly ? null : <p class={moodOf(history)}>{headlineIn(history)}.</p>}
      <Changed sections={flakySection(history)} />
      <div class="since">
        {sinceIn(history, words).map(({ title, sections }) => (
          <div>
            <h3>{title}</h3>
            {sections.length === 0 ? <p class="fine">No change.</p> : <Changed sections={sections} />}
          </div>
        ))}
      </div>
    </section>
  );
}

function Details({ history, nth }: Omit<OneProps, "words">) {
  const { nights, latencies, changePoints, left } = history;
  const days = nights.map(({ at }) => dayOf(at));
  const inLoads = (of: (phase: Omit<LoadPhase, "p95_ms">) => number) =>
    nights.map(({ load }) => (load ? Math.round(sum(load.phases.map(of))) : null));
  return (
    <Section id={`nights-${nth}`} title={`Nights: ${textOf(titleOf(history))}`}>
      <Strips history={history} />
      <Changes history={history} />
      {latencies.length > 0 ? (
        <>
          <h3>Latency of served answers</h3>
          <p class="fine">
            <span class="line-1">p50</span>, <span class="line-2">p95</span> and <span class="line-3">p99</span>, on a
            logarithmic scale. A dashed line: from here on it is at another level, which is neither chance nor drift.
          </p>
        </>
      ) : null}
      {latencies.map(({ operation, p50, p95, p99 }) => (
        <Lines
          caption={short(operation)}
          days={days}
          marks={changePoints.flatMap((one) => (one.operation === operation ? [one.night] : []))}
          lines={{ p50, p95, p99 }}
          textOf={(ms) => `${inMs(ms)} ms`}
        />
      ))}
      <Limits history={history} />
      <h3>Spent</h3>
      <Lines
        caption="Credits and requests of each night"
        days={days}
        lines={{
          Credits: nights.map(({ spent }) => spent.credits),
          Requests: nights.map(({ spent }) => spent.requests),
        }}
      />
      {nights.some(({ load }) => load) ? (
        <Lines
          caption="Requests that loads asked for, sent, and got served"
          days={days}
          lines={{
            "Asked for": inLoads(({ seconds, perSecond }) => seconds * perSecond),
            Sent: inLoads(({ requests }) => requests),
            Served: inLoads(({ served }) => served),
          }}
        />
      ) : null}
      <Rows
        caption="Nights left out"
        heads={["Night", "Run", "Why"]}
        rows={left.map(({ at, id, left: why }) => [dayOf(at), id, why ?? ""])}
      />
    </Section>
  );
}

/** Lengths of equal states, one after another. */
function runsOf({ states }: Strip): readonly (readonly [kind: Strip["states"][number]["kind"], count: number])[] {
  const begins = [...states.keys()].filter((nth) => states[nth]?.kind !== states[nth - 1]?.kind);
  return begins.map((from, nth) => [states[from]?.kind ?? "absent", (begins[nth + 1] ?? states.length) - from]);
}

function Strips({ history: { strips, nights } }: Pick<OneProps, "history">) {
  const table = (some: readonly Strip[]) => (
    <Table
      caption="Requirements over nights"
      isCaptionShown={false}
      kind="matrix"
      heads={["Requirement", "Nights, the last on the right", "Last night", "Since"]}
      rows={some.map((strip) => [
        <>
          <code>{short(strip.id)}</code> {strip.sentence}
        </>,
        <span class="strip">
          <Bar counts={runsOf(strip)} of={nights.length} />
        </span>,
        <KindCell kind={lastOf(strip)} />,
        trendText(strip.trend, nights),
      ])}
    />
  );
  const isQuiet = (strip: Strip): boolean => lastOf(strip) !== "broken" && runsOf(strip).length === 1;
  const [quiet, moving] = [strips.filter(isQuiet), strips.filter((one) => !isQuiet(one))];
  return (
    <>
      <h3>Requirements</h3>
      {moving.length > 0 ? table(moving) : <p class="fine">Every requirement was the same on every night.</p>}
      {quiet.length > 0 ? (
        <Folded summary={`${numberText(quiet.length)} the same on every night`}>{table(quiet)}</Folded>
      ) : null}
    </>
  );
}

/** Nothing where there are no rows. */
const Rows = ({ rows, ...table }: Omit<TableProps, "rows"> & { readonly rows: readonly (readonly string[])[] }) =>
  rows.length === 0 ? null : (
    <>
      <h3>{table.caption}</h3>
      <Table {...table} isCaptionShown={false} kind="matrix" rows={rows.map((row) => row.map(short))} />
    </>
  );

function Changes({ history: { nights, changes } }: Pick<OneProps, "history">) {
  const on = (nth: number): string => dayOf(nights[nth]?.at ?? "");
  const values = (some: readonly Json[]): string =>
    some.map((one) => (one === absent ? "–" : valueText(one))).join(" or ");
  const all = [...changes.behaviours, ...changes.shapes].sort((a, b) => b.night - a.night);
  return (
    <Rows
      caption="Changes of unspecified behaviours and of response shapes"
      heads={["First seen", "What", "Where", "Was", "Is", ""]}
      rows={all.map(({ night, what, where, was, is, back }) => {
        const varies = back === null ? "" : `as before on ${on(back)}`;
        return [on(night), what, where, values(was), values(is), varies];
      })}
    />
  );
}

/** Since when each limit is as it is, the newest first. */
function Limits({ history: { nights } }: Pick<OneProps, "history">) {
  const names = [...new Set(nights.flatMap(({ limits }) => Object.keys(limits)))];
  const rows = names.flatMap((name) => {
    const known = nights.flatMap(({ at, limits: { [name]: limit = "" } }) => (limit === "" ? [] : [{ at, limit }]));
    const since = known.filter(({ limit }, nth) => known[nth - 1]?.limit !== limit);
    return since.reverse().map(({ at, limit }) => [name, limit, dayOf(at)]);
  });
  return <Rows caption="Limits as they were found" heads={["What", "Limit", "Since"]} rows={rows} />;
}

/** @jsxImportSource hono/jsx */
// Histories as one HTML page that needs nothing else; it computes nothing
import { Changed, style as common } from "../compare/page.tsx";
import { documentOf } from "../html/document.tsx";
import { Bar, Folded, Section, short, Table } from "../html/figures.tsx";
import { inMs, numberText } from "../numbers.ts";
import { valueText } from "../sentences.ts";
import { shown } from "../text.ts";
import { nameOf, signOf } from "../words.ts";
import { absent } from "./changes.ts";
import type { History } from "./history.ts";
import { Lines } from "./lines.tsx";
import { dayOf, flakySection, headlineIn, moodOf, sinceIn, titleOf, trendText, type Words } from "./sections.ts";
import { lastOf, type Strip } from "./strips.ts";

const style = `${common}
.strip .bar { width: 22rem; max-width: 50vw; height: .8rem; margin-top: .3rem; }
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

/** One HTML document: it sends no request and has no script. */
export function historyPageOf(found: readonly History[], words: Words): string {
  const histories = shown(found);
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
          <Details history={history} words={words} nth={nth} />
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
      <Changed sections={flakySection(history, words)} />
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

function Details({ history, words, nth }: OneProps) {
  const { nights, latencies, changePoints, left } = history;
  const days = nights.map(({ at }) => dayOf(at));
  return (
    <Section id={`nights-${nth}`} title={`Nights: ${textOf(titleOf(history))}`}>
      <Strips history={history} words={words} />
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
          unit="ms"
          days={days}
          marks={changePoints.flatMap((one) => (one.operation === operation ? [one.night] : []))}
          lines={{ p50, p95, p99 }}
          textOf={inMs}
        />
      ))}
      <Limits history={history} />
      <h3>Spent</h3>
      <Lines
        caption="Credits and requests of each night"
        unit=""
        days={days}
        lines={{
          Credits: nights.map(({ spent }) => spent.credits),
          Requests: nights.map(({ spent }) => spent.requests),
        }}
        textOf={numberText}
      />
      <Loads history={history} />
      <Rows
        caption="Nights left out"
        heads={["Night", "Run", "Why"]}
        rows={left.map(({ at, id, reason }) => [dayOf(at), id, reason])}
      />
    </Section>
  );
}

/** Lengths of equal states, one after another. */
function runsOf({ states }: Strip): readonly (readonly [kind: Strip["states"][number]["kind"], count: number])[] {
  const runs: [kind: Strip["states"][number]["kind"], count: number][] = [];
  for (const { kind } of states) {
    const last = runs.at(-1);
    if (last?.[0] === kind) last[1] += 1;
    else runs.push([kind, 1]);
  }
  return runs;
}

function Strips({ history, words }: Omit<OneProps, "nth">) {
  const { strips, nights } = history;
  const sentences = new Map<string, string>(
    words.described.tables.requirements.map(({ id, sentence }) => [id, sentence]),
  );
  const rowOf = (strip: Strip) => {
    const last = lastOf(strip);
    return [
      <>
        <code>{short(strip.id)}</code> {sentences.get(strip.id) ?? ""}
      </>,
      <span class="strip">
        <Bar counts={runsOf(strip)} of={nights.length} />
      </span>,
      <span class={last === "absent" ? "none" : last}>
        <span aria-hidden="true">{signOf(last)}</span> {nameOf(last)}
      </span>,
      trendText(strip.trend, nights),
    ];
  };
  const table = (some: readonly Strip[]) => (
    <Table
      caption="Requirements over nights"
      isCaptionShown={false}
      kind="matrix"
      heads={["Requirement", "Nights, the last on the right", "Last night", "Since"]}
      rows={some.map(rowOf)}
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

interface RowsProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Nothing where there are no rows. */
const Rows = ({ caption, heads, rows }: RowsProps) =>
  rows.length === 0 ? null : (
    <>
      <h3>{caption}</h3>
      <Table
        caption={caption}
        isCaptionShown={false}
        kind="matrix"
        heads={heads}
        rows={rows.map((row) => row.map((cell) => short(String(cell))))}
      />
    </>
  );

function Changes({ history: { nights, changes } }: Pick<OneProps, "history">) {
  const on = (nth: number): string => dayOf(nights[nth]?.at ?? "");
  const all = [
    ...changes.behaviours.map((one) => ({ ...one, what: one.id, where: one.case })),
    ...changes.shapes.map((one) => ({ ...one, what: Object.values(one.group).join(" "), where: one.at })),
  ].sort((a, b) => b.night - a.night);
  const values = (some: (typeof all)[number]["was"]): string =>
    some.map((one) => (one === absent ? "–" : valueText(one))).join(" or ");
  return (
    <Rows
      caption="Changes of unspecified behaviours and of response shapes"
      heads={["First seen", "What", "Where", "Was", "Is", ""]}
      rows={all.map(({ night, what, where, was, is, back }) => [
        on(night),
        what,
        where,
        values(was),
        values(is),
        back === null ? "" : `as before on ${on(back)}`,
      ])}
    />
  );
}

/** Since when each limit is as it is, the newest first. */
function Limits({ history: { nights } }: Pick<OneProps, "history">) {
  const names = [...new Set(nights.flatMap(({ limits }) => Object.keys(limits)))];
  const rows = names.flatMap((name) => {
    const known = nights.flatMap(({ at, limits: { [name]: value } }) => (value === undefined ? [] : [{ at, value }]));
    return known
      .flatMap(({ at, value }, nth) => (known[nth - 1]?.value === value ? [] : [[name, value, dayOf(at)]]))
      .reverse();
  });
  return <Rows caption="Limits as they were found" heads={["What", "Limit", "Since"]} rows={rows} />;
}

const shownLoads = 14;

function Loads({ history: { nights } }: Pick<OneProps, "history">) {
  const rows = nights
    .slice(-shownLoads)
    .reverse()
    .flatMap(({ at, load }) => {
      if (!load) return [];
      const all = (of: "requests" | "served" | "limited" | "failed"): string =>
        numberText(load.phases.reduce((total, phase) => total + phase[of], 0));
      const asked = load.phases.reduce((total, { seconds, perSecond }) => total + seconds * perSecond, 0);
      return [
        [
          dayOf(at),
          numberText(Math.round(asked)),
          all("requests"),
          all("served"),
          all("limited"),
          all("failed"),
          load.knee_perSecond ?? "–",
        ],
      ];
    });
  return (
    <Rows
      caption="What loads asked for and got"
      heads={["Night", "Asked for", "Sent", "Served", "Rate-limited", "Failed", "Knee per second"]}
      rows={rows}
    />
  );
}

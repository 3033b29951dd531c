/** @jsxImportSource hono/jsx */
// How fresh and how fast vendors are: dots on a common scale, a row for each vendor, with a table of the same figures.
import type { Child } from "hono/jsx";
import type { PanelReport } from "../../panel/panelReport.ts";
import type { ChartFigure, TextTable } from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { counted, inMs, numberText } from "../numbers.ts";
import { capped } from "../text.ts";
import { lagIn, vendorNameIn } from "./figures.ts";
import { medianOf, mixLatencies } from "./mix.ts";

/** A vendor's figures in one operation. */
interface DotRow {
  readonly operation: string;
  readonly name: string;
  readonly answers: number;
  readonly median: number;
  /** Of the median; an end is null where there are too few answers for it. */
  readonly interval: readonly [from: number | null, to: number | null];
  /** Null below so many answers that a percentile says something. */
  readonly p95: number | null;
  /** What few exceed; null as p95. */
  readonly highest: number | null;
}

interface DotPlot {
  readonly unit: string;
  /** What the bar around a median is; null where there are none. */
  readonly interval: string | null;
  /** What the third figure is. */
  readonly highest: string;
  readonly textOf: (figure: number) => string;
  /** Logarithmic: slots begin at zero, times don't. */
  readonly scale: (figure: number) => number;
  /** What the scale shows, whatever the figures are. */
  readonly always: readonly number[];
}

/** Of fewer answers the table is enough. */
const fewestDrawn = 5;
const longestName_chars = 60;
const mostTicks = 7;
const powers = [-1, 0, 1, 2, 3, 4, 5, 6];

/** Round figures that the scale shows, from the last one below all to the first one above. */
function ticksOver(figures: readonly number[], isFromZero: boolean): readonly number[] {
  const [least, most] = [Math.min(...figures), Math.max(...figures)];
  const within = (mantissas: readonly number[]): readonly number[] => {
    const all = powers.flatMap((power) => mantissas.map((mantissa) => mantissa * 10 ** power));
    const round = isFromZero ? [0, ...all.filter((tick) => tick >= 1)] : all;
    const from = Math.max(
      0,
      round.findLastIndex((tick) => tick <= least),
    );
    const to = round.findIndex((tick) => tick >= most);
    return round.slice(from, to < 0 ? round.length : to + 1);
  };
  const fine = within([1, 2, 5]);
  return fine.length <= mostTicks ? fine : within([1]);
}

/** Of the whole width: dots at either end need room. */
const [firstPlace, lastPlace] = [4, 96] as const;
const height_px = 24;

const middle = height_px / 2;
const Highest = ({ x }: { readonly x: string }) => <line class="highest" x1={x} x2={x} y1="1" y2={height_px - 1} />;
/** A bar between the ends of an interval. */
const Interval = ({ from, to }: { readonly from: string; readonly to: string }) => (
  <line class="interval" x1={from} x2={to} y1={middle} y2={middle} />
);
const Ring = ({ x }: { readonly x: string }) => <circle class="ring" cx={x} cy={middle} r="6.5" />;
const Dot = ({ x }: { readonly x: string }) => <circle class="dot" cx={x} cy={middle} r="3.5" />;

const Key = ({ mark, children }: { readonly mark: Child; readonly children: Child }) => (
  <span>
    <svg width={height_px} height={height_px}>
      {mark}
    </svg>
    {children}
  </span>
);

/** Names and figures are text of the page, so that they stay legible however narrow it is. */
function dotPlot(rows: readonly DotRow[], { unit, highest, textOf, ...scales }: DotPlot): Child {
  const { interval: intervalName, scale, always } = scales;
  const figures = rows.flatMap(({ median, interval, p95, highest: most }) => [median, ...interval, p95, most]);
  const ticks = ticksOver([...always, ...figures.filter((figure) => figure !== null)], always.includes(0));
  const [from, to] = [scale(ticks[0] ?? 0), scale(ticks.at(-1) ?? 1)];
  const placeOf = (figure: number): string => {
    const share = Math.min(1, Math.max(0, (scale(figure) - from) / (to - from || 1)));
    return `${(firstPlace + share * (lastPlace - firstPlace)).toFixed(1)}%`;
  };
  return (
    <div class="dots">
      <p class="fine">
        <Key mark={<Dot x="50%" />}>median</Key>
        {intervalName === null ? null : <Key mark={<Interval from="10%" to="90%" />}>{intervalName}</Key>}
        {rows.some(({ p95 }) => p95 !== null) ? <Key mark={<Ring x="50%" />}>p95</Key> : null}
        {rows.some((row) => row.highest !== null) ? <Key mark={<Highest x="50%" />}>{highest}</Key> : null}
        <span>{unit}, on a logarithmic scale</span>
      </p>
      {[...groupedBy(rows, ({ operation }) => operation)].map(([operation, all]) => (
        <>
          <h4>{capped(operation, longestName_chars)}</h4>
          {all.map(({ name, answers, median, interval: [least, most], p95, highest: furthest }) => (
            <div>
              <span>{capped(name, longestName_chars)}</span>
              <svg width="100%" height={height_px} aria-hidden="true">
                {ticks.map((tick) => (
                  <line class="grid" x1={placeOf(tick)} x2={placeOf(tick)} y1="0" y2={height_px} />
                ))}
                <line
                  class="range"
                  x1={placeOf(median)}
                  x2={placeOf(furthest ?? p95 ?? median)}
                  y1={middle}
                  y2={middle}
                />
                {least === null || most === null ? null : <Interval from={placeOf(least)} to={placeOf(most)} />}
                {furthest === null ? null : <Highest x={placeOf(furthest)} />}
                {p95 === null ? null : <Ring x={placeOf(p95)} />}
                <Dot x={placeOf(median)} />
              </svg>
              <span class="fine">
                {textOf(median)} {unit}
                {least === null || most === null ? "" : ` (${textOf(least)} to ${textOf(most)})`}
                {p95 === null ? "" : `, p95 ${textOf(p95)}`}; {counted(answers, "answer")}
              </span>
            </div>
          ))}
          <div>
            <svg width="100%" height="18" aria-hidden="true">
              {ticks.map((tick) => (
                <text x={placeOf(tick)} y="12" text-anchor="middle">
                  {numberText(tick)}
                </text>
              ))}
            </svg>
          </div>
        </>
      ))}
    </div>
  );
}

/** Nothing is drawn of so few answers that the table is enough. */
function figureOf(rows: readonly DotRow[], plot: DotPlot, table: Omit<TextTable, "is">): ChartFigure {
  const drawn = rows
    .filter(({ answers }) => answers >= fewestDrawn)
    .sort((a, b) => a.operation.localeCompare(b.operation) || a.median - b.median || (a.p95 ?? 0) - (b.p95 ?? 0));
  return { is: "figure", svg: drawn.length > 0 ? dotPlot(drawn, plot) : null, table: { is: "table", ...table } };
}

/** In slots, by operation and vendor. */
export function freshnessFigure(panel: PanelReport): ChartFigure {
  const all = Object.entries(panel.freshness).flatMap(([operation, lags]) =>
    lags.map((freshness) => {
      return { operation, name: vendorNameIn(panel, freshness.vendor), ...lagIn(freshness) };
    }),
  );
  return figureOf(
    all.map(({ most, ...row }) => ({ ...row, interval: [null, null], highest: most })),
    { unit: "slots", interval: null, highest: "most", textOf: numberText, scale: Math.log1p, always: [0, 5] },
    {
      caption: "Slots behind the newest answer",
      heads: [
        "Operation",
        "Vendor",
        "Answers",
        "Median slots",
        "p95 slots",
        "Most slots",
        "± slots",
        "Certainly behind",
      ],
      rows: all.map((lag) => {
        const figures = [lag.answers, lag.median, lag.p95, lag.most].map((one) =>
          one === null ? "" : numberText(one),
        );
        return [lag.operation, lag.name, ...figures, lag.uncertain, lag.stale || ""];
      }),
    },
  );
}

const inTime: DotPlot = {
  unit: "ms",
  interval: "its interval of 95 %",
  highest: "p99",
  textOf: inMs,
  scale: (figure) => Math.log(Math.max(figure, 0.1)),
  always: [],
};

const msText = (ms: number | null): string => (ms === null ? "" : inMs(ms));

/** In ms, of all that was asked in the shares of the mix; none where no vendor served all of it. */
export function mixFigure(panel: PanelReport): ChartFigure {
  const all = mixLatencies(panel)
    .flatMap(({ vendor, kind, answers, p50, p95, p99 }) =>
      p50 === null ? [] : [{ name: vendorNameIn(panel, vendor), kind, answers, p50, p95, p99 }],
    )
    .sort((a, b) => a.p50.ms - b.p50.ms);
  return figureOf(
    all.map(({ name, kind, answers, p50, p95, p99 }) => ({
      operation: kind === "warm" ? "The whole mix" : "The whole mix, new connections",
      name,
      answers,
      median: p50.ms,
      interval: [p50.from_ms, p50.to_ms],
      p95: p95?.ms ?? null,
      highest: p99?.ms ?? null,
    })),
    inTime,
    {
      caption: "Latencies of the whole mix",
      heads: ["Vendor", "Connection", "Answers", "Median ms", "from", "to", "p95 ms", "from", "to", "p99 ms"],
      rows: all.map(({ name, kind, answers, p50, p95, p99 }) => {
        const figures = [p50, p95].flatMap((one) => [one?.ms, one?.from_ms, one?.to_ms]);
        return [name, kind, numberText(answers), ...figures.map((ms) => msText(ms ?? null)), msText(p99?.ms ?? null)];
      }),
    },
  );
}

/** In ms, by operation and vendor; dots are of answers on open connections. */
export function speedFigure(panel: PanelReport): ChartFigure {
  const all = panel.latencies
    .map((latency) => ({ ...latency, name: vendorNameIn(panel, latency.vendor), median: medianOf(latency) }))
    .sort((a, b) => `${a.operation} ${b.kind}`.localeCompare(`${b.operation} ${a.kind}`) || a.p50_ms - b.p50_ms);
  return figureOf(
    all.map(({ operation, kind, name, count, median, p50_ms, p95_ms, p99_ms }) => ({
      operation: kind === "warm" ? operation : `${operation}, new connections`,
      name,
      answers: count,
      median: p50_ms,
      interval: [median.from_ms, median.to_ms],
      p95: p95_ms,
      highest: p99_ms,
    })),
    inTime,
    {
      caption: "Latencies",
      heads: ["Operation", "Connection", "Vendor", "Answers", "Median ms", "from", "to", "p95 ms", "p99 ms"],
      rows: all.map(({ operation, kind, name, median, ...latency }) => {
        const figures = [latency.p50_ms, median.from_ms, median.to_ms, latency.p95_ms, latency.p99_ms];
        return [operation, kind, name, numberText(latency.count), ...figures.map(msText)];
      }),
    },
  );
}

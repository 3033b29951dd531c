/** @jsxImportSource hono/jsx */
// How fresh and how fast vendors are: dots on a common scale, a row for each vendor, with a table of the same figures.
import type { Child } from "hono/jsx";
import type { PanelReport } from "../../panel/panelReport.ts";
import type { ChartFigure, TextTable } from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { counted, inMs, numberText } from "../numbers.ts";
import { capped } from "../text.ts";
import { isUnranked, lagIn, vendorNameIn } from "./figures.ts";

/** A vendor's figures in one operation. */
interface DotRow {
  readonly operation: string;
  readonly name: string;
  readonly answers: number;
  /** The median, p95, and what few exceed. */
  readonly at: readonly [median: number, p95: number, highest: number];
}

interface DotPlot {
  readonly unit: string;
  /** What the third figure is. */
  readonly highest: string;
  readonly textOf: (figure: number) => string;
  /** Logarithmic: slots begin at zero, times don't. */
  readonly scale: (figure: number) => number;
  /** What the scale shows, whatever the figures are. */
  readonly always: readonly number[];
}

/** With fewer answers a percentile says nothing. */
const fewestAnswers = 5;
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
  const { scale, always } = scales;
  const ticks = ticksOver([...always, ...rows.flatMap(({ at }) => at)], always.includes(0));
  const [from, to] = [scale(ticks[0] ?? 0), scale(ticks.at(-1) ?? 1)];
  const placeOf = (figure: number): string => {
    const share = Math.min(1, Math.max(0, (scale(figure) - from) / (to - from || 1)));
    return `${(firstPlace + share * (lastPlace - firstPlace)).toFixed(1)}%`;
  };
  return (
    <div class="dots">
      <p class="fine">
        <Key mark={<Dot x="50%" />}>median</Key>
        <Key mark={<Ring x="50%" />}>p95</Key>
        <Key mark={<Highest x="50%" />}>{highest}</Key>
        <span>{unit}, on a logarithmic scale</span>
      </p>
      {[...groupedBy(rows, ({ operation }) => operation)].map(([operation, all]) => (
        <>
          <h4>{capped(operation, longestName_chars)}</h4>
          {all.map(({ name, answers, at }) => (
            <div>
              <span>{capped(name, longestName_chars)}</span>
              <svg width="100%" height={height_px} aria-hidden="true">
                {ticks.map((tick) => (
                  <line class="grid" x1={placeOf(tick)} x2={placeOf(tick)} y1="0" y2={height_px} />
                ))}
                <line class="range" x1={placeOf(at[0])} x2={placeOf(at[2])} y1={middle} y2={middle} />
                <Highest x={placeOf(at[2])} />
                <Ring x={placeOf(at[1])} />
                <Dot x={placeOf(at[0])} />
              </svg>
              <span class="fine">
                {textOf(at[0])} {unit}, p95 {textOf(at[1])}; {counted(answers, "answer")}
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
    .filter(({ answers }) => answers >= fewestAnswers)
    .sort((a, b) => a.operation.localeCompare(b.operation) || a.at[0] - b.at[0] || a.at[1] - b.at[1]);
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
    all.map(({ median, p95, most, ...row }) => ({ ...row, at: [median, p95, most] })),
    { unit: "slots", highest: "most", textOf: numberText, scale: Math.log1p, always: [0, 5] },
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
        const figures = [lag.answers, lag.median, lag.p95, lag.most].map(numberText);
        return [lag.operation, lag.name, ...figures, lag.uncertain, lag.stale || ""];
      }),
    },
  );
}

/** In ms, by operation and vendor; dots are of answers on open connections. */
export function speedFigure(panel: PanelReport): ChartFigure {
  const all = panel.latencies
    .map((latency) => ({ ...latency, name: vendorNameIn(panel, latency.vendor) }))
    .sort((a, b) => `${a.operation} ${b.kind}`.localeCompare(`${b.operation} ${a.kind}`) || a.p50_ms - b.p50_ms);
  return figureOf(
    all.map(({ operation, kind, name, count, p50_ms, p95_ms, p99_ms }) => ({
      operation: kind === "warm" ? operation : `${operation}, new connections`,
      name,
      answers: count,
      at: [p50_ms, p95_ms ?? p50_ms, p99_ms ?? p95_ms ?? p50_ms],
    })),
    { unit: "ms", highest: "p99", textOf: inMs, scale: (figure) => Math.log(Math.max(figure, 0.1)), always: [] },
    {
      caption: "Latencies",
      heads: ["Operation", "Connection", "Vendor", "Answers", "Median ms", "p95 ms", "p99 ms", ""],
      rows: all.map(({ operation, kind, vendor, name, ...latency }) => {
        const figures = [latency.p50_ms, latency.p95_ms, latency.p99_ms].map((ms) => (ms === null ? "" : inMs(ms)));
        const rank = kind === "warm" && isUnranked(panel, vendor, operation) ? "too few to rank" : "";
        return [operation, kind, name, numberText(latency.count), ...figures, rank];
      }),
    },
  );
}

/** @jsxImportSource hono/jsx */
// Figures over nights as lines of few bytes, with the last of them as a table
import type { ChartFigure, Element } from "../document/document.ts";
import { inMs, numberText } from "../numbers.ts";

interface LinesOptions {
  readonly caption: string;
  /** Night by night; null where there is none. */
  readonly lines: { readonly [name: string]: readonly (number | null)[] };
  /** Days of the nights, as they are shown. */
  readonly days: readonly string[];
  /** Nights on which a new level begins. */
  readonly marks?: readonly number[];
  readonly textOf?: (figure: number) => string;
}

/** Of the plane, which is drawn as wide as its page; texts stand beside it, so that they keep their size. */
const [width, height, edge] = [1_000, 96, 4] as const;
/** In the table, the newest first. */
const lastNights = 14;

/** A gap where a night has no figure; a lone night is a dot. */
const pathOf = (figures: readonly (number | null)[], placeOf: (night: number, figure: number) => string): string =>
  figures
    .map((figure, night) => {
      if (figure === null) return "";
      const isFirst = (figures[night - 1] ?? null) === null;
      return `${isFirst ? "M" : "L"}${placeOf(night, figure)}${isFirst ? "h.01" : ""}`;
    })
    .join("");

interface Spark {
  readonly name: string;
  /** In ms, night by night. */
  readonly figures: readonly (number | null)[];
  readonly days: readonly string[];
}

/** As a share of what the figures span, on a logarithmic scale: 0 for the least. */
function heightsOf(figures: readonly (number | null)[]): readonly (number | null)[] {
  const logs = figures.map((figure) => (figure === null ? null : Math.log1p(figure)));
  const known = logs.flatMap((log) => log ?? []);
  const least = Math.min(...known);
  const span = Math.max(...known) - least || 1;
  return logs.map((log) => (log === null ? null : (log - least) / span));
}

const blocks = [..."▁▂▃▄▅▆▇█"];
const ms = (figure: number | null | undefined): string => (figure == null ? "–" : `${inMs(figure)} ms`);

/** `▁▁▁█ 0.5 ms on 2026-11-01 … 63 ms on 2026-11-14`. */
export function sparkText({ figures, days }: Spark): string {
  const bars = heightsOf(figures).map((height) => (height === null ? " " : blocks[Math.round(height * 7)]));
  return `${bars.join("")} ${ms(figures[0])} on ${days[0] ?? ""} … ${ms(figures.at(-1))} on ${days.at(-1) ?? ""}`;
}

const spark = { width: 120, height: 24, edge: 2 } as const;

/** Each point has its value and date for those who point at it, and the whole for those who listen. */
export function sparkElement({ name, figures, days }: Spark): Element {
  const xOf = (night: number): number =>
    spark.edge + (night / Math.max(1, figures.length - 1)) * (spark.width - 2 * spark.edge);
  const heights = heightsOf(figures);
  const yOf = (night: number): number =>
    spark.height - spark.edge - (heights[night] ?? 0) * (spark.height - 2 * spark.edge);
  const texts = figures.map((figure, night) => `${days[night] ?? ""}: ${ms(figure)}`);
  const element = (
    <svg
      class="spark"
      viewBox={`0 0 ${spark.width} ${spark.height}`}
      role="img"
      aria-label={`${name} by night: ${texts.join(", ")}`}
    >
      <path d={pathOf(figures, (night) => `${xOf(night).toFixed(1)} ${yOf(night).toFixed(1)}`)} />
      {figures.map((figure, night) =>
        figure === null ? null : (
          <circle cx={xOf(night).toFixed(1)} cy={yOf(night).toFixed(1)} r="1.6">
            <title>{texts[night]}</title>
          </circle>
        ),
      )}
    </svg>
  );
  return { is: "element", element };
}

/** Nothing where no night has a figure. */
export function linesFigure({ caption, days, ...figures }: LinesOptions): ChartFigure {
  const { lines, marks = [], textOf = numberText } = figures;
  const known = Object.values(lines).flatMap((figures) => figures.flatMap((figure) => figure ?? []));
  const least = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = known.reduce((a, b) => Math.max(a, b), 0);
  // Percentiles differ by magnitudes.
  const scaleOf = (figure: number): number => Math.log1p(figure) - Math.log1p(least);
  const xOf = (night: number): string =>
    (edge + (night / Math.max(1, days.length - 1)) * (width - 2 * edge)).toFixed(1);
  const placeOf = (night: number, figure: number): string =>
    `${xOf(night)} ${(height - edge - (scaleOf(figure) / (scaleOf(most) || 1)) * (height - 2 * edge)).toFixed(1)}`;
  const svg = (
    <div class="plot" aria-hidden="true">
      <span>{textOf(most)}</span>
      <svg class="lines" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        <path class="axis" d={`M0 0V${height}H${width}`} />
        {marks.map((night) => (
          <path class="point" d={`M${xOf(night)} 0V${height}`} />
        ))}
        {Object.values(lines).map((figures, nth) => (
          <path class={`line-${nth + 1}`} d={pathOf(figures, placeOf)} />
        ))}
      </svg>
      <span class="least">{textOf(least)}</span>
      <span class="days">
        <span>{days[0] ?? ""}</span>
        <span>
          {Object.keys(lines).map((name, nth) => (
            <span class={`line-${nth + 1}`}>{name}</span>
          ))}
        </span>
        <span>{days.at(-1) ?? ""}</span>
      </span>
    </div>
  );
  return {
    is: "figure",
    title: caption,
    svg,
    summary: `The last ${Math.min(lastNights, days.length)} nights as a table`,
    table: {
      is: "table",
      caption,
      heads: ["Night", ...Object.keys(lines)],
      rows:
        known.length === 0
          ? []
          : [...days.entries()]
              .slice(-lastNights)
              .reverse()
              .map(([night, day]) => [
                day,
                ...Object.values(lines).map(({ [night]: figure }) => (figure == null ? "–" : textOf(figure))),
              ]),
    },
  };
}

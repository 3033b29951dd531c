// Limits as lines in charts of rates, each with its name on it.
import { type KnownLimit, limitLinesOf } from "./limitLines.ts";

/** The width of charts: that of a page, less the labels of an axis. */
export const chart_px = 1_000;
/** Room for the name of a line before that of the next. */
const label_px = 120;

/** Rows beside those of the bars. @param up what is added to a rate, where a chart counts from elsewhere */
export const limitRowsOf = (limit: KnownLimit, up = 0) =>
  limitLinesOf(limit).map(({ perSecond, label, isStated }, nth) => ({
    is: "limit",
    perSecond: perSecond + up,
    label,
    label_px: 4 + nth * label_px,
    isStated,
  }));

const onlyLimits = [{ filter: { field: "is", equal: "limit" } }];
/** Lines and names stand out from what is below them. */
const halo = "var(--paper)";

/** Layers over bars: lines over the whole width, and their names at the left, where a phone shows them first. */
export function limitLayers(title: string | null) {
  const y = { field: "perSecond", type: "quantitative" as const, title };
  const text = {
    type: "text",
    align: "left",
    baseline: "bottom",
    dx: { expr: "datum.label_px" },
    dy: -4,
    fontSize: 11,
  } as const;
  const strokeDash = {
    field: "isStated",
    scale: {
      domain: [true, false],
      range: [
        [1, 0],
        [7, 4],
      ],
    },
    legend: null,
  };
  const lineOf = (color: string, strokeWidth: number) => ({ type: "rule" as const, color, strokeWidth });
  const label = { y, x: { value: 0 }, text: { field: "label" } };
  return [
    { transform: onlyLimits, mark: lineOf(halo, 4), encoding: { y } },
    { transform: onlyLimits, mark: lineOf("var(--ink)", 1.5), encoding: { y, strokeDash } },
    // Above other lines, which may be near.
    { transform: onlyLimits, mark: { ...text, color: halo, stroke: halo, strokeWidth: 6 }, encoding: label },
    { transform: onlyLimits, mark: { ...text, color: "var(--ink)" }, encoding: label },
  ];
}

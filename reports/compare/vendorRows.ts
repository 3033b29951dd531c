// Rows of a scorecard that runs fill: conformance, limits, and what else was measured alike at all of them.

import { fewOf } from "../lists.ts";
import { counted, countsOf, inMs, numberText } from "../numbers.ts";
import { type CriterionRow, rankedRow, type VendorScorecard } from "../scorecard/scorecard.ts";
import { refusalText, type Share, sharesApart } from "../scorecard/shares.ts";
import type { OwnLimit, QuantileBetween, VendorFigures } from "./comparedFigures.ts";
import type { Comparison } from "./comparison.ts";
import { smallestOfRuns } from "./latency.ts";
import { fewestMeasured } from "./measured.ts";
import { fewestForP95, ratioBetween } from "./quantileRatio.ts";
import { isSurelyOther } from "./slowness.ts";

type Runs = Pick<Comparison, "runs" | "pairs" | "vendors">;
type Conformance = NonNullable<VendorFigures["conformance"]>;
type Charges = NonNullable<VendorFigures["charges"]>;
type Refusals = NonNullable<VendorFigures["refusals"]>;

/** Of a vendor by the place of its run; null without one. */
type Places = readonly (number | null)[];

function figuresAt<Figure>(
  { vendors = [] }: Runs,
  places: Places,
  of: (figures: VendorFigures) => Figure | null,
): readonly (Figure | null)[] {
  return places.map((place) => {
    const figures = place === null ? undefined : vendors[place];
    return figures === undefined ? null : of(figures);
  });
}

/** What shows a figure of a run: a section of its pair, or of all. */
export const measuredAnchor = (what: "latency" | "limits" | "charges", head: number): string => `${what}-${head + 1}`;
export const pairAnchor = (head: number): string => `run-${head + 1}`;
export const matrixAnchor = "requirement-matrix";

/** The first run stands in every pair. */
const evidenceIn =
  (places: Places, anchorOf: (head: number) => string, fallback: readonly string[]) =>
  (vendor: number): readonly string[] => {
    const head = Math.max(1, places[vendor] ?? 1);
    return [anchorOf(head), pairAnchor(head), ...fallback];
  };

const conformanceText = ({ judged, broken, warned, elsewhere }: Conformance): string =>
  [
    `${broken === 0 ? "none" : numberText(broken)} of ${numberText(judged)} broken`,
    ...countsOf([warned, "warning"], [elsewhere, "more not judged at all of them", "more not judged at all of them"]),
  ].join(", ");

/** What wasn't judged at all of them doesn't outweigh it. */
const breaksFewer = (one: Conformance, other: Conformance): boolean =>
  one.broken < other.broken && one.broken + one.elsewhere < other.broken + other.elsewhere;

const mostLimits = 3;

function limitsText(limits: readonly OwnLimit[]): string {
  const texts = limits.map(({ of, text }) => (of === null || limits.length === 1 ? text : `${text} (${of})`));
  const { shown, rest } = fewOf(texts, mostLimits);
  return `${limits[0]?.is ?? "stated"} ${[...shown, ...countsOf([rest, "more", "more"])].join(", ")}`;
}

/** Higher for one of those that both have, and lower for none. */
function allowsMore(one: readonly OwnLimit[], other: readonly OwnLimit[]): boolean {
  const both = one.flatMap((limit) => {
    const those = other.filter(({ of, is }) => of === limit.of && is === limit.is);
    return those.map((its) => ({ least: limit.least, most: its.most, isSame: limit.text === its.text }));
  });
  const isHigher = ({ least, most }: (typeof both)[number]): boolean => least !== null && most !== null && least > most;
  return both.some(isHigher) && both.every((pair) => isHigher(pair) || pair.isSame);
}

const chargesText = ({ audited, more, less }: Charges): string => {
  const wrong = countsOf([more, "charged too much", "charged too much"], [less, "too little", "too little"]);
  return wrong.length === 0
    ? `${counted(audited, "counter")} as expected`
    : `${wrong.join(", ")}, of ${counted(audited, "counter")}`;
};

/** What vendors' runs say of what they promise: for any view beside which they stand. */
export function promiseRows(runs: Runs, places: Places): readonly CriterionRow[] {
  const limits = figuresAt(runs, places, (figures) => (figures.limits.length === 0 ? null : figures.limits));
  return [
    ...rankedRow(
      "conformance",
      figuresAt(runs, places, ({ conformance }) => conformance),
      {
        label: "conformance",
        textOf: conformanceText,
        evidenceOf: () => [matrixAnchor, "their-latest-runs"],
        isBetter: breaksFewer,
      },
    ),
    ...rankedRow("limits", limits, {
      label: "limits",
      textOf: limitsText,
      evidenceOf: evidenceIn(places, (head) => measuredAnchor("limits", head), ["their-latest-runs"]),
      isBetter: allowsMore,
    }),
  ];
}

/** What isn't known of a vendor's promises. */
export function unknownPromises({ vendors = [] }: Runs, place: number | null): readonly string[] {
  const figures = place === null ? undefined : vendors[place];
  if (!figures) return ["conformance and limits: no run"];
  return [
    ...(figures.conformance ? [] : ["conformance: no requirement was judged at all of them"]),
    ...(figures.limits.length > 0 ? [] : ["limits: neither measured nor stated"]),
  ];
}

const chargesLess = (one: Charges, other: Charges): boolean =>
  // Who charges too little isn't better than who charges what is due.
  one.more < other.more;

type Answered = QuantileBetween & { readonly answers: number };

/** Runs of several vendors, as they are compared. @param names by which they are shown */
export function runScorecard(comparison: Runs, names: readonly string[]): VendorScorecard {
  const { runs, pairs, vendors = [] } = comparison;
  const places = runs.map((_, place) => place);
  const areLoads = pairs.some(({ load }) => load !== undefined);
  const isFaster = (one: Answered, other: Answered): boolean =>
    Math.min(one.answers, other.answers) >= fewestMeasured &&
    one.ms < other.ms &&
    isSurelyOther(ratioBetween(one, other), areLoads ? undefined : smallestOfRuns.by);
  const ofLatency = {
    textOf: ({ ms }: Answered): string => `${inMs(ms)} ms`,
    evidenceOf: evidenceIn(places, (head) => measuredAnchor("latency", head), []),
    isBetter: isFaster,
  };
  const refusals = figuresAt(comparison, places, (figures) => figures.refusals);
  const asShares = ({ limited, failed }: Refusals): readonly (readonly [string, Share])[] => [
    ["rate-limited", limited],
    ["failed", failed],
  ];
  const [p50, p95] = (["p50", "p95"] as const).map((percentile) =>
    rankedRow(
      percentile,
      figuresAt(comparison, places, ({ latency }): Answered | null => {
        const quantile = latency?.[percentile] ?? null;
        return latency && quantile ? { answers: latency.answers, ...quantile } : null;
      }),
      { ...ofLatency, label: percentile },
    ),
  );
  const [conformance, ...limits] = promiseRows(comparison, places);
  const rows = [
    ...(conformance ? [conformance] : []),
    ...(p50 ?? []),
    ...(p95 ?? []),
    ...rankedRow("refusals", refusals, {
      label: "refusals",
      textOf: (shares) => refusalText(asShares(shares)),
      evidenceOf: evidenceIn(places, pairAnchor, []),
      isBetter: (one, other) => sharesApart(asShares(one), asShares(other)),
    }),
    ...limits,
    ...rankedRow(
      "charges",
      figuresAt(comparison, places, ({ charges }) => charges),
      {
        label: "credits",
        textOf: chargesText,
        evidenceOf: evidenceIn(places, (head) => measuredAnchor("charges", head), []),
        isBetter: chargesLess,
      },
    ),
  ];
  const unknown = vendors.map((figures, place) => {
    const { latency } = figures;
    const lacking = (need: number): string => counted(need - (latency?.answers ?? 0), "more answer");
    const isShort = (need: number): boolean => latency !== null && latency.answers < need;
    return [
      ...(areLoads ? [] : unknownPromises(comparison, place)),
      ...(latency === null
        ? [
            areLoads
              ? "latency and refusals: not the same load, or one that is unreliable"
              : "latency: no request that all served",
          ]
        : []),
      ...(isShort(fewestMeasured) ? [`order in p50: ${lacking(fewestMeasured)}`] : []),
      ...(isShort(fewestForP95) ? [`p95: ${lacking(fewestForP95)}`] : []),
    ];
  });
  return { names, rows, unknown };
}

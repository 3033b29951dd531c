// What a comparison says of loads and their latencies: what differs in the loads first, then how much slower.
import {
  type Block,
  foldedTable,
  foreign,
  paragraph,
  type Section,
  type Sentence,
  sectionOf,
  type TextTable,
} from "../document/document.ts";
import { fewOf } from "../lists.ts";
import { counted, inMs, numberText, toTenths } from "../numbers.ts";
import type { ComparedLoad, ComparedQuantile, LatencyRatio, LoadChange, ShareChange } from "./comparedFigures.ts";
import type { Pair } from "./comparison.ts";
import { nameOfRatio, speedOf } from "./slowness.ts";
import type { Wording } from "./wording.ts";

const ratioNumber = (ratio: number): string =>
  ratio.toLocaleString("en-GB", { maximumFractionDigits: ratio < 10 ? 2 : 0 });

/** `95 % interval 98 to 160`, or without words where a table's head says them. */
export function intervalText({ from, to }: Pick<ComparedQuantile, "from" | "to">, what = "95 % interval "): string {
  if (from === null && to === null) return "too few answers";
  if (from === null) return `${what}up to ${ratioNumber(to ?? 0)}`;
  return `${what}${to === null ? `from ${ratioNumber(from)}` : `${ratioNumber(from)} to ${ratioNumber(to)}`}`;
}

/** `126 × (95 % interval 98 to 160)` */
const ratioText = (ratio: ComparedQuantile, what?: string): string =>
  `${ratioNumber(ratio.ratio)} × (${intervalText(ratio, what)})`;

/** An operation beyond the bound of `--slower`. */
export const exceededItem = (one: LatencyRatio, wording: Wording, times: number): Sentence => [
  foreign(nameOfRatio(one)),
  ": p95 ",
  ...wording.both([`${inMs(one.p95.was)} ms`], [`${inMs(one.p95.is)} ms`]),
  `, ${ratioText(one.p95)}, above the bound of ${times} ×`,
];

export const exceededIn = ({ latencyRatios = [] }: Pick<Pair, "latencyRatios">): readonly LatencyRatio[] =>
  latencyRatios.filter(({ bound }) => bound === "exceeded");

const mostNamed = 3;

/** The first with the figure that shows it. */
function namesOf(ratios: readonly LatencyRatio[]): string {
  const { shown, rest } = fewOf(ratios, mostNamed);
  const names = shown.map((one, nth) => (nth === 0 ? `${nameOfRatio(one)} ${figureOf(one)}` : nameOfRatio(one)));
  return [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/** `(p95 4.8 → 89 ms)`, or p50 where that alone is surely another. */
function figureOf({ p50, p95 }: LatencyRatio): string {
  const isKnown = p95.from !== null && (p95.from > 1 || (p95.to !== null && p95.to < 1));
  const { was, is } = isKnown ? p95 : p50;
  return `(${isKnown ? "p95" : "p50"} ${inMs(was)} → ${inMs(is)} ms)`;
}

/** Of loads, `getTransfers (p95 2 → 9 ms) is slower`; without what is beyond the bound. */
function speedTexts({ load, latencyRatios = [] }: Pair, there: string): readonly string[] {
  if (!load) return [];
  return (["slower", "faster"] as const).flatMap((speed) => {
    const those = latencyRatios.filter((one) => speedOf(one) === speed && one.bound !== "exceeded");
    const isOne = those.length === 1 && those[0]?.operation !== null;
    return those.length > 0 ? [`${namesOf(those)} ${isOne ? "is" : "are"} ${speed}${there}`] : [];
  });
}

const shareOf = ({ have, of }: ShareChange["was"]): number => (of === 0 ? 0 : have / of);
const percentText = (share: number): string => toTenths(100 * share);

/** Of loads, `more rate-limited: 0 → 10 %`. */
export function shareTexts({ load }: Pick<Pair, "load">, there = ""): readonly string[] {
  if (!load) return [];
  const changes = [
    ["rate-limited", load.limited],
    ["failed", load.failed],
  ] as const;
  return changes.flatMap(([what, { was, is, by, isReported }]) =>
    isReported
      ? [`${by > 0 ? "more" : "less"} ${what}${there}: ${percentText(shareOf(was))} → ${percentText(shareOf(is))} %`]
      : [],
  );
}

/** What is said of requirements, of the bound, and of speed: what fails the command first. */
export function besideLatency(broken: string, pair: Pair, there: string): readonly string[] {
  const { bound, exitCode } = pair;
  const shares = shareTexts(pair, there);
  const speeds = [...speedTexts(pair, there), ...shares];
  if (!bound) {
    const [first, ...others] = speeds;
    return first === undefined || first === shares[0] || exitCode === 1
      ? [broken, ...speeds]
      : [first, ...others, broken];
  }
  const of = `${bound.times} × the baseline's`;
  const exceeded = exceededIn(pair);
  if (exceeded.length > 0) return [`p95 above ${of}: ${namesOf(exceeded)}`, broken, ...shares];
  if (bound.verdict === "kept") return [broken, `no p95 is surely above ${of}`, ...speeds];
  const unjudged = `no p95 could be held against ${of} (${bound.reason})`;
  return exitCode === 1 ? [broken, unjudged, ...speeds] : [unjudged, broken, ...speeds];
}

function loadText({ shape, phases, parts }: ComparedLoad): string {
  const steps = phases.map(({ perSecond, seconds }) => `${toTenths(perSecond)}/s for ${toTenths(seconds)} s`);
  return `${shape} of ${steps.join(", ")}${parts > 1 ? `, in ${parts} parts` : ""}`;
}

/** What makes them different loads; none where they are the same. */
export function differentLoads({ load }: Pair, { both }: Wording): readonly Block[] {
  if (!load || load.differs.length === 0) return [];
  const isDescribed = load.differs.some((aspect) => aspect !== "mix");
  const [was, is] = [loadText(load.was), loadText(load.is)] as const;
  const unlike =
    was === is ? [": not all of the nights before were ", foreign(is)] : [": ", ...both([foreign(was)], [foreign(is)])];
  const described = isDescribed ? unlike : [];
  const mix = load.differs.includes("mix")
    ? [isDescribed ? "; the mix of operations differs, too" : ": the mix of operations differs"]
    : [];
  return [paragraph("Not the same load", ...described, ...mix, ".")];
}

const points = (share: number): string => `${share > 0 ? "+" : ""}${percentText(share)}`;

function shareItem(name: string, change: ShareChange, { both }: Wording): Sentence {
  const text = (share: ShareChange["was"]): Sentence => [
    `${numberText(share.have)} of ${numberText(share.of)} (${percentText(shareOf(share))} %)`,
  ];
  const { was, is, by, from, to } = change;
  if (was.have + is.have === 0) return [`${name}: none of ${numberText(was.of)} and of ${numberText(is.of)}`];
  return [
    `${name}: `,
    ...both(text(was), text(is)),
    `, ${points(by)} points (95 % interval ${points(from)} to ${points(to)})`,
  ];
}

const rateText = ({ reached_perSecond, asked_perSecond }: ComparedLoad): Sentence => [
  `${toTenths(reached_perSecond)}/s of ${toTenths(asked_perSecond)}/s asked`,
];

function throughputSection({ was, is, limited, failed }: LoadChange, wording: Wording): Section {
  const items = [
    ["reached: ", ...wording.both(rateText(was), rateText(is))],
    shareItem("rate-limited", limited, wording),
    shareItem("failed", failed, wording),
  ];
  return sectionOf(["Throughput, refusals and failures"], { is: "list", items });
}

const boundWords = { exceeded: "above", kept: "within", unsure: "not sure", unjudged: "too few answers" } as const;

/** What a load reached, and latencies by operation. */
export function loadSections({ load, latencyRatios = [], bound }: Pair, wording: Wording): readonly Section[] {
  return [
    ...(load ? [throughputSection(load, wording)] : []),
    sectionOf(
      [`Latency of served answers in ms, ${wording.arrow}, with the 95 % interval of the ratio`],
      ...foldedTable(
        latencyTable(latencyRatios, bound),
        latencyRatios.map((one) => one.operation === null || one.isReported || one.bound === "exceeded"),
        (count) => `${wording.unchanged} in ${counted(count, "operation")}`,
      ),
    ),
  ];
}

const latencyTable = (ratios: readonly LatencyRatio[], bound: Pair["bound"]): TextTable => ({
  is: "table",
  caption: "Latency by operation",
  heads: [
    "Operation",
    "Answers",
    "p50",
    "Ratio",
    "p95",
    "Ratio",
    "Change",
    ...(bound ? [`Bound ${bound.times} ×`] : []),
  ],
  rows: ratios.map((one) => [
    nameOfRatio(one),
    `${numberText(one.answers.was)} → ${numberText(one.answers.is)}`,
    ...[one.p50, one.p95].flatMap((quantile) => [
      `${inMs(quantile.was)} → ${inMs(quantile.is)}`,
      ratioText(quantile, ""),
    ]),
    speedOf(one) ?? "",
    ...(one.bound ? [boundWords[one.bound]] : []),
  ]),
});

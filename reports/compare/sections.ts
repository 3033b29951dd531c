// The sections of a comparison, sentence by sentence, for the terminal, Markdown and HTML.
import { placeName } from "../breach.ts";
import { counted, numberText, whenText } from "../numbers.ts";
import { costOf, valueText } from "../sentences.ts";
import { nameOf, words } from "../words.ts";
import type {
  Change,
  ChargeChange,
  Comparison,
  Drift,
  FreshnessChange,
  LatencyChange,
  LimitChange,
  Measured,
  Pair,
  ShapeChange,
  Share,
  State,
} from "./comparison.ts";

/** Our own words, or text from elsewhere, which views escape; `isValue`: sent, received or expected. */
export type Piece = string | { readonly text: string; readonly isValue?: true };

/** One sentence. */
type Item = readonly Piece[];

export interface Section {
  readonly name:
    | "broken"
    | "elsewhere"
    | "fixed"
    | "unjudged"
    | "verified"
    | "unspecified"
    | "shapes"
    | "latency"
    | "limits"
    | "charges"
    | "freshness";
  readonly sign: string;
  readonly title: string;
  readonly items: readonly Item[];
}

const foreign = (text: string): Piece => ({ text });
const value = (text: string): Piece => ({ text, isValue: true });

/** The sections of one pair that aren't empty, worst first. */
export function sectionsOf({ runs }: Pick<Comparison, "runs">, pair: Pair): readonly Section[] {
  const { broken, brokenElsewhere, fixed, unjudged, verified } = pair.requirements;
  const firstSeen = (drift: Drift): string => runs[drift.firstSeen.run]?.name ?? "";
  const sections: readonly Section[] = [
    { name: "broken", sign: words.broken.sign, title: "Newly broken", items: broken.map(brokenItem) },
    {
      name: "elsewhere",
      sign: words.broken.sign,
      title: "Broken at more places",
      items: brokenElsewhere.map(brokenItem),
    },
    { name: "unjudged", sign: words.withheld.sign, title: "No longer judged", items: unjudged.map(stateItem) },
    { name: "fixed", sign: words.holds.sign, title: "Fixed", items: fixed.map(stateItem) },
    { name: "verified", sign: words.holds.sign, title: "Newly verified", items: verified.map(stateItem) },
    {
      name: "unspecified",
      sign: "≠",
      title: "Changes of unspecified behaviour",
      items: pair.observations.map((one) => driftItem(one, firstSeen(one))),
    },
    { name: "shapes", sign: "≠", title: "Changed answer shapes", items: pair.shapes.map(shapeItem) },
    { name: "latency", sign: "≠", title: "Latency", items: reported(pair.latency).map(latencyItem) },
    { name: "limits", sign: "≠", title: "Stated rate limits", items: reported(pair.limits).map(limitItem) },
    { name: "charges", sign: "≠", title: "Charges", items: reported(pair.charges).map(chargeItem) },
    { name: "freshness", sign: "≠", title: "Freshness", items: reported(pair.freshness).map(freshnessItem) },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

const reported = <One extends { readonly isReported: boolean }>(all: readonly One[]): readonly One[] =>
  all.filter(({ isReported }) => isReported);

const because = ({ reason }: State): readonly Piece[] => (reason === null ? [] : [": ", foreign(reason)]);
const titlePieces = ({ id, sentence, clause }: Pick<Change, "id" | "sentence" | "clause">): readonly Piece[] => [
  foreign(id),
  " ",
  foreign(sentence),
  " (",
  foreign(clause),
  ")",
];

function brokenItem(change: Change): Item {
  const { was, is, shown } = change;
  const severity = is.kind === "broken" ? "" : ` (${nameOf(is.kind)} only)`;
  const before = was.kind === is.kind ? [] : [`, ${nameOf(was.kind)} before`, ...because(was)];
  const place = shown
    ? [
        "; ",
        ...(shown.title === null ? [] : [foreign(shown.title), " "]),
        "at ",
        value(placeName(shown.at)),
        ": expected ",
        value(shown.expected),
        ", got ",
        value(shown.got),
      ]
    : [];
  return [...titlePieces(change), severity, ...before, ...place];
}

const stateItem = (change: Change): Item => [
  ...titlePieces(change),
  `, ${nameOf(change.was.kind)} before, ${nameOf(change.is.kind)} now`,
  ...because(change.is.reason === null ? change.was : change.is),
];

const valuesText = (values: readonly Parameters<typeof valueText>[0][]): string => values.map(valueText).join(" or ");

const driftItem = ({ id, question, cases, firstSeen: { at } }: Drift, run: string): Item => [
  foreign(id),
  " ",
  foreign(question),
  ": ",
  ...cases.flatMap((one, index): Piece[] => [
    ...(index > 0 ? ["; "] : []),
    foreign(one.case),
    " was ",
    value(valuesText(one.was)),
    ", is ",
    value(valuesText(one.is)),
  ]),
  ", first seen in ",
  foreign(run),
  ", ",
  foreign(whenText(at)),
];

const shareText = ({ have, of }: Share): string => `${numberText(have)} of ${numberText(of)}`;

function shapeItem({ operation, status, outcome, at, change, was, is, seen }: ShapeChange): Item {
  const types = (some: readonly string[]): string => some.join(" or ");
  const what =
    change === "appeared"
      ? `appeared, ${types(is)}`
      : change === "vanished"
        ? `vanished, was ${types(was)}`
        : `was ${types(was)}, is ${types(is)}`;
  return [
    foreign(operation),
    ` ${status} ${outcome}: `,
    value(placeName(at)),
    ` ${what} (${shareText(seen.was)} before, ${shareText(seen.is)} now)`,
  ];
}

const figure = (value: number): string => value.toLocaleString("en-GB", { maximumFractionDigits: 1 });
const signed = (value: number): string => `${value > 0 ? "+" : ""}${figure(value)}`;

/** The shift of a figure with its interval, e.g. `+42 ms (+38 to +47)`. */
export const shiftText = ({ shift }: Pick<Measured, "shift">, unit: string): string =>
  shift ? `${signed(shift.by)} ${unit} (${signed(shift.from)} to ${signed(shift.to)})` : "too few values";

const measuredText = (one: Measured, unit: string): string =>
  `${shiftText(one, unit)}; median ${figure(one.was.median)} before, ${figure(one.is.median)} now`;
const latencyItem = (one: LatencyChange): Item => [
  foreign(one.operation),
  ` is ${(one.shift?.by ?? 0) > 0 ? "slower" : "faster"}: ${measuredText(one, "ms")}`,
];
const freshnessItem = (one: FreshnessChange): Item => [
  `${one.figure} of `,
  foreign(one.operation),
  ` lags ${(one.shift?.by ?? 0) > 0 ? "further behind" : "less far behind"}: ${measuredText(one, "slots")}`,
];

const orNothing = (texts: readonly string[]): Piece => (texts.length > 0 ? value(texts.join(", ")) : "nothing");
const limitItem = ({ operation, stated }: LimitChange): Item => [
  foreign(operation),
  " stated ",
  orNothing(stated.was),
  ", states ",
  orNothing(stated.is),
];

const chargeText = ({ charged, spent }: ChargeChange["was"]): string =>
  `${charged ?? "nothing that could be read"}, expected ${spent}`;
const chargeItem = ({ project, at, was, is }: ChargeChange): Item => [
  foreign(project),
  " ",
  value(at),
  ": charged ",
  foreign(chargeText(was)),
  " before, ",
  foreign(chargeText(is)),
  " now",
];

const several = (count: number, one: string, many: string): readonly string[] =>
  count > 0 ? [counted(count, one, many)] : [];

/** The whole comparison in a sentence, without full stop. */
export function headlineOfAll({ runs, pairs }: Comparison): string {
  const [only] = pairs;
  if (pairs.length === 1 && only) return headlineOf(only);
  const red = pairs.filter(({ exitCode }) => exitCode === 1).length;
  const summary =
    red > 0
      ? `${red} of them ${red === 1 ? "breaks" : "break"} what the baseline doesn't`
      : "none breaks what the baseline doesn't";
  return `${counted(runs.length, "run")} compared: ${summary}`;
}

/** One run against the baseline in a sentence, without full stop. */
export function headlineOf(pair: Pair): string {
  const { broken, fixed, unjudged } = pair.requirements;
  const red = broken.filter(({ is }) => is.kind === "broken").length;
  const changes = [
    ...several(broken.length - red, "new warning", "new warnings"),
    ...several(fixed.length, "is fixed", "are fixed"),
    ...several(unjudged.length, "is no longer judged", "are no longer judged"),
    ...several(pair.observations.length, "unspecified behaviour changed", "unspecified behaviours changed"),
    ...several(pair.shapes.length, "member of answers changed", "members of answers changed"),
    ...several(reported(pair.latency).length, "operation is faster or slower", "operations are faster or slower"),
    ...several(
      reported(pair.limits).length + reported(pair.charges).length + reported(pair.freshness).length,
      "other figure changed",
      "other figures changed",
    ),
  ];
  const first =
    red > 0
      ? `${counted(red, "requirement")} ${red === 1 ? "is" : "are"} newly broken`
      : pair.exitCode === 3
        ? "Inconclusive: not every requirement could be judged again"
        : "No requirement is newly broken";
  return [first, ...changes].join(", ");
}

/** One of the runs. */
export const runLine = ({ name, startedAt, totals, spent, complete }: Comparison["runs"][number]): readonly Piece[] => [
  foreign(name),
  ", ",
  foreign(whenText(startedAt)),
  `: ${counted(totals.holds, "holds", "hold")}, ${totals.broken} broken, ${totals.withheld} withheld; `,
  `${counted(spent.requests, "request")}, ${costOf(spent)}${complete ? "" : "; cut short"}`,
];

/** Rows of the matrix, without those that hold, or are withheld, in every run. */
export const reportedRows = ({ matrix }: Pick<Comparison, "matrix">): Comparison["matrix"] =>
  matrix.filter(
    ({ kinds }) => new Set(kinds).size > 1 || !["holds", "withheld", "absent"].includes(kinds[0] ?? "holds"),
  );

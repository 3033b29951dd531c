// The sections of a comparison, sentence by sentence, for the terminal, Markdown and HTML.
import { placeName } from "../breach.ts";
import { counted, countsOf, numberText, whenText } from "../numbers.ts";
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
  Shown,
  State,
} from "./comparison.ts";

/** Our own words, or text from elsewhere, which views escape; `isValue`: sent, received or expected. */
export type Piece = string | { readonly text: string; readonly isValue?: true };

/** One sentence. */
type Item = readonly Piece[];

/** The colour of a section, beside its sign. */
type Tone = "broken" | "withheld" | "narrowed" | "holds" | "noted";

export interface Section {
  readonly tone: Tone;
  readonly sign: string;
  readonly title: string;
  readonly items: readonly Item[];
}

const foreign = (text: string): Piece => ({ text });
const value = (text: string): Piece => ({ text, isValue: true });

/** Our own words around pieces. */
const sentenceOf = (ours: TemplateStringsArray, ...pieces: readonly (Piece | Item)[]): Item =>
  ours.flatMap((text, index) => [text, pieces[index] ?? ""].flat());

function sectionOf<One>(tone: Tone, title: string, all: readonly One[], itemOf: (one: One) => Item): Section {
  return { tone, sign: tone === "noted" ? "≠" : words[tone].sign, title, items: all.map(itemOf) };
}

/** The sections of one pair that aren't empty, worst first. */
export function sectionsOf({ runs }: Pick<Comparison, "runs">, pair: Pair): readonly Section[] {
  const { broken, brokenElsewhere, fixed, unjudged, verified, narrower, wider } = pair.requirements;
  return [
    sectionOf("broken", "Newly broken", broken, brokenItem),
    sectionOf("broken", "Broken at more places", brokenElsewhere, brokenItem),
    sectionOf("withheld", "No longer judged", unjudged, stateItem),
    sectionOf("narrowed", "Verified on less", narrower, stateItem),
    sectionOf("holds", "Fixed", fixed, stateItem),
    sectionOf("holds", "Newly verified", verified, stateItem),
    sectionOf("holds", "Verified on more", wider, stateItem),
    sectionOf("noted", "Changes of unspecified behaviour", pair.observations, (drift) =>
      driftItem(drift, runs[drift.firstSeen.run]?.name ?? ""),
    ),
    sectionOf("noted", "Changed answer shapes", pair.shapes, shapeItem),
    sectionOf("noted", "Latency", reported(pair.latency), latencyItem),
    sectionOf("noted", "Stated rate limits", reported(pair.limits), limitItem),
    sectionOf("noted", "Charges", reported(pair.charges), chargeItem),
    sectionOf("noted", "Freshness", reported(pair.freshness), freshnessItem),
  ].filter(({ items }) => items.length > 0);
}

const reported = <One extends { readonly isReported: boolean }>(all: readonly One[]): readonly One[] =>
  all.filter(({ isReported }) => isReported);

const because = ({ reason }: State): Item => (reason === null ? [] : [": ", foreign(reason)]);
const titleOf = ({ id, sentence, clause }: Change): Item =>
  sentenceOf`${foreign(id)} ${foreign(sentence)} (${foreign(clause)})`;

function brokenItem(change: Change): Item {
  const { was, is, shown } = change;
  const severity = is.kind === "broken" ? "" : ` (${nameOf(is.kind)} only)`;
  const before = was.kind === is.kind ? [] : [`, ${nameOf(was.kind)} before`, ...because(was)];
  return sentenceOf`${titleOf(change)}${severity}${before}${shown ? placeItem(shown) : ""}`;
}

function placeItem({ title, at, expected, got }: Shown): Item {
  const request = title === null ? [] : [foreign(title), " "];
  return sentenceOf`; ${request}at ${value(placeName(at))}: expected ${value(expected)}, got ${value(got)}`;
}

const stateItem = (change: Change): Item => [
  ...titleOf(change),
  `, ${nameOf(change.was.kind)} before, ${nameOf(change.is.kind)} now`,
  ...because(change.is.reason === null ? change.was : change.is),
];

const valuesOf = (values: readonly Parameters<typeof valueText>[0][]): Piece =>
  value(values.map(valueText).join(" or "));

function driftItem({ id, question, cases, firstSeen: { at } }: Drift, run: string): Item {
  const changes = cases.flatMap(({ case: name, was, is }, index) => [
    ...(index > 0 ? ["; "] : []),
    ...sentenceOf`${foreign(name)} was ${valuesOf(was)}, is ${valuesOf(is)}`,
  ]);
  const seen = sentenceOf`first seen in ${foreign(run)}, ${foreign(whenText(at))}`;
  return sentenceOf`${foreign(id)} ${foreign(question)}: ${changes}, ${seen}`;
}

const shareText = ({ have, of }: Share): string => `${numberText(have)} of ${numberText(of)}`;

function shapeItem({ operation, status, outcome, at, change, was, is, seen }: ShapeChange): Item {
  const types = (some: readonly string[]): string => some.join(" or ");
  const what =
    change === "appeared"
      ? `appeared, ${types(is)}`
      : change === "vanished"
        ? `vanished, was ${types(was)}`
        : `was ${types(was)}, is ${types(is)}`;
  const shares = `${shareText(seen.was)} before, ${shareText(seen.is)} now`;
  return [foreign(operation), ` ${status} ${outcome}: `, value(placeName(at)), ` ${what} (${shares})`];
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
const limitItem = ({ operation, stated }: LimitChange): Item =>
  sentenceOf`${foreign(operation)} stated ${orNothing(stated.was)}, states ${orNothing(stated.is)}`;

const chargeText = ({ charged, spent }: ChargeChange["was"]): Piece =>
  foreign(`${charged ?? "nothing that could be read"}, expected ${spent}`);
const chargeItem = ({ project, at, was, is }: ChargeChange): Item =>
  sentenceOf`${foreign(project)} ${value(at)}: charged ${chargeText(was)} before, ${chargeText(is)} now`;

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
  const { broken, fixed, unjudged, narrower, wider } = pair.requirements;
  const red = broken.filter(({ is }) => is.kind === "broken").length;
  const figures = [...reported(pair.limits), ...reported(pair.charges), ...reported(pair.freshness)];
  const changes = countsOf(
    [broken.length - red, "new warning"],
    [fixed.length, "is fixed", "are fixed"],
    [unjudged.length, "is no longer judged", "are no longer judged"],
    [narrower.length, "is verified on less", "are verified on less"],
    [wider.length, "is verified on more", "are verified on more"],
    [pair.observations.length, "unspecified behaviour changed", "unspecified behaviours changed"],
    [pair.shapes.length, "member of answers changed", "members of answers changed"],
    [reported(pair.latency).length, "operation is faster or slower", "operations are faster or slower"],
    [figures.length, "other figure changed", "other figures changed"],
  );
  const first =
    red > 0
      ? `${counted(red, "requirement")} ${red === 1 ? "is" : "are"} newly broken`
      : pair.exitCode === 3
        ? "Inconclusive: not every requirement could be judged again"
        : "No requirement is newly broken";
  return [first, ...changes].join(", ");
}

const inPart = ({ narrowed }: Comparison["runs"][number]["totals"]): string =>
  narrowed > 0 ? ` (${numberText(narrowed)} in part)` : "";

/** One of the runs. */
export const runLine = ({ name, startedAt, totals, spent, complete }: Comparison["runs"][number]): readonly Piece[] => [
  ...sentenceOf`${foreign(name)}, ${foreign(whenText(startedAt))}`,
  `: ${counted(totals.holds, "holds", "hold")}${inPart(totals)}, ${totals.broken} broken, `,
  `${totals.withheld} withheld; `,
  `${counted(spent.requests, "request")}, ${costOf(spent)}${complete ? "" : "; cut short"}`,
];

/** Rows of the matrix, without those that hold, or are withheld, in every run. */
export const reportedRows = ({ matrix }: Pick<Comparison, "matrix">): Comparison["matrix"] =>
  matrix.filter(
    ({ kinds }) => new Set(kinds).size > 1 || !["holds", "withheld", "absent"].includes(kinds[0] ?? "holds"),
  );

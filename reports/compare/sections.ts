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
import {
  type Item,
  isOfVendors,
  letterOf,
  type Piece,
  type Title,
  type Tone,
  type Wording,
  wordingOf,
} from "./wording.ts";

export interface Section {
  readonly tone: Tone;
  readonly sign: string;
  readonly title: string;
  readonly items: readonly Item[];
}

export const foreign = (text: string): Piece => ({ text });
export const value = (text: string): Piece => ({ text, isValue: true });

/** Our own words around pieces. */
export const sentenceOf = (ours: TemplateStringsArray, ...pieces: readonly (Piece | Item)[]): Item =>
  ours.flatMap((text, index) => [text, pieces[index] ?? ""].flat());

/** None where there are no items. */
export function sectionOf<One>([tone, title]: Title, all: readonly One[], itemOf: (one: One) => Item): Section[] {
  const sign = tone === "noted" ? "≠" : words[tone].sign;
  return all.length === 0 ? [] : [{ tone, sign, title, items: all.map(itemOf) }];
}

/** The sections of one pair that aren't empty, worst first. */
export function sectionsOf({ runs }: Pick<Comparison, "runs">, pair: Pair): readonly Section[] {
  const { broken, brokenElsewhere, fixed, unjudged, verified, narrower, wider } = pair.requirements;
  const wording = wordingOf(runs, pair);
  const { titles } = wording;
  const withWording =
    <One>(itemOf: (one: One, wording: Wording) => Item) =>
    (one: One): Item =>
      itemOf(one, wording);
  const state = withWording(stateItem);
  return [
    sectionOf(titles.broken, broken, withWording(brokenItem)),
    sectionOf(titles.elsewhere, brokenElsewhere, withWording(brokenItem)),
    sectionOf(titles.unjudged, unjudged, state),
    sectionOf(titles.narrower, narrower, state),
    sectionOf(titles.fixed, fixed, state),
    sectionOf(titles.verified, verified, state),
    sectionOf(titles.wider, wider, state),
    sectionOf(titles.drifts, pair.observations, (drift) =>
      driftItem(drift, wording, wording.isOfVendors ? null : (runs[drift.firstSeen.run]?.name ?? "")),
    ),
    sectionOf(titles.shapes, pair.shapes, withWording(shapeItem)),
    sectionOf(["noted", "Latency"], reported(pair.latency), withWording(latencyItem)),
    sectionOf(["noted", "Stated rate limits"], reported(pair.limits), withWording(limitItem)),
    sectionOf(["noted", "Charges"], reported(pair.charges), withWording(chargeItem)),
    sectionOf(["noted", "Freshness"], reported(pair.freshness), withWording(freshnessItem)),
  ].flat();
}

const reported = <One extends { readonly isReported: boolean }>(all: readonly One[]): readonly One[] =>
  all.filter(({ isReported }) => isReported);

const because = ({ reason }: State): Item => (reason === null ? [] : [": ", foreign(reason)]);
const titleOf = ({ id, sentence, clause }: Change): Item =>
  sentenceOf`${foreign(id)} ${foreign(sentence)} (${foreign(clause)})`;

function brokenItem(change: Change, { first }: Wording): Item {
  const { was, is, shown } = change;
  const severity = is.kind === "broken" ? "" : ` (${nameOf(is.kind)} only)`;
  const before = was.kind === is.kind ? [] : [`, ${nameOf(was.kind)} ${first}`, ...because(was)];
  return sentenceOf`${titleOf(change)}${severity}${before}${shown ? placeItem(shown) : ""}`;
}

function placeItem({ title, at, expected, got }: Shown): Item {
  const request = title === null ? [] : [foreign(title), " "];
  return sentenceOf`; ${request}at ${value(placeName(at))}: expected ${value(expected)}, got ${value(got)}`;
}

const stateItem = (change: Change, { both }: Wording): Item => [
  ...titleOf(change),
  ", ",
  ...both([nameOf(change.was.kind)], [nameOf(change.is.kind)]),
  ...because(change.is.reason === null ? change.was : change.is),
];

const valuesOf = (values: readonly Parameters<typeof valueText>[0][]): Piece =>
  value(values.map(valueText).join(" or "));

/** @param run in which it was first seen; null where that says nothing */
function driftItem({ id, question, cases, firstSeen: { at } }: Drift, { turned }: Wording, run: string | null): Item {
  const changes = cases.flatMap(({ case: name, was, is }, index) => [
    ...(index > 0 ? ["; "] : []),
    ...sentenceOf`${foreign(name)} ${turned([valuesOf(was)], [valuesOf(is)])}`,
  ]);
  const seen = run === null ? [] : sentenceOf`, first seen in ${foreign(run)}, ${foreign(whenText(at))}`;
  return sentenceOf`${foreign(id)} ${foreign(question)}: ${changes}${seen}`;
}

const shareText = ({ have, of }: Share): string => `${numberText(have)} of ${numberText(of)}`;

function shapeItem(shape: ShapeChange, { both, turned, appeared, vanished }: Wording): Item {
  const { operation, status, outcome, at, change, was, is, seen } = shape;
  const types = (some: readonly string[]): string => some.join(" or ");
  const what =
    change === "appeared"
      ? [`${appeared} ${types(is)}`]
      : change === "vanished"
        ? [`${vanished} ${types(was)}`]
        : turned([types(was)], [types(is)]);
  const shares = both([shareText(seen.was)], [shareText(seen.is)]);
  return [foreign(operation), ` ${status} ${outcome}: `, value(placeName(at)), " ", ...what, " (", ...shares, ")"];
}

const figure = (value: number): string => value.toLocaleString("en-GB", { maximumFractionDigits: 1 });
const signed = (value: number): string => `${value > 0 ? "+" : ""}${figure(value)}`;

/** The shift of a figure with its interval, e.g. `+42 ms (+38 to +47)`. */
export const shiftText = ({ shift }: Pick<Measured, "shift">, unit: string): string =>
  shift ? `${signed(shift.by)} ${unit} (${signed(shift.from)} to ${signed(shift.to)})` : "too few values";

const measuredItem = (one: Measured, unit: string, { both }: Wording): Item => [
  `${shiftText(one, unit)}; median `,
  ...both([figure(one.was.median)], [figure(one.is.median)]),
];
const latencyItem = (one: LatencyChange, wording: Wording): Item => [
  foreign(one.operation),
  ` is ${(one.shift?.by ?? 0) > 0 ? "slower" : "faster"}${wording.there}: `,
  ...measuredItem(one, "ms", wording),
];
const freshnessItem = (one: FreshnessChange, wording: Wording): Item => [
  `${one.figure} of `,
  foreign(one.operation),
  ` lags ${(one.shift?.by ?? 0) > 0 ? "further behind" : "less far behind"}${wording.there}: `,
  ...measuredItem(one, "slots", wording),
];

const orNothing = (texts: readonly string[]): Item => [texts.length > 0 ? value(texts.join(", ")) : "nothing"];
const limitItem = ({ operation, stated }: LimitChange, { both }: Wording): Item =>
  sentenceOf`${foreign(operation)} states ${both(orNothing(stated.was), orNothing(stated.is))}`;

const chargeText = ({ charged, spent }: ChargeChange["was"]): Item => [
  foreign(`${charged ?? "nothing that could be read"}, expected ${spent}`),
];
const chargeItem = ({ project, at, was, is }: ChargeChange, { both }: Wording): Item =>
  sentenceOf`${foreign(project)} ${value(at)}: charged ${both(chargeText(was), chargeText(is))}`;

/** The whole comparison in a sentence, without full stop. */
export function headlineOfAll({ runs, pairs }: Comparison): string {
  const [only] = pairs;
  if (pairs.length === 1 && only) return headlineOf(runs, only);
  const red = pairs.filter(({ exitCode }) => exitCode === 1).length;
  const summary =
    red > 0
      ? `${red} of them ${red === 1 ? "breaks" : "break"} what the baseline doesn't`
      : "none breaks what the baseline doesn't";
  return `${counted(runs.length, "run")} compared: ${summary}`;
}

/** One run against the baseline in a sentence, without full stop. */
export function headlineOf(runs: Comparison["runs"], pair: Pair): string {
  const { broken, fixed, unjudged, narrower, wider } = pair.requirements;
  const { headline, there } = wordingOf(runs, pair);
  const red = broken.filter(({ is }) => is.kind === "broken").length;
  const figures = [...reported(pair.limits), ...reported(pair.charges), ...reported(pair.freshness)];
  const changes = countsOf(
    [broken.length - red, ...headline.warnings],
    [fixed.length, ...headline.fixed],
    [unjudged.length, ...headline.unjudged],
    [narrower.length, `is verified on less${there}`, `are verified on less${there}`],
    [wider.length, `is verified on more${there}`, `are verified on more${there}`],
    [pair.observations.length, ...headline.drifts],
  );
  const fields = countsOf([pair.shapes.length, "field"]).map((some) => `${headline.shapes}: ${some}`);
  const measured = countsOf(
    [reported(pair.latency).length, `operation is faster or slower${there}`, `operations are faster or slower${there}`],
    [figures.length, ...headline.figures],
  );
  const first =
    red > 0
      ? `${counted(red, "requirement")} ${red === 1 ? "is" : "are"} ${headline.broken}`
      : pair.exitCode === 3
        ? headline.inconclusive
        : headline.unbroken;
  return [first, ...changes, ...fields, ...measured].join(", ");
}

const inPart = ({ narrowed }: Comparison["runs"][number]["totals"]): string =>
  narrowed > 0 ? ` (${numberText(narrowed)} in part)` : "";

/** What stands before each run in the list of them: `base`, or the letters of vendors. */
export const marksOf = ({ runs, pairs }: Pick<Comparison, "runs" | "pairs">): readonly string[] =>
  runs.map((_, index) => (isOfVendors({ runs, pairs }) ? letterOf(index) : index === 0 ? "base" : ""));

/** Each run by its name; a vendor by its letter as well. */
export const namesOf = ({ runs, pairs }: Pick<Comparison, "runs" | "pairs">): readonly string[] =>
  runs.map(({ name }, index) => (isOfVendors({ runs, pairs }) ? `${letterOf(index)} ${name}` : name));

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

// The sentences of a comparison: one for each change.
import { placeName } from "../breach.ts";
import { breachSentence, code, foreign, type Sentence, sentenceOf, type TextSpan } from "../document/document.ts";
import { numberText, whenText } from "../numbers.ts";
import { valueText } from "../sentences.ts";
import { nameOf } from "../words.ts";
import type {
  ChargeChange,
  ComparedMeasure,
  Drift,
  FreshnessChange,
  LatencyChange,
  LimitChange,
  RequirementChange,
  ShapeChange,
  Share,
  ShownBreach,
  State,
} from "./comparison.ts";
import type { Wording } from "./wording.ts";

const because = ({ reason }: State): Sentence => (reason === null ? [] : [": ", foreign(reason)]);
const titleOf = ({ id, sentence, clause }: RequirementChange): Sentence =>
  sentenceOf`${foreign(id)} ${foreign(sentence)} (${foreign(clause)})`;

export function brokenItem(change: RequirementChange, { first }: Wording): Sentence {
  const { was, is, shown } = change;
  const severity = is.kind === "broken" ? "" : ` (${nameOf(is.kind)} only)`;
  const before = was.kind === is.kind ? [] : [`, ${nameOf(was.kind)} ${first}`, ...because(was)];
  return sentenceOf`${titleOf(change)}${severity}${before}${shown ? placeItem(shown) : ""}`;
}

const placeItem = (breach: ShownBreach): Sentence =>
  sentenceOf`; ${breach.title === null ? [] : [foreign(breach.title), " "]}${breachSentence(breach)}`;

export const stateItem = (change: RequirementChange, { both }: Wording): Sentence => [
  ...titleOf(change),
  ", ",
  ...both([nameOf(change.was.kind)], [nameOf(change.is.kind)]),
  ...because(change.is.reason === null ? change.was : change.is),
];

const valuesOf = (values: readonly Parameters<typeof valueText>[0][]): TextSpan =>
  code(values.map(valueText).join(" or "));

/** @param run in which it was first seen; null where that says nothing */
export function driftItem(
  { id, question, cases, firstSeen: { at } }: Drift,
  { turned }: Wording,
  run: string | null,
): Sentence {
  const changes = cases.flatMap(({ case: name, was, is }, index) => [
    ...(index > 0 ? ["; "] : []),
    ...sentenceOf`${foreign(name)} ${turned([valuesOf(was)], [valuesOf(is)])}`,
  ]);
  const seen = run === null ? [] : sentenceOf`, first seen in ${foreign(run)}, ${foreign(whenText(at))}`;
  return sentenceOf`${foreign(id)} ${foreign(question)}: ${changes}${seen}`;
}

const shareText = ({ have, of }: Share): string => `${numberText(have)} of ${numberText(of)}`;

export function shapeItem(shape: ShapeChange, { both, turned, appeared, vanished }: Wording): Sentence {
  const { operation, status, outcome, at, change, was, is, seen } = shape;
  const types = (some: readonly string[]): string => some.join(" or ");
  const what =
    change === "appeared"
      ? [`${appeared} ${types(is)}`]
      : change === "vanished"
        ? [`${vanished} ${types(was)}`]
        : turned([types(was)], [types(is)]);
  const shares = both([shareText(seen.was)], [shareText(seen.is)]);
  return [foreign(operation), ` ${status} ${outcome}: `, code(placeName(at)), " ", ...what, " (", ...shares, ")"];
}

const figure = (value: number): string => value.toLocaleString("en-GB", { maximumFractionDigits: 1 });
const signed = (value: number): string => `${value > 0 ? "+" : ""}${figure(value)}`;

/** The shift of a figure with its interval, e.g. `+42 ms (+38 to +47)`. */
export const shiftText = ({ shift }: Pick<ComparedMeasure, "shift">, unit: string): string =>
  shift ? `${signed(shift.by)} ${unit} (${signed(shift.from)} to ${signed(shift.to)})` : "too few values";

const measuredItem = (one: ComparedMeasure, unit: string, { both }: Wording): Sentence => [
  `${shiftText(one, unit)}; median `,
  ...both([figure(one.was.median)], [figure(one.is.median)]),
];
export const latencyItem = (one: LatencyChange, wording: Wording): Sentence => [
  foreign(one.operation),
  ` is ${(one.shift?.by ?? 0) > 0 ? "slower" : "faster"}${wording.there}: `,
  ...measuredItem(one, "ms", wording),
];
export const freshnessItem = (one: FreshnessChange, wording: Wording): Sentence => [
  `${one.figure} of `,
  foreign(one.operation),
  ` lags ${(one.shift?.by ?? 0) > 0 ? "further behind" : "less far behind"}${wording.there}: `,
  ...measuredItem(one, "slots", wording),
];

const orNothing = (texts: readonly string[]): Sentence => [texts.length > 0 ? code(texts.join(", ")) : "nothing"];
export const limitItem = ({ operation, stated }: LimitChange, { both }: Wording): Sentence =>
  sentenceOf`${foreign(operation)} states ${both(orNothing(stated.was), orNothing(stated.is))}`;

const chargeText = ({ charged, spent }: ChargeChange["was"]): Sentence => [
  foreign(`${charged ?? "nothing that could be read"}, expected ${spent}`),
];
export const chargeItem = ({ project, at, was, is }: ChargeChange, { both }: Wording): Sentence =>
  sentenceOf`${foreign(project)} ${code(at)}: charged ${both(chargeText(was), chargeText(is))}`;

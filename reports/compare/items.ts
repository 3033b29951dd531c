// The sentences of a comparison: one for each change.
import { median } from "simple-statistics";
import { placeName } from "../breach.ts";
import { breachSentence, code, foreign, type Sentence, sentenceOf, type TextSpan } from "../document/document.ts";
import { groupedBy } from "../lists.ts";
import { inMs, numberText, toTenths, whenText } from "../numbers.ts";
import type { Share } from "../scorecard/shares.ts";
import { valueText } from "../sentences.ts";
import { nameOf } from "../words.ts";
import type {
  Both,
  ChargeChange,
  ComparedMeasure,
  FreshnessChange,
  LatencyChange,
  LimitChange,
} from "./comparedFigures.ts";
import type { Drift, MutedRequirement, RequirementChange, ShapeChange, ShownBreach, State } from "./comparison.ts";
import type { Wording } from "./wording.ts";

const because = ({ reason }: State): Sentence => (reason === null ? [] : [": ", foreign(reason)]);
const titleOf = ({ id, sentence, clause }: Pick<RequirementChange, "id" | "sentence" | "clause">): Sentence =>
  sentenceOf`${foreign(id)} ${foreign(sentence)} (${foreign(clause)})`;

/** `broken again: 2 of 8 nights`. */
export const againText = ({ broken, of }: NonNullable<RequirementChange["again"]>): string =>
  `broken again: ${broken} of ${of} nights`;

export function brokenItem(change: RequirementChange, { first }: Wording): Sentence {
  const { was, is, shown, again } = change;
  const severity = is.kind === "broken" ? "" : ` (${nameOf(is.kind)} only)`;
  const before = was.kind === is.kind ? [] : [`, ${nameOf(was.kind)} ${first}`, ...because(was)];
  const count = again ? `; ${againText(again)}` : "";
  return sentenceOf`${titleOf(change)}${severity}${before}${count}${shown ? placeItem(shown) : ""}`;
}

const placeItem = (breach: ShownBreach): Sentence =>
  sentenceOf`; ${breach.title === null ? [] : [foreign(breach.title), " "]}${breachSentence({
    ...breach,
    got: breach.isMissing ? null : breach.got,
  })}`;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** `broken on 6 of 30 nights, 20 % (10 to 37 %)`. */
export function brokenRateText({ broken, of, rate }: Pick<MutedRequirement, "broken" | "of" | "rate">): string {
  const [least, most] = rate;
  const interval = `${Math.round(least * 100)} to ${percent(most)}`;
  return `broken on ${broken} of ${of} nights, ${percent(broken / of)} (${interval})`;
}

export const mutedItem = (muted: MutedRequirement): Sentence =>
  sentenceOf`${titleOf(muted)}: ${brokenRateText(muted)}; it comes and goes, so it fails no gate`;

export const stateItem = (change: RequirementChange, { both }: Wording): Sentence => [
  ...titleOf(change),
  ", ",
  ...both([nameOf(change.was.kind)], [nameOf(change.is.kind)]),
  ...because(change.is.reason === null ? change.was : change.is),
];

/** With why it is accepted, and until when. */
export const knownItem = (change: Pick<RequirementChange, "id" | "sentence" | "clause" | "is">): Sentence => [
  ...titleOf(change),
  ...because(change.is),
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
const dayOf = (at: string): string => at.slice(0, 10);

/** `3.1 × slower`. */
export function slownessText({ was, is }: Both<number>): string {
  const ratio = Math.max(is / was, was / is);
  return `${ratio < 10 ? toTenths(ratio) : numberText(Math.round(ratio))} × ${is > was ? "slower" : "faster"}`;
}

/** Above this many on one night the cause is hardly each operation's own. */
const several = 4;

/** One for each operation; many that changed on the same night together. @param of how many operations were measured */
export function latencyItems(changes: readonly LatencyChange[], of: number, wording: Wording): readonly Sentence[] {
  const groups = groupedBy(changes, ({ since, operation }) =>
    since ? `${dayOf(since.at)} ${since.is > since.was}` : operation,
  );
  return [...groups.values()].flatMap((group): readonly Sentence[] => {
    const steps = group.flatMap(({ since }) => since ?? []);
    const [first] = steps;
    if (!first || group.length <= several) return group.map((change) => latencyItem(change, wording));
    const ratio = median(steps.map(({ was, is }) => is / was));
    const all = group.length === of ? `All ${of}` : `${group.length} of ${of}`;
    const slowness = slownessText({ was: 1, is: ratio });
    return [[`${all} operations are ${slowness} in the median since ${dayOf(first.at)}`]];
  });
}

const stepItem = (operation: string, since: NonNullable<LatencyChange["since"]>): Sentence => [
  foreign(operation),
  ` ${since.percentile} is ${slownessText(since)} since ${dayOf(since.at)}: `,
  `${inMs(since.was)} ms before, ${inMs(since.is)} ms now`,
];

const latencyItem = (one: LatencyChange, wording: Wording): Sentence =>
  one.since
    ? stepItem(one.operation, one.since)
    : [
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

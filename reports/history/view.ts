// What histories say: changes since yesterday, a week ago and the baseline, what is flaky, and the nights
import { median } from "simple-statistics";
import { againText, slownessText } from "../compare/items.ts";
import { isJudged } from "../compare/requirements.ts";
import { changesSection, pairChanges } from "../compare/view.ts";
import type { Described } from "../described.ts";
import {
  type Block,
  type Document,
  foreign,
  isEmpty,
  note,
  paragraph,
  type Section,
  type Sentence,
  sectionOf,
  sentenceOf,
} from "../document/document.ts";
import { fewOf, groupedBy } from "../lists.ts";
import { counted, countsOf, numberText } from "../numbers.ts";
import { shown } from "../text.ts";
import { fewestBefore } from "./changePoints.ts";
import { comparedWith } from "./compared.ts";
import type { History } from "./history.ts";
import { boundsParts, otherLoadBlocks, sharesSection } from "./loadNights.ts";
import { nightsSection, slowerTables } from "./nights.tsx";
import { stepsSince, unjudgedLatencies } from "./steps.ts";
import { lastOf, nightDay, type Strip, trendText, unjudgedSince, unjudgedText } from "./strips.ts";

export interface HistoryWords {
  readonly version: string;
  readonly described: Pick<Described, "tables">;
  /** The run that later ones are measured by; the first of each history by default. */
  readonly baseline?: string | undefined;
}

const nightsOfWeek = 7;
const week_ms = nightsOfWeek * 24 * 3_600_000;
/** Nights don't begin to the minute. */
const slack_ms = 6 * 3_600_000;

/** Nights to compare the last with, by their places: those that are the same have one name. */
function earlierIn(
  { nights }: History,
  baseline: string | undefined,
): readonly (readonly [name: string, nth: number])[] {
  const last = nights.length - 1;
  const end_ms = Date.parse(nights[last]?.at ?? "");
  const named = [
    ["the night before", last - 1],
    ["a week ago", nights.findLastIndex(({ at }) => Date.parse(at) <= end_ms - week_ms + slack_ms)],
    ["the baseline", baseline === undefined ? 0 : nights.findIndex(({ id }) => id === baseline)],
  ] as const;
  const known = named.filter(([, nth]) => nth >= 0 && nth < last);
  return [...groupedBy(known, ([, nth]) => String(nth)).values()].map((same) => [
    same.map(([name]) => name).join(" and "),
    same[0][1],
  ]);
}

const absent = { kind: "absent" } as const;

const flakyIn = ({ strips }: History): readonly Strip[] => strips.filter(({ trend }) => trend.is === "flaky");

/** What couldn't be compared, e.g. `3 requirements and latency, for which there are too few nights`. */
function uncomparedParts(history: History, nth: number): readonly string[] {
  const { strips, latencies } = history;
  const requirements = strips.filter(
    ({ states }) => !isJudged(states[nth] ?? absent) || !isJudged(states.at(-1) ?? absent),
  );
  const few = unjudgedLatencies(history);
  const unserved = latencies.filter(
    (strip) => !few.includes(strip) && [nth, strip.p50.length - 1].some((one) => strip.p50[one] === null),
  );
  return [
    ...countsOf([requirements.length, "requirement"]),
    ...(unserved.length > 0 ? [`latency of ${counted(unserved.length, "operation")} (too few answers)`] : []),
    ...(few.length === 0
      ? []
      : few.length === latencies.length
        ? ["latency (too few nights)"]
        : [`latency of ${counted(few.length, "operation")} (too few nights)`]),
  ];
}

/** Nothing is said of what couldn't be judged. */
function noChangeNote(history: History, nth: number): Block {
  const uncompared = uncomparedParts(history, nth);
  if (uncompared.length === 0) return note("No change.");
  return note(`No change of what both nights judged. Not judged: ${uncompared.join(", ")}.`);
}

/** What changed since each of some nights, e.g. `Since a week ago, 2026-11-18`. */
const sinceIn = (history: History, { version, described, baseline }: HistoryWords): readonly Section[] =>
  earlierIn(history, baseline).map(([name, nth]) => {
    const comparison = comparedWith(history, [nth], version, described);
    const sections = [
      ...comparison.pairs.flatMap((pair) => pairChanges(comparison, pair)),
      sharesSection(history, nth),
    ];
    const since = `Since ${name}, ${nightDay(history.nights[nth]?.at ?? "")}`;
    return sectionOf([since], ...(sections.every(isEmpty) ? [noChangeNote(history, nth)] : sections));
  });

const idsOf = (strips: readonly Strip[]): readonly string[] => strips.map(({ id }) => id);

const mostNamed = 3;

/** `CYC-PRES-01, USG-FLD-02 are newly broken`; empty where there are none. */
function namedIds(ids: readonly string[], what: string): readonly string[] {
  const { shown: named, rest } = fewOf(ids, mostNamed);
  const all = [...named, ...(rest ? [`${rest} more`] : [])].join(", ");
  return ids.length === 0 ? [] : [`${all} ${ids.length === 1 ? "is" : "are"} ${what}`];
}

/** Requirements that the last night didn't judge, and that were broken when they last were. */
const unjudgedBroken = ({ strips }: History): readonly Strip[] =>
  strips.filter((strip) => unjudgedSince(strip)?.kind === "broken");

/** `USG-FLD-01 is not judged since 2026-11-06 (broken then)`; empty where there is none. */
function unjudgedParts(history: History): readonly string[] {
  const strips = unjudgedBroken(history);
  const [only] = strips;
  return only && strips.length === 1
    ? [`${only.id} is ${unjudgedText(only, history.nights)}`]
    : namedIds(idsOf(strips), "no longer judged (broken when they last were)");
}

const unjudgedSection = (history: History): Section =>
  changesSection(
    ["withheld", "Not judged"],
    unjudgedBroken(history),
    (strip) => sentenceOf`${foreign(strip.id)} ${foreign(strip.sentence)}: ${unjudgedText(strip, history.nights)}`,
  );

const againIn = ({ strips }: History): readonly Strip[] =>
  strips.filter((strip) => strip.trend.is === "broken again" && lastOf(strip) === "broken");

const againSection = (history: History): Section =>
  changesSection(
    ["broken", "Broken again"],
    againIn(history),
    ({ id, sentence, trend }) => sentenceOf`${foreign(id)} ${foreign(sentence)}: ${trendText(trend, history.nights)}`,
  );

/** Latencies are on another level for a month, then on their own. */
const recentNights = 30;

/** `getTransfers p95 is 3.1 × slower since 2026-11-05 and 2 more operations are slower`; empty where none is. */
function slownessParts(history: History): readonly string[] {
  const { nights, latencies } = history;
  const slower = stepsSince(history, nights.length - 1 - recentNights).filter(({ was, is }) => is > was);
  const [worst] = [...slower].sort((a, b) => b.is / b.was - a.is / a.was);
  if (!worst) return [];
  const since = `since ${nightDay(nights[worst.night]?.at ?? "")}`;
  const isOfAll = slower.length > 1 && slower.length === latencies.length;
  if (isOfAll && slower.every(({ night }) => night === worst.night)) {
    const slowness = slownessText({ was: 1, is: median(slower.map(({ was, is }) => is / was)) });
    const all = slower.length === 2 ? "both" : `all ${slower.length}`;
    return [`${all} operations are ${slowness} in the median ${since}`];
  }
  const more = slower.length > 1 ? `, and ${counted(slower.length - 1, "more operation")} slower` : "";
  return [`${worst.operation} ${worst.percentile} is ${slownessText(worst)} ${since}${more}`];
}

/** `5 of 1,903 requests of the last night failed in a way that didn't recur (0 to 2 on the 7 nights before)`. */
function intermittentText({ nights }: History): string {
  const last = nights.at(-1);
  if (!last?.intermittent) return "";
  const before = nights.slice(-1 - nightsOfWeek, -1).flatMap(({ intermittent }) => intermittent ?? []);
  const failed = `${numberText(last.intermittent)} of ${counted(last.spent.requests, "request")}`;
  const range = [...new Set([Math.min(...before), Math.max(...before)])].map(numberText).join(" to ");
  const compared = before.length === 0 ? "" : ` (${range} on the ${counted(before.length, "night")} before)`;
  return `${failed} of the last night failed in a way that didn't recur${compared}`;
}

/** Requirements that come and go from night to night, and what did so within the last one. */
function flakySection(history: History): Section {
  const items = flakyIn(history).map(
    ({ id, sentence, trend }) => sentenceOf`${foreign(id)} ${foreign(sentence)}: ${trendText(trend, history.nights)}`,
  );
  const within = intermittentText(history);
  return changesSection(["narrowed", "Flaky"], [...items, ...(within ? [[within]] : [])], (item) => item);
}

/** Operations on another level than on the first night, and whether latency can be judged yet. */
function latencyBlocks(history: History): readonly Block[] {
  const { latencies, nights } = history;
  const few = unjudgedLatencies(history);
  if (latencies.length > 0 && few.length === latencies.length)
    return [note(`Too few nights to judge latency: ${nights.length} of ${fewestBefore + 1}.`)];
  return [sectionOf(["Latency on another level"], ...slowerTables(history))];
}

/** `acme from Frankfurt, load nightly: 30 nights until 2026-11-26, 2 left out`. */
function historyTitle(history: History): Sentence {
  const { target, vantage, kind, nights, left } = history;
  const from = vantage === null ? [] : [" from ", foreign(vantage)];
  const last = nights.at(-1);
  const until = last ? ` until ${nightDay(last.at)}` : "";
  return [
    foreign(target),
    ...from,
    kind === "run" ? ": " : kind === "recording" ? ", recordings: " : `, load ${kind}: `,
    `${counted(nights.length, "night")}${until}${left.length > 0 ? `, ${left.length} left out` : ""}`,
  ];
}

/** `the last night, 2026-11-14, is left out, as it didn't finish`; empty where it isn't. */
function leftOutParts({ nights, left, last }: History): readonly string[] {
  if (last.left === null) return [];
  const end_ms = Date.parse(nights.at(-1)?.at ?? "");
  const later = left.filter(({ at }) => !(Date.parse(at) <= end_ms));
  const [first = last] = later;
  return later.length > 1
    ? [`the last ${later.length} nights, since ${nightDay(first.at)}, are left out, the last as ${last.left}`]
    : [`the last night, ${nightDay(last.at)}, is left out, as ${last.left}`];
}

/** The last night in a sentence, without full stop. */
export function historyHeadline(history: History): string {
  const { newlyBroken, strips } = history;
  const again = againIn(history);
  const isBrokenAsBefore = (strip: Strip): boolean =>
    lastOf(strip) === "broken" &&
    strip.trend.is !== "flaky" &&
    !again.includes(strip) &&
    !newlyBroken.includes(strip.id);
  const broken = [
    ...namedIds(
      newlyBroken.filter((id) => !again.some((strip) => strip.id === id)),
      "newly broken",
    ),
    ...again.map(({ id, trend }) => `${id} is ${trend.is === "broken again" ? againText(trend) : ""}`),
    ...namedIds(idsOf(strips.filter(isBrokenAsBefore)), "broken as before"),
    ...namedIds(idsOf(flakyIn(history)), "flaky"),
  ];
  const none = verifiesNothing(history) ? "Nothing was verified" : "Nothing is broken";
  return [
    ...boundsParts(history),
    ...(broken.length > 0 ? broken : [none]),
    ...leftOutParts(history),
    ...unjudgedParts(history),
    ...slownessParts(history),
  ].join("; ");
}

/** Nothing that the last night judged is verified: never green. */
export const verifiesNothing = ({ strips }: History): boolean =>
  !strips.some((strip) => lastOf(strip) === "holds" || lastOf(strip) === "narrowed");

/** Nothing of what was broken when it was last judged is green, and nothing whose last night is left out. */
export function historyMood(history: History): "broken" | "holds" | "inconclusive" {
  if (history.strips.some((strip) => lastOf(strip) === "broken") || boundsParts(history).length > 0) return "broken";
  const isUnsure = verifiesNothing(history) || unjudgedBroken(history).length > 0 || history.last.left !== null;
  return isUnsure ? "inconclusive" : "holds";
}

/** Of what views show: the rest takes time. */
const visibly = ({ strips, nights, ...history }: History): History => ({
  ...shown({ ...history, nights: nights.map((night) => ({ ...night, requirements: {}, latencies: [], packed: "" })) }),
  strips,
});

export function historyDocument(found: readonly History[], words: HistoryWords): Document {
  const histories = found.map(visibly);
  const moods = histories.map(historyMood);
  const mood = moods.find((one) => one === "broken") ?? moods.find((one) => one === "inconclusive") ?? "holds";
  const [only] = histories;
  const red = moods.filter((one) => one === "broken").length;
  return {
    kind: `Assay ${words.version}, history`,
    headline:
      only && histories.length === 1
        ? historyHeadline(only)
        : `${red} of ${histories.length} histories end with a broken requirement`,
    mood,
    first: histories.map((history) => firstSection(history, words, histories.length === 1)),
    sections: histories.map((history) => nightsSection(history, historyTitle(history))),
    foot: [
      "Nights that were cut short or reached nothing are left out. The history contains no keys, bodies or addresses.",
    ],
    more: "The page of this history has more.",
  };
}

const firstSection = (history: History, words: HistoryWords, isOnly: boolean): Section => ({
  ...sectionOf(
    historyTitle(history),
    ...(isOnly ? [] : [{ ...paragraph(`${historyHeadline(history)}.`), tone: historyMood(history) }]),
    againSection(history),
    flakySection(history),
    unjudgedSection(history),
    ...otherLoadBlocks(history),
    ...latencyBlocks(history),
    { is: "beside", sections: sinceIn(history, words) },
  ),
  standsAlone: true,
});

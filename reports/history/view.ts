// What histories say: changes since yesterday, a week ago and the baseline, what is flaky, and the nights
import { median } from "simple-statistics";
import { changesSection, pairChanges } from "../compare/view.ts";
import type { Described } from "../described.ts";
import {
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
import { counted, inMs } from "../numbers.ts";
import { shown } from "../text.ts";
import type { ChangePoint } from "./changePoints.ts";
import { comparedWith } from "./compared.ts";
import type { History } from "./history.ts";
import { nightsSection } from "./nights.tsx";
import { lastOf, nightDay, type Strip, trendText } from "./strips.ts";

export interface HistoryWords {
  readonly version: string;
  readonly described: Pick<Described, "tables">;
  /** The run that later ones are measured by; the first of each history by default. */
  readonly baseline?: string | undefined;
}

const week_ms = 7 * 24 * 3_600_000;
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

const flakyIn = ({ strips }: History): readonly Strip[] => strips.filter(({ trend }) => trend.is === "flaky");

/** Above this many on one night the cause is hardly each operation's own. */
const several = 4;

const growth = ({ was, is }: ChangePoint): number => is / was;

/** `getProjectUsage p95 rose from 100 ms to 142 ms on 2026-11-05`; many of one night together. */
function pointItems(points: readonly ChangePoint[], { nights, latencies }: History): readonly Sentence[] {
  const groups = groupedBy(points, (one) => `${one.night} ${growth(one) > 1}`);
  return [...groups.values()].flatMap((group): Sentence[] => {
    const [first] = group;
    const verb = growth(first) > 1 ? "rose" : "fell";
    const on = ` on ${nightDay(nights[first.night]?.at ?? "")}`;
    const operations = new Set(group.map(({ operation }) => operation));
    if (operations.size <= several)
      return group.map((one) => [
        foreign(one.operation),
        ` ${one.percentile} ${verb} from ${inMs(one.was)} ms to ${inMs(one.is)} ms${on}`,
      ]);
    const by = Math.round((median(group.map(growth)) - 1) * 100);
    return [
      [`Latencies of ${operations.size} of ${latencies.length} operations ${verb}${on}, by ${by} % in the median`],
    ];
  });
}

/** What changed since each of some nights, e.g. `Since a week ago, 2026-11-18`. */
const sinceIn = (history: History, { version, described, baseline }: HistoryWords): readonly Section[] =>
  earlierIn(history, baseline).map(([name, nth]) => {
    const comparison = comparedWith(history, [nth], version, described);
    const points = history.changePoints.filter(({ night }) => night > nth);
    const sections = [
      ...comparison.pairs.flatMap((pair) => pairChanges(comparison, pair)),
      changesSection(["noted", "Latency"], pointItems(points, history), (item) => item),
    ];
    const since = `Since ${name}, ${nightDay(history.nights[nth]?.at ?? "")}`;
    return sectionOf([since], ...(sections.every(isEmpty) ? [note("No change.")] : sections));
  });

/** Requirements that are broken now and then. */
const flakySection = (history: History): Section =>
  changesSection(
    ["narrowed", "Flaky"],
    flakyIn(history),
    ({ id, sentence, trend }) => sentenceOf`${foreign(id)} ${foreign(sentence)}: ${trendText(trend, history.nights)}`,
  );

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

const idsOf = (strips: readonly Strip[]): readonly string[] => strips.map(({ id }) => id);

const mostNamed = 3;

/** `CYC-PRES-01, USG-FLD-02 are newly broken`; empty where there are none. */
function namedIds(ids: readonly string[], what: string): readonly string[] {
  const { shown: named, rest } = fewOf(ids, mostNamed);
  const all = [...named, ...(rest ? [`${rest} more`] : [])].join(", ");
  return ids.length === 0 ? [] : [`${all} ${ids.length === 1 ? "is" : "are"} ${what}`];
}

/** The last night in a sentence, without full stop. */
export function historyHeadline(history: History): string {
  const { newlyBroken, strips } = history;
  const isBrokenAsBefore = (strip: Strip): boolean =>
    lastOf(strip) === "broken" && strip.trend.is !== "flaky" && !newlyBroken.includes(strip.id);
  const changes = [
    ...namedIds(newlyBroken, "newly broken"),
    ...namedIds(idsOf(strips.filter(isBrokenAsBefore)), "broken as before"),
    ...namedIds(idsOf(flakyIn(history)), "flaky"),
  ];
  if (changes.length > 0) return changes.join("; ");
  return historyMood(history) === "holds" ? "Nothing is broken" : "Nothing was verified";
}

/** Nothing judged is never green. */
export function historyMood(history: History): "broken" | "holds" | "inconclusive" {
  const kinds = new Set(history.strips.map(lastOf));
  if (kinds.has("broken")) return "broken";
  return kinds.has("holds") || kinds.has("narrowed") ? "holds" : "inconclusive";
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
    flakySection(history),
    { is: "beside", sections: sinceIn(history, words) },
  ),
  standsAlone: true,
});

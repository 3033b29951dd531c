// What histories say: changes since yesterday, a week ago and the baseline, what is flaky, and the nights
import { knownItem } from "../compare/items.ts";
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
import { groupedBy } from "../lists.ts";
import { counted, countsOf, numberText } from "../numbers.ts";
import { shown } from "../text.ts";
import { fewestBefore } from "./changePoints.ts";
import { comparedWith } from "./compared.ts";
import { type DocumentChange, documentChangesSection } from "./documentChanges.ts";
import {
  againIn,
  fixedIn,
  flakyIn,
  historyHeadline,
  historyMood,
  knownIn,
  moodWords,
  unjudgedBroken,
} from "./headline.ts";
import type { History } from "./history.ts";
import { otherLoadBlocks, sharesSection } from "./loadNights.ts";
import { nightsSection, slowerTables } from "./nights.tsx";
import { unjudgedLatencies } from "./steps.ts";
import { nightDay, type Strip, trendText, unjudgedText } from "./strips.ts";
export interface HistoryWords {
  readonly version: string;
  readonly described: Pick<Described, "areas" | "tables">;
  /** The run that later ones are measured by; the first of each history by default. */
  readonly baseline?: string | undefined;
  readonly documents?: readonly DocumentChange[];
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

const unjudgedSection = (history: History): Section =>
  changesSection(
    ["withheld", "Not judged"],
    unjudgedBroken(history),
    (strip) => sentenceOf`${foreign(strip.id)} ${foreign(strip.sentence)}: ${unjudgedText(strip, history.nights)}`,
  );

/** With what its last night says. */
const lastItem = ({ states, ...named }: Strip): Sentence =>
  knownItem({ ...named, is: states.at(-1) ?? { kind: "absent", reason: null } });

const againSection = (history: History): Section =>
  changesSection(
    ["broken", "Broken again"],
    againIn(history),
    ({ id, sentence, trend }) => sentenceOf`${foreign(id)} ${foreign(sentence)}: ${trendText(trend, history.nights)}`,
  );

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
  const { latencies } = history;
  const few = unjudgedLatencies(history);
  const judged = Math.max(...few.map(({ p50 }) => p50.filter((figure) => figure !== null).length));
  if (latencies.length > 0 && few.length === latencies.length)
    return [note(`Too few nights to judge latency: ${judged} of ${fewestBefore + 1}.`)];
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
        : `${moodWords[mood]}: ${red} of ${histories.length} histories end with a broken requirement`,
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
    documentChangesSection(words.documents ?? [], history.target),
    againSection(history),
    flakySection(history),
    changesSection(["deviates", "Known issues"], knownIn(history), lastItem),
    changesSection(["fixed", "Fixed"], fixedIn(history), lastItem),
    unjudgedSection(history),
    ...otherLoadBlocks(history),
    ...latencyBlocks(history),
    { is: "beside", sections: sinceIn(history, words) },
  ),
  standsAlone: true,
});

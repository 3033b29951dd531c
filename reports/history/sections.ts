// What a history says first: changes since yesterday, a week ago and the baseline, and what is flaky
import { median } from "simple-statistics";
import { foreign, type Section, sectionOf, sectionsOf, sentenceOf } from "../compare/sections.ts";
import type { Item } from "../compare/wording.ts";
import type { Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import { counted, countsOf, inMs } from "../numbers.ts";
import type { ChangePoint } from "./changePoints.ts";
import { comparedWith } from "./compared.ts";
import type { History } from "./history.ts";
import { lastOf, type Strip, type Trend } from "./strips.ts";

export interface Words {
  readonly version: string;
  readonly described: Pick<Described, "tables">;
  /** The run that later ones are measured by; the first of each history by default. */
  readonly baseline?: string | undefined;
}

export const dayOf = (at: string): string => at.slice(0, 10);

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

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** `broken on 6 of 30 nights, 20 % (10 to 37 %)`. */
export function trendText(trend: Trend, nights: History["nights"]): string {
  if (trend.is === "steady") return "";
  if (trend.is !== "flaky") return `${trend.is} since ${dayOf(nights[trend.night]?.at ?? "")}`;
  const { broken, of, rate } = trend;
  const [least, most] = rate.map(percent);
  return `flaky: broken on ${broken} of ${of} nights, ${percent(broken / of)} (${least?.replace(" %", "")} to ${most})`;
}

const flakyIn = ({ strips }: History): readonly Strip[] => strips.filter(({ trend }) => trend.is === "flaky");

/** Above this many on one night the cause is hardly each operation's own. */
const several = 4;

const growth = ({ was, is }: ChangePoint): number => is / was;

/** `getProjectUsage p95 rose from 100 ms to 142 ms on 2026-11-05`; many of one night together. */
export function pointItems(points: readonly ChangePoint[], { nights, latencies }: History): readonly Item[] {
  const groups = groupedBy(points, (one) => `${one.night} ${growth(one) > 1}`);
  return [...groups.values()].flatMap((group): Item[] => {
    const [first] = group;
    const [verb, on] = [growth(first) > 1 ? "rose" : "fell", ` on ${dayOf(nights[first.night]?.at ?? "")}`];
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

/** The blocks of the first screen, e.g. `Since a week ago, 2026-11-18`; without sections where nothing changed. */
export const sinceIn = (history: History, { version, described, baseline }: Words) =>
  earlierIn(history, baseline).map(([name, nth]) => {
    const comparison = comparedWith(history, [nth], version, described);
    const points = history.changePoints.filter(({ night }) => night > nth);
    return {
      title: `Since ${name}, ${dayOf(history.nights[nth]?.at ?? "")}`,
      sections: [
        ...comparison.pairs.flatMap((pair) => sectionsOf(comparison, pair)),
        ...sectionOf(["noted", "Latency"], pointItems(points, history), (item) => item),
      ],
    };
  });

/** Requirements that are broken now and then. */
export const flakySection = (history: History): readonly Section[] =>
  sectionOf(
    ["narrowed", "Flaky"],
    flakyIn(history),
    ({ id, sentence, trend }) => sentenceOf`${foreign(id)} ${foreign(sentence)}: ${trendText(trend, history.nights)}`,
  );

/** `acme from Frankfurt, load nightly: 30 nights until 2026-11-26, 2 left out`. */
export function titleOf({ target, vantage, kind, nights, left }: History): Item {
  const from = vantage === null ? [] : [" from ", foreign(vantage)];
  const last = nights.at(-1);
  const until = last ? ` until ${dayOf(last.at)}` : "";
  return [
    foreign(target),
    ...from,
    kind === "run" ? ": " : kind === "recording" ? ", recordings: " : `, load ${kind}: `,
    `${counted(nights.length, "night")}${until}${left.length > 0 ? `, ${left.length} left out` : ""}`,
  ];
}

/** The last night in a sentence, without full stop. */
export function headlineIn(history: History): string {
  const { newlyBroken, strips } = history;
  const isKnown = (strip: Strip): boolean => lastOf(strip) === "broken" && strip.trend.is !== "flaky";
  const counts = countsOf(
    [newlyBroken.length, "requirement is newly broken", "requirements are newly broken"],
    [strips.filter(isKnown).length - newlyBroken.length, "is broken as before", "are broken as before"],
    [flakyIn(history).length, "is flaky", "are flaky"],
  );
  if (counts.length > 0) return counts.join(", ");
  return moodOf(history) === "holds" ? "Nothing is broken" : "Nothing was verified";
}

/** Nothing judged is never green. */
export function moodOf(history: History): "broken" | "holds" | "inconclusive" {
  const kinds = new Set(history.strips.map(lastOf));
  if (kinds.has("broken")) return "broken";
  return kinds.has("holds") || kinds.has("narrowed") ? "holds" : "inconclusive";
}

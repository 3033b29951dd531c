// Tables of a period: requirements by share, latencies by month, limits, what was sent, and what changed
import { sum } from "simple-statistics";
import { intervalOf } from "../../harness/core/interval.ts";
import {
  code,
  detail,
  foreign,
  paragraph,
  type Section,
  type Sentence,
  sectionOf,
  sentenceOf,
  type TextTable,
} from "../document/document.ts";
import { fewOf, groupedBy } from "../lists.ts";
import { counted, inMs, numberText, toTenths } from "../numbers.ts";
import { nameOf } from "../words.ts";
import type { HeldShare, MonthLatency, PeriodHistory } from "./period.ts";

const percentOf = (share: number): string => toTenths(share * 100);

/** `86 of 88`, `97.7 %`, `92.1 to 99.4 %`: a count, a share, and its interval. */
export function shareCells(some: number, all: number): readonly [count: string, share: string, interval: string] {
  const [least, most] = intervalOf(some, all).map(percentOf);
  return [`${numberText(some)} of ${numberText(all)}`, `${percentOf(some / all)} %`, `${least} to ${most} %`];
}

export const isBrokenShare = ({ others }: HeldShare): boolean => others.some(([kind]) => kind === "broken");

/** Of more, the rest is counted. */
const mostNamed = 4;
const mostIds = 12;

export const listOfFew = (texts: readonly string[], most = mostNamed): string => {
  const { shown: named, rest } = fewOf(texts, most);
  return `${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
};

const own = (texts: readonly string[]): readonly Sentence[] => texts.map((text) => [text]);

const sharesTable = (shares: readonly HeldShare[]): TextTable => ({
  is: "table",
  caption: "Nights on which requirements held",
  kind: "matrix",
  heads: ["Requirement", "Held on", "Share", "Interval", "Otherwise"],
  rows: shares.map(({ id, sentence, held, judged, others }) => [
    [code(id), " ", foreign(sentence)],
    ...own(shareCells(held, judged)),
    [others.map(([kind, count]) => `${nameOf(kind)} on ${numberText(count)}`).join(", ")],
  ]),
});

/** Warnings and known issues are between us. */
const brokenTable = (shares: readonly HeldShare[]): TextTable => ({
  is: "table",
  caption: "Nights on which requirements were broken",
  kind: "matrix",
  heads: ["Requirement", "Broken on", "Share", "Interval"],
  rows: shares.filter(isBrokenShare).map(({ id, sentence, judged, others }) => {
    const broken = sum(others.flatMap(([kind, count]) => (kind === "broken" ? [count] : [])));
    return [[code(id), " ", foreign(sentence)], ...own(shareCells(broken, judged))];
  }),
});

/** More lines would repeat one share. */
const mostCounts = 3;

/** `290 requirements held on each of the 88 nights …`, by how many nights those are. */
function alwaysHeld(shares: readonly HeldShare[]): readonly Sentence[] {
  const groups = [...groupedBy(shares, ({ judged }) => String(judged)).values()].sort(
    ([a], [b]) => b.judged - a.judged,
  );
  const texts = groups.slice(0, mostCounts).map((group) => {
    const [{ judged }] = group;
    const [, share, interval] = shareCells(judged, judged);
    const nights = judged === 1 ? "the one night" : `each of the ${numberText(judged)} nights`;
    const were = group.length === 1 ? "it was" : "they were";
    return `${counted(group.length, "requirement")} held on ${nights} on which ${were} judged: ${share} (${interval}).`;
  });
  const rest = groups.slice(mostCounts);
  const [most, least] = [rest[0]?.[0].judged ?? 0, rest.at(-1)?.[0].judged ?? 0];
  const fewer = `judged on fewer nights, ${least} to ${most}, held on each of them`;
  const more = `${counted(rest.flat().length, "requirement")} ${fewer}.`;
  return own([...texts, ...(rest.length > 0 ? [more] : [])]);
}

function requirementsSection({ shares }: PeriodHistory, isForVendor: boolean, id: string): Section {
  if (isForVendor) return { ...sectionOf(["Requirements broken"], brokenTable(shares)), id };
  const judged = shares.filter((share) => share.judged > 0);
  const always = judged.filter(({ held, judged: all }) => held === all);
  const others = judged.filter((one) => !always.includes(one));
  const never = shares.filter((share) => share.judged === 0).map(({ id }) => id);
  const were = counted(never.length, "requirement was", "requirements were");
  const blocks = [
    sharesTable(others.toSorted((a, b) => a.held / a.judged - b.held / b.judged)),
    { is: "list", items: alwaysHeld(always) } as const,
    ...(never.length > 0 ? [paragraph(`${were} never judged: `, foreign(listOfFew(never, mostIds)), ".")] : []),
    detail(`${numberText(always.length)} that always held, one by one`, sharesTable(always)),
  ];
  return { ...sectionOf(["Requirements"], ...blocks), id };
}

/** In one table, as many as fit on paper. */
const mostMonths = 3;

/** With fewer answers, a percentile is only their slowest. */
const fewestAnswersFor = { p50: 1, p95: 20, p99: 100 } as const;

function figuresIn(latency: MonthLatency | undefined): readonly string[] {
  const pooled = latency?.pooled;
  if (!pooled) return ["–", "–", "–", latency ? "0" : "–"];
  const { count } = pooled;
  const figures = (["p50", "p95", "p99"] as const).map((name) =>
    count < fewestAnswersFor[name] ? "–" : inMs(pooled[`${name}_ms`]),
  );
  return [...figures, numberText(count)];
}

/** `Sept`: the section says of which year. */
const monthName = (month: string): string =>
  new Date(month).toLocaleString("en-GB", { month: "short", timeZone: "UTC" });

/** @param latencies of these months */
function latencyTable(latencies: readonly MonthLatency[], months: readonly string[]): TextTable {
  return {
    is: "table",
    caption: "Latency of served answers",
    heads: ["Operation", ...months.flatMap((month) => [`${monthName(month)} p50`, "p95", "p99", "n"])],
    rows: [...groupedBy(latencies, ({ operation }) => operation)].map(([operation, some]) => [
      operation,
      ...own(months.flatMap((month) => figuresIn(some.find((latency) => latency.month === month)))),
    ]),
  };
}

/** `2026-07: the figures of all operations lack 10 of 29 nights, whose histograms were pruned.` */
function prunedSentences(latencies: readonly MonthLatency[]): readonly Sentence[] {
  const operations = new Set(latencies.map(({ operation }) => operation)).size;
  const lacking = latencies.filter(({ missing }) => missing > 0);
  const alike = groupedBy(lacking, ({ month, missing, nights }) => `${month} ${missing} ${nights}`);
  return [...alike.values()].map((some) => {
    const [{ month, missing, nights }] = some;
    const names = some.map(({ operation }) => operation);
    const whose = names.length === operations ? "all operations" : listOfFew(names);
    const pruned = `${numberText(missing)} of ${counted(nights, "night")}`;
    return sentenceOf`${month}: the figures of ${foreign(whose)} lack ${pruned}, whose histograms were pruned.`;
  });
}

/** Loads at other rates, and a load beside a run, stand by themselves. */
function latencySections(latencies: readonly MonthLatency[], id: string): readonly Section[] {
  const byLoad = groupedBy(latencies, ({ load }) => JSON.stringify(load));
  return [...byLoad.values()].flatMap((ofLoad, place) => {
    const [{ load }] = ofLoad;
    const under: Sentence = load ? [", load ", foreign(load.shape), ` at up to ${load.perSecond}/s`] : [];
    const all = [...new Set(ofLoad.map(({ month }) => month))].sort();
    const quarters = all.flatMap((_, nth) => (nth % mostMonths === 0 ? [all.slice(nth, nth + mostMonths)] : []));
    return quarters.map((months): Section => {
      const some = ofLoad.filter(({ month }) => months.includes(month));
      const [first = "", last = first] = [months[0], months.at(-1)];
      const when = first === last ? first : `${first} to ${last}`;
      const pruned = { is: "list", items: prunedSentences(some) } as const;
      const title = [`Latency of n served answers in ms, ${when}`, ...under];
      return { ...sectionOf(title, latencyTable(some, months), pruned), id: `${id}-${place}-${first}` };
    });
  });
}

const tableSection = (title: string, heads: readonly string[], rows: TextTable["rows"], kind?: "matrix"): Section =>
  sectionOf([title], { is: "table", caption: title, heads, rows, ...(kind && { kind }) });

/** @param isForVendor leaves out warnings, known issues, and what was spent @param place of the history, unique */
export function periodTables(history: PeriodHistory, isForVendor: boolean, place: number): readonly Section[] {
  const { latencies, limits, use, changes } = history;
  const sent = isForVendor ? [] : use.filter(({ requests }) => requests > 0);
  return [
    // By these ids, cells of figures stay on one line.
    requirementsSection(history, isForVendor, `period-shares-${place}`),
    ...latencySections(latencies, `period-latency-${place}`),
    tableSection("Rate limits measured", ["What", "Limit", "First seen"], limits, "matrix"),
    tableSection(
      "Requests and credits",
      ["Month", "Nights", "Requests", "Credits", "Requests without a price"],
      sent.map(({ month, nights, requests, credits, unpriced }) => [
        month,
        ...[nights, requests, credits, unpriced].map(numberText),
      ]),
    ),
    tableSection(
      "Changes of unspecified behaviours and of response shapes",
      ["First seen", "What", "Where", "Was", "Is", "Later"],
      changes.map((cells) => cells.map((cell) => (cell === "" ? [] : cell))),
      "matrix",
    ),
  ];
}

// A panel in words: who is wrong, who is behind, who is faster, and what can't be known.
import { sum } from "simple-statistics";
import { intervalOf } from "../../harness/core/interval.ts";
import { type Freshness, type PanelReport, type StandingCounts, standings } from "../../panel/panelReport.ts";
import { counted, inMs, numberText } from "../numbers.ts";

export const nameIn = ({ vendors }: Pick<PanelReport, "vendors">, vendor: number): string =>
  vendors[vendor]?.name ?? `vendor ${vendor + 1}`;

export const operationsIn = ({ questions }: Pick<PanelReport, "questions">): readonly string[] => [
  ...new Set(questions.map(({ operation }) => operation)),
];

/** How many answers of a vendor are of each kind, to all operations or to one. */
export function countsIn({ questions }: PanelReport, vendor: number, operation?: string): StandingCounts {
  const own = questions.filter((one) => operation === undefined || one.operation === operation);
  const counts = standings.map((standing) => [standing, sum(own.map((one) => one.counts[vendor]?.[standing] ?? 0))]);
  return Object.fromEntries(counts) as StandingCounts;
}

export const standingsText = (counts: StandingCounts): string =>
  standings
    .filter((standing) => counts[standing] > 0)
    .map((standing) => `${standing} ${numberText(counts[standing])}`)
    .join(", ");

/** Behind in more answers than chance and rare hiccups explain. */
const [fewestStale, mayBeStale] = [4, 0.05];

/** In slots, by how many answers each vendor is behind. */
export function lagIn({ behind, stale, uncertain }: Freshness) {
  const counts = Object.entries(behind)
    .map(([slots, count]) => [Number(slots), count] as const)
    .sort(([a], [b]) => a - b);
  const answers = sum(counts.map(([, count]) => count));
  const at = (share: number): number => {
    let left = share * answers;
    return counts.find(([, count]) => (left -= count) <= 0)?.[0] ?? 0;
  };
  const isStale = stale >= fewestStale && intervalOf(stale, answers)[0] > mayBeStale;
  return { answers, median: at(0.5), p95: at(0.95), most: at(1), stale, isStale, uncertain };
}

const compared = ["agrees", "stale", "fresher", "wrong", "unsettled"] as const;

/** What is known of each vendor. */
export const summariesOf = (panel: PanelReport) =>
  panel.vendors.map(({ name }, vendor) => {
    const counts = countsIn(panel, vendor);
    const lags = Object.values(panel.freshness)
      .flat()
      .filter((one) => one.vendor === vendor);
    return {
      name,
      isWrong: counts.wrong > 0,
      isBehind: lags.some((one) => lagIn(one).isStale),
      isOpen: panel.questions.some((one) => one.splits.length === 0 && one.counts[vendor]?.unsettled === one.polls),
      isSilent: compared.every((one) => counts[one] === 0),
    };
  });

/** 1 where a vendor is wrong, 3 where nothing could be compared. */
export function panelExitCode(panel: PanelReport): 0 | 1 | 3 {
  const all = summariesOf(panel);
  return all.some(({ isWrong }) => isWrong) ? 1 : all.every(({ isSilent }) => isSilent) ? 3 : 0;
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
const namesOf = (panel: PanelReport, vendors: readonly number[]): string =>
  listed(vendors.map((vendor) => nameIn(panel, vendor)));

const nothing = "Nobody is wrong or behind";

export const moodOf = (panel: PanelReport): "broken" | "holds" | "inconclusive" =>
  panelExitCode(panel) === 1 ? "broken" : headlineOf(panel) === nothing ? "holds" : "inconclusive";

export function headlineOf(panel: PanelReport): string {
  const all = summariesOf(panel);
  if (all.every(({ isSilent }) => isSilent)) return "Nothing could be compared";
  const parts = (
    [
      ["isWrong", "wrong"],
      ["isBehind", "behind"],
      ["isOpen", "different on some questions, and nothing is settled"],
      ["isSilent", "without an answer to compare"],
    ] as const
  ).flatMap(([is, what]) => {
    const names = all.filter((one) => one[is]).map(({ name }) => name);
    return names.length > 0 ? [`${listed(names)} ${names.length > 1 ? "are" : "is"} ${what}`] : [];
  });
  const isSplit = panel.questions.some(({ splits }) => splits.length > 0);
  return [...parts, ...(isSplit ? ["No majority can be trusted on some questions"] : [])].join("; ") || nothing;
}

/** Each as the question that it is. */
export function splitLines(panel: PanelReport): readonly string[] {
  const counts = new Map<string, number>();
  for (const { splits } of panel.questions)
    for (const { groups, polls } of splits) {
      const sentence = splitText(panel, groups);
      counts.set(sentence, (counts.get(sentence) ?? 0) + polls);
    }
  return [...counts].map(([sentence, polls]) => `${sentence}, in ${counted(polls, "poll")}`);
}

function splitText(panel: PanelReport, groups: readonly (readonly number[])[]): string {
  const [most = [], ...others] = groups;
  const rest = others.flat();
  if (most.length === 1) return `${namesOf(panel, [...most, ...rest])} differ, and nothing shows who is right`;
  return `no majority can be trusted: ${namesOf(panel, most)} agree against ${namesOf(panel, rest)}`;
}

/** Who is faster, where an interval is above zero. */
export const leadLines = (panel: PanelReport): readonly string[] =>
  panel.leads
    .filter(({ isRanked, from_ms }) => isRanked && from_ms > 0)
    .map(
      ({ operation, faster, slower, by_ms, from_ms, to_ms, polls }) =>
        `${nameIn(panel, faster)} is faster than ${nameIn(panel, slower)} by ${inMs(by_ms)} ms (${inMs(from_ms)} to ` +
        `${inMs(to_ms)}) in ${operation}, ${counted(polls, "poll")}`,
    );

/** Whether a vendor has too few answers to be ranked. */
export const isUnranked = ({ leads }: PanelReport, vendor: number, operation: string): boolean =>
  leads.every((one) => !one.isRanked || one.operation !== operation || ![one.faster, one.slower].includes(vendor));

/** The page has all of them. */
const mostReplays = 3;

export function panelLines(panel: PanelReport): readonly string[] {
  const { vendors, rounds, questions, reference, apart } = panel;
  const asked = [
    counted(questions.length, "question"),
    counted(rounds, "round"),
    counted(sum(questions.map(({ polls }) => polls)), "poll"),
    ...(reference === null ? [] : [`${nameIn(panel, reference)} is trusted`]),
    ...(panel.complete ? [] : ["cut short"]),
  ];
  return [
    `assay panel · ${vendors.map(({ name }) => name).join(", ")} · ${asked.join(", ")}`,
    headlineOf(panel),
    ...vendors.map(({ name }, vendor) => `  ${name}: ${standingsText(countsIn(panel, vendor))}`),
    ...Object.entries(panel.freshness).flatMap(([operation, all]) =>
      all
        .filter((one) => lagIn(one).isStale)
        .map((one) => {
          const { median, p95, uncertain, stale, answers } = lagIn(one);
          const slots = `${numberText(median)} slots behind in the median, p95 ${numberText(p95)}, ± ${uncertain}`;
          const certain = `certainly behind in ${numberText(stale)} of ${counted(answers, "answer")}`;
          return `  ${nameIn(panel, one.vendor)} in ${operation}: ${slots}; ${certain}`;
        }),
    ),
    ...panel.dissents
      .flatMap(({ question, standings: all, replay }) =>
        all.includes("wrong") ? [`${nameIn(panel, all.indexOf("wrong"))} is wrong on ${question}: ${replay}`] : [],
      )
      .slice(0, mostReplays)
      .map((line) => `  ${line}`),
    ...[...splitLines(panel), ...leadLines(panel)].map((line) => `  ${line}`),
    ...(apart > 0 ? [`  ${counted(apart, "poll")} didn't begin together: not compared`] : []),
  ];
}

// What a panel's figures say of each vendor: how its answers stand, how far it is behind.
import { sum } from "simple-statistics";
import { intervalOf } from "../../harness/core/interval.ts";
import { fewestAnswers } from "../../panel/enough.ts";
import {
  type Freshness,
  type PanelQuestion,
  type PanelReport,
  type StandingCounts,
  standings,
} from "../../panel/panelReport.ts";
import { listedTogether } from "../lists.ts";
import { numberText } from "../numbers.ts";

export const vendorNameIn = ({ vendors }: Pick<PanelReport, "vendors">, vendor: number): string =>
  vendors[vendor]?.name ?? `vendor ${vendor + 1}`;

export const vendorNamesIn = (panel: Pick<PanelReport, "vendors">, vendors: readonly number[]): string =>
  listedTogether(vendors.map((vendor) => vendorNameIn(panel, vendor)));

export const askedOperationsIn = ({
  questions,
}: {
  readonly questions: readonly Pick<PanelQuestion, "operation">[];
}): readonly string[] => [...new Set(questions.map(({ operation }) => operation))];

/** How many answers of a vendor are of each kind, to all operations or to one. */
export function answerCountsIn({ questions }: PanelReport, vendor: number, operation?: string): StandingCounts {
  const own = questions.filter((one) => operation === undefined || one.operation === operation);
  const counts = standings.map((standing) => [standing, sum(own.map((one) => one.counts[vendor]?.[standing] ?? 0))]);
  return Object.fromEntries(counts) as StandingCounts;
}

export const standingsText = (counts: StandingCounts): string =>
  standings
    .filter((standing) => counts[standing] > 0)
    .map((standing) => `${standing} ${numberText(counts[standing])}`)
    .join(", ");

/** A vendor is behind if more answers are stale than chance and rare hiccups explain. */
const fewestStale = 4;
const mayBeStale = 0.05;

/** In slots, of numbers of answers by slots; p95 is null of too few answers. */
export function slotsIn(...all: readonly Freshness["behind"][]) {
  const counts = all
    .flatMap((behind) => Object.entries(behind))
    .map(([slots, count]) => [Number(slots), count] as const)
    .sort(([a], [b]) => a - b);
  const answers = sum(counts.map(([, count]) => count));
  const at = (share: number): number => {
    let left = share * answers;
    return counts.find(([, count]) => (left -= count) <= 0)?.[0] ?? 0;
  };
  return { answers, median: at(0.5), p95: answers < fewestAnswers.p95 ? null : at(0.95), most: at(1) };
}

/** In slots, by how many answers each vendor is behind. */
export function lagIn({ behind, stale, uncertain }: Freshness) {
  const slots = slotsIn(behind);
  const isStale = stale >= fewestStale && intervalOf(stale, slots.answers)[0] > mayBeStale;
  return { ...slots, stale, isStale, uncertain };
}

/** By operation, only where the vendor is behind. */
export const staleLagsOf = ({ freshness }: Pick<PanelReport, "freshness">, vendor: number) =>
  Object.values(freshness)
    .flat()
    .filter((one) => one.vendor === vendor)
    .map(lagIn)
    .filter(({ isStale }) => isStale);

/** Of answers whose content is compared. */
export const comparedStandings = ["agrees", "stale", "fresher", "wrong", "unsettled"] as const;
export const comparedOf = (counts: StandingCounts): number => sum(comparedStandings.map((one) => counts[one]));

/** What is known of each vendor. */
export const summariesOf = (panel: PanelReport) =>
  panel.vendors.map(({ name }, vendor) => {
    const counts = answerCountsIn(panel, vendor);
    const isSilent = comparedStandings.every((one) => counts[one] === 0);
    const isAway = (panel.absences ?? []).some(
      (one) => one.vendor === vendor && one.is === "silent" && one.to === null,
    );
    return {
      name,
      isWrong: counts.wrong > 0,
      isBehind: staleLagsOf(panel, vendor).length > 0,
      isOpen: panel.questions.some((one) => one.splits.length === 0 && one.counts[vendor]?.unsettled === one.polls),
      isSilent,
      isGone: isAway && !isSilent,
    };
  });

/** 1 where a vendor is wrong, 3 where nothing could be compared. */
export function panelExitCode(panel: PanelReport): 0 | 1 | 3 {
  const all = summariesOf(panel);
  return all.some(({ isWrong }) => isWrong) ? 1 : all.every(({ isSilent }) => isSilent) ? 3 : 0;
}

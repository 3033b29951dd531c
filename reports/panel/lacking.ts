// What a panel is too short for: how many answers are lacking, and how many rounds that takes.
import { fewestAnswers, fewestPairs } from "../../panel/enough.ts";
import type { PanelReport } from "../../panel/panelReport.ts";
import { groupedBy, listedTogether } from "../lists.ts";
import { counted } from "../numbers.ts";
import { vendorNameIn, vendorNamesIn } from "./figures.ts";
import { mixLatencies, mixLeads } from "./mix.ts";

const percentiles = ["p95", "p99"] as const;

interface Need {
  readonly have: number;
  readonly need: number;
  readonly what: "answer" | "poll";
}

/**
 * `180 more answers, about 45 rounds in all`, of rounds like those that there were.
 * @param rounds null where nights are pooled, which no number of rounds makes longer
 */
function lackingText({ have, need, what }: Need, rounds: number | null): string {
  const more = counted(need - have, `more ${what}`);
  return rounds === null || have === 0 ? more : `${more}, about ${Math.ceil((need * rounds) / have)} rounds in all`;
}

const most = (needs: readonly Need[]): Need => needs.reduce((a, b) => (b.need - b.have > a.need - a.have ? b : a));

const roundsOf = ({ rounds }: PanelReport, isPooled: boolean): number | null => (isPooled ? null : rounds);

/** Vendors whose percentile of the mix isn't given, with how many answers they have. */
const shortOf = (panel: PanelReport, percentile: (typeof percentiles)[number]) =>
  mixLatencies(panel).flatMap(({ vendor, answers, p50 }) => {
    const need = fewestAnswers[percentile];
    return p50 !== null && answers < need ? [{ vendor, have: answers, need, what: "answer" as const }] : [];
  });

const unorderedIn = (panel: PanelReport) =>
  mixLeads(panel).flatMap(({ faster, slower, polls, isRanked }) =>
    isRanked ? [] : [{ vendors: [faster, slower], have: polls, need: fewestPairs, what: "poll" as const }],
  );

/** Of one vendor. */
export function lackingOf(panel: PanelReport, vendor: number, isPooled: boolean): readonly string[] {
  const rounds = roundsOf(panel, isPooled);
  const pairs = unorderedIn(panel);
  const countOf = (wanted: number): number => pairs.filter(({ vendors }) => vendors.includes(wanted)).length;
  // Where one vendor lacks an order with many, it is said of that one alone.
  const unordered = pairs.filter(
    ({ vendors }) => vendors.includes(vendor) && vendors.every((one) => countOf(one) <= countOf(vendor)),
  );
  const others = unordered.flatMap(({ vendors }) => vendors.filter((one) => one !== vendor));
  const names = others.length > 2 ? counted(others.length, "other") : vendorNamesIn(panel, others);
  return [
    ...percentiles.flatMap((percentile) =>
      shortOf(panel, percentile).flatMap((short) =>
        short.vendor === vendor ? [`${percentile}: ${lackingText(short, rounds)}`] : [],
      ),
    ),
    ...(unordered.length > 0 ? [`order against ${names}: ${lackingText(most(unordered), rounds)}`] : []),
  ];
}

const everyOr = (panel: PanelReport, vendors: readonly number[]): string =>
  vendors.length === panel.vendors.length ? "every vendor" : vendorNamesIn(panel, vendors);

/** Of one operation, the one that lacks most. */
function lackingByOperation({ latencies }: PanelReport, rounds: number | null): readonly string[] {
  const texts = percentiles.flatMap((percentile) => {
    const need = fewestAnswers[percentile];
    const short = latencies.flatMap(({ kind, count: have }) =>
      kind === "warm" && have < need ? [{ have, need, what: "answer" as const }] : [],
    );
    return short.length > 0 ? [`${percentile} of every operation: ${lackingText(most(short), rounds)}`] : [];
  });
  return new Set(latencies.map(({ operation }) => operation)).size > 1 ? texts : [];
}

/** Of the whole panel. */
export function lackingLines(panel: PanelReport, isPooled: boolean): readonly string[] {
  const rounds = roundsOf(panel, isPooled);
  const ofPercentiles = percentiles.flatMap((percentile) => {
    const short = shortOf(panel, percentile);
    const vendors = short.map(({ vendor }) => vendor);
    return short.length > 0
      ? [`${percentile} of the mix of ${everyOr(panel, vendors)}: ${lackingText(most(short), rounds)}`]
      : [];
  });
  const orders = [...groupedBy(unorderedIn(panel), ({ have }) => String(have))].map(([, pairs]) => {
    const names = [...new Set(pairs.flatMap(({ vendors }) => vendors))].sort((a, b) => a - b);
    const isAll = pairs.length === (names.length * (names.length - 1)) / 2;
    const those = isAll
      ? vendorNamesIn(panel, names)
      : pairs.map(({ vendors }) => listedTogether(vendors.map((vendor) => vendorNameIn(panel, vendor)))).join(", of ");
    return `order of ${those}: ${lackingText(most(pairs), rounds)}`;
  });
  return [...ofPercentiles, ...orders, ...lackingByOperation(panel, rounds)];
}

// A panel's scorecard: what its polls say of each vendor, beside what their latest runs do.
import { sum } from "simple-statistics";
import { fewestPairs } from "../../panel/enough.ts";
import type { PanelReport, VendorPrice } from "../../panel/panelReport.ts";
import type { QuantileBetween } from "../compare/comparedFigures.ts";
import type { Comparison } from "../compare/comparison.ts";
import { promiseRows, unknownPromises } from "../compare/vendorRows.ts";
import { counted, countsOf, inMs, numberText } from "../numbers.ts";
import { isIntervalBelow, rankedRow, type VendorScorecard } from "../scorecard/scorecard.ts";
import { isShareBelow, refusalText, type Share, sharesApart, shareText } from "../scorecard/shares.ts";
import { panelAnchors } from "./anchors.ts";
import { backwardsOf } from "./backwards.ts";
import { answerCountsIn, comparedStandings, lagIn } from "./figures.ts";
import { lackingOf } from "./lacking.ts";
import { mixLatencies, mixLeads } from "./mix.ts";
import { isSameCharge, type MixPrice, mixPriceOf } from "./prices.ts";

/** A panel with a comparison of its vendors' latest runs. */
export type PanelWithRuns = PanelReport & { readonly conformance?: Comparison | null };

/** Of answers whose content is compared; null where there are none. */
function shareOfCompared(panel: PanelReport, vendor: number, standing: "wrong" | "stale"): Share | null {
  const counts = answerCountsIn(panel, vendor);
  const of = sum(comparedStandings.map((one) => counts[one]));
  return of === 0 ? null : { have: counts[standing], of };
}

interface Stale extends Share {
  /** In the operations whose answers say when. */
  readonly lags: ReadonlyMap<string, ReturnType<typeof lagIn>>;
}

function staleOf(panel: PanelReport, vendor: number): Stale | null {
  const share = shareOfCompared(panel, vendor, "stale");
  const lags = Object.entries(panel.freshness).flatMap(([operation, all]) =>
    all.filter((one) => one.vendor === vendor).map((one) => [operation, lagIn(one)] as const),
  );
  return share === null ? null : { ...share, lags: new Map(lags) };
}

const isBehind = ({ lags }: Stale): boolean => [...lags.values()].some(({ isStale }) => isStale);

/** Whether only the second is behind, and that not because chance took it across the bound. */
const isFresher = (one: Stale, other: Stale): boolean =>
  !isBehind(one) &&
  [...other.lags].some(([operation, { isStale, stale, answers }]) => {
    const own = one.lags.get(operation);
    return isStale && own && isShareBelow({ have: own.stale, of: own.answers }, { have: stale, of: answers });
  });

const isLessStale = (one: Stale, other: Stale): boolean => isFresher(one, other) || isShareBelow(one, other);

interface Refused {
  readonly shares: readonly (readonly [name: string, share: Share])[];
  /** Polls that it wasn't asked in, because it had given no answer. */
  readonly absent: number;
}

function refusedBy(panel: PanelReport, vendor: number): Refused | null {
  const counts = answerCountsIn(panel, vendor);
  const of = sum(Object.values(counts));
  const absent = sum((panel.absences ?? []).map((one) => (one.vendor === vendor ? one.polls : 0)));
  if (of + absent === 0) return null;
  const shareOf = (have: number): Share => ({ have, of });
  return {
    shares: [
      ["rate-limited", shareOf(counts["rate-limited"])],
      ["failed", shareOf(counts.unavailable)],
      ["refused", shareOf(counts.refused)],
    ],
    absent,
  };
}

/** As if each poll that it was left out of had failed. */
const withAbsent = ({ shares, absent }: Refused): Refused["shares"] =>
  shares.map(([name, { have, of }]) => {
    return [name, { have: have + (name === "failed" ? absent : 0), of: of + absent }];
  });

/** A charge with its ends; what refused calls would have cost isn't known. */
interface KnownPrice extends MixPrice {
  readonly between: readonly [least: number | null, most: number | null];
}

function knownPriceOf(panel: PanelReport, vendor: number): KnownPrice | null {
  const price = mixPriceOf(panel, vendor);
  const { listed, charged } = price;
  if (charged === null) return listed === null ? null : { ...price, between: [null, null] };
  const callsOf = (one: VendorPrice | undefined): number => one?.charged?.calls ?? 0;
  const own = panel.prices?.find((one) => one.vendor === vendor);
  const [calls, most] = [callsOf(own), Math.max(0, ...(panel.prices ?? []).map(callsOf))];
  // With a price of each operation, the charge is that of the mix, whichever calls were served.
  const isExact = calls === most || (listed !== null && Boolean(own?.charged?.listed));
  return { ...price, between: isExact ? [charged, charged] : [(charged * calls) / most, null] };
}

const wholeText = (credits: number): string => numberText(Math.round(credits));

const priceText = ({ listed, charged }: MixPrice): string =>
  [
    ...(listed === null ? [] : [`${wholeText(listed)} listed`]),
    ...(charged === null ? [] : [`${wholeText(charged)} charged`]),
  ].join(", ");

const isChargedLess = (one: KnownPrice, other: KnownPrice): boolean =>
  isIntervalBelow(one.between, other.between) && !isSameCharge(one.charged ?? 0, other.charged ?? 0);

/** Only what is known of both is compared, and nothing may contradict it. */
const costsLess = (one: KnownPrice, other: KnownPrice): boolean => {
  const isListedLess = one.listed !== null && other.listed !== null && one.listed < other.listed;
  const isListedMore = one.listed !== null && other.listed !== null && one.listed > other.listed;
  return !isListedMore && !isChargedLess(other, one) && (isListedLess || isChargedLess(one, other));
};

interface OfVendor extends QuantileBetween {
  readonly vendor: number;
  readonly answers: number;
  readonly isCold: boolean;
}

/** On open connections, unless most vendors keep none open: new ones take longer, and may be new for our pace. */
const comparedKind = (panel: PanelReport): "warm" | "cold" => {
  const known = mixLatencies(panel).filter(({ p50 }) => p50 !== null);
  return known.filter(({ kind }) => kind === "cold").length * 2 > known.length ? "cold" : "warm";
};

/** Of the whole mix. */
function latencyRows(panel: PanelReport) {
  const all = mixLatencies(panel);
  const leads = mixLeads(panel);
  const isColdCompared = comparedKind(panel) === "cold";
  const valuesOf = (percentile: "p50" | "p95"): readonly (OfVendor | null)[] =>
    all.map(({ vendor, kind, answers, ...own }) => {
      const quantile = own[percentile];
      return quantile === null ? null : { vendor, answers, isCold: kind === "cold", ...quantile };
    });
  const isApart = (one: OfVendor, other: OfVendor): boolean =>
    isIntervalBelow([one.from_ms, one.to_ms], [other.from_ms, other.to_ms]);
  /** In polls that both answered; of vendors that share none, their intervals tell. */
  const isFaster = (one: OfVendor, other: OfVendor): boolean => {
    const isOf = (vendor: number, { faster, slower }: (typeof leads)[number]) => [faster, slower].includes(vendor);
    const lead = leads.find((pair) => isOf(one.vendor, pair) && isOf(other.vendor, pair));
    if (!lead) return Math.min(one.answers, other.answers) >= fewestPairs && isApart(one, other);
    return lead.isRanked && lead.faster === one.vendor && lead.from_ms > 0 && one.ms < other.ms;
  };
  const scoring = {
    textOf: ({ ms, isCold }: OfVendor): string => `${inMs(ms)} ms${isCold ? ", new connections" : ""}`,
    evidenceOf: () => [panelAnchors.fast],
    isCompared: ({ isCold }: OfVendor): boolean => isCold === isColdCompared,
  };
  return [
    ...rankedRow("p50", valuesOf("p50"), { ...scoring, label: "p50 of the mix", isBetter: isFaster }),
    ...rankedRow("p95", valuesOf("p95"), { ...scoring, label: "p95 of the mix", isBetter: isApart }),
  ];
}

function answerRows(panel: PanelReport) {
  const vendors = [...panel.vendors.keys()];
  const wrong = vendors.map((vendor) => shareOfCompared(panel, vendor, "wrong"));
  const stale = vendors.map((vendor) => staleOf(panel, vendor));
  return [
    ...rankedRow("wrong", wrong, {
      label: "wrong",
      textOf: shareText,
      toneOf: ({ have }) => (have > 0 ? "broken" : "none"),
      evidenceOf: (vendor) =>
        (wrong[vendor]?.have ?? 0) > 0 ? [panelAnchors.differed, panelAnchors.agrees] : [panelAnchors.agrees],
      // To be called wrong takes more than chance.
      isBetter: (one, other) => (one.have === 0 && other.have > 0) || isShareBelow(one, other),
    }),
    ...rankedRow("stale", stale, {
      label: "stale",
      textOf: (one) => `${shareText(one)}${isBehind(one) ? ", behind" : ""}`,
      evidenceOf: (vendor) => {
        const own = stale[vendor];
        return own && isBehind(own) ? [panelAnchors.fresh] : [panelAnchors.agrees];
      },
      isBetter: (one, other) => isLessStale(one, other) && !isLessStale(other, one),
    }),
    ...rankedRow(
      "backwards",
      vendors.map((vendor): Share | null => {
        const rate = backwardsOf(panel, vendor);
        return rate === null ? null : { have: rate.back, of: rate.answers };
      }),
      { label: "goes back", textOf: shareText, evidenceOf: () => [panelAnchors.back], isBetter: isShareBelow },
    ),
  ];
}

/** What isn't known of one vendor. */
function unknownOf(panel: PanelWithRuns, vendor: number, isPooled: boolean): readonly string[] {
  const { conformance, prices, backwards } = panel;
  const place = conformance ? placeIn(conformance, panel, vendor) : null;
  const { unserved = [], answers = 0, kind, p50 = null } = mixLatencies(panel)[vendor] ?? {};
  const isUnlike = p50 !== null && kind !== comparedKind(panel);
  const { unsettled } = answerCountsIn(panel, vendor);
  const price = prices?.find((one) => one.vendor === vendor);
  const never = unserved.length > 2 ? counted(unserved.length, "operation") : unserved.join(" and ");
  const runs = conformance
    ? unknownPromises(conformance, place)
    : isPooled
      ? []
      : ["conformance and limits: compared once two have a run in the folder of --runs"];
  return [
    ...(shareOfCompared(panel, vendor, "wrong") === null ? ["wrong and stale: no answer to compare"] : []),
    ...countsOf([unsettled, "answer"]).map((some) => `right or wrong: ${some} unsettled`),
    ...(backwards && backwardsOf(panel, vendor) === null ? ["goes back: no answer after another"] : []),
    ...(unserved.length > 0 ? [answers === 0 ? "p50 and p95: nothing served" : `p50 and p95: served no ${never}`] : []),
    ...(isUnlike ? [`order in p50 and p95: most answers on ${kind === "cold" ? "new" : "open"} connections`] : []),
    ...lackingOf(panel, vendor, isPooled),
    ...runs,
    ...(price && knownPriceOf(panel, vendor) === null
      ? [`price: not listed${price.why ? `, and ${price.why}` : ""}`]
      : []),
  ];
}

/** The run of a vendor, by its target's name. */
function placeIn({ runs }: Comparison, { vendors }: PanelReport, vendor: number): number | null {
  const at = runs.findIndex(({ target }) => target.name === vendors[vendor]?.name);
  return at < 0 ? null : at;
}

/** @param isPooled of several nights */
export function panelScorecard(panel: PanelWithRuns, isPooled: boolean): VendorScorecard {
  const vendors = [...panel.vendors.keys()];
  const { conformance } = panel;
  const refused = vendors.map((vendor) => refusedBy(panel, vendor));
  const prices = vendors.map((vendor) => knownPriceOf(panel, vendor));
  const rows = [
    ...answerRows(panel),
    ...latencyRows(panel),
    ...rankedRow("refusals", refused, {
      label: "refusals",
      textOf: ({ shares, absent }) =>
        [
          ...((shares[0]?.[1].of ?? 0) > 0 ? [refusalText(shares)] : []),
          ...countsOf([absent, "poll left out", "polls left out"]),
        ].join(", "),
      evidenceOf: () => [panelAnchors.agrees],
      // Nothing says how polls would have ended that it was left out of: with and without them it must be so.
      isBetter: (one, other) =>
        sharesApart(one.shares, other.shares) && sharesApart(withAbsent(one), withAbsent(other)),
    }),
    ...(conformance
      ? promiseRows(
          conformance,
          vendors.map((vendor) => placeIn(conformance, panel, vendor)),
        )
      : []),
    ...rankedRow("price", prices, {
      label: "credits for a million calls",
      textOf: priceText,
      evidenceOf: () => [panelAnchors.price],
      isBetter: costsLess,
    }),
  ];
  const names = panel.vendors.map(({ name }) => name);
  return { names, rows, unknown: vendors.map((vendor) => unknownOf(panel, vendor, isPooled)) };
}

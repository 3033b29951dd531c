// Panels of the same vendors from several places: each place's nights as one, and the places beside each other.
import { sum } from "simple-statistics";
import { fewestPairs } from "../../panel/enough.ts";
import type { Lead, PanelReport, StandingCounts } from "../../panel/panelReport.ts";
import { pooled } from "../../panel/pooling.ts";
import { groupedBy } from "../lists.ts";
import { backwardsOf } from "./backwards.ts";
import { answerCountsIn, staleLagsOf, summariesOf } from "./figures.ts";
import { type MixLatency, type MixShares, mixLatenciesIn, mixLeadsAmong, sharesOfMix } from "./mix.ts";

/** Of one place, the earliest first: they asked the same calls of the same vendors, and add up. */
export type PanelNights = readonly [PanelReport, ...PanelReport[]];

/** What one place's panels show. */
export interface PlaceHistory {
  readonly nights: PanelNights;
  /** Panels of other calls, which aren't shown with the latest ones. */
  readonly left: number;
}

/** All panels of the same vendors. */
export interface VendorPanels {
  readonly histories: readonly PlaceHistory[];
  /** Where at least two places asked the same calls. */
  readonly beside: { readonly nights: readonly PanelNights[]; readonly left: number } | null;
}

export interface VendorAtPlace extends Omit<MixLatency, "vendor"> {
  /** Answers of each kind. */
  readonly counts: StandingCounts;
  readonly wrongOn: readonly { readonly question: string; readonly about: string; readonly answers: number }[];
  /** In how many answers it was certainly behind, of operations in which it is; null where it is in none. */
  readonly behind: { readonly answers: number; readonly stale: number } | null;
  /** Answers that came after an earlier one, and how many of them went back; null without any. */
  readonly back: { readonly answers: number; readonly back: number } | null;
  /** Polls that it was left out of; null where it never was. */
  readonly absent: { readonly polls: number; readonly why: string } | null;
}

/**
 * `fastest`: one vendor is surely faster than every other · `none`: no vendor is · `few`: one may be, after that many
 * more polls · `closing`: one may be, but vendors that keep no connection open aren't compared · `unmeasured`: fewer
 * than two vendors answered the whole mix.
 */
export type PlaceOrder =
  | { readonly is: "fastest"; readonly vendor: number }
  | { readonly is: "none" | "unmeasured" }
  | { readonly is: "few"; readonly polls: number }
  | { readonly is: "closing"; readonly vendors: readonly number[] };

export interface PanelPlace {
  /** Null where the user didn't name it. */
  readonly vantage: string | null;
  readonly nights: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly rounds: number;
  readonly polls: number;
  readonly order: PlaceOrder;
  /** Whether vendors differ on questions, and nothing shows who is right. */
  readonly isUndecided: boolean;
  /** The intervals hold for all pairs of all places together. */
  readonly leads: readonly Omit<Lead, "histograms" | "operation">[];
  readonly vendors: readonly VendorAtPlace[];
}

/** What `assay compare --json` prints of panels from several places. */
export interface PanelPlaces {
  readonly is: "places";
  readonly vendors: readonly string[];
  /** The workload's name; null where the panels asked questions of their own. */
  readonly workload: string | null;
  /** Of the mix whose latency is given, by operation. */
  readonly shares: { readonly [operation: string]: number };
  readonly places: readonly PanelPlace[];
  /** 1 where a vendor is wrong from any place, 3 where nothing could be compared from any. */
  readonly exitCode: 0 | 1 | 3;
}

export const vendorsKeyOf = ({ vendors }: PanelReport): string => JSON.stringify(vendors.map(({ name }) => name));
export const workKeyOf = ({ workload }: PanelReport): string => workload?.digest ?? "";
const placeKeyOf = ({ vantage }: PanelReport): string => JSON.stringify(vantage);

/** Whichever place it is said to be from: two panels that begin in one second have one id. */
const identityOf = (panel: PanelReport): string =>
  JSON.stringify([panel.id, panel.startedAt, panel.endedAt, panel.seed, panel.command, vendorsKeyOf(panel)]);

/** Each panel once, however often it was appended; with its vantage, where that was given later. */
export const distinctPanels = (panels: readonly PanelReport[]): readonly PanelReport[] =>
  [...groupedBy(panels, identityOf).values()].flatMap((same) => {
    const places = [...groupedBy(same, placeKeyOf).values()].map(([panel]) => panel);
    const named = places.filter(({ vantage }) => vantage !== null);
    return named.length > 0 ? named : places;
  });

function inTime(panels: PanelNights): PanelNights {
  const [first, ...later] = panels.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  return [first ?? panels[0], ...later];
}

const latestOf = (nights: PanelNights): PanelReport => nights.at(-1) ?? nights[0];

/** By work, the latest first. */
const worksOf = (panels: PanelNights): readonly PanelNights[] =>
  [...groupedBy(panels, workKeyOf).values()]
    .map(inTime)
    .sort((a, b) => (latestOf(a).startedAt > latestOf(b).startedAt ? -1 : 1));

const placesIn = (panels: PanelNights): readonly PanelNights[] =>
  [...groupedBy(panels, placeKeyOf).values()]
    .map(inTime)
    .sort((a, b) => (placeKeyOf(a[0]) < placeKeyOf(b[0]) ? -1 : 1));

function besideIn(panels: PanelNights): VendorPanels["beside"] {
  const nights = worksOf(panels)
    .map(placesIn)
    .find(({ length }) => length > 1);
  return nights ? { nights, left: panels.length - nights.flat().length } : null;
}

/** By vendors in their order: panels of others are never added up, nor compared as places. */
export const vendorPanelsOf = (panels: readonly PanelReport[]): readonly VendorPanels[] =>
  [...groupedBy(distinctPanels(panels), vendorsKeyOf).values()].map((same) => ({
    histories: placesIn(same).flatMap((all) => {
      const [nights] = worksOf(all);
      return nights ? [{ nights, left: all.length - nights.length }] : [];
    }),
    beside: besideIn(same),
  }));

/** Whether one answered the whole mix. */
const isMeasured = ({ p50 }: Pick<VendorAtPlace, "p50">): boolean => p50 !== null;

/** @param vendors of one place, in the panel's order */
function orderOf(vendors: readonly Pick<VendorAtPlace, "p50" | "kind">[], leads: PanelPlace["leads"]): PlaceOrder {
  const measured = [...vendors.keys()].filter((nth) => isMeasured(vendors[nth] ?? { p50: null }));
  if (measured.length < 2) return { is: "unmeasured" };
  const pairOf = (one: number, other: number) =>
    leads.find(({ faster, slower }) => [one, other].every((vendor) => vendor === faster || vendor === slower));
  const medianOf = (vendor: number): number => vendors[vendor]?.p50?.ms ?? Number.POSITIVE_INFINITY;
  /** Polls that a pair lacks for this vendor to be surely faster; null where it isn't, with enough of them. */
  const lackingOf = (vendor: number, other: number): number | null => {
    const pair = pairOf(vendor, other);
    if (!pair?.isRanked) return fewestPairs - (pair?.polls ?? 0);
    // Who is faster in most polls may be slower in the mix: the table would contradict it.
    const isAhead = pair.faster === vendor && pair.from_ms > 0 && medianOf(vendor) < medianOf(other);
    return isAhead ? 0 : null;
  };
  const candidates = measured.flatMap((vendor) => {
    const others = measured.filter((other) => other !== vendor);
    const lacking = others.map((other) => lackingOf(vendor, other));
    return lacking.includes(null) ? [] : [{ vendor, polls: Math.max(...lacking.map(Number)) }];
  });
  const fastest = candidates.find(({ polls }) => polls === 0);
  if (fastest) return { is: "fastest", vendor: fastest.vendor };
  if (candidates.length === 0) return { is: "none" };
  // More polls don't help them: only answers on open connections are compared.
  const closing = measured.filter((vendor) => vendors[vendor]?.kind === "cold");
  if (closing.length > 0) return { is: "closing", vendors: closing };
  return { is: "few", polls: Math.min(...candidates.map(({ polls }) => polls)) };
}

/** What is known of a vendor without its latency. @param panel of all nights */
function standingAt(panel: PanelReport, vendor: number) {
  const lags = staleLagsOf(panel, vendor);
  const back = backwardsOf(panel, vendor);
  const absences = (panel.absences ?? []).filter((one) => one.vendor === vendor);
  return {
    counts: answerCountsIn(panel, vendor),
    wrongOn: panel.questions.flatMap(({ id, about, counts }) => {
      const answers = counts[vendor]?.wrong ?? 0;
      return answers > 0 ? [{ question: id, about, answers }] : [];
    }),
    behind:
      lags.length > 0
        ? { answers: sum(lags.map(({ answers }) => answers)), stale: sum(lags.map(({ stale }) => stale)) }
        : null,
    back: back && { answers: back.answers, back: back.back },
    absent:
      absences.length > 0
        ? {
            polls: sum(absences.map(({ polls }) => polls)),
            why: absences.at(-1)?.why ?? "it refused requests for their rate",
          }
        : null,
  };
}

function placeOf(nights: PanelNights, panel: PanelReport, shares: MixShares, leads: readonly Lead[]): PanelPlace {
  const vendors = mixLatenciesIn(panel, shares).map(({ vendor, ...latency }) => ({
    ...latency,
    ...standingAt(panel, vendor),
  }));
  const shown = leads.map(({ histograms: _, operation: __, ...lead }) => lead);
  return {
    vantage: panel.vantage,
    nights: nights.length,
    startedAt: nights[0].startedAt,
    endedAt: latestOf(nights).endedAt,
    rounds: panel.rounds,
    polls: sum(panel.questions.map(({ polls }) => polls)),
    order: orderOf(vendors, shown),
    isUndecided:
      panel.questions.some(({ splits }) => splits.length > 0) || summariesOf(panel).some((one) => one.isOpen),
    leads: shown,
    vendors,
  };
}

/** @param all of the same vendors and calls, each from a place of its own */
export function placesOf(all: readonly PanelNights[]): PanelPlaces {
  const panels = all.map(pooled);
  const [first] = panels;
  // What was asked at one place only would be missing from the others' mix.
  const isAskedIn = ({ questions }: PanelReport, wanted: string): boolean =>
    questions.some(({ operation }) => operation === wanted);
  const own = {
    questions: panels
      .flatMap(({ questions }) => questions)
      .filter(({ operation }) => panels.every((panel) => isAskedIn(panel, operation))),
    latencies: panels.flatMap((one) => one.latencies),
  };
  // One mix for all places, so that their figures are of the same.
  const shares = sharesOfMix({ workload: first?.workload ?? null, ...own });
  const leads = mixLeadsAmong(panels, shares);
  const summaries = panels.flatMap(summariesOf);
  const isWrong = summaries.some((one) => one.isWrong);
  return {
    is: "places",
    vendors: first?.vendors.map(({ name }) => name) ?? [],
    workload: first?.workload?.name ?? null,
    shares: Object.fromEntries(shares),
    places: all.flatMap((nights, nth) => {
      const panel = panels[nth];
      return panel ? [placeOf(nights, panel, shares, leads[nth] ?? [])] : [];
    }),
    exitCode: isWrong ? 1 : summaries.every(({ isSilent }) => isSilent) ? 3 : 0,
  };
}

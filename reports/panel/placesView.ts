// The view of several places: who is fastest from where, who is wrong from where, what was refused where.
import { sum } from "simple-statistics";
import type { StandingCounts } from "../../panel/panelReport.ts";
import {
  type Block,
  code,
  comparedMoods,
  type Document,
  detail,
  foreign,
  note,
  type Sentence,
  sectionOf,
  type TextSpan,
  type TextTable,
} from "../document/document.ts";
import { fewOf, groupedBy, listedTogether } from "../lists.ts";
import { counted, inMs, numberText, toTenths, whenText } from "../numbers.ts";
import { shown } from "../text.ts";
import { signOf } from "../words.ts";
import type { PanelPlace, PanelPlaces, VendorAtPlace } from "./places.ts";

type Places = readonly PanelPlace[];

const placeName = ({ vantage }: PanelPlace): string => vantage ?? "an unnamed place";
const fromPlaces = (places: Places): string => `from ${listedTogether(places.map(placeName))}`;

const compared = ["agrees", "stale", "fresher", "wrong", "unsettled"] as const;
const comparedIn = (counts: StandingCounts): number => sum(compared.map((standing) => counts[standing]));

const isWrongAt = ({ vendors }: PanelPlace, vendor: number): boolean => (vendors[vendor]?.counts.wrong ?? 0) > 0;
const agreesAt = ({ vendors }: PanelPlace, vendor: number): boolean => (vendors[vendor]?.counts.agrees ?? 0) > 0;

/** Who is wrong, who from one place only first: that is what a panel from one place misses. */
function wrongParts({ vendors, places }: PanelPlaces): readonly string[] {
  const all = vendors.flatMap((name, vendor) => {
    const wrong = places.filter((place) => isWrongAt(place, vendor));
    const right = places.filter((place) => !wrong.includes(place) && agreesAt(place, vendor));
    return wrong.length > 0 ? [{ name, wrong, right }] : [];
  });
  return all
    .toSorted((a, b) => a.wrong.length - b.wrong.length)
    .map(({ name, wrong, right }) => {
      const isElsewhereRight = right.length === places.length - wrong.length;
      if (wrong.length === places.length) return `${name} is wrong everywhere`;
      return `${name} is wrong ${fromPlaces(wrong)}${isElsewhereRight ? " only" : ""}`;
    });
}

const whereText = (some: Places, { length }: Places): string =>
  some.length === length ? "everywhere" : fromPlaces(some);

/** Who is behind: no fault, and what a nobody-is-wrong hides. */
const behindParts = ({ vendors, places }: PanelPlaces): readonly string[] =>
  vendors.flatMap((name, vendor) => {
    const where = places.filter((place) => place.vendors[vendor]?.behind);
    return where.length > 0 ? [`${name} is behind ${whereText(where, places)}`] : [];
  });

interface VendorFrom {
  readonly place: PanelPlace;
  readonly vendor: number;
}

/** `bea is fastest from fra and tyo, ada from nyc`. */
function orderPart({ vendors, places }: PanelPlaces, word: string, all: readonly VendorFrom[]): readonly string[] {
  const byVendor = [...groupedBy(all, ({ vendor }) => String(vendor)).values()];
  const [first, ...others] = byVendor.map((some) => {
    const where = some.map(({ place }) => place);
    return [vendors[some[0].vendor] ?? "", whereText(where, places)] as const;
  });
  if (!first) return [];
  return [[`${first[0]} is ${word} ${first[1]}`, ...others.map(([name, where]) => `${name} ${where}`)].join(", ")];
}

const isMixEmpty = (shares: PanelPlaces["shares"]): boolean => Object.keys(shares).length === 0;
const fastestPart = (all: PanelPlaces): readonly string[] =>
  orderPart(
    all,
    "fastest",
    all.places.flatMap((place) => (place.order.is === "fastest" ? [{ place, vendor: place.order.vendor }] : [])),
  );

/** Where nobody is surely fastest: whom each other one that answered the mix surely beats. */
const slowestPart = (all: PanelPlaces): readonly string[] =>
  orderPart(
    all,
    "slowest",
    all.places.flatMap((place) => {
      const measured = [...place.vendors.keys()].filter((nth) => (place.vendors[nth]?.p50 ?? null) !== null);
      const isBeaten = (vendor: number, other: number): boolean =>
        place.leads.some(
          ({ faster, slower, isRanked, from_ms }) => faster === other && slower === vendor && isRanked && from_ms > 0,
        );
      if (place.order.is !== "none") return [];
      const slowest = measured.filter((vendor) =>
        measured.every((other) => other === vendor || isBeaten(vendor, other)),
      );
      return slowest.map((vendor) => ({ place, vendor }));
    }),
  );

/** Why there is no order from a place; null where there is one. */
function whyUnordered({ order }: PanelPlace, { vendors, shares }: PanelPlaces): string | null {
  switch (order.is) {
    case "few":
      return counted(order.polls, "more poll");
    case "closing": {
      const names = order.vendors.map((vendor) => vendors[vendor] ?? "");
      return `${listedTogether(names)} ${names.length > 1 ? "keep" : "keeps"} no connection open`;
    }
    case "unmeasured":
      return isMixEmpty(shares)
        ? "no operation was asked from every place"
        : "fewer than two vendors answered the whole mix";
    default:
      return null;
  }
}

/** Who answers, though not the whole mix, and so can't be in the order. */
function unlistedParts({ vendors, places }: PanelPlaces): readonly string[] {
  const all = places.flatMap((place) =>
    place.vendors.flatMap(({ answers, unserved }, vendor) =>
      place.order.is !== "unmeasured" && answers > 0 && unserved.length > 0
        ? [{ place, why: `${vendors[vendor]} isn't in that order`, of: `it served no ${listedTogether(unserved)}` }]
        : [],
    ),
  );
  return [...groupedBy(all, ({ why, of }) => `${why} ${of}`).values()].map((some) => {
    const [{ why, of }] = some;
    return `${why} ${fromPlaces(some.map(({ place }) => place))}: ${of}`;
  });
}

function unorderedParts(all: PanelPlaces): readonly string[] {
  const { places } = all;
  const unsure = places.filter(({ order }) => order.is === "none");
  const reasons = [...groupedBy(places, (place) => whyUnordered(place, all) ?? "")].filter(([why]) => why !== "");
  return [
    ...(unsure.length > 0
      ? [`nobody is surely fastest ${unsure.length === places.length ? "anywhere" : fromPlaces(unsure)}`]
      : []),
    ...reasons.map(([why, some]) => `no order shown ${fromPlaces(some)}: ${why}`),
  ];
}

/** That nobody is wrong, as far as anything was compared. */
function rightPart({ vendors: names, places, exitCode }: PanelPlaces): readonly string[] {
  if (exitCode === 3) return ["nothing could be compared anywhere"];
  const silent = places.filter(({ vendors }) => vendors.every(({ counts }) => comparedIn(counts) === 0));
  const missing = silent.length > 0 ? [`nothing could be compared ${fromPlaces(silent)}`] : [];
  const open = places.filter(({ isUndecided }) => isUndecided);
  const spoken = places.filter((place) => !silent.includes(place));
  const mute = names.flatMap((name, vendor) => {
    const where = spoken.filter(({ vendors }) =>
      vendors.every((at, nth) => nth !== vendor || comparedIn(at.counts) === 0),
    );
    return where.length > 0 ? [`nothing of ${name} could be compared ${fromPlaces(where)}`] : [];
  });
  const undecided = open.length > 0 ? [`some questions stay undecided ${fromPlaces(open)}`] : [];
  const unknown = [...missing, ...mute, ...undecided];
  if (exitCode === 1) return unknown;
  if (open.length > 0 || mute.length > 0) return [...unknown, "nobody is shown to be wrong"];
  return [...unknown, missing.length > 0 ? "nobody is wrong elsewhere" : "nobody is wrong anywhere"];
}

/** What a reader came for: who is wrong from where, then who is fastest from where. */
export function placesHeadline(all: PanelPlaces): string {
  const named = [...wrongParts(all), ...behindParts(all), ...fastestPart(all), ...slowestPart(all)].join("; ");
  const ours = [...unorderedParts(all), ...unlistedParts(all), ...rightPart(all)].join("; ");
  // Vendors' names stay as their target files write them.
  if (named === "") return `${ours.charAt(0).toUpperCase()}${ours.slice(1)}`;
  return ours === "" ? named : `${named}; ${ours}`;
}

type PlaceCell = (at: VendorAtPlace, isFastest: boolean) => Sentence;

/** A row for each vendor, a column for each place. */
function placesTable({ vendors, places }: PanelPlaces, caption: string, cellOf: PlaceCell): TextTable {
  return {
    is: "table",
    kind: "few",
    caption,
    fewest: vendors.length,
    heads: ["Vendor", ...places.map(({ vantage }) => vantage ?? "unnamed")],
    rows: vendors.map((name, vendor) => [
      [foreign(name)],
      ...places.map(({ vendors: own, order }) => {
        const at = own[vendor];
        return at ? cellOf(at, order.is === "fastest" && order.vendor === vendor) : ["–"];
      }),
    ]),
  };
}

/** `31 / 48`, in ms; `31 / too few`, where that holds for the p95. */
function latencyCell({ answers, unserved, kind, p50, p95 }: VendorAtPlace, isFastest: boolean): Sentence {
  if (answers === 0) return ["no answer"];
  if (p50 === null) return ["lacks ", foreign(unserved.join(", "))];
  const text = `${inMs(p50.ms)} / ${p95 ? inMs(p95.ms) : "too few"}${kind === "cold" ? ", on new connections" : ""}`;
  return isFastest ? [{ text: `${text}, fastest`, sign: signOf("holds"), tone: "holds" }] : [text];
}

/** Of all answers of a vendor. */
const shareText = (some: number, all: number): string =>
  `${numberText(some)} of ${numberText(all)} (${toTenths((100 * some) / Math.max(1, all))} %)`;

/** `✗ wrong in 12 of 340 (3.5 %), stale in 3 of 340 (0.9 %)`. */
function answersCell({ counts, behind, back }: VendorAtPlace): Sentence {
  const all = comparedIn(counts);
  const wrong = { text: `wrong in ${shareText(counts.wrong, all)}`, sign: signOf("broken"), tone: "broken" as const };
  const faults: TextSpan[] = [
    ...(counts.wrong > 0 ? [wrong] : []),
    ...(counts.stale > 0 ? [`stale in ${shareText(counts.stale, all)}`] : []),
    ...(counts.unsettled > 0 ? [`unsettled in ${shareText(counts.unsettled, all)}`] : []),
    ...(behind ? [`behind in ${shareText(behind.stale, behind.answers)}`] : []),
    ...(back && back.back > 0 ? [`goes back in ${shareText(back.back, back.answers)}`] : []),
  ];
  const first = all === 0 ? ["nothing compared"] : faults.length === 0 ? [`all ${numberText(all)} agree`] : [];
  return [...first, ...faults].flatMap((part, nth) => (nth > 0 ? [", ", part] : [part]));
}

const refusedKinds = ["rate-limited", "refused", "unavailable"] as const;

const isRefusing = ({ counts, absent }: VendorAtPlace): boolean =>
  absent !== null || refusedKinds.some((kind) => counts[kind] > 0);

function refusalsCell({ counts, absent }: VendorAtPlace): Sentence {
  const all = sum(Object.values(counts));
  const parts = refusedKinds.flatMap((kind) => (counts[kind] > 0 ? [`${kind} ${shareText(counts[kind], all)}`] : []));
  const left: Sentence = absent ? [`left out of ${counted(absent.polls, "poll")} (`, foreign(absent.why), ")"] : [];
  if (parts.length === 0 && !absent) return ["none"];
  return [parts.join(", "), ...(parts.length > 0 && absent ? [", "] : []), ...left].filter((part) => part !== "");
}

const mostWrong = 12;

/** On which questions somebody is wrong. */
function wrongList({ vendors, places }: PanelPlaces): Block {
  const items = places.flatMap((place) =>
    place.vendors.flatMap(({ wrongOn }, vendor) =>
      wrongOn.map(({ question, about, answers }): Sentence => {
        const who: Sentence = [foreign(vendors[vendor] ?? ""), " from ", foreign(placeName(place))];
        return [...who, ` in ${counted(answers, "answer")}: `, code(question), " ", { text: about, as: "aside" }];
      }),
    ),
  );
  const { shown: first, rest } = fewOf(items, mostWrong);
  const more = rest > 0 ? [[`and ${numberText(rest)} more`]] : [];
  return { is: "list", label: "Wrong", sign: signOf("broken"), items: [...first, ...more] };
}

/** Of all pairs: what the order follows from. */
const leadTable = ({ vendors, places }: PanelPlaces): TextTable => ({
  is: "table",
  caption: "Differences in the same polls, in ms",
  heads: ["From", "Faster", "Slower", "By", "At least", "At most", "Polls"],
  rows: places.flatMap((place) =>
    place.leads.map(({ faster, slower, by_ms, from_ms, to_ms, polls, isRanked }) => [
      placeName(place),
      vendors[faster] ?? "",
      vendors[slower] ?? "",
      ...(isRanked ? [inMs(by_ms), inMs(from_ms), inMs(to_ms)] : ["too few", "", ""]),
      polls,
    ]),
  ),
});

/** @param pageOf the page of a place, beside this one */
function placeItem(place: PanelPlace, page: string | undefined): Sentence {
  const { nights, rounds, polls, startedAt, endedAt } = place;
  const name = placeName(place);
  const of = [...(nights > 1 ? [counted(nights, "panel")] : []), counted(rounds, "round"), counted(polls, "poll")];
  const when = `from ${whenText(startedAt)} to ${whenText(endedAt)}`;
  return [page === undefined ? foreign(name) : { text: name, to: page }, `: ${of.join(", ")}, ${when}`];
}

export interface PlacesWords {
  readonly version: string;
  /** Of each place; none where there is none beside this page. */
  readonly pages?: readonly string[];
  /** Panels of the same vendors that asked other calls. */
  readonly left?: number;
}

export const leftPanelsText = (left: number): string =>
  `${counted(left, "panel")} of the same vendors asked other calls, and ${left === 1 ? "is" : "are"} left out.`;

export function placesDocument(found: PanelPlaces, { version, pages = [], left = 0 }: PlacesWords): Document {
  const all = shown(found);
  const { places, exitCode, workload } = all;
  const mix: Sentence = workload === null ? ["all that was asked"] : ["the mix ", foreign(workload)];
  const isQuiet = places.every(({ vendors }) => vendors.every((at) => !isRefusing(at)));
  return {
    kind: `Assay ${version}, panels from several places`,
    headline: placesHeadline(all),
    mood: exitCode === 0 && places.some(({ isUndecided }) => isUndecided) ? "inconclusive" : comparedMoods[exitCode],
    icon: "comparison",
    first: [
      { is: "list", items: places.map((place, nth) => placeItem(place, pages[nth])) },
      ...(left > 0 ? [note(leftPanelsText(left))] : []),
    ],
    sections: [
      sectionOf(
        ["How fast"],
        note(
          "Latency of ",
          ...mix,
          ": p50 / p95, in ms. A vendor is called fastest where it surely answered the same polls faster than each " +
            "other one: these intervals hold at 99 % for all pairs at all places together. Places aren't added up.",
        ),
        isMixEmpty(all.shares)
          ? note("No operation was asked from every place, so that no latencies can be compared.")
          : placesTable(all, "Latency", latencyCell),
        detail("By how much", leadTable(all)),
      ),
      {
        ...sectionOf(["Who is right"], wrongList(all), placesTable(all, "Answers", answersCell)),
        ...(exitCode === 1 ? { tone: "broken" } : {}),
      },
      sectionOf(
        ["What was refused"],
        isQuiet ? note("Nothing, from any place.") : placesTable(all, "Refusals", refusalsCell),
      ),
    ],
    foot: ["Where a vendor is wrong, the page and `panel.json` of that place's panel have its answers."],
  };
}

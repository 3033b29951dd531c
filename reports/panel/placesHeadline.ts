// What is said first of several places: who is wrong or behind from where, then who is fastest and slowest from where.
import { groupedBy, listedTogether } from "../lists.ts";
import { counted } from "../numbers.ts";
import { comparedOf } from "./figures.ts";
import type { PanelPlace, PanelPlaces } from "./places.ts";

type Places = readonly PanelPlace[];

export const vantageName = ({ vantage }: PanelPlace): string => vantage ?? "an unnamed place";
const fromPlaces = (places: Places): string => `from ${listedTogether(places.map(vantageName))}`;

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
function behindParts({ vendors, places }: PanelPlaces): readonly string[] {
  const behind = vendors.flatMap((name, vendor) => {
    const where = places.filter((place) => place.vendors[vendor]?.behind);
    return where.length > 0 ? [{ name, where: whereText(where, places) }] : [];
  });
  return [...groupedBy(behind, ({ where }) => where)].map(([where, all]) => {
    const names = all.map(({ name }) => name);
    return `${listedTogether(names)} ${names.length > 1 ? "are" : "is"} behind ${where}`;
  });
}

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

export const isMixEmpty = (shares: PanelPlaces["shares"]): boolean => Object.keys(shares).length === 0;
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
  const silent = places.filter(({ vendors }) => vendors.every(({ counts }) => comparedOf(counts) === 0));
  const missing = silent.length > 0 ? [`nothing could be compared ${fromPlaces(silent)}`] : [];
  const open = places.filter(({ isUndecided }) => isUndecided);
  const spoken = places.filter((place) => !silent.includes(place));
  const mute = names.flatMap((name, vendor) => {
    const where = spoken.filter(({ vendors }) =>
      vendors.every((at, nth) => nth !== vendor || comparedOf(at.counts) === 0),
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

// What nights say of availability, and nights in a row on which it or a requirement was broken
import { sum } from "simple-statistics";
import { isJudged } from "../compare/requirements.ts";
import { groupedBy } from "../lists.ts";
import type { History } from "./history.ts";
import { isEndedByItself, type Night } from "./night.ts";
import { nightDay, type Strip } from "./strips.ts";

/** Days by UTC, as in `2026-09-01`; both belong to it. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

export const isInPeriod = ({ at }: Pick<Night, "at">, { from, to }: Period): boolean =>
  nightDay(at) >= from && nightDay(at) <= to;

/**
 * `available`: something was judged · `unavailable`: it ended by itself, and every request failed or timed out ·
 * `uncounted`: it says neither, as our side ended it, or requests were answered and nothing could be judged.
 */
export type Availability = "available" | "unavailable" | "uncounted";

type Latency = Night["latencies"][number];

const isFailure = ({ outcome }: Latency): boolean => outcome === "failed" || outcome === "timeout";

export function availabilityOf(night: Pick<Night, "left" | "latencies">): Availability {
  const { left, latencies } = night;
  if (left === null) return "available";
  const isUnserved = latencies.length > 0 && latencies.every(isFailure);
  return isUnserved && isEndedByItself(night) ? "unavailable" : "uncounted";
}

/** Nights in a row, but for those that say nothing, that show the same. */
export interface Incident {
  /** Requirements, or one bound with its operation for an id; none: the platform was unavailable. */
  readonly broken: readonly { readonly id: string; readonly sentence: string }[];
  /** Days of the first and the last night of the period that show it. */
  readonly first: string;
  readonly last: string;
  /** How many of the period show it. */
  readonly nights: number;
  /** On how many of these nothing was served; the others met an outage, and judged something. */
  readonly unserved: number;
  /** Requests of these. */
  readonly failed: number;
  readonly timedOut: number;
  /** Nights from the first to the last that say nothing of it. */
  readonly silent: number;
  /** The day on which it began, where that was before the period. */
  readonly before: string | null;
  /** Whether no later night of the period shows its end. */
  readonly isOpen: boolean;
}

/** What keeps sound requests from being served is the platform's: a quota may be ours, and lag is served. */
const isDown = (by: NonNullable<Night["outages"]>[number]): boolean =>
  by === "silence" || by === "failure" || by === "maintenance";

function unavailableSign(night: Night): boolean | null {
  const availability = availabilityOf(night);
  if (availability === "uncounted") return null;
  return availability === "unavailable" || (night.outages ?? []).some(isDown);
}

/** Whether each night shows it; null where a night says nothing. */
type Signs = readonly (boolean | null)[];

interface Spell {
  /** Null: the platform. */
  readonly of: Incident["broken"][number] | null;
  readonly isOfBound: boolean;
  readonly signs: Signs;
  /** Of nights in a row that show it, but for those that say nothing. */
  readonly places: readonly number[];
}

function spellsOf(of: Spell["of"], signs: Signs, isOfBound = false): readonly Spell[] {
  const spells: number[][] = [];
  let isUnderWay = false;
  for (const [place, sign] of signs.entries()) {
    if (sign === null) continue;
    if (sign && !isUnderWay) spells.push([]);
    if (sign) spells.at(-1)?.push(place);
    isUnderWay = sign;
  }
  return spells.map((places) => ({ of, isOfBound, signs, places }));
}

/** Of bounds that the target file sets on latency under load. */
function boundSpells(all: readonly Night[]): readonly Spell[] {
  const exceededOn = ({ load }: Night): readonly string[] => load?.exceeded?.map(({ operation }) => operation) ?? [];
  return [...new Set(all.flatMap(exceededOn))].flatMap((operation) =>
    spellsOf(
      { id: operation, sentence: "p95 under load within the bound of the target file" },
      all.map((night) => (night.left === null && night.load ? exceededOn(night).includes(operation) : null)),
      true,
    ),
  );
}

const isOpenEnded = ({ signs, places }: Spell): boolean => !signs.slice(places.at(-1)).includes(false);

/**
 * In order of time; requirements that were broken on the same nights are one incident.
 * @param all every night of the history until the period ends, in order of time
 */
export function incidentsIn(
  { strips, nights }: Pick<History, "strips" | "nights">,
  all: readonly Night[],
  period: Period,
): readonly Incident[] {
  const placeOf = new Map(nights.map((night, nth) => [night, nth]));
  const signsOf = ({ states }: Strip): Signs =>
    all.map((night) => {
      const state = states[placeOf.get(night) ?? -1];
      return state && isJudged(state) ? state.kind === "broken" : null;
    });
  const spells = [
    ...spellsOf(null, all.map(unavailableSign)),
    ...strips.flatMap((strip) => spellsOf({ id: strip.id, sentence: strip.sentence }, signsOf(strip))),
    ...boundSpells(all),
  ];
  const together = groupedBy(spells, (spell) =>
    JSON.stringify([spell.isOfBound ? spell.of : spell.of === null, spell.places, isOpenEnded(spell)]),
  );
  return [...together.values()]
    .flatMap((some) => incidentOf(some, all, period) ?? [])
    .sort((a, b) => Date.parse(a.first) - Date.parse(b.first));
}

/** Null where it was over before the period. @param spells of the same nights */
function incidentOf(spells: readonly [Spell, ...Spell[]], all: readonly Night[], period: Period): Incident | null {
  const [spell] = spells;
  const nights = spell.places.flatMap((place) => all[place] ?? []);
  const within = nights.filter((night) => isInPeriod(night, period));
  const [begin] = nights;
  const [first] = within;
  const last = within.at(-1);
  if (begin === undefined || first === undefined || last === undefined) return null;
  const answers = within.flatMap(({ latencies }) => latencies);
  const requests = (wanted: Latency["outcome"]): number =>
    sum(answers.flatMap(({ outcome, count }) => (outcome === wanted ? [count] : [])));
  return {
    broken: spells.flatMap(({ of }) => of ?? []),
    first: nightDay(first.at),
    last: nightDay(last.at),
    nights: within.length,
    unserved: within.filter((night) => availabilityOf(night) === "unavailable").length,
    failed: requests("failed"),
    timedOut: requests("timeout"),
    silent: spell.signs.slice(all.indexOf(first), all.indexOf(last)).filter((sign) => sign === null).length,
    before: begin === first ? null : nightDay(begin.at),
    isOpen: isOpenEnded(spell),
  };
}

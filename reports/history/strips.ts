// Requirements over nights: steady, changed for good, or broken on some nights and not on others
import type { Interface, Requirement } from "../../harness/core/interface.ts";
import { intervalOf } from "../../harness/core/interval.ts";
import type { State } from "../compare/comparison.ts";
import { againText, brokenRateText } from "../compare/items.ts";
import { isBrokenState, isJudged } from "../compare/requirements.ts";
import { nameOf } from "../words.ts";
import type { Judged, Night } from "./night.ts";

export interface Strip extends Pick<Requirement, "id" | "sentence" | "clause" | "level"> {
  /** Night by night. */
  readonly states: readonly State[];
  readonly trend: Trend;
}

/** What a night judged it to be. */
interface Judgement {
  readonly night: number;
  readonly kind: State["kind"];
}

export type Trend =
  /** Broken, or verified, on all recent nights; or never judged. */
  | { readonly is: "steady" }
  /** Since a night, for all that is known. */
  | { readonly is: "newly broken" | "fixed" | "narrowed"; readonly night: number }
  /** Since a night, after it had held: on some nights of the last 30, but not often enough to be flaky. */
  | { readonly is: "broken again"; readonly night: number; readonly broken: number; readonly of: number }
  /** Has come and gone often enough: some nights of the last 30, with the interval of its rate. */
  | { readonly is: "flaky"; readonly broken: number; readonly of: number; readonly rate: readonly [number, number] };

/** Nights that say something of today. */
const recent = 30;
/** A new state has to last so long before what preceded it counts as over. */
const lasting = 3;
/** Broken so many times, and not in between, it comes and goes. */
const fewestSpells = 3;
/** Less often than this, as few changes between broken and verified are chance. */
const chance = 0.01;

/** Of a requirement on a night. */
export function stateIn(judged: Judged | undefined): State {
  if (judged === undefined) return { kind: "absent", reason: null };
  if (typeof judged === "string") return { kind: judged, reason: null };
  return judged.untried
    ? { kind: judged.is, reason: null, untried: judged.untried }
    : { kind: judged.is, reason: judged.reason };
}

/** Of the last night. */
export const lastOf = ({ states }: Pick<Strip, "states">): State["kind"] => states.at(-1)?.kind ?? "absent";

/** The last night that judged it, where later ones didn't; nights before the last 30 don't count. */
export function unjudgedSince({ states }: Pick<Strip, "states">): Judgement | null {
  const night = states.findLastIndex(isJudged);
  const isOld = states.length - 1 - night > recent;
  return night < 0 || night === states.length - 1 || isOld ? null : { night, kind: states[night]?.kind ?? "absent" };
}

/** Of all ways to choose some of so many. */
const ways = (all: number, some: number): number =>
  some < 0 || some > all
    ? 0
    : Array.from({ length: some }, (_, nth) => (all - nth) / (nth + 1)).reduce((a, b) => a * b, 1);

/** How often so many broken and other nights, in any order, change at most so many times (Wald and Wolfowitz). */
export function chanceOfChanges(broken: number, others: number, changes: number): number {
  let found = 0;
  for (let runs = 2; runs <= changes + 1; runs += 1) {
    const more = Math.ceil(runs / 2) - 1;
    const fewer = Math.floor(runs / 2) - 1;
    found += ways(broken - 1, more) * ways(others - 1, fewer) + ways(broken - 1, fewer) * ways(others - 1, more);
  }
  return found / ways(broken + others, broken);
}

/** What the nights until the last one say; nights on which it wasn't judged say nothing. */
export function trendOf(states: readonly State[]): Trend {
  const judged = states
    .flatMap((state, night) => (isJudged(state) ? [{ night, is: isBrokenState(state), kind: state.kind }] : []))
    // One night more, as a breach that begins with them would look as if it ended what was there before.
    .slice(-recent - 1);
  const begins = judged.flatMap((one, nth) => (nth > 0 && judged[nth - 1]?.is !== one.is ? [{ ...one, nth }] : []));
  const last = begins.at(-1);
  if (last === undefined) return narrowedIn(judged) ?? { is: "steady" };
  const counted = judged.slice(-recent);
  if (counted.every(({ is }) => is === counted[0]?.is)) return { is: "steady" };
  const broken = counted.filter(({ is }) => is).length;
  const isForGood =
    begins.length === 1 ||
    (judged.length - last.nth >= lasting && chanceOfChanges(broken, counted.length - broken, begins.length) < chance);
  const of = counted.length;
  const spells = begins.filter(({ is }) => is).length + Number(judged[0]?.is ?? false);
  if (!isForGood && spells >= fewestSpells) return { is: "flaky", broken, of, rate: intervalOf(broken, of) };
  if (last.is && spells > 1 && !isForGood) return { is: "broken again", night: last.night, broken, of };
  return { is: last.is ? "newly broken" : "fixed", night: last.night };
}

/** Verified on all recent nights, since one of them on less than before. */
function narrowedIn(judged: readonly Judgement[]): Trend | null {
  const whole = judged.findLastIndex(({ kind }) => kind !== "narrowed");
  const first = judged[whole + 1];
  return first && judged[whole]?.kind === "holds" ? { is: "narrowed", night: first.night } : null;
}

/** In the register's order. @param nights in their order, without those that trends leave out */
export function stripsOf(
  nights: readonly Night[],
  { requirements }: Pick<Interface, "requirements">,
): readonly Strip[] {
  return requirements.flatMap(({ id, sentence, clause, level }) => {
    const states = nights.map((night) => stateIn(night.requirements[id]));
    const isPlanned = states.some(({ kind }) => kind !== "absent");
    return isPlanned ? [{ id, sentence, clause, level, states, trend: trendOf(states) }] : [];
  });
}

/** Broken on the last night, by a requirement that fails, and neither before nor now and then. */
export function isNewlyBroken({ states, trend }: Pick<Strip, "states" | "trend">): boolean {
  if (states.at(-1)?.kind !== "broken") return false;
  const before = states.slice(0, -1);
  const last = before.findLast(isJudged);
  if (last === undefined) return true;
  const isBroken = trend.is === "newly broken" || trend.is === "broken again";
  return isBroken && (!isBrokenState(last) || trendOf(before).is === "flaky");
}

export const nightDay = (at: string): string => at.slice(0, 10);

/** `not judged since 2026-11-06 (broken then)`; empty where the last night judged it, or none did. */
export function unjudgedText(strip: Pick<Strip, "states">, nights: readonly Pick<Night, "at">[]): string {
  const last = unjudgedSince(strip);
  return last ? `not judged since ${nightDay(nights[last.night]?.at ?? "")} (${nameOf(last.kind)} then)` : "";
}

/** What its nights say, with dates; empty where they say nothing. */
export function trendText(trend: Trend, nights: readonly Pick<Night, "at">[]): string {
  if (trend.is === "steady") return "";
  if (trend.is === "broken again") return `${againText(trend)}, since ${nightDay(nights[trend.night]?.at ?? "")}`;
  if (trend.is !== "flaky") {
    const change = trend.is === "narrowed" ? "verified on less" : trend.is;
    return `${change} since ${nightDay(nights[trend.night]?.at ?? "")}`;
  }
  return `flaky: ${brokenRateText(trend)}`;
}

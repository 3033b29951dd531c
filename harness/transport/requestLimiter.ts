// Lanes: requests that share a pace, merged and slowed where the platform refuses for the rate.
import type { Clock, Wait } from "../core/clock.ts";
import { type Api, operationOf } from "../core/interface.ts";
import { calledBy, type Stimulus } from "../core/stimulus.ts";
import type { Target } from "../target/target.ts";
import { isRateRefusal } from "./answers.ts";
import type { Exchange } from "./exchange.ts";
import { statedIn } from "./rateHeaders.ts";
import { knownAsker } from "./recording.ts";

/** How much of a limit we use that the target file states for a project. */
export const shareOfLimit = 0.8;

/** The limit that the interface states for the operation, in requests per second; undefined where it states none. */
const ownLimitOf = (target: Target, stimulus: Stimulus): number | undefined => {
  const operation = calledBy(stimulus, target.interface);
  return target.interface.limits.find((one) => "operation" in one && one.operation === operation)?.perSecond;
};

/** Requests per second for a stimulus: below every known limit, and at most the target's pace. */
export function paceOf(target: Target, stimulus: Stimulus): number {
  const ofApi = target.apiPerSecond[stimulus.api];
  if (ofApi !== undefined) return Math.min(target.perSecond, ofApi);
  const own = ownLimitOf(target, stimulus);
  // One less than the limit, so that requests near the edge of a window aren't refused.
  if (own !== undefined) return Math.min(target.perSecond, own - 1);
  const { generalPerSecond = Number.POSITIVE_INFINITY, ownPerSecond = target.perSecond } =
    knownAsker(target, stimulus)?.project ?? {};
  return Math.min(ownPerSecond, generalPerSecond * shareOfLimit);
}

/** Where a request waits for its turn. */
interface Place {
  readonly name: string;
  readonly api: Api;
  /** Whether the interface states a limit for it alone. */
  readonly isApart: boolean;
}

/** A feature on a vendor, as it is unspecified what its limits count together; the reference counts by project. */
export function placeOf(target: Target, stimulus: Stimulus): Place {
  const { api } = stimulus;
  const called = calledBy(stimulus, target.interface);
  const isOwn = ownLimitOf(target, stimulus) !== undefined;
  const isApart = isOwn || target.apiPerSecond[api] !== undefined;
  if (target.isReference)
    return { name: `${isOwn ? called : api} ${knownAsker(target, stimulus)?.projectName}`, api, isApart };
  const feature = operationOf(target.interface, called)?.feature;
  return { name: `${api} ${isOwn ? called : isApart ? "" : feature}`, api, isApart };
}

/** Requests that share a pace. Replaced when the platform refuses, so that those who wait for their turn notice. */
interface Lane {
  readonly place: Place;
  /** What refusals and headers leave of the pace: now, and at most. */
  readonly left: { now: number; most: number };
  nextFree_ms: number;
  lastSent_ms: number;
}

/** A lane that sent something so recently may have used up a limit that it shares. */
const recent_ms = 2_000;
const slowest_perSecond = 0.2;
/** By how much a slowed lane gains on each answer that doesn't refuse. */
const recovery = 1.01;
/** The longest rest that the headers of a served answer ask for; longer ones speak of quotas. */
const longestRest_ms = 10_000;
/** By how much requests may come closer together on their way. */
const jitter_ms = 50;

export class Lanes {
  readonly #target: Target;
  readonly #clock: Clock;
  readonly #onWait: (wait: Wait) => void;
  readonly #lanes = new Map<string, Lane>();
  /** APIs whose features share a lane, places with limits of their own that share it with all, and `all`. */
  readonly #joined = new Set<string>();
  /** By lane, or by API on vendors: what rests may be counted together with all of it. */
  readonly #restsUntil_ms = new Map<string, number>();
  readonly #refused = new WeakSet<Stimulus>();
  /** Whether a request was refused though it had waited for its turn. */
  isRefused = false;

  /** @param onWait told of waits for limits of single operations, and after bursts and refusals */
  constructor(target: Target, clock: Clock, onWait: (wait: Wait) => void = () => undefined) {
    [this.#target, this.#clock, this.#onWait] = [target, clock, onWait];
  }

  /** When a request could be sent, as Unix time in ms. */
  turn_ms(stimulus: Stimulus, atOnce: boolean): number {
    const { place, nextFree_ms } = this.#laneOf(stimulus);
    const rests_ms = [this.#nameOf(place), this.#restOf(place)].map((name) => this.#restsUntil_ms.get(name) ?? 0);
    return Math.max(this.#clock.now_ms(), ...rests_ms, atOnce ? 0 : nextFree_ms);
  }

  /** Waits for a turn, and for another where the lane changed meanwhile. */
  async take(stimulus: Stimulus, atOnce: boolean): Promise<Lane> {
    for (;;) {
      const lane = this.#laneOf(stimulus);
      const between_ms = 1000 / this.#paceOf(stimulus);
      const turn_ms = this.turn_ms(stimulus, atOnce);
      if (!atOnce) lane.nextFree_ms = turn_ms + between_ms;
      const now_ms = this.#clock.now_ms();
      const isLimited = lane.place.isApart || this.turn_ms(stimulus, true) > now_ms;
      if (isLimited && turn_ms > now_ms) this.#onWait({ on: "limits", from_ms: now_ms, duration_ms: turn_ms - now_ms });
      // Where the lane rests meanwhile, those who wait shift with it.
      const left_ms = (): number =>
        Math.max(turn_ms, this.turn_ms(stimulus, true), atOnce ? 0 : lane.lastSent_ms + between_ms) -
        this.#clock.now_ms();
      while (lane === this.#laneOf(stimulus) && left_ms() > 0) await this.#clock.sleep(left_ms());
      if (lane !== this.#laneOf(stimulus)) continue;
      lane.lastSent_ms = this.#clock.now_ms();
      return lane;
    }
  }

  rest(after: Stimulus, until_ms: number): void {
    const name = this.#restOf(placeOf(this.#target, after));
    this.#restsUntil_ms.set(name, Math.max(this.#restsUntil_ms.get(name) ?? 0, until_ms));
  }

  /**
   * Heeds a vendor's answer: its rate headers, and whether it refuses.
   * @param sentIn the lane that the request waited in; null where it was sent regardless of the pace
   */
  heed(exchange: Exchange, sentIn: Lane | null): void {
    const { stimulus, answer } = exchange;
    if (this.#target.isReference || !answer) return;
    const [isRefused, now_ms] = [isRateRefusal(exchange), this.#clock.now_ms()];
    // One from before the lane changed says nothing of it as it is now; one after a wait isn't for the pace.
    if (isRefused && sentIn === this.#laneOf(stimulus) && !this.#refused.has(stimulus)) this.#yieldTo(stimulus, sentIn);
    if (isRefused) this.#refused.add(stimulus);
    const { left } = this.#laneOf(stimulus);
    const { rest_ms, perSecond, window_s } = statedIn(answer, now_ms);
    left.most = Math.max(slowest_perSecond, Math.min(left.most, perSecond));
    left.now = Math.min(left.most, isRefused ? left.now : left.now * recovery);
    // At our pace, all that a window allows is ours alone: the first of them leaves it before all are forgotten.
    const first_ms = (window_s - (perSecond * window_s - 1) / this.#paceOf(stimulus)) * 1000;
    const isOurs = sentIn?.place.isApart && first_ms > 0;
    if (!isRefused && rest_ms <= longestRest_ms)
      this.rest(stimulus, now_ms + (isOurs ? Math.min(rest_ms, first_ms + jitter_ms) : rest_ms));
  }

  /**
   * Merges a lane with the busy ones that most likely share its limit; slows it down where none was busy, or where it
   * was near a limit of its own.
   */
  #yieldTo(stimulus: Stimulus, lane: Lane): void {
    const [now_ms, place] = [this.#clock.now_ms(), placeOf(this.#target, stimulus)];
    // So near to it, requests that come closer together on their way are too many.
    const apart_perSecond = (ownLimitOf(this.#target, stimulus) ?? 0) * shareOfLimit;
    if (apart_perSecond > 0 && this.#paceOf(stimulus) > apart_perSecond) {
      const left = { now: apart_perSecond, most: apart_perSecond };
      this.#lanes.set(this.#nameOf(place), { ...lane, left, nextFree_ms: now_ms + 1000 / apart_perSecond });
      return;
    }
    this.isRefused = true;
    const busy = [...this.#lanes.values()].filter((other) => other !== lane && now_ms - other.lastSent_ms < recent_ms);
    const general = busy.filter((other) => !other.place.isApart);
    const apart = [place, ...busy.map((other) => other.place)].filter(({ isApart }) => isApart);
    if (!place.isApart && general.some((other) => other.place.api === place.api)) this.#joined.add(place.api);
    else if (!place.isApart && general.length > 0) this.#joined.add("all");
    else if (busy.length > 0) for (const name of ["all", ...apart.map((one) => one.name)]) this.#joined.add(name);
    const name = this.#nameOf(place);
    const merged = [...this.#lanes].filter(([, other]) => this.#nameOf(other.place) === name);
    for (const [former] of merged) this.#lanes.delete(former);
    const least = (of: (one: Lane) => number): number => Math.min(...merged.map(([, one]) => of(one)));
    const pace = Math.min(
      least(({ left }) => left.now),
      paceOf(this.#target, stimulus),
    );
    const now = busy.length > 0 ? pace : Math.max(slowest_perSecond, pace / 2);
    const left = { now, most: least((one) => one.left.most) };
    this.#lanes.set(name, { place, left, nextFree_ms: now_ms + 1000 / now, lastSent_ms: now_ms });
  }

  #paceOf(stimulus: Stimulus): number {
    return Math.min(this.#laneOf(stimulus).left.now, paceOf(this.#target, stimulus));
  }

  #nameOf({ name, api, isApart }: Place): string {
    if (this.#joined.has(isApart ? name : "all")) return "all";
    return !isApart && this.#joined.has(api) ? api : name;
  }

  #restOf(place: Place): string {
    const name = this.#nameOf(place);
    return this.#target.isReference || place.isApart || name === "all" ? name : place.api;
  }

  #laneOf(stimulus: Stimulus): Lane {
    const place = placeOf(this.#target, stimulus);
    const name = this.#nameOf(place);
    const [never, unlimited] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const left = { now: unlimited, most: unlimited };
    const lane = this.#lanes.get(name) ?? { place, left, nextFree_ms: never, lastSent_ms: never };
    this.#lanes.set(name, lane);
    return lane;
  }
}

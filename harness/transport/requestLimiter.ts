// The request limiter: requests that share a pace, merged and slowed where the platform refuses for the rate.
import type { Clock, Wait } from "../core/clock.ts";
import { type Api, operationOf } from "../core/interface.ts";
import { calledBy, type RequestSpec } from "../core/requestSpec.ts";
import type { Target } from "../targets/target.ts";
import { isRateRefusal } from "./answers.ts";
import type { Exchange } from "./exchange.ts";
import { statedIn } from "./rateHeaders.ts";
import { knownAsker } from "./recording.ts";

/** How much of a limit we use that the target file states for a project. */
export const shareOfLimit = 0.8;

/** The limit that the interface states for the operation, in requests per second; undefined where it states none. */
const ownLimitOf = (target: Target, requestSpec: RequestSpec): number | undefined => {
  const operation = calledBy(requestSpec, target.interface);
  return target.interface.limits.find((one) => "operation" in one && one.operation === operation)?.perSecond;
};

/** Requests per second for a request spec: below every known limit, and at most the target's pace. */
export function paceOf(target: Target, requestSpec: RequestSpec): number {
  const ofApi = target.apiPerSecond[requestSpec.api];
  if (ofApi !== undefined) return Math.min(target.perSecond, ofApi);
  const own = ownLimitOf(target, requestSpec);
  // One less than the limit, so that requests near the edge of a window aren't refused.
  if (own !== undefined) return Math.min(target.perSecond, own - 1);
  const { generalPerSecond = Number.POSITIVE_INFINITY, ownPerSecond = target.perSecond } =
    knownAsker(target, requestSpec)?.project ?? {};
  return Math.min(ownPerSecond, generalPerSecond * shareOfLimit);
}

/** What one limit may count together. */
interface LimitScope {
  readonly name: string;
  readonly api: Api;
  /** Whether the interface states a limit for it alone. */
  readonly isApart: boolean;
}

/** A feature on a vendor, as it is unspecified what its limits count together; the reference counts by project. */
export function limitScopeOf(target: Target, requestSpec: RequestSpec): LimitScope {
  const { api } = requestSpec;
  const called = calledBy(requestSpec, target.interface);
  const isOwn = ownLimitOf(target, requestSpec) !== undefined;
  const isApart = isOwn || target.apiPerSecond[api] !== undefined;
  if (target.isReference)
    return { name: `${isOwn ? called : api} ${knownAsker(target, requestSpec)?.projectName}`, api, isApart };
  const feature = operationOf(target.interface, called)?.feature;
  return { name: `${api} ${isOwn ? called : isApart ? "" : feature}`, api, isApart };
}

/** Requests that share a pace. Replaced when the platform refuses, so that those who wait notice. */
interface SharedPace {
  readonly scope: LimitScope;
  /** What refusals and headers leave of the pace: now, and at most. */
  readonly left: { now: number; most: number };
  nextFree_ms: number;
  lastSent_ms: number;
}

/** A scope that sent something so recently may have used up a limit that it shares. */
const recent_ms = 2_000;
const slowest_perSecond = 0.2;
/** By how much a slowed pace gains on each answer that doesn't refuse. */
const recovery = 1.01;
/** The longest pause that the headers of a served answer ask for; longer ones speak of quotas. */
const longestPause_ms = 10_000;
/** By how much requests may come closer together on their way. */
const jitter_ms = 50;

export class RequestLimiter {
  readonly #target: Target;
  readonly #clock: Clock;
  readonly #onWait: (wait: Wait) => void;
  readonly #paces = new Map<string, SharedPace>();
  /** APIs whose features share a pace, scopes with limits of their own that share it with all, and `all`. */
  readonly #joined = new Set<string>();
  /** By scope, or by API on vendors: what pauses may be counted together with all of it. */
  readonly #pausedUntil_ms = new Map<string, number>();
  readonly #refused = new WeakSet<RequestSpec>();
  /** Whether a request was refused though it had waited for its turn. */
  isRefused = false;

  /** @param onWait called on waits for limits of single operations, and after bursts and refusals */
  constructor(target: Target, clock: Clock, onWait: (wait: Wait) => void = () => undefined) {
    this.#target = target;
    this.#clock = clock;
    this.#onWait = onWait;
  }

  /** When a request could be sent, as Unix time in ms. */
  availableAt_ms(requestSpec: RequestSpec, atOnce: boolean): number {
    const { scope, nextFree_ms } = this.#sharedPaceOf(requestSpec);
    const pauses_ms = [this.#nameOf(scope), this.#pauseNameOf(scope)].map(
      (name) => this.#pausedUntil_ms.get(name) ?? 0,
    );
    return Math.max(this.#clock.now_ms(), ...pauses_ms, atOnce ? 0 : nextFree_ms);
  }

  /** Waits until a request may be sent, and anew where its pace was replaced meanwhile. */
  async acquire(requestSpec: RequestSpec, atOnce: boolean): Promise<SharedPace> {
    for (;;) {
      const shared = this.#sharedPaceOf(requestSpec);
      const between_ms = 1000 / this.#paceOf(requestSpec);
      const at_ms = this.availableAt_ms(requestSpec, atOnce);
      if (!atOnce) shared.nextFree_ms = at_ms + between_ms;
      const now_ms = this.#clock.now_ms();
      const isLimited = shared.scope.isApart || this.availableAt_ms(requestSpec, true) > now_ms;
      if (isLimited && at_ms > now_ms) this.#onWait({ on: "limits", from_ms: now_ms, duration_ms: at_ms - now_ms });
      // A pause that begins meanwhile delays all who wait.
      const left_ms = (): number =>
        Math.max(at_ms, this.availableAt_ms(requestSpec, true), atOnce ? 0 : shared.lastSent_ms + between_ms) -
        this.#clock.now_ms();
      while (shared === this.#sharedPaceOf(requestSpec) && left_ms() > 0) await this.#clock.sleep(left_ms());
      if (shared !== this.#sharedPaceOf(requestSpec)) continue;
      shared.lastSent_ms = this.#clock.now_ms();
      return shared;
    }
  }

  pause(after: RequestSpec, until_ms: number): void {
    const name = this.#pauseNameOf(limitScopeOf(this.#target, after));
    this.#pausedUntil_ms.set(name, Math.max(this.#pausedUntil_ms.get(name) ?? 0, until_ms));
  }

  /**
   * Adapts the pace to a vendor's answer: its rate headers, and whether it refuses.
   * @param sentIn the pace that the request kept; null where it was sent regardless of the pace
   */
  adaptTo(exchange: Exchange, sentIn: SharedPace | null): void {
    const { requestSpec, answer } = exchange;
    if (this.#target.isReference || !answer) return;
    const isRefused = isRateRefusal(exchange);
    const now_ms = this.#clock.now_ms();
    // One from before the pace changed says nothing of it as it is now; one after a wait isn't for the pace.
    if (isRefused && sentIn === this.#sharedPaceOf(requestSpec) && !this.#refused.has(requestSpec))
      this.#yieldTo(requestSpec, sentIn);
    if (isRefused) this.#refused.add(requestSpec);
    const { left } = this.#sharedPaceOf(requestSpec);
    const { rest_ms, perSecond, window_s } = statedIn(answer, now_ms);
    left.most = Math.max(slowest_perSecond, Math.min(left.most, perSecond));
    left.now = Math.min(left.most, isRefused ? left.now : left.now * recovery);
    // At our pace, all that a window allows is ours alone: the first of them leaves it before all are forgotten.
    const first_ms = (window_s - (perSecond * window_s - 1) / this.#paceOf(requestSpec)) * 1000;
    const isOurs = sentIn?.scope.isApart && first_ms > 0;
    if (!isRefused && rest_ms <= longestPause_ms)
      this.pause(requestSpec, now_ms + (isOurs ? Math.min(rest_ms, first_ms + jitter_ms) : rest_ms));
  }

  /**
   * Merges a scope with the busy ones that most likely share its limit; slows it down where none was busy, or where it
   * was near a limit of its own.
   */
  #yieldTo(requestSpec: RequestSpec, shared: SharedPace): void {
    const now_ms = this.#clock.now_ms();
    const scope = limitScopeOf(this.#target, requestSpec);
    // So near to it, requests that come closer together on their way are too many.
    const apart_perSecond = (ownLimitOf(this.#target, requestSpec) ?? 0) * shareOfLimit;
    if (apart_perSecond > 0 && this.#paceOf(requestSpec) > apart_perSecond) {
      const left = { now: apart_perSecond, most: apart_perSecond };
      this.#paces.set(this.#nameOf(scope), { ...shared, left, nextFree_ms: now_ms + 1000 / apart_perSecond });
      return;
    }
    this.isRefused = true;
    const busy = [...this.#paces.values()].filter(
      (other) => other !== shared && now_ms - other.lastSent_ms < recent_ms,
    );
    const general = busy.filter((other) => !other.scope.isApart);
    const apart = [scope, ...busy.map((other) => other.scope)].filter(({ isApart }) => isApart);
    if (!scope.isApart && general.some((other) => other.scope.api === scope.api)) this.#joined.add(scope.api);
    else if (!scope.isApart && general.length > 0) this.#joined.add("all");
    else if (busy.length > 0) for (const name of ["all", ...apart.map((one) => one.name)]) this.#joined.add(name);
    const name = this.#nameOf(scope);
    const merged = [...this.#paces].filter(([, other]) => this.#nameOf(other.scope) === name);
    for (const [former] of merged) this.#paces.delete(former);
    const least = (of: (one: SharedPace) => number): number => Math.min(...merged.map(([, one]) => of(one)));
    const pace = Math.min(
      least(({ left }) => left.now),
      paceOf(this.#target, requestSpec),
    );
    const now = busy.length > 0 ? pace : Math.max(slowest_perSecond, pace / 2);
    const left = { now, most: least((one) => one.left.most) };
    this.#paces.set(name, { scope, left, nextFree_ms: now_ms + 1000 / now, lastSent_ms: now_ms });
  }

  #paceOf(requestSpec: RequestSpec): number {
    return Math.min(this.#sharedPaceOf(requestSpec).left.now, paceOf(this.#target, requestSpec));
  }

  #nameOf({ name, api, isApart }: LimitScope): string {
    if (this.#joined.has(isApart ? name : "all")) return "all";
    return !isApart && this.#joined.has(api) ? api : name;
  }

  #pauseNameOf(scope: LimitScope): string {
    const name = this.#nameOf(scope);
    return this.#target.isReference || scope.isApart || name === "all" ? name : scope.api;
  }

  #sharedPaceOf(requestSpec: RequestSpec): SharedPace {
    const scope = limitScopeOf(this.#target, requestSpec);
    const name = this.#nameOf(scope);
    const never = Number.NEGATIVE_INFINITY;
    const unlimited = Number.POSITIVE_INFINITY;
    const left = { now: unlimited, most: unlimited };
    const shared = this.#paces.get(name) ?? { scope, left, nextFree_ms: never, lastSent_ms: never };
    this.#paces.set(name, shared);
    return shared;
  }
}

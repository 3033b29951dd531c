// The transport: the only way out, within pace, budget and deadline.
import type { Clock } from "../core/clock.ts";
import { calledBy, type Stimulus } from "../core/stimulus.ts";
import { budgetOf, type Spent } from "../target/budget.ts";
import type { Consent, Target } from "../target/target.ts";
import type { Exchange } from "./exchange.ts";
import { exchangeOf, knownAsker, type Received, receivedOf } from "./recording.ts";
import { render } from "./rendering.ts";
import type { Generator, TimedRequest, TimedResult } from "./timedRequests.ts";
import type { Wire, WireAnswer, WireRequest } from "./wire.ts";
import { WireFault } from "./wireFault.ts";

/** A rest after a burst, so that no limit counts the burst with what follows. */
export const afterBurst_ms = 3_000;

/** A request without a whole answer by then has timed out. */
const usualDeadline_ms = 15_000;

/** Time for a wire that was aborted to report how far it came. */
const afterAbort_ms = 50;

export interface Transport {
  /**
   * One exchange; its `fault` is the reason where no answer came. Waits for its turn unless it is sent at once.
   * @throws BudgetSpent where the target's budget doesn't cover it; nothing is sent then
   */
  send(stimulus: Stimulus, options?: { readonly atOnce?: boolean }): Promise<Exchange>;
  /** A control command: not part of the interface, so neither paced nor charged to the budget. */
  order(request: WireRequest): Promise<Received>;
  /**
   * Sends all of them at set times; afterwards the lanes that they took rest.
   * @throws BudgetSpent where the budget doesn't cover all of them: nothing is sent then
   * @throws Inconclusive where the generator couldn't keep the times
   */
  sendSchedule(timedRequests: readonly TimedRequest[], generator: Generator): Promise<readonly TimedResult[]>;
  readonly spent: Spent;
  /** Sends nothing for a while that a limit may count together with this stimulus. */
  rest(after: Stimulus, duration_ms: number): void;
}

export interface TransportOptions {
  /** From sending to the last byte; 15 s by default. */
  readonly deadline_ms?: number;
}

/** How much of a limit we use that the target file states for a project. */
const shareOfLimit = 0.8;

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

/**
 * Stimuli of one lane share a pace. Which requests a vendor's limit counts together is unspecified, so an API is one
 * lane; the reference counts by project.
 */
function laneOf(target: Target, stimulus: Stimulus): string {
  if (!target.isReference) return stimulus.api;
  const limited = ownLimitOf(target, stimulus) === undefined ? stimulus.api : calledBy(stimulus, target.interface);
  return `${limited} ${knownAsker(target, stimulus)?.projectName}`;
}

/**
 * The last guard against requests without consent, whatever a check declares.
 * @throws Error where the request can't be undone and the target doesn't allow its operation
 */
function guardIrreversible({ isReference, allow, interface: tables }: Target, { body = "" }: WireRequest): void {
  if (isReference) return;
  for (const { id, irreversible } of tables.operations)
    if (irreversible !== undefined && !allow.includes(id as Consent) && new RegExp(irreversible).test(body))
      throw new Error(`refused to send ${id}: it can't be undone, and the target doesn't allow it`);
}

export function transportTo(target: Target, wire: Wire, clock: Clock, options: TransportOptions = {}): Transport {
  const budget = budgetOf(target);
  const nextFree_ms = new Map<string, number>();
  const restsUntil_ms = new Map<string, number>();
  const { deadline_ms = usualDeadline_ms } = options;
  const received = async (request: WireRequest): Promise<Received> =>
    receivedOf(await attempt(wire, request, deadline_ms), target);

  return {
    get spent() {
      return budget.spent;
    },
    rest: (after, duration_ms) => rest(restsUntil_ms, laneOf(target, after), clock.now_ms() + duration_ms),
    order: received,
    send: async (stimulus, { atOnce = false } = {}) => {
      const request = render(target, stimulus);
      guardIrreversible(target, request);
      const now_ms = clock.now_ms();
      const lane = laneOf(target, stimulus);
      const turn_ms = Math.max(now_ms, restsUntil_ms.get(lane) ?? 0, atOnce ? 0 : (nextFree_ms.get(lane) ?? 0));
      // Before the wait: what the budget doesn't cover takes neither a turn nor time.
      budget.take(stimulus, turn_ms);
      const number = budget.spent.requests;
      if (!atOnce) nextFree_ms.set(lane, turn_ms + 1000 / paceOf(target, stimulus));
      if (turn_ms > now_ms) await clock.sleep(turn_ms - now_ms);
      const sentAt_ms = clock.now_ms();
      const started = performance.now();
      return exchangeOf(target, stimulus, request, {
        ...(await received(request)),
        number,
        sentAt_ms,
        latency_ms: performance.now() - started,
      });
    },
    sendSchedule: async (timedRequests, generator) => {
      const rendered = timedRequests.map(({ at_ms, connection = 0, stimulus }) => {
        const request = render(target, stimulus);
        return { stimulus, timed: { at_ms, connection, request } };
      });
      const stimuli = rendered.map(({ stimulus }) => stimulus);
      for (const { timed } of rendered) guardIrreversible(target, timed.request);
      const now_ms = clock.now_ms();
      budget.takeAll(stimuli, now_ms);
      const before = budget.spent.requests - timedRequests.length;
      const timedAnswers = await generator.fire(rendered.map(({ timed }) => timed));
      const ended_ms = clock.now_ms();
      for (const stimulus of stimuli) rest(restsUntil_ms, laneOf(target, stimulus), ended_ms + afterBurst_ms);
      return rendered.map(({ stimulus, timed: { request } }, nth) => {
        const timedAnswer = timedAnswers[nth];
        if (!timedAnswer) throw new Error("a generator gave fewer answers than it got requests");
        const { sent_ms, received_ms, outcome } = timedAnswer;
        const exchange = exchangeOf(target, stimulus, request, {
          ...receivedOf(outcome, target),
          number: before + nth + 1,
          sentAt_ms: Math.round(now_ms + sent_ms),
          latency_ms: received_ms - sent_ms,
        });
        return { sent_ms, received_ms, exchange };
      });
    },
  };
}

const rest = (until: Map<string, number>, lane: string, until_ms: number): void =>
  void until.set(lane, Math.max(until.get(lane) ?? 0, until_ms));

/** What the wire gave within so many ms; rejects only for defects of ours. */
async function attempt(wire: Wire, request: WireRequest, within_ms: number): Promise<WireAnswer | WireFault> {
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  // Raced as well as aborted: a platform in this process may ignore the signal.
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new WireFault("timeout", "nothing was heard"));
    const abort = (): void => {
      controller.abort();
      timers.push(setTimeout(giveUp, afterAbort_ms));
    };
    timers.push(setTimeout(abort, within_ms));
  });
  try {
    return await Promise.race([wire(request, controller.signal), late]);
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    return controller.signal.aborted && error.kind === "timeout"
      ? new WireFault("timeout", `no whole answer within ${within_ms / 1000} s: ${error.message}`)
      : error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

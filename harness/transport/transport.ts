// The transport: the only way out, within pace, budget and deadline.
import type { Clock, Wait } from "../core/clock.ts";
import { Inconclusive } from "../core/outcomes.ts";
import type { BudgetReason, Reason } from "../core/reason.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import { budgetOf, type Spent } from "../targets/budget.ts";
import type { Consent, Target } from "../targets/target.ts";
import { BodyStore } from "./bodyStore.ts";
import type { Exchange } from "./exchange.ts";
import { exchangeOf, type Received, receivedOf } from "./recording.ts";
import { render } from "./rendering.ts";
import { Repeats } from "./repeats.ts";
import { RequestLimiter } from "./requestLimiter.ts";
import type { Generator, TimedRequest, TimedResult } from "./timedRequests.ts";
import type { Wire, WireAnswer, WireRequest } from "./wire.ts";
import { WireFault } from "./wireFault.ts";

/** A rest after a burst, so that no limit counts the burst with what follows. */
export const afterBurst_ms = 3_000;

/** A request without a whole answer by then has timed out. */
const usualDeadline_ms = 15_000;

/** Time for a wire that was aborted to report how far it came. */
const afterAbort_ms = 50;

interface SendOptions {
  readonly atOnce?: boolean;
  /** As for all, unless another is given. */
  readonly deadline_ms?: number | undefined;
}

export interface Transport {
  /**
   * One exchange; its `fault` is the reason where no answer came. Waits for its turn unless it is sent at once.
   * @throws BudgetSpent where the target's budget doesn't cover it; nothing is sent then
   * @throws Inconclusive where it is of no use
   */
  send(requestSpec: RequestSpec, options?: SendOptions): Promise<Exchange>;
  /** When a request would be sent at the target's pace, as Unix time in ms. */
  availableAt_ms(requestSpec: RequestSpec): number;
  /** A control command: not part of the interface, so neither paced nor charged to the budget. */
  order(request: WireRequest): Promise<Received>;
  /**
   * Sends all of them at set times; afterwards nothing is sent for a while that limits may count with them.
   * @throws BudgetSpent where the budget doesn't cover all of them: nothing is sent then
   * @throws Inconclusive where the generator couldn't keep the times
   */
  sendSchedule(timedRequests: readonly TimedRequest[], generator: Generator): Promise<readonly TimedResult[]>;
  readonly spent: Spent;
  /** Why requests weren't sent that the budget doesn't cover. */
  readonly budgetRefusals: readonly BudgetReason[];
  /** Whether a request was refused for the rate though it was sent at the target's pace. */
  readonly isRefused: boolean;
  /** Sends nothing for a while that a limit may count together with this request spec. */
  pause(after: RequestSpec, duration_ms: number): void;
}

export interface TransportOptions {
  /** From sending to the last byte; 15 s by default. */
  readonly deadline_ms?: number;
  /** Why sending a request spec would be useless; null where it is sent. */
  readonly doubtOn?: (requestSpec: RequestSpec) => Reason | null;
  /** Called when a wait that limits impose begins. */
  readonly onEvent?: (event: { readonly event: "waiting" } & Wait) => void;
}

/**
 * The last guard against requests without consent, whatever a check declares. It throws where a request can't be undone
 * and the target doesn't allow its operation.
 */
function guardOf({ isReference, allow, interface: tables }: Target): (request: WireRequest) => WireRequest {
  const forbidden = tables.operations.flatMap(({ id, irreversible }) =>
    isReference || irreversible === undefined || allow.includes(id as Consent)
      ? []
      : [{ id, pattern: new RegExp(irreversible) }],
  );
  return (request) => {
    for (const { id, pattern } of forbidden)
      if (pattern.test(request.body ?? ""))
        throw new Error(`refused to send ${id}: it can't be undone, and the target doesn't allow it`);
    return request;
  };
}

export function transportTo(target: Target, wire: Wire, clock: Clock, options: TransportOptions = {}): Transport {
  const budget = budgetOf(target);
  const limiter = new RequestLimiter(target, clock, (wait) => options.onEvent?.({ event: "waiting", ...wait }));
  const repeats = new Repeats(!target.isReference);
  const bodies = new BodyStore();
  const { deadline_ms: within_ms = usualDeadline_ms, doubtOn = () => null } = options;
  const received = async (request: WireRequest, deadline_ms = within_ms): Promise<Received> =>
    receivedOf(await attempt(wire, request, deadline_ms), target);

  const guarded = guardOf(target);
  const requestOf = (requestSpec: RequestSpec): WireRequest => {
    const doubt = doubtOn(requestSpec);
    if (doubt !== null) throw new Inconclusive(doubt);
    return guarded(render(target, requestSpec));
  };

  return {
    get spent() {
      return budget.spent;
    },
    budgetRefusals: budget.refusals,
    get isRefused() {
      return limiter.isRefused;
    },
    availableAt_ms: (requestSpec) => limiter.availableAt_ms(requestSpec, false),
    pause: (after, duration_ms) => limiter.pause(after, clock.now_ms() + duration_ms),
    order: (request) => received(request),
    send: async (requestSpec, { atOnce = false, deadline_ms } = {}) => {
      const request = requestOf(requestSpec);
      // Before the wait: what the budget doesn't cover takes neither time nor pace.
      budget.take(requestSpec, limiter.availableAt_ms(requestSpec, atOnce));
      const number = budget.spent.requests;
      const pace = await limiter.acquire(requestSpec, atOnce);
      const sentAt_ms = clock.now_ms();
      const started = performance.now();
      const answered = await received(request, deadline_ms);
      const timed = { number, sentAt_ms, latency_ms: performance.now() - started };
      const exchange = bodies.kept(repeats.marked(exchangeOf(target, requestSpec, request, { ...answered, ...timed })));
      limiter.adaptTo(exchange, atOnce ? null : pace);
      return exchange;
    },
    sendSchedule: async (timedRequests, generator) => {
      const rendered = timedRequests.map(({ at_ms, connection = 0, requestSpec }) => ({
        requestSpec,
        timed: { at_ms, connection, request: requestOf(requestSpec) },
      }));
      const requestSpecs = rendered.map(({ requestSpec }) => requestSpec);
      const now_ms = clock.now_ms();
      budget.takeAll(requestSpecs, now_ms);
      const before = budget.spent.requests - timedRequests.length;
      const timedAnswers = await generator.fire(rendered.map(({ timed }) => timed));
      for (const requestSpec of requestSpecs) limiter.pause(requestSpec, clock.now_ms() + afterBurst_ms);
      return rendered.map(({ requestSpec, timed: { request } }, nth) => {
        const timedAnswer = timedAnswers[nth];
        if (!timedAnswer) throw new Error("a generator gave fewer answers than it got requests");
        const { sent_ms, received_ms, outcome } = timedAnswer;
        const exchange = exchangeOf(target, requestSpec, request, {
          ...receivedOf(outcome, target),
          number: before + nth + 1,
          sentAt_ms: Math.round(now_ms + sent_ms),
          latency_ms: received_ms - sent_ms,
        });
        return { sent_ms, received_ms, exchange: bodies.kept(exchange) };
      });
    },
  };
}

/** What the wire returned within so many ms; rejects only for defects of Assay. */
async function attempt(wire: Wire, request: WireRequest, within_ms: number): Promise<WireAnswer | WireFault> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // Raced as well as aborted: a platform in this process may ignore the signal.
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      controller.abort();
      timer = setTimeout(() => fail(new WireFault("timeout", "nothing was heard")), afterAbort_ms);
    }, within_ms);
  });
  try {
    return await Promise.race([wire(request, controller.signal), late]);
  } catch (error) {
    if (!(error instanceof WireFault)) throw error;
    return controller.signal.aborted && error.kind === "timeout"
      ? new WireFault("timeout", `no complete answer within ${within_ms / 1000} s: ${error.message}`)
      : error;
  } finally {
    clearTimeout(timer);
  }
}

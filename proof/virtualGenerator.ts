// The generator in virtual time: timed requests and late answers in the order of their instants
import type { VirtualClock } from "../harness/core/clock.ts";
import type { Generator, TimedAnswer, TimedWireRequest } from "../harness/transport/timedRequests.ts";
import type { WireAnswer, WireRequest } from "../harness/transport/wire.ts";
import { WireFault } from "../harness/transport/wireFault.ts";

interface Timer {
  readonly at_ms: number;
  readonly ring: () => void;
}

/** The platform's waits: during a schedule they end at their instant, at other times the clock jumps there. */
export class Timers {
  readonly #clock: VirtualClock;
  readonly #waiting: Timer[] = [];
  #isQueued = false;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  get length(): number {
    return this.#waiting.length;
  }

  wait(duration_ms: number): Promise<void> {
    if (!this.#isQueued) return this.#clock.sleep(duration_ms);
    return new Promise((ring) => this.#waiting.push({ at_ms: this.#clock.now_ms() + duration_ms, ring }));
  }

  async queueing<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#isQueued = true;
    try {
      return await work();
    } finally {
      this.#isQueued = false;
    }
  }

  /** Takes the first timer due by then; undefined where there is none. */
  take(until_ms: number): Timer | undefined {
    this.#waiting.sort((a, b) => a.at_ms - b.at_ms);
    const [first] = this.#waiting;
    return first && first.at_ms <= until_ms ? this.#waiting.shift() : undefined;
  }
}

/** Carries a request to a platform, with a socket for requests that share a connection. */
export type Carry = (request: WireRequest, signal?: AbortSignal, socket?: object) => Promise<WireAnswer>;

const turnOfEventLoop = (): Promise<void> => new Promise((later) => setImmediate(later));
/** Who gets an answer sends its next request within so many. */
const turnsToNext = 3;

/** The requests under way that aren't a schedule's. */
export class InFlight {
  readonly #requests = new Set<object>();

  get count(): number {
    return this.#requests.size;
  }

  counting(carry: Carry): Carry {
    return async (request, signal, socket) => {
      const underWay = {};
      this.#requests.add(underWay);
      const end = (): void => void this.#requests.delete(underWay);
      // What hangs in this process isn't ended by the signal.
      signal?.addEventListener("abort", end);
      return carry(request, signal, socket).finally(end);
    };
  }

  /** Waits until no check goes on: a schedule's minutes would pass between two of its requests. */
  async none(): Promise<void> {
    let turns = 0;
    while (turns < turnsToNext) {
      await turnOfEventLoop();
      turns = this.count > 0 ? 0 : turns + 1;
    }
  }
}

export function virtualGenerator(carry: Carry, clock: VirtualClock, timers: Timers, others: InFlight): Generator {
  const fire = async (
    timedRequests: readonly TimedWireRequest[],
    moveTo: (at_ms: number) => void,
  ): Promise<readonly TimedAnswer[]> => {
    const start_ms = clock.now_ms();
    const sockets = new Map(timedRequests.map(({ connection }) => [connection, {}] as const));
    const timedAnswers: TimedAnswer[] = [];
    const failures: unknown[] = [];
    let inFlight = 0;
    const send = async ({ request, connection }: TimedWireRequest, nth: number): Promise<void> => {
      const sent_ms = clock.now_ms() - start_ms;
      const record = (outcome: TimedAnswer["outcome"]): void =>
        void (timedAnswers[nth] = { sent_ms, received_ms: clock.now_ms() - start_ms, outcome });
      inFlight += 1;
      try {
        record(await carry(request, undefined, sockets.get(connection)));
      } catch (error) {
        if (error instanceof WireFault) record(error);
        else failures.push(error);
      }
      inFlight -= 1;
    };
    /** Until every request in flight has been answered or waits for a timer. */
    const settle = async (): Promise<void> => {
      while (inFlight > timers.length) await turnOfEventLoop();
    };
    const ringUntil = async (at_ms: number): Promise<void> => {
      for (let timer = timers.take(at_ms); timer; timer = timers.take(at_ms)) {
        moveTo(timer.at_ms);
        timer.ring();
        // A turn of the event loop, so that what rang goes on and no longer counts as waiting.
        await turnOfEventLoop();
        await settle();
      }
    };
    const inOrder = timedRequests
      .map((timedRequest, nth) => ({ timedRequest, nth }))
      .sort((a, b) => a.timedRequest.at_ms - b.timedRequest.at_ms);
    for (const { timedRequest, nth } of inOrder) {
      await ringUntil(start_ms + timedRequest.at_ms);
      moveTo(start_ms + timedRequest.at_ms);
      void send(timedRequest, nth);
      await settle();
    }
    await ringUntil(Number.POSITIVE_INFINITY);
    for (const failure of failures) throw failure;
    return timedAnswers;
  };
  return {
    name: "virtual time",
    fire: async (timedRequests) => {
      await others.none();
      return clock.alone((moveTo) => timers.queueing(() => fire(timedRequests, moveTo)));
    },
  };
}

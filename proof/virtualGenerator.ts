// How is load generated on a clock that waits for nobody? Shots and late answers in the order of their instants.
import type { VirtualClock } from "../harness/core/clock.ts";
import type { Generator, Landing, Round } from "../harness/transport/timedRequests.ts";
import type { WireAnswer, WireRequest } from "../harness/transport/wire.ts";
import { WireFault } from "../harness/transport/wireFault.ts";

interface Timer {
  readonly at_ms: number;
  readonly ring: () => void;
}

/** Lets a platform wait: while something is sent at set times, until its instant comes; at once where nothing is. */
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

  /** The first that rings no later than that; undefined where none does. */
  take(until_ms: number): Timer | undefined {
    this.#waiting.sort((a, b) => a.at_ms - b.at_ms);
    const [first] = this.#waiting;
    return first && first.at_ms <= until_ms ? this.#waiting.shift() : undefined;
  }
}

type Carry = (request: WireRequest, signal?: AbortSignal, socket?: object) => Promise<WireAnswer>;

export function virtualGenerator(carry: Carry, clock: VirtualClock, timers: Timers): Generator {
  const fire = async (rounds: readonly Round[], moveTo: (at_ms: number) => void): Promise<readonly Landing[]> => {
    const start_ms = clock.now_ms();
    const sockets = new Map(rounds.map(({ connection }) => [connection, {}] as const));
    const landings: Landing[] = [];
    const failures: unknown[] = [];
    let inFlight = 0;
    const send = async ({ request, connection }: Round, nth: number): Promise<void> => {
      const sent_ms = clock.now_ms() - start_ms;
      const land = (outcome: Landing["outcome"]): void =>
        void (landings[nth] = { sent_ms, received_ms: clock.now_ms() - start_ms, outcome });
      inFlight += 1;
      try {
        land(await carry(request, undefined, sockets.get(connection)));
      } catch (error) {
        if (error instanceof WireFault) land(error);
        else failures.push(error);
      }
      inFlight -= 1;
    };
    /** Until all that is under way has been answered or waits. */
    const settle = async (): Promise<void> => {
      while (inFlight > timers.length) await new Promise((later) => setImmediate(later));
    };
    const ringUntil = async (at_ms: number): Promise<void> => {
      for (let timer = timers.take(at_ms); timer; timer = timers.take(at_ms)) {
        moveTo(timer.at_ms);
        timer.ring();
        // A turn, so that what rang is no longer counted as waiting before it goes on.
        await new Promise((later) => setImmediate(later));
        await settle();
      }
    };
    const inOrder = rounds.map((round, nth) => ({ round, nth })).sort((a, b) => a.round.at_ms - b.round.at_ms);
    for (const { round, nth } of inOrder) {
      await ringUntil(start_ms + round.at_ms);
      moveTo(start_ms + round.at_ms);
      void send(round, nth);
      await settle();
    }
    await ringUntil(Number.POSITIVE_INFINITY);
    for (const failure of failures) throw failure;
    return landings;
  };
  return {
    name: "virtual time",
    fire: (rounds) => clock.alone((moveTo) => timers.queueing(() => fire(rounds, moveTo))),
  };
}

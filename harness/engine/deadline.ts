// The deadline: ends a run early, at the first breach or once its time is over.
import type { Clock } from "../core/clock.ts";
import { Withheld } from "../core/outcomes.ts";
import type { Reason } from "../core/reason.ts";
import type { CheckContext } from "../model/check.ts";
import { durationOf_ms } from "../transport/timedRequests.ts";
import { afterBurst_ms } from "../transport/transport.ts";

export class Deadline {
  readonly #clock: Clock;
  readonly #most_s: number;
  #until_ms = Number.POSITIVE_INFINITY;
  #stopped: Reason | null = null;

  /** @param most_s how long the run may take; without limit by default */
  constructor(clock: Clock, most_s = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#most_s = most_s;
  }

  begin(): void {
    this.#until_ms = this.#clock.now_ms() + 1000 * this.#most_s;
  }

  endAtFirstBreach(): void {
    this.#stopped = { kind: "firstBreach" };
  }

  /** Why nothing more is tried, or nothing that takes this long; null where it is. */
  why(duration_ms = 0): Reason | null {
    const isOver = this.#clock.now_ms() + duration_ms >= this.#until_ms;
    return this.#stopped ?? (isOver ? { kind: "timeOver", most_s: this.#most_s } : null);
  }

  /** Ends what a check or a probe does once the time is over; what can't end before then isn't begun. */
  limited(context: CheckContext): CheckContext {
    const expectTime = (duration_ms?: number): void => {
      const reason = this.why(duration_ms);
      if (reason !== null && this.#stopped === null) throw new Withheld(reason);
    };
    return {
      ...context,
      ask: async (requestSpec) => {
        expectTime();
        return context.ask(requestSpec);
      },
      atOnce: async (requestSpecs) => {
        // They may have to wait for the rest after others.
        expectTime(afterBurst_ms);
        return context.atOnce(requestSpecs);
      },
      wait: async (duration_ms, on) => {
        expectTime(duration_ms);
        return context.wait(duration_ms, on);
      },
      sendSchedule: (name, timedRequests) =>
        context.sendSchedule(name, async () => {
          const all = await timedRequests();
          expectTime(durationOf_ms(all));
          return all;
        }),
    };
  }
}

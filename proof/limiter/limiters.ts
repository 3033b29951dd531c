// Further limiters, which only platforms of the proof have, in virtual time
import type { Arrival, LimiterModel, Make } from "../../load/rateLimits/limiterModels.ts";

const second_ms = 1_000;

/** Once exceeded, it serves nothing for `for_ms`. */
export const blocking =
  (most: number, for_ms = second_ms): Make =>
  () => {
    let began_ms = Number.NEGATIVE_INFINITY;
    let served = 0;
    let until_ms = Number.NEGATIVE_INFINITY;
    return ({ at_ms }) => {
      if (at_ms < until_ms) return null;
      if (at_ms - began_ms >= second_ms) {
        began_ms = at_ms;
        served = 0;
      }
      served += 1;
      if (served > most) until_ms = at_ms + for_ms;
      return served <= most ? at_ms : null;
    };
  };

/** Requests beyond the limit wait for their turn. */
export const queueing =
  (perSecond: number): Make =>
  () => {
    let log: number[] = [];
    return ({ at_ms }) => {
      const oldest = log.at(-perSecond);
      const turn_ms = Math.max(at_ms, oldest === undefined ? at_ms : oldest + second_ms);
      log = [...log, turn_ms].slice(-perSecond);
      return turn_ms;
    };
  };

export const none: Make =
  () =>
  ({ at_ms }) =>
    at_ms;

/** One limiter for all requests that `nameOf` gives one number. */
export const per =
  (nameOf: (arrival: Arrival) => number, make: Make): Make =>
  (phase_ms) => {
    const limiters = new Map<number, LimiterModel>();
    return (arrival) => {
      const name = nameOf(arrival);
      const limiter = limiters.get(name) ?? make(phase_ms);
      limiters.set(name, limiter);
      return limiter(arrival);
    };
  };

// Models of limiters, right and wrong, in virtual time

/** A request as the limiter meets it. */
export interface Arrival {
  readonly at_ms: number;
  readonly project: number;
  readonly key: number;
  readonly connection: number;
}

/** When it is served, or null where it is refused. */
export type LimiterModel = (arrival: Arrival) => number | null;

/** @param phase_ms where windows begin that don't begin with a request */
export type Make = (phase_ms: number) => LimiterModel;

const second_ms = 1_000;

/** Fixed windows. */
export const fixed =
  (most: number, length_ms = second_ms): Make =>
  (phase_ms) => {
    let window = -1;
    let served = 0;
    return ({ at_ms }) => {
      const now = Math.floor((at_ms + phase_ms) / length_ms);
      if (now !== window) served = 0;
      window = now;
      served += 1;
      return served <= most ? at_ms : null;
    };
  };

/** Each window begins with the first request after the previous one. */
export const fixedFromFirst =
  (most: number, length_ms = second_ms): Make =>
  () => {
    let began_ms = Number.NEGATIVE_INFINITY;
    let served = 0;
    return ({ at_ms }) => {
      if (at_ms - began_ms >= length_ms) {
        began_ms = at_ms;
        served = 0;
      }
      served += 1;
      return served <= most ? at_ms : null;
    };
  };

/** Counts the requests of the last window; refused ones too, if `countsRefused`. */
export const slidingLog =
  (most: number, { length_ms = second_ms, countsRefused = false } = {}): Make =>
  () => {
    let log: number[] = [];
    return ({ at_ms }) => {
      log = log.filter((one_ms) => at_ms - one_ms < length_ms);
      const isServed = log.length < most;
      if (isServed || countsRefused) log.push(at_ms);
      return isServed ? at_ms : null;
    };
  };

/** Two fixed windows, the earlier weighted by the share that still lies within a window's length. */
export const weighted =
  (most: number, length_ms = second_ms): Make =>
  (phase_ms) => {
    let window = -1;
    let current = 0;
    let previous = 0;
    return ({ at_ms }) => {
      const place = (at_ms + phase_ms) / length_ms;
      const now = Math.floor(place);
      if (now !== window) {
        previous = now === window + 1 ? current : 0;
        current = 0;
        window = now;
      }
      if (previous * (1 - (place - now)) + current + 1 > most) return null;
      current += 1;
      return at_ms;
    };
  };

export const bucket =
  (burst: number, perSecond: number): Make =>
  () => {
    let tokens = burst;
    let seen_ms = 0;
    return ({ at_ms }) => {
      tokens = Math.min(burst, tokens + ((at_ms - seen_ms) * perSecond) / second_ms);
      seen_ms = at_ms;
      if (tokens < 1) return null;
      tokens -= 1;
      return at_ms;
    };
  };

// What do times prove of a limiter, whatever the network did between?
import { limit, window_ms } from "./experiments.ts";
import type { Sample } from "./samples.ts";

interface Proof<S extends Sample> {
  /** So many were served in it. */
  readonly served: number;
  readonly within_ms: number;
  /** The last of them. */
  readonly last: S;
}

/**
 * The most requests that were sent and answered within one window: the limiter served them all in less than it.
 * Null where none was served.
 */
export function mostWithinWindow<S extends Sample>(seen: readonly S[], within_ms = window_ms): Proof<S> | null {
  const served = seen.filter(({ outcome }) => outcome === "served").sort((a, b) => a.received_ms - b.received_ms);
  let most: Proof<S> | null = null;
  for (const { sent_ms: from_ms } of served) {
    const inside = served.filter(({ sent_ms, received_ms }) => sent_ms >= from_ms && received_ms - from_ms < within_ms);
    const last = inside.at(-1);
    if (last && inside.length > (most?.served ?? 0))
      most = { served: inside.length, within_ms: last.received_ms - from_ms, last };
  }
  return most;
}

/** More than two windows can hold, whichever way they are counted: no limiter of so many per window does that. */
export function overTwoWindows<S extends Sample>(seen: readonly S[], perWindow = limit): Proof<S> | null {
  const proof = mostWithinWindow(seen);
  return proof && proof.served > 2 * perWindow ? proof : null;
}

/** One more than the limit in less than a window: no limiter that looks back over a whole window does that; aligned windows may. */
export const breaksSlidingWindow = (seen: readonly Sample[], perWindow = limit): boolean =>
  (mostWithinWindow(seen)?.served ?? 0) > perWindow;

// Proofs from times alone, valid whatever the network delayed
import { documentedLimit, window_ms } from "./experiments.ts";
import type { Sample } from "./samples.ts";

interface Proof<S extends Sample> {
  readonly served: number;
  readonly within_ms: number;
  /** The last one served. */
  readonly last: S;
}

/** The most requests sent and answered within one window, so that the limiter served them within it; null for none. */
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

/** More requests within one window than any limiter of `perWindow` serves in two, whichever way it counts. */
export function overTwoWindows<S extends Sample>(seen: readonly S[], perWindow = documentedLimit): Proof<S> | null {
  const proof = mostWithinWindow(seen);
  return proof && proof.served > 2 * perWindow ? proof : null;
}

// When a load has to end early: failures and latencies of its last seconds, against bounds
import { setMaxListeners } from "node:events";
import type { StopBounds } from "./loadProfile.ts";
import type { TrafficCount } from "./tally.ts";

/** A platform that answers nothing for two seconds stays below these. */
export const usualStop: StopBounds = { failedShare: 0.25, p95_ms: 5_000, within_s: 10 };

/** Why a load ended early. */
export interface EarlyEnd {
  /** Which bound was passed, e.g. `63 of 120 requests failed within 10 s, more than 25 %`; else who ended it. */
  readonly reason: string;
  /** Since the first answer. */
  readonly after_s: number;
  /** Whether the load's own bounds ended it. */
  readonly isAutomatic: boolean;
}

/** Of a target file: what sets other bounds. */
export const stopBoundsMember = "load.stop";

/** Where the last seconds hold fewer answers, earlier ones count as well. */
const fewest = 50;

/**
 * Judges whenever a second has passed, once there are `within_s`. Latency isn't judged while the generator is starved,
 * and requests that fail of that don't count.
 * @param onStopped receives the reason, once, e.g. `63 of 120 requests failed within 10 s, more than 25 %`
 */
export function stopsBy({ failedShare, p95_ms, within_s }: StopBounds, onStopped: (reason: string) => void) {
  const halt = new AbortController();
  // Each generator on this machine listens.
  setMaxListeners(0, halt.signal);
  let began_s = 0;
  let now_s = 0;
  let isAutomatic = true;
  let window: { readonly at_s: number; readonly outcome: string | undefined; us: number; isStarved: boolean }[] = [];
  const reasonNow = (): string | null => {
    const first = window.findIndex(({ at_s }) => at_s > now_s - within_s);
    window = window.slice(Math.max(0, Math.min(first, window.length - fewest)));
    const within = `within ${now_s - (window[0]?.at_s ?? now_s) + 1} s`;
    if (window.length < fewest || now_s - began_s + 1 < within_s) return null;
    const failed = window.filter(
      ({ outcome, isStarved }) => (outcome === "failed" || outcome === "timeout") && !isStarved,
    ).length;
    const most = `more than ${Math.round(failedShare * 1000) / 10} %`;
    if (failed > failedShare * window.length) return `${failed} of ${window.length} requests failed ${within}, ${most}`;
    const served = window.filter(({ outcome }) => outcome === "served");
    const slow = served.filter(({ us }) => us > p95_ms * 1000).length;
    const isSlow = slow > 0.05 * Math.max(fewest, served.length);
    // On a machine that is far too slow one sleep in eight ends late, on others hardly any.
    const isStarving = window.filter(({ isStarved }) => isStarved).length > 0.02 * slow;
    return isSlow && !isStarving ? `p95 of ${served.length} requests was above ${p95_ms} ms ${within}` : null;
  };
  return {
    signal: halt.signal,
    /** Null where it didn't end early. */
    stopped: (): EarlyEnd | null =>
      halt.signal.aborted ? { reason: String(halt.signal.reason), after_s: now_s - began_s, isAutomatic } : null,
    /** @param by who ends it, e.g. `SIGINT` */
    end: (by: string): void => {
      if (halt.signal.aborted) return;
      isAutomatic = false;
      halt.abort(by);
    },
    add: ({ outcome, latency_us, isStarved }: TrafficCount, at_s: number): void => {
      began_s ||= at_s;
      const reason = at_s > now_s ? reasonNow() : null;
      // Virtual users print side by side: a line may be a second older than the one before.
      now_s = Math.max(now_s, at_s);
      window.push({ at_s: now_s, outcome, us: latency_us, isStarved });
      if (reason === null) return;
      halt.abort(reason);
      onStopped(reason);
    },
  };
}

// The limiter models nearest to given samples, for observations only
import { window_ms } from "./experiments.ts";
import { blocking, bucket, fixed, fixedFromFirst, type Make, slidingLog, weighted } from "./limiterModels.ts";
import type { Sample } from "./samples.ts";

const algorithms: {
  readonly [name: string]: { readonly make: (most: number, length_ms: number) => Make; readonly phases: number };
} = {
  "sliding log": { make: (most, length_ms) => slidingLog(most, { length_ms }), phases: 1 },
  "sliding log that counts what it refuses": {
    make: (most, length_ms) => slidingLog(most, { length_ms, countsRefused: true }),
    phases: 1,
  },
  "windows from the first request": { make: fixedFromFirst, phases: 1 },
  "windows at set times": { make: fixed, phases: 20 },
  "two weighted windows": {
    make: (most, length_ms) => (length_ms === window_ms ? weighted(most) : fixed(most, length_ms)),
    phases: 20,
  },
  bucket: { make: (most, length_ms) => bucket(most, (most * 1_000) / length_ms), phases: 1 },
  "blocks once exceeded": {
    make: (most, length_ms) => (length_ms === window_ms ? blocking(most) : fixedFromFirst(most, length_ms)),
    phases: 1,
  },
};

const limits = Array.from({ length: 12 }, (_, nth) => nth + 1);
const lengths_ms = [500, 1_000, 2_000];

interface Likeness {
  readonly algorithm: string;
  readonly perWindow: number;
  readonly window_ms: number;
  /** Distance between what the model and the platform served, summed request by request; 0 fits exactly. */
  readonly cost: number;
}

/** All models, the best first. @param experiments samples of one caller; limiters forget between experiments */
function likenesses(experiments: readonly (readonly Sample[])[]): readonly Likeness[] {
  const inOrder = experiments.map((seen) =>
    [...seen].sort((a, b) => a.sent_ms + a.received_ms - (b.sent_ms + b.received_ms)),
  );
  const candidates = Object.entries(algorithms).flatMap(([algorithm, { make, phases }]) =>
    limits.flatMap((perWindow) =>
      lengths_ms.map((length_ms): Likeness => {
        const begins_ms = Array.from({ length: phases }, (_, nth) => (nth * length_ms) / phases);
        const costIn = (seen: readonly Sample[]): number =>
          Math.min(...begins_ms.map((phase_ms) => costOf(seen, make(perWindow, length_ms)(phase_ms))));
        const cost = inOrder.reduce((total, seen) => total + costIn(seen), 0);
        return { algorithm, perWindow, window_ms: length_ms, cost };
      }),
    ),
  );
  return candidates.sort((a, b) => a.cost - b.cost);
}

/** Cumulative: one different decision costs little, a rate that drifts away much. */
function costOf(inOrder: readonly Sample[], limiter: ReturnType<Make>): number {
  let [off, cost] = [0, 0];
  for (const { sent_ms, received_ms, outcome } of inOrder) {
    const isServed = limiter({ at_ms: (sent_ms + received_ms) / 2, project: 0, key: 0, connection: 0 }) !== null;
    off += Number(isServed) - Number(outcome === "served");
    cost += Math.abs(off);
  }
  return cost;
}

/** Models whose cost exceeds the best by no more fit as well. */
const tolerance = 3;

/** Limits and algorithms of all models that fit, in words. */
export function likeliest(experiments: readonly (readonly Sample[])[]) {
  const all = likenesses(experiments);
  const best = all[0]?.cost ?? 0;
  const fitting = all.filter(({ cost }) => cost <= best + tolerance);
  const limitsFound = [
    ...new Set(fitting.map(({ perWindow, window_ms: length_ms }) => `${perWindow} in ${length_ms / 1_000} s`)),
  ];
  if (best > experiments.flat().length / 2) return { limit: "none that we know", algorithms: [] };
  return {
    limit: limitsFound.sort().join(" or "),
    algorithms: [...new Set(fitting.map(({ algorithm }) => algorithm))].sort(),
  };
}

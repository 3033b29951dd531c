// What the parts of a load lack to be the load that was ordered
import type { PartLack } from "../../harness/core/partLack.ts";
import type { TrafficShown } from "../k6/orders.ts";
import { segmentsOf } from "../k6/process.ts";
import { type Phase, requestsInPhases, secondsOfPhases } from "../shapes/shapes.ts";
import type { LoadPart } from "./parts.ts";

/** Of the iterations of a part that must have been begun or dropped. */
const leastBegun = 0.99;

/** How long a part may be late or stall: a second and 2 % of the load, at most five seconds. */
const latest_s = (phases: readonly Phase[]): number => Math.min(5, 1 + 0.02 * secondsOfPhases(phases));

/**
 * Why parts aren't the whole of a load, all sent at the same time; none where they are.
 * @param parts of one load
 */
export function partLacksIn(
  parts: readonly LoadPart[],
  phases: readonly Phase[],
  isBeyondPace: boolean,
): readonly PartLack[] {
  const [{ of } = { of: 1 }] = parts;
  const absent = segmentsOf(of).flatMap((segment): readonly PartLack[] => {
    const count = parts.filter(({ nth }) => nth === segment.nth).length;
    return count === 1 ? [] : [{ ...segment, is: count === 0 ? "missing" : "doubled" }];
  });
  // All together: no part is short of the others.
  const own = parts.every(({ stopped }) => stopped) ? [] : parts;
  return [
    ...absent,
    ...own.flatMap((part) => lackOf(part, phases, isBeyondPace) ?? []),
    ...apartIn(parts, latest_s(phases)),
  ];
}

/** What one part lacks; null where it is complete. */
export function lackOf(part: LoadPart, phases: readonly Phase[], isBeyondPace: boolean): PartLack | null {
  const { begun, summary, startAt_ms, beganAt_ms, stoodStill_ms, failure, stopped, nth, of } = part;
  const place = { nth, of };
  const planned = requestsInPhases(phases) / of;
  if (failure !== null) return { ...place, is: "cutShort", detail: failure };
  if (stopped?.isAutomatic) return { ...place, is: "stopped", after_s: stopped.after_s, detail: stopped.reason };
  if (stopped !== null) return { ...place, is: "ended", after_s: stopped.after_s, by: stopped.reason };
  if (summary === null || beganAt_ms === null || (of > 1 && stoodStill_ms === null)) return { ...place, is: "unended" };
  if (begun.count !== summary.iterations)
    return { ...place, is: "miscounted", reported: begun.count, counted: summary.iterations };
  if (hasGaps(part)) return { ...place, is: "gaps" };
  if (begun.count + summary.droppedIterations < planned * leastBegun - phases.length)
    return { ...place, is: "short", begun: begun.count, planned: Math.round(planned) };
  const late_s = (beganAt_ms - (startAt_ms ?? beganAt_ms)) / 1000;
  const still_s = (stoodStill_ms ?? 0) / 1000;
  if (late_s > latest_s(phases)) return { ...place, is: "late", seconds: late_s };
  return !isBeyondPace && still_s > latest_s(phases) ? { ...place, is: "stalled", seconds: still_s } : null;
}

/** k6 deals iterations in turn: the first part has the first, and each of the next begins one later. */
const hasGaps = ({ nth, of, begun: { count, first, last, sum } }: LoadPart): boolean =>
  count > 0 &&
  (first !== nth - 1 || last !== first + (count - 1) * of || sum !== count * first + (of * count * (count - 1)) / 2);

/** By how much a platform's clock is ahead of a part's: at least, and at most. */
export type Ahead = readonly [least_ms: number, most_ms: number];

/** A server may send the date of a second ago, and an answer take a while before its time is measured. */
const slack_ms = 1_000;

/** From the dates of its answers, which are whole seconds; null where they say nothing, or contradict each other. */
export function aheadOf(shown: readonly TrafficShown[]): Ahead | null {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  for (const { answer, sentAt_ms, latency_ms } of shown) {
    const [, date = ""] = Object.entries(answer.headers).find(([name]) => name.toLowerCase() === "date") ?? [];
    const at_ms = Date.parse(date);
    if (Number.isNaN(at_ms)) continue;
    least = Math.max(least, at_ms - slack_ms - sentAt_ms - latency_ms);
    most = Math.min(most, at_ms + 1_000 + slack_ms - sentAt_ms);
  }
  return least <= most && Number.isFinite(most) ? [least, most] : null;
}

/** How far each part's clock is behind the middle one of all, by the dates of answers; null where they don't say. */
export function behindOthers(parts: readonly LoadPart[]): readonly (Ahead | null)[] {
  const all = parts.map(({ shown }) => aheadOf(shown));
  const known = all.flatMap((one) => (one ? [one] : [])).sort((a, b) => a[0] + a[1] - b[0] - b[1]);
  const middle = known[Math.floor(known.length / 2)];
  return all.map((one) => (one && middle ? [one[0] - middle[1], one[1] - middle[0]] : null));
}

/** Parts that surely began apart: by the platform's clock where it is known of both, else by their own. */
function apartIn(parts: readonly LoadPart[], most_s: number): readonly PartLack[] {
  const starts = parts.flatMap(({ nth, of, beganAt_ms: own_ms, shown }) =>
    own_ms === null ? [] : [{ nth, of, own_ms, ahead: aheadOf(shown) }],
  );
  return starts.flatMap((late) => {
    const apart_s = starts.map((early) => {
      const by_ms = late.own_ms - early.own_ms;
      return (late.ahead && early.ahead ? by_ms + late.ahead[0] - early.ahead[1] : by_ms) / 1000;
    });
    const most = Math.max(...apart_s);
    return most > most_s ? [{ nth: late.nth, of: late.of, is: "apart", seconds: most }] : [];
  });
}

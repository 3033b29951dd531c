// The queue before the judge: bounded, and worked off in slices so that clients don't wait for it.
import { setImmediate } from "node:timers/promises";
import { type Clock, realClock } from "../harness/core/clock.ts";
import type { Recorded } from "../harness/recordings/recorded.ts";

export interface QueueOptions {
  readonly judge: (recorded: Recorded) => Promise<unknown> | undefined;
  /** How many clients wait for answers. */
  readonly running: () => number;
  /** Called for each that doesn't fit. */
  readonly onFull?: () => void;
  readonly most?: number;
  readonly most_bytes?: number;
  readonly clock?: Clock;
}

/** Slices are shorter than what Unix time can tell. */
const finerClock: Clock = { ...realClock, now_ms: () => performance.now() };

/** While requests come the judge works for one part in five of the time; where many do, for one in thirteen. */
const slice_ms = 1;
const rest_ms = 4;
const longRest_ms = 12;
const many = 20;

/** What an exchange holds besides its bodies, roughly. */
const head_bytes = 2_000;

const sizeOf = ({ body, answer }: Recorded): number =>
  head_bytes + (body?.length ?? 0) + ("status" in answer ? (answer.body?.length ?? 0) : 0);

export function queueBefore(options: QueueOptions) {
  const { judge, running, onFull, most = 1_000, most_bytes = 64e6, clock = finerClock } = options;
  const waiting: Recorded[] = [];
  let bytes = 0;
  let judged = 0;
  let unjudged = 0;
  let came = 0;
  let failure: unknown = null;
  let working: Promise<void> | null = null;

  const judgeNext = async (): Promise<void> => {
    const recorded = waiting.shift();
    if (!recorded) return;
    bytes -= sizeOf(recorded);
    try {
      await judge(recorded);
      judged += 1;
    } catch (error) {
      failure ??= error;
      unjudged += 1;
    }
  };
  const work = async (): Promise<void> => {
    await setImmediate();
    while (waiting.length > 0) {
      const from_ms = clock.now_ms();
      while (waiting.length > 0 && clock.now_ms() - from_ms < slice_ms) await judgeNext();
      // For a moment no client may wait although requests come one after another.
      const isIdle = running() === 0 && came === 0;
      const pause = isIdle ? setImmediate() : clock.sleep(came > many ? longRest_ms : rest_ms);
      came = 0;
      await pause;
    }
    working = null;
  };
  return {
    /** What doesn't fit is counted, and not judged. */
    add: (recorded: Recorded): void => {
      came += 1;
      const size = sizeOf(recorded);
      if (waiting.length >= most || bytes + size > most_bytes) {
        unjudged += 1;
        onFull?.();
        return;
      }
      waiting.push(recorded);
      bytes += size;
      working ??= work();
    },
    counts: () => ({ judged, unjudged, waiting: waiting.length }),
    /** What the judge threw first since it was last asked; null where it didn't. */
    failure: () => {
      const first = failure;
      failure = null;
      return first;
    },
    /** Until nothing waits any more. */
    drain: () => working,
  };
}

// What time is it, and how long do we wait? Real on a network, virtual in-process.
export interface Clock {
  /** Unix time in ms. */
  now_ms(): number;
  sleep(duration_ms: number): Promise<void>;
}

export const realClock: Clock = {
  now_ms: () => Date.now(),
  sleep: (duration_ms) => new Promise((done) => setTimeout(done, duration_ms)),
};

export interface VirtualClock extends Clock {
  /** Work that alone moves the clock, by its own hand: who sleeps meanwhile does so once it is done. */
  alone<Result>(work: (moveTo: (at_ms: number) => void) => Promise<Result>): Promise<Result>;
}

/** Sleeping advances it at once; nothing else does, but for work that has it alone. */
export function virtualClock(start_ms: number): VirtualClock {
  let now_ms = start_ms;
  let held: Promise<unknown> | null = null;
  return {
    now_ms: () => now_ms,
    sleep: async (duration_ms) => {
      while (held) await held;
      now_ms += Math.max(0, duration_ms);
    },
    alone: async (work) => {
      while (held) await held;
      const done = work((at_ms) => {
        now_ms = Math.max(now_ms, at_ms);
      }).finally(() => {
        held = null;
      });
      held = done.catch(() => undefined);
      return done;
    },
  };
}

// Clocks: real on a network, virtual where the platform is in this process.
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
  /** Runs work that alone moves the clock; sleeps requested meanwhile begin when it ends. */
  alone<Result>(work: (moveTo: (at_ms: number) => void) => Promise<Result>): Promise<Result>;
}

/** A clock that sleeping advances at once; otherwise only work run by `alone` moves it. */
export function virtualClock(start_ms: number): VirtualClock {
  let now_ms = start_ms;
  let running: Promise<unknown> | null = null;
  return {
    now_ms: () => now_ms,
    sleep: async (duration_ms) => {
      while (running) await running;
      now_ms += Math.max(0, duration_ms);
    },
    alone: async (work) => {
      while (running) await running;
      const done = work((at_ms) => {
        now_ms = Math.max(now_ms, at_ms);
      }).finally(() => {
        running = null;
      });
      running = done.catch(() => undefined);
      return done;
    },
  };
}

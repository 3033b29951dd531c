// Clocks: real on a network, virtual where the platform is in this process.
export interface Clock {
  /** Unix time in ms. */
  now_ms(): number;
  sleep(duration_ms: number): Promise<void>;
}

/** A wait that the platform imposes: until charges settle, while a schedule is sent, or to stay within limits. */
export interface Wait {
  readonly on: "charges" | "schedule" | "limits";
  /** When it began, as Unix time in ms. */
  readonly from_ms: number;
  readonly duration_ms: number;
}

/** `0:40`, of minutes and seconds. */
export const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export const realClock: Clock = {
  now_ms: () => Date.now(),
  // Node 24 warns of a negative duration, as of what is due already.
  sleep: (duration_ms) => new Promise((done) => setTimeout(done, Math.max(0, duration_ms))),
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

interface Sleeper {
  readonly at_ms: number;
  readonly wake: () => void;
}

export interface SteppedClock extends VirtualClock {
  /** Time stands still meanwhile. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A clock that moves to the earliest sleeper, once nothing else is under way. */
export function steppedClock(start_ms: number): SteppedClock {
  const sleepers: Sleeper[] = [];
  let now_ms = start_ms;
  let underWay = 0;
  let isPumping = false;
  let alone: Promise<unknown> | null = null;
  const pump = async (): Promise<void> => {
    isPumping = true;
    while (sleepers.length > 0) {
      await new Promise((later) => setImmediate(later));
      if (underWay > 0 || alone) continue;
      const at_ms = Math.min(...sleepers.map((one) => one.at_ms));
      const [first] = sleepers.splice(
        sleepers.findIndex((one) => one.at_ms === at_ms),
        1,
      );
      now_ms = Math.max(now_ms, at_ms);
      first?.wake();
    }
    isPumping = false;
  };
  return {
    now_ms: () => now_ms,
    sleep: (duration_ms) =>
      new Promise((wake) => {
        sleepers.push({ at_ms: now_ms + Math.max(0, duration_ms), wake });
        if (!isPumping) void pump();
      }),
    during: async (work) => {
      underWay += 1;
      return work().finally(() => {
        underWay -= 1;
      });
    },
    alone: async (work) => {
      while (alone) await alone;
      const done = work((at_ms) => {
        now_ms = Math.max(now_ms, at_ms);
      }).finally(() => {
        alone = null;
      });
      alone = done.catch(() => undefined);
      return done;
    },
  };
}

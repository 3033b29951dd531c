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

/** Sleeping advances it at once; nothing else does. */
export function virtualClock(start_ms: number): Clock {
  let now_ms = start_ms;
  return {
    now_ms: () => now_ms,
    sleep: (duration_ms) => {
      now_ms += Math.max(0, duration_ms);
      return Promise.resolve();
    },
  };
}

// May this request be served now? At most so many in any second, per project. (§8)

/** A sliding log of one second; refused requests don't count. */
export class Limiter {
  /** When the last ones were served, oldest first. */
  readonly #served = new Map<string, number[]>();

  /** Takes a place where there is one. */
  admit(name: string, perSecond: number, now_ms: number): boolean {
    const recent = this.#recent(name, now_ms);
    const admitted = recent.length < perSecond;
    if (admitted) recent.push(now_ms);
    return admitted;
  }

  /** Places left in the current second. */
  left(name: string, perSecond: number, now_ms: number): number {
    return Math.max(0, perSecond - this.#recent(name, now_ms).length);
  }

  #recent(name: string, now_ms: number): number[] {
    const recent = this.#served.get(name) ?? [];
    this.#served.set(name, recent);
    while (recent[0] !== undefined && now_ms - recent[0] >= 1000) recent.shift();
    return recent;
  }
}

interface Level {
  tokens: number;
  at_ms: number;
}

/** A token bucket: a burst after a rest, then a steady rate; refused requests take nothing. */
export class Bucket {
  readonly #levels = new Map<string, Level>();

  /** Takes a token where there is one. */
  admit(name: string, { perSecond, burst }: { readonly perSecond: number; readonly burst: number }, now_ms: number): boolean {
    const level = this.#levels.get(name) ?? { tokens: burst, at_ms: now_ms };
    const tokens = Math.min(burst, level.tokens + ((now_ms - level.at_ms) / 1000) * perSecond);
    const admitted = tokens >= 1;
    this.#levels.set(name, { tokens: admitted ? tokens - 1 : tokens, at_ms: now_ms });
    return admitted;
  }
}

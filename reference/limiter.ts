// May this request be served now? At most so many in any second, per project. (§8)

/** A sliding log of one second; refused requests don't count. */
export class Limiter {
  readonly #served = new Map<string, number[]>();

  /** Takes a place where there is one. */
  admit(name: string, perSecond: number, now_ms: number): boolean {
    const recent = (this.#served.get(name) ?? []).filter((time) => now_ms - time < 1000);
    const admitted = recent.length < perSecond;
    if (admitted) recent.push(now_ms);
    this.#served.set(name, recent);
    return admitted;
  }

  /** Places left in the current second. */
  left(name: string, perSecond: number, now_ms: number): number {
    return Math.max(0, perSecond - (this.#served.get(name) ?? []).filter((time) => now_ms - time < 1000).length);
  }
}

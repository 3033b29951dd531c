// The growth of figures by calls, and what is said of it (§2.1).
import Big from "big.js";
import { near } from "../../harness/core/finding.ts";
import type { Shown } from "../../harness/model/check.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";

/** How the usage of one asker's project grew. */
export interface Growth {
  /** The last read, which shows what is found. */
  readonly exchange: Answered;
  readonly before: Answered;
  /**
   * By how much a figure grew, beyond what the reads themselves add (OBS-MET-SELF).
   * @throws Withheld where that isn't known: it moves without calls, or its charges don't show
   */
  of(at: string): Big;
  /** Every figure that grew or fell, but for those that move without calls. */
  moved(): readonly string[];
}

/** The keys of `requests` that grew. */
export const requestsIn = ({ moved }: Growth): readonly string[] => moved().filter((at) => at.startsWith("/requests/"));

/** Grown by exactly this amount. */
export const grewBy = (growth: Growth, at: string, amount: number): Shown => ({
  exchange: growth.exchange,
  finding: near(at, growth.of(at), new Big(amount), { within: 0 }),
});

// Usage measurement: growth of figures by calls, though charges may be late (§2.1, §4.2).
import Big from "big.js";
import { near } from "../../harness/core/finding.ts";
import { UsedByOthers, Withheld } from "../../harness/core/outcomes.ts";
import type { Asker } from "../../harness/core/stimulus.ts";
import type { Shown } from "../../harness/model/check.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import { keyOf, type Target } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { masked } from "../shared/masked.ts";
import { documentedPlaces } from "../usage/usageReader.ts";
import {
  type Figures,
  isSame,
  minus,
  nameOf,
  type Reader,
  type Round,
  readAll,
  sentAt_ms,
  times,
  zero,
} from "./reads.ts";

/** How the usage of one asker's project grew. */
export interface Growth {
  /** The last read, which shows what is found. */
  readonly exchange: Answered;
  readonly before: Answered;
  /** By how much a figure grew, beyond what the reads themselves add (OBS-MET-SELF). */
  of(at: string): Big;
  /** Every figure that grew or fell. */
  readonly moved: readonly string[];
}

/** The keys of `requests` that grew. */
export const requestsIn = ({ moved }: Growth): readonly string[] => moved.filter((at) => at.startsWith("/requests/"));

/** Grown by exactly this amount. */
export const grewBy = (growth: Growth, at: string, amount: number): Shown => ({
  exchange: growth.exchange,
  finding: near(at, growth.of(at), new Big(amount), { within: 0 }),
});

/** Waits from one read to the next, in ms; doubled each time, so that early charges cost little time. */
export const waits_ms = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;

/** The longest wait for one charge: 63.75 s. */
export const patience_ms = waits_ms.reduce<number>((total, wait_ms) => total + wait_ms, 0);

/** How fast the platform shows charges, as learnt in one run. */
export interface Pace {
  /** The longest time that a charge took to show; null if none has shown yet. */
  slowest_ms: number | null;
  /** Whether reading usage moves its figures. */
  readsCount: boolean;
}

/** What shows within this time is taken for the charge of the last call. */
const soon_ms = 10_000;

/** Enough reads for a fraction of a credit per read to show. */
const idleReads = 10;

/** The wait from one read to the next while figures move by themselves, in ms. */
const moving_ms = 3_000;

export const paceOf = ({ once }: Pick<Reader, "once">): Pace =>
  once("pace of charges", () => ({ slowest_ms: null, readsCount: false }));

/** Figures that have settled, and how they grow from there. */
export class Measurement {
  readonly #context: Reader;
  readonly #askers: readonly Asker[];
  readonly #start: Round;
  /** What one round of reads adds to the figures. */
  readonly #self: Figures;
  readonly #rounds: Round[] = [];
  /** Growth before the last mark. */
  #marked: Figures = new Map();
  #hasShown = false;
  /** When the last calls were sent. */
  #lastCalls_ms: number;
  /** When the first calls were sent that haven't shown yet. */
  #unshownCalls_ms: number;

  private constructor(context: Reader, askers: readonly Asker[], start: Round, self: Figures) {
    [this.#context, this.#askers, this.#start, this.#self] = [context, askers, start, self];
    this.#unshownCalls_ms = this.#lastCalls_ms = sentAt_ms(start);
  }

  /**
   * Begins once two rounds of reads in a row have added the same.
   * @param pauseAfter the pause before each of them in ms, by the first read
   * @throws Withheld where figures keep moving
   */
  static async begin(
    context: Reader,
    askers: readonly Asker[],
    pauseAfter: (read: Exchange | undefined) => number = () => 0,
  ): Promise<Measurement> {
    let previous = await readAll(context, askers);
    let pause_ms = pauseAfter(previous.exchanges[0]);
    let self: Figures | null = null;
    for (const wait_ms of [0, ...waits_ms]) {
      await context.wait(Math.max(wait_ms, pause_ms));
      const next = await readAll(context, askers);
      const grown = minus(next.figures, previous.figures);
      const isStill = [...grown.values()].every((value) => value.eq(0));
      // A series of late charges looks like what reads add, until it ends.
      const isSlow = isStill || pause_ms >= moving_ms;
      if (self && isSlow && isSame(grown, self)) {
        if (!isStill) paceOf(context).readsCount = true;
        return new Measurement(context, askers, next, self);
      }
      pause_ms = isSlow ? pause_ms : moving_ms;
      [self, previous] = [grown, next];
    }
    throw new UsedByOthers(
      "its figures move without calls of this run: others use the project",
      askers.map((as) => keyOf(context.target, as)?.projectName ?? as),
    );
  }

  /**
   * Reads until something has grown for each payer since the last mark.
   * @returns after how many ms that showed, for any payer at least; null where nothing showed within `within_ms`
   */
  async untilShown(within_ms: number, payers = this.#askers): Promise<number | null> {
    let [waited_ms, shown_ms]: [number, number | null] = [0, null];
    for (const wait_ms of [...waits_ms, 0]) {
      await this.#read();
      // Replicas may show it to one payer first.
      const shown = payers.filter((payer) => this.#hasGrown(this.#askers.indexOf(payer)));
      if (shown.length > 0) shown_ms ??= this.#took_ms;
      this.#hasShown ||= shown.length > 0;
      if (shown.length === payers.length) return this.#took_ms;
      if (waited_ms >= within_ms) break;
      await this.#context.wait(wait_ms);
      waited_ms += wait_ms;
    }
    return shown_ms;
  }

  /**
   * Reads until two rounds in a row, at least `pause_ms` apart, differ by no more than reading adds.
   * @throws Withheld where figures keep moving
   */
  async untilStill(pause_ms: number): Promise<void> {
    for (const wait_ms of waits_ms) {
      await this.#context.wait(Math.max(wait_ms, pause_ms));
      const earlier = this.#last;
      await this.#read();
      if (isSame(minus(this.#last.figures, earlier.figures), this.#self)) return;
    }
    throw new Withheld("its figures kept moving after the calls");
  }

  /** Marks the growth so far as known, before further calls. */
  mark(): void {
    this.#marked = this.#total();
    this.#lastCalls_ms = sentAt_ms(this.#last);
    if (this.#hasShown) this.#unshownCalls_ms = this.#lastCalls_ms;
    this.#hasShown = false;
  }

  /** How long the charge that shows now took: that of recent calls, else that of the oldest unshown ones. */
  get #took_ms(): number {
    const sinceLast_ms = sentAt_ms(this.#last) - this.#lastCalls_ms;
    return sinceLast_ms <= soon_ms ? sinceLast_ms : sentAt_ms(this.#last) - this.#unshownCalls_ms;
  }

  /** From the last read before the calls to the first one after them, in ms. */
  get spread_ms(): number {
    return sentAt_ms(this.#rounds[0] ?? this.#start) - sentAt_ms(this.#start);
  }

  /** From the first call to the last read, in ms. */
  get waited_ms(): number {
    return sentAt_ms(this.#last) - sentAt_ms(this.#start);
  }

  /** The number of the last read. */
  get last(): number {
    return this.#last.exchanges.at(-1)?.number ?? 0;
  }

  /**
   * Only reads, which must add the same each time.
   * @throws Withheld where they don't, as where each read costs a fraction of a credit
   */
  static async idle(context: Reader, askers: readonly Asker[]): Promise<void> {
    const measurement = await Measurement.begin(context, askers);
    for (let nth = 0; nth < idleReads; nth += 1) {
      await measurement.#read();
      if ([...measurement.#total().values()].some((value) => !value.eq(0)))
        throw new Withheld("its figures move without calls of this run");
    }
  }

  /** In the order of the askers. */
  growths(): readonly Growth[] {
    const total = this.#total();
    return this.#last.exchanges.map((exchange, nth) => ({
      exchange,
      before: this.#start.exchanges[nth] ?? exchange,
      of: (at) => {
        const value = total.get(nameOf(nth, at));
        if (!value) throw masked(`${at} wasn't a number in each read`);
        return value;
      },
      moved: documentedPlaces.filter((at) => !(total.get(nameOf(nth, at)) ?? zero).eq(0)),
    }));
  }

  get #last(): Round {
    return this.#rounds.at(-1) ?? this.#start;
  }

  async #read(): Promise<void> {
    this.#rounds.push(await readAll(this.#context, this.#askers));
  }

  #total(): Figures {
    return minus(minus(this.#last.figures, this.#start.figures), times(this.#self, this.#rounds.length));
  }

  /** Where reads are counted late, the figures that they move seem to fall for a while. */
  #hasGrown(nth: number): boolean {
    return [...this.#total()].some(([name, total]) => {
      const grown = total.minus(this.#marked.get(name) ?? zero);
      const isMovedByReads = !(this.#self.get(name) ?? zero).eq(0);
      return name.startsWith(nameOf(nth, "")) && (isMovedByReads ? grown.gt(0) : !grown.eq(0));
    });
  }
}

/** How long to wait for a charge that may never show; in ms. */
export const longestWait_ms = ({ slowest_ms }: Pace): number =>
  slowest_ms === null ? patience_ms : 3 * slowest_ms + 1_000;

/** How long figures must stay the same: longer than any charge has taken to show; in ms. */
export const quiet_ms = ({ slowest_ms, readsCount }: Pace, least_ms: number): number =>
  readsCount || least_ms > 0 ? Math.max(least_ms, 1.5 * (slowest_ms ?? 0)) : 0;

/**
 * Reads until the calls have shown and figures are still; whether they showed.
 * @param payers those whose figures are to grow; by default all of the askers
 */
export async function measure(
  measurement: Measurement,
  pace: Pace,
  payers?: readonly Asker[],
  within_ms = longestWait_ms(pace),
): Promise<boolean> {
  const shown_ms = await measurement.untilShown(within_ms, payers);
  if (shown_ms === null) return false;
  pace.slowest_ms = Math.max(pace.slowest_ms ?? 0, shown_ms);
  // The last call shows last, and the calls took that long.
  await measurement.untilStill(quiet_ms(pace, 0) || 1.5 * measurement.spread_ms);
  return true;
}

/**
 * The growth of a project's figures by some calls; none where no charge shows.
 * @throws Withheld where figures keep moving
 */
export async function growthBy(
  context: Reader,
  as: Asker,
  send: () => Promise<unknown>,
  pause_ms = 0,
): Promise<Growth> {
  const measurement = await Measurement.begin(context, [as], () => pause_ms);
  await send();
  await measure(measurement, paceOf(context));
  return measurement.growths()[0] as Growth;
}

/** Why charges can't be measured on a target; null where they can. */
export const notQuiet = ({ quiet, isReference, offers }: Target): string | null => {
  if (!offers.includes("usage")) return "the target doesn't offer usage, where charges show";
  return quiet || isReference ? null : "the target doesn't say `quiet: true`: others may use its projects meanwhile";
};

// Usage measurement: settled figures, and how they grow by calls, though charges may be late (§2.1, §4.2).
import { Withheld } from "../../harness/core/outcomes.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { notTested } from "../shared/masked.ts";
import {
  type Awaited,
  awaitedBy,
  chargePaceOf,
  lapseOf,
  learnLag,
  learnPace,
  learnRestless,
  seconds,
  shownWithin_ms,
  slowest_ms,
  waits_ms,
} from "./chargePace.ts";
import {
  calledSince,
  type Growth,
  isUsedUp,
  type MeasuredUsage,
  type MeterFigures,
  minus,
  namesOf,
  numberOf,
  type Reader,
  type Round,
  readAll,
  sentAt_ms,
  times,
  zero,
} from "./reads.ts";
import { fewTries, moving_ms, type Start, settledStart } from "./settledStart.ts";

const [shortest_ms] = waits_ms;

/** The longest wait from one read to the next: caches are made anew when they are read. */
const longestPause_ms = 8_000;

/** Enough reads for a fraction of a credit per read to show. */
const idleReads = 10;

const noFigures: MeterFigures = new Map();

interface GrowthOptions {
  /** Counters whose charges may show later. */
  readonly open?: readonly Awaited[];
  /** What other calls are known to have added. */
  readonly others?: MeterFigures;
  /** From one read to another, by their numbers, where 0 is that before the calls; all by default. */
  readonly between?: { readonly from: number; readonly to: number };
}

/** Figures that have settled, and how they grow from there. */
export class Measurement {
  readonly #context: Reader;
  readonly #measured: MeasuredUsage;
  readonly #start: Start;
  /** What calls before it may still add. */
  readonly #owed: MeterFigures;
  readonly #awaited: readonly Awaited[];
  readonly #rounds: Round[];
  /** When the last calls were sent. */
  #lastCalls_ms: number;
  /** Whether there were any: what control consumes shows nothing of their pace. */
  #isCalled = false;
  /** When the first read after them was sent. */
  #firstRead_ms: number | null = null;
  /** By figure: when it last moved. */
  readonly #moved_ms = new Map<string, number>();
  /** Counters that have grown since the calls, by role and counter. */
  readonly #shown = new Set<string>();

  private constructor(context: Reader, measured: MeasuredUsage, start: Start, owed: MeterFigures) {
    this.#context = context;
    this.#measured = measured;
    this.#start = start;
    this.#owed = owed;
    this.#rounds = [start.round];
    this.#lastCalls_ms = sentAt_ms(start.round);
    const { askers, payers = askers, counters } = measured;
    this.#awaited = awaitedBy(context, payers, counters).filter(
      (awaited) =>
        !lapseOf(chargePaceOf(context), awaited) &&
        !isUsedUp(awaited.figures, start.round.figures) &&
        awaited.figures.slice(0, 1).every((name) => this.#isSteady(name)),
    );
  }

  /**
   * @param pause_ms how long figures must have stayed the same
   * @param owed by role and place: what calls before it may still add
   */
  static async begin(context: Reader, measured: MeasuredUsage, pause_ms = 0, owed = noFigures): Promise<Measurement> {
    return new Measurement(context, measured, await settledStart(context, measured, pause_ms), owed);
  }

  /** Reads without calls: figures that move all the same aren't judged any more. @param wait_ms between two reads */
  static async idle(context: Reader, measured: MeasuredUsage, pause_ms: number, wait_ms: number): Promise<void> {
    const measurement = await Measurement.begin(context, measured, pause_ms);
    for (let nth = 0; nth < idleReads; nth += 1) {
      await context.wait(wait_ms);
      await measurement.read();
    }
    const moved = (by: MeterFigures): readonly string[] =>
      [...by].flatMap(([name, amount]) => (amount.eq(0) ? [] : [name]));
    const { byReads } = chargePaceOf(context);
    const inAll = minus(measurement.#last.figures, measurement.#start.round.figures);
    learnPace(context, { byReads: new Set([...byReads, ...moved(inAll)]) });
    learnRestless(context, moved(measurement.#total()));
  }

  async read(): Promise<void> {
    const before = this.#last;
    this.#rounds.push(await readAll(this.#context, this.#measured.askers));
    this.#firstRead_ms ??= this.now_ms;
    const by = minus(minus(this.#last.figures, before.figures), this.#start.self);
    for (const [name, moved] of by) if (!moved.eq(0)) this.#moved_ms.set(name, this.now_ms);
  }

  /**
   * Reads until each counter has grown since the start, or was waited for long enough since the last calls.
   * @param isAgain whether it goes on with a wait, though others may have called meanwhile
   * @returns those that haven't grown
   */
  async untilShown(within_ms: (awaited: Awaited) => number, isAgain = false): Promise<readonly Awaited[]> {
    const called = calledSince(this.#context, this.#measured.askers, numberOf(this.#start.round));
    if (!isAgain) {
      this.#lastCalls_ms = Math.max(this.#lastCalls_ms, ...called.map(({ sentAt_ms }) => sentAt_ms));
      this.#isCalled = called.length > 0;
      this.#firstRead_ms = null;
    }
    for (;;) {
      await this.read();
      const unshown = this.#noteShown(isAgain);
      const waited_ms = this.now_ms - this.#lastCalls_ms;
      const left_ms = Math.max(...unshown.map(within_ms)) - waited_ms;
      if (left_ms <= 0) return unshown;
      // Few reads, and yet a close look when charges are due.
      const known_ms = shownWithin_ms(chargePaceOf(this.#context));
      const wait_ms = waited_ms < known_ms / 2 ? known_ms / 2 - waited_ms : Math.max(known_ms / 6, waited_ms / 4);
      await this.#context.wait(Math.min(left_ms, Math.max(shortest_ms, Math.min(wait_ms, longestPause_ms))));
    }
  }

  /**
   * Reads until what is measured stays the same from one round to the next, but for what reading adds. Figures that
   * never do are taken to move without calls.
   * @param pause_ms the least time between them
   */
  async untilStill(pause_ms: number): Promise<void> {
    const wanted = this.#awaited.flatMap(({ figures }) => figures);
    const mostTries = pause_ms < moving_ms ? waits_ms.length : fewTries;
    for (const [tries, wait_ms] of waits_ms.slice(0, mostTries).entries()) {
      await this.#context.wait(Math.max(wait_ms, pause_ms));
      await this.read();
      const moving = wanted.filter((name) => this.#isSteady(name) && this.#moved_ms.get(name) === this.now_ms);
      if (moving.length === 0) return;
      if (tries === mostTries - 1) learnRestless(this.#context, moving);
    }
  }

  /** Notes how long the last charges took that showed, once all have. */
  noteLast(): void {
    for (const { counter, figures } of this.#awaited)
      for (const name of figures) {
        const moved_ms = this.#moved_ms.get(name) ?? 0;
        const took_ms = moved_ms - this.#lastCalls_ms;
        if (took_ms > 0 && this.#isSteady(name))
          learnLag(this.#context, counter, took_ms, moved_ms === this.#firstRead_ms);
      }
  }

  /** Ends it. @param isSettled whether others may begin where it ended */
  end(isSettled: boolean): void {
    const { waited_ms } = chargePaceOf(this.#context);
    const { askers } = this.#measured;
    const rests = isSettled && this.#start.moving.size === 0;
    learnPace(this.#context, {
      lastRead: this.last.number,
      waited_ms: waited_ms + this.now_ms - this.began_ms,
      rested: rests ? { askers, round: this.#last, self: this.#start.self } : null,
    });
  }

  get began_ms(): number {
    return sentAt_ms(this.#start.round);
  }

  get now_ms(): number {
    return sentAt_ms(this.#last);
  }

  /** From the last read before the calls to the first one after them, in ms. */
  get spread_ms(): number {
    return sentAt_ms(this.#round(1)) - this.began_ms;
  }

  /** How many reads there were since the first. */
  get reads(): number {
    return this.#rounds.length - 1;
  }

  /** The last read. @throws Error without askers */
  get last(): AnsweredExchange {
    const last = this.#last.exchanges.at(-1);
    if (!last) throw new Error("nobody reads usage");
    return last;
  }

  /** What was sent since the start with keys of its projects, but for reads of the meter. */
  get sent(): number {
    return calledSince(this.#context, this.#measured.askers, numberOf(this.#start.round)).length;
  }

  /** Whether none of the counters has grown since the calls. */
  isUnmoved(open: readonly Awaited[]): boolean {
    return open.length === this.#awaited.length;
  }

  /** In the order of the askers. Evaluated when it is asked for, as more may be known then of figures that move. */
  growths({ open = [], others = noFigures, between }: GrowthOptions = {}): readonly Growth[] {
    const { from, to } = between ?? { from: 0, to: this.reads };
    const waited_ms = this.now_ms - this.began_ms;
    const total = minus(this.#total(from, to), others, zero);
    const [before, after] = [this.#round(from), this.#round(to)];
    const counters = awaitedBy(this.#context, this.#measured.askers, this.#measured.counters);
    return this.#measured.askers.map((as, nth) => {
      const named = namesOf(this.#context, as);
      const whyOpen = (counter: Awaited): Withheld | null => {
        const lapse = lapseOf(chargePaceOf(this.#context), counter);
        const isOpen = open.some(({ name }) => name === counter.name);
        return lapse ?? (isOpen ? new Withheld(`unsettled: no charge showed within ${seconds(waited_ms)}`) : null);
      };
      return {
        // Each round has one read by each asker.
        exchange: after.exchanges[nth] as AnsweredExchange,
        before: before.exchanges[nth] as AnsweredExchange,
        of: (at) => {
          const value = total.get(named(at));
          if (!value) throw notTested(`${at} wasn't a number in each read`);
          if (!this.#isSteady(named(at)))
            throw new Withheld(`${at} moves without calls of this run: others use the project`);
          const counter = counters.find(({ figures }) => figures.includes(named(at)));
          const reason = counter && whyOpen(counter);
          if (reason) throw reason;
          return value;
        },
        moved: () =>
          documentedPlaces.filter((at) => {
            const name = named(at);
            // Reads may show late, so that what they move is no sign of other calls.
            const isKnown = this.#isSteady(name) && !chargePaceOf(this.#context).byReads.has(name);
            return isKnown && !(total.get(name) ?? zero).eq(0);
          }),
      };
    });
  }

  get #last(): Round {
    return this.#round(this.reads);
  }

  /** The first is that before the calls. */
  #round(nth: number): Round {
    return this.#rounds[nth] ?? this.#start.round;
  }

  #total(from = 0, to = this.reads): MeterFigures {
    return minus(minus(this.#round(to).figures, this.#round(from).figures), times(this.#start.self, to - from));
  }

  #isSteady(name: string): boolean {
    return !this.#start.moving.has(name) && !chargePaceOf(this.#context).restless.has(name);
  }

  /** Learns how long the charges took that the last read shows first; returns the counters that show none yet. */
  #noteShown(isAgain: boolean): readonly Awaited[] {
    const grown = this.#total();
    for (const { counter, name, figures } of this.#awaited) {
      if (this.#shown.has(name) || !figures.some((figure) => this.#hasGrown(figure, grown))) continue;
      this.#shown.add(name);
      if (this.#isCalled && !(isAgain && this.#owed.size > 0))
        learnLag(this.#context, counter, this.now_ms - this.#lastCalls_ms, this.now_ms === this.#firstRead_ms);
    }
    return this.#awaited.filter(({ name }) => !this.#shown.has(name));
  }

  #hasGrown(name: string, grown: MeterFigures): boolean {
    const by = grown.get(name) ?? zero;
    if (!this.#isSteady(name)) return false;
    // Earlier calls may show now, those of unknown price in any total.
    if (this.#owed.size > 0 && slowest_ms(chargePaceOf(this.#context)) === null)
      return by.gt(this.#owed.get(name) ?? by);
    // Where reads are counted late, the figures that they move seem to fall for a while.
    return (this.#start.self.get(name) ?? zero).eq(0) ? !by.eq(0) : by.gt(0);
  }
}

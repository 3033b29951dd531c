// Usage measurement: growth of figures by calls, though charges may be late (§2.1, §4.2).
import Big from "big.js";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { notTested } from "../shared/masked.ts";
import { type Awaited, awaitedBy, type ChargePace, chargePaceOf, seconds, waits_ms } from "./chargePace.ts";
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

/** What shows within this time, or that known of a counter, is taken for the charge of the last calls. */
const soon_ms = 30_000;

/** Enough reads for a fraction of a credit per read to show. */
const idleReads = 10;

/** From one read to another, by their numbers; 0 is that before the calls. */
export interface Between {
  readonly from: number;
  readonly to: number;
}

/** Figures that have settled, and how they grow from there. */
export class Measurement {
  readonly #context: Reader;
  readonly #measured: MeasuredUsage;
  readonly #pace: ChargePace;
  readonly #start: Round;
  /** What one round of reads adds to the figures. */
  readonly #self: MeterFigures;
  /** Figures that moved by themselves. */
  readonly #moving: ReadonlySet<string>;
  readonly #awaited: readonly Awaited[];
  readonly #rounds: Round[] = [];
  /** Growth before the last mark. */
  #marked: MeterFigures;
  /** When the last calls were sent. */
  #lastCalls_ms: number;
  /** Whether there were any: what control consumes shows nothing of their pace. */
  #isCalled = false;
  /** When the first read after them was sent. */
  #firstRead_ms: number | null = null;
  /** By figure: when it last moved. */
  readonly #moved_ms = new Map<string, number>();
  /** By counter: when the first calls were sent that it doesn't show yet. */
  readonly #unshownCalls_ms = new Map<string, number>();

  private constructor(context: Reader, measured: MeasuredUsage, { round: start, self, moving }: Start) {
    this.#context = context;
    this.#measured = measured;
    this.#pace = chargePaceOf(context);
    this.#start = start;
    this.#self = self;
    this.#moving = moving;
    const { askers, payers = askers, counters } = measured;
    this.#awaited = awaitedBy(context, payers, counters).filter(
      (one) =>
        !this.#pace.lapseOf(one) &&
        !isUsedUp(one.figures, start.figures) &&
        one.figures.slice(0, 1).every((name) => this.#isSteady(name)),
    );
    this.#marked = minus(start.figures, start.figures);
    this.#lastCalls_ms = sentAt_ms(start);
    for (const { name } of this.#awaited) this.#unshownCalls_ms.set(name, this.#lastCalls_ms);
  }

  /** @param pause_ms how long figures must have stayed the same */
  static begin = async (context: Reader, measured: MeasuredUsage, pause_ms = 0): Promise<Measurement> =>
    new Measurement(context, measured, await settledStart(context, measured, pause_ms));

  /**
   * Reads until each counter has grown since the last mark, or was waited for long enough.
   * @param within_ms how long a counter is waited for, from the last calls
   * @returns those that haven't grown
   */
  async untilShown(within_ms: (one: Awaited) => number): Promise<readonly Awaited[]> {
    const called = calledSince(this.#context, this.#measured.askers, numberOf(this.#start));
    this.#lastCalls_ms = Math.max(this.#lastCalls_ms, ...called.map(({ sentAt_ms }) => sentAt_ms));
    this.#isCalled = called.length > 0;
    this.#firstRead_ms = null;
    for (;;) {
      await this.read();
      const grown = minus(this.#total(), this.#marked);
      const unshown = this.#awaited.filter((one) => !this.#hasShown(one, grown));
      const waited_ms = this.now_ms - this.#lastCalls_ms;
      const left_ms = Math.max(...unshown.map(within_ms)) - waited_ms;
      if (left_ms <= 0) return unshown;
      // Few reads, and yet a close look when charges are due.
      const known_ms = this.#pace.shownWithin_ms;
      const wait_ms = waited_ms < known_ms / 2 ? known_ms / 2 - waited_ms : Math.max(known_ms / 6, waited_ms / 4);
      await this.#context.wait(Math.min(left_ms, Math.max(shortest_ms, wait_ms)));
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
      const earlier = this.#last;
      await this.read();
      const moved = minus(minus(this.#last.figures, earlier.figures), this.#self);
      const moving = wanted.filter((name) => this.#isSteady(name) && !(moved.get(name) ?? zero).eq(0));
      if (moving.length === 0) return;
      if (tries === mostTries - 1) for (const name of moving) this.#pace.restless.add(name);
    }
  }

  /** Others may begin where it ended, as its figures are settled. */
  rest(): void {
    const { askers } = this.#measured;
    this.#pace.ended(this);
    if (this.#moving.size === 0) this.#pace.rested = { askers, round: this.#last, self: this.#self };
  }

  /** Marks the growth so far as known, before further calls. */
  mark(): void {
    this.#marked = this.#total();
    this.#lastCalls_ms = this.now_ms;
    for (const { name } of this.#awaited)
      this.#unshownCalls_ms.set(name, this.#unshownCalls_ms.get(name) ?? this.#lastCalls_ms);
  }

  /** From the last read before the calls to the first one after them, in ms. */
  get spread_ms(): number {
    return sentAt_ms(this.#rounds[0] ?? this.#start) - this.began_ms;
  }

  /** Whether none of the counters has grown since the calls. */
  isUnmoved(open: readonly Awaited[]): boolean {
    return open.length === this.#awaited.length;
  }

  /** Notes how long the last charges took that showed, once all have. */
  noteLast(): void {
    for (const { counter, figures } of this.#awaited)
      for (const name of figures) {
        const took_ms = (this.#moved_ms.get(name) ?? 0) - this.#lastCalls_ms;
        if (took_ms > 0 && this.#isSteady(name))
          this.#pace.note(counter, took_ms, this.#moved_ms.get(name) === this.#firstRead_ms);
      }
  }

  get began_ms(): number {
    return sentAt_ms(this.#start);
  }

  get now_ms(): number {
    return sentAt_ms(this.#last);
  }

  /** The last read. @throws Error without askers */
  get last(): AnsweredExchange {
    const last = this.#last.exchanges.at(-1);
    if (!last) throw new Error("nobody reads usage");
    return last;
  }

  /** Reads without calls: figures that move all the same aren't judged any more. @param wait_ms between two reads */
  static async idle(context: Reader, measured: MeasuredUsage, pause_ms: number, wait_ms: number): Promise<void> {
    const measurement = await Measurement.begin(context, measured, pause_ms);
    for (let nth = 0; nth < idleReads; nth += 1) {
      await context.wait(wait_ms);
      await measurement.read();
    }
    for (const [name, by] of measurement.#total()) if (!by.eq(0)) chargePaceOf(context).restless.add(name);
  }

  /**
   * In the order of the askers.
   * @param open counters whose charges may show later
   * @param others what other calls are known to have added
   * @param between by the reads of a part of it
   */
  growths(
    open: readonly Awaited[] = [],
    others: MeterFigures = new Map(),
    between: Between = this.#all,
  ): readonly Growth[] {
    const isOpen = (name: string): boolean => open.some((one) => one.name === name);
    const late = () => new Withheld(`unsettled: no charge showed within ${seconds(this.now_ms - this.began_ms)}`);
    const total = minus(this.#total(between), others, zero);
    const before = this.#round(between.from);
    const after = this.#round(between.to);
    const counters = awaitedBy(this.#context, this.#measured.askers, this.#measured.counters);
    return this.#measured.askers.map((as, nth) => {
      const named = namesOf(this.#context, as);
      // Each round has one read by each asker.
      const [exchange, earlier] = [after.exchanges[nth], before.exchanges[nth]] as [AnsweredExchange, AnsweredExchange];
      return {
        exchange,
        before: earlier,
        of: (at) => {
          const value = total.get(named(at));
          if (!value) throw notTested(`${at} wasn't a number in each read`);
          if (!this.#isSteady(named(at)))
            throw new Withheld(`${at} moves without calls of this run: others use the project`);
          const counter = counters.find(({ figures }) => figures.includes(named(at)));
          const lapse = counter && (this.#pace.lapseOf(counter) ?? (isOpen(counter.name) ? late() : null));
          if (lapse) throw lapse;
          return value;
        },
        moved: () =>
          documentedPlaces.filter((at) => {
            const name = named(at);
            return !(total.get(name) ?? zero).eq(0) && this.#isKnown(name);
          }),
      };
    });
  }

  get #last(): Round {
    return this.#rounds.at(-1) ?? this.#start;
  }

  async read(): Promise<void> {
    const before = this.#last;
    this.#rounds.push(await readAll(this.#context, this.#measured.askers));
    this.#firstRead_ms ??= this.now_ms;
    const by = minus(minus(this.#last.figures, before.figures), this.#self);
    for (const [name, moved] of by) if (!moved.eq(0)) this.#moved_ms.set(name, this.now_ms);
  }

  /** How many reads there were since the first. */
  get reads(): number {
    return this.#rounds.length;
  }

  get #all(): Between {
    return { from: 0, to: this.reads };
  }

  /** The first is that before the calls. */
  #round(nth: number): Round {
    return this.#rounds[nth - 1] ?? this.#start;
  }

  #total({ from, to }: Between = this.#all): MeterFigures {
    return minus(minus(this.#round(to).figures, this.#round(from).figures), times(this.#self, to - from));
  }

  #isSteady(name: string): boolean {
    return !this.#moving.has(name) && !this.#pace.restless.has(name);
  }

  /** Reads may show late, so that what they move is no sign of other calls. */
  #isKnown(name: string): boolean {
    return this.#isSteady(name) && !this.#pace.byReads.has(name);
  }

  /** Whether a counter has grown since the last mark, which shows how long charges take. */
  #hasShown({ counter, name, figures }: Awaited, grown: MeterFigures): boolean {
    const { pending } = this.#pace;
    const hasGrown = (one: string, by: Big): boolean => {
      // Earlier calls may show now, those of unknown price in any total.
      if (pending.size > 0) return by.gt(pending.get(one) ?? by);
      // Where reads are counted late, the figures that they move seem to fall for a while.
      return (this.#self.get(one) ?? zero).eq(0) ? !by.eq(0) : by.gt(0);
    };
    const isShown = figures.some((one) => this.#isSteady(one) && hasGrown(one, grown.get(one) ?? zero));
    const since_ms = this.#unshownCalls_ms.get(name);
    if (!isShown || !this.#isCalled || since_ms === undefined) return isShown;
    this.#unshownCalls_ms.delete(name);
    // That of the last calls, else that of the oldest ones that hadn't shown.
    const sinceLast_ms = this.now_ms - this.#lastCalls_ms;
    const { shown_ms } = this.#pace;
    const known_ms = shown_ms.get(counter) ?? 0;
    const took_ms = sinceLast_ms <= Math.max(soon_ms, 1.2 * known_ms) ? sinceLast_ms : this.now_ms - since_ms;
    this.#pace.note(counter, took_ms, this.now_ms === this.#firstRead_ms);
    return true;
  }
}

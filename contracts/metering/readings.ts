// Readings: reads of usage one after the other from settled figures on, and how figures grew between them (§2.1, §4.1).
import { notSettled, Withheld } from "../../harness/core/outcomes.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { notTested } from "../shared/masked.ts";
import { type Awaited, awaitedBy, chargePaceOf, lapseOf, seconds } from "./chargePace.ts";
import {
  calledSince,
  type Growth,
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
} from "./meterRounds.ts";
import { type Start, settledStart } from "./settledStart.ts";

const noFigures: MeterFigures = new Map();

interface GrowthOptions {
  /** Counters whose charges may show later. */
  readonly open?: readonly Awaited[];
  /** What other calls are known to have added. */
  readonly others?: MeterFigures;
  /** From one read to another, by their numbers, where 0 is that before the calls; all by default. */
  readonly between?: { readonly from: number; readonly to: number };
}

/** A move of a figure: the number of the read that showed it, and when that was sent, as Unix time in ms. */
export interface FigureMove {
  readonly read: number;
  readonly at_ms: number;
}

/** Reads of some askers' usage, from settled figures on. */
export class Readings {
  readonly #context: Reader;
  readonly #measured: MeasuredUsage;
  readonly start: Start;
  readonly #rounds: Round[];
  /** By figure: the read that showed last that it moved. */
  readonly #moved = new Map<string, number>();

  private constructor(context: Reader, measured: MeasuredUsage, start: Start) {
    this.#context = context;
    this.#measured = measured;
    this.start = start;
    this.#rounds = [start.round];
  }

  /** @param pause_ms how long figures must have stayed the same */
  static async begin(context: Reader, measured: MeasuredUsage, pause_ms = 0): Promise<Readings> {
    return new Readings(context, measured, await settledStart(context, measured, pause_ms));
  }

  async read(): Promise<void> {
    this.#rounds.push(await readAll(this.#context, this.#measured.askers));
    for (const [name, moved] of this.total(this.count - 1)) if (!moved.eq(0)) this.#moved.set(name, this.count);
  }

  /** How many there were since the first. */
  get count(): number {
    return this.#rounds.length - 1;
  }

  get began_ms(): number {
    return sentAt_ms(this.start.round);
  }

  get now_ms(): number {
    return sentAt_ms(this.lastRound);
  }

  /** From the last read before the calls to the first one after them, in ms. */
  get spread_ms(): number {
    return sentAt_ms(this.#round(1)) - this.began_ms;
  }

  get lastRound(): Round {
    return this.#round(this.count);
  }

  /** The last read. @throws Error without askers */
  get last(): AnsweredExchange {
    const last = this.lastRound.exchanges.at(-1);
    if (!last) throw new Error("nobody reads usage");
    return last;
  }

  /** What was sent since the start with keys of its projects, but for reads of the meter. */
  get called() {
    return calledSince(this.#context, this.#measured.askers, numberOf(this.start.round));
  }

  /** How figures grew from one read to another, without what the reads themselves add. */
  total(from = 0, to = this.count): MeterFigures {
    return minus(minus(this.#round(to).figures, this.#round(from).figures), times(this.start.self, to - from));
  }

  /** The last move of a figure; null where it never moved. */
  lastMove(name: string): FigureMove | null {
    const read = this.#moved.get(name);
    return read === undefined ? null : { read, at_ms: sentAt_ms(this.#round(read)) };
  }

  /** Whether a figure moves by calls alone, as far as is known. */
  isSteady(name: string): boolean {
    return !this.start.moving.has(name) && !chargePaceOf(this.#context).restless.has(name);
  }

  /** In the order of the askers. Evaluated when it is asked for, as more may be known then of figures that move. */
  growths({ open = [], others = noFigures, between }: GrowthOptions = {}): readonly Growth[] {
    const { from, to } = between ?? { from: 0, to: this.count };
    const waited_ms = this.now_ms - this.began_ms;
    const total = minus(this.total(from, to), others, zero);
    const [before, after] = [this.#round(from), this.#round(to)];
    const counters = awaitedBy(this.#context, this.#measured.askers, this.#measured.counters);
    return this.#measured.askers.map((as, nth) => {
      const named = namesOf(this.#context, as);
      const whyOpen = (counter: Awaited): Withheld | null => {
        const lapse = lapseOf(chargePaceOf(this.#context), counter);
        const isOpen = open.some(({ name }) => name === counter.name);
        return lapse ?? (isOpen ? notSettled(`no charge showed within ${seconds(waited_ms)}`) : null);
      };
      return {
        // Each round has one read by each asker.
        exchange: after.exchanges[nth] as AnsweredExchange,
        before: before.exchanges[nth] as AnsweredExchange,
        of: (at) => {
          const value = total.get(named(at));
          if (!value) throw notTested(`${at} wasn't a number in each read`);
          if (!this.isSteady(named(at)))
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
            const isKnown = this.isSteady(name) && !chargePaceOf(this.#context).byReads.has(name);
            return isKnown && !(total.get(name) ?? zero).eq(0);
          }),
      };
    });
  }

  /** The first is that before the calls. */
  #round(nth: number): Round {
    return this.#rounds[nth] ?? this.start.round;
  }
}

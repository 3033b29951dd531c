// Usage measurement: waits until the charges of calls show and stand still, and learns how late they are (§2.1, §4.2).
import {
  type Awaited,
  awaitedBy,
  chargePaceOf,
  doubtedPause_ms,
  lapseOf,
  learnLag,
  learnPace,
  learnRestless,
  shownWithin_ms,
  showsAtOnce,
  slowest_ms,
  waits_ms,
} from "./chargePace.ts";
import { isUsedUp, type MeasuredUsage, type MeterFigures, type Reader, zero } from "./meterRounds.ts";
import { type FigureMove, Readings } from "./readings.ts";
import { fewTries, moving_ms } from "./settledStart.ts";

const [shortest_ms] = waits_ms;

/** The longest wait from one read to the next: caches are made anew when they are read. */
const longestPause_ms = 8_000;

const withinPauses = (wait_ms: number): number => Math.max(shortest_ms, Math.min(wait_ms, longestPause_ms));

/** How long figures that aren't as required must stand still, in ms: at least, and by the longest lag seen. */
const stillness = { least_ms: 9_000, timesSlowest: 3 } as const;

/** Counters that calls move, from settled figures on. */
export class Measurement {
  readonly #context: Reader;
  readonly #measured: MeasuredUsage;
  readonly readings: Readings;
  /** What calls before it may still add. */
  readonly #owed: MeterFigures;
  readonly #awaited: readonly Awaited[];
  /** When the last calls were sent, and the first read after them; null where what is consumed is no call. */
  #lastCalls: { readonly at_ms: number; readonly firstRead: number } | null = null;
  /** Counters that have grown since the calls, by role and counter. */
  readonly #shown = new Set<string>();

  private constructor(context: Reader, measured: MeasuredUsage, readings: Readings, owed: MeterFigures) {
    this.#context = context;
    this.#measured = measured;
    this.readings = readings;
    this.#owed = owed;
    const { askers, payers = askers, counters } = measured;
    this.#awaited = awaitedBy(context, payers, counters).filter(
      (awaited) =>
        !lapseOf(chargePaceOf(context), awaited) &&
        !isUsedUp(awaited.figures, readings.start.round.figures) &&
        awaited.figures.slice(0, 1).every((name) => readings.isSteady(name)),
    );
  }

  /**
   * @param pause_ms how long figures must have stayed the same
   * @param owed by role and place: what calls before it may still add
   */
  static async begin(
    context: Reader,
    measured: MeasuredUsage,
    pause_ms = 0,
    owed: MeterFigures = new Map(),
  ): Promise<Measurement> {
    return new Measurement(context, measured, await Readings.begin(context, measured, pause_ms), owed);
  }

  /** Notes that calls were sent whose charges are waited for. */
  noteCalls(): void {
    const { called, count } = this.readings;
    const at_ms = Math.max(...called.map(({ sentAt_ms }) => sentAt_ms));
    this.#lastCalls = called.length > 0 ? { at_ms, firstRead: count + 1 } : null;
  }

  /** Whether any counter has grown since the calls. */
  get isShown(): boolean {
    return this.#shown.size > 0;
  }

  /**
   * Reads until each counter has grown since the start, or was waited for long enough since the last calls, and then
   * until nothing that is measured moves. Figures that never stand still are taken to move without calls.
   * @param isAsRequired then figures stand still shortly, else for longer than any charge took; where nothing is
   * required, shortly, once as much time has passed as the slowest charge took
   * @returns the counters that haven't grown
   */
  async untilSettled(
    within_ms: (awaited: Awaited) => number,
    isAsRequired: (() => boolean) | null = null,
  ): Promise<readonly Awaited[]> {
    const { readings } = this;
    const called_ms = this.#lastCalls?.at_ms ?? readings.began_ms;
    for (let moves = 0; ; ) {
      await readings.read();
      const unshown = this.#noteShown();
      const waited_ms = readings.now_ms - called_ms;
      const left_ms = Math.max(...unshown.map(within_ms)) - waited_ms;
      if (left_ms > 0) {
        await this.#context.wait(Math.min(left_ms, this.#pauseUntilDue_ms(waited_ms)));
        continue;
      }
      const isRight = isAsRequired?.() ?? true;
      const still_ms = this.#stillFor_ms(isRight);
      const lastMove = this.#lastMove();
      // A figure may show later than another.
      const due_ms = isAsRequired || unshown.length > 0 ? 0 : shownWithin_ms(chargePaceOf(this.#context));
      const rest_ms = Math.max((lastMove?.at_ms ?? 0) + still_ms, readings.began_ms + due_ms) - readings.now_ms;
      if (!lastMove || rest_ms <= 0) return unshown;
      if (lastMove.read === readings.count) moves += 1;
      const isLongAgo = isRight || waited_ms >= Math.max(doubtedPause_ms, still_ms);
      if (moves >= (still_ms < moving_ms ? waits_ms.length : fewTries) && isLongAgo) {
        // Reads that count late may move what isn't as required: a search for such figures tells.
        if (isRight) learnRestless(this.#context, this.#movedSince(readings.now_ms - still_ms));
        return unshown;
      }
      // What isn't as required may become so any time, and when it does shows how late charges are.
      const look_ms = isRight ? rest_ms : Math.min(rest_ms, this.#pauseUntilRight_ms(lastMove));
      await this.#context.wait(Math.max(waits_ms[moves - 1] ?? shortest_ms, look_ms));
    }
  }

  /** Learns how long the last charges took, where all that moved was the calls'. */
  learnLast(): void {
    for (const { counter, name } of this.#steadyFigures()) {
      const move = this.readings.lastMove(name);
      if (move) this.#learnLag(counter, move);
    }
  }

  /** Ends it. @param isSettled whether others may begin where it ended */
  end(isSettled: boolean): void {
    const { start, last, lastRound, now_ms, began_ms } = this.readings;
    const { askers } = this.#measured;
    const rests = isSettled && start.moving.size === 0;
    learnPace(this.#context, {
      lastRead: last.number,
      waited_ms: chargePaceOf(this.#context).waited_ms + now_ms - began_ms,
      rested: rests ? { askers, round: lastRound, self: start.self } : null,
    });
  }

  /** Few reads, and yet a close look when charges are due. @param waited_ms since the calls */
  #pauseUntilDue_ms(waited_ms: number): number {
    const known_ms = shownWithin_ms(chargePaceOf(this.#context));
    return withinPauses(waited_ms < known_ms / 2 ? known_ms / 2 - waited_ms : Math.max(known_ms / 6, waited_ms / 4));
  }

  /** A close look after each move, as the next may be the last, whose lag is learnt. */
  #pauseUntilRight_ms({ at_ms }: FigureMove): number {
    const known_ms = shownWithin_ms(chargePaceOf(this.#context));
    return withinPauses(Math.max(known_ms / 6, (this.readings.now_ms - at_ms) / 2));
  }

  /** How long figures must stand still, in ms. The last call shows last, and the calls took that long. */
  #stillFor_ms(isRight: boolean): number {
    const pace = chargePaceOf(this.#context);
    const least_ms = Math.max(shortest_ms, showsAtOnce(pace) ? 0 : 1.5 * this.readings.spread_ms);
    if (isRight) return least_ms;
    return Math.max(least_ms, stillness.least_ms, stillness.timesSlowest * shownWithin_ms(pace));
  }

  /** The last move of anything that is measured; null where nothing has moved. */
  #lastMove(): FigureMove | null {
    const moves = this.#steadyFigures().flatMap(({ name }) => this.readings.lastMove(name) ?? []);
    return moves.reduce<FigureMove | null>((last, move) => (last && last.read >= move.read ? last : move), null);
  }

  #movedSince(from_ms: number): readonly string[] {
    const names = this.#steadyFigures().map(({ name }) => name);
    return names.filter((name) => (this.readings.lastMove(name)?.at_ms ?? 0) > from_ms);
  }

  #steadyFigures() {
    return this.#awaited.flatMap(({ counter, figures }) =>
      figures.filter((name) => this.readings.isSteady(name)).map((name) => ({ counter, name })),
    );
  }

  #learnLag(counter: string, { read, at_ms }: FigureMove): void {
    if (!this.#lastCalls || at_ms <= this.#lastCalls.at_ms) return;
    learnLag(this.#context, counter, at_ms - this.#lastCalls.at_ms, read === this.#lastCalls.firstRead);
  }

  /** Learns how long the charges took that the last read shows first; returns the counters that show none yet. */
  #noteShown(): readonly Awaited[] {
    const { count: read, now_ms: at_ms } = this.readings;
    const grown = this.readings.total();
    for (const { counter, name, figures } of this.#awaited) {
      if (this.#shown.has(name) || !figures.some((figure) => this.#hasGrown(figure, grown))) continue;
      this.#shown.add(name);
      this.#learnLag(counter, { read, at_ms });
    }
    return this.#awaited.filter(({ name }) => !this.#shown.has(name));
  }

  #hasGrown(name: string, grown: MeterFigures): boolean {
    const by = grown.get(name) ?? zero;
    if (!this.readings.isSteady(name)) return false;
    // Earlier calls may show now, those of unknown price in any total.
    if (this.#owed.size > 0 && slowest_ms(chargePaceOf(this.#context)) === null)
      return by.gt(this.#owed.get(name) ?? by);
    // Where reads are counted late, the figures that they move seem to fall for a while.
    return (this.readings.start.self.get(name) ?? zero).eq(0) ? !by.eq(0) : by.gt(0);
  }
}

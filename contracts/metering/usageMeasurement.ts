// By how much do projects' figures grow while something is asked? Charges may show late, reads may count themselves, and replicas may be out of step. (§2.1, §4.2)
import Big from "big.js";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker } from "../../harness/core/stimulus.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import { outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { usage } from "../shared/stimuli.ts";
import { documentedPlaces, figure } from "../usage/usageReader.ts";

/** What one asker was told. */
export interface Growth {
  /** The last read: what is found is shown by it. */
  readonly exchange: Exchange;
  readonly before: Exchange;
  /** By how much a figure grew, beyond what the reads themselves add (OBS-MET-SELF). */
  of(at: string): Big;
  /** Every figure that grew or fell. */
  readonly moved: readonly string[];
}

/** What measuring usage takes of a context. */
export type Reader = Pick<CheckContext, "ask" | "fresh" | "once" | "wait">;

/** From one read to the next, in ms. Doubled, so that little is waited for what shows at once. */
export const waits_ms = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;

/** So long is a charge waited for, at most: 63.75 s. */
export const patience_ms = waits_ms.reduce<number>((total, wait_ms) => total + wait_ms, 0);

/** What is known of a platform's meters, learnt in one run. */
export interface Pace {
  /** The longest that a charge took to show; null: none has shown yet. */
  slowest_ms: number | null;
  /** Whether reading usage moves its figures. */
  readsCount: boolean;
}

const soon_ms = 10_000;

/** So many that a fraction of a credit per read shows. */
const idleReads = 10;

/** From one read to the next where figures move although nothing is asked; in ms. */
const moving_ms = 3_000;

export const paceOf = ({ once }: Pick<Reader, "once">): Pace =>
  once("pace of charges", () => ({ slowest_ms: null, readsCount: false }));

/** Exact figures of all askers, by number of the asker and pointer. */
type Figures = ReadonlyMap<string, Big>;

const nameOf = (nth: number, at: string): string => `${nth} ${at}`;
const zero = new Big(0);
/** A figure that was missing before can't be said to have grown. */
const minus = (after: Figures, before: Figures): Figures =>
  new Map(
    [...after].flatMap(([name, value]) => {
      const earlier = before.get(name);
      return earlier ? [[name, value.minus(earlier)] as const] : [];
    }),
  );
const isSame = (a: Figures, b: Figures): boolean => [...a].every(([name, value]) => value.eq(b.get(name) ?? zero));
const times = (figures: Figures, count: number): Figures =>
  new Map([...figures].map(([name, value]) => [name, value.times(count)]));

/** One read by each asker. */
interface Round {
  readonly exchanges: readonly Exchange[];
  readonly figures: Figures;
}

async function roundOf(context: Reader, askers: readonly Asker[]): Promise<Round> {
  const exchanges: Exchange[] = [];
  const figures = new Map<string, Big>();
  for (const [nth, as] of askers.entries()) {
    const exchange = await context.ask(context.fresh(usage({ as })));
    if (exchange.answer?.status !== 200)
      throw new Withheld(`masked: the usage of ${as} returned ${outcomeOf(exchange)}`);
    exchanges.push(exchange);
    for (const at of documentedPlaces) {
      const value = figure(exchange, at);
      if (value) figures.set(nameOf(nth, at), value);
    }
  }
  return { exchanges, figures };
}

const sentAt_ms = ({ exchanges }: Round): number => exchanges[0]?.sentAt_ms ?? 0;

/** Settled figures, and by how much they grow from there. */
export class Measurement {
  readonly #context: Reader;
  readonly #askers: readonly Asker[];
  readonly #start: Round;
  /** What one round of reads adds to its own figures. */
  readonly #self: Figures;
  readonly #rounds: Round[] = [];
  /** Growth that was seen before the last thing was asked. */
  #marked: Figures = new Map();
  #hasShown = false;
  /** When something was asked last. */
  #askedLast_ms: number;
  /** When the first thing was asked that hasn't shown yet. */
  #asked_ms: number;

  private constructor(context: Reader, askers: readonly Asker[], start: Round, self: Figures) {
    [this.#context, this.#askers, this.#start, this.#self, this.#asked_ms, this.#askedLast_ms] = [
      context,
      askers,
      start,
      self,
      sentAt_ms(start),
      sentAt_ms(start),
    ];
  }

  /**
   * Begins where two rounds of reads in a row have added the same, with so long a pause before each.
   * @param pauseAfter by the first read
   * @throws Withheld where figures don't stand still
   */
  static async begin(
    context: Reader,
    askers: readonly Asker[],
    pauseAfter: (read: Exchange | undefined) => number = () => 0,
  ): Promise<Measurement> {
    let previous = await roundOf(context, askers);
    let pause_ms = pauseAfter(previous.exchanges[0]);
    let self: Figures | null = null;
    // What came before may still be on its way.
    for (const wait_ms of [0, ...waits_ms]) {
      await context.wait(Math.max(wait_ms, pause_ms));
      const next = await roundOf(context, askers);
      const grown = minus(next.figures, previous.figures);
      const isStill = [...grown.values()].every((value) => value.eq(0));
      // One late charge after another looks like what reads add, until it ends.
      const isSlow = isStill || pause_ms >= moving_ms;
      if (self && isSlow && isSame(grown, self)) {
        if (!isStill) paceOf(context).readsCount = true;
        return new Measurement(context, askers, next, self);
      }
      pause_ms = isSlow ? pause_ms : moving_ms;
      [self, previous] = [grown, next];
    }
    throw new Withheld("its figures move although nothing is asked: somebody else uses the project");
  }

  /** Reads until something has grown for each payer since the last mark; after how long it showed in ms to anybody, null where it didn't within `within_ms`. */
  async shows(within_ms: number, payers = this.#askers): Promise<number | null> {
    let [waited_ms, shown_ms]: [number, number | null] = [0, null];
    for (const wait_ms of [...waits_ms, 0]) {
      await this.#read();
      // Each may be told by a replica of its own.
      const told = payers.filter((payer) => this.#hasGrown(this.#askers.indexOf(payer)));
      if (told.length > 0) shown_ms ??= this.#took_ms;
      this.#hasShown ||= told.length > 0;
      if (told.length === payers.length) return this.#took_ms;
      if (waited_ms >= within_ms) break;
      await this.#context.wait(wait_ms);
      waited_ms += wait_ms;
    }
    return shown_ms;
  }

  /**
   * Reads until two rounds in a row differ by no more than reading adds, with so long a pause between them at least.
   * @throws Withheld where figures don't stand still
   */
  async stands(pause_ms: number): Promise<void> {
    for (const wait_ms of waits_ms) {
      await this.#context.wait(Math.max(wait_ms, pause_ms));
      const earlier = this.#last;
      await this.#read();
      if (isSame(minus(this.#last.figures, earlier.figures), this.#self)) return;
    }
    throw new Withheld("its figures didn't come to a stand once something was asked");
  }

  /** What has grown so far is no news: something else is asked. */
  mark(): void {
    this.#marked = this.#total();
    this.#askedLast_ms = sentAt_ms(this.#last);
    if (this.#hasShown) this.#asked_ms = this.#askedLast_ms;
    this.#hasShown = false;
  }

  /** What shows soon after something was asked is taken for it; if it was for something older, the next will not show as soon. */
  get #took_ms(): number {
    const sinceLast_ms = sentAt_ms(this.#last) - this.#askedLast_ms;
    return sinceLast_ms <= soon_ms ? sinceLast_ms : sentAt_ms(this.#last) - this.#asked_ms;
  }

  /** From the last read before anything was asked to the first one after it, in ms. */
  get spread_ms(): number {
    return sentAt_ms(this.#rounds[0] ?? this.#start) - sentAt_ms(this.#start);
  }

  /** From the first thing asked to the last read, in ms. */
  get waited_ms(): number {
    return sentAt_ms(this.#last) - sentAt_ms(this.#start);
  }

  /** The number of the last read. */
  get last(): number {
    return this.#last.exchanges.at(-1)?.number ?? 0;
  }

  /**
   * Reads alone, which add the same each time.
   * @throws Withheld where they don't: what is rounded of a fraction of a credit
   */
  static async idle(context: Reader, askers: readonly Asker[]): Promise<void> {
    const measurement = await Measurement.begin(context, askers);
    for (let nth = 0; nth < idleReads; nth += 1) {
      await measurement.#read();
      if ([...measurement.#total().values()].some((value) => !value.eq(0)))
        throw new Withheld("its figures move although nothing is asked");
    }
  }

  /** In the order of the askers. */
  growths(): readonly Growth[] {
    const total = this.#total();
    return this.#askers.map((_, nth) => ({
      exchange: this.#exchangeOf(this.#last, nth),
      before: this.#exchangeOf(this.#start, nth),
      of: (at) => {
        const value = total.get(nameOf(nth, at));
        if (!value) throw new Withheld(`hidden: ${at} wasn't a number in each read`);
        return value;
      },
      moved: documentedPlaces.filter((at) => !(total.get(nameOf(nth, at)) ?? zero).eq(0)),
    }));
  }

  get #last(): Round {
    return this.#rounds.at(-1) ?? this.#start;
  }

  #exchangeOf({ exchanges }: Round, nth: number): Exchange {
    const exchange = exchanges[nth];
    if (!exchange) throw new Error("nothing was read");
    return exchange;
  }

  async #read(): Promise<void> {
    this.#rounds.push(await roundOf(this.#context, this.#askers));
  }

  #total(): Figures {
    return minus(minus(this.#last.figures, this.#start.figures), times(this.#self, this.#rounds.length));
  }

  /** Where reads count late, their own figures seem to fall for a while. */
  #hasGrown(nth: number): boolean {
    return [...this.#total()].some(([name, total]) => {
      const grown = total.minus(this.#marked.get(name) ?? zero);
      return (
        name.startsWith(nameOf(nth, "")) && (grown.gt(0) || (!grown.eq(0) && (this.#self.get(name) ?? zero).eq(0)))
      );
    });
  }
}

/** How long is waited in vain for what may not be charged at all; in ms. */
export const inVain_ms = ({ slowest_ms }: Pace): number => (slowest_ms === null ? patience_ms : 3 * slowest_ms + 1_000);

/** A while longer than a charge was ever seen to take. */
export const quiet_ms = ({ slowest_ms, readsCount }: Pace, least_ms: number): number =>
  readsCount || least_ms > 0 ? Math.max(least_ms, 1.5 * (slowest_ms ?? 0)) : 0;

interface Waiting {
  readonly within_ms?: number;
  /** Those whose figures are to grow; all of the askers unless told otherwise. */
  readonly payers?: readonly Asker[] | undefined;
}

/** Reads until what was asked has shown and figures stand; true where it showed. Nothing is waited for longer than charges were seen to take. */
export async function measure(
  measurement: Measurement,
  pace: Pace,
  { within_ms = inVain_ms(pace), payers }: Waiting = {},
): Promise<boolean> {
  const shown_ms = await measurement.shows(within_ms, payers);
  if (shown_ms === null) return false;
  pace.slowest_ms = Math.max(pace.slowest_ms ?? 0, shown_ms);
  // What was asked for last shows last; that long was asked.
  await measurement.stands(quiet_ms(pace, 0) || 1.5 * measurement.spread_ms);
  return true;
}

/** The growth of a project's figures by what is asked; nothing has moved where nothing shows. @throws Withheld where figures don't stand still */
export async function growthBy(context: Reader, as: Asker, ask: () => Promise<unknown>, pause_ms = 0): Promise<Growth> {
  const measurement = await Measurement.begin(context, [as], () => pause_ms);
  await ask();
  await measure(measurement, paceOf(context));
  return measurement.growths()[0] as Growth;
}

/** Why charges can't be told there; null where they can. */
export const notQuiet = ({ quiet, isReference, offers }: Target): string | null => {
  if (!offers.includes("usage")) return "the target doesn't offer usage, where charges show";
  return quiet || isReference ? null : "the target doesn't say `quiet: true`: others may use its projects meanwhile";
};

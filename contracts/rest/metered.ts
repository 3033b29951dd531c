// By how much do a project's figures grow while something is asked? Settled figures are told, unsettled ones are nobody's fault. (§2.1, §4.2)
import Big from "big.js";
import { type Bench, Withheld } from "../../harness/check.ts";
import type { Exchange } from "../../harness/exchange.ts";
import { outcomeOf } from "../../harness/rpc.ts";
import type { Asker } from "../../harness/stimulus.ts";
import type { Target } from "../../harness/target.ts";
import { usage } from "../stimuli.ts";
import { documentedPlaces, figure } from "./desk.ts";

export interface Growth {
  /** The last read: what is found is shown by it. */
  readonly exchange: Exchange;
  readonly before: Exchange;
  /** By how much a figure grew, beyond what the reads themselves add (OBS-MET-SELF). */
  of(at: string): Big;
  /** Every figure that grew or fell. */
  readonly moved: readonly string[];
}

/** From the call until it shows, at most; in ms. Doubled, so that little is waited for those that show at once. */
export const waits_ms = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000] as const;

/** Reads of one run are told apart by number. */
const reads = new WeakMap<Bench["target"], number>();

async function readBy(bench: Bench, as: Asker): Promise<Exchange> {
  const again = (reads.get(bench.target) ?? 10_000) + 1;
  reads.set(bench.target, again);
  const exchange = await bench.ask(usage({ as, again }));
  if (exchange.answer?.status !== 200) throw new Withheld(`hidden: the usage of ${as} drew ${outcomeOf(exchange)}`);
  return exchange;
}

type Figures = ReadonlyMap<string, Big>;

const figuresOf = (exchange: Exchange): Figures =>
  new Map(
    documentedPlaces.flatMap((at) => {
      const value = figure(exchange, at);
      return value ? [[at, value] as const] : [];
    }),
  );

const zero = new Big(0);
/** A figure that was missing before can't be said to have grown. */
const minus = (after: Figures, before: Figures): Figures =>
  new Map(
    [...after].flatMap(([at, value]) => {
      const earlier = before.get(at);
      return earlier ? [[at, value.minus(earlier)] as const] : [];
    }),
  );
const isSame = (a: Figures, b: Figures): boolean => [...a].every(([at, value]) => value.eq(b.get(at) ?? zero));
const times = (figures: Figures, count: number): Figures => new Map([...figures].map(([at, value]) => [at, value.times(count)]));

/** What one read adds to its own figures, learnt of two; where others use the project it isn't steady. */
async function selfOf(bench: Bench, as: Asker): Promise<{ readonly self: Figures; readonly last: Exchange }> {
  const [first, second] = [await readBy(bench, as), await readBy(bench, as)];
  let previous = second;
  let self = minus(figuresOf(second), figuresOf(first));
  // What came before may still be on its way.
  for (const wait_ms of waits_ms) {
    const next = await readBy(bench, as);
    const grown = minus(figuresOf(next), figuresOf(previous));
    if (isSame(grown, self)) return { self, last: next };
    [self, previous] = [grown, next];
    await bench.wait(wait_ms);
  }
  throw new Withheld("its figures move although nothing is asked: somebody else uses the project");
}

export interface Patience {
  /** How long it took to show before, in ms: what doesn't show in several times that doesn't show at all. */
  readonly shows_ms?: number;
}

/** The growth of a project's figures by what is asked, and after how long it showed. @throws Withheld where it doesn't show in time */
export async function growthBy(bench: Bench, as: Asker, ask: () => Promise<unknown>, { shows_ms }: Patience = {}): Promise<Growth & { readonly shown_ms: number | null }> {
  const { self, last } = await selfOf(bench, as);
  await ask();
  const start = figuresOf(last);
  let [count, waited_ms, shown_ms]: [number, number, number | null] = [1, 0, null];
  let exchange = await readBy(bench, as);
  let now = figuresOf(exchange);
  const grown = (): Figures => minus(minus(now, start), times(self, count));
  for (const wait_ms of waits_ms) {
    const isGrown = [...grown().values()].some((value) => !value.eq(0));
    if (isGrown) shown_ms ??= waited_ms;
    if (!isGrown && shows_ms !== undefined && waited_ms > 3 * shows_ms + 1_000) break;
    await bench.wait(wait_ms);
    waited_ms += wait_ms;
    const earlier = now;
    exchange = await readBy(bench, as);
    [now, count] = [figuresOf(exchange), count + 1];
    if (isGrown && isSame(minus(now, earlier), self)) break;
  }
  const total = grown();
  return {
    exchange,
    before: last,
    of: (at) => {
      const value = total.get(at);
      if (!value) throw new Withheld(`hidden: ${at} wasn't a number in each read`);
      return value;
    },
    moved: [...total].flatMap(([at, value]) => (value.eq(0) ? [] : [at])),
    shown_ms,
  };
}

/** So many that a fraction of a credit per read shows. */
const idleReads = 10;

/** Whether reads alone move every figure evenly: what is rounded of a fraction does not. */
export async function isSteady(bench: Bench, as: Asker): Promise<boolean> {
  const { self, last } = await selfOf(bench, as);
  let previous = figuresOf(last);
  for (let nth = 0; nth < idleReads; nth += 1) {
    const next = figuresOf(await readBy(bench, as));
    if (!isSame(minus(next, previous), self)) return false;
    previous = next;
  }
  return true;
}

/** Why charges can't be told there; null where they can. */
export const notQuiet = ({ quiet, isReference, offers }: Target): string | null => {
  if (!offers.includes("usage")) return "the target doesn't offer usage, where charges show";
  return quiet || isReference ? null : "the target doesn't say `quiet: true`: others may use its projects meanwhile";
};

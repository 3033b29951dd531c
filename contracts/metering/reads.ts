// One read of usage by each asker, and arithmetic on the figures (§4.1).
import Big from "big.js";
import type { Asker } from "../../harness/core/stimulus.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import { maskedBy } from "../shared/masked.ts";
import { usage } from "../shared/stimuli.ts";
import { documentedPlaces, figure } from "../usage/usageReader.ts";

/** What measuring usage takes of a context. */
export type Reader = Pick<CheckContext, "ask" | "fresh" | "once" | "target" | "wait">;

/** Exact figures of all askers, by number of the asker and pointer. */
export type Figures = ReadonlyMap<string, Big>;

export const nameOf = (nth: number, at: string): string => `${nth} ${at}`;
export const zero = new Big(0);
/** Differences of the figures that both have. */
export const minus = (after: Figures, before: Figures): Figures =>
  new Map(
    [...after].flatMap(([name, value]) => {
      const earlier = before.get(name);
      return earlier ? [[name, value.minus(earlier)] as const] : [];
    }),
  );
export const isSame = (a: Figures, b: Figures): boolean =>
  [...a].every(([name, value]) => value.eq(b.get(name) ?? zero));
export const times = (figures: Figures, count: number): Figures =>
  new Map([...figures].map(([name, value]) => [name, value.times(count)]));

/** One read by each asker. */
export interface Round {
  readonly exchanges: readonly Answered[];
  readonly figures: Figures;
}

/** @throws Withheld where usage isn't served */
export async function readAll(context: Reader, askers: readonly Asker[]): Promise<Round> {
  const exchanges: Answered[] = [];
  const figures = new Map<string, Big>();
  for (const [nth, as] of askers.entries()) {
    const exchange = await context.ask(context.fresh(usage({ as })));
    const { answer } = exchange;
    if (answer?.status !== 200) throw maskedBy(exchange, `the usage of ${as}`);
    exchanges.push({ ...exchange, answer });
    for (const at of documentedPlaces) {
      const value = figure(exchange, at);
      if (value) figures.set(nameOf(nth, at), value);
    }
  }
  return { exchanges, figures };
}

export const sentAt_ms = ({ exchanges }: Round): number => exchanges[0]?.sentAt_ms ?? 0;

// Reads of usage by several askers, the counters that they show, and growth of the figures (§2.1, §4.1).
import Big from "big.js";
import { near } from "../../harness/core/finding.ts";
import { apiOf } from "../../harness/core/interface.ts";
import { type Asker, keyHolders } from "../../harness/core/requestSpec.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import { keyOf, projectNameOf, type Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { maskedBy } from "../shared/masked.ts";
import { usageRequest } from "../shared/requestSpecs.ts";
import { figureAt, valueIn } from "../usage/usageReader.ts";

/** What measuring usage takes of a context. */
export type Reader = Pick<CheckContext, "ask" | "fresh" | "once" | "wait" | "target" | "exchanges">;

/** Places of figures of which a call moves at least one; each counter settles by itself. */
export type Counter = readonly string[];

/** Whose figures are read, whose calls are to move them (by default those of all), and the counters that these move. */
export interface MeasuredUsage {
  readonly askers: readonly Asker[];
  readonly payers?: readonly Asker[];
  readonly counters: readonly Counter[];
}

/** All figures below a pointer. */
export const counterOf = (start: string): Counter => documentedPlaces.filter((at) => at.startsWith(start));
/** Calls whose product isn't documented count in one of these. */
export const requestCounter = counterOf("/requests/");

/** Exact figures of all askers, by role and pointer. */
export type MeterFigures = ReadonlyMap<string, Big>;

export const projectOf = (target: Target, as: Asker): string => projectNameOf(target, as) ?? as;
/** The first of each project, by whose role its figures are named. */
export function onePerProject<As extends Asker>(target: Target, askers: readonly As[]): readonly As[] {
  const projects = askers.map((as) => projectOf(target, as));
  return askers.filter((_, nth) => projects.indexOf(projects[nth] ?? "") === nth);
}
const roleOf = ({ target }: Pick<Reader, "target">, as: Asker): Asker => keyOf(target, as)?.role ?? as;
/** Names an asker's figures. */
export function namesOf(context: Pick<Reader, "target">, as: Asker): (at: string) => string {
  const role = roleOf(context, as);
  return (at) => `${role} ${at}`;
}
export const nameIn = (context: Pick<Reader, "target">, as: Asker, at: string): string => namesOf(context, as)(at);
export const zero = new Big(0);
/** Differences of the figures; what the other lacks is left out, or taken as `missing`. */
export const minus = (after: MeterFigures, before: MeterFigures, missing?: Big): MeterFigures =>
  new Map(
    [...after].flatMap(([name, value]) => {
      const earlier = before.get(name) ?? missing;
      return earlier ? [[name, value.minus(earlier)] as const] : [];
    }),
  );
export const times = (figures: MeterFigures, count: number): MeterFigures =>
  new Map([...figures].map(([name, value]) => [name, value.times(count)]));
/** One read by each asker. */
export interface Round {
  readonly exchanges: readonly AnsweredExchange[];
  readonly figures: MeterFigures;
}

/** Figures that fall by use. */
export const fallsByUse = ["/creditsRemaining", "/prepaidCreditsRemaining"];
const isAt = (places: readonly string[], name: string): boolean => places.some((at) => name.endsWith(` ${at}`));

/** Whether some figures are those of pools alone, one of them used up: overage needn't come from any pool. */
export const isUsedUp = (names: readonly string[], figures: MeterFigures): boolean =>
  names.every((name) => isAt([...fallsByUse, "/prepaidCreditsUsed"], name)) &&
  names.some((name) => isAt(fallsByUse, name) && figures.get(name)?.eq(0));

/** The last read with a key, by whatever check, if nothing was called since that its project pays for. */
function lastRead(context: Reader, as: Asker): Exchange | undefined {
  // Test projects may stand in for the asker's own.
  if (context.target.control) return undefined;
  const { operation } = usageRequest({ as });
  const last = context
    .exchanges()
    .findLast(
      (one) =>
        one.isOwn &&
        one.requestSpec.operation === operation &&
        one.requestSpec.carriers.length === 1 &&
        one.asker?.role === roleOf(context, as) &&
        figureAt(one, "/creditsUsed"),
    );
  return last && isQuietSince(context, [as], last.number) ? last : undefined;
}

/**
 * The figures of a run's furthest reads so far: a cache or a replica may answer with older ones.
 * @param isAgain false where the last read of each serves if nothing was called since
 * @throws Withheld where usage isn't served
 */
export async function readAll(context: Reader, askers: readonly Asker[], isAgain = true): Promise<Round> {
  const furthest = context.once("furthest figures", () => new Map<string, Big>());
  const exchanges: AnsweredExchange[] = [];
  const figures = new Map<string, Big>();
  for (const as of askers) {
    const named = namesOf(context, as);
    const known = isAgain ? undefined : lastRead(context, as);
    const exchange = known ?? (await context.ask(context.fresh(usageRequest({ as }))));
    const { answer } = exchange;
    if (answer?.status !== 200) throw maskedBy(exchange, `the usage of ${as}`);
    exchanges.push({ ...exchange, answer });
    // Several projects may stand in for that of one role.
    const whose = `${exchange.asker?.role} ${JSON.stringify(valueIn(exchange, "/creditCycle/start"))}`;
    for (const at of documentedPlaces) {
      const value = figureAt(exchange, at);
      const known = furthest.get(`${whose} ${at}`);
      if (!value) continue;
      const isFurther = !known || (fallsByUse.includes(at) ? value.lt(known) : value.gt(known));
      if (isFurther) furthest.set(`${whose} ${at}`, value);
      figures.set(named(at), isFurther ? value : known);
    }
  }
  return { exchanges, figures };
}

export const sentAt_ms = ({ exchanges }: Round): number => exchanges[0]?.sentAt_ms ?? 0;

export const numberOf = ({ exchanges }: Round): number => exchanges.at(-1)?.number ?? 0;

type Log = Pick<Reader, "exchanges" | "target">;

/** What was sent with keys of these askers' projects since an exchange, but for reads of the meter. */
export const calledSince = ({ exchanges, target }: Log, askers: readonly Asker[], number: number) => {
  const { meter } = target.interface;
  const api = meter && apiOf(target.interface, meter);
  const own = askers.map((as) => projectOf(target, as));
  return exchanges().filter(
    (one) =>
      one.number > number &&
      one.requestSpec.api !== api &&
      keyHolders(one.requestSpec).some((as) => own.includes(projectOf(target, as))),
  );
};

export const isQuietSince = (log: Log, askers: readonly Asker[], number: number): boolean =>
  calledSince(log, askers, number).length === 0;

/** How the usage of one asker's project grew. */
export interface Growth {
  /** The last read, which shows what is found. */
  readonly exchange: AnsweredExchange;
  readonly before: AnsweredExchange;
  /**
   * By how much a figure grew, beyond what the reads themselves add (OBS-MET-SELF).
   * @throws Withheld where that isn't known: it moves without calls, or its charges don't show
   */
  of(at: string): Big;
  /** Every figure that grew or fell, but for those that move without calls. */
  moved(): readonly string[];
}

/** Growth by some calls, of which its project pays so many. */
export interface ChargedGrowth extends Growth {
  readonly calls: number;
}

/** The keys of `requests` that grew. */
export const requestsIn = ({ moved }: Growth): readonly string[] => moved().filter((at) => at.startsWith("/requests/"));

/** Grown by exactly this amount. */
export const grewBy = (growth: Growth, at: string, amount: number): Shown => ({
  exchange: growth.exchange,
  finding: near(at, growth.of(at), new Big(amount), { within: 0 }),
});

// Are the figures settled that charges are judged by? Settled is what a later charge of the same product has shown behind. (register, amendment 5)

import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker } from "../../harness/core/stimulus.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import { keyOf, type Target } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import {
  type Growth,
  inVain_ms,
  Measurement,
  measure,
  type Pace,
  paceOf,
  patience_ms,
  quiet_ms,
} from "./usageMeasurement.ts";

/** What is asked and charged, and what its growth must be. */
export interface Metered<Found> {
  /** Whose figures are read. */
  readonly askers: readonly Asker[];
  /** Those who pay for what is asked; all of them unless told otherwise. */
  readonly payers?: readonly Asker[];
  readonly feature: Feature;
  /** Asks what is charged, afresh each time; gives how many calls were made for each payer. */
  readonly ask: (context: CheckContext) => Promise<number>;
  /** One more call for each payer, under the same product; `nth` counts them from 0. */
  readonly later: (context: CheckContext, nth: number) => Promise<unknown>;
  /** What is found in the growth by so many calls. */
  readonly judge: (growths: readonly Growth[], calls: number) => Found;
  readonly isAsPromised: (found: Found) => boolean;
  /** Whether nothing was asked of these projects before, so that what shows can't come from then; it can't be had twice. */
  readonly isFirst?: boolean;
}

/** Charges that show one after another may be on their way in two heaps. */
const laterCalls = 2;
/** Figures that nothing is known of yet have stood for so long, and once more, before they count as settled. */
const unknownStands_ms = 3_000;
/** Where more shows than was asked for: so long, as it may come from before. */
const doubtedStands_ms = 12_000;
/** Where charges take longer, those of one check show in the middle of another. */
const longest_ms = 1.1 * patience_ms;
/** Where so many findings stood, the next is no chance. */
const enough = 2;
/** A later charge is waited for no longer than charges were seen to take, but for so long at least. */
const laterCharge_ms = 10_000;
/** So long is waited in one run for charges to show, all in all. */
const patienceOfRun_ms = 20 * 60_000;

/** What one run has learnt of the platform's charges. */
interface ChargeState {
  /** Projects whose figures were as promised, and the number of the exchange that showed it. */
  readonly inOrder: Map<string, number>;
  /** Why nothing can be told of a part's charges. */
  readonly owing: Map<Feature, string>;
  /** How many findings stood when all was done once more. */
  confirmed: number;
  waited_ms: number;
}

const stateOf = ({ once }: Pick<CheckContext, "once">): ChargeState =>
  once("state of charges", () => ({ inOrder: new Map(), owing: new Map(), confirmed: 0, waited_ms: 0 }));

const seconds = (duration_ms: number): string => `${Math.round(duration_ms / 1000)} s`;

/** Why it isn't worth asking; null where it is. */
function whyNot({ owing, waited_ms }: ChargeState, { slowest_ms }: Pace, feature: Feature): string | null {
  if (slowest_ms !== null && slowest_ms > longest_ms) return `unsettled: charges take ${seconds(slowest_ms)} to show`;
  if (waited_ms > patienceOfRun_ms)
    return `unsettled: charges take ${seconds(slowest_ms ?? 0)} to show, and ${seconds(waited_ms)} were waited in this run`;
  const [first] = owing.values();
  // Where no charge was ever seen to show, what was asked before may show at any time.
  return owing.get(feature) ?? (slowest_ms === null ? (first ?? null) : null);
}

/** How long figures must have stood before something is asked. */
function pauseBefore(
  context: CheckContext,
  askers: readonly Asker[],
  isDoubted: boolean,
  read: Exchange | undefined,
): number {
  const { target } = context;
  const pace = paceOf(context);
  if (target.isReference) return quiet_ms(pace, 0);
  if (isDoubted) return quiet_ms(pace, doubtedStands_ms);
  // Whatever else was asked meanwhile may be charged, and late.
  const isNext = (as: Asker): boolean =>
    stateOf(context).inOrder.get(projectOf(target, as)) === (read?.number ?? 0) - 1;
  return quiet_ms(pace, askers.every(isNext) ? 0 : unknownStands_ms);
}

const projectOf = (target: Target, as: Asker): string => keyOf(target, as)?.projectName ?? as;

/**
 * What is found in settled figures. Where they aren't as promised, later charges are waited for, and then all is done once more.
 * @throws Withheld where figures don't settle: with how long was waited
 */
export async function settled<Found>(context: CheckContext, metered: Metered<Found>): Promise<Found> {
  const { target } = context;
  const [state, pace] = [stateOf(context), paceOf(context)];
  const refusal = target.isReference ? null : whyNot(state, pace, metered.feature);
  if (refusal !== null) throw new Withheld(refusal);
  const projects = metered.askers.map((as) => projectOf(target, as));
  const first = await oneGo(context, metered, false);
  for (const project of projects) state.inOrder.delete(project);
  const isEnough = metered.isAsPromised(first.found) || metered.isFirst || state.confirmed >= enough;
  const last = isEnough ? first : await oneGo(context, metered, true);
  if (metered.isAsPromised(last.found)) for (const project of projects) state.inOrder.set(project, last.last);
  else {
    // A suspicious answer is asked for again, beside healthy calls that cost as well.
    if (last.isMore) throw new Withheld("masked: it had to be asked again");
    if (state.confirmed < enough) await Measurement.idle(context, metered.askers);
    state.confirmed += 1;
  }
  return last.found;
}

interface Gone<Found> {
  readonly found: Found;
  /** The number of the last exchange. */
  readonly last: number;
  /** Whether more was sent than was asked for. */
  readonly isMore: boolean;
}

/** Counts what is asked for, and tells whether more was sent since the last read. */
async function counted<T>(
  context: CheckContext,
  { last: lastRead }: Measurement,
  work: (context: CheckContext) => Promise<T>,
): Promise<{ readonly done: T; readonly isMore: boolean }> {
  let [asked, last] = [0, lastRead];
  const note = (exchange: Exchange): Exchange => {
    [asked, last] = [asked + 1, Math.max(last, exchange.number)];
    return exchange;
  };
  const done = await work({
    ...context,
    ask: async (stimulus) => note(await context.ask(stimulus)),
    atOnce: async (stimuli) => (await context.atOnce(stimuli)).map(note),
  });
  return { done, isMore: last - lastRead > asked };
}

async function oneGo<Found>(context: CheckContext, metered: Metered<Found>, isDoubted: boolean): Promise<Gone<Found>> {
  const { askers, payers, ask, judge, isAsPromised } = metered;
  const [state, pace] = [stateOf(context), paceOf(context)];
  const measurement = await Measurement.begin(context, askers, (read) => pauseBefore(context, askers, isDoubted, read));
  const judged = (): Found => judge(measurement.growths(), calls);
  let { done: calls, isMore } = await counted(context, measurement, ask);
  const gone = (found: Found): Gone<Found> => ({ found, last: measurement.last, isMore });
  try {
    let found = (await measure(measurement, pace, { payers })) ? judged() : null;
    for (let nth = 0; nth < laterCalls && (found === null || !isAsPromised(found)); nth += 1) {
      measurement.mark();
      const later = await counted(context, measurement, (own) => metered.later(own, nth));
      isMore ||= later.isMore;
      calls += 1;
      const isShown = await measure(measurement, pace, {
        within_ms: Math.min(patience_ms, Math.max(laterCharge_ms, inVain_ms(pace))),
        payers,
      });
      if (!isShown || (pace.slowest_ms ?? 0) > longest_ms)
        return gone(unsettled(context, metered, measurement, judged));
      found = judged();
    }
    return gone(found ?? judged());
  } finally {
    state.waited_ms += measurement.waited_ms;
  }
}

/** The reference hides no charge for so long; anybody else may. */
function unsettled<Found>(
  context: CheckContext,
  { feature }: Metered<Found>,
  { waited_ms }: Measurement,
  judged: () => Found,
): Found {
  if (context.target.isReference) return judged();
  const reason = `unsettled: no charge showed in time, and ${seconds(waited_ms)} were waited: it may come later`;
  stateOf(context).owing.set(feature, reason);
  throw new Withheld(reason);
}

/** Of checks whose findings are told as they are. */
export const holds = (shown: readonly Shown[]): boolean => shown.every(({ finding }) => finding.outcome === "held");

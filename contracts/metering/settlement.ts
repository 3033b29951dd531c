// Settlement of charges: settled once a later charge of the same product shows (amendment 5).
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import { keyOf, type Target } from "../../harness/target/target.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { usage } from "../shared/stimuli.ts";
import type { Growth, Pace } from "./usageMeasurement.ts";
import { longestWait_ms, Measurement, measure, notQuiet, paceOf, patience_ms, quiet_ms } from "./usageMeasurement.ts";

/** What a check of charges needs to send calls and to read the usage of these askers' projects. */
export const chargeNeeds = (feature: Feature, requests: readonly Stimulus[], askers: readonly Asker[] = []) => {
  const reads = [...new Set<Asker>(["paid", ...askers])].map((as) => usage({ as }));
  return { feature, requests: [...reads, ...requests], unless: notQuiet, when: "alone" } as const;
};

/** Whether a refused call is charged is unspecified. */
export class NotServed extends Withheld {
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    super(`masked: the request returned ${outcomeOf(exchange)}`);
    this.exchange = exchange;
  }
}

/** Sends one call after the other; returns how many. @throws NotServed */
export async function sendServed(context: CheckContext, stimuli: readonly Stimulus[]): Promise<number> {
  for (const stimulus of stimuli) {
    const exchange = await context.ask(context.fresh(stimulus));
    if (!isServed(exchange)) throw new NotServed(exchange);
  }
  return stimuli.length;
}

/** Calls that are charged, and what the growth by them must be. */
export interface ChargedCalls<Found> {
  /** Whose figures are read. */
  readonly askers: readonly Asker[];
  /** Those who pay for the calls; by default all of the askers. */
  readonly payers?: readonly Asker[];
  readonly feature: Feature;
  /** Sends the calls anew each time; returns how many there were for each payer. */
  readonly send: (context: CheckContext) => Promise<number>;
  /** Sends one later call for each payer, under the same product; `nth` counts them from 0. */
  readonly sendLater: (context: CheckContext, nth: number) => Promise<unknown>;
  /** Judges the growth by so many calls. */
  readonly judge: (growths: readonly Growth[], calls: number) => Found;
  readonly isAsRequired: (found: Found) => boolean;
  /** Whether the projects were never called before, so that no earlier charge can show; it can't be repeated. */
  readonly isFirst?: boolean;
}

/** Charges may show in two batches, one after the other. */
const laterCalls = 2;
/** Pause, twice, in which figures must stay the same before a first measurement. */
const usualPause_ms = 3_000;
/** The same pause after a finding, as it may come from an earlier charge. */
const doubtedPause_ms = 12_000;
/** If charges take longer to show, those of one check show during the next. */
const slowestJudged_ms = 1.1 * patience_ms;
/** After so many findings that a repetition confirmed, others need none. */
const enoughConfirmed = 2;
/** The shortest wait for a later charge; else as long as charges have taken so far. */
const laterCharge_ms = 10_000;
/** The longest wait for charges in one run, all in all. */
const longestWaitOfRun_ms = 20 * 60_000;

/** What is known of the platform's charges in one run. */
interface ChargeState {
  /** Projects whose figures were as required, and the number of the exchange that showed it. */
  readonly settled: Map<string, number>;
  /** Why charges of a feature can't be judged. */
  readonly unsettled: Map<Feature, string>;
  /** How many findings a repetition confirmed. */
  confirmed: number;
  waited_ms: number;
}

const stateOf = ({ once }: Pick<CheckContext, "once">): ChargeState =>
  once("state of charges", () => ({ settled: new Map(), unsettled: new Map(), confirmed: 0, waited_ms: 0 }));

const seconds = (duration_ms: number): string => `${Math.round(duration_ms / 1000)} s`;

/** Why charges of a feature can't be judged; null where they can. */
function whyUnjudgeable({ unsettled, waited_ms }: ChargeState, { slowest_ms }: Pace, feature: Feature): string | null {
  const slowest = seconds(slowest_ms ?? 0);
  if (slowest_ms !== null && slowest_ms > slowestJudged_ms) return `unsettled: charges take ${slowest} to show`;
  if (waited_ms > longestWaitOfRun_ms)
    return `unsettled: charges take ${slowest} to show; this run waited ${seconds(waited_ms)} for them`;
  const [first] = unsettled.values();
  // If no charge has ever shown, earlier ones may show at any time.
  return unsettled.get(feature) ?? (slowest_ms === null ? (first ?? null) : null);
}

/** How long figures must have stayed the same before the calls are sent; in ms. */
function pauseBefore(
  context: CheckContext,
  askers: readonly Asker[],
  isDoubted: boolean,
  read: Exchange | undefined,
): number {
  const { target } = context;
  const pace = paceOf(context);
  if (target.isReference) return quiet_ms(pace, 0);
  if (isDoubted) return quiet_ms(pace, doubtedPause_ms);
  // Other calls since then may be charged, and late.
  const isNext = (as: Asker): boolean =>
    stateOf(context).settled.get(projectOf(target, as)) === (read?.number ?? 0) - 1;
  return quiet_ms(pace, askers.every(isNext) ? 0 : usualPause_ms);
}

export const projectOf = (target: Target, as: Asker): string => keyOf(target, as)?.projectName ?? as;

/**
 * Judges charged calls by settled figures. If these aren't as required, it waits for later charges, then repeats all.
 * @throws Withheld where figures don't settle, with the time waited
 */
export async function judgeSettled<Found>(context: CheckContext, charged: ChargedCalls<Found>): Promise<Found> {
  const { target } = context;
  const [state, pace] = [stateOf(context), paceOf(context)];
  const refusal = target.isReference ? null : whyUnjudgeable(state, pace, charged.feature);
  if (refusal !== null) throw new Withheld(refusal);
  const projects = charged.askers.map((as) => projectOf(target, as));
  const first = await attempt(context, charged, false);
  for (const project of projects) state.settled.delete(project);
  const isEnough = charged.isAsRequired(first.found) || charged.isFirst || state.confirmed >= enoughConfirmed;
  const last = isEnough ? first : await attempt(context, charged, true);
  if (charged.isAsRequired(last.found)) for (const project of projects) state.settled.set(project, last.last);
  else {
    // The engine repeats a suspicious request between health checks, which cost as well.
    if (last.isMore) throw new Withheld("masked: a request was repeated, so more was charged");
    if (state.confirmed < enoughConfirmed) await Measurement.idle(context, charged.askers);
    state.confirmed += 1;
  }
  return last.found;
}

/** Does some work, and finds whether more was sent since the last read than the work itself sent. */
async function counted<T>(
  context: CheckContext,
  { last: lastRead }: Measurement,
  work: (context: CheckContext) => Promise<T>,
): Promise<{ readonly done: T; readonly isMore: boolean }> {
  let [sent, last] = [0, lastRead];
  const note = (exchange: Exchange): Exchange => {
    [sent, last] = [sent + 1, Math.max(last, exchange.number)];
    return exchange;
  };
  const done = await work({
    ...context,
    ask: async (stimulus) => note(await context.ask(stimulus)),
    atOnce: async (stimuli) => (await context.atOnce(stimuli)).map(note),
  });
  return { done, isMore: last - lastRead > sent };
}

/** What one measurement finds, the number of its last exchange, and whether more was sent than the calls. */
async function attempt<Found>(context: CheckContext, charged: ChargedCalls<Found>, isDoubted: boolean) {
  const { askers, payers, feature, send, judge, isAsRequired } = charged;
  const [state, pace] = [stateOf(context), paceOf(context)];
  const measurement = await Measurement.begin(context, askers, (read) => pauseBefore(context, askers, isDoubted, read));
  const judged = (): Found => judge(measurement.growths(), calls);
  let { done: calls, isMore } = await counted(context, measurement, send);
  try {
    let found = (await measure(measurement, pace, payers)) ? judged() : null;
    for (let nth = 0; nth < laterCalls && (found === null || !isAsRequired(found)); nth += 1) {
      measurement.mark();
      const later = await counted(context, measurement, (own) => charged.sendLater(own, nth));
      isMore ||= later.isMore;
      calls += 1;
      const within_ms = Math.min(patience_ms, Math.max(laterCharge_ms, longestWait_ms(pace)));
      const isShown = await measure(measurement, pace, payers, within_ms);
      const isSettled = isShown && (pace.slowest_ms ?? 0) <= slowestJudged_ms;
      // On the reference no charge can be late.
      if (!isSettled && !context.target.isReference) {
        const reason = `unsettled: no charge showed within ${seconds(measurement.waited_ms)}; it may show later`;
        state.unsettled.set(feature, reason);
        throw new Withheld(reason);
      }
      found = judged();
      if (!isSettled) break;
    }
    return { found: found ?? judged(), last: measurement.last, isMore };
  } finally {
    state.waited_ms += measurement.waited_ms;
  }
}

/** Whether all findings hold. */
export const allHold = (shown: readonly Shown[]): boolean => shown.every(({ finding }) => finding.outcome === "held");

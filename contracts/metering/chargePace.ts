// The pace of charges: what a run has learnt of when and where its charges show (amendments 5 and 19).
import { notSettled, Withheld } from "../../harness/core/outcomes.ts";
import { type UnmetNeed } from "../../harness/core/reason.ts";
import type { Asker } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import { needsQuiet } from "../usage/usageReader.ts";
import { type Counter, type MeterFigures, nameIn, type Reader, type Round } from "./meterRounds.ts";

/** Waits from one read to the next, in ms; doubled each time, so that early charges cost little time. */
export const waits_ms = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;

/** The longest wait for one charge: 63.75 s. */
export const patience_ms = waits_ms.reduce<number>((total, wait_ms) => total + wait_ms, 0);

/** If charges take longer to show, nothing is judged by them. */
export const slowestJudged_ms = 1.1 * patience_ms;

/** Pause in which figures must stay the same before calls, as earlier charges may be late. */
export const usualPause_ms = 6_000;
/** The same where nothing is known of charges, and before figures are watched that no call should move. */
export const doubtedPause_ms = 24_000;

/** The pause, and the wait for a charge, where each charge so far showed in the first read after its call. */
export const atOnce_ms = 500;

/** Charges that show later than this are late. */
export const soon_ms = 2_000;

/** Waits for a charge last so many times the longest that any has taken, and a second more. */
const timesSlowest = 3;

/** The shortest wait for a counter: of which charges are known, and of which only other counters' are. */
const leastWait_ms = { ofKnown: 12_000, ofUnknown: 25_000 } as const;

export const seconds = (duration_ms: number): string =>
  `${Number((duration_ms / 1000).toFixed(duration_ms < 10_000 ? 1 : 0))} s`;

/** One payer's counter. */
export interface Awaited {
  /** The counter, the same for all payers. */
  readonly counter: string;
  /** By role and counter. */
  readonly name: string;
  /** Its figures, by role and place. */
  readonly figures: readonly string[];
}

/** The counters of these askers' projects. */
export const awaitedBy = (
  context: Reader,
  askers: readonly Asker[],
  counters: readonly Counter[],
): readonly Awaited[] =>
  askers.flatMap((as) =>
    counters.map((places) => {
      const counter = places.join(" ");
      return { counter, name: nameIn(context, as, counter), figures: places.map((at) => nameIn(context, as, at)) };
    }),
  );

/** What a run has learnt of the platform's charges. */
export interface ChargePace {
  /** The longest time that a charge took to show, by counter, in ms. */
  readonly lags_ms: ReadonlyMap<string, number>;
  /** Whether each showed in the first read after its call. */
  readonly isAtOnce: boolean;
  /** Figures that move without calls of this run, by role and place. */
  readonly restless: ReadonlySet<string>;
  /** Figures that reads of usage move, by role and place. */
  readonly byReads: ReadonlySet<string>;
  /** Why a counter isn't judged, by role and counter. */
  readonly lapses: ReadonlyMap<string, Withheld>;
  /** Figures that showed less than the run had called, however long that was waited for, by role and place. */
  readonly overdue: ReadonlySet<string>;
  /** The settled figures with which the last measurement ended, and what one round of reads adds to them. */
  readonly rested: { readonly askers: readonly Asker[]; readonly round: Round; readonly self: MeterFigures } | null;
  /** The number of the last read while charges were measured. */
  readonly lastRead: number;
  /** How long was waited for charges, all in all, in ms. */
  readonly waited_ms: number;
}

type Run = Pick<CheckContext, "once">;

/** The one state of a run's charges. */
const stateOf = ({ once }: Run): { pace: ChargePace } =>
  once("pace of charges", () => ({
    pace: {
      lags_ms: new Map(),
      isAtOnce: true,
      restless: new Set(),
      byReads: new Set(),
      lapses: new Map(),
      overdue: new Set(),
      rested: null,
      lastRead: 0,
      waited_ms: 0,
    },
  }));

export const chargePaceOf = (run: Run): ChargePace => stateOf(run).pace;

/** Replaces what is known by what has been learnt. */
export function learnPace(run: Run, learnt: Partial<ChargePace>): void {
  const state = stateOf(run);
  state.pace = { ...state.pace, ...learnt };
}

/** Learns that a charge took so long to show in a counter. @param isFirst whether the first read showed it */
export function learnLag(run: Run, counter: string, took_ms: number, isFirst: boolean): void {
  const { lags_ms, isAtOnce } = chargePaceOf(run);
  const longest_ms = Math.max(lags_ms.get(counter) ?? 0, took_ms);
  learnPace(run, { lags_ms: new Map([...lags_ms, [counter, longest_ms]]), isAtOnce: isAtOnce && isFirst });
}

export const learnRestless = (run: Run, names: readonly string[]): void =>
  learnPace(run, { restless: new Set([...chargePaceOf(run).restless, ...names]) });

/** Credits are of a kind of their own, as all of them may show later than counts. */
const isOfCounts = (counter: string): boolean => counter.includes("/requests/");

/** The longest time that charges took to show, in counters of the same kind if one is given; null if none has shown. */
export function slowest_ms({ lags_ms }: ChargePace, like?: string): number | null {
  const alike = [...lags_ms].filter(([counter]) => like === undefined || isOfCounts(counter) === isOfCounts(like));
  return alike.length > 0 ? Math.max(...alike.map(([, took_ms]) => took_ms)) : null;
}

/** Within which time each charge so far has shown, in ms; 0 if none has. */
export const shownWithin_ms = (pace: ChargePace): number => slowest_ms(pace) ?? 0;

export const isLate = (pace: ChargePace): boolean => shownWithin_ms(pace) > soon_ms;

/** Whether charges showed, each in the first read after its call. */
export const showsAtOnce = (pace: ChargePace): boolean => pace.isAtOnce && pace.lags_ms.size > 0;

/** Whether charges take too long, or none has shown in the longest wait. */
export const isTooSlow = (pace: ChargePace): boolean =>
  (slowest_ms(pace) ?? 0) > slowestJudged_ms || showsNothing(pace);

/** Whether no charge has ever shown, though it was waited for. */
export const showsNothing = (pace: ChargePace): boolean => pace.lags_ms.size === 0 && pace.lapses.size > 0;

/** Why a counter isn't judged: its charges take too long, or don't show; null where it is. */
export function lapseOf(pace: ChargePace, { counter, name }: Awaited): Withheld | null {
  const took_ms = pace.lags_ms.get(counter) ?? slowest_ms(pace, counter) ?? 0;
  const lapse = pace.lapses.get(name);
  if (lapse || took_ms <= slowestJudged_ms) return lapse ?? null;
  return notSettled(`charges take ${seconds(took_ms)} to show`);
}

/** How long to wait for a charge of any counter, which may never show; in ms. */
export function longestWait_ms(pace: ChargePace): number {
  const known_ms = slowest_ms(pace);
  return known_ms === null ? patience_ms : timesSlowest * known_ms + 1_000;
}

/** The same for probes, which take nothing for a breach: half as long again as the slowest charge took. */
export function probeWait_ms(pace: ChargePace): number {
  const known_ms = slowest_ms(pace);
  return known_ms === null ? patience_ms : 1.5 * known_ms + 1_000;
}

/** As longestWait_ms, for one counter. Other projects may be served by replicas that are further behind. */
export function waitFor_ms(pace: ChargePace, counter: string): number {
  const known_ms = pace.lags_ms.get(counter);
  if (known_ms !== undefined) return Math.max(leastWait_ms.ofKnown, timesSlowest * known_ms + 1_000);
  const like_ms = slowest_ms(pace, counter);
  const hasLapsed = [...pace.lapses.keys()].some((name) => isOfCounts(name) === isOfCounts(counter));
  if (like_ms === null && !hasLapsed) return patience_ms;
  return Math.max(leastWait_ms.ofUnknown, timesSlowest * (like_ms ?? 0) + 1_000);
}

/** How long figures must stay the same, in ms: longer than any charge has taken to show. */
export const quiet_ms = (pace: ChargePace, least_ms: number): number =>
  least_ms > 0 ? Math.max(least_ms, 1.5 * shownWithin_ms(pace)) : 0;

/** Whether no charge can be late: on the reference, unless one was. */
export const isPrompt = (context: Pick<CheckContext, "once" | "target">): boolean =>
  context.target.isReference && !isLate(chargePaceOf(context));

/** Why charges can't be measured on a target; null where they can. */
export const notQuiet = ({ quiet, isReference, offers }: Target): UnmetNeed | null => {
  if (!offers.includes("usage")) return { kind: "notOffered", what: "usage, where charges show" };
  return quiet || isReference ? null : needsQuiet;
};

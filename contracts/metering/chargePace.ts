// The pace of charges: what a run learns of when and where its charges show (amendments 5 and 19).
import type Big from "big.js";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type UnmetNeed } from "../../harness/core/reason.ts";
import type { Asker } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import { needsQuiet } from "../usage/usageReader.ts";
import { type Counter, type MeterFigures, nameIn, type Reader, type Round } from "./reads.ts";

/** Waits from one read to the next, in ms; doubled each time, so that early charges cost little time. */
export const waits_ms = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;

/** The longest wait for one charge: 63.75 s. */
export const patience_ms = waits_ms.reduce<number>((total, wait_ms) => total + wait_ms, 0);

/** Replicas may be so far behind those that were read before. */
const leastWait_ms = 12_000;

/** Pause in which figures must stay the same before calls, as earlier charges may be late. */
export const usualPause_ms = 6_000;
/** The same where nothing is known of charges, and after a finding, as it may come from an earlier charge. */
export const doubtedPause_ms = 24_000;

/** The shortest wait for a counter of which nothing is known but how others do, or that showed nothing before. */
export const unknownCounter_ms = 25_000;

/** The pause, and the wait for a charge, where each charge so far showed in the first read after its call. */
export const atOnce_ms = 500;

/** After so many findings that a repetition confirmed, others need none. */
const enoughConfirmed = 2;

/** Charges that show later than this are late. */
export const soon_ms = 2_000;

/** If charges take longer to show, those of one check show during the next. */
export const slowestJudged_ms = 1.1 * patience_ms;

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

/** Credits are of a kind of their own, as all of them may show later than counts. */
const isLike = (one: string, other: string): boolean => one.includes("/requests/") === other.includes("/requests/");

/** What a run has learnt of the platform's charges. */
export class ChargePace {
  /** The longest time that a charge took to show, by counter, in ms. */
  readonly shown_ms = new Map<string, number>();
  /** Figures that move without calls of this run, by role and place. */
  readonly restless = new Set<string>();
  /** Figures that reads of usage move, by role and place. */
  readonly byReads = new Set<string>();
  /** Why a counter isn't judged, by role and counter. */
  readonly lapses = new Map<string, Withheld>();
  /** Projects whose figures were as required, while only charges are measured. */
  readonly settled = new Set<string>();
  /** Figures that showed less than the run had called, however long that was waited for, by role and place. */
  readonly overdue = new Set<string>();
  /** What earlier calls may still add, by role and place, where no charge has shown yet. */
  readonly pending = new Map<string, Big>();
  /** The settled figures with which the last measurement ended. */
  rested: { readonly askers: readonly Asker[]; readonly round: Round; readonly self: MeterFigures } | null = null;
  /** The number of the last read while charges were measured. */
  lastRead = 0;
  /** How many first attempts found something, and how many findings a repetition confirmed. */
  doubts = 0;
  confirmed = 0;
  /** How long was waited for charges, all in all. */
  waited_ms = 0;

  #isAtOnce = true;

  /** Notes that a charge took so long to show in a counter. @param isFirst whether the first read showed it */
  note(counter: string, took_ms: number, isFirst: boolean): void {
    this.#isAtOnce &&= isFirst;
    this.shown_ms.set(counter, Math.max(this.shown_ms.get(counter) ?? 0, took_ms));
  }

  /** Notes when a measurement ended. */
  ended({ began_ms, now_ms, last }: { began_ms: number; now_ms: number; last: { number: number } }): void {
    this.waited_ms += now_ms - began_ms;
    this.lastRead = last.number;
  }

  /** The longest time that charges took to show; null if none has shown yet. */
  get slowest_ms(): number | null {
    return this.shown_ms.size > 0 ? Math.max(...this.shown_ms.values()) : null;
  }

  /** Within which time each charge so far has shown, in ms; 0 if none has. */
  get shownWithin_ms(): number {
    return this.slowest_ms ?? 0;
  }

  /** Whether charges showed, each in the first read after its call. */
  get isAtOnce(): boolean {
    return this.#isAtOnce && this.shown_ms.size > 0;
  }

  /** Whether so many findings were confirmed that others need no repetition. */
  get isConfirmed(): boolean {
    return this.confirmed >= enoughConfirmed;
  }

  /** Whether any charge was late. */
  get isLate(): boolean {
    return this.shownWithin_ms > soon_ms;
  }

  /** Whether charges take too long, or none has shown in the longest wait. */
  get isTooSlow(): boolean {
    return this.slowest_ms === null ? this.lapses.size > 0 : this.slowest_ms > slowestJudged_ms;
  }

  /** The slowest charge in counters of the same kind; null if none has shown yet. */
  slowestLike_ms(counter: string): number | null {
    const known = [...this.shown_ms].flatMap(([one, took_ms]) => (isLike(one, counter) ? [took_ms] : []));
    return known.length > 0 ? Math.max(...known) : null;
  }

  /** Why a counter isn't judged: its charges take too long, or don't show; null where it is. */
  lapseOf({ counter, name }: Awaited): Withheld | null {
    const took_ms = this.shown_ms.get(counter) ?? this.slowestLike_ms(counter) ?? 0;
    const known = this.lapses.get(name);
    if (known || took_ms <= slowestJudged_ms) return known ?? null;
    return new Withheld(`unsettled: charges take ${seconds(took_ms)} to show`);
  }

  /** How long to wait for a charge of any counter, which may never show. */
  get longestWait_ms(): number {
    return this.slowest_ms === null ? patience_ms : 3 * this.slowest_ms + 1_000;
  }

  /** The same for one counter. */
  longestWaitFor_ms(counter: string): number {
    const known_ms = this.shown_ms.get(counter);
    // Other projects may be served by replicas that are further behind.
    if (known_ms !== undefined) return Math.max(leastWait_ms, 3 * known_ms + 1_000);
    const like_ms = this.slowestLike_ms(counter);
    const hasLapsed = [...this.lapses.keys()].some((one) => isLike(one, counter));
    return like_ms !== null || hasLapsed ? Math.max(unknownCounter_ms, 3 * (like_ms ?? 0) + 1_000) : patience_ms;
  }

  /** How long figures must stay the same: longer than any charge has taken to show. */
  quiet_ms(least_ms: number): number {
    return least_ms > 0 ? Math.max(least_ms, 1.5 * this.shownWithin_ms) : 0;
  }
}

export const chargePaceOf = ({ once }: Pick<CheckContext, "once">): ChargePace =>
  once("pace of charges", () => new ChargePace());

/** Whether no charge can be late: on the reference, unless one was. */
export const isPrompt = (context: Pick<CheckContext, "once" | "target">): boolean =>
  context.target.isReference && !chargePaceOf(context).isLate;

/** Why charges can't be measured on a target; null where they can. */
export const notQuiet = ({ quiet, isReference, offers }: Target): UnmetNeed | null => {
  if (!offers.includes("usage")) return { kind: "notOffered", what: "usage, where charges show" };
  return quiet || isReference ? null : needsQuiet;
};

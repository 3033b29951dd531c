// Figures of a run: what it spent, how much it verified for that, how long it waited, and what failed once.
import type { Wait } from "../core/clock.ts";
import type { Requirement } from "../core/interface.ts";
import type { Verdict } from "../model/verdict.ts";
import { nothingSpent, type Spent } from "../targets/budget.ts";
import type { JournalLine } from "./journal.ts";

/** One kind of failure that didn't occur again: how often, and the first exchanges that show it. */
export interface Intermittent {
  readonly cause: string;
  readonly count: number;
  readonly exchanges: readonly number[];
}

const mostShown = 5;

export function intermittentIn(lines: readonly JournalLine[]): readonly Intermittent[] {
  const numbers = new Map<string, number[]>();
  for (const line of lines)
    if (line.record === "intermittent") numbers.set(line.cause, [...(numbers.get(line.cause) ?? []), line.exchange]);
  return [...numbers]
    .map(([cause, all]) => ({ cause, count: all.length, exchanges: all.slice(0, mostShown) }))
    .sort((a, b) => b.count - a.count);
}

/** What a run spent, or had spent when that was recorded last. */
export const spentIn = (lines: readonly JournalLine[]): Spent =>
  lines.flatMap((line) => ("spent" in line ? [line.spent] : [])).at(-1) ?? nothingSpent;

/** How many `must` requirements passed, and at what cost. */
export function yieldOf(
  lines: readonly JournalLine[],
  judged: readonly Pick<Verdict & Requirement, "id" | "level" | "verdict">[],
  spent: Spent,
) {
  const verified = new Set(
    judged.flatMap(({ id, level, verdict }) => (level === "must" && verdict === "holds" ? [id] : [])),
  );
  // The last line of each is its verdict.
  const spentUntil = new Map(
    lines.flatMap((line) =>
      line.record === "verdict" && verified.has(line.verdict.id) ? [[line.verdict.id, line.spent] as const] : [],
    ),
  );
  const until = (isEarly: (so: Spent) => boolean): number => [...spentUntil.values()].filter(isEarly).length;
  const per = (amount: number, unit: number): number | null =>
    amount > 0 ? Math.round((verified.size / amount) * unit * 10) / 10 : null;
  return {
    musts: verified.size,
    /** Null where no credit was spent. */
    perThousandCredits: per(spent.credits, 1_000),
    perHundredRequests: per(spent.requests, 100),
    /** How many held by the time that so much was spent. */
    byThousandCredits: until(({ credits }) => credits <= 1_000),
    byHundredRequests: until(({ requests }) => requests <= 100),
  };
}

export const waitedIn = (waits: readonly Wait[]) => ({
  charges_s: secondsWaited(waits, "charges"),
  schedules_s: secondsWaited(waits, "schedule"),
  limits_s: secondsWaited(waits, "limits"),
});

/** How long there were waits of a kind; what overlaps counts once. */
export function secondsWaited(waits: readonly Wait[], kind: Wait["on"]): number {
  let total_ms = 0;
  let until_ms = 0;
  for (const { from_ms, duration_ms } of waits.filter(({ on }) => on === kind).sort((a, b) => a.from_ms - b.from_ms)) {
    total_ms += Math.max(0, from_ms + duration_ms - Math.max(from_ms, until_ms));
    until_ms = Math.max(until_ms, from_ms + duration_ms);
  }
  return total_ms / 1000;
}

// Freshness: how far slots lag behind the newest reported by then, in any run of the same time.
import { plainValueIn, valueAt } from "../../harness/core/json.ts";
import type { Run } from "../../harness/record/run.ts";
import type { Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import type { FreshnessChange } from "./comparedFigures.ts";
import { type BothSamples, measuredOf } from "./measured.ts";
import { plainAnswers } from "./questions.ts";

/** About four seconds; within that, answers overtake one another. */
const smallest = { by: 10, share: 0 } as const;

interface Sighting {
  readonly run: Run;
  readonly figure: string;
  readonly operation: string;
  readonly slot: number;
  /** Unix time in ms at which the answer arrived. */
  readonly at_ms: number;
}

type Figures = Described["newest"];

const sightingsIn = (run: Run, figures: Figures): readonly Sighting[] =>
  plainAnswers(run)
    .filter(({ outcome, answer }) => outcome === "served" && answer.cutAt_chars === null)
    .flatMap(({ operation, answer, sentAt, latency_ms }) => {
      const value = plainValueIn(answer.body);
      return Object.entries(figures).flatMap(([figure, pointer]): Sighting[] => {
        const slot = valueAt(value, pointer);
        return typeof slot === "number"
          ? [{ run, figure, operation, slot, at_ms: Date.parse(sentAt) + latency_ms }]
          : [];
      });
    });

interface Lag extends Sighting {
  /** Behind the newest that had been reported by then. */
  readonly behind: number;
}

/**
 * Of one run, behind the newest of all that ran at the same time: between runs a chain may begin anew, and slots of the
 * one before say nothing then.
 */
function lagsOf(run: Run, all: readonly Run[], figures: Figures): readonly Lag[] {
  let newest = 0;
  return all
    .filter((other) => other === run || wereTogether(run, other))
    .flatMap((other) => sightingsIn(other, figures))
    .sort((a, b) => a.at_ms - b.at_ms || b.slot - a.slot)
    .map((one) => ({ ...one, behind: (newest = Math.max(newest, one.slot)) - one.slot }))
    .filter((one) => one.run === run);
}

const highestIn = (run: Run, figures: Figures): number =>
  sightingsIn(run, figures).reduce((most, { slot }) => Math.max(most, slot), 0);

/** The highest slots of two runs apart in time, where the later one's are lower; null where none went back. */
function slotsGoneBack(base: Run, head: Run, figures: Figures): { before: number; after: number } | null {
  if (wereTogether(base, head)) return null;
  const [earlier, later] = base.startedAt <= head.startedAt ? [base, head] : [head, base];
  const before = highestIn(earlier, figures);
  const after = highestIn(later, figures);
  return after > 0 && after < before ? { before, after } : null;
}

/**
 * Lags of a chain that began anew are shown and not reported: an index that has only just begun says nothing of one
 * that had caught up.
 * @param all every run that is compared: whichever target is ahead counts
 */
export function freshnessChangesBetween(
  base: Run,
  head: Run,
  all: readonly Run[],
  { newest: figures }: Pick<Described, "newest">,
): readonly FreshnessChange[] {
  const byFigure = (of: Run) =>
    groupedBy(lagsOf(of, all, figures), ({ figure, operation }) => `${figure} ${operation}`);
  const slotsOf = (some: readonly Lag[]): readonly number[] => some.map(({ behind }) => behind);
  const before = byFigure(base);
  const isAnew = slotsGoneBack(base, head, figures) !== null;
  const changes = measuredOf(
    [...byFigure(head)].flatMap(([name, is]): BothSamples<Pick<Sighting, "figure" | "operation">>[] => {
      const was = before.get(name);
      const [{ figure, operation }] = is;
      return was ? [{ of: { figure, operation }, was: slotsOf(was), is: slotsOf(is), smallest }] : [];
    }),
  );
  return isAnew ? changes.map((change) => ({ ...change, isReported: false })) : changes;
}

/** What couldn't be said of slots, as sentences. */
export function freshnessNotes(
  base: Run,
  head: Run,
  { newest: figures }: Pick<Described, "newest">,
): readonly string[] {
  if (Object.keys(figures).length === 0 || wereTogether(base, head)) return [];
  const back = slotsGoneBack(base, head, figures);
  return [
    "The runs didn't overlap in time: slots are compared with the newest of the same run.",
    ...(back
      ? [
          `Slots went back from ${back.before} to ${back.after} between them: the chain was restarted, or an index ` +
            "is far behind. So their lags aren't reported.",
        ]
      : []),
  ];
}

type Times = Pick<Run, "startedAt" | "endedAt">;

/** Whether two runs overlapped in time, so that the slots of one say something about the other's. */
export const wereTogether = (one: Times, other: Times): boolean =>
  one.endedAt !== null &&
  other.endedAt !== null &&
  Math.max(Date.parse(one.startedAt), Date.parse(other.startedAt)) <
    Math.min(Date.parse(one.endedAt), Date.parse(other.endedAt));

// Freshness: how far reported slots lag behind the newest that any target had reported by then.
import { parseJson, valueAt } from "../../harness/core/json.ts";
import type { Run } from "../../harness/record/run.ts";
import type { Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import type { FreshnessChange } from "./comparison.ts";
import { measuredOf, type Samples } from "./measured.ts";
import { plainAnswers } from "./questions.ts";

/** About four seconds; within that, answers overtake one another. */
const smallest = { by: 10, share: 0 } as const;

interface Sighting {
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
      const value = parseJson(answer.body)?.value;
      return Object.entries(figures).flatMap(([figure, pointer]): Sighting[] => {
        const slot = valueAt(value, pointer);
        return typeof slot === "number" ? [{ figure, operation, slot, at_ms: Date.parse(sentAt) + latency_ms }] : [];
      });
    });

/** The newest slot that any target had reported by an instant. */
function newestBy(sightings: readonly Sighting[]): (at_ms: number) => number {
  const inOrder = [...sightings].sort((a, b) => a.at_ms - b.at_ms);
  let newest = 0;
  const course = inOrder.map(({ at_ms, slot }) => ({ at_ms, newest: (newest = Math.max(newest, slot)) }));
  return (at_ms) => {
    let [from, to] = [0, course.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((course[middle]?.at_ms ?? 0) <= at_ms) from = middle + 1;
      else to = middle;
    }
    return course[from - 1]?.newest ?? 0;
  };
}

/** @param all every run that is compared: whichever target is ahead counts */
export function freshnessChangesBetween(
  base: Run,
  head: Run,
  all: readonly Run[],
  { newest: figures }: Pick<Described, "newest">,
): readonly FreshnessChange[] {
  const newest = newestBy(all.flatMap((run) => sightingsIn(run, figures)));
  const byFigure = (run: Run) =>
    groupedBy(sightingsIn(run, figures), ({ figure, operation }) => `${figure} ${operation}`);
  const lagsOf = (sightings: readonly Sighting[]): readonly number[] =>
    sightings.map(({ slot, at_ms }) => newest(at_ms) - slot);
  const before = byFigure(base);
  return measuredOf(
    [...byFigure(head)].flatMap(([name, sightings]): Samples<Pick<Sighting, "figure" | "operation">>[] => {
      const was = before.get(name);
      const [{ figure, operation }] = sightings;
      return was ? [{ of: { figure, operation }, was: lagsOf(was), is: lagsOf(sightings), smallest }] : [];
    }),
  );
}

/** Whether two runs overlapped in time, so that the slots of one say something about the other's. */
export const wereTogether = (one: Run, other: Run): boolean =>
  one.endedAt !== null &&
  other.endedAt !== null &&
  Math.max(Date.parse(one.startedAt), Date.parse(other.startedAt)) <
    Math.min(Date.parse(one.endedAt), Date.parse(other.endedAt));

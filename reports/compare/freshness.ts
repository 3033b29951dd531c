// How many slots do `last_indexed_slot` and `context.slot` lie behind the newest that any of the targets had told by then?
import { parseJson, valueAt } from "../../harness/core/json.ts";
import type { Run } from "../../harness/record/run.ts";
import type { Described } from "../described.ts";
import type { FreshnessChange } from "./comparison.ts";
import { measuredOf, type Samples } from "./measured.ts";
import { plainAnswers } from "./questions.ts";

/** About four seconds; closer than that, answers pass one another on their way. */
const smallest = { by: 10, share: 0 } as const;

interface Sighting {
  readonly figure: string;
  readonly operation: string;
  readonly slot: number;
  /** Unix time in ms at which the answer was there. */
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

/** The newest slot that anybody had told by an instant. */
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

/** @param all every run that is compared: whichever target was ahead, it counts */
export function freshnessChangesBetween(
  base: Run,
  head: Run,
  all: readonly Run[],
  { newest: figures }: Pick<Described, "newest">,
): readonly FreshnessChange[] {
  const newest = newestBy(all.flatMap((run) => sightingsIn(run, figures)));
  const lagsOf = (
    run: Run,
  ): ReadonlyMap<string, { readonly of: Pick<Sighting, "figure" | "operation">; readonly lags: readonly number[] }> => {
    const lags = new Map<string, { readonly of: Pick<Sighting, "figure" | "operation">; readonly lags: number[] }>();
    for (const { figure, operation, slot, at_ms } of sightingsIn(run, figures)) {
      const one = lags.get(`${figure} ${operation}`) ?? { of: { figure, operation }, lags: [] };
      lags.set(`${figure} ${operation}`, one);
      one.lags.push(newest(at_ms) - slot);
    }
    return lags;
  };
  const before = lagsOf(base);
  return measuredOf(
    [...lagsOf(head)].flatMap(([name, { of, lags }]): Samples<Pick<Sighting, "figure" | "operation">>[] => {
      const was = before.get(name)?.lags;
      return was ? [{ of, was, is: lags, smallest }] : [];
    }),
  );
}

/** Whether two runs were under way at one time, so that the one's slots tell of the other's. */
export const wereTogether = (one: Run, other: Run): boolean =>
  one.endedAt !== null &&
  other.endedAt !== null &&
  Math.max(Date.parse(one.startedAt), Date.parse(other.startedAt)) <
    Math.min(Date.parse(one.endedAt), Date.parse(other.endedAt));

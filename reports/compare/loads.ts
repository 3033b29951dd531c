// Loads compared: what was asked for and reached, shares of refusals and failures, and latencies by operation.
import { intervalOf } from "../../harness/core/interval.ts";
import type { LoadOutcome, LoadReport } from "../../harness/record/load.ts";
import type { Run } from "../../harness/record/run.ts";
import { groupedBy } from "../lists.ts";
import type { Share } from "../scorecard/shares.ts";
import { type ComparedLoad, type LoadChange, loadAspects, type ShareChange } from "./comparedFigures.ts";
import { decodedSample, type ServedLatencies } from "./quantileRatio.ts";

/** A load has latencies and rates of its own, so its answers are left out. Null where nothing else remains. */
export function withoutLoad(run: Run): Run | null {
  if (run.load === undefined) return run;
  const { after } = run.load;
  return after === undefined ? null : { ...run, exchanges: run.exchanges.filter(({ number }) => number <= after) };
}

/** A run that was only a load. */
export const loadOnly = ({ load }: Run): LoadReport | null => (load && load.after === undefined ? load : null);

/** What a load kept of all that it sent, or several loads together. */
export interface LoadFigures extends Omit<ComparedLoad, "requests"> {
  readonly limited: Share;
  readonly failed: Share;
  /** Requests by operation. */
  readonly sent: ReadonlyMap<string, number>;
}

interface Line {
  readonly operation: string;
  readonly outcome: LoadOutcome;
  readonly count: number;
  readonly histogram?: string;
}

type CountedPhase = Omit<LoadReport["phases"][number], "p95_ms">;

/** By operation. @param seconds of the load */
export const servedIn = (lines: readonly Line[], seconds: number): ServedLatencies["byOperation"] =>
  new Map(
    lines.flatMap(({ operation, outcome, histogram }) =>
      outcome === "served" && histogram !== undefined ? [[operation, decodedSample(histogram, seconds)]] : [],
    ),
  );

export const secondsInPhases = (phases: readonly Pick<CountedPhase, "seconds">[]): number =>
  phases.reduce((sum, { seconds }) => sum + seconds, 0);

/** @param phases of all that is compared @param described the phases of one load, as it is described */
export function loadFiguresOf(
  shape: string,
  phases: readonly CountedPhase[],
  {
    lines,
    described,
    parts,
  }: { readonly lines: readonly Line[]; readonly described: readonly CountedPhase[]; readonly parts: number },
): LoadFigures {
  const total = (of: (phase: CountedPhase) => number): number => phases.reduce((sum, phase) => sum + of(phase), 0);
  const requests = total((phase) => phase.requests);
  const seconds = Math.max(
    1,
    total((phase) => phase.seconds),
  );
  const byOperation = groupedBy(lines, ({ operation }) => operation);
  return {
    shape,
    phases: described.map(({ perSecond, seconds: length }) => ({ perSecond, seconds: length })),
    parts,
    asked_perSecond: total((phase) => phase.perSecond * phase.seconds) / seconds,
    reached_perSecond: requests / seconds,
    limited: { have: total((phase) => phase.limited), of: requests },
    failed: { have: total((phase) => phase.failed), of: requests },
    sent: new Map([...byOperation].map(([name, some]) => [name, some.reduce((sum, { count }) => sum + count, 0)])),
  };
}

export const figuresOfLoad = ({ shape, phases, latencies, parts }: LoadReport): LoadFigures =>
  loadFiguresOf(shape, phases, { lines: latencies, described: phases, parts: parts?.length ?? 1 });

export const latenciesOfLoad = ({ id }: Pick<Run, "id">, load: LoadReport): ServedLatencies => {
  const reason = load.withheld ?? load.doubt ?? load.lag;
  return {
    byOperation: servedIn(load.latencies, secondsInPhases(load.phases)),
    unsure: reason == null ? null : `${id}: ${reason}`,
  };
};

/** Operations called by this much more or less of all requests make another mix. */
const otherMix = 0.05;
/** Rates and durations are rounded where loads are planned. */
const otherSize = 0.05;

function isOtherMix(was: ReadonlyMap<string, number>, is: ReadonlyMap<string, number>): boolean {
  const all = (counts: ReadonlyMap<string, number>): number =>
    Math.max(
      1,
      [...counts.values()].reduce((a, b) => a + b, 0),
    );
  const shareOf = (counts: ReadonlyMap<string, number>, name: string): number => (counts.get(name) ?? 0) / all(counts);
  return [...new Set([...was.keys(), ...is.keys()])].some(
    (name) => Math.abs(shareOf(is, name) - shareOf(was, name)) > otherMix || was.has(name) !== is.has(name),
  );
}

/**
 * The difference of two shares with the interval of Newcombe (Statistics in Medicine 17, 1998, method 10): Wilson's of
 * each, put together.
 */
function shareChangeOf(was: Share, is: Share): ShareChange {
  const shareOf = ({ have, of }: Share): number => (of === 0 ? 0 : have / of);
  const [wasLeast, wasMost] = intervalOf(was.have, was.of);
  const [isLeast, isMost] = intervalOf(is.have, is.of);
  const by = shareOf(is) - shareOf(was);
  const from = by - Math.hypot(shareOf(is) - isLeast, wasMost - shareOf(was));
  const to = by + Math.hypot(isMost - shareOf(is), shareOf(was) - wasLeast);
  return { was, is, by, from, to, isReported: from > 0 || to < 0 };
}

export function loadChangeBetween(was: LoadFigures, is: LoadFigures): LoadChange {
  const isOther = (some: number, other: number): boolean => Math.abs(some - other) > otherSize * Math.max(some, other);
  const differs = {
    shape: was.shape !== is.shape,
    rate: isOther(was.asked_perSecond, is.asked_perSecond),
    duration: isOther(secondsInPhases(was.phases), secondsInPhases(is.phases)),
    mix: isOtherMix(was.sent, is.sent),
    parts: was.parts !== is.parts,
  };
  const shown = ({ limited, failed: _, sent: __, ...load }: LoadFigures): ComparedLoad => ({
    ...load,
    requests: limited.of,
  });
  return {
    was: shown(was),
    is: shown(is),
    differs: loadAspects.filter((aspect) => differs[aspect]),
    limited: shareChangeOf(was.limited, is.limited),
    failed: shareChangeOf(was.failed, is.failed),
  };
}

// The comparison of runs with a baseline. Pure: the same runs give the same comparison.
import type { Run } from "../../harness/record/run.ts";
import type { Described } from "../described.ts";
import { countsOf } from "../numbers.ts";
import { chargeChangesBetween } from "./charges.ts";
import {
  type ComparedRun,
  type Comparison,
  comparisonFormat,
  type Pair,
  type RequirementChanges,
} from "./comparison.ts";
import { freshnessChangesBetween, freshnessNotes } from "./freshness.ts";
import { latencyChangesBetween, servedSamplesOf } from "./latency.ts";
import { limitChangesBetween } from "./limits.ts";
import { figuresOfLoad, latenciesOfLoad, loadOnly, withoutLoad } from "./loads.ts";
import { driftsBetween } from "./observations.ts";
import { changesBetween, comparisonExitCode, matrixOf } from "./requirements.ts";
import { scorecardOf } from "./scorecard.ts";
import { shapeChangesBetween } from "./shapes.ts";
import { type LatencySides, measuredUnder, ratioTogether } from "./slowness.ts";
import { vendorFiguresOf } from "./vendorFigures.ts";
import { isOfVendors } from "./wording.ts";

/** A paragraph for runs of different interfaces; null where runs can be compared. */
export function whyNotComparable([base, ...others]: readonly Pick<Run, "id" | "interface">[]): string | null {
  const nameOf = ({ interface: { name, version } }: Pick<Run, "interface">): string => `"${name}" ${version}`;
  const other = others.find((run) => base && nameOf(run) !== nameOf(base));
  if (!base || !other) return null;
  return (
    `These runs judged different ` +
    `interfaces: ${base.id} judged ${nameOf(base)}, ${other.id} judged ${nameOf(other)}. Only runs of one interface ` +
    `can be compared: judge one of the targets again.`
  );
}

/**
 * Every other run against the first.
 * @param runs at least two, of one interface
 * @param version of Assay
 * @param described the interface by which they were judged
 * @param slower how many times the base's p95 is too slow; undefined for any
 */
export function compareRuns(runs: readonly Run[], version: string, described: Described, slower?: number): Comparison {
  const [base, ...others] = runs;
  if (!base || others.length === 0) throw new Error("there is nothing to compare with");
  const pairs = others.map((head, index) => {
    const changes = { base: 0, head: index + 1, ...changesOf(base, head, runs, described) };
    return scored(base, head, measuredUnder(changes, measurementOf(base, head, slower), slower));
  });
  const codes = pairs.map(({ exitCode }) => exitCode);
  return {
    format: comparisonFormat,
    version,
    interface: { name: base.interface.name, version: base.interface.version },
    runs: runs.map((run, index) => comparedOf(run, index, runs)),
    exitCode: codes.includes(1) ? 1 : codes.includes(3) ? 3 : 0,
    pairs,
    matrix: matrixOf(runs, described.tables),
    ...(isOfVendors({ runs, pairs }) ? { vendors: vendorFiguresOf(runs, described) } : {}),
  };
}

/** Of two vendors, with who is better in what. */
function scored(base: Run, head: Run, pair: Pair): Pair {
  if (base.target.name === head.target.name) return pair;
  const [before, after] = [withoutLoad(base), withoutLoad(head)];
  const together = before && after ? ratioTogether(servedSamplesOf(before, after)) : null;
  return { ...pair, scorecard: scorecardOf(base, head, pair, together) };
}

function comparedOf(run: Run, index: number, all: readonly Run[]): ComparedRun {
  const { id, version, target, command, startedAt, endedAt, complete, exitCode, totals, spent } = run;
  const isAlone = all.filter((other) => other.target.name === target.name).length === 1;
  const name = isAlone ? target.name : `${target.name} #${index + 1}`;
  return { name, id, version, target, command, startedAt, endedAt, complete, exitCode, totals, spent };
}

/** @param runs all that are compared */
function changesOf(base: Run, head: Run, runs: readonly Run[], described: Described): Omit<Pair, "base" | "head"> {
  const requirements = changesBetween(base, head, described.tables);
  const before = withoutLoad(base);
  const after = withoutLoad(head);
  return {
    exitCode: comparisonExitCode(base, head, requirements),
    requirements,
    observations: driftsBetween(base, head, runs, described.tables),
    shapes: shapeChangesBetween(base, head),
    latency: before && after ? latencyChangesBetween(before, after) : [],
    limits: before && after ? limitChangesBetween(before, after) : [],
    charges: chargeChangesBetween(base, head),
    freshness: freshnessChangesBetween(base, head, runs, described),
    notes: [...notesOn(base, head, requirements), ...freshnessNotes(base, head, described)],
  };
}

/** What two loads, or two runs that a bound is asked for, say of latency; null where that isn't compared by ratios. */
function measurementOf(base: Run, head: Run, slower: number | undefined): LatencySides | null {
  const was = loadOnly(base);
  const is = loadOnly(head);
  if (was && is)
    return {
      latencies: { was: latenciesOfLoad(base, was), is: latenciesOfLoad(head, is) },
      loads: { was: figuresOfLoad(was), is: figuresOfLoad(is) },
    };
  if (slower === undefined) return null;
  const before = withoutLoad(base);
  const after = withoutLoad(head);
  if (before && after) return { latencies: servedSamplesOf(before, after), loads: null };
  const [run, load] = was ? [head, base] : [base, head];
  const unsure = `${run.id} is a run, and ${load.id} only a load`;
  const none = { byOperation: new Map(), unsure };
  return { latencies: { was: none, is: none }, loads: null };
}

function notesOn(base: Run, head: Run, { reworded, unplanned }: RequirementChanges): readonly string[] {
  const isObserved = ({ observations }: Run, id: string): boolean =>
    observations.some((one) => one.id === id && one.state !== "withheld");
  const unseen = [...new Set([...base.observations, ...head.observations].map(({ id }) => id))].filter(
    (id) => isObserved(base, id) !== isObserved(head, id),
  );
  const lone = (ids: readonly string[], what: string, did: string): readonly string[] => {
    const those = ids.length === 1 ? "it" : "them";
    return countsOf([ids.length, what]).map(
      (some) => `${some} not compared, because only one of the runs ${did} ${those}.`,
    );
  };
  return [
    ...[base, head].filter(({ complete }) => !complete).map(({ id }) => `${id} was cut short.`),
    ...recordingNotes(base, head),
    ...(base.interface.digest === head.interface.digest
      ? []
      : ["The runs were judged by different editions of the specs; reworded requirements aren't compared."]),
    ...countsOf([reworded.length, "requirement"]).map(
      (some) => `${some} not compared, because reworded: ${reworded.join(", ")}.`,
    ),
    ...lone(unplanned, "requirement", "planned"),
    ...lone(unseen, "unspecified behaviour", "observed"),
    ...loneLoadNotes(base, head),
  ];
}

/** Of a load beside anything else. */
function loneLoadNotes(base: Run, head: Run): readonly string[] {
  const [load, other] = loadOnly(base) ? [base, head] : [head, base];
  if (!loadOnly(load) || loadOnly(other)) return [];
  return [
    `${load.id} is only a load (${load.load?.shape}), and ${other.id} isn't: latency, rate limits and what only ` +
      "checks prove aren't compared.",
  ];
}

/** Whether all that is kept of a recording was sent by the other run. */
function isOfOther({ recording, exchanges }: Run, other: Run): boolean {
  const nameOf = ({ sentAt, operation }: Run["exchanges"][number]): string => `${sentAt} ${operation}`;
  const sent = new Set(other.exchanges.map(nameOf));
  return recording !== undefined && exchanges.length > 0 && exchanges.every((one) => sent.has(nameOf(one)));
}

/** What follows from a run that verifies nothing. */
function recordingNotes(base: Run, head: Run): readonly string[] {
  const [again, other] = head.recording ? [head, base] : [base, head];
  if (!again.recording) return [];
  return [
    ...(isOfOther(again, other)
      ? [`${again.id} judges answers of ${other.id} again: what differs is due to the specs or to Assay.`]
      : []),
    ...(other.recording ? [] : ["A recording verifies nothing, so only what is broken is compared."]),
  ];
}

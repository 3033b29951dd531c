// Shards of a run in this process, each with a platform of its own as `assay run --shard` has, and what they share.

import { suite } from "../../cli/suite.ts";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { steppedClock } from "../../harness/core/clock.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import { planRun } from "../../harness/engine/sharding.ts";
import { exitCodeOf } from "../../harness/model/verdict.ts";
import { type JournalLine, type RunStart, recordOf } from "../../harness/record/journal.ts";
import { mergedOf, type ShardLines } from "../../harness/record/merging.ts";
import { type Run, runFormat, runOf } from "../../harness/record/run.ts";
import type { Spent } from "../../harness/target/budget.ts";
import type { Target } from "../../harness/target/target.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { Variant } from "../../reference/platform/mutant.ts";

export interface Sharded extends Pick<EngineOptions, "only" | "observe"> {
  readonly variant?: Variant | undefined;
  readonly target?: (target: Target) => Target;
}

export interface Judged {
  readonly start: RunStart;
  readonly lines: readonly JournalLine[];
  readonly spent: Spent;
}

/** Judges the whole run, or one shard of it. */
export async function judgedIn(
  { variant, target = (given) => given, ...rest }: Sharded,
  share: Parameters<typeof planRun>[1],
): Promise<Judged> {
  const given = inProcess(suite, variant, { hasSchedules: true, clockFrom: steppedClock });
  const lines: JournalLine[] = [];
  const handshake = () => Promise.resolve({ protocol: "h2" });
  const whole: EngineOptions = {
    ...{ ...given, ...rest, handshake, target: target(given.target) },
    onEvent: ({ event: record, ...line }) =>
      lines.push(
        "exchange" in line && typeof line.exchange === "object"
          ? { record: "exchange", exchange: recordOf(line.exchange, dataPlatform) }
          : ({ record, ...line } as JournalLine),
      ),
  };
  const { shard, engine, target: own } = await planRun(whole, share);
  const start: RunStart = {
    ...{ record: "start", version: "0.1.0", interface: dataPlatform.edition, format: runFormat, id: "a run" },
    ...{ target: given.target.name, isReference: own.isReference, bases: {}, command: "npx assay run" },
    ...{ startedAt: new Date(given.clock.now_ms()).toISOString(), planned: engine.ids, unchecked: [] },
    plan: engine.plan,
    ...(shard ? { shard: { ...shard, isStrict: false, intermittentFails: false } } : {}),
  };
  const exitCode = exitCodeOf(await engine.run(), true);
  const { spent } = engine;
  const end: JournalLine = { record: "end", endedAt: new Date(given.clock.now_ms()).toISOString(), spent, exitCode };
  // As it is read from a file.
  return JSON.parse(JSON.stringify({ start, lines: [start, ...lines, end], spent })) as Judged;
}

export async function shardsIn(sharded: Sharded, of: number): Promise<readonly Judged[]> {
  const all: Judged[] = [];
  for (let nth = 1; nth <= of; nth += 1) all.push(await judgedIn(sharded, { nth, of }));
  return all;
}

export function runIn({ start, lines }: Pick<Judged, "start" | "lines">): Run {
  const run = runOf([start, ...lines.filter(({ record }) => record !== "start")], dataPlatform);
  if (!run) throw new Error("there is no run");
  return run;
}

export function mergedRun(shards: readonly Judged[]): { readonly run: Run; readonly spent: Spent } {
  const [first, ...others] = shards.map(({ start, lines }): ShardLines => {
    if (!start.shard) throw new Error("it is no shard");
    return { start: { ...start, shard: start.shard }, lines };
  });
  if (!first) throw new Error("there is no shard");
  const { spent, ...merged } = mergedOf([first, ...others], "npx assay run");
  return { run: runIn(merged), spent };
}

/** What a run found of each requirement and saw of each unspecified behaviour. */
export const foundIn = ({ requirements, observations }: Run) => ({
  requirements: requirements.map(({ id, verdict, enforced, reason, checks, narrowed }) => {
    return { id, verdict, enforced, reason, checks, narrowed };
  }),
  observations: observations.map(({ id, state, reason, values }) => {
    return { id, state, reason, values: values.map(({ summary }) => summary) };
  }),
});

/** The digests of the different requests of runs. */
export const stimuliOf = (...runs: readonly Run[]): readonly string[] =>
  [...new Set(runs.flatMap(({ exchanges }) => exchanges.map(({ stimulus }) => stimulus)))].sort();

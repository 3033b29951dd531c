// The engine of a run, or of one shard of it, which each machine plans without the others.
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { Engine } from "../harness/engine/engine.ts";
import type { EngineOptions } from "../harness/engine/options.ts";
import { type ShardOptions, shardOf } from "../harness/engine/sharding.ts";
import { type RunFlags, type Share, shareNamed } from "./flags.ts";

/** @throws CommandLineError where it isn't one, or goes with what no shard has */
export function shardNamed({ shard, path, history }: RunFlags): Share | null {
  if (shard === undefined) return null;
  if (path !== undefined)
    throw new CommandLineError("--path replays one case, which can't be split. Leave --shard out.");
  if (history !== undefined)
    throw new CommandLineError("--history takes whole runs, and --shard makes a share of one. Give it to the merge.");
  return shareNamed("--shard", shard);
}

export interface PlannedRun extends Pick<ShardOptions, "target" | "unsplit"> {
  readonly engine: Engine;
  /** Plans the whole run, of which the engine judges a share. */
  readonly whole: Engine;
  /** Undefined where the engine judges the whole run. */
  readonly shard?: ShardOptions["shard"];
}

export async function planRun(options: EngineOptions, share: Share | null): Promise<PlannedRun> {
  const whole = new Engine(options);
  if (share === null) return { engine: whole, whole, target: options.target, unsplit: null };
  const { shard, unsplit, ...own } = await shardOf({ ...options, plan: whole.plan }, share.nth, share.of);
  return { engine: new Engine({ ...options, ...own }), whole, target: own.target, unsplit, shard };
}

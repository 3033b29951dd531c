// assay merge: makes one run of the shards that `assay run --shard` or Playwright judged.
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { readJournal } from "../harness/record/journal.ts";
import { mergedOf, type ShardLines } from "../harness/record/merging.ts";
import { described } from "./described.ts";
import { type RunFlags, writesReports, writesRun } from "./flags.ts";
import { readRun } from "./readRuns.ts";
import { finishRun, openFolder, readersOf } from "./runFolder.ts";
import { exitCodeUnderLoad } from "./underLoad.ts";

interface ShardAt extends ShardLines {
  readonly path: string;
}
type Shards = readonly [ShardAt, ...ShardAt[]];

export const mergeCommand = (): Command =>
  writesReports(
    writesRun(
      new Command("merge")
        .description("Make one run of the shards that `assay run --shard` judged.")
        .argument("<runs...>", "folders of the shards' runs"),
      "<id>-merged",
    ),
  )
    .addHelpText(
      "after",
      "\nWhat a missing shard held is withheld: exit code 3.\n\nExample:\n  npx assay merge runs/shard-1 runs/shard-2",
    )
    .action(async (paths: readonly string[], { out, ...flags }: RunFlags) => {
      const all = shardsAt(paths);
      const readers = readersOf(flags, { name: all[0].start.target, interface: described.tables });
      process.exitCode = await finishRun({ path: merged(all, out) }, readers, described);
    });

/** Writes the journal of all shards together; gives its folder. */
function merged(all: Shards, out: string | undefined): string {
  const [{ start: first }] = all;
  const { start, lines, spent, endedAt } = mergedOf(all, first.command.replace(/ --shard \S+/, ""));
  const at = { began_ms: Date.parse(start.startedAt), ended_ms: Date.parse(endedAt) };
  const folder = openFolder(start, described.tables, { ...first.shard, out, at });
  for (const line of lines) folder.journal.write(line);
  const { requirements, load } = readRun(folder.path, described.tables);
  folder.end(requirements, spent, load && exitCodeUnderLoad(requirements, load, first.shard.isStrict));
  const page = load?.dashboard;
  for (const { path } of all)
    if (page !== undefined && existsSync(join(path, page))) copyFileSync(join(path, page), join(folder.path, page));
  return folder.path;
}

/** The shards of one run, by number. @throws CommandLineError where they aren't that */
function shardsAt(paths: readonly string[]): Shards {
  const [first, ...others] = paths.map(shardAt).sort((a, b) => a.start.shard.nth - b.start.shard.nth);
  if (!first) throw new CommandLineError("No run is named. Name the folders of the shards' runs.");
  let before = first;
  for (const one of others) {
    const { shard } = one.start;
    for (const [what, nameOf] of Object.entries(shared)) {
      const [a, b] = [nameOf(first.start), nameOf(one.start)];
      if (a !== b)
        throw new CommandLineError(
          `${first.path} and ${one.path} aren't shards of one run: their ${what} differ` +
            `${a.length + b.length < 200 ? ` (${a} and ${b})` : ""}. Merge shards of one target, version and ` +
            "set of flags.",
        );
    }
    if (shard.nth === before.start.shard.nth)
      throw new CommandLineError(
        `${before.path} and ${one.path} are both shard ${shard.nth} of ${shard.held.length}. Name each shard once.`,
      );
    before = one;
  }
  return [first, ...others];
}

/** What shards of one run have in common, the plainest first. */
const shared: { readonly [what: string]: (start: ShardAt["start"]) => string } = {
  targets: ({ target, isReference, bases }) => [target, ...(isReference ? [] : Object.values(bases))].join(" "),
  versions: ({ version, interface: of }) => `${version} for ${of.name} ${of.version}`,
  "numbers of shards": ({ shard }) => String(shard.held.length),
  // Where the target file is, and how the command was started, may differ from machine to machine.
  flags: ({ command }) =>
    command
      .replace(/^.*? run\b/, "")
      .replaceAll(/ --(?:shard|target|env) (?:'[^']*'|\S+)/g, "")
      .trim() || "none",
  plans: ({ shard }) => JSON.stringify(shard.held),
};

/** @throws CommandLineError where the folder holds no shard's run */
function shardAt(path: string): ShardAt {
  readRun(path, described.tables);
  const lines = readJournal(path);
  const start = lines.find((line) => line.record === "start");
  if (start?.shard) return { path, lines, start: { ...start, shard: start.shard } };
  throw new CommandLineError(
    `${path} holds ${start?.shards ? "shards that are merged already" : "a whole run"}. Name the folders that ` +
      "`assay run --shard` has made, such as those of --shard 1/2 and --shard 2/2.",
  );
}

// assay report: makes a run's reports again from its journal, also of a run that was cut short.
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { isKillMatrix, type KillMatrix } from "../reports/html/killedBy.ts";
import { described } from "./described.ts";
import { annotationsOption, type RunFlags } from "./flags.ts";
import { finishRun, readersOf } from "./runFolder.ts";

export const reportCommand = (): Command =>
  new Command("report")
    .description("Make a run's reports again from its journal.")
    .argument("<folder>", "folder of the run")
    .option("--kills <file>", "add a kill matrix to the page, as `assay mutants --json` prints it")
    .option("--json", "print run.json instead of text")
    .option(...annotationsOption)
    .addHelpText("after", "\nExample:\n  npx assay report runs/2026-11-21T10-40-12Z-reference")
    .action(
      async (
        folder: string,
        { kills, ...flags }: Pick<RunFlags, "json" | "annotations"> & { readonly kills?: string },
      ) => {
        process.exitCode = await finishRun(
          { path: folder },
          readersOf(flags),
          described,
          kills === undefined ? undefined : readKills(kills),
        );
      },
    );

/** @throws CommandLineError where the file isn't what `assay mutants --json` prints */
function readKills(file: string): KillMatrix {
  const how = "Make one with `npx assay mutants --json > kills.json`.";
  try {
    const kills: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isKillMatrix(kills)) return kills;
  } catch (error) {
    throw new CommandLineError(`The kill matrix ${file} can't be read (${(error as Error).message}). ${how}`);
  }
  throw new CommandLineError(`The file ${file} is no kill matrix. ${how}`);
}

// Runs read from their journals; what can't be read ends in one paragraph.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { isThere } from "../harness/core/memberFile.ts";
import { journalName, readJournal } from "../harness/record/journal.ts";
import { type Run, runFormat, runOf } from "../harness/record/run.ts";
import { replayLine } from "./replayLine.ts";

/** Nothing else is written into such a folder. */
export const holdsRun = (folder: string): boolean =>
  [journalName, "run.json"].some((name) => isThere(join(folder, name)));

/** The run of a folder, from its journal. @throws CommandLineError where it has none, or one of another format */
export function readRun(folder: string, tables: Interface): Run {
  if (!existsSync(folder))
    throw new CommandLineError(`There is no folder ${folder}. Name the folder of a run; see runs/.`);
  const lines = readJournal(folder);
  const start = lines.find((line) => line.record === "start");
  if (start) refuseOtherFormats(join(folder, journalName), start.format);
  const known = new Set<string>(tables.requirements.map(({ id }) => id));
  const other = start?.planned.find((id) => !known.has(id));
  if (other !== undefined)
    throw new CommandLineError(
      `${folder} judged ${other}, a requirement of a config that isn't here. Name that assay.config with ` +
        "ASSAY_CONFIG, or use the version of Assay that judged it.",
    );
  const run = runOf(lines, tables, replayLine);
  if (run) return run;
  throw new CommandLineError(
    `The folder ${folder} isn't a run: ${journalName} is missing or damaged. ` +
      "Name a folder written by `assay run`.",
  );
}

/** Journals and runs of format 1 name no format or 1. @throws CommandLineError for another than this version's */
export function refuseOtherFormats(file: string, format: unknown = 1): void {
  if (typeof format !== "number" || format === runFormat) return;
  throw new CommandLineError(
    format > runFormat
      ? `${file} has run format ${format}, of a newer Assay; this version reads format ${runFormat}. Update Assay, ` +
          `or judge the target again with this version.`
      : `${file} has run format ${format}, of an older Assay; this version reads format ${runFormat}. Judge the ` +
          `target again, or read the run with the version that made it.`,
  );
}

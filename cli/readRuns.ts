// Runs read from files or folders; what can't be read ends in one paragraph.

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { validatorOf } from "../harness/core/schema.ts";
import { journalName, readJournal } from "../harness/record/journal.ts";
import { type Run, runFormat, runOf } from "../harness/record/run.ts";
import { readSchema } from "./readSchema.ts";

/** Nothing else is written into such a folder. */
export const holdsRun = (folder: string): boolean =>
  [journalName, "run.json"].some((name) => existsSync(join(folder, name)));

/**
 * @param path folder of a run, or its run.json
 * @throws CommandLineError where there is no complete run of this version's format
 */
export function runAt(path: string, tables: Interface): Run {
  if (!existsSync(path))
    throw new CommandLineError(
      `There is no ${path}. Name the folder of a run (see runs/), its run.json, or a target file that ends in .yaml.`,
    );
  if (!statSync(path).isDirectory()) return checked(parsed(path), path);
  const file = join(path, "run.json");
  if (existsSync(file)) return checked(parsed(file), file);
  // A run that was killed has only its journal.
  return checked(JSON.parse(JSON.stringify(readRun(path, tables))), join(path, journalName));
}

/** The run of a folder, from its journal. @throws CommandLineError where it has none, or one of another format */
export function readRun(folder: string, tables: Interface): Run {
  if (!existsSync(folder))
    throw new CommandLineError(`There is no folder ${folder}. Name the folder of a run; see runs/.`);
  const lines = readJournal(folder);
  const start = lines.find((line) => line.record === "start");
  if (start) refuseOtherFormats(join(folder, journalName), start.format);
  const other = start?.planned.find((id) => !tables.requirements.some((one) => one.id === id));
  if (other !== undefined)
    throw new CommandLineError(
      `${folder} judged ${other}, a requirement of a config that isn't here. Name that assay.config with ` +
        "ASSAY_CONFIG, or use the Assay that has judged it.",
    );
  const run = runOf(lines, tables);
  if (run) return run;
  throw new CommandLineError(
    `The folder ${folder} holds no run: ${journalName} is missing or has no beginning. Name a folder that \`assay ` +
      `run\` has made.`,
  );
}

/** Journals and runs of format 1 name no format or 1. */
function refuseOtherFormats(file: string, format: unknown = 1): void {
  if (typeof format !== "number" || format === runFormat) return;
  throw new CommandLineError(
    format > runFormat
      ? `${file} has run format ${format}, of a newer Assay; this version reads format ${runFormat}. Update Assay, ` +
          `or judge the target again with this version.`
      : `${file} has run format ${format}, of an older Assay; this version reads format ${runFormat}. Judge the ` +
          `target again, or read the run with the version that made it.`,
  );
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError))
      throw new CommandLineError(`${file} can't be read (${(error as NodeJS.ErrnoException).code}).`);
    const remedy = existsSync(join(dirname(file), journalName))
      ? `\`npx assay report ${dirname(file)}\` makes it again from the journal beside it.`
      : "Copy it again, or judge the target again.";
    throw new CommandLineError(`${file} is not valid JSON: it was cut off or damaged. ${remedy}`);
  }
}

function checked(value: unknown, file: string): Run {
  if (typeof value === "object" && value !== null && "format" in value) refuseOtherFormats(file, value.format);
  const validate = validatorOf<Run>(readSchema("reports/run.schema.json"));
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  throw new CommandLineError(
    `${file} is no run as defined by reports/run.schema.json: ${error?.instancePath || "the document"} ` +
      `${error?.message ?? "is malformed"}. Name the folder, or the run.json, that \`assay run\` has made.`,
  );
}

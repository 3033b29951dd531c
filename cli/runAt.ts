// Runs that somebody names: a folder, or a run.json, which is checked by its schema.
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { isThere, memberOf, textOfFile } from "../harness/core/memberFile.ts";
import { validatorOf } from "../harness/core/schema.ts";
import { describeSchemaError } from "../harness/core/schemaWords.ts";
import { journalName } from "../harness/record/journal.ts";
import type { Run } from "../harness/record/run.ts";
import { oneLine } from "../reports/text.ts";
import { readRun, refuseOtherFormats } from "./readRuns.ts";
import { readSchema } from "./readSchema.ts";
import { withOwnLines } from "./replayLine.ts";

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
  const file = memberOf(path, "run.json");
  // A run that was killed has only its journal.
  return file === null ? runOfJournal(path, tables) : checked(parsed(file), file);
}

/** The run of a folder that anybody may have made. @throws CommandLineError as `readRun`, and as `runAt` */
export function runOfJournal(folder: string, tables: Interface): Run {
  const file = join(folder, journalName);
  let run: unknown;
  try {
    run = JSON.parse(JSON.stringify(readRun(folder, tables)));
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    throw new CommandLineError(
      `${file} has a line that Assay writes in no journal (${oneLine((error as Error).message)}). Copy it again, or ` +
        "judge the target again.",
    );
  }
  return checked(run, file);
}

function parsed(file: string): unknown {
  const text = textOfFile(file);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const remedy = isThere(join(dirname(file), journalName))
      ? `\`npx assay report ${dirname(file)}\` writes it again from the journal next to it.`
      : "Copy it again, or judge the target again.";
    throw new CommandLineError(`${file} is not valid JSON: it was cut off or damaged. ${remedy}`);
  }
}

/** Left out by older versions. */
const laterTotals = { narrowed: 0, renamed: 0, fixed: 0, untestable: 0 } as const;

function checked(value: unknown, file: string): Run {
  if (typeof value === "object" && value !== null && "format" in value) refuseOtherFormats(file, value.format);
  const validate = validatorOf<Run>(readSchema("reports/run.schema.json"));
  if (validate(value)) return withOwnLines({ ...value, totals: { ...laterTotals, ...value.totals } });
  const [error] = validate.errors ?? [];
  throw new CommandLineError(
    `${file} isn't a run as defined by reports/run.schema.json: ${error?.instancePath || "it"} ` +
      `${error ? describeSchemaError(error) : "is malformed"}. ` +
      "Name the folder, or the run.json, written by `assay run`.",
  );
}

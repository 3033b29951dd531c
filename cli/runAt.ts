// Runs that somebody names: a folder, or a run.json, which is checked by its schema.
import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { isThere, memberOf, textOfFile } from "../harness/core/memberFile.ts";
import { validatorOf } from "../harness/core/schema.ts";
import { describeSchemaError } from "../harness/core/schemaWords.ts";
import { journalName } from "../harness/record/journal.ts";
import type { Run } from "../harness/record/run.ts";
import { oneLine } from "../reports/text.ts";
import { ownRequirementsOf, type ReadRun, readRun, refuseOtherFormats } from "./readRuns.ts";
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
  if (!statSync(path).isDirectory()) return checked(parsed(path), path, tables);
  const file = memberOf(path, "run.json");
  // A run that was killed has only its journal.
  return file === null ? runOfJournal(path, tables).run : checked(parsed(file), file, tables);
}

/** A run that is checked, with lines of ours to copy. */
interface CheckedRun extends ReadRun {
  /** As it stands in its journal, and in the reports that the run itself wrote. */
  readonly recorded: Run;
}

/** The run of a folder that anybody may have made. @throws CommandLineError as `readRun`, and as `runAt` */
export function runOfJournal(folder: string, known: Interface): CheckedRun {
  const file = join(folder, journalName);
  try {
    const { run: recorded, ...read } = readRun(folder, known);
    return { ...read, run: checked(JSON.parse(JSON.stringify(recorded)), file, known), recorded };
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    throw new CommandLineError(
      `${file} has a line that Assay writes in no journal (${oneLine((error as Error).message)}). Copy it again, or ` +
        "judge the target again.",
    );
  }
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

function checked(value: unknown, file: string, tables: Interface): Run {
  if (typeof value === "object" && value !== null && "format" in value) refuseOtherFormats(file, value.format);
  const validate = validatorOf<Run>(readSchema("reports/run.schema.json"));
  if (validate(value)) {
    ownRequirementsOf(value, file, tables);
    // In its own order: reports are compared to the byte.
    return withOwnLines({ ...value, totals: { ...value.totals, ...laterTotals, ...value.totals } });
  }
  const [error] = validate.errors ?? [];
  throw new CommandLineError(
    `${file} isn't a run as defined by reports/run.schema.json: ${error?.instancePath || "it"} ` +
      `${error ? describeSchemaError(error) : "is malformed"}. ` +
      "Name the folder, or the run.json, written by `assay run`.",
  );
}

/**
 * The target file that a run names, for what sends keys by it or writes beside it; undefined where it names none.
 * @param path of the run
 * @throws CommandLineError for a file that may have come with the run: who made that chose its hosts and keys
 */
export function targetFileOf({ target: { file } }: Run, path: string): string | undefined {
  if (file === undefined) return undefined;
  const [ofRun] = stepsFromHere(statSync(path).isDirectory() ? path : dirname(path));
  const [first, ...below] = stepsFromHere(file);
  const isHere = first !== ".." && !isAbsolute(first);
  const isWithRun = ofRun === "" || (first === ofRun && below.length > 0);
  if (isHere && !isWithRun) return file;
  throw new CommandLineError(
    `The run names the target file ${file}, which ${isHere ? "may have come with the run" : "isn't in this folder"}, ` +
      "so that it isn't read on the run's word. Name the target file with --target.",
  );
}

/** The names on the way from the working folder; `..` or a drive first where it isn't below. */
const stepsFromHere = (path: string) => relative("", path).split(sep) as [string, ...string[]];

// Runs read from their journals; what can't be read ends in one paragraph.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { isThere } from "../harness/core/memberFile.ts";
import { validatorOf } from "../harness/core/schema.ts";
import { type JournalLine, journalName, type RunStart, readJournal } from "../harness/record/journal.ts";
import { type OwnRequirement, withOwnRequirements } from "../harness/record/ownRequirements.ts";
import { type Run, runFormat, runOf } from "../harness/record/run.ts";
import { areaOf } from "../reports/described.ts";
import { readSchema } from "./readSchema.ts";
import { replayLine } from "./replayLine.ts";

/** Nothing else is written into such a folder. */
export const holdsRun = (folder: string): boolean =>
  [journalName, "run.json"].some((name) => isThere(join(folder, name)));

/** A run, and the interface with the requirements of a config that the run keeps. */
export interface ReadRun {
  readonly run: Run;
  readonly lines: readonly JournalLine[];
  readonly tables: Interface;
}

/** The run of a folder, from its journal. @throws CommandLineError where it has none, or one of another format */
export function readRun(folder: string, known: Interface): ReadRun {
  if (!existsSync(folder))
    throw new CommandLineError(`There is no folder ${folder}. Name the folder of a run; see runs/.`);
  const lines = readJournal(folder);
  const start = lines.find((line) => line.record === "start");
  if (start) refuseOtherFormats(join(folder, journalName), start.format);
  const tables = withOwnRequirements(known, ownRequirementsOf(start, join(folder, journalName), known));
  const ids = new Set<string>(tables.requirements.map(({ id }) => id));
  const judged = lines.flatMap((line) => (line.record === "verdict" ? [line.verdict.id] : []));
  const other = [...(start?.planned ?? []), ...judged].find((id) => !ids.has(id));
  if (other !== undefined)
    throw new CommandLineError(
      `${folder} judged ${other}, which neither this version has nor a config that the run keeps. Name its config ` +
        "with --config, or use the version of Assay that judged it.",
    );
  const run = runOf(lines, tables, replayLine);
  if (run) return { run, lines, tables };
  throw new CommandLineError(
    `The folder ${folder} isn't a run: ${journalName} is missing or damaged. ` +
      "Name a folder written by `assay run`.",
  );
}

/**
 * What a run keeps of the config that judged it. Others may have written it.
 * @throws CommandLineError where it isn't of that form, or has an area of the interface
 */
export function ownRequirementsOf(
  kept: Pick<RunStart, "ownRequirements"> | undefined,
  file: string,
  { requirements }: Pick<Interface, "requirements">,
): readonly OwnRequirement[] {
  const own: unknown = kept?.ownRequirements;
  if (own === undefined) return [];
  const isForm = validatorOf<readonly OwnRequirement[]>(
    readSchema("reports/run.schema.json"),
    "/properties/ownRequirements",
  );
  const areas = new Set(requirements.flatMap(({ id, definedAt }) => (definedAt ? [] : [areaOf(id)])));
  if (isForm(own) && !own.some(({ id }) => areas.has(areaOf(id)))) return own;
  throw new CommandLineError(
    `${file} is damaged: ownRequirements aren't requirements of a config. Copy it again, or judge the target again.`,
  );
}

/** A run of another format than this version's. */
export class OtherFormat extends CommandLineError {}

/** Journals and runs of format 1 name no format or 1. @throws OtherFormat */
export function refuseOtherFormats(file: string, format: unknown = 1): void {
  if (typeof format !== "number" || format === runFormat) return;
  throw new OtherFormat(
    format > runFormat
      ? `${file} has run format ${format}, of a newer Assay; this version reads format ${runFormat}. Update Assay, ` +
          `or judge the target again with this version.`
      : `${file} has run format ${format}, of an older Assay; this version reads format ${runFormat}. Judge the ` +
          `target again, or read the run with the version that made it.`,
  );
}

// assay init --from: adds samples that a run found to a target file. Anybody may have made the run.
import { existsSync, readFileSync } from "node:fs";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { readTarget } from "../harness/targets/targetFile.ts";
import { fewOf } from "../reports/lists.ts";
import { capped, oneLine } from "../reports/text.ts";
import type { Invocation } from "./invocation.ts";
import { runOfJournal } from "./runAt.ts";
import { placeholder } from "./target.ts";
import { completed, foundIn } from "./targetText.ts";
import { writeText } from "./writeText.ts";

/** @throws CommandLineError where there is no such file or run, or the file is wrong before anything is added */
export function addSamples(invocation: Invocation, file: string, folder: string): void {
  const { form, described } = invocation.project;
  if (!existsSync(file))
    throw new CommandLineError(`There is no target file ${file}. Name the one that the run judged with --out.`);
  const found = foundIn(runOfJournal(folder, described.tables).run.samples ?? []);
  readTarget(form, file, {}, { placeholder });
  const isTarget = (text: string): boolean => {
    try {
      return readTarget(form, file, {}, { placeholder, text }).name !== "";
    } catch (error) {
      if (error instanceof CommandLineError) return false;
      throw error;
    }
  };
  const { text, added, refused } = completed(readFileSync(file, "utf8"), found, isTarget);
  if (added.length > 0) writeText(file, text);
  const taken =
    added.length > 0 ? `added to ${file}: ${added.join(", ")}` : `${folder} found nothing to add to ${file}`;
  invocation.print([taken, ...leftLines(folder, refused)].join("\n"));
}

const mostNamed = 20;
const longestPointer_chars = 100;

function leftLines(folder: string, refused: readonly string[]): readonly string[] {
  if (refused.length === 0) return [];
  const { shown, rest } = fewOf(refused, mostNamed);
  const names = shown.map((at) => capped(oneLine(at) || "no place", longestPointer_chars)).join(", ");
  const more = rest > 0 ? ` and ${rest} more` : "";
  return [`not taken from ${folder}: ${names}${more}; target files have no such sample, or its value isn't one`];
}

// assay accept: writes what a run found broken beside the target, as known until a day.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { targetForm } from "../contracts/targets.ts";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { type Acceptance, type Accepted, accept } from "../harness/record/accepting.ts";
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import { deviationsFileOf, isDay } from "../harness/target/deviations.ts";
import { readKnown } from "../harness/target/targetFile.ts";
import { counted } from "../reports/words.ts";
import { described } from "./described.ts";
import { runAt } from "./readRuns.ts";

interface AcceptFlags {
  readonly reason?: string;
  readonly until?: string;
  readonly owner?: string;
  readonly link?: string;
  readonly target?: string;
  readonly json?: boolean;
}

export const acceptCommand = (): Command =>
  new Command("accept")
    .description("Accept what a run found broken as known, so that only what is new or other turns the next run red.")
    .argument("<run>", "folder of the run, or its run.json")
    .argument("[requirements...]", "only these; all that turn the run red where none is named")
    .option("--reason <text>", "why it is accepted")
    .option("--until <day>", "the last day on which it is, YYYY-MM-DD")
    .option("--owner <name>", "who cares for it")
    .option("--link <url>", "where it is followed up")
    .option("--target <file>", "target file (default: that of the run)")
    .option("--json", "print what was written as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  npx assay accept runs/2026-11-21T10-40-12Z-acme ERR-ADM-SHAPE-01 --reason 'their ticket 123' --until 2027-03-31",
    )
    .action(run);

function run(path: string, ids: readonly string[], flags: AcceptFlags): void {
  const judged = runAt(path);
  const acceptance = acceptanceOf(flags);
  const findings = ids.length ? named(judged, ids) : judged.requirements.filter(isRed);
  const file = fileFor(judged, flags.target);
  if (findings.length === 0) {
    console.log(
      flags.json
        ? JSON.stringify({ file, added: [], renewed: [], removed: [] })
        : "Nothing to accept: no promise is broken in this run.",
    );
    return;
  }
  const { text, ...done } = accept(
    existsSync(file) ? readFileSync(file, "utf8") : undefined,
    findings,
    acceptance,
    heading(judged),
  );
  write(file, text);
  console.log(flags.json ? JSON.stringify({ file, ...done }) : linesOf(judged, file, done, acceptance).join("\n"));
}

const heading = ({ target }: Run): string =>
  `What is known to be broken at ${target.name} and accepted, each until its day; \`npx assay accept\` writes here.`;

const isRed = ({ verdict, enforced }: JudgedRequirement): boolean => verdict === "broken" && enforced === "fail";

function named({ requirements: judged }: Run, ids: readonly string[]): readonly JudgedRequirement[] {
  const known = described.tables.requirements.map(({ id }): string => id);
  return [...new Set(ids)].map((id) => {
    if (!known.includes(id))
      throw new CommandLineError(`There is no requirement ${id}${suggestion(id, known)}. Ids look like CYC-PRES-01.`);
    const found = judged.find((one) => one.id === id);
    if (found?.verdict === "broken") return found;
    const is = found
      ? found.verdict === "deviates"
        ? "deviates as its entry says"
        : found.verdict === "holds"
          ? "holds"
          : `is ${found.verdict}`
      : "wasn't judged";
    throw new CommandLineError(`${id} ${is} in this run, so there is nothing to accept. Leave it out.`);
  });
}

function acceptanceOf({ reason, until, owner, link }: AcceptFlags): Acceptance {
  if (!reason?.trim())
    throw new CommandLineError("--reason is missing. Say why it is accepted, e.g. --reason 'their ticket 123'.");
  if (until === undefined)
    throw new CommandLineError("--until is missing. Say until which day it is accepted, e.g. --until 2027-03-31.");
  if (!isDay(until))
    throw new CommandLineError(`--until is "${until}", which is no day of the calendar. Write it as YYYY-MM-DD.`);
  const today = new Date().toISOString().slice(0, 10);
  if (until < today)
    throw new CommandLineError(`--until is ${until}, which is over: today is ${today}. Name a day to come.`);
  return { reason, until, ...(owner === undefined ? {} : { owner }), ...(link === undefined ? {} : { link }) };
}

/** The file beside the run's target. */
function fileFor({ target }: Run, flag: string | undefined): string {
  const file = flag ?? target.file;
  if (file === undefined)
    throw new CommandLineError(
      `The run doesn't name a target file: it judged the embedded platform ${target.name}. Name the file beside which to write with --target.`,
    );
  const { name, listsItself } = readKnown(targetForm, file);
  if (name !== target.name)
    throw new CommandLineError(
      `${file} is the target ${name}, and the run judged ${target.name}. Name the target of the run with --target.`,
    );
  const beside = deviationsFileOf(file);
  if (listsItself)
    throw new CommandLineError(
      `${file} lists deviations itself, where comments and layout could be lost. Move the list to ${beside}, and accept again.`,
    );
  return beside;
}

/** Whole or not at all. */
function write(file: string, text: string): void {
  try {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw new CommandLineError(
      `${file} can't be written (${(error as NodeJS.ErrnoException).code}). Make its folder writable, and accept again.`,
    );
  }
}

function linesOf(
  judged: Run,
  file: string,
  { added, renewed, removed }: Omit<Accepted, "text">,
  { until }: Acceptance,
): readonly string[] {
  const sentence = new Map(judged.requirements.map((one) => [one.id, one.sentence]));
  const list = (word: string, ids: Accepted["added"]): readonly string[] =>
    ids.map((id) => `  ${word.padEnd(9)} ${id}  ${sentence.get(id)}`);
  return [
    `${counted(added.length + renewed.length, "finding")} accepted until ${until}, in ${file}:`,
    ...list("added", added),
    ...list("renewed", renewed),
    ...list("taken out", removed),
    ...(judged.complete ? [] : ["The run was cut short: what it didn't come to may be broken too."]),
  ];
}

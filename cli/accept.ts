// assay accept: writes a run's broken requirements beside the target, as known deviations.
import { existsSync, readFileSync } from "node:fs";
import { Command } from "commander";
import { formWithout } from "../custom/suite.ts";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import type { Interface } from "../harness/core/interface.ts";
import { isFixed } from "../harness/model/verdict.ts";
import { type Acceptance, type Accepted, accept } from "../harness/record/accepting.ts";
import { withOwnRequirements } from "../harness/record/ownRequirements.ts";
import { isRenamed, type JudgedRequirement, type Run } from "../harness/record/run.ts";
import { deviationsFileOf, isDay } from "../harness/targets/deviations.ts";
import type { TargetForm } from "../harness/targets/form.ts";
import { readKnown } from "../harness/targets/targetFile.ts";
import { counted } from "../reports/numbers.ts";
import { kindOf, nameOf } from "../reports/words.ts";
import type { JudgingFlags } from "./flags.ts";
import { jsonOption, printForPrograms } from "./forPrograms.ts";
import type { Invocation } from "./invocation.ts";
import { runAt, targetFileOf } from "./runAt.ts";
import { writeText } from "./writeText.ts";

type AcceptFlags = Partial<Acceptance> & Pick<JudgingFlags, "target" | "json">;

export const acceptCommand = (invocation: Invocation): Command =>
  new Command("accept")
    .description("Accept a run's broken requirements as known: only new or changed failures fail the next run.")
    .argument("<run>", "folder of the run, or its run.json")
    .argument("[requirements...]", "only these (default: all that fail the run)")
    .option("--reason <text>", "why they are accepted")
    .option("--until <day>", "the last day on which they are, YYYY-MM-DD")
    .option("--owner <name>", "who is responsible")
    .option("--link <url>", "where this is tracked")
    .option("--target <file>", "target file (default: the run's, where it is of this folder)")
    .option(...jsonOption("accept"))
    .addHelpText(
      "after",
      "\nExample:\n  npx assay accept runs/2026-11-21T10-40-12Z-acme ERR-ADM-SHAPE-01 --reason 'their ticket 123' " +
        "--until 2027-03-31",
    )
    .action((path: string, ids: readonly string[], flags: AcceptFlags) => run(invocation, path, ids, flags));

function run(invocation: Invocation, path: string, ids: readonly string[], flags: AcceptFlags): void {
  const { described } = invocation.project;
  const judged = runAt(path, described.tables);
  const tables = withOwnRequirements(described.tables, judged.ownRequirements ?? []);
  const findings = ids.length ? named(judged, ids, tables) : judged.requirements.filter(isNews);
  // What is only removed needs no reason.
  const acceptance = findings.every(isFixed) && findings.length > 0 ? null : acceptanceOf(flags);
  // Its config isn't loaded, as the run is perhaps somebody else's.
  const form = judged.ownRequirements ? formWithout(invocation.project.form, tables) : invocation.project.form;
  const file = fileFor(judged, flags.target ?? targetFileOf(judged, path), form);
  const until = acceptance?.until ?? null;
  if (findings.length === 0) {
    if (flags.json) printForPrograms(invocation, { file, until, added: [], renewed: [], removed: [] });
    else invocation.print("Nothing to accept: no requirement is broken in this run.");
    return;
  }
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const { text, ...done } = accept(before, findings, acceptance, heading(judged));
  writeText(file, text, "Make its folder writable and accept again.");
  if (flags.json) printForPrograms(invocation, { file, until, ...done });
  else invocation.print(linesOf(judged, file, done, acceptance).join("\n"));
}

const heading = ({ target }: Run): string =>
  `Known deviations of ${target.name}, each accepted until its day. \`npx assay accept\` writes here.`;

/** Fixed ones are no longer known. */
const isNews = (judged: JudgedRequirement): boolean =>
  isFixed(judged) || (judged.verdict === "broken" && judged.enforced === "fail");

function named(
  { requirements: judged }: Run,
  ids: readonly string[],
  { requirements }: Interface,
): readonly JudgedRequirement[] {
  const known = requirements.map(({ id }): string => id);
  return [...new Set(ids)].map((id) => {
    if (!known.includes(id))
      throw new CommandLineError(`There is no requirement ${id}${suggestion(id, known)}. Ids look like CYC-PRES-01.`);
    const found = judged.find((one) => one.id === id);
    if (found?.verdict === "broken" || (found && isFixed(found))) return found;
    throw new CommandLineError(`${id} ${stateOf(found)} in this run, so there is nothing to accept. Leave it out.`);
  });
}

function stateOf(judged: JudgedRequirement | undefined): string {
  if (!judged) return "wasn't judged";
  if (isRenamed(judged)) return "is renamed by the target";
  if (judged.verdict === "deviates") return "is a known issue already";
  return judged.verdict === "holds" ? "passed" : `is ${nameOf(kindOf(judged))}`;
}

function acceptanceOf({ reason, until, owner, link }: AcceptFlags): Acceptance {
  if (!reason?.trim()) throw new CommandLineError("--reason is missing. Give one, e.g. --reason 'their ticket 123'.");
  if (until === undefined)
    throw new CommandLineError(
      "--until is missing. Name the last day on which this is accepted, e.g. --until 2027-03-31.",
    );
  if (!isDay(until)) throw new CommandLineError(`--until is "${until}", which isn't a date. Write it as YYYY-MM-DD.`);
  const today = new Date().toISOString().slice(0, 10);
  if (until < today)
    throw new CommandLineError(`--until is ${until}, which has passed: today is ${today}. Name a later day.`);
  return { reason, until, ...(owner === undefined ? {} : { owner }), ...(link === undefined ? {} : { link }) };
}

/** The deviations file beside the run's target. */
function fileFor({ target }: Run, file: string | undefined, form: TargetForm): string {
  if (file === undefined)
    throw new CommandLineError(
      `The run has no target file: it judged the embedded platform ${target.name}. Name a target file with --target.`,
    );
  const { name, listsItself } = readKnown(form, file);
  if (name !== target.name)
    throw new CommandLineError(
      `${file} describes the target ${name}, but the run judged ${target.name}. Name the run's target with --target.`,
    );
  const beside = deviationsFileOf(file);
  if (listsItself)
    throw new CommandLineError(
      `${file} lists deviations itself, where comments and layout could be lost. Move the list ` +
        `to ${beside} and accept again.`,
    );
  return beside;
}

function linesOf(
  judged: Run,
  file: string,
  { added, renewed, removed }: Omit<Accepted, "text">,
  acceptance: Acceptance | null,
): readonly string[] {
  const accepted = added.length + renewed.length;
  const done = [
    ...(acceptance ? [`${counted(accepted, "finding")} accepted until ${acceptance.until}`] : []),
    ...(removed.length > 0 ? [`${counted(removed.length, "entry", "entries")} of fixed issues removed`] : []),
  ];
  const sentence = new Map(judged.requirements.map((one) => [one.id, one.sentence]));
  return [
    `${done.join(" and ")}, in ${file}:`,
    ...Object.entries({ added, renewed, removed }).flatMap(([word, ids]) =>
      ids.map((id) => `  ${word.padEnd(9)} ${id}  ${sentence.get(id)}`),
    ),
    ...(judged.complete ? [] : ["The run was cut short: requirements that it didn't judge may be broken, too."]),
  ];
}

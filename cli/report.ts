// assay report: makes a run's reports again from its journal, also of a run that was cut short.
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { digestOfMember } from "../harness/core/memberFile.ts";
import { manifestFile } from "../harness/record/manifest.ts";
import { describedBy } from "../reports/described.ts";
import { documentMarkdown } from "../reports/document/markdown.ts";
import { documentPage } from "../reports/document/page.tsx";
import { formatNamed, formats } from "../reports/formats/formats.ts";
import { isKillMatrix, type KillMatrix } from "../reports/run/killedBy.ts";
import { isJson } from "../reports/text.ts";
import { vendorFindings } from "../reports/vendor/findings.ts";
import { vendorDocument, vendorHeadline } from "../reports/vendor/vendor.ts";
import { annotationsOption, type RunFlags } from "./flags.ts";
import { jsonOption } from "./forPrograms.ts";
import type { Invocation } from "./invocation.ts";
import { finishRun, readersOf } from "./readers.ts";
import { runOfJournal } from "./runAt.ts";
import { refuseUnwritable, writeText } from "./writeText.ts";

interface ReportCommandFlags extends Pick<RunFlags, "json" | "annotations" | "config"> {
  readonly format?: string;
  readonly kills?: string;
  readonly forVendor?: string;
}

export const reportCommand = (invocation: Invocation): Command =>
  new Command("report")
    .description("Write a run's reports again from its journal.")
    .argument("<folder>", "folder of the run")
    .option("--kills <file>", "add a kill matrix to the page, as `assay mutants --json` prints it")
    .option("--for-vendor <file>", "write only a report for the vendor: .html or .md")
    .option("--format <name>", `print this report alone: ${formats.map(({ name }) => name).join(", ")}`)
    .option(...jsonOption("run", "run.json"))
    .option(...annotationsOption)
    .addHelpText("after", "\nExample:\n  npx assay report runs/2026-11-21T10-40-12Z-reference")
    .action(async (folder: string, { kills, forVendor, format, config: _, ...flags }: ReportCommandFlags) => {
      if (forVendor !== undefined) {
        const [other] = Object.keys({ ...flags, ...present({ kills, format }) });
        if (other) throw new CommandLineError(`--for-vendor writes only one file. Leave --${other} out.`);
        await writeForVendor(invocation, folder, forVendor);
        return;
      }
      if (format !== undefined) {
        const [other] = Object.keys(flags);
        if (other) throw new CommandLineError(`--format prints one report alone. Leave --${other} out.`);
        await printIn(invocation, folder, format, killsIn(kills));
        return;
      }
      invocation.exitCode = await finishRun(invocation, { path: folder }, await readersOf(invocation, flags), {
        kills: killsIn(kills),
        read: runOfJournal(folder, invocation.project.described.tables),
      });
    });

const present = (flags: { readonly [flag: string]: string | undefined }): object =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));

/** @throws CommandLineError for an unknown format */
async function printIn(invocation: Invocation, folder: string, name: string, kills?: KillMatrix): Promise<void> {
  const format = formatNamed(name);
  const names = formats.map((known) => known.name).join(", ");
  if (!format) throw new CommandLineError(`--format is "${name}", which isn't a format. Write one of ${names}.`);
  const { run, tables } = runOfJournal(folder, invocation.project.described.tables);
  const described = describedBy(tables, invocation.project.described);
  const text = (await format.render({ run, described, kills })).trimEnd();
  if (isJson(text)) invocation.printJson(text);
  else invocation.print(text);
  invocation.exitCode = run.exitCode;
}

/** @throws CommandLineError for a file name without a known format */
async function writeForVendor(invocation: Invocation, folder: string, file: string): Promise<void> {
  const render = { ".html": documentPage, ".md": documentMarkdown }[extname(file)];
  if (!render)
    throw new CommandLineError(`--for-vendor is ${file}, whose format isn't known. End it with .html or .md.`);
  refuseUnwritable("--for-vendor", file);
  const { run } = runOfJournal(folder, invocation.project.described.tables);
  writeText(file, render(vendorDocument(run, await digestOfMember(folder, manifestFile))));
  invocation.print(`${file}: ${vendorHeadline(vendorFindings(run))}. Read it before you send it.`);
}

/** @throws CommandLineError where the file isn't what `assay mutants --json` prints */
function killsIn(file: string | undefined): KillMatrix | undefined {
  if (file === undefined) return undefined;
  const how = "Make one with `npx assay mutants --json > kills.json`.";
  try {
    const kills: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isKillMatrix(kills)) return kills;
  } catch (error) {
    throw new CommandLineError(`The kill matrix ${file} can't be read (${(error as Error).message}). ${how}`);
  }
  throw new CommandLineError(`The file ${file} isn't a kill matrix. ${how}`);
}

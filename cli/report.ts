// assay report: makes a run's reports again from its journal, also of a run that was cut short.
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { markdownOf } from "../reports/document/markdown.ts";
import { pageOf } from "../reports/document/page.tsx";
import { isKillMatrix, type KillMatrix } from "../reports/html/killedBy.ts";
import { vendorFindings } from "../reports/vendor/findings.ts";
import { vendorDocument, vendorHeadline } from "../reports/vendor/vendor.ts";
import { annotationsOption, type RunFlags } from "./flags.ts";
import type { Invocation } from "./invocation.ts";
import { readRun } from "./readRuns.ts";
import { finishRun, readersOf } from "./runFolder.ts";
import { refuseUnwritable, writeText } from "./writeText.ts";

interface ReportFlags extends Pick<RunFlags, "json" | "annotations"> {
  readonly kills?: string;
  readonly forVendor?: string;
}

export const reportCommand = (invocation: Invocation): Command =>
  new Command("report")
    .description("Make a run's reports again from its journal.")
    .argument("<folder>", "folder of the run")
    .option("--kills <file>", "add a kill matrix to the page, as `assay mutants --json` prints it")
    .option("--for-vendor <file>", "write only a report of what is broken for the vendor: .html or .md")
    .option("--json", "print run.json instead of text")
    .option(...annotationsOption)
    .addHelpText("after", "\nExample:\n  npx assay report runs/2026-11-21T10-40-12Z-reference")
    .action(async (folder: string, { kills, forVendor, ...flags }: ReportFlags) => {
      if (forVendor !== undefined) {
        const [other] = Object.keys({ ...flags, ...(kills === undefined ? {} : { kills }) });
        if (other) throw new CommandLineError(`--for-vendor writes one file alone. Leave --${other} out.`);
        writeForVendor(invocation, folder, forVendor);
        return;
      }
      invocation.exitCode = await finishRun(
        invocation,
        { path: folder },
        await readersOf(invocation, flags),
        kills === undefined ? undefined : readKills(kills),
      );
    });

/** @throws CommandLineError where the file's name says no format */
function writeForVendor(invocation: Invocation, folder: string, file: string): void {
  const render = { ".html": pageOf, ".md": markdownOf }[extname(file)];
  if (!render) throw new CommandLineError(`--for-vendor is ${file}, which names no format. End it with .html or .md.`);
  refuseUnwritable("--for-vendor", file);
  const run = readRun(folder, invocation.project.described.tables);
  writeText(file, render(vendorDocument(run)));
  invocation.print(`${file}: ${vendorHeadline(vendorFindings(run))}. Read it before you send it on.`);
}

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

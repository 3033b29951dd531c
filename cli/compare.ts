// assay compare: what runs found otherwise, or several vendors side by side.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { targetForm } from "../contracts/targets.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { journalName } from "../harness/record/journal.ts";
import type { Run } from "../harness/record/run.ts";
import { isEmbedded, readTarget } from "../harness/target/targetFile.ts";
import { compare, whyNotComparable } from "../reports/compare/compare.ts";
import type { Comparison } from "../reports/compare/comparison.ts";
import { markdownOf } from "../reports/compare/markdown.ts";
import { pageOf } from "../reports/compare/page.tsx";
import { comparisonLines } from "../reports/compare/terminal.ts";
import { described } from "./described.ts";
import { runAt } from "./readRuns.ts";
import { version } from "./version.ts";

interface CompareFlags {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly html?: string;
  readonly out?: string;
}

export const compareCommand = (): Command =>
  new Command("compare")
    .description("Tell what runs found otherwise than the first of them: promised or not. Targets are judged first.")
    .argument("<base>", "folder of a run, its run.json, or a target file (.yaml)")
    .argument("<head>", "the same")
    .argument("[more...]", "further runs or targets, each compared with the base")
    .option("--json", "print the comparison as JSON (reports/compare.schema.json)")
    .option("--markdown", "print at most 60 lines of Markdown")
    .option("--html <file>", "write a page")
    .option("--out <folder>", "write index.html, compare.md and compare.json")
    .addHelpText(
      "after",
      "\nExit codes: 0 nothing newly broken, 1 a promise is newly broken, 2 misuse, 3 it can't be told.",
    )
    .addHelpText("after", "\nExample:\n  npx assay compare runs/yesterday runs/today --markdown")
    .action((base: string, head: string, more: readonly string[], flags: CompareFlags) =>
      compareAll([base, head, ...more], flags),
    );

async function compareAll(paths: readonly string[], flags: CompareFlags): Promise<void> {
  if (flags.json && flags.markdown)
    throw new CommandLineError("--json and --markdown both print. Name one, or write both with --out.");
  if (flags.out !== undefined && existsSync(join(flags.out, journalName)))
    throw new CommandLineError(
      `The folder ${flags.out} holds a run, whose page would be lost. Name another with --out.`,
    );
  const comparison = compare(await runsOf(paths), version, described);
  writeFiles(comparison, flags);
  if (flags.json) console.log(JSON.stringify(comparison, null, 2));
  else console.log(flags.markdown ? markdownOf(comparison).trimEnd() : comparisonLines(comparison).join("\n"));
  process.exitCode = comparison.exitCode;
}

const isTarget = (path: string): boolean => /\.ya?ml$/i.test(path);

/** All that can be wrong is found before anything is sent or written. */
async function runsOf(paths: readonly string[]): Promise<readonly Run[]> {
  const read = paths.map((path) => (isTarget(path) ? null : runAt(path)));
  for (const path of paths.filter(isTarget))
    if (!isEmbedded(targetForm, path)) readTarget(targetForm, path, process.env);
  const known = paths.map((path, index) => read[index] ?? { id: path, interface: described.tables.edition });
  const reason = whyNotComparable(known);
  if (reason !== null) throw new CommandLineError(reason);
  // At one time, so that the slots of one target tell how fresh another is.
  return Promise.all(paths.map(async (path, index) => read[index] ?? runAt(await judged(path, index))));
}

const launcher = fileURLToPath(new URL("assay.js", import.meta.url));

/** Judges a target in a process of its own; gives the folder. @throws Misuse where it left no run */
function judged(file: string, index: number): Promise<string> {
  const began = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const folder = join("runs", `${began}Z-compared-${index + 1}-${basename(file).replace(/\.ya?ml$/i, "")}`);
  return new Promise((done, failed) => {
    // What is said of it must not run into what is printed of the comparison.
    const child = spawn(process.execPath, [launcher, "run", "--target", file, "--out", folder], {
      stdio: ["ignore", 2, 2],
    });
    child.once("error", failed);
    child.once("exit", () => {
      if (existsSync(join(folder, "run.json"))) done(folder);
      else
        failed(
          new CommandLineError(`${file} could not be judged, as said above, so that there is nothing to compare.`),
        );
    });
  });
}

function writeFiles(comparison: Comparison, { html, out }: CompareFlags): void {
  if (html !== undefined) write(html, pageOf(comparison));
  if (out === undefined) return;
  write(join(out, "index.html"), pageOf(comparison));
  write(join(out, "compare.md"), markdownOf(comparison));
  write(join(out, "compare.json"), `${JSON.stringify(comparison, null, 2)}\n`);
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandLineError(
      `${file} can't be written (${(error as NodeJS.ErrnoException).code}). Name another place.`,
    );
  }
}

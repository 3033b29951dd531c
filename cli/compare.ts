// assay compare: compares runs, or several vendors, with a baseline.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { targetForm } from "../contracts/targets.ts";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Run } from "../harness/record/run.ts";
import { isEmbedded } from "../harness/target/targetFile.ts";
import { compare, whyNotComparable } from "../reports/compare/compare.ts";
import type { Comparison } from "../reports/compare/comparison.ts";
import { markdownOf } from "../reports/compare/markdown.ts";
import { pageOf } from "../reports/compare/page.tsx";
import { comparisonLines } from "../reports/compare/terminal.ts";
import { described } from "./described.ts";
import { envOption, type JudgingFlags, variablesNamed } from "./flags.ts";
import { holdsRun, runAt } from "./readRuns.ts";
import { vendorIn } from "./target.ts";
import { version } from "./version.ts";
import { refuseUnwritable, Unfinished, writeText } from "./writeText.ts";

interface CompareFlags extends Pick<JudgingFlags, "env"> {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly html?: string;
  readonly out?: string;
}

export const compareCommand = (): Command =>
  new Command("compare")
    .description("Compare runs with a baseline. Target files are judged first.")
    .argument("<base>", "the baseline: folder of a run, its run.json, or a target file (.yaml)")
    .argument("<head>", "run or target file to compare")
    .argument("[more...]", "further ones, each compared with the baseline")
    .option(...envOption)
    .option("--json", "print JSON (reports/compare.schema.json) instead of text")
    .option("--markdown", "print Markdown, at most 60 lines")
    .option("--html <file>", "write an HTML page")
    .option("--out <folder>", "write index.html, compare.md and compare.json")
    .addHelpText(
      "after",
      "\nExit codes: 0 nothing newly broken, 1 a requirement is newly broken, 2 invalid flags or files, 3 " +
        "inconclusive.\nOther differences never fail the command.",
    )
    .addHelpText("after", "\nExample:\n  npx assay compare runs/yesterday runs/today --markdown")
    .action((base: string, head: string, more: readonly string[], flags: CompareFlags) =>
      compareAll([base, head, ...more], flags),
    );

async function compareAll(paths: readonly string[], flags: CompareFlags): Promise<void> {
  if (flags.json && flags.markdown)
    throw new CommandLineError("--json and --markdown can't both be printed. Choose one, or write both with --out.");
  if (flags.html !== undefined) refuseUnwritable("--html", flags.html);
  if (flags.out !== undefined && holdsRun(flags.out))
    throw new CommandLineError(
      `The folder ${flags.out} holds a run, whose page would be overwritten. Name another with --out.`,
    );
  const comparison = compare(await runsOf(paths, flags), version, described);
  writeFiles(comparison, flags);
  if (flags.json) console.log(JSON.stringify(comparison, null, 2));
  else console.log(flags.markdown ? markdownOf(comparison).trimEnd() : comparisonLines(comparison).join("\n"));
  process.exitCode = comparison.exitCode;
}

const isTarget = (path: string): boolean => /\.ya?ml$/i.test(path);

/** Finds every invalid argument before anything is sent or written. */
async function runsOf(paths: readonly string[], { env }: CompareFlags): Promise<readonly Run[]> {
  const read = paths.map((path) => (isTarget(path) ? null : runAt(path, described.tables)));
  const allowedVariables = variablesNamed(env);
  for (const path of paths.filter(isTarget)) if (!isEmbedded(targetForm, path)) vendorIn(path, { allowedVariables });
  const known = paths.map((path, index) => read[index] ?? { id: path, interface: described.tables.edition });
  const reason = whyNotComparable(known);
  if (reason !== null) throw new CommandLineError(reason);
  // Side by side, so that slots can be compared between targets.
  return Promise.all(
    paths.map(async (path, index) => read[index] ?? runAt(await judged(path, index, env), described.tables)),
  );
}

const launcher = fileURLToPath(new URL("assay.js", import.meta.url));

/**
 * Judges a target in a process of its own; gives the run's folder.
 * @throws CommandLineError where the target is invalid; Unfinished where it left no run for any other reason
 */
function judged(file: string, index: number, env: string | undefined): Promise<string> {
  const began = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const folder = join("runs", `${began}Z-compared-${index + 1}-${basename(file).replace(/\.ya?ml$/i, "")}`);
  return new Promise((done, failed) => {
    // Its output goes to standard error, apart from the comparison's.
    const args = ["run", "--target", file, "--out", folder, ...(env === undefined ? [] : ["--env", env])];
    const child = spawn(process.execPath, [launcher, ...args], { stdio: ["ignore", 2, 2] });
    child.once("error", failed);
    child.once("exit", (code) => {
      const Failure = code === 2 ? CommandLineError : Unfinished;
      if (existsSync(join(folder, "run.json"))) done(folder);
      else failed(new Failure(`${file} could not be judged (see above), so there is nothing to compare.`));
    });
  });
}

function writeFiles(comparison: Comparison, { html, out }: CompareFlags): void {
  if (html !== undefined) writeText(html, pageOf(comparison));
  if (out === undefined) return;
  writeText(join(out, "index.html"), pageOf(comparison));
  writeText(join(out, "compare.md"), markdownOf(comparison));
  writeText(join(out, "compare.json"), `${JSON.stringify(comparison, null, 2)}\n`);
}

// assay report: makes the reports of a run again from its journal, also of one that was cut short.
import { existsSync } from "node:fs";
import { Command } from "commander";
import { Misuse } from "../harness/misuse.ts";
import { finishRun, readersOf } from "./runFolder.ts";

export const reportCommand = (): Command =>
  new Command("report")
    .description("Make the reports of a run again from its journal.")
    .argument("<folder>", "folder of the run")
    .option("--json", "print run.json instead of lines for people")
    .option("--annotations <github|none>", "print GitHub's annotations too (default: where GITHUB_ACTIONS is set)")
    .addHelpText("after", "\nExample:\n  npx assay report runs/2026-11-21T10-40-12Z-reference")
    .action((folder: string, flags: { readonly json?: boolean; readonly annotations?: string }) => {
      if (!existsSync(folder)) throw new Misuse(`There is no folder ${folder}. Name the folder of a run; they are under runs/.`);
      process.exitCode = finishRun({ path: folder }, readersOf(flags));
    });

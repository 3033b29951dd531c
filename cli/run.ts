// assay run: judges one target and leaves a report.
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { usualSeed } from "../harness/core/generation.ts";
import type { RequirementId } from "../harness/core/interface.ts";
import { onTarget } from "./target.ts";

export interface RunFlags {
  readonly target?: string;
  readonly only?: string;
  readonly out?: string;
  readonly plan?: boolean;
  readonly json?: boolean;
  readonly annotations?: string;
  readonly implied?: string;
  readonly mutant?: string;
  readonly seed?: string;
  readonly path?: string;
  readonly save?: string | true;
}

export const runCommand = (): Command =>
  new Command("run")
    .description("Judge a target: the platform that a target file names, or the embedded reference platform.")
    .option("--target <file>", "target file (default: the embedded reference platform)")
    .option("--only <ids>", "only these requirements, by id, separated by commas")
    .option("--out <folder>", "folder of this run (default: runs/<time>-<target>)")
    .option("--plan", "print what would be tried and what it costs, send nothing")
    .option("--json", "print run.json instead of lines for people")
    .option("--annotations <github|none>", "print GitHub's annotations too (default: where GITHUB_ACTIONS is set)")
    .option("--implied <fail|warn>", "whether implied requirements fail on a vendor", "warn")
    .option("--seed <number>", "draw other generated cases", String(usualSeed))
    .option("--path <case>", "replay one generated case, as a finding names it")
    .option("--save [folder]", "keep the generated cases that fail, to be tried first from then on")
    .option("--mutant <mutant>", "let the embedded reference lie in one named way")
    .addHelpText("after", "\nExample:\n  npx assay run --target targets/example.yaml --only USG-HTTP-01,CYC-PRES-01")
    .action(run);

const run = (flags: RunFlags): Promise<void> => judgeOnly(null, flags);

/** Judges only these requirements, or those that the flags name, or all. What judges is read once it is known whom. */
export async function judgeOnly(only: readonly RequirementId[] | null, flags: RunFlags): Promise<void> {
  if (flags.implied !== "fail" && flags.implied !== "warn")
    throw new CommandLineError(`--implied is "${flags.implied}". Write --implied=fail or --implied=warn.`);
  await onTarget(flags.target, flags.mutant, async (target) => {
    const { judge } = await import("./judging.ts");
    await judge(target, only, flags);
  });
}

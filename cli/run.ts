// assay run: judges one target and writes a report.
import { Command, Option } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { defaultSeed } from "../harness/core/generation.ts";
import type { EngineOptions } from "../harness/engine/options.ts";
import { envOption, impliedFailsBy, mutantOption, type RunFlags, writesReports, writesRun } from "./flags.ts";
import type { Invocation } from "./invocation.ts";
import { onTarget } from "./target.ts";

export const runCommand = (invocation: Invocation): Command =>
  writesReports(writesRun(whatIsJudged()))
    .option("--plan", "only plan, send nothing (reports/plan.schema.json)")
    .option("--implied <fail|warn>", "breaches of implied requirements", "warn")
    .option("--renamed <fail|warn>", "names that a target file renames", "warn")
    .option("--fixed <fail|warn>", "known issues that are fixed", "warn")
    .option("--intermittent <fail|warn>", "failures that don't occur again", "warn")
    .option("--strict", "exit code 3 for what is only verified in part")
    .option("--seed <number>", "generate other cases", String(defaultSeed))
    // Replay lines have it.
    .addOption(new Option("--path <case>").hideHelp())
    .option("--save [folder]", "keep failing cases; later runs try them first")
    .option(...mutantOption)
    .addHelpText("after", "\nExample:\n  npx assay run acme.yaml --only USG-HTTP-01,CYC-PRES-01")
    .action((file: string | undefined, flags: RunFlags) =>
      judgeOnly(invocation, {}, { ...flags, ...targetNamed(file, flags) }),
    );

/** @throws CommandLineError where a file is named twice, or isn't a target file */
function targetNamed(file: string | undefined, { target }: RunFlags): Pick<RunFlags, "target"> {
  if (file === undefined) return {};
  if (target !== undefined)
    throw new CommandLineError(
      `run takes one target file: ${file}, or --target ${target}. Leave one of them out; ` +
        "to judge two platforms, run Assay twice.",
    );
  return { target: file };
}

const whatIsJudged = (): Command =>
  new Command("run")
    .description("Judge a platform: that of a target file, or the embedded reference platform.")
    .argument("[file]")
    .option("--target <file>", "the same file (default: the reference platform)")
    .option(...envOption)
    .option("--only <ids>", "only these: ids, areas (CYC), patterns (CYC-*)")
    .option("--all-findings", "with --only: count other breaches, too")
    .option("--fail-fast", "stop at the first breach that fails the run")
    .option("--no-observe", "skip what is only observed")
    .option("--for <time>", "start nothing after this time, such as 60s");

/** Judges that scope, or what the flags name, or all. */
export async function judgeOnly(
  invocation: Invocation,
  scope: Pick<EngineOptions, "only" | "observe">,
  flags: RunFlags,
): Promise<void> {
  const impliedFails = impliedFailsBy(flags);
  await onTarget(invocation, flags, async (target) => {
    // Loaded only once the target is known to be valid.
    const { judgeTarget } = await import("./judging.ts");
    await judgeTarget(invocation, target, scope, { ...flags, impliedFails });
  });
}

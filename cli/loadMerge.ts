// assay load merge: judges all parts of a load as one.
import { statSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { memberOf, textOfFile } from "../harness/core/memberFile.ts";
import { Inconclusive } from "../harness/core/outcomes.ts";
import type { LoadTrait, PartLack } from "../harness/core/partLack.ts";
import { totalSpent } from "../harness/targets/budget.ts";
import { deviationsFileOf } from "../harness/targets/deviations.ts";
import { scriptDigest } from "../load/k6/bundle.ts";
import { secondsOfPhases } from "../load/shapes/shapes.ts";
import { judgedLoad } from "../load/traffic/load.ts";
import { envOption, impliedFailsBy, type JudgingFlags, variablesNamed, writesRun } from "./flags.ts";
import type { Invocation } from "./invocation.ts";
import { type KeptPart, type LoadIdentity, partAt, targetFile } from "./partFolders.ts";
import { callOf } from "./replayLine.ts";
import { judgesOf } from "./suite.ts";
import { placeholder, vendorIn } from "./target.ts";
import { judgedAsRun, reported } from "./underLoad.ts";
import { version } from "./version.ts";

export const mergeCommand = (invocation: Invocation): Command =>
  writesRun(
    new Command("merge")
      .description("Judge the parts of a load that several machines sent, as one.")
      .argument("<part...>", "folders written by `assay load --part`, or logs of k6 runners")
      .option("--target <file>", "target file (default: the copy next to a part)")
      .option(...envOption),
  )
    .option("--implied <fail|warn>", "breaches of implied requirements", "warn")
    .addHelpText("after", "\nExample:\n  npx assay load merge part-1 part-2 part-3")
    .action((paths: readonly string[], flags: JudgingFlags) => merge(invocation, paths, flags));

async function merge(invocation: Invocation, paths: readonly string[], flags: JudgingFlags): Promise<void> {
  const { suite } = judgesOf(invocation.project);
  const impliedFails = impliedFailsBy(flags);
  // A k6 that ended before the load leaves an empty log: its part is missing.
  const filled = paths.filter((path) => {
    const there = statSync(path, { throwIfNoEntry: false });
    return !there?.isFile() || there.size > 0;
  });
  const kept = await Promise.all((filled.length > 0 ? filled : paths).map((path) => partAt(path)));
  refuseOthers(kept);
  const file = flags.target ?? targetBeside(kept);
  if (file === undefined)
    throw new CommandLineError("No part has a copy of its target file next to it. Name the file with --target.");
  // Nothing is sent. Keys are removed once more, where the user says which: a part's copy could name any variable.
  const isOwn = flags.target !== undefined || flags.env !== undefined;
  const reading = { allowedVariables: variablesNamed(flags.env), placeholder };
  const target = vendorIn({ ...invocation, env: isOwn ? invocation.env : {} }, file, reading);
  const { own, lacks, plan } = ownOf(kept, scriptDigest(textOfFile(file)));
  const call = callOf(invocation.program, ["load", "merge", ...paths], {});
  const began_ms = Math.min(...own.map(({ part }) => part.beganAt_ms ?? Date.now()));
  const at = { began_ms, ended_ms: began_ms + secondsOfPhases(plan.phases) * 1000 };
  const generator = [...new Set(own.map((one) => one.generator))].join(", ");
  const before = totalSpent(own.map((one) => one.before));
  const judging = { target, plan, suite, impliedFails, generator, before, lacks };
  const parts = own.map(({ part }) => part);
  const performed = await asOurs(own, () => reported(plan, generator, judgedLoad(parts, judging)));
  await judgedAsRun(invocation, target, plan, { ...flags, call, target: file, at }, () => Promise.resolve(performed));
}

/** The copy of the target file that came with a part. @throws CommandLineError for links that lead out of the folder */
function targetBeside(kept: readonly KeptPart[]): string | undefined {
  const folders = kept.filter(({ path }) => statSync(path).isDirectory());
  const [first] = folders.filter(({ path }) => memberOf(path, targetFile) !== null);
  // It is read with the target.
  if (first) memberOf(first.path, deviationsFileOf(targetFile));
  return first && join(first.path, targetFile);
}

/** What is judged before anything is written. @throws CommandLineError where a part has what Assay writes in none */
async function asOurs<Judged>(parts: readonly KeptPart[], judge: () => Promise<Judged>): Promise<Judged> {
  try {
    return await judge();
  } catch (error) {
    if (error instanceof CommandLineError || error instanceof Inconclusive) throw error;
    const paths = parts.map(({ path }) => path).join(", ");
    throw new CommandLineError(
      `${paths}: a part has what Assay writes in none (${(error as Error).message}). Copy it again from the machine ` +
        "that sent it.",
    );
  }
}

/** Parts of different loads can't be merged. */
function refuseOthers(kept: readonly KeptPart[]): void {
  const [first, ...others] = kept;
  const other = others.find(({ identity }) => identity.id !== first?.identity.id);
  if (first && other)
    throw new CommandLineError(
      `${first.path} is a part of ${first.identity.id}, and ${other.path} of ${other.identity.id}: they are of ` +
        "different loads. Name the parts of one.",
    );
}

/** What must not differ between parts. */
const common: readonly (readonly [trait: LoadTrait, valueOf: (of: LoadIdentity) => unknown])[] = [
  ["version", ({ version: of }) => of],
  ["target", ({ target }) => target],
  ["seed", ({ plan }) => plan.seed],
  ["plan", ({ plan: { seed: _, ...plan } }) => JSON.stringify(plan)],
  ["script", ({ script }) => script],
];

/** How a part differs from a load; undefined where it belongs to it. */
const differenceOf = (part: KeptPart, other: KeptPart): LoadTrait | undefined =>
  common.find(([, valueOf]) => valueOf(part.identity) !== valueOf(other.identity))?.[0];

/** The parts that agree with most, and with the target file; and what is lacking of the others. */
function ownOf(kept: readonly KeptPart[], digest: string) {
  const alike = kept.map((one) => kept.filter((other) => differenceOf(other, one) === undefined));
  const [own = []] = alike.sort((a, b) => b.length - a.length);
  const [first] = own;
  if (first && first.identity.version !== version)
    throw new CommandLineError(
      `The parts were sent by Assay ${first.identity.version}, and this is ${version}. Merge them with that version.`,
    );
  if (first?.identity.target !== digest)
    throw new CommandLineError(
      `The target file isn't the one that the parts were sent with. Name that one with --target, as it was then.`,
    );
  const lacks = kept.flatMap((other): readonly PartLack[] => {
    const { nth, of } = other.part;
    const differsIn = differenceOf(other, first);
    return differsIn === undefined ? [] : [{ nth, of, is: "foreign", differsIn }];
  });
  return { own, lacks, plan: first.identity.plan };
}

// assay replay: sends again only what showed each breach of a run, and says what became of it.
import { Command } from "commander";
import { realClock } from "../harness/core/clock.ts";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { defaultGeneration, pathText, replayedCaseOf } from "../harness/core/generation.ts";
import { describeReason } from "../harness/core/reason.ts";
import { supplemented } from "../harness/core/template.ts";
import { openEngine } from "../harness/engine/engine.ts";
import type { Verdict } from "../harness/model/verdict.ts";
import { checkToReplay, mostReplayed, type ShownFinding } from "../harness/record/replaying.ts";
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import type { Target } from "../harness/targets/target.ts";
import { isEmbedded } from "../harness/targets/targetFile.ts";
import { networkWire, type Wire } from "../harness/transport/wire.ts";
import { envOption, type JudgingFlags, seedNamed } from "./flags.ts";
import { jsonOption, printForPrograms } from "./forPrograms.ts";
import { type Invocation, shellQuoted } from "./invocation.ts";
import {
  noReplayTexts,
  type ReplayedBreach,
  type ReplayedRequirement,
  replayedNothing,
  replayedText,
  replayOutcome,
  spentByAll,
  totalLine,
} from "./replayed.ts";
import { runAt, targetFileOf } from "./runAt.ts";
import { judgesOf } from "./suite.ts";
import { onTarget, openingLines, placeholder, variableLines, vendorIn } from "./target.ts";

type ReplayFlags = Pick<JudgingFlags, "target" | "env" | "config" | "json">;

export const replayCommand = (invocation: Invocation): Command =>
  new Command("replay")
    .description(
      `Send again what showed each broken requirement, at most ${mostReplayed} requests for each: is it fixed?`,
    )
    .argument("<run>", "folder of the run, or its run.json")
    .argument("[requirements...]", "only these (default: all that are broken)")
    .option("--target <file>", "target file (default: the run's, where it is of this folder)")
    .option(...envOption)
    .option(...jsonOption("replay"))
    .addHelpText(
      "after",
      "\nExit codes: 0 all are fixed, 1 something is still broken, 2 invalid flags or files, 3 nothing is still " +
        "broken but not all can be told.\n\nExample:\n  npx assay replay runs/2026-11-21T10-40-12Z-acme CYC-PRES-01",
    )
    .action((path: string, ids: readonly string[], flags: ReplayFlags) => replay(invocation, path, ids, flags));

async function replay(invocation: Invocation, path: string, ids: readonly string[], flags: ReplayFlags): Promise<void> {
  const run = runAt(path, invocation.project.described.tables);
  const found = foundIn(run, ids);
  const isJson = flags.json === true;
  if (found.length === 0) {
    if (isJson) printForPrograms(invocation, replayOutcome(run, run.target.name, []));
    else invocation.print("Nothing to replay: no requirement is broken in this run.");
    invocation.exitCode = 0;
    return;
  }
  const named = flagsFor(run, path, flags);
  if (named.target !== undefined && flags.target === undefined && flags.env === undefined) {
    const words = [path, ...ids, ...(flags.config === undefined ? [] : ["--config", flags.config])];
    refuseUnnamed(invocation, named.target, ["npx assay replay", ...words.map(shellQuoted)].join(" "));
  }
  await onTarget(invocation, named, async (target) => {
    const say = isJson ? invocation.warn : invocation.print;
    for (const line of openingLines(invocation, target)) say(line);
    const { wire, close } = networkWire({ environment: invocation.env });
    try {
      const all: ReplayedRequirement[] = [];
      const replaying = { run, target: knownTarget(target, run), wire };
      // The target's budget is for all of them.
      for (const requirement of found) {
        const replayed = await replayOne(invocation, requirement, replaying, spentByAll(all));
        all.push(replayed);
        if (!isJson) invocation.print(replayedText(replayed));
      }
      const outcome = replayOutcome(run, target.name, all);
      if (isJson) printForPrograms(invocation, outcome);
      else invocation.print(totalLine(outcome));
      invocation.exitCode = outcome.exitCode;
    } finally {
      await close();
    }
  });
}

/** @throws CommandLineError for a requirement that the run doesn't have, or didn't find broken */
function foundIn({ requirements, recording }: Run, ids: readonly string[]): readonly JudgedRequirement[] {
  if (recording)
    throw new CommandLineError(
      "This run judged a recording, whose requests only the recorded client can send again. Record it again and " +
        "judge that.",
    );
  if (ids.length === 0)
    return requirements.filter(
      ({ verdict, breaches, unselected }) => verdict === "broken" && breaches.length > 0 && !unselected,
    );
  return ids.map((id) => {
    const requirement = requirements.find((one) => one.id.toLowerCase() === id.toLowerCase());
    if (requirement && requirement.breaches.length > 0) return requirement;
    const known = requirements.filter(({ breaches }) => breaches.length > 0).map((one): string => one.id);
    throw new CommandLineError(
      `${id} isn't broken in this run${suggestion(id, known)}. Broken are: ${known.join(", ") || "none"}.`,
    );
  });
}

/**
 * A run may be anybody's, and so may the file that it names: of the user's variables it gets none.
 * @param line the command as it was typed
 * @throws CommandLineError where the file names any
 */
function refuseUnnamed(invocation: Invocation, file: string, line: string): void {
  if (isEmbedded(invocation.project.form, file)) return;
  const target = vendorIn(invocation, file, { placeholder });
  if (target.variables.length === 0) return;
  const uses = variableLines(target).map((use) => use.trim());
  throw new CommandLineError(
    `The run names the target file ${file}, which ${uses.join(", ")}. Who made the run has chosen that file. Name it ` +
      `yourself if that is meant: ${line} --target ${shellQuoted(file)}`,
  );
}

/** The platform that the run judged, unless another is named; which variables it gets isn't the run's to say. */
function flagsFor(run: Run, path: string, { target: file, env }: ReplayFlags): Parameters<typeof onTarget>[1] {
  const { call } = run;
  const before = (name: string): string | undefined => {
    const value = call?.flags[name];
    return typeof value === "string" ? value : undefined;
  };
  const [named, mutant] = [file ?? targetFileOf(run, path), before("mutant")];
  return {
    ...(named === undefined ? {} : { target: named }),
    ...(env === undefined ? {} : { env }),
    ...(mutant === undefined || file !== undefined ? {} : { mutant }),
  };
}

/** With the samples that the run found. Known deviations count as broken as long as they are there. */
const knownTarget = (target: Target, { samples = [] }: Run): Target => ({
  ...target,
  deviations: [],
  samples: samples
    .filter(({ by }) => by === "found")
    .reduce((known, { at, value }) => supplemented(known, at, value), target.samples),
});

interface Replaying {
  readonly run: Run;
  readonly target: Target;
  readonly wire: Wire;
}

/** The target with what is left of its budget. @param most requests */
function limitedTo(target: Target, spent: ReplayedRequirement["spent"], most: number): Target {
  const { requests = Number.POSITIVE_INFINITY, credits = Number.POSITIVE_INFINITY } = target.budget;
  const left = (most: number, used: number): number => Math.max(0, most - used);
  const budget = {
    ...target.budget,
    requests: Math.min(most, left(requests, spent.requests)),
    credits: left(credits, spent.credits),
  };
  return { ...target, budget };
}

/** Its breaches, those of one request once. */
function unlikeBreaches({ breaches }: JudgedRequirement, { exchanges }: Run): JudgedRequirement["breaches"] {
  const stimuli = new Map(exchanges.map(({ number, stimulus }) => [number, stimulus]));
  const named = breaches.map((breach) => {
    const { counterexample, exchange } = breach;
    return [counterexample ? pathText(counterexample) : (stimuli.get(exchange) ?? ""), breach] as const;
  });
  // Of those alike the first counts: counterexamples come first.
  return [...new Map(named.toReversed()).values()].toReversed();
}

/**
 * Sends again what showed its breaches, as many as its requests allow, until one is still there. Fixed where some could
 * be sent and none is: the line that judges all of them is beside it.
 */
async function replayOne(
  invocation: Invocation,
  requirement: JudgedRequirement,
  replaying: Replaying,
  before: ReplayedRequirement["spent"],
): Promise<ReplayedRequirement> {
  const all: ReplayedBreach[] = [];
  const breaches = unlikeBreaches(requirement, replaying.run);
  for (const breach of breaches) {
    const left = mostReplayed - spentByAll(all).requests;
    if (left <= 0) break;
    const target = limitedTo(replaying.target, spentByAll([{ spent: before }, ...all]), left);
    const replayed = await replayBreach(invocation, requirement, breach, { ...replaying, target });
    all.push(replayed);
    if (replayed.is === "broken") break;
  }
  const { id, sentence, replay: line } = requirement;
  const is = (["broken", "fixed"] as const).find((fate) => all.some((one) => one.is === fate)) ?? "undecided";
  return { id, sentence, is, breaches: all, shown: breaches.length, spent: spentByAll(all), replay: line };
}

async function replayBreach(
  { project }: Invocation,
  { id }: JudgedRequirement,
  breach: JudgedRequirement["breaches"][number],
  { run, target, wire }: Replaying,
): Promise<ReplayedBreach> {
  const exchange = run.exchanges.find(({ number }) => number === breach.exchange);
  const finding: ShownFinding = { id, breach, exchange };
  const { auditor: _, remarks: __, ...suite } = judgesOf(project).suite;
  const check = checkToReplay(finding, suite, target);
  if ("kind" in check) {
    const why = { kind: check.kind, says: noReplayTexts[check.kind] };
    return { exchange: breach.exchange, is: "undecided", breach: null, why, spent: replayedNothing };
  }
  const { counterexample } = breach;
  const replayedCase = counterexample ? replayedCaseOf(pathText(counterexample)) : null;
  const seedFlag = run.call?.flags["seed"];
  const seed = counterexample?.seed ?? seedNamed(typeof seedFlag === "string" ? seedFlag : undefined);
  const engine = openEngine({
    suite: { ...suite, checks: [check], probes: [], authSanityChecks: [] },
    target,
    wire,
    clock: realClock,
    only: [id],
    observe: [],
    generation: { ...defaultGeneration(target), seed, shrinks: false, ...(replayedCase && { replay: replayedCase }) },
  });
  const verdict = (await engine.run()).find((one) => one.id === id);
  const { requests, credits } = engine.spent;
  return { exchange: breach.exchange, ...fateOf(verdict), spent: { requests, credits } };
}

/** What a verdict on the check alone says of the finding. */
function fateOf(verdict: Verdict | undefined): Pick<ReplayedBreach, "is" | "breach" | "why"> {
  const [breach] = verdict?.breaches ?? [];
  if (breach) return { is: "broken", breach: { at: breach.at, expected: breach.expected, got: breach.got }, why: null };
  if (verdict?.verdict === "holds" || verdict?.verdict === "deviates") return { is: "fixed", breach: null, why: null };
  const says = verdict?.reasons.map(describeReason).join("; ") ?? "";
  return { is: "undecided", breach: null, why: { kind: "unjudged", says } };
}

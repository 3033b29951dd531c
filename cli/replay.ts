// assay replay: sends again only what showed each breach of a run, and says what became of it.
import { Command } from "commander";
import { realClock } from "../harness/core/clock.ts";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { defaultGeneration, pathText, replayedCaseOf } from "../harness/core/generation.ts";
import { describeReason } from "../harness/core/reason.ts";
import { supplemented } from "../harness/core/template.ts";
import { openEngine } from "../harness/engine/engine.ts";
import type { Verdict } from "../harness/model/verdict.ts";
import { checkToReplay, mostReplayed, type NoReplay, type ShownFinding } from "../harness/record/replaying.ts";
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import type { Spent } from "../harness/targets/budget.ts";
import type { Target } from "../harness/targets/target.ts";
import { isEmbedded } from "../harness/targets/targetFile.ts";
import { networkWire, type Wire } from "../harness/transport/wire.ts";
import { breachText } from "../reports/breach.ts";
import { counted } from "../reports/numbers.ts";
import { oneLine } from "../reports/text.ts";
import { envOption, type JudgingFlags, seedNamed } from "./flags.ts";
import { type Invocation, shellQuoted } from "./invocation.ts";
import { runAt, targetFileOf } from "./runAt.ts";
import { judgesOf } from "./suite.ts";
import { onTarget, openingLines, placeholder, variableLines, vendorIn } from "./target.ts";

type ReplayFlags = Pick<JudgingFlags, "target" | "env" | "config">;

export const replayCommand = (invocation: Invocation): Command =>
  new Command("replay")
    .description(
      `Send again what showed each broken requirement, at most ${mostReplayed} requests for each: is it fixed?`,
    )
    .argument("<run>", "folder of the run, or its run.json")
    .argument("[requirements...]", "only these (default: all that are broken)")
    .option("--target <file>", "target file (default: the run's, where it is of this folder)")
    .option(...envOption)
    .addHelpText(
      "after",
      "\nExit codes: 0 all are fixed, 1 something is still broken, 2 invalid flags or files, 3 nothing is still " +
        "broken but not all can be told.\n\nExample:\n  npx assay replay runs/2026-11-21T10-40-12Z-acme CYC-PRES-01",
    )
    .action((path: string, ids: readonly string[], flags: ReplayFlags) => replay(invocation, path, ids, flags));

type Fate = "fixed" | "broken" | "can't tell";

interface Replayed {
  readonly is: Fate;
  /** What still breaks it, or why it can't be told; empty where it is fixed. */
  readonly detail: string;
  readonly spent: Pick<Spent, "requests" | "credits">;
}

const nothing = { requests: 0, credits: 0 };

async function replay(invocation: Invocation, path: string, ids: readonly string[], flags: ReplayFlags): Promise<void> {
  const run = runAt(path, invocation.project.described.tables);
  const found = foundIn(run, ids);
  if (found.length === 0) {
    invocation.print("Nothing to replay: no requirement is broken in this run.");
    invocation.exitCode = 0;
    return;
  }
  const named = flagsFor(run, path, flags);
  if (named.target !== undefined && flags.target === undefined && flags.env === undefined) {
    const words = [path, ...ids, ...(flags.config === undefined ? [] : ["--config", flags.config])];
    refuseUnnamed(invocation, named.target, ["npx assay replay", ...words.map(shellQuoted)].join(" "));
  }
  await onTarget(invocation, named, async (target) => {
    for (const line of openingLines(invocation, target)) invocation.print(line);
    const { wire, close } = networkWire({ environment: invocation.env });
    try {
      const all = await replayAll(invocation, found, { run, target: knownTarget(target, run), wire });
      invocation.print(totalLine(all));
      const isAny = (fate: Fate): boolean => all.some(({ is }) => is === fate);
      invocation.exitCode = isAny("broken") ? 1 : isAny("can't tell") ? 3 : 0;
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
function limitedTo(target: Target, spent: Replayed["spent"], most: number): Target {
  const { requests = Number.POSITIVE_INFINITY, credits = Number.POSITIVE_INFINITY } = target.budget;
  const left = (most: number, used: number): number => Math.max(0, most - used);
  const budget = {
    ...target.budget,
    requests: Math.min(most, left(requests, spent.requests)),
    credits: left(credits, spent.credits),
  };
  return { ...target, budget };
}

/** Each requirement in turn, with a line for it; the target's budget is for all of them. */
async function replayAll(
  invocation: Invocation,
  requirements: readonly JudgedRequirement[],
  replaying: Replaying,
): Promise<readonly Replayed[]> {
  const all: Replayed[] = [];
  for (const requirement of requirements) {
    const replayed = await replayOne(invocation, requirement, replaying, spentBy(all));
    all.push(replayed);
    const { is, detail } = replayed;
    const { id, sentence } = requirement;
    invocation.print(`${is.padEnd(10)}  ${id}  ${sentence}${detail === "" ? "" : `\n            ${detail}`}`);
  }
  return all;
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
  before: Replayed["spent"],
): Promise<Replayed> {
  const all: Replayed[] = [];
  const breaches = unlikeBreaches(requirement, replaying.run);
  for (const breach of breaches) {
    const left = mostReplayed - spentBy(all).requests;
    if (left <= 0) break;
    const target = limitedTo(replaying.target, spentBy([{ spent: before }, ...all]), left);
    const replayed = await replayBreach(invocation, requirement, breach, { ...replaying, target });
    all.push(replayed);
    if (replayed.is === "broken") break;
  }
  const spent = spentBy(all);
  const fixed = all.filter(({ is }) => is === "fixed").length;
  const [open] = (["broken", "can't tell"] as const).flatMap((fate) => all.find(({ is }) => is === fate) ?? []);
  if (open && (open.is === "broken" || fixed === 0)) return { ...open, spent };
  const share = `${fixed} of the ${breaches.length} requests that showed it; \`${requirement.replay}\` sends all`;
  return { is: "fixed", detail: fixed < breaches.length ? share : "", spent };
}

const elsewhereText = ({ replay: line }: JudgedRequirement): string => `\`${line}\` judges it again`;

const spentBy = (all: readonly Pick<Replayed, "spent">[]): Replayed["spent"] =>
  all.reduce(
    ({ requests, credits }, { spent }) => ({ requests: requests + spent.requests, credits: credits + spent.credits }),
    nothing,
  );

const noReplayTexts: { readonly [Kind in NoReplay["kind"]]: string } = {
  costly: "it sends what can't be undone, or many requests at set times",
  noCheck: "no check for it is loaded, as it is of a config: name that with --config",
  notAlone: "its request follows from others and can't be sent alone",
};

async function replayBreach(
  { project }: Invocation,
  requirement: JudgedRequirement,
  breach: JudgedRequirement["breaches"][number],
  { run, target, wire }: Replaying,
): Promise<Replayed> {
  const { id } = requirement;
  const elsewhere = elsewhereText(requirement);
  const exchange = run.exchanges.find(({ number }) => number === breach.exchange);
  const finding: ShownFinding = { id, breach, exchange };
  const { auditor: _, remarks: __, ...suite } = judgesOf(project).suite;
  const check = checkToReplay(finding, suite, target);
  if ("kind" in check)
    return { is: "can't tell", detail: `${noReplayTexts[check.kind]}: ${elsewhere}`, spent: nothing };
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
  return { ...fateOf(verdict, elsewhere), spent: engine.spent };
}

/** What a verdict on the check alone says of the finding. */
function fateOf(verdict: Verdict | undefined, elsewhere: string): Pick<Replayed, "is" | "detail"> {
  const [breach] = verdict?.breaches ?? [];
  if (breach) return { is: "broken", detail: oneLine(breachText(breach, (text) => text)) };
  if (verdict?.verdict === "holds" || verdict?.verdict === "deviates") return { is: "fixed", detail: "" };
  const reasons = verdict?.reasons.map(describeReason) ?? [];
  return { is: "can't tell", detail: oneLine([...reasons, elsewhere].join("; ")) };
}

function totalLine(all: readonly Replayed[]): string {
  const fates: readonly Fate[] = ["fixed", "broken", "can't tell"];
  const counts = fates.map((fate) => `${all.filter(({ is }) => is === fate).length} ${fate}`);
  const { requests, credits } = spentBy(all);
  return `${counts.join(", ")} · ${counted(requests, "request")}, ${counted(credits, "credit")}`;
}

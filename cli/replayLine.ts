// The lines that repeat a run, or one requirement or case of it, made from the flags that the run records.
import { type Counterexample, pathText, replayedCaseOf } from "../harness/core/generation.ts";
import type { RequirementId } from "../harness/core/interface.ts";
import type { CommandCall, FlagValue, RunStart } from "../harness/record/journal.ts";
import { type Run, replayedWith } from "../harness/record/run.ts";
import { curlOf } from "../harness/transport/rendering.ts";
import { type CopiedFormat, copiedFormats } from "../reports/formats/formats.ts";
import type { LoadFlags, RunFlags } from "./flags.ts";
import { shellQuoted } from "./invocation.ts";

/**
 * What becomes of a flag in a line that repeats something. `kept`: it decides what is judged, or how · `ofSelection`:
 * it chooses what is judged, as a line for one requirement does, too · `ofCase`: it chooses cases, as a line for one
 * case does, too · `dropped`: it says where reports go, or what is printed
 */
interface FlagUse {
  readonly is: "kept" | "ofSelection" | "ofCase" | "dropped";
  /** Its value where it isn't given, which isn't written. */
  readonly usual?: FlagValue;
  /** Whether it names several things, separated by commas and perhaps blanks. */
  readonly isList?: boolean;
}

const kept: FlagUse = { is: "kept" };
const ofSelection: FlagUse = { is: "ofSelection" };
const dropped: FlagUse = { is: "dropped" };

type NamedFlags = { readonly [Name in Exclude<keyof Required<RunFlags & LoadFlags>, CopiedFormat>]: FlagUse };

/** Every flag of the commands that write a run, in the order in which lines have them. */
export const flagUses: NamedFlags & { readonly [name: string]: FlagUse } = {
  target: kept,
  base: kept,
  mapping: kept,
  keys: kept,
  upstream: kept,
  port: kept,
  host: { is: "kept", usual: "127.0.0.1" },
  env: { is: "kept", isList: true },
  config: kept,
  mutant: kept,
  duration: kept,
  rate: kept,
  parts: kept,
  only: { is: "ofSelection", isList: true },
  allFindings: ofSelection,
  failFast: ofSelection,
  observe: { is: "ofSelection", usual: true },
  for: ofSelection,
  implied: { is: "kept", usual: "warn" },
  strict: kept,
  renamed: { is: "kept", usual: "warn" },
  fixed: { is: "kept", usual: "warn" },
  intermittent: { is: "kept", usual: "warn" },
  failOnBroken: kept,
  seed: { is: "ofCase" },
  path: { is: "ofCase" },
  // One part of a load, or its files for a cluster, isn't a run.
  part: dropped,
  start: dropped,
  k8s: dropped,
  plan: dropped,
  out: dropped,
  json: dropped,
  history: dropped,
  vantage: dropped,
  ...Object.fromEntries(copiedFormats.map(({ name }) => [name, dropped])),
  annotations: dropped,
  save: dropped,
  page: dropped,
  record: dropped,
  every: dropped,
};

/** @param flags as parsed; what else is among them is left out */
export const callOf = (program: string, words: readonly string[], flags: object): CommandCall => ({
  program,
  words,
  flags: Object.fromEntries(Object.entries(flags).filter(([name, value]) => name in flagUses && value !== undefined)),
});

const dashed = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function wordsOf(name: string, value: FlagValue): readonly string[] {
  if (typeof value === "boolean") return [`--${value ? "" : "no-"}${dashed(name)}`];
  if (typeof value !== "string") return [`--${dashed(name)}`, ...value.map(shellQuoted)];
  return [`--${dashed(name)}`, shellQuoted(flagUses[name]?.isList ? value.replaceAll(" ", "") : value)];
}

/** @param chosenAnew flags that the line itself replaces */
function lineOf({ program, words, flags }: CommandCall, chosenAnew: readonly FlagUse["is"][] = []): string {
  const unwritten = ["dropped", ...chosenAnew];
  const written = Object.entries(flagUses).flatMap(([name, use]) => {
    const value = flags[name];
    return value === undefined || value === use.usual || unwritten.includes(use.is) ? [] : wordsOf(name, value);
  });
  return [program, ...words.map(shellQuoted), ...written].join(" ");
}

/** The command that repeats a run. */
export const commandLine = (call: CommandCall): string => lineOf(call);

/**
 * The command that judges these requirements again, or the case that breaks one. Journals of older versions hold the
 * command alone: what is added overrules what it says.
 */
export function replayLine(
  { call, command }: Pick<RunStart, "call" | "command">,
  only: readonly RequirementId[],
  counterexample?: Counterexample,
): string {
  const chosen = ["--only", only.join(",")];
  if (!counterexample) return [call ? lineOf(call, ["ofSelection"]) : command, ...chosen].join(" ");
  const path = pathText(counterexample);
  const ofCase = ["--seed", counterexample.seed, "--path", replayedCaseOf(path) ? path : shellQuoted(path)];
  return [call ? lineOf(call, ["ofSelection", "ofCase"]) : command, ...chosen, ...ofCase].join(" ");
}

/** How a command line is started; a run may name any program. */
const programs = ["npx assay", "assay", "node cli/assay.js"];

/**
 * A run of which people copy lines into a shell: they are made here of what it records, and not taken from it. What it
 * was called with is all that it says itself.
 */
export function withOwnLines(run: Run): Run {
  const { call = { words: ["run"], flags: run.target.file ? { target: run.target.file } : {} } } = run;
  const program = run.call && programs.includes(run.call.program) ? run.call.program : "npx assay";
  const own = { call: { ...call, program }, command: commandLine({ ...call, program }) };
  // Of what others sent, and of a load, only the whole can be repeated.
  const isWhole = run.recording !== undefined || (run.load !== undefined && run.plan.requirements === 0);
  return {
    ...run,
    ...(run.call && { call: own.call }),
    command: own.command,
    requirements: run.requirements.map((judged) => ({
      ...judged,
      replay: isWhole ? own.command : replayLine(own, replayedWith(judged), judged.breaches[0]?.counterexample),
    })),
    exchanges: run.exchanges.map((exchange) => ({ ...exchange, curl: curlOf(exchange.sent) })),
  };
}

// Flags of the commands that judge.
import { type Command, Option } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { defaultSeed } from "../harness/core/generation.ts";
import { type CopiedFormat, copiedFormats } from "../reports/formats/formats.ts";
import { jsonOption } from "./forPrograms.ts";

/** Where a run is appended, and from where it was sent. */
export interface HistoryFlags {
  readonly history?: string;
  readonly vantage?: string;
}

/** Of every command that judges. */
export interface JudgingFlags extends HistoryFlags {
  readonly target?: string;
  /** The only variables that the target file may name, separated by commas. */
  readonly env?: string;
  /** Of the user's own checks. */
  readonly config?: string;
  readonly out?: string;
  readonly plan?: boolean;
  readonly json?: boolean;
  readonly implied?: string;
  readonly mutant?: string;
  readonly seed?: string;
  readonly strict?: boolean;
  readonly renamed?: string;
  readonly fixed?: string;
  readonly intermittent?: string;
}

/** Files for reports, besides those of the run's folder. */
export type ReportFlags = { readonly [format in CopiedFormat]?: string };

export interface RunFlags extends JudgingFlags, ReportFlags {
  readonly only?: string;
  readonly allFindings?: boolean;
  readonly failFast?: boolean;
  /** How long it may take. */
  readonly for?: string;
  /** False: nothing is only observed. */
  readonly observe?: boolean;
  readonly annotations?: string;
  readonly path?: string;
  readonly save?: string | true;
}

export interface LoadFlags extends JudgingFlags {
  readonly duration?: string;
  readonly rate?: string;
  /** How many generators send it, all on this machine. */
  readonly parts?: string;
  /** Which part of how many is sent, such as 2/3, and when all begin. */
  readonly part?: string;
  readonly start?: string;
  /** The folder for the files by which a cluster sends it. */
  readonly k8s?: string;
}

export const annotationsOption = [
  "--annotations <github|none>",
  "GitHub annotations (default: in GitHub Actions)",
] as const;

export const envOption = ["--env <names>", "the only variables that a target file may name"] as const;

export const isTargetFile = (path: string): boolean => /\.ya?ml$/i.test(path);

export const configOption = ["--config <file>", "your own checks (default: beside package.json)"] as const;

/** @throws CommandLineError where none is named */
export function variablesNamed(text: string | undefined): readonly string[] | undefined {
  const names = text?.split(",").map((name) => name.trim());
  if (names?.some((name) => !/^\w+$/.test(name)))
    throw new CommandLineError(
      `--env is "${text}". Name the environment variables that target files may name, as in --env ACME_KEY,OTHER_KEY.`,
    );
  return names;
}

/** Flags of commands that write a run. */
export const writesRun = (command: Command): Command =>
  command
    .option("--out <folder>", "folder to write (default: runs/<time>-<target>)")
    .option("--history <place>", "append it to a history, from --vantage <name>")
    .addOption(new Option("--vantage <name>").hideHelp())
    .option(...jsonOption("run", "run.json"));

/** Flags of commands whose reports are read elsewhere, too. */
export function writesReports(command: Command): Command {
  command.addOption(new Option(...annotationsOption).hideHelp());
  const [first, ...others] = copiedFormats;
  const also = others.map(({ name }) => `--${name}`).join(", ");
  if (first) command.option(`--${first.name} <file>`, `copy it there; also ${also}`);
  for (const { name } of others) command.addOption(new Option(`--${name} <file>`).hideHelp());
  return command;
}

export const mutantOption = ["--mutant <mutant>", "give the reference platform one named defect"] as const;

/** Whether breaches of implied requirements fail on a vendor. @throws CommandLineError for any other word */
export const impliedFailsBy = ({ implied }: JudgingFlags): boolean => failsBy("--implied", implied);

/** @throws CommandLineError where it is none */
export function portNamed(flag: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new CommandLineError(`${flag} is "${text}", which isn't a port. Use a whole number from 0 to 65535.`);
}

/** @throws CommandLineError for any word but fail and warn */
export function failsBy(flag: string, word: string | undefined): boolean {
  if (word === "fail" || word === "warn") return word === "fail";
  throw new CommandLineError(`${flag} is "${word}". Write ${flag}=fail or ${flag}=warn.`);
}

/**
 * @param why with what these flags have no effect, as in `on limits, which are fixed. Leave it out.`
 * @throws CommandLineError where one of them is given
 */
export function refuseUnused(flags: LoadFlags, names: readonly (keyof LoadFlags)[], why: string): void {
  const unused = names.find((name) => flags[name] !== undefined);
  if (unused !== undefined) throw new CommandLineError(`--${unused} has no effect ${why}`);
}

export function seedNamed(text = String(defaultSeed)): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new CommandLineError(`--seed is "${text}". Use a whole number.`);
}

const secondsIn: { readonly [unit: string]: number } = { "": 1, s: 1, m: 60, h: 3600 };
const longest_s = 86_400;

/** @throws CommandLineError for anything but a time */
export function secondsNamed(flag: string, text: string): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*([smh]?)$/.exec(text) ?? [];
  const seconds = Number(number) * (secondsIn[unit] ?? 0);
  if (seconds >= 1 && seconds <= longest_s) return seconds;
  throw new CommandLineError(`${flag} is "${text}". Write a time from 1s to 24h, such as 90s, 10m or 1h.`);
}

export const mostParts = 16;

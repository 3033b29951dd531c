// Flags of the commands that judge, and the command line that repeats a run.
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { defaultSeed } from "../harness/core/generation.ts";

/** Of every command that judges. */
export interface JudgingFlags {
  readonly target?: string;
  readonly out?: string;
  readonly plan?: boolean;
  readonly json?: boolean;
  readonly implied?: string;
  readonly mutant?: string;
  readonly seed?: string;
  readonly strict?: boolean;
  readonly renamed?: string;
}

export interface RunFlags extends JudgingFlags {
  readonly only?: string;
  readonly annotations?: string;
  readonly path?: string;
  readonly save?: string | true;
}

export interface LoadFlags extends JudgingFlags {
  readonly duration?: string;
  readonly rate?: string;
}

export const annotationsOption = [
  "--annotations <github|none>",
  "print GitHub annotations too (default: where GITHUB_ACTIONS is set)",
] as const;
export const mutantOption = ["--mutant <mutant>", "give the reference platform one named defect"] as const;

/** Whether breaches of implied requirements fail on a vendor. @throws CommandLineError for any other word */
export const impliedFailsBy = ({ implied }: JudgingFlags): boolean => failsBy("--implied", implied);

/** @throws CommandLineError for any word but fail and warn */
export function failsBy(flag: string, word: string | undefined): boolean {
  if (word === "fail" || word === "warn") return word === "fail";
  throw new CommandLineError(`${flag} is "${word}". Write ${flag}=fail or ${flag}=warn.`);
}

export function seedNamed(text = String(defaultSeed)): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new CommandLineError(`--seed is "${text}". Name a whole number.`);
}

/** The command that repeats a run, for replay lines. */
export function commandOf(
  command: string,
  { target, mutant, implied, seed, strict, renamed }: JudgingFlags,
  more = "",
): string {
  return [
    `npx assay ${command}`,
    ...(target ? [`--target ${quoted(target)}`] : []),
    ...(mutant ? [`--mutant ${mutant}`] : []),
    ...(more ? [more] : []),
    ...(implied === "fail" ? ["--implied fail"] : []),
    ...(strict ? ["--strict"] : []),
    ...(renamed === "fail" ? ["--renamed fail"] : []),
    ...(seedNamed(seed) === defaultSeed ? [] : [`--seed ${seedNamed(seed)}`]),
  ].join(" ");
}

/** A path as a shell reads it. */
const quoted = (path: string): string => (/[^\w./-]/.test(path) ? `'${path}'` : path);

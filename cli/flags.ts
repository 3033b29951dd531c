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

/** Whether implied requirements fail on a vendor. @throws CommandLineError for any other word */
export function impliedFailsBy({ implied }: JudgingFlags): boolean {
  if (implied === "fail" || implied === "warn") return implied === "fail";
  throw new CommandLineError(`--implied is "${implied}". Write --implied=fail or --implied=warn.`);
}

export function seedNamed(text = String(defaultSeed)): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new CommandLineError(`--seed is "${text}". Name a whole number.`);
}

/** The command that repeats a run, for replay lines. */
export function commandOf(command: string, { target, mutant, implied, seed, strict }: JudgingFlags, more = ""): string {
  return [
    `npx assay ${command}`,
    ...(target ? [`--target ${quoted(target)}`] : []),
    ...(mutant ? [`--mutant ${mutant}`] : []),
    ...(more ? [more] : []),
    ...(implied === "fail" ? ["--implied fail"] : []),
    ...(strict ? ["--strict"] : []),
    ...(seedNamed(seed) === defaultSeed ? [] : [`--seed ${seedNamed(seed)}`]),
  ].join(" ");
}

/** A path as a shell reads it. */
const quoted = (path: string): string => (/[^\w./-]/.test(path) ? `'${path}'` : path);

// Commands as functions: each is a process of its own, so that keys, signals and config are as on the command line.
import { type ExecFileException, execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Run } from "../harness/record/run.ts";
import type { Comparison } from "../reports/compare/comparison.ts";

/** What the command line says where it can't begin (exit code 2), or fails (3). */
export class CommandRefused extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface CommandOptions {
  /** Where relative paths begin, and a config is looked for; by default the current folder. */
  readonly cwd?: string;
  /** The environment that has the keys; by default that of this process. */
  readonly environment?: { readonly [name: string]: string | undefined };
  /** Ends the command as Ctrl-C does: with what was found so far. */
  readonly signal?: AbortSignal;
}

/** Flags of the command by their names, as `{ "all-findings": true, only: "CYC" }`. */
export interface RunOptions extends CommandOptions {
  /** A target file; by default the embedded reference platform is judged. */
  readonly target?: string;
  /** The folder for the run, with all reports: a new one, or an empty one. */
  readonly out: string;
  readonly flags?: { readonly [name: string]: string | true | undefined };
}

const launcher = fileURLToPath(new URL("../cli/assay.js", import.meta.url));

async function started(
  args: readonly string[],
  { cwd = ".", environment, signal }: CommandOptions,
): Promise<{ stdout: string; stderr: string }> {
  const env = { ...(environment ?? process.env) };
  const running = promisify(execFile)(process.execPath, [launcher, ...args], { cwd, env, maxBuffer: Infinity });
  const end = (): void => void running.child.kill("SIGINT");
  if (signal?.aborted) end();
  signal?.addEventListener("abort", end);
  // Another exit code than 0 rejects, with the same members.
  const { code, stdout, stderr } = await running
    .catch((ended: unknown) => ended as ExecFileException & { stdout: string; stderr: string })
    .then((ended) => ({ code: 0, ...ended }));
  signal?.removeEventListener("abort", end);
  const why = stderr.trim() || "The command was stopped before it began.";
  if (code === 2 || stdout === "") throw new CommandRefused(why, code === 2 ? code : 3);
  return { stdout, stderr };
}

async function ranIn(command: readonly string[], { target, out, flags, ...options }: RunOptions): Promise<Run> {
  if (!out) throw new CommandRefused("Name a folder for the run: out.", 2);
  const given = Object.entries<string | true | undefined>({ target, ...flags, out });
  const words = given.flatMap(([name, value]) =>
    value === undefined ? [] : [value === true ? `--${name}` : `--${name}=${value}`],
  );
  const { stderr } = await started([...command, ...words], options);
  const file = resolve(options.cwd ?? ".", out, "run.json");
  if (!existsSync(file)) throw new CommandRefused(`There is no run: ${stderr.trim() || "nothing was sent"}`, 3);
  return JSON.parse(readFileSync(file, "utf8")) as Run;
}

/** `assay run`. @throws CommandRefused for invalid options, or where there is no run */
export const run = (options: RunOptions): Promise<Run> => ranIn(["run"], options);

/** `assay judge`. @param files HAR, JSON lines, or folders of runs @throws CommandRefused as `run` */
export const judge = (files: readonly string[], options: RunOptions): Promise<Run> =>
  ranIn(["judge", ...files], options);

/** `assay compare`. @param runs their folders, or target files, the baseline first @throws CommandRefused as `run` */
export const compare = async (runs: readonly string[], options: CommandOptions = {}): Promise<Comparison> =>
  JSON.parse((await started(["compare", "--json", ...runs], options)).stdout) as Comparison;

// A tool's process: what it prints, how it ends, how long it takes, and its processor time
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export interface Ended {
  /** Null where it was ended as it took too long. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Unix time in ms. */
  readonly startedAt_ms: number;
  readonly seconds: number;
  /** User and system, with what it has started; 0 where it was ended. */
  readonly processorSeconds: number;
}

export interface Running {
  readonly cwd: string;
  readonly within_s: number;
  readonly environment?: { readonly [name: string]: string };
}

const running = new Set<number>();

/** However this process ends, its children end with it, and with what they have started. */
export function endChildrenWithThis(): void {
  process.once("exit", () => {
    for (const group of running) killed(group);
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
}

function killed(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

/** A process with a group of its own. */
export function spawned([program = "", ...words]: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, words, { ...options, detached: true });
  const { pid } = child;
  if (pid !== undefined) {
    running.add(pid);
    child.once("exit", () => void running.delete(pid));
  }
  return child;
}

export function endWithGroup({ pid }: ChildProcess): void {
  if (pid !== undefined && running.has(pid)) killed(pid);
}

/** POSIX: the second line that `times` prints is of the shell's children. */
const timed = '"$@"; code=$?; times >&3; exit $code';

/** Runs to its end, or ends it with all that it has started. */
export async function runToEnd(command: readonly string[], { cwd, within_s, environment }: Running): Promise<Ended> {
  const startedAt_ms = Date.now();
  const child = spawned(["/bin/sh", "-c", timed, "sh", ...command], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const timer = setTimeout(() => endWithGroup(child), within_s * 1000);
  const printed = Promise.all([1, 2, 3].map((number) => text(child.stdio[number] as Readable)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  clearTimeout(timer);
  const [stdout = "", stderr = "", times = ""] = await printed;
  const seconds = (Date.now() - startedAt_ms) / 1000;
  return { code, stdout, stderr, startedAt_ms, seconds, processorSeconds: secondsIn(times) };
}

/** `0m1.23s 0m0.45s` of the second line, added. */
function secondsIn(times: string): number {
  const [, children = ""] = times.split("\n");
  const each = children.split(" ").map((time) => time.replace("s", "").split("m"));
  return each.reduce((sum, [minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

/** The end of what a process said, for an error. */
export const lastWords = ({ stderr, stdout }: Ended): string =>
  (stderr.trim() || stdout.trim()).split("\n").slice(-3).join(" ").slice(-300);

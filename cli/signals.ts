// Signals that end a command: those of the process, and the end of the npm that started it, which passes none on.
import { readFileSync, readlinkSync } from "node:fs";
import type { Environment } from "../harness/transport/route.ts";

export type Signal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** They end a command with what it has found so far. */
export const endings: readonly Signal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Who tells of signals: the process, or a test. */
export interface Signals {
  on(signal: Signal, listener: (signal: Signal) => void): unknown;
  off(signal: Signal, listener: (signal: Signal) => void): unknown;
}

const betweenLooks_ms = 500;

/** Between npm and what it runs stands a shell, and perhaps a program that sets variables. */
const mostBetween = 3;

interface RunningProcess {
  readonly program: string;
  readonly parent: number;
  /** What is in a group of its own (`setsid`, `detached`) is meant to outlive who started it. */
  readonly group: number;
}

/** By Linux's /proc; null elsewhere, and where it belongs to somebody else or is gone. */
function processAt(pid: number): RunningProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After its name, which may hold anything: state, parent, group.
    const [, parent = 0, group = 0] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    return { program: readlinkSync(`/proc/${pid}/exe`), parent, group };
  } catch {
    return null;
  }
}

/**
 * The process whose end ends this one: the next above it that runs in the same Node, else its parent.
 * @returns its id; null where no package manager started this one, which then gets its signals itself
 */
export function starterOf({ npm_execpath: manager, npm_config_user_agent: agent }: Environment): number | null {
  const first = process.ppid;
  // Nothing outlives the first process of a machine or container.
  if ((manager ?? agent) === undefined || first <= 1) return null;
  const own = processAt(process.pid);
  for (let pid = first, between = 0; pid > 1 && between <= mostBetween; between += 1) {
    const above = processAt(pid);
    if (above === null || own === null) break;
    if (above.group !== own.group) return null;
    if (above.program === own.program) return pid;
    pid = above.parent;
  }
  return first;
}

/** Whether there is no process of that id. */
export function isGone(pid: number): boolean {
  try {
    // Looks whether it is there, and sends nothing.
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/**
 * The signals of this process, and SIGTERM where who started it is gone before any came.
 * @param onGone told before
 */
export function signalsUnder(starter: number | null, onGone: () => void): Signals {
  const first = process.ppid;
  let looking: NodeJS.Timeout | undefined;
  const stop = (): void => clearInterval(looking);
  const look = (): void => {
    if (starter === null || !(isGone(starter) || (starter === first && process.ppid !== first))) return;
    stop();
    // What has ended by itself meanwhile listens no more.
    if (process.listenerCount("SIGTERM") === 0) return;
    onGone();
    process.emit("SIGTERM", "SIGTERM");
  };
  return {
    on: (signal, listener) => {
      if (starter !== null) looking ??= setInterval(look, betweenLooks_ms).unref();
      process.on(signal, stop).on(signal, listener);
    },
    off: (signal, listener) => process.off(signal, stop).off(signal, listener),
  };
}

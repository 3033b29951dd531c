// Runs the command line as a user would, in a process of its own.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { cliPath } from "./bundledCli.ts";

export { emptyFolder } from "./folders.ts";

export const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  /** Resolves once the output holds a text. */
  says(text: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

type Environment = { readonly [name: string]: string };

export function start(command: string, args: readonly string[], environment: Environment = {}, folder = root): Running {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...environment } });
  let [stdout, stderr] = ["", ""];
  const listeners = new Set<() => void>();
  const heard = (): void => {
    for (const listener of listeners) listener();
  };
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    heard();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    heard();
  });
  const ended = new Promise<Ended>((done) => child.on("close", (code) => done({ code, stdout, stderr })));
  return {
    ended,
    kill: (signal) => child.kill(signal),
    says: (text) =>
      new Promise((found, failed) => {
        const look = (): void => {
          if (stdout.includes(text)) found(stdout);
        };
        listeners.add(look);
        look();
        void ended.then(() => failed(new Error(`ended without saying ${text}: ${stdout}${stderr}`)));
      }),
  };
}

export const startAssay = (args: readonly string[], environment: Environment = {}): Running =>
  start(process.execPath, [cliPath(), ...args], environment);

export const assay = (args: readonly string[], environment: Environment = {}): Promise<Ended> =>
  startAssay(args, environment).ended;

// Runs the command line as a user would: in this process, or in one of its own where a process is what is proved.
import { EventEmitter } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { spawn } from "cross-spawn";
import { hidingSurroundings, invocationOf, processSurroundings } from "../../cli/invocation.ts";
import { main } from "../../cli/main.ts";
import { ownProject } from "../../cli/project.ts";
import type { Signal } from "../../cli/signals.ts";
import type { Run } from "../../harness/record/run.ts";
import type { PanelReport } from "../../panel/panelReport.ts";
import { emptyFolder, sharedFolder } from "./folders.ts";

export type { PanelReport, Run };
export { emptyFolder };

export const root = resolve(fileURLToPath(new URL("../..", import.meta.url)));

/** The command line as the launcher starts it; the launcher itself looks for changed sources first. */
export const cliPath = process.env["ASSAY_TEST_CLI"] ?? join(root, "cli/assay.js");

/** The text of one of the project's files. */
export const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Not source, or generated from it; what fixtures call so is source. */
const made = ["node_modules", "runs", "test-results", "playwright-report", "generated", ".git", ".tools"];
const isMade = (path: string): boolean =>
  made.includes(path.split("/").at(-1) ?? "") && !path.includes("/tests/fixtures/");

/** Another project with the same sources and packages; gives its folder. */
export function copyOfProject(): string {
  const folder = emptyFolder();
  cpSync(root, folder, { recursive: true, filter: (path) => !isMade(path) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Skips the test that calls it, there. @param lack what a test needs and Windows hasn't, e.g. `signals` */
export function notOnWindows(lack: string): void {
  if (process.platform === "win32") test.skip(true, `Windows has no ${lack}`);
}

/** A program that runs lines of shell; gives its path. */
export function program(name: string, lines: string, folder = emptyFolder()): string {
  notOnWindows("programs that are lines of shell");
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return path;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running<Signals = NodeJS.Signals> {
  readonly ended: Promise<Ended>;
  /** Resolves once the output holds a text. */
  says(text: string): Promise<string>;
  kill(signal: Signals): void;
}

type Environment = { readonly [name: string]: string };

export function start(command: string, args: readonly string[], environment: Environment = {}, folder = root): Running {
  if (["bash", "sh"].includes(command)) notOnWindows("shell such as Linux and macOS have");
  const env = { ...process.env, ...environment };
  // npm is a batch file on Windows.
  const child = spawn(command, args, { cwd: folder, env });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
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
        child.stdout.on("data", look);
        look();
        void ended.then(() => failed(new Error(`ended without saying ${text}: ${stdout}${stderr}`)));
      }),
  };
}

/** Playwright's own test runner. */
export const playwright = (args: readonly string[], environment: Environment = {}, folder = root): Promise<Ended> =>
  start(
    process.execPath,
    ["node_modules/@playwright/test/cli.js", "test", ...args],
    { FORCE_COLOR: "0", ...environment },
    folder,
  ).ended;

/** In a process of its own: for signals that kill, closed pipes, full disks, crashes and the launcher. */
export const startProcess = (args: readonly string[], environment: Environment = {}): Running =>
  start(process.execPath, [cliPath, ...args], environment);

export const assayProcess = (args: readonly string[], environment: Environment = {}): Promise<Ended> =>
  startProcess(args, environment).ended;

/** For what commands are made of. */
export const invocation = invocationOf(hidingSurroundings(processSurroundings(cliPath)), ownProject);

/** In this process. */
export function startAssay(
  args: readonly string[],
  environment: Environment = {},
  cwd = root,
  launcher = cliPath,
  piped: string | Readable = "",
): Running<Signal> {
  const output = new EventEmitter<{ more: [] }>().setMaxListeners(0);
  const signals = new EventEmitter().setMaxListeners(0);
  let [stdout, stderr] = ["", ""];
  const surroundings = {
    stdout: {
      write: (text: string) => {
        stdout += text;
        output.emit("more");
      },
    },
    stderr: {
      write: (text: string) => {
        stderr += text;
      },
    },
    stdin: () => (typeof piped === "string" ? Readable.from([Buffer.from(piped)]) : piped),
    env: { ...process.env, XDG_CACHE_HOME: join(sharedFolder(), `cache-${process.pid}`), ...environment },
    cwd,
    signals,
    launcher,
  };
  const ended = main(args, surroundings).then((code) => ({ code, stdout, stderr }));
  return {
    ended,
    kill: (signal) => void signals.emit(signal, signal),
    says: (text) =>
      new Promise((found, failed) => {
        const look = (): void => {
          if (stdout.includes(text)) found(stdout);
        };
        output.on("more", look);
        look();
        void ended.then(() => failed(new Error(`ended without saying ${text}: ${stdout}${stderr}`)));
      }),
  };
}

export const assay = (args: readonly string[], environment: Environment = {}, cwd = root): Promise<Ended> =>
  startAssay(args, environment, cwd).ended;

/** What a run leaves in its folder. */
export const filesOfRun = [
  "ctrf.json",
  "gl-code-quality-report.json",
  "index.html",
  "journal.jsonl",
  "junit.xml",
  "manifest.json",
  "results.sarif",
  "run.json",
  "summary.md",
];

export const runIn = (folder: string): Run => JSON.parse(readFileSync(join(folder, "run.json"), "utf8")) as Run;

export const panelIn = (folder: string): PanelReport =>
  JSON.parse(readFileSync(join(folder, "panel.json"), "utf8")) as PanelReport;

/** Waits for a run's first verdict, which comes long before the first line of progress. */
export async function judging(out: string): Promise<void> {
  const hasVerdict = () => existsSync(out) && bytesBelow(out).includes('"record":"verdict"');
  await expect.poll(hasVerdict, { timeout: 30_000 }).toBe(true);
}

/** What all files below a folder hold. */
export const bytesBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
    .join("\n");

/** A command that leaves a run, in a folder of its own. */
export async function assayRun(
  args: readonly string[],
  environment: Environment = {},
  started = assay,
): Promise<Ended & { readonly folder: string; readonly run: Run }> {
  const folder = join(emptyFolder(), "run");
  const ended = await started([...args, "--out", folder], environment);
  return { ...ended, folder, run: runIn(folder) };
}

/** A command line error: exit code 2, one paragraph that contains `says`, and nothing else is printed. */
export async function expectCommandLineError(
  args: readonly string[],
  says: string | readonly string[],
  environment: Environment = {},
): Promise<void> {
  const { code, stdout, stderr } = await assay(args, environment);
  for (const text of [says].flat()) expect(stderr).toContain(text);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
}

// One call of the command line: what it reads, where it prints, and with which code it ends.
import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { Custom } from "../custom/suite.ts";
import type { Redactor } from "../harness/core/secret.ts";
import type { Suite } from "../harness/model/suite.ts";
import type { TargetForm } from "../harness/targets/form.ts";
import type { Environment } from "../harness/transport/route.ts";
import type { Described } from "../reports/described.ts";
import { inert, inertJson, visible } from "../reports/text.ts";
import { endings, type Signal, type Signals, signalsUnder, starterOf } from "./signals.ts";
import { name } from "./version.ts";

/** What is printed to: a stream of the process, or a text that a test reads. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

/** What surrounds a call: the launcher gives its process, a test its own. */
export interface Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  /** What is piped in; asked for only where it is read. */
  readonly stdin: () => AsyncIterable<Buffer>;
  readonly env: Environment;
  /** Where relative paths begin. */
  readonly cwd: string;
  readonly signals: Signals;
  /** The path by which it was started, for lines to copy. */
  readonly launcher: string;
}

/** Surroundings in which keys are hidden in all that is printed. */
export interface HidingSurroundings extends Surroundings {
  /** From now on, what the redactor knows isn't shown. */
  hide(redact: Redactor): void;
  /** A text as it is shown, for what is written into files. */
  readonly redact: Redactor;
}

export function hidingSurroundings(surroundings: Surroundings): HidingSurroundings {
  const redactors: Redactor[] = [];
  const redact = (text: string): string => redactors.reduce((hidden, redactor) => redactor(hidden), text);
  const hiding = (output: Output): Output =>
    Object.create(output, { write: { value: (text: string) => output.write(redact(text)) } }) as Output;
  const { stdout, stderr } = surroundings;
  const hide = (redactor: Redactor): void => void redactors.push(redactor);
  return { ...surroundings, stdout: hiding(stdout), stderr: hiding(stderr), hide, redact };
}

/** @param launcher the path by which it was started */
export const processSurroundings = (launcher: string): Surroundings => ({
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: () => process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signals: signalsUnder(starterOf(process.env), () =>
    process.stderr.write("What started this command is gone, so it ends as by SIGTERM.\n"),
  ),
  launcher,
});

/** What a command judges by. */
export interface InvokedProject {
  /** Null where no config is found. */
  readonly custom: Custom | null;
  /** A suite with the checks of the config beside its own. */
  readonly extended: <Of extends Suite>(suite: Of) => Of;
  readonly form: TargetForm;
  /** The interface as reports describe it. */
  readonly described: Described;
}

/** What surrounds a call, and what it does with it. */
export interface Invocation extends HidingSurroundings {
  readonly project: InvokedProject;
  /** How this command line was started, for lines to copy. */
  readonly program: string;
  /** What the command has found; null as long as it says nothing. */
  exitCode: number | null;
  /** Text of whomever: nothing in it steers a terminal or a runner. */
  print(text: string): void;
  /** The same of JSON, whose value stays what it is. */
  printJson(json: string): void;
  /** For people: progress and what went wrong, apart from output for programs. */
  warn(text: string): void;
  /** Ends the command at once; what it still does is left alone. */
  end(exitCode: number): void;
  /** Resolves where the command is ended before its work is. */
  readonly ended: Promise<number>;
  /** Listens to all signals that end a command; gives what undoes that. */
  onEnding(listener: (signal: Signal) => void): () => void;
  /** The first signal that ends it. */
  ending(): Promise<Signal>;
}

export function invocationOf(surroundings: HidingSurroundings, project: InvokedProject): Invocation {
  const { stdout, stderr, signals, launcher, cwd } = surroundings;
  let end: Invocation["end"] = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const onEnding: Invocation["onEnding"] = (listener) => {
    for (const signal of endings) signals.on(signal, listener);
    return () => {
      for (const signal of endings) signals.off(signal, listener);
    };
  };
  return {
    ...surroundings,
    project,
    program: startedAs(launcher, cwd),
    exitCode: null,
    print: (text) => void stdout.write(`${inert(visible(text))}\n`),
    printJson: (json) => void stdout.write(`${inertJson(json)}\n`),
    warn: (text) => void stderr.write(`${inert(visible(text))}\n`),
    end,
    ended,
    onEnding,
    ending: () =>
      new Promise((resolve) => {
        const ignore = onEnding((signal) => {
          ignore();
          resolve(signal);
        });
      }),
  };
}

/** Through npx where a project here has it, else by its path. */
export function startedAs(launcher: string, folder: string): string {
  const isHere = ["cli/assay.js", `node_modules/.bin/${name}`].some((path) => existsSync(join(folder, path)));
  if (isHere || basename(launcher) !== "assay.js") return isHere ? `npx ${name}` : basename(launcher) || `npx ${name}`;
  return `node ${shellQuoted(relative(folder, launcher))}`;
}

/** A word as a shell reads it. */
export const shellQuoted = (word: string): string =>
  word === "" || /[^\w./,-]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word;

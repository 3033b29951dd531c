// Planted crashes: modules that Node loads before the command line, and what a crash may leave.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { readJournal } from "../../harness/record/journal.ts";
import { assayRun, bytesBelow, type Ended, emptyFolder } from "./assay.ts";
import { xmlProblem } from "./standards.ts";

/** Settings by which Node loads a module before the command line. */
export function planted(code: string): { readonly NODE_OPTIONS: string } {
  const file = join(emptyFolder(), "planted.mjs");
  writeFileSync(file, code);
  return { NODE_OPTIONS: `--import=file://${file}` };
}

/** Replaces functions of the file system; `was` is the original, `path` and `rest` are what it is called with. */
export const insteadOf = (names: readonly string[], body: string): string => `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  let calls = 0;
  for (const name of ${JSON.stringify(names)}) {
    const was = fs[name];
    fs[name] = (path, ...rest) => { ${body} };
  }
  syncBuiltinESMExports();`;

interface Failing {
  readonly by?: readonly string[];
  /** Which call is the first that fails, from 1. */
  readonly from?: number;
}

/** What the file system does with such a path fails after half of it. */
export const failing = (
  code: string,
  path: string,
  { by = ["writeFileSync", "appendFileSync"], from = 1 }: Failing = {},
): string =>
  insteadOf(
    by,
    `if (String(path).includes("${path}") && (calls += 1) >= ${from}) {
      if (typeof rest[0] === "string" && /write|append/.test(name)) was(path, rest[0].slice(0, rest[0].length / 2));
      throw Object.assign(new Error("${code}: planted, " + name), { code: "${code}" });
    }
    return was(path, ...rest);`,
  );

/** Something happens once the journal has a line with this text, out of reach of the check that runs. */
export const onceRecorded = (text: string, happens: string): string =>
  insteadOf(
    ["appendFileSync"],
    `was(path, ...rest);
    if (String(path).endsWith("journal.jsonl") && rest[0].includes(${JSON.stringify(text)}) && (calls += 1) === 1)
      setImmediate(async () => { ${happens} });`,
  );

/** Functions below one of this name throw, whatever they are. */
export const throwing = (name: string, thrown: string): string => `
  Error.stackTraceLimit = 50;
  for (const method of ["map", "filter", "flatMap", "join"]) {
    const was = Array.prototype[method];
    Array.prototype[method] = function (...rest) {
      if (/\\b${name} \\(/.test(new Error().stack)) throw ${thrown};
      return was.apply(this, rest);
    };
  }`;

/** One line on standard error that no program could have meant for a programmer. */
export function expectOneSentence({ stderr }: Pick<Ended, "stderr">, says: RegExp): void {
  expect(stderr).toMatch(says);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr.length).toBeLessThan(1_000);
}

const problemIn: { readonly [ending: string]: (text: string) => unknown } = {
  json: (text) => void JSON.parse(text),
  sarif: (text) => void JSON.parse(text),
  html: (text) => (text.trimEnd().endsWith("</html>") ? null : "no end"),
  xml: xmlProblem,
  md: (text) => (text.endsWith("\n") ? null : "no end"),
};

/** Each file that is there is whole; gives their names. */
export function expectWhole(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  for (const name of names.filter((one) => one !== "journal.jsonl")) {
    const problem = problemIn[name.split(".").at(-1) ?? ""];
    if (!problem) throw new Error(`${name} is no report`);
    expect(problem(readFileSync(join(folder, name), "utf8")) ?? null, name).toBeNull();
  }
  readJournal(folder);
  return names;
}

const key = "k3y-that-nobody-may-read";
export const judging = ["run", "--only", "CYC-PRES-01"];
export const broken = [...judging, "--mutant", "CYC-PRES-01.omit-on-free"];

export const failedByItself = (message: string): RegExp =>
  new RegExp(`^Assay [\\d.]+ crashed, which says nothing about the platform: "${message}.*" at .*report it to`);

let runs: Promise<{ readonly code: number | null; readonly folder: string }> | undefined;

/** A copy of a run that broke a requirement. */
export async function brokenRun(): Promise<string> {
  runs ??= assayRun(broken);
  const { code, folder } = await runs;
  expect(code).toBe(1);
  const copy = join(emptyFolder(), "run");
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** A planted module, and a key that may neither be printed nor written. */
export const withKey = (code: string): { readonly [name: string]: string } => ({ ACME_KEY: key, ...planted(code) });

/** Exit code 3, one sentence, no key, and only whole files in the folder; gives their names. */
export function expectCrash(ended: Ended, folder: string, says: RegExp): readonly string[] {
  expectOneSentence(ended, says);
  expect(ended.code).toBe(3);
  const names = expectWhole(folder);
  expect(ended.stdout + ended.stderr + (names.length > 0 ? bytesBelow(folder) : "")).not.toContain(key);
  return names;
}

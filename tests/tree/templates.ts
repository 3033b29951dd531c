// A copy of the project with the files of a template in their places.
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect } from "@playwright/test";
import type { Run } from "../../harness/record/run.ts";
import { copyOfProject, type Ended, emptyFolder, playwright, read, root, start } from "../support/assay.ts";

const places = ["specs", "reference", "contracts", "tests"];

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));

/** A project of its own with the template's files in their places. */
export function projectWith(template: string): string {
  const folder = copyOfProject();
  for (const place of places)
    cpSync(join(root, "templates", template, place), join(folder, place), { recursive: true });
  return folder;
}

/** Adds what CONTRIBUTING.md says of a mutant and of a check: a line for each, and the change that the mutant is. */
export function addMutantAndCheck(folder: string): void {
  const insertAfter = (file: string, line: string, next: string): void => {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(`${line}\n`);
    writeFileSync(path, text.replace(`${line}\n`, `${line}\n${next}\n`));
  };
  insertAfter(
    "specs/requirements/IH.yaml",
    "    ge-threshold: an error already at lag = threshold",
    "    ge-threshold-too: the same once more",
  );
  insertAfter(
    "reference/rpc/getIndexerHealth.mutants.ts",
    '  "IH-LAG-02.ge-threshold": rules({ limit: "at least" }),',
    '  "IH-LAG-02.ge-threshold-too": rules({ limit: "at least" }),',
  );
  insertAfter(
    "contracts/compression/getIndexerHealth.ts",
    '  check("IH-OK-01", health()),',
    '  check("IH-OK-01", health(undefined, { id: 7 })),',
  );
}

/** What a template imports of the project exists there: a push doesn't compile templates. */
export function expectKnownNames(template: string): void {
  const folder = join(root, "templates", template);
  const imported = filesIn(folder).flatMap((file) =>
    [
      ...readFileSync(join(folder, file), "utf8").matchAll(/^import (?:type )?\{([^}]*)\} from "(\.[^"]*\.ts)"/gm),
    ].flatMap(([, names = "", from = ""]) => {
      const path = join(dirname(file), from);
      return names.split(",").map((name) => ({ file, path, name: name.replace("type ", "").trim() }));
    }),
  );
  expect(imported.length).toBeGreaterThan(5);
  const isKnown = ({ path, name }: (typeof imported)[number]): boolean =>
    existsSync(join(root, path)) && new RegExp(`^export .*\\b${name}\\b`, "m").test(read(path));
  expect(imported.filter((one) => !isKnown(one))).toEqual([]);
}

/** How many files a template has; each is new, and its README names each, with placeholders for names. */
export function expectNewFiles(template: string, placeholders: { readonly [name: string]: string }): number {
  const folder = join(root, "templates", template);
  const files = filesIn(folder).filter((file) => file !== "README.md");
  // In a project that has copied the template as it is, its files are there.
  const isTaken = (file: string): boolean =>
    existsSync(join(root, file)) && read(file) !== readFileSync(join(folder, file), "utf8");
  expect(files.filter(isTaken)).toEqual([]);
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const spelled = (file: string): string =>
    Object.entries(placeholders).reduce((path, [name, placeholder]) => path.replace(name, placeholder), file);
  expect(files.filter((file) => !readme.includes(`\`${spelled(file)}\``))).toEqual([]);
  expect(readme).toContain(`cp -r templates/${template}/{${places.join(",")}} .`);
  expect(readme).toContain("npm run docs");
  return files.length;
}

const within = (folder: string, script: string, ...args: readonly string[]): Promise<Ended> =>
  start(process.execPath, [script, ...args], {}, folder).ended;
const tsx = "node_modules/tsx/dist/cli.mjs";
export const assay = (folder: string, ...args: readonly string[]): Promise<Ended> =>
  within(folder, "cli/assay.js", ...args);
export const generate = (folder: string): Promise<Ended> => within(folder, tsx, "specs/build/generate.ts");
/** `npm run docs`, without its formatter. */
export const writeDocs = (folder: string): Promise<Ended> => within(folder, tsx, "specs/build/docs.ts");

/** `npm run docs`, then `npm test`: types, format, lint, dead code and the tests of a push. */
export async function wholeTest(folder: string): Promise<Ended> {
  if (existsSync(join(root, ".tools"))) symlinkSync(join(root, ".tools"), join(folder, ".tools"));
  // As `npm ci` does, which a copy of the project hasn't gone through.
  expect(await generate(folder)).toMatchObject({ code: 0 });
  expect(await start("npm", ["run", "-s", "docs"], {}, folder).ended).toMatchObject({ code: 0 });
  return start("npm", ["-s", "test"], { ASSAY_SLOW: "", FORCE_COLOR: "0" }, folder).ended;
}

/** Type checks what has been found there, and what uses it. */
export function checkTypes(folder: string): Promise<Ended> {
  // The suite says what a target and a project have beyond what the engine knows.
  const own = ["contracts/suite.ts", "contracts/targets.ts", "load/traffic/loadProfile.ts"];
  const include = ["contracts/generated", ...own, "property", "reference"];
  writeFileSync(join(folder, "tsconfig.registries.json"), JSON.stringify({ extends: "./tsconfig.json", include }));
  return within(folder, "node_modules/typescript-7/bin/tsc", "-p", "tsconfig.registries.json");
}

/** The record of a run there. */
export async function run(folder: string, ...flags: readonly string[]): Promise<Run> {
  const { stdout } = await assay(folder, "run", "--json", "--out", join(emptyFolder(), "run"), ...flags);
  return JSON.parse(stdout) as Run;
}

/** Requirements that hold on the honest platform there, of which a mutant breaks exactly some. */
export async function expectJudged(
  folder: string,
  ids: readonly string[],
  mutant: string,
  broken: readonly string[],
): Promise<void> {
  const args = ["--only", ids.join(",")];
  expect(verdictsIn(await run(folder, ...args), ids)).toEqual(ids.map(() => "holds"));
  const mutated = verdictsIn(await run(folder, ...args, "--mutant", mutant), ids);
  expect(mutated).toEqual(ids.map((id) => (broken.includes(id) ? "broken" : "holds")));
}

export const verdictsIn = ({ requirements }: Run, ids: readonly string[]): readonly (string | undefined)[] =>
  ids.map((id) => requirements.find((one) => one.id === id)?.verdict);

/** How many mutants of an area there are; each is killed by the requirement that it names. */
export async function expectKilled(folder: string, area: string): Promise<number> {
  const { code, stdout } = await assay(folder, "mutants", area, "--json");
  const { honest, results, pending } = JSON.parse(stdout) as {
    honest: string[];
    results: { id: string; result: string }[];
    pending: string[];
  };
  expect(honest).toEqual([]);
  expect(results.filter(({ result }) => result !== "killed")).toEqual([]);
  expect(pending.filter((id) => id.startsWith(`${area}-`))).toEqual([]);
  expect(code).toBe(0);
  return results.length;
}

/** How many self-tests pass there; none fails. */
export async function passed(folder: string, ...args: readonly string[]): Promise<number> {
  const { stdout } = await playwright(["-c", "tests", "--reporter", "line", ...args], { ASSAY_SLOW: "" }, folder);
  expect(stdout).not.toContain("failed");
  return Number(stdout.match(/\b(\d+) passed/)?.[1]);
}

// The template of a method: copied into a copy of the project, its files suffice for a new method.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "@playwright/test";
import type { Run } from "../../harness/record/run.ts";
import { type Ended, emptyFolder, playwright, root, start } from "../support/assay.ts";

const template = join(root, "templates/method");
const places = ["specs", "reference", "contracts", "tests"];
const method = "getTotalCompressedBalance";
const generator = "specs/build/generate.ts";

/** Not source, or generated from it. */
const made = ["node_modules", "runs", "test-results", "playwright-report", "generated", ".git", ".tools"];

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));

/** A project of its own with the template's files in their places. */
function projectWithMethod(): string {
  const folder = emptyFolder();
  cpSync(root, folder, { recursive: true, filter: (path) => !made.includes(path.split("/").at(-1) ?? "") });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const place of places)
    cpSync(join(template, place), join(folder, place), { recursive: true, force: false, errorOnExist: true });
  return folder;
}

const within = (folder: string, script: string, ...args: readonly string[]): Promise<Ended> =>
  start(process.execPath, [script, ...args], {}, folder).ended;
const assay = (folder: string, ...args: readonly string[]): Promise<Ended> => within(folder, "cli/assay.js", ...args);
const generate = (folder: string): Promise<Ended> => within(folder, "node_modules/tsx/dist/cli.mjs", generator);

async function run(where: string, ...flags: readonly string[]): Promise<Run> {
  const { stdout } = await assay(where, "run", "--json", "--out", join(emptyFolder(), "run"), ...flags);
  return JSON.parse(stdout) as Run;
}

/** How many self-tests pass there; none fails. */
async function passed(...args: readonly string[]): Promise<number> {
  const { stdout } = await playwright(["-c", "tests", "--reporter", "line", ...args], { ASSAY_SLOW: "" }, folder);
  expect(stdout).not.toContain("failed");
  return Number(stdout.match(/\b(\d+) passed/)?.[1]);
}

const verdictsIn = ({ requirements }: Run, ids: readonly string[]): readonly (string | undefined)[] =>
  ids.map((id) => requirements.find((one) => one.id === id)?.verdict);

let folder = "";

test("every file of the template is new, and its README names each", () => {
  const files = filesIn(template).filter((file) => file !== "README.md");
  expect(files.length).toBe(6);
  expect(files.filter((file) => existsSync(join(root, file)))).toEqual([]);
  const readme = readFileSync(join(template, "README.md"), "utf8");
  expect(files.filter((file) => !readme.includes(`\`${file.replace(method, "<method>")}\``))).toEqual([]);
  expect(readme).toContain(`cp -r templates/method/{${places.join(",")}} .`);
  expect(readme).toContain("npm run docs");
});

test.describe("in a copy of the project", { tag: "@slow" }, () => {
  test.beforeAll(async () => {
    folder = projectWithMethod();
    expect(await generate(folder)).toMatchObject({ code: 0, stderr: "" });
  });
  test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("each mutant about the new method is found by the requirement that it names", async () => {
    const { code, stdout } = await assay(folder, "mutants", "TCB", "--json");
    const { honest, results, pending } = JSON.parse(stdout) as {
      honest: string[];
      results: { id: string; result: string }[];
      pending: string[];
    };
    expect(honest).toEqual([]);
    expect(results.filter(({ result }) => result !== "killed")).toEqual([]);
    expect(results.length).toBe(7);
    expect(pending.filter((id) => id.startsWith("TCB-"))).toEqual([]);
    expect(code).toBe(0);
  });

  test("its requirements hold on the honest platform, and one is broken by its mutant", async () => {
    const own = ["TCB-SUM-01", "TCB-NONE-01", "TCB-RES-01", "TCB-BAD-01"];
    const args = ["--only", own.join(",")];
    expect(verdictsIn(await run(folder, ...args), own)).toEqual(["holds", "holds", "holds", "holds"]);
    const mutated = await run(folder, ...args, "--mutant", "TCB-SUM-01.first-only");
    expect(verdictsIn(mutated, own)).toEqual(["broken", "holds", "holds", "holds"]);
  });

  test("requirements of every method are checked for the new one too", async () => {
    const general = ["RPC-PATH-01", "RPC-ENV-01", "AUTH-RPC-MISS-01", "AUTH-RPC-UNKN-01", "MET-CMP-01"];
    const found = await run(folder, "--only", general.join(","));
    expect([...new Set(verdictsIn(found, general))]).toEqual(["holds"]);
    const titles = found.exchanges.filter(({ operation }) => operation === method).map(({ title }) => title);
    for (const asker of ["owner", "anonymous (no key)", "unknown key (query)", "paid"])
      expect(titles.join("\n")).toContain(`as ${asker}`);
  });

  test("generated params find a mutant that the method's own checks don't", async () => {
    const own = projectWithMethod();
    const handler = join(own, `reference/rpc/${method}.ts`);
    const honest = "bytesOf(value)?.length === 32";
    const text = readFileSync(handler, "utf8");
    expect(text).toContain(honest);
    // Any text as long as an address is accepted.
    writeFileSync(handler, text.replace(honest, "value.length >= 32 && value.length <= 44"));
    await generate(own);
    const judged = async (where: string) => (await run(where, "--only", "TCB-BAD-01")).requirements;
    expect(await judged(folder)).toMatchObject([{ id: "TCB-BAD-01", verdict: "holds" }]);
    const [mutated] = await judged(own);
    expect(mutated?.verdict).toBe("broken");
    expect([...new Set(mutated?.breaches.map(({ counterexample }) => counterexample?.property))]).toEqual([
      `${method}Refuses_TCB_BAD_01`,
    ]);
    rmSync(own, { recursive: true, force: true });
  });

  test("its golden exchanges are judged as typed, and each law has one", async () => {
    expect(await passed("golden.spec", "--grep", `${method}|Every requirement of every law`)).toBe(12);
  });

  test("the method and the registries that found it pass the type checker", async () => {
    // Of the suite, too: it says what a target and a project have beyond what the engine knows.
    const include = ["contracts/generated", "contracts/suite.ts", "contracts/targets.ts", "reference/generated"];
    const settings = { extends: "./tsconfig.json", include };
    writeFileSync(join(folder, "tsconfig.registries.json"), JSON.stringify(settings));
    const checked = await within(folder, "node_modules/typescript/bin/tsc", "-p", "tsconfig.registries.json");
    expect(checked).toMatchObject({ code: 0, stdout: "" });
  });

  test("its clause comes from its own file: the page is written, and each citation resolves", async () => {
    expect(await within(folder, "node_modules/tsx/dist/cli.mjs", "specs/build/interface.ts")).toMatchObject({
      code: 0,
    });
    expect(readFileSync(join(folder, "docs/INTERFACE.md"), "utf8")).toContain(`<a id="s4.3-${method}"></a>`);
    expect(await passed("clauses.spec")).toBeGreaterThan(0);
  });

  test("without its handler or its checks generation fails with their names", async () => {
    const own = projectWithMethod();
    const emptied = [`reference/rpc/${method}.ts`, `contracts/compression/${method}.ts`];
    for (const place of emptied) writeFileSync(join(own, place), "export const other = 1;\n");
    const { code, stderr } = await generate(own);
    expect(code).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([
      `specs/rpc/${method}.yaml describes a method, and reference/rpc/${method}.ts doesn't export ${method}`,
      `specs/rpc/${method}.yaml describes a method, and no ${method}.ts below contracts/ exports checks`,
    ]);
    rmSync(own, { recursive: true, force: true });
  });
});

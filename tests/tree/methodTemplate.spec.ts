// The template of a method: copied into a copy of the project, its files suffice for a new method.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { read } from "../support/assay.ts";
import { filesBelow, source } from "../support/sources.ts";
import {
  addMutantAndCheck,
  checkTypes,
  expectJudged,
  expectKilled,
  expectKnownNames,
  expectNewFiles,
  generate,
  passed,
  projectWith,
  run,
  verdictsIn,
  wholeTest,
  writeDocs,
} from "./templates.ts";

const method = "getTotalCompressedBalance";
let folder = "";

test("every file of the template is new, its README names each, and what it imports exists", () => {
  expect(expectNewFiles("method", { [method]: "<method>" })).toBe(6);
  expectKnownNames("method");
});

/** An exact number of what a registry has, which the next row would change. */
const registries = "requirements|observations|mutants|benignVariants|checks|laws|probes|properties|operations";
const exactCount = new RegExp(`expect\\((${registries})(\\.length)?\\)\\.(toBe|toEqual|toHaveLength)\\(\\d`);

test("no test says exactly how many rows a registry has", () => {
  const tests = filesBelow("tests", source);
  expect(tests.filter((file) => exactCount.test(read(file)))).toEqual([]);
  for (const counting of ["mutants.length).toBe(656)", "requirements).toHaveLength(314)"])
    expect(`expect(${counting}`).toMatch(exactCount);
});

test("a method, a mutant and a check make no test fail", { tag: "@slow" }, async () => {
  const grown = projectWith("method");
  addMutantAndCheck(grown);
  const { code, stdout } = await wholeTest(grown);
  expect(stdout).toMatch(/^\d+ passed, 0 failed$/m);
  expect(code).toBe(0);
});

test.describe("in a copy of the project", { tag: "@slow" }, () => {
  test.beforeAll(async () => {
    folder = projectWith("method");
    expect(await generate(folder)).toMatchObject({ code: 0, stderr: "" });
  });

  test("each mutant about the new method is found by the requirement that it names", async () => {
    expect(await expectKilled(folder, "TCB")).toBe(7);
    // Of another file, and declared to break the total besides.
    expect(await expectKilled(folder, "CB-ADDR-01")).toBeGreaterThanOrEqual(2);
  });

  test("its requirements hold on the honest platform, and one is broken by its mutant", async () => {
    const own = ["TCB-SUM-01", "TCB-NONE-01", "TCB-RES-01", "TCB-BAD-01"];
    await expectJudged(folder, own, "TCB-SUM-01.first-only", ["TCB-SUM-01"]);
  });

  test("requirements of every method are checked for the new one too", async () => {
    const general = ["RPC-PATH-01", "RPC-ENV-01", "AUTH-RPC-MISS-01", "AUTH-RPC-UNKN-01", "MET-CMP-01"];
    const found = await run(folder, "--only", general.join(","));
    expect([...new Set(verdictsIn(found, general))]).toEqual(["holds"]);
    const titles = found.exchanges.filter(({ operation }) => operation === method).map(({ title }) => title);
    for (const asker of ["as owner", "without a key", "as unknown key (query)", "as free"])
      expect(titles.join("\n")).toContain(asker);
  });

  test("generated params find a mutant that the method's own checks don't", async () => {
    const own = projectWith("method");
    const handler = join(own, `reference/rpc/${method}.ts`);
    const honest = "params.every(is32Bytes)";
    const text = readFileSync(handler, "utf8");
    expect(text).toContain(honest);
    // Any text as long as an address is accepted.
    writeFileSync(
      handler,
      text.replace(honest, 'params.every((value) => typeof value === "string" && /^.{32,44}$/.test(value))'),
    );
    await generate(own);
    const judged = async (where: string) => (await run(where, "--only", "TCB-BAD-01")).requirements;
    expect(await judged(folder)).toMatchObject([{ id: "TCB-BAD-01", verdict: "holds" }]);
    const [mutated] = await judged(own);
    expect(mutated?.verdict).toBe("broken");
    expect([...new Set(mutated?.breaches.map(({ counterexample }) => counterexample?.property))]).toEqual([
      `${method}Refuses_TCB_BAD_01`,
    ]);
  });

  test("its golden exchanges are judged as typed, and each law has one", async () => {
    expect(
      await passed(folder, "golden.spec", "--grep", `${method}|Every requirement of every law|Each law alone`),
    ).toBe(4);
  });

  test("the method and the registries that found it pass the type checker", async () => {
    expect(await checkTypes(folder)).toMatchObject({ code: 0, stdout: "" });
  });

  test("its clause comes from its own file: the page is written, and each citation resolves", async () => {
    expect(await writeDocs(folder)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, "docs/INTERFACE.md"), "utf8")).toContain(`<a id="s4.3-${method}"></a>`);
    expect(await passed(folder, "clauses.spec")).toBeGreaterThan(0);
  });

  test("without its handler or its checks generation fails with their names", async () => {
    const own = projectWith("method");
    const emptied = [`reference/rpc/${method}.ts`, `contracts/compression/${method}.ts`];
    for (const place of emptied) writeFileSync(join(own, place), "export const other = 1;\n");
    const { code, stderr } = await generate(own);
    expect(code).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([
      `specs/rpc/${method}.yaml describes a method, and reference/rpc/${method}.ts doesn't export ${method}`,
      `specs/rpc/${method}.yaml describes a method, and no ${method}.ts below contracts/ exports checks`,
    ]);
  });
});

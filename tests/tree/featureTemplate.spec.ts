// The template of a feature: copied into a copy of the project, its files suffice for a feature and its error table.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { emptyFolder } from "../support/assay.ts";
import {
  assay,
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
  writeDocs,
} from "./templates.ts";

const ids = ["TIME-01", "RES-01", "BAD-01", "SET-01", "ERR-01", "ERR-02", "ERR-03", "ERR-04"].map((id) => `SLT-${id}`);
let folder = "";

test("every file of the template is new, its README names each, and what it imports exists", () => {
  const spelled = { getSlotTime: "<method>", "/slots": "/<feature>", "errors/<feature>": "errors/<table>" };
  expect(expectNewFiles("feature", spelled)).toBe(9);
  expectKnownNames("feature");
});

test.describe("in a copy of the project", { tag: "@slow" }, () => {
  test.beforeAll(async () => {
    folder = projectWith("feature");
    expect(await writeDocs(folder)).toMatchObject({ code: 0 });
    expect(await generate(folder)).toMatchObject({ code: 0, stderr: "" });
  });

  test("each mutant about the feature and its errors is found by the requirement that it names", async () => {
    expect(await expectKilled(folder, "SLT")).toBe(9);
    // Of another file, and declared to break errors of slots besides.
    expect(await expectKilled(folder, "AUTH-RPC-MALF-01")).toBeGreaterThanOrEqual(2);
  });

  test("its requirements and those of each row hold on the honest platform, and a mutant breaks one", async () => {
    await expectJudged(folder, ids, "SLT-SET-01.foreign-32005", ["SLT-SET-01", "SLT-ERR-03"]);
  });

  test("a target offers it or doesn't; where it alone is offered, nothing else is judged", async () => {
    const some = ["SLT-TIME-01", "SLT-ERR-02", "AUTH-RPC-MISS-01", "IH-LAG-02"];
    const reference = readFileSync(join(folder, "targets/reference.yaml"), "utf8");
    const judged = async (...offers: readonly string[]) => {
      const target = join(emptyFolder(), "target.yaml");
      writeFileSync(target, `${reference}\noffers: [${offers.join(", ")}]\n`);
      return run(folder, "--target", target, "--only", some.join(","));
    };
    expect(verdictsIn(await judged("slots"), some)).toEqual(["holds", "holds", "holds", undefined]);
    expect(verdictsIn(await judged("compression"), some)).toEqual([undefined, undefined, "holds", "holds"]);
    const misspelled = join(emptyFolder(), "target.yaml");
    writeFileSync(misspelled, `${reference}\noffers: [slot]\n`);
    const { code, stderr } = await assay(folder, "run", "--target", misspelled);
    expect(code).toBe(2);
    expect(stderr).toContain("slots");
  });

  test("its golden exchanges are judged as typed, each law has one, and the tree has no fault", async () => {
    expect(await passed(folder, "golden.spec", "--grep", "getSlotTime|Every requirement of every law")).toBe(3);
    expect(await passed(folder, "clauses.spec", "tree.spec", "specs.spec")).toBeGreaterThan(0);
  });

  test("the feature and the registries that found it pass the type checker", async () => {
    expect(await checkTypes(folder)).toMatchObject({ code: 0, stdout: "" });
  });

  test("without the reference's errors or the table itself generation fails with their names", async () => {
    const lacking = projectWith("feature");
    rmSync(join(lacking, "reference/errors/slots.ts"));
    rmSync(join(lacking, "specs/errors/slots.yaml"));
    const { code, stderr } = await generate(lacking);
    expect(code).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([
      "methods refuse by the error table slots, and reference/errors/slots.ts doesn't export refusals",
      "getSlotTime names the error table slots, and there is no specs/errors/slots.yaml",
    ]);
  });
});

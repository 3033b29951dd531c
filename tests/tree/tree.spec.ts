// The rules of the tree: each holds on the whole project, and finds what violates it in its fixture.
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { read, root } from "../support/assay.ts";
import { filesBelow, source } from "../support/sources.ts";
import { childProcesses } from "./childProcesses.ts";
import { citedClauses } from "./citedClauses.ts";
import { citedReadings } from "./citedReadings.ts";
import { engineWords } from "./engineWords.ts";
import { exportedNames } from "./exportedNames.ts";
import { firstLine } from "./firstLine.ts";
import { folderImports } from "./folderImports.ts";
import { glossary } from "./glossary.ts";
import { linearExpressions } from "./linearExpressions.ts";
import { lineWidth } from "./lineWidth.ts";
import { fileLoops, roomLoops } from "./loops.ts";
import { packageNames } from "./packageNames.ts";
import { violationsOf } from "./pass.ts";
import { readmes } from "./readmes.ts";
import { roomImports, roomTable } from "./roomImports.ts";
import { typesOfSpecs } from "./typesOfSpecs.ts";
import { words } from "./words.ts";

const rules = {
  childProcesses,
  citedClauses,
  citedReadings,
  engineWords,
  exportedNames,
  fileLoops,
  firstLine,
  folderImports,
  glossary,
  linearExpressions,
  lineWidth,
  packageNames,
  readmes,
  roomImports,
  roomLoops,
  roomTable,
  typesOfSpecs,
  words,
};
type RuleName = keyof typeof rules;

/** What stands for now, by its file or its whole sentence. */
const notYet = parse(read("tests/tree/notYet.yaml")) as { readonly [name in RuleName]?: readonly string[] };

let found: ReturnType<typeof violationsOf<RuleName>> | undefined;

for (const [name, rule] of Object.entries(rules) as [RuleName, (typeof rules)[RuleName]][]) {
  test(rule.holds, () => {
    found ??= violationsOf(rules, root);
    const listed = notYet[name] ?? [];
    const isListed = (violation: string): boolean => listed.some((start) => violation.startsWith(start));
    const nowFixed = listed.filter((start) => !found?.[name].some((violation) => violation.startsWith(start)));
    expect({ found: found[name].filter((one) => !isListed(one)), nowFixed }).toEqual({ found: [], nowFixed: [] });
  });

  test(`the rule finds what violates it: ${rule.holds}`, () => {
    const fixture = join("tests/fixtures/tree", name);
    const { [name]: violations } = violationsOf({ [name]: rule }, join(root, fixture));
    // In a file of its own: here some would violate the rule.
    expect(`${violations?.join("\n")}\n`).toBe(read(join(fixture, "violations.txt")));
  });
}

test("the rules are held by the whole tree", () => {
  expect(filesBelow(".", source).length).toBeGreaterThan(400);
});

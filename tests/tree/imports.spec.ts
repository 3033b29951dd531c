// Do imports go one way, and does nothing that judges know what is judged?
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../support/assay.ts";

/** What each folder may import, apart from itself and packages. */
const allowed: { readonly [folder: string]: readonly string[] } = {
  specs: [],
  harness: [],
  contracts: ["harness", "specs"],
  property: ["contracts", "harness", "specs"],
  load: ["contracts", "harness", "specs"],
  reference: ["specs"],
  reports: ["harness"],
  proof: ["contracts", "harness", "load", "property", "reference", "specs"],
  cli: ["contracts", "harness", "load", "property", "proof", "reference", "reports", "specs"],
  context: ["cli", "contracts", "harness", "load", "proof", "reference", "specs"],
};

/** The reference takes only types from the specs: a table shared by both sides would hide one common error. Control's validator is no such table, and of the OpenRPC view nothing is judged. */
const typesOnly = ({ from, to, target }: Import): boolean =>
  from === "reference" &&
  to === "specs" &&
  !["specs/generated/controlValidator.js", "specs/generated/openrpc.ts"].includes(target);

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The file that is imported. */
  readonly target: string;
  readonly isType: boolean;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path.endsWith("specs/generated") ? [] : filesBelow(path);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : [];
  });
}

function importsOf(file: string, base: string): Import[] {
  const statements = readFileSync(file, "utf8").matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+"(\.[^"]+)"/gm);
  return [...statements].map(([, type, specifier = ""]) => {
    const target = relative(base, resolve(dirname(file), specifier));
    const source = relative(base, file);
    return {
      file: source,
      from: source.split("/")[0] ?? "",
      to: target.split("/")[0] ?? "",
      target,
      isType: type !== undefined,
    };
  });
}

const violations = (base: string, folders: readonly string[]): string[] =>
  folders
    .flatMap((folder) => filesBelow(join(base, folder)))
    .flatMap((file) => importsOf(file, base))
    .filter((one) => one.from !== one.to && (!allowed[one.from]?.includes(one.to) || (typesOnly(one) && !one.isType)))
    .map(({ file, to, isType }) => `${file} imports ${isType ? "types of " : ""}${to}`);

const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name in allowed)
  .map(({ name }) => name);

test("imports go one way", () => {
  expect(folders.length).toBeGreaterThan(6);
  expect(violations(root, folders)).toEqual([]);
});

test("the rule finds what violates it", () => {
  const fixtures = join(root, "tests/fixtures/imports");
  expect(violations(fixtures, ["contracts", "reference"])).toEqual([
    "contracts/judgesByTheJudged.ts imports reference",
    "reference/copiesTheJudge.ts imports specs",
  ]);
});

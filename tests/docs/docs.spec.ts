// The documents: what is generated is current, links lead somewhere, and each dependency is argued.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { emptyFolder, read, root } from "../support/assay.ts";
import { deadLinks, generatedPages, missingFiles } from "../support/guides.ts";
import { neededNode } from "../support/nodeVersions.ts";

test("docs/cli.md and docs/targetFile.md are what `npm run docs` writes", async () => {
  for (const [path, text] of Object.entries(await generatedPages()))
    expect(read(path) === text, `run \`npm run docs\` and commit ${path}`).toBe(true);
});

const pages = [
  "README.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
];
const texts = pages.filter((page) => page.endsWith(".md"));

test("no link of the README and the documents leads nowhere", () => {
  expect(texts.length).toBeGreaterThan(15);
  expect(texts.flatMap((page) => deadLinks(root, page).map((path) => `${page}: ${path}`))).toEqual([]);
  const folder = emptyFolder();
  writeFileSync(join(folder, "README.md"), "a");
  writeFileSync(
    join(folder, "one.md"),
    "[one](README.md#a), [two](nowhere.md#there), [three](../gone/), [four](#four)",
  );
  expect(deadLinks(folder, "one.md")).toEqual(["nowhere.md", "../gone/"]);
});

test("each file of the tree that the README and the documents name exists", () => {
  expect(texts.flatMap((page) => missingFiles(root, page).map((path) => `${page}: ${path}`))).toEqual([]);
  const folder = emptyFolder();
  writeFileSync(join(folder, "one.md"), "`docs/reference.ts`, `docs/gone.ts`, `runs/one/run.json`, `elsewhere/one.ts`");
  expect(missingFiles(folder, "one.md")).toEqual(["docs/gone.ts"]);
});

test("each text that says which Node is needed says what the package does, in the same words", () => {
  for (const page of ["README.md", "CONTRIBUTING.md", "docs/firstRun.md", "docs/install.md", "action.yml"])
    expect(read(page).replaceAll(/\s+/g, " "), page).toContain(neededNode);
  expect(read("cli/assay.js")).toContain(`needs ${neededNode}`);
  const others = [...texts, "action.yml"].filter((page) => /Node(?:\.js)? ?(?:≥|>=|20\.19)/.test(read(page)));
  expect(others).toEqual([]);
});

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}
const manifestOf = (path: string): Manifest => JSON.parse(read(path)) as Manifest;

// Which of the others are bundled, the list of components tells: package.spec.ts.
test("each runtime dependency is argued, at its installed release, under a licence that may be shipped", () => {
  const rows = [...read("docs/DEPENDENCIES.md").matchAll(/^\| `([^`]+)` \|.*\| ([\d.]+), \d{4}-\d\d-\d\d \|$/gm)];
  const argued = Object.fromEntries(rows.map(([, name = "", version = ""]) => [name, version]));
  const { dependencies, devDependencies } = manifestOf("package.json");
  const names = [...Object.keys(dependencies), ...Object.keys(argued).filter((name) => devDependencies[name])];
  const installed = names.map((name) => [name, manifestOf(`node_modules/${name}/package.json`)] as const);
  expect(argued).toEqual(Object.fromEntries(installed.map(([name, { version }]) => [name, version])));
  const licences = ["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"];
  expect(installed.filter(([, { license }]) => !licences.includes(license))).toEqual([]);
});

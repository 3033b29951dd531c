// The image: what its Dockerfile builds from and leaves out.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { read, root } from "../support/assay.ts";
import { action, gitlabInputs, stepsIn } from "../support/steps.ts";

const { description, license, bin } = JSON.parse(read("package.json")) as {
  readonly description: string;
  readonly license: string;
  readonly bin: { readonly assay: string };
};

interface Instruction {
  readonly name: string;
  readonly words: string;
}

/** The instructions of each stage, the first of which says what it is built from. */
function stagesOf(dockerfile: string): readonly (readonly Instruction[])[] {
  const lines = dockerfile
    .replace(/^#.*\n/gm, "")
    .replace(/\s*\\\n\s*/g, " ")
    .split("\n")
    .filter(Boolean);
  const instructions = lines.map((line): Instruction => {
    const [, name = "", words = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return { name, words };
  });
  const starts = instructions.flatMap(({ name }, at) => (name === "FROM" ? [at] : []));
  return starts.map((at, nth) => instructions.slice(at, starts[nth + 1]));
}
const [k6 = [], packing = [], image = [], ...others] = stagesOf(read("Dockerfile"));
const wordsIn = (stage: readonly Instruction[], name: string): readonly string[] =>
  stage.filter((instruction) => instruction.name === name).map(({ words }) => words);

test("the image's k6 is built from the sources whose sums are in tools/k6, by a Go that is new enough", () => {
  expect(wordsIn(k6, "COPY")).toEqual(["tools/k6/go.mod tools/k6/go.sum ./"]);
  const [, least] = /^go 1\.(\d+)/m.exec(read("tools/k6/go.mod")) ?? [];
  const [, minor] = /golang:1\.(\d+)-/.exec(wordsIn(k6, "FROM")[0] ?? "") ?? [];
  expect(Number(minor)).toBeGreaterThanOrEqual(Number(least));
});

test("the image is built from what is there, and no script of a package runs", () => {
  const sources = wordsIn(packing, "COPY").flatMap((words) => words.split(" ").slice(0, -1));
  expect(sources).toEqual(expect.arrayContaining(["package-lock.json", "."]));
  for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true);
  const installing = wordsIn(packing, "RUN").flatMap((words) => words.match(/npm ci[^&]*/g) ?? []);
  expect(installing.length).toBe(2);
  for (const command of installing) expect(command).toContain("--ignore-scripts");
  expect(wordsIn(packing, "RUN").join("\n")).toContain(`ln -s /opt/assay/${bin.assay} usr/local/bin/assay`);
});

test("the image has a user without rights, its run folder, and the Node of the release; nothing runs in it", () => {
  expect(others).toEqual([]);
  expect(wordsIn(image, "USER")).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  expect(["WORKDIR", "VOLUME", "ENTRYPOINT", "RUN"].map((name) => wordsIn(image, name))).toEqual([
    ["/work"],
    ["/work"],
    ['["assay"]'],
    [],
  ]);
  const [label = ""] = wordsIn(image, "LABEL");
  for (const text of [description, license]) expect(label).toContain(`"${text}"`);
  const released = stepsIn(read(".github/workflows/release.yml")).flatMap((step) => step.with?.["node-version"] ?? []);
  const used = [packing, image].map((stage) => /node:(\d+)-/.exec(wordsIn(stage, "FROM")[0] ?? "")?.[1]);
  expect(new Set([...used, ...released]).size).toBe(1);
});

test("what Assay installs is the same on each processor, as the image for one is built on another", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    readonly packages: { readonly [path: string]: { readonly dev?: true; readonly cpu?: unknown } };
  };
  const installed = Object.entries(packages).filter(([, { dev }]) => !dev);
  expect(installed.length).toBeGreaterThan(5);
  expect(installed.flatMap(([path, { cpu }]) => (cpu === undefined ? [] : [path]))).toEqual([]);
});

const ignored = read(".dockerignore")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
/** As Docker reads these patterns: from the root, and a folder with all that is in it. */
const ignoring = ignored.map((pattern) => {
  const [, anywhere, name = ""] = /^(\*\*\/)?(.*)$/.exec(pattern) ?? [];
  const exact = name.replaceAll(".", "\\.").replaceAll("*", "[^/]*");
  return new RegExp(`^${anywhere ? "(?:.+/)?" : ""}${exact}(?:/|$)`);
});
const isLeftOut = (path: string): boolean => ignoring.some((pattern) => pattern.test(path));

test("no stage sees keys, runs, git or what was built, and all see the rest", () => {
  for (const line of read(".gitignore").trim().split("\n")) expect(ignored).toContain(`**/${line.replace(/\/$/, "")}`);
  const secret = [".env", "acme/.env.local", "acme.key", "certificates/acme.pem", ".git/config", "runs/1/run.json"];
  expect(secret.filter((path) => !isLeftOut(path))).toEqual([]);
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
  expect(tracked).toContain("package/build.ts");
  expect(tracked.filter((path) => isLeftOut(path) && !path.startsWith("tests/fixtures/"))).toEqual([]);
});

test("templates install no package unless one is named", () => {
  expect([action.inputs, gitlabInputs].map((inputs) => inputs["package"]?.default)).toEqual(["", ""]);
});

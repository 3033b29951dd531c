// The image: what its Dockerfile builds from, what it leaves out, and who names it.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { read, root } from "../support/assay.ts";
import { action, gitlabInputs } from "../support/steps.ts";

const { version, description, license, engines } = JSON.parse(read("package.json")) as {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: { readonly node: string };
};

interface Instruction {
  readonly name: string;
  readonly words: string;
}

/** Those of each stage, the first of which says what it is built from. */
const stages = ((): readonly (readonly Instruction[])[] => {
  const lines = read("Dockerfile")
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter(Boolean);
  const instructions = lines.map((line): Instruction => {
    const [, name = "", words = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return { name, words };
  });
  const starts = instructions.flatMap(({ name }, at) => (name === "FROM" ? [at] : []));
  return starts.map((at, nth) => instructions.slice(at, starts[nth + 1]));
})();
const [k6 = [], building = [], image = []] = stages;
const wordsOf = (stage: readonly Instruction[], name: string): readonly string[] =>
  stage.filter((instruction) => instruction.name === name).map(({ words }) => words);

test("the image's k6 is built from the sources in tools/k6, by a Go that is new enough", () => {
  expect(wordsOf(k6, "COPY")).toEqual(["tools/k6/go.mod tools/k6/go.sum ./"]);
  const least = /^go 1\.(\d+)/m.exec(read("tools/k6/go.mod"))?.[1];
  const [, minor] = /golang:1\.(\d+)-/.exec(wordsOf(k6, "FROM")[0] ?? "") ?? [];
  expect(Number(minor)).toBeGreaterThanOrEqual(Number(least));
});

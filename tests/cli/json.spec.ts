// Whatever has --json prints a document that a shipped schema describes, or nothing.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder, root, startAssay } from "../support/assay.ts";
import { commandTree } from "../support/commandTree.ts";
import { foreignPart, namedByPart } from "../support/foreignFolders.ts";
import { k6 } from "../support/k6.ts";
import { type Embedded, servedReference, vendorNamed } from "../support/servedReference.ts";
import { schemaProblems } from "../support/standards.ts";

const schemas = readdirSync(join(root, "reports")).flatMap((file) => /^(\w+)\.schema\.json$/.exec(file)?.[1] ?? []);

/** `refused`: the words after the command by which it prints nothing on the standard output. */
type Case = readonly [command: string, schema: string, words: string, code: number, refused: string];

const only = "--only CYC-PRES-01,USG-FLD-01 --no-observe";
const cases: readonly Case[] = [
  ["doctor", "doctor", "--target b.yaml", 0, "--target nowhere.yaml"],
  ["run", "run", `b.yaml ${only} --out new`, 0, "--only NOWHERE"],
  ["run", "plan", "--plan --target b.yaml --for 1.5s", 0, "--plan --target nowhere.yaml"],
  ["judge", "run", "broken --target a.yaml --out judged", 1, "nowhere.har --target a.yaml"],
  ["judge", "run", "empty.har --target a.yaml --out unjudged", 3, "empty.har"],
  ["proxy", "run", "--target b.yaml --out proxied -- true", 3, "--target nowhere.yaml -- true"],
  ["load", "run", "smoke --target b.yaml --duration 1s --out loaded", 0, "smoke --target b.yaml --plan"],
  ["load merge", "run", "PART --out merged", 3, "nowhere"],
  ["panel", "panel", "a.yaml b.yaml --rounds 1 --out asked", 0, "a.yaml a.yaml"],
  ["compare", "compare", "honest broken", 1, "broken nowhere"],
  ["compare", "panels", "panel panel", 0, "panel broken"],
  ["compare", "panels", "panel elsewhere", 0, "panel nowhere"],
  ["history", "histories", "nights", 0, "nights --markdown"],
  ["history", "histories", "panels", 0, "nowhere"],
  ["accept", "accept", "broken --reason x --until 2099-01-01", 0, "broken"],
  ["accept", "accept", "honest --reason x --until 2099-01-01", 0, "nowhere"],
  ["replay", "replay", "broken --target a.yaml", 1, "broken USG-FLD-01"],
  ["replay", "replay", "broken --target b.yaml", 0, "broken"],
  ["replay", "replay", "honest", 0, "nowhere"],
  ["serve", "serve", "", 0, "--port x"],
  ["mutants", "mutants", "CYC-PRES-01.omit-on-free", 0, "NOWHERE"],
  ["mutants", "mutants", "--list", 0, "--load --properties"],
  ["report", "run", "broken", 1, "broken --format junit"],
  ["verify", "verify", "broken", 0, "nowhere"],
  ["verify", "verify", "changed", 1, "empty.har"],
  ["spec diff", "published", "openapi.json", 0, "nowhere"],
  ["explain", "explain", "CYC-PRES-01 --target a.yaml", 0, "CYC-PRES-01 --target nowhere.yaml"],
  ["explain", "explain", "CYC-PRES-01 broken --target known.yaml", 0, "CYC-PRES-01 nowhere"],
  ["explain", "explain", "OBS-MET-LAG", 0, "OBS-NOWHERE"],
  ["explain", "explain", "getTokenAccounts", 0, "x"],
  ["explain", "explain", "3", 0, "4"],
  ["requirements", "requirements", "broken", 0, "--area nowhere"],
  ["requirements", "requirements", "", 0, "nowhere"],
];

const folder = emptyFolder();
const platforms: Embedded[] = [];
const environment: { [name: string]: string } = { [namedByPart]: "short" };

test.beforeAll(async () => {
  for (const [file, name, mutant] of [
    ["a.yaml", "ACME", "CYC-PRES-01.omit-on-free"],
    ["b.yaml", "BETA", undefined],
  ] as const) {
    const platform = await servedReference(mutant);
    platforms.push(platform);
    const target = vendorNamed(name.toLowerCase(), platform.base).replaceAll("ASSAY_REFERENCE", name);
    writeFileSync(join(folder, file), target);
    for (const [variable, key] of Object.entries(platform.environment))
      environment[variable.replace("ASSAY_REFERENCE", name)] = key;
  }
  for (const words of [
    `run a.yaml ${only} --out broken --history nights`,
    `run b.yaml ${only} --out honest`,
    "panel a.yaml b.yaml --rounds 1 --out panel --history panels --vantage home",
    "panel a.yaml b.yaml --rounds 1 --out elsewhere --vantage away",
  ])
    await assay(words.split(" "), environment, folder);
  cpSync(join(folder, "broken"), join(folder, "changed"), { recursive: true });
  writeFileSync(join(folder, "changed/summary.md"), "changed");
  cpSync(join(folder, "a.yaml"), join(folder, "known.yaml"));
  const known = "[{ requirement: CYC-PRES-01, expect: { at: /x, is: absent }, reason: x, until: 2099-01-01 }]";
  writeFileSync(join(folder, "known.deviations.yaml"), known);
  writeFileSync(join(folder, "empty.har"), '{"log": {"entries": []}}');
  writeFileSync(join(folder, "openapi.json"), (await assay(["spec", "openapi"])).stdout);
});
test.afterAll(async () => {
  for (const { close } of platforms) await close();
});

/** @param words after which nothing but flags of the command stands */
async function printed(command: string, words: string) {
  const [before = "", after = ""] = words.replace("PART", join(foreignPart(), "in/part")).split("-- ");
  const flags = before.split(" ").filter(Boolean);
  const child = after === "" ? [] : ["--", after];
  const running = startAssay([...command.split(" "), ...flags, "--json", ...child], environment, folder);
  if (command === "serve" && words === "") {
    await running.says("\n");
    running.kill("SIGTERM");
  }
  return running.ended;
}

for (const [command, schema, words, code] of cases)
  test(`${command} ${words}: JSON as reports/${schema}.schema.json has it`, async () => {
    if (command === "load") k6();
    const ended = await printed(command, words);
    expect(ended.code, ended.stderr).toBe(code);
    for (const { environment: keys } of command === "serve" ? [] : platforms)
      for (const key of Object.values(keys)) expect(ended.stdout).not.toContain(key);
    expect(schemaProblems(`reports/${schema}.schema.json`, JSON.parse(ended.stdout))).toEqual([]);
  });

test("what is refused prints nothing for programs, and a sentence for people", async () => {
  for (const [command, , , , refused] of cases) {
    const { code, stdout, stderr } = await printed(command, refused);
    expect([code, stdout], `${command} ${refused}`).toEqual([2, ""]);
    expect(stderr).not.toBe("");
  }
});

/** With a schema that the help of its --json names. */
function schemasOf({ path, options }: Awaited<ReturnType<typeof commandTree>>[number]): readonly string[] {
  if (!options.some(({ long }) => long === "--json")) return [];
  const found = options.flatMap(({ description }) => [...description.matchAll(/reports\/(\w+)\.schema\.json/g)]);
  return found.length > 0 ? found.map(([, schema]) => `${path}: ${schema}`) : [`${path}: none`];
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

test("each command with --json names its schema, and is tried here", async () => {
  const named = (await commandTree()).flatMap(schemasOf);
  expect(unique(named)).toEqual(unique(cases.map(([command, schema]) => `${command}: ${schema}`)));
});

/** Of files that are written and not printed. */
const ofFiles: { readonly [schema: string]: () => string } = {
  manifest: () => textOf("broken/manifest.json"),
  history: () => textOf("nights/acme.jsonl"),
  // Its digest is before it.
  part: () => textOf(join(foreignPart(), "in/part/part.json")).split("\n")[1] ?? "",
};
const textOf = (file: string): string => readFileSync(resolve(folder, file), "utf8");

test("each schema that is shipped is held against a document", () => {
  expect(unique([...cases.map(([, schema]) => schema), ...Object.keys(ofFiles)])).toEqual(unique(schemas));
  for (const [schema, document] of Object.entries(ofFiles))
    expect(schemaProblems(`reports/${schema}.schema.json`, JSON.parse(document())), schema).toEqual([]);
});

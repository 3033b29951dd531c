// Which config a command runs, as it is code; and runs that are read without the config that judged them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, assayRun, type Ended, emptyFolder } from "../support/assay.ts";

const KEY = { KEY: "0123456789" };

/** Notes that it was run, and adds a requirement of its area. */
const configOf = (area: string, sentence = "Its health is told") => `
  globalThis.configsRun = [...(globalThis.configsRun ?? []), "${area}"];
  const wrong = { outcome: "broken", at: "status", expected: "201", got: { value: 200 } };
  export default {
    requirements: [{ id: "${area}-A-01", sentence: "${sentence}", clause: "Ours §1" }],
    checks: [{ proves: "${area}-A-01", request: { operation: "getIndexerHealth" }, by: () => wrong }],
  };`;

/** The areas of configs whose code is run by that. */
async function ranBy(work: () => Promise<Ended>) {
  const ran: string[] = [];
  Object.assign(globalThis, { configsRun: ran });
  const ended = await work();
  const { configsRun } = globalThis as unknown as { readonly configsRun: readonly string[] };
  return { ...ended, ran: configsRun };
}

const target = {
  name: "acme",
  bases: { rpc: "http://127.0.0.1:9" },
  projects: { main: { plan: "paid" } },
  keys: { paid: { project: "main", env: "KEY" } },
};

/** Gives the folder. */
function folderOf(files: { readonly [path: string]: string | object }, folder = emptyFolder()): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), typeof text === "string" ? text : JSON.stringify(text));
  }
  return folder;
}

const workplace = (): string =>
  folderOf({
    "project/package.json": {},
    "project/assay.config.mjs": configOf("OURS"),
    "project/acme.yaml": target,
    "project/below/notes": "",
    "theirs/assay.config.mjs": configOf("THEIRS"),
    "theirs/acme.yaml": target,
    "theirs/run/assay.config.mjs": configOf("THEIRS"),
  });

const isCode =
  "isn't loaded: a config is code, so only that beside the nearest package.json, here or above, is loaded.";

for (const [title, where, words, ran, says] of [
  ["the project's, in its folder", "project", "run --target acme.yaml --plan", ["OURS"], ""],
  ["the project's, from a folder below", "project/below", "doctor --target ../acme.yaml", ["OURS"], ""],
  [
    "the project's, not that beside a target file of others",
    "project",
    "run --target ../theirs/acme.yaml --plan",
    ["OURS"],
    `../theirs/assay.config.mjs ${isCode} To load it, add --config ../theirs/assay.config.mjs\n`,
  ],
  [
    "none where there is no package.json",
    "theirs",
    "run acme.yaml --plan",
    [],
    `assay.config.mjs ${isCode} To load it, add --config assay.config.mjs\n`,
  ],
  [
    "the one that is named, and no other",
    "project",
    "run --target ../theirs/acme.yaml --plan --config ../theirs/assay.config.mjs --env KEY",
    ["THEIRS"],
    "",
  ],
  [
    "none unnamed where variables are guarded",
    "project",
    "run --target acme.yaml --plan --env KEY",
    [],
    "assay.config.mjs isn't loaded: a config is code, which could read variables that --env guards. " +
      "To load it, add --config assay.config.mjs\n",
  ],
  ["none for help", "project", "run --help", [], ""],
] as const)
  test(`which config is loaded: ${title}`, async () => {
    const folder = join(workplace(), where);
    const { ran: areas, stdout, stderr } = await ranBy(() => assay(words.split(" "), KEY, folder));
    expect([areas, stderr]).toEqual([ran, says]);
    const path = { "project/below": "../assay.config.mjs", project: "assay.config.mjs", theirs: "" }[where];
    const file = areas[0] === "THEIRS" ? "../theirs/assay.config.mjs" : path;
    const named = stdout.split("\n", 2).filter((line) => line.startsWith("Config: "));
    expect(named).toEqual(areas.length > 0 ? [`Config: ${file} (1 requirement of your own)`] : []);
  });

test("a config that is named and isn't there is refused", async () => {
  expect(await assay(["run", "--config", "none.mjs"])).toMatchObject({
    code: 2,
    stderr: "--config names none.mjs, which isn't a file. Name that of a config.\n",
  });
});

/** A run that a config judged, in a folder that lies in the project of others. */
async function foreignRun(sentence?: string): Promise<string> {
  const config = join(folderOf({ "assay.config.mjs": configOf("OURS", sentence) }), "assay.config.mjs");
  const { folder } = await assayRun(["run", "--only", "OURS-A-01,USG-HTTP-01", "--config", config]);
  const described = { ...target, name: "reference", offers: ["compression", "health"], samples: { doctor: 1 } };
  return folderOf({ "package.json": {}, "assay.config.mjs": configOf("THEIRS"), "acme.yaml": described }, folder);
}

/** Types commands in the folder of a run: none runs a config that is there. */
async function typedInRun() {
  const run = await foreignRun();
  const typed = async (line: string): Promise<string> => {
    const { ran, stdout, stderr } = await ranBy(() => assay(line.split(" "), KEY, run));
    expect([line, ran, stderr]).toEqual([line, [], ""]);
    return stdout;
  };
  return { run, typed };
}

test("what reads a run runs no config that is there, and shows what the run keeps of its own", async () => {
  const { run, typed } = await typedInRun();
  await typed("report .");
  for (const file of ["index.html", "summary.md", "junit.xml", "run.json"])
    expect(readFileSync(join(run, file), "utf8")).toContain("Its health is told");
  expect(await typed("report . --format json")).toContain("Its health is told");
  expect(await typed("verify .")).toContain("The same: ");
  expect(await typed("requirements . --area OURS")).toContain("OURS-A-01            Its health is told");
  expect(await typed("explain OURS-A-01 .")).toContain("OURS-A-01: Its health is told\nOurs §1; must");
});

test("what reads runs and histories shows what they keep of a config, and accepts by that", async () => {
  const { run, typed } = await typedInRun();
  expect(await typed("compare . . --json")).toContain("Its health is told");
  await typed("history import . --history nights");
  await typed("history nights");
  expect(readFileSync(join(run, "nights/index.html"), "utf8")).toContain("Its health is told");
  const accepted = "accept . OURS-A-01 --reason theirs --until 2099-12-31 --target acme.yaml";
  expect(await typed(accepted)).toContain("added     OURS-A-01  Its health is told");
  expect(await typed("metrics nights")).toContain('requirement="OURS-A-01",sentence="Its health is told"');
});

test("a run that is replayed says that its config's checks aren't loaded, and how to load them", async () => {
  const run = await foreignRun();
  rmSync(join(run, "package.json"));
  const { ran, stdout, stderr } = await ranBy(() => assay(["replay", "."], {}, run));
  expect(stderr).toContain(`assay.config.mjs ${isCode}`);
  const says = /can't tell +OURS-A-01 .*\n.*name that with --config/;
  expect([ran, stdout]).toEqual([[], expect.stringMatching(says)]);
});

for (const [title, row] of [
  ["an area of the interface", { id: "USG-A-01" }],
  ["a sentence that steers a terminal", { sentence: "It is \u001b[2J kept" }],
  ["a sentence of several lines", { sentence: "It is\n::error::kept" }],
  ["more than texts", { sentence: { text: "kept" } }],
  ["a member that there isn't", { by: "() => held" }],
] as const)
  test(`what a run keeps of a config is data, and refused where it has ${title}`, async () => {
    const run = await foreignRun();
    for (const [file, reads] of [
      ["journal.jsonl", "report"],
      ["run.json", "history import --history nights"],
    ] as const) {
      const [first = "", ...rest] = readFileSync(join(run, file), "utf8").split("\n");
      const isLine = file === "journal.jsonl";
      const value = JSON.parse(isLine ? first : [first, ...rest].join("\n")) as { ownRequirements: readonly object[] };
      const crafted = JSON.stringify({ ...value, ownRequirements: [{ ...value.ownRequirements[0], ...row }] });
      writeFileSync(join(run, file), [crafted, ...(isLine ? rest : [])].join("\n"));
      const ended = await assay([...reads.split(" "), "."], {}, run);
      expect(ended).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(/^[^\n]*ownRequirements[^\n]*\n$/),
      });
    }
  });

test("a run of an older version, which keeps nothing of its config, is read with it by name alone", async () => {
  const run = await foreignRun();
  const [first = "", ...rest] = readFileSync(join(run, "journal.jsonl"), "utf8").split("\n");
  const start = { ...(JSON.parse(first) as object), ownRequirements: undefined };
  writeFileSync(join(run, "journal.jsonl"), [JSON.stringify(start), ...rest].join("\n"));
  const refused = await assay(["report", "."], {}, run);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/OURS-A-01.*--config/) });
  const own = join(folderOf({ "assay.config.mjs": configOf("OURS") }), "assay.config.mjs");
  expect((await assay(["report", ".", "--config", own], {}, run)).stdout).toContain("Its health is told");
});

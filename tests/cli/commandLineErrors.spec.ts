// Bad input: one clear paragraph, exit code 2, and nothing written.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder, start } from "../support/assay.ts";
import { smallEnvironment, smallTarget, targetFile } from "../support/vendor.ts";

const target = smallTarget("https://vendor.example");

const tipAccount = "8iU3ju5vZRPQDQ4JjQHJz17fnB14rjvYwjAtCXDpi5s8";

const targets = [
  {
    title: "an unknown target file",
    args: ["--target", "targets/nowhere.yaml"],
    error: "There is no target file targets/nowhere.yaml",
  },
  { title: "a target that is a folder", args: ["--target", "targets"], error: "targets can't be read (EISDIR)" },
];

const files = [
  { title: "invalid YAML", yaml: "name: [", error: "this is no YAML" },
  { title: "an unknown field", yaml: `${target}\nqiet: true`, error: 'unknown field "qiet" (did you mean "quiet"?)' },
  {
    title: "an unknown role",
    yaml: target.replace("keys: { paid:", "keys: { payed:"),
    error: 'keys has an unknown field "payed" (did you mean "paid"?)',
  },
  {
    title: "an unknown field of a project",
    yaml: target.replace("plan: paid }", "plan: paid, plann: x }"),
    error: 'unknown field "plann" (did you mean "plan"?)',
  },
  { title: "a base that is no address", yaml: smallTarget("vendor.example"), error: "bases.admin is no address" },
  { title: "a base that is no URL", yaml: smallTarget("https://vendor:port"), error: "which is no URL" },
  {
    title: "a base with a query",
    yaml: smallTarget("https://vendor.example/?api-key=x"),
    error: "bases.admin carries a query",
  },
  {
    title: "a key of an unknown project",
    yaml: target.replace("project: main", "project: mian"),
    error: '"mian" (did you mean "main"?)',
  },
  {
    title: "a feature without a base",
    yaml: target.replace("offers: [usage]", "offers: [usage, wallet]"),
    error: "offers names wallet, but bases.api is missing",
  },
  {
    title: "a paid role on a free plan",
    yaml: target.replace("plan: paid", "plan: free"),
    error: "which is not on a paid plan",
  },
  {
    title: "a tip account that is no address",
    yaml: `${target}\nbundles: { tipAccount: "2222222222222222222222222222222222222222222" }`,
    error: "bundles.tipAccount is no address",
  },
  {
    title: "a payer whose secret is not set",
    yaml: `${target}\nallow: [sendBundle]\nbundles: { tipAccount: "${tipAccount}", payer: { env: NOWHERE } }`,
    error: "NOWHERE, which is not set",
  },
  {
    title: "a payer whose secret is invalid",
    yaml: `${target}\nallow: [sendBundle]\nbundles: { tipAccount: "${tipAccount}", payer: { env: SMALL_KEY } }`,
    error: "holds no private key",
  },
  {
    title: "a deviation that names nothing",
    yaml:
      `${target}\ndeviations: [{ requirement: USG-FLD-99, expect: { at: /x }, reason: r, owner: o, until: ` +
      `2027-01-01 }]`,
    error: "USG-FLD-99 (did you mean",
  },
];

for (const { title, args, error } of targets) {
  test(title, async () => {
    const { code, stderr, stdout } = await assay(["run", ...args], smallEnvironment);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(error);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
}

for (const { title, yaml, error } of files) {
  test(`a target with ${title}`, async () => {
    const out = join(emptyFolder(), "run");
    const { code, stderr, stdout } = await assay(["run", "--target", targetFile(yaml), "--out", out], smallEnvironment);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(error);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(existsSync(out)).toBe(false);
  });
}

test("a key variable that is not set", async () => {
  const { code, stderr } = await assay(["run", "--target", targetFile(target)], { SMALL_KEY: "" });
  expect(code).toBe(2);
  expect(stderr).toContain("the environment variable SMALL_KEY, which is not set. Set it (export SMALL_KEY=…)");
});

test("a key too short to be hidden", async () => {
  const { code, stderr } = await assay(["run", "--target", targetFile(target)], { SMALL_KEY: "abc" });
  expect(code).toBe(2);
  expect(stderr).toContain("SMALL_KEY");
  expect(stderr).not.toContain("abc");
});

test("an unknown id in --only", async () => {
  const { code, stderr } = await assay(["run", "--only", "CYC-PRES-1"]);
  expect(code).toBe(2);
  expect(stderr).toContain('CYC-PRES-1 (did you mean "CYC-PRES-01"?)');
});

test("an unknown flag and an unknown command suggest the nearest", async () => {
  const flag = await assay(["run", "--onyl", "CYC-PRES-01"]);
  expect(flag.code).toBe(2);
  expect(flag.stderr).toContain("--only");
  const command = await assay(["rnu"]);
  expect(command.code).toBe(2);
  expect(command.stderr).toContain("run");
});

test("an output folder below a file", async () => {
  const file = join(emptyFolder(), "file");
  writeFileSync(file, "");
  const { code, stderr } = await assay(["run", "--out", join(file, "run")]);
  expect(code).toBe(2);
  expect(stderr).toContain("can't be made or written to (ENOTDIR)");
});

test("an output folder that holds a run already stays as it was", async () => {
  const out = emptyFolder();
  writeFileSync(join(out, "journal.jsonl"), "");
  const { code, stderr } = await assay(["run", "--out", out]);
  expect(code).toBe(2);
  expect(stderr).toContain("holds a run already");
  expect(readdirSync(out)).toEqual(["journal.jsonl"]);
});

const started = {
  record: "start",
  version: "9.9.9",
  id: "x",
  target: "x",
  isReference: false,
  bases: {},
  command: "x",
  startedAt: "2027-01-01T00:00:00.000Z",
  planned: [],
  unchecked: [],
  plan: {},
};
for (const [title, journal, error] of [
  ["of a newer format", JSON.stringify({ ...started, format: 3 }), "journal.jsonl has run format 3, of a newer Assay"],
  ["of format 1", JSON.stringify({ ...started, format: 1 }), "journal.jsonl has run format 1, of an older Assay"],
  ["without a format", JSON.stringify(started), "journal.jsonl has run format 1, of an older Assay"],
  ["whose journal has no beginning", '{"record":"sta', "journal.jsonl is missing or has no beginning"],
] as const) {
  for (const command of ["report", "requirements"])
    test(`assay ${command} refuses a run ${title}`, async () => {
      const folder = emptyFolder();
      writeFileSync(join(folder, "journal.jsonl"), journal);
      const { code, stderr, stdout } = await assay([command, folder]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(error);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(readdirSync(folder)).toEqual(["journal.jsonl"]);
    });
}

test("a port in use for serve, and an invalid one", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  const port = await new Promise<number>((resolve) =>
    server.on("listening", () => resolve((server.address() as { port: number }).port)),
  );
  const taken = await assay(["serve", "--port", String(port)]);
  server.close();
  expect(taken.code).toBe(2);
  expect(taken.stderr).toContain(`Port ${port} of 127.0.0.1 is in use`);
  const none = await assay(["serve", "--port", "eighty"]);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('--port is "eighty"');
});

test("a Node that is too old", async () => {
  const pretend =
    "Object.defineProperty(process.versions, 'node', { value: '18.20.4' }); await import(process.argv[1])";
  const { code, stderr } = await start(process.execPath, [
    "--input-type=module",
    "-e",
    pretend.replace("process.argv[1]", "'./cli/assay.js'"),
  ]).ended;
  expect(code).toBe(2);
  expect(stderr).toContain("Assay needs Node 20.19 or newer; this is Node 18.20.4");
});

// Configs as they are loaded: each mistake is one paragraph that names the file and what to do.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, assayProcess, emptyFolder, read, root } from "../support/assay.ts";
import { judged, made } from "../support/madeRuns.ts";
import { reported } from "../support/reports.ts";

const { name: packageName } = JSON.parse(read("package.json")) as { readonly name: string };

const responses = { 200: { description: "the item" } };

/** Gives the file of a config. @param id of the only operation */
function configOf(more: object, id = "getItem", document: object | null = null): string {
  const folder = emptyFolder();
  const spec = document ?? { openapi: "3.1.0", paths: { "/items": { get: { operationId: id, responses } } } };
  writeFileSync(join(folder, "spec.json"), JSON.stringify(spec));
  const config = {
    spec: { file: "spec.json", api: "api", feature: "stock" },
    requirements: [{ id: "STK-A-01", sentence: "It keeps its word", clause: "Stock" }],
    checks: [{ proves: "STK-A-01", request: { operation: id } }],
    ...more,
  };
  writeFileSync(join(folder, "assay.config.mjs"), `export default ${JSON.stringify(config)};`);
  return join(folder, "assay.config.mjs");
}

/** What a command says of a config that it refuses, in one paragraph. */
async function refusalOf(config: string, started = assay): Promise<string> {
  const { code, stdout, stderr } = await started(["requirements", "--config", config]);
  expect({ code, stdout, lines: stderr.trim().split("\n").length }).toEqual({ code: 2, stdout: "", lines: 1 });
  return stderr;
}

test("a config that is right is loaded, and a breach points at the line of its requirement", async () => {
  const config = configOf({});
  const listed = await assay(["requirements", "--area", "STK", "--config", config]);
  expect(listed).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/STK-A-01 +It keeps its word/) });
  const { commands } = await reported(made(0, { requirements: [judged("STK-A-01", "broken")] }), { config });
  expect(commands[0]?.properties).toMatchObject({ file: "assay.config.mjs", line: "1" });
});

test("a requirement's line is that of its id, after whatever else names it", async () => {
  const config = exampleWith("INV-SUM-01", "INV-SUM-01");
  const { commands } = await reported(made(0, { requirements: [judged("INV-SUM-01", "broken")] }), { config });
  const lines = readFileSync(config, "utf8").split("\n");
  const line = lines.findIndex((text) => text.includes('id: "INV-SUM-01"')) + 1;
  expect(line).toBeGreaterThan(lines.findIndex((text) => text.includes("INV-SUM-01")) + 1);
  expect(commands[0]?.properties["line"]).toBe(String(line));
});

const methods = { openrpc: "1.3.2", methods: [{ name: "getItem", result: { name: "item", schema: {} } }] };

for (const [title, config, says] of [
  [
    "an operation of the interface",
    () => configOf({}, "getIndexerHealth"),
    "getIndexerHealth of its spec, which the interface",
  ],
  [
    "methods on a base of endpoints",
    () => configOf({}, "getItem", methods),
    "serves json-rpc by bases.api, which is http",
  ],
  ["a sample of a type that there isn't", () => configOf({ samples: { item: { type: "strin" } } }), "strin"],
  [
    "requests that nothing sends",
    () => configOf({ checks: [{ proves: "STK-A-01", request: { operation: "getItem" }, requests: [] }] }),
    'has the field "requests" and lacks "by"',
  ],
] as const)
  test(`refused: ${title}`, async () => {
    const message = await refusalOf(config());
    expect(message).toMatch(/^\S+assay\.config\.mjs/);
    expect(message).toContain(says);
  });

/** The example's config with one text in another's place; what it imports of Assay is the package's own source. */
function exampleWith(was: string, is: string): string {
  const folder = emptyFolder();
  cpSync(join(root, "examples/invoices"), folder, { recursive: true });
  const own = join(folder, "node_modules", packageName);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(own, "index.js"), `export * from ${JSON.stringify(join(root, "package/index.ts"))};\n`);
  const file = join(folder, "assay.config.mjs");
  const text = readFileSync(file, "utf8");
  expect(text).toContain(was);
  writeFileSync(file, text.replace(was, is));
  return file;
}

for (const [title, [was, is], says] of [
  [
    "no such operation",
    ['operation: "getInvoice", path: { id: "no', 'operation: "getBill", path: { id: "no'],
    "getBill",
  ],
  ["a path that isn't filled in", ["path: { id: sample", "path: { nr: sample"], "lacks id, which its path needs"],
  ["a requirement of no list", ['"INV-MISS-01", request', '"INV-MIS-01", request'], "INV-MIS-01"],
  [
    "a requirement of the interface's area",
    ['id: "INV-MISS-01"', 'id: "USG-FLD-01"'],
    "USG-FLD-01, but its area or id is taken",
  ],
  ["two requirements of one id", ['id: "INV-MISS-01"', 'id: "INV-SUM-01"'], "INV-SUM-01, but its area or id is taken"],
  [
    "a law about nothing",
    ['"getInvoice", 200', '"getBill", 200'],
    "has a law about 'getBill', which isn't an operation",
  ],
  ["a feature that there is already", ['feature: "invoices"', 'feature: "usage"'], "names the feature usage"],
  ["no spec", ["invoices.openapi.yaml", "none.yaml"], "none.yaml"],
  [
    "no platform for mutants",
    ["default defineChecks(", "default ((config) => ({ ...config, platform: undefined }))("],
    'has the field "mutants" and lacks "platform", which it needs. Add it.',
  ],
  ["no checks", ["checks: [", "cheks: ["], 'lacks the field "checks". Add it.'],
  [
    "a field of another name",
    ['proves: "INV-MISS-01"', 'provs: "INV-MISS-01"'],
    'unknown field "provs" (did you mean "proves"?)',
  ],
  [
    "a mutant of nothing",
    ['"INV-MISS-01.finds-all"', '"INV-MISS-01"'],
    "mutants has a field whose name doesn't match ^[A-Z]",
  ],
  [
    "a sample that nothing describes",
    ['sample("invoice")', 'sample("invoce")'],
    'check INV-FORM-01, INV-SUM-01: neither the config nor target files have a sample invoce (did you mean "invoice"?)',
  ],
  [
    "an oracle that isn't a function",
    ['by: ({ status }) => equals("status", status, 404)', "by: 404"],
    "check INV-MISS-01: by must be a function. Correct it.",
  ],
  [
    "a mutant that isn't a function",
    ['finds-all": () => Response', 'finds-all": Response'],
    "mutants.INV-MISS-01.finds-all must be a function",
  ],
  [
    "a mutant of another requirement",
    ['"INV-MISS-01.finds-all"', '"INV-MIS-01.finds-all"'],
    'names the requirement INV-MIS-01 (did you mean "INV-MISS-01"?)',
  ],
  [
    "a path of numbers",
    ['id: "no-such-invoice"', "id: 7"],
    "request.path.id must be a string or an object. Correct it.",
  ],
  ["a law of no answer", ['"getInvoice", 200', '"getInvoice", "ok"'], "getInvoice is about an HTTP status"],
  [
    "a clause that isn't a function",
    ['"INV-SUM-01": ({', '"INV-SUM-01": 5, "INV-FORM-01": ({'],
    "the clause of INV-SUM-01 must be a function",
  ],
] as const)
  test(`bad config: ${title}`, async () => expect(await refusalOf(exampleWith(was, is))).toContain(says));

test("a config that can't be loaded is told without what variables hold", async () => {
  process.env["ACME_KEY"] = "invoices-5f1d3b7c9e2a";
  try {
    const file = exampleWith("// @ts-check", "throw new Error(process.env.ACME_KEY);");
    expect(await refusalOf(file)).toContain("loaded: <ACME_KEY>.");
  } finally {
    delete process.env["ACME_KEY"];
  }
});

/** From Node 22.15 on, Playwright compiles what a test imports in a way that moves its lines. */
const inOwnProcess = (args: readonly string[]) => assayProcess(args, { NODE_OPTIONS: "--import tsx" });

for (const [title, was, is, says] of [
  // The words are those of what loads it.
  ["a syntax error", "export default", "export export default", "Unexpected token"],
  ["a name that there isn't", "laws: [sums]", "laws: [summs]", "summs is not defined"],
] as const)
  test(`a config that can't be loaded is told with line and column: ${title}`, async () => {
    const file = exampleWith(was, is);
    const line = readFileSync(file, "utf8").slice(0, readFileSync(file, "utf8").indexOf(is)).split("\n").length;
    const [start, rest = ""] = (await refusalOf(file, inOwnProcess)).split(" can't be loaded: ");
    expect([start?.replace(/\d+$/, ""), rest]).toEqual([`${file}:${line}:`, expect.stringContaining(says)]);
  });

test("what a check throws is told with its place in the config", async () => {
  const file = exampleWith('equals("status", status, 404)', "status.toUpperCase()");
  const { code, stdout } = await inOwnProcess(["mutants", "INV-MISS", "--config", file]);
  const line = readFileSync(file, "utf8").split("status.toUpperCase()")[0]?.split("\n").length;
  expect(code).toBe(1);
  expect(stdout).toContain(`threw an error: status.toUpperCase is not a function (assay.config.mjs:${line})`);
});

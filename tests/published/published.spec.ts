// Documents of a vendor: each planted edit is named by its requirements, and texts, examples and order change nothing.
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { isMap, parse, parseDocument, visit } from "yaml";
import { assay, emptyFolder, read, root } from "../support/assay.ts";
import { atNight, historyFile, madeNight } from "../support/madeNights.ts";
import { edition, judged, made, runFiles } from "../support/madeRuns.ts";
import { schemaProblems } from "../support/standards.ts";

const fixture = join(root, "tests/fixtures/published");

interface Edit {
  readonly title: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly ids: readonly string[];
  /** Whether it puts a verdict in question; most do. */
  readonly isInQuestion?: boolean;
}

interface Stated {
  readonly id: string;
  readonly is: string;
  readonly points: readonly { readonly theirsAt: string | null }[];
}

interface Report {
  readonly requirements: readonly Stated[];
  readonly more: readonly { readonly operation: string; readonly is: string; readonly name: string }[];
  readonly notes: readonly string[];
  readonly changes: {
    readonly requirements: readonly { readonly id: string; readonly isInQuestion: boolean }[];
    readonly appeared: readonly string[];
    readonly disappeared: readonly string[];
    readonly added: readonly object[];
    readonly removed: readonly object[];
  };
}

/** The documents with one of them changed. */
function edited(file: string, change: (text: string) => string): string {
  const folder = emptyFolder();
  cpSync(fixture, folder, { recursive: true });
  const before = readFileSync(join(folder, file), "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(join(folder, file), after);
  return folder;
}

async function compared(...args: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await assay(["spec", "diff", ...args, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  const report = JSON.parse(stdout) as Report;
  expect(schemaProblems("reports/published.schema.json", report)).toEqual([]);
  return report;
}

const edits = parse(read("tests/fixtures/published/edits.yaml")) as readonly Edit[];

for (const { title, file, from, to, ids, isInQuestion = true } of edits)
  test(`an edit is named by its requirements: ${title}`, async () => {
    const { changes } = await compared(
      edited(file, (text) => text.replace(from, () => to)),
      "--against",
      fixture,
    );
    expect(changes.requirements.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(changes.requirements.some((changed) => changed.isInQuestion)).toBe(isInQuestion);
  });

const lawful = parse(read("tests/fixtures/published/lawful.yaml")) as readonly Omit<Edit, "ids">[];

for (const { title, file, from, to } of lawful)
  test(`another way to say the same changes nothing: ${title}`, async () => {
    const { changes } = await compared(
      edited(file, (text) => text.replaceAll(from, () => to)),
      "--against",
      fixture,
    );
    expect(changes).toMatchObject({ requirements: [], appeared: [], disappeared: [] });
  });

test("texts, examples, defaults and order change nothing", async () => {
  const folder = emptyFolder();
  cpSync(fixture, folder, { recursive: true });
  for (const file of [...new Set(edits.map((edit) => edit.file))]) {
    const document = parseDocument(readFileSync(join(folder, file), "utf8"));
    visit(document, {
      Map: (_, map) => void map.items.reverse(),
      Seq: (key, list, path) => {
        // The order of params by position, and of what is one of several, says something.
        const parent = path.at(-1);
        const name = isPairOf(parent) ? String(parent.key) : String(key);
        if (["enum", "required", "type"].includes(name)) list.items.reverse();
      },
      Pair: (_, pair) => {
        const name = String(pair.key);
        if (["description", "title", "summary", "example", "default"].includes(name))
          pair.value = document.createNode("x");
      },
    });
    writeFileSync(join(folder, file), document.toString());
  }
  const { changes } = await compared(folder, "--against", fixture);
  expect(changes).toMatchObject({ requirements: [], appeared: [], disappeared: [], added: [], removed: [] });
});

const isPairOf = (node: unknown): node is { readonly key: unknown } =>
  typeof node === "object" && node !== null && "key" in node && !isMap(node);

test("bare results, results alone and whole envelopes are compared alike, each with a note", async () => {
  const { requirements, notes } = await compared(fixture);
  const stateOf = (id: string) => requirements.find((one) => one.id === id)?.is;
  expect(["IH-OK-01", "CB-RES-01", "NAP-RES-01", "TA-RES-01", "BST-RES-01"].map(stateOf)).toEqual(
    Array.from({ length: 5 }, () => "confirmed"),
  );
  expect(notes.map((text) => text.replace(/ \(.*?\)/, ""))).toEqual([
    "getCompressedBalance describes the result alone, without its JSON-RPC envelope; it is compared as that.",
    "getIndexerHealth describes a bare result, without its JSON-RPC envelope; it is compared as that.",
    "getTokenAccounts describes the result alone, without its JSON-RPC envelope; it is compared as that.",
  ]);
});

test("the interface's own documents confirm it, and contradict nothing", async () => {
  const folder = emptyFolder();
  for (const name of ["openapi", "openrpc"])
    writeFileSync(join(folder, `${name}.json`), (await assay(["spec", name])).stdout);
  const { requirements, more } = await compared(folder);
  expect(requirements.filter(({ is }) => is === "contradicted")).toEqual([]);
  // Of methods those documents say neither their key nor their envelope, and of a batch not where its entries are.
  const silent = requirements.filter(({ is }) => is === "silent").map(({ id }) => id);
  const ofEnvelopes = ["RPC-ENV-01", "RPC-ENV-04", "RPC-ENV-05", "RPC-ENV-06"];
  const ofBatches = ["WAL-BATCH-02", "WAL-BATCH-03", "WAL-BATCH-04"];
  expect(silent).toEqual(["AUTH-RPC-QRY-01", "BND-ID-01", ...ofEnvelopes, "WAL-ID-02", ...ofBatches]);
  expect(more).toEqual([]);
});

test("one envelope for successes and errors contradicts neither, and is read as both", async () => {
  const error = "error: { type: object, properties: { code: { type: integer }, message: { type: string } } }";
  const members = `jsonrpc: { enum: ["2.0"] }, ${error}, result: { enum: [ok] }`;
  const { requirements, notes, more } = await compared(
    documentWith(`{ required: [jsonrpc], properties: { ${members} } }`),
  );
  const stateOf = (id: string) => requirements.find((one) => one.id === id)?.is;
  expect(["IH-OK-01", "RPC-ENV-01", "RPC-ENV-04", "RPC-ENV-05"].map(stateOf)).toEqual(
    Array.from({ length: 4 }, () => "confirmed"),
  );
  expect(notes.join()).toContain("successes and errors as one envelope");
  expect(more).toEqual([]);
});

test("params that OpenRPC describes as one by that name are read as params", async () => {
  const file = join(emptyFolder(), "openrpc.json");
  const schema = { type: "object", properties: { hash: { type: "string", nullable: true } } };
  const method = { name: "getCompressedBalance", params: [{ name: "params", required: true, schema }], result: {} };
  writeFileSync(file, JSON.stringify({ openrpc: "1.2.4", methods: [method] }));
  const { requirements } = await compared(file);
  expect(requirements.find(({ id }) => id === "CB-PAR-01")?.is).toBe("confirmed");
});

/** A document whose answer of `getIndexerHealth` has this schema. */
function documentWith(schema: string, more = ""): string {
  const file = join(emptyFolder(), "health.yaml");
  const answer = `"200": { content: { application/json: { schema: ${schema} } } }`;
  writeFileSync(file, `openapi: 3.1.0\n${more}paths: { /getIndexerHealth: { post: { responses: { ${answer} } } } }\n`);
  return file;
}

test("schemas that multiply, and patterns that take for ever, end soon", async () => {
  const multiplied = (keyword: string): string =>
    Array.from({ length: 40 }, (_, nth) => {
      const of = nth === 0 ? "{ enum: [ok] }" : `{ ${keyword}: [*a${nth - 1}, *a${nth - 1}, *a${nth - 1}] }`;
      return `x-${nth}: &a${nth} ${of}\n`;
    }).join("");
  const stateWith = async (schema: string, more?: string) =>
    (await compared(documentWith(schema, more))).requirements.find(({ id }) => id === "IH-OK-01")?.is;
  expect(await stateWith("*a39", multiplied("allOf"))).toBe("confirmed");
  expect(await stateWith("*a39", multiplied("anyOf"))).toBe("silent");
  expect(await stateWith('{ type: string, pattern: "^(o+)+k$" }')).toBe("silent");
});

test("what is nested too deeply, or has megabytes, is refused in one paragraph", async () => {
  const deep = documentWith(`${"{ items: ".repeat(4000)}{}${" }".repeat(4000)}`);
  const large = documentWith("{}", `x-text: ${"x".repeat(6_000_000)}\n`);
  for (const [file, words] of [
    [deep, "is nested too deeply"],
    [large, "of up to 5 MB are read"],
  ] as const) {
    const { code, stderr } = await assay(["spec", "diff", file]);
    expect([code, stderr.trim().split("\n").length]).toEqual([2, 1]);
    expect(stderr).toContain(words);
  }
});

const withoutNull = () =>
  edited("bundles.json", (text) => text.replace('"type": ["object", "null"]', '"type": "object"'));

test("what a run says of a requirement stands beside its change", async () => {
  const [run = ""] = runFiles([made(0, { requirements: [judged("BST-NULL-01", "broken")] })]);
  const { stdout } = await assay(["spec", "diff", withoutNull(), "--against", fixture, "--run", run]);
  expect(stdout).toContain("The documents confirmed it before, and contradict it now. Last verdict: broken.");
});

test("a change of documents is appended to a history, and nothing where nothing changed", async () => {
  const file = historyFile([madeNight(0, { name: "made" })]);
  const nights = readFileSync(file, "utf8");
  const diff = ["spec", "diff", fixture, "--against", fixture, "--history", file];
  expect(await assay(diff)).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(file, "utf8")).toBe(nights);
  await assay(diff.with(2, withoutNull()));
  const [, line = ""] = readFileSync(file, "utf8").trim().split("\n");
  expect(JSON.parse(line)).toMatchObject({ ...documentChange, at: expect.stringMatching(/^\d{4}-/) });
});

const documentChange = {
  ...{ format: 1, kind: "documents", at: atNight(1), target: "made", interface: edition },
  ...{ appeared: [], disappeared: [], added: [], removed: [] },
  requirements: [{ id: "BST-NULL-01", was: "confirmed", is: "contradicted", isInQuestion: true }],
};

test("a history shows a change of documents above what changed on the wire, and pruning leaves it", async () => {
  const nights = [
    madeNight(0, { name: "made" }),
    madeNight(1, { name: "made", requirements: [judged("USG-HTTP-01", "broken")] }),
  ];
  const file = historyFile(nights);
  appendFileSync(file, `${JSON.stringify(documentChange)}\n`);
  await assay(["history", "prune", file, "--histograms", "1d"]);
  const { stdout, stderr } = await assay(["history", file, "--markdown"]);
  expect(stderr).toBe("");
  const item = "2025-11-27: 1 verdict in question (BST-NULL-01)";
  expect(stdout.indexOf(item)).toBeGreaterThan(0);
  expect(stdout.indexOf(item)).toBeLessThan(stdout.indexOf("Since the night before"));
  const json = await assay(["history", file, "--json"]);
  const [history] = (JSON.parse(json.stdout) as { histories: readonly [{ documents: unknown }] }).histories;
  expect(history.documents).toEqual([documentChange]);
});

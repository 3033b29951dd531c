// Configs as they are loaded: each mistake is one paragraph that names the file and what to do.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { loadCustom } from "../../custom/loading.ts";
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import type { FileSchema } from "../../harness/core/schema.ts";
import { emptyFolder, read } from "../support/assay.ts";

const schema = JSON.parse(read("custom/config.schema.json")) as FileSchema;
const responses = { 200: { description: "the item" } };

/** @param id of the only operation */
function loaded(more: object, id = "getItem", document: object | null = null): Promise<unknown> {
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
  return loadCustom(join(folder, "assay.config.mjs"), { tables: dataPlatform, schema, environment: process.env });
}

test("a config that is right is loaded", async () => {
  expect(await loaded({})).toMatchObject({ lines: { "STK-A-01": { file: "assay.config.mjs", line: 1 } } });
});

const methods = { openrpc: "1.3.2", methods: [{ name: "getItem", result: { name: "item", schema: {} } }] };

for (const [title, load, says] of [
  [
    "an operation of the interface",
    () => loaded({}, "getIndexerHealth"),
    "getIndexerHealth of its spec, which the interface",
  ],
  [
    "methods on a base of endpoints",
    () => loaded({}, "getItem", methods),
    "serves json-rpc by bases.api, which is http",
  ],
  ["a sample of a type that there isn't", () => loaded({ samples: { item: { type: "strin" } } }), "strin"],
  [
    "a mutant of nothing",
    () => loaded({ platform: { fetch: 1 }, mutants: { "STK-B-01.none": 1 } }),
    'names the requirement STK-B-01 (did you mean "STK-A-01"?)',
  ],
  [
    "requests that nothing sends",
    () => loaded({ checks: [{ proves: "STK-A-01", request: { operation: "getItem" }, requests: [] }] }),
    "must have property by",
  ],
] as const)
  test(`refused: ${title}`, async () => {
    const error: unknown = await load().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CommandLineError);
    expect((error as Error).message).toMatch(/^\S+assay\.config\.mjs/);
    expect((error as Error).message).toContain(says);
  });

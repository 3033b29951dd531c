// Custom checks beside the interface: neither judges the other's operations, and target files may name what is added.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { targetForm } from "../../contracts/targets.ts";
import { type CustomChecks, defineLaw, sample } from "../../custom/definition.ts";
import { proveCustom } from "../../custom/proof.ts";
import { noSpec, readSpec } from "../../custom/spec.ts";
import { type Custom, customOf, formWith, stimulusOf, suiteWith } from "../../custom/suite.ts";
import { virtualClock } from "../../harness/core/clock.ts";
import { broken, equals, must } from "../../harness/core/finding.ts";
import { parseJson } from "../../harness/core/json.ts";
import type { FileSchema } from "../../harness/core/schema.ts";
import { Engine } from "../../harness/engine/engine.ts";
import type { Law } from "../../harness/model/law.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import { readTarget } from "../../harness/target/targetFile.ts";
import { emptyFolder, read } from "../support/assay.ts";

const ledger = {
  openrpc: "1.3.2",
  methods: [
    { name: "getHeight", "x-credits": 5, result: { name: "height", schema: { $ref: "#/components/schemas/Height" } } },
    { name: "getEntry", result: { name: "entry", schema: { type: "object", required: ["nr"] } } },
  ],
  components: { schemas: { Height: { type: "object", required: ["height"], properties: { height: { minimum: 1 } } } } },
};

const resultOf = (result: object): Response => Response.json({ jsonrpc: "2.0", id: 1, result });

const config: CustomChecks = {
  spec: { file: "ledger.json", api: "ledger", feature: "ledger" },
  requirements: [
    { id: "LED-FORM-01", sentence: "Results are as the document has them", clause: "Ledger" },
    { id: "LED-ENT-01", sentence: "An entry has the number that was asked for", clause: "Ledger" },
  ],
  answersFit: "LED-FORM-01",
  samples: { entry: { type: "integer" } },
  checks: [
    { proves: "LED-FORM-01", request: { operation: "getHeight" } },
    {
      proves: "LED-ENT-01",
      request: { operation: "getEntry", json: [sample("entry")] },
      by: async ({ any }, ask) => {
        const again = await ask({ operation: "getEntry", json: [8] });
        return equals("/result/nr", [any("/result/nr"), again.any("/result/nr")] as never, [7, 8]);
      },
      requests: [{ operation: "getEntry", json: [8] }],
    },
  ],
  platform: {
    samples: { entry: 7 },
    fetch: async (request) => {
      const { method, params: [nr] = [] } = (await request.json()) as { method: string; params?: number[] };
      return resultOf(method === "getHeight" ? { height: 1 } : { nr });
    },
  },
  mutants: {
    "LED-FORM-01.zero": () => resultOf({ height: 0, nr: 7 }),
    "LED-ENT-01.other": () => resultOf({ height: 1, nr: 9 }),
    "LED-ENT-01.zero": async (answer) =>
      resultOf({ ...((await answer.json()) as { readonly result: object }).result, height: 0 }),
    "LED-ENT-01.honest": (answer) => answer,
  },
};

const folder = emptyFolder();
writeFileSync(join(folder, "ledger.json"), JSON.stringify(ledger));
const schema = JSON.parse(read("custom/config.schema.json")) as FileSchema;
const spec = readSpec(folder, { file: "ledger.json", api: "ledger", feature: "ledger" }, schema);
const custom: Custom = customOf(
  dataPlatform,
  config,
  spec,
  "assay.config.mjs",
  '// LED-ENT-01\nid: "LED-FORM-01"\nid: "LED-ENT-01"',
);
const form = formWith(targetForm, custom);

test("operations are read from an OpenRPC document: price and answers", () => {
  expect(spec.operations.map(({ id, credits, answers }) => ({ id, credits, answers }))).toEqual([
    { id: "getHeight", credits: 5, answers: ["result"] },
    { id: "getEntry", credits: null, answers: ["result"] },
  ]);
  expect(stimulusOf(custom.interface, { operation: "getEntry", json: [1], as: null })).toMatchObject({
    ...{ method: "POST", path: ["/"], carriers: [] },
    json: { jsonrpc: "2.0", id: 1, method: "getEntry", params: [1] },
  });
  expect(custom.lines["LED-ENT-01"]).toEqual({ file: "assay.config.mjs", line: 3 });
  const other = customOf(dataPlatform, config, spec, "assay.config.mjs", "");
  const editions = [dataPlatform, custom.interface, other.interface].map(({ edition }) => edition.digest);
  expect(new Set(editions).size).toBe(3);
});

test("a mutant that breaks its requirement is killed, and one that breaks another or none survives", async () => {
  const { honest, results } = await proveCustom(custom, form, "0123456789");
  expect(honest).toEqual([]);
  expect(results.map(({ id, result }) => [id, result])).toEqual([
    ["LED-FORM-01.zero", "killed"],
    ["LED-ENT-01.other", "killed"],
    ["LED-ENT-01.zero", "survived"],
    ["LED-ENT-01.honest", "survived"],
  ]);
});

const text = (samples: object): string =>
  JSON.stringify({
    ...{ name: "acme", bases: { ledger: "https://ledger.example", api: "https://api.example" } },
    ...{ offers: ["ledger", "wallet"], samples, projects: { main: { plan: "paid" } } },
    keys: { paid: { project: "main", env: "KEY" } },
  });
const targetWith = (samples: object) => readTarget(form, "acme.yaml", { KEY: "0123456789" }, { text: text(samples) });

test("target files name the base, the feature and the samples, each by its form", () => {
  expect(targetWith({ entry: 7 }).offers).toEqual(["ledger", "wallet"]);
  expect(() => targetWith({ entry: "seven" })).toThrow(/samples.entry/);
  expect(() => readTarget(targetForm, "acme.yaml", { KEY: "0123456789" }, { text: text({}) })).toThrow(/ledger/);
});

test("the interface's laws are silent on operations that it doesn't describe", async () => {
  const blames: Law = {
    operation: "any",
    ids: ["GEN-JSON-01"],
    judge: () => new Map([["GEN-JSON-01", broken("status", "nothing", 200)]]),
  };
  const nothing = { checks: [], probes: [], authSanityChecks: [] };
  const verdictsBy = (laws: readonly Law[]): Promise<readonly Verdict[]> =>
    new Engine({
      suite: suiteWith({ ...nothing, laws }, custom),
      target: targetWith({ entry: 7 }),
      clock: virtualClock(0),
      allFindings: true,
      wire: ({ body }) =>
        Promise.resolve({
          ...{ status: 200, headers: [["content-type", "application/json"]] },
          body: new TextEncoder().encode(
            JSON.stringify({
              jsonrpc: "2.0",
              id: 1,
              result: { height: 1, nr: (JSON.parse(body ?? "") as { params?: number[] }).params?.[0] },
            }),
          ),
        }),
    }).run();
  const verdicts = await verdictsBy([blames]);
  expect(verdicts.map(({ id, verdict }) => `${id} ${verdict}`).sort()).toEqual([
    "LED-ENT-01 holds",
    "LED-FORM-01 holds",
  ]);
});

/** A config of checks of the interface's own operations: what it allows, said more strictly. */
const stricter = (operation: string): CustomChecks => ({
  requirements: [{ id: "OURS-COUNT-01", sentence: "A wallet's history is never empty", clause: "Ours" }],
  laws: [
    defineLaw<{ readonly data: readonly unknown[] }>("getWalletHistory", 200, {
      "OURS-COUNT-01": ({ items }) => must(items("/data").length > 0, "/data", "at least one", []),
    }),
  ],
  checks: [{ proves: "OURS-COUNT-01", request: { operation, path: { wallet: "1".repeat(32) } } }],
  platform: { fetch: ({ url }) => Response.json({ data: [url] }) },
  mutants: { "OURS-COUNT-01.empty": () => Response.json({ data: [] }) },
});

test("checks of one's own judge operations of the interface, but none that can't be undone", async () => {
  const ours = customOf(dataPlatform, stricter("getWalletHistory"), noSpec, "assay.config.mjs", "");
  expect(ours.checks.map(({ feature }) => feature)).toEqual(["wallet"]);
  const { honest, results, pending } = await proveCustom(ours, formWith(targetForm, ours), "0123456789");
  expect([honest, results.map(({ result }) => result), pending]).toEqual([[], ["killed"], []]);
  expect(() => customOf(dataPlatform, stricter("sendBundle"), noSpec, "assay.config.mjs", "")).toThrow("be undone");
});

test("a requirement without a mutant is pending", async () => {
  const { mutants: _, ...without } = config;
  const { pending } = await proveCustom({ ...custom, config: without }, form, "0123456789", ["LED-FORM"]);
  expect(pending).toEqual(["LED-FORM-01: it has no mutant"]);
});

const orders = {
  openapi: "3.1.0",
  paths: {
    "/orders/{id}": {
      parameters: [],
      get: {
        operationId: "getOrder",
        responses: {
          200: { $ref: "#/components/responses/An%20order" },
          "4XX": { content: { "application/problem+json; charset=utf-8": { schema: { required: ["title"] } } } },
          default: { content: { "application/json": { schema: { required: ["error"] } } } },
          204: { description: "nothing" },
        },
      },
    },
  },
  components: {
    responses: { "An order": { content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } } },
    schemas: {
      Order: {
        required: ["parts"],
        properties: { parts: { type: "array", items: { $ref: "#/components/schemas/Order" } } },
      },
    },
  },
};
const ordersAs = (document: object) => {
  writeFileSync(join(folder, "orders.json"), JSON.stringify(document));
  return readSpec(folder, { file: "orders.json", api: "api", feature: "orders" }, schema);
};

const onlyFit: CustomChecks = { requirements: [], checks: [], answersFit: "ORD-FORM-01" };

for (const [status, json, fits] of [
  [200, { parts: [{ parts: [] }] }, true],
  [200, { parts: [{}] }, false],
  [404, { title: "none" }, true],
  [404, { error: "none" }, false],
  [500, { error: "none" }, true],
  [500, { title: "none" }, false],
] as const)
  test(`the schema of its status, its range or of the rest is an answer's: ${status} ${JSON.stringify(json)}`, () => {
    const { laws } = customOf(dataPlatform, onlyFit, ordersAs(orders), "assay.config.mjs", "");
    const answer = { status, headers: [], json: parseJson(JSON.stringify(json)) };
    const exchange = { stimulus: { operation: "getOrder" }, protocol: { kind: "http" }, answer, sent: {} };
    const findings = laws.flatMap((law) => [...law.judge(exchange as never).values()]);
    expect(findings.map(({ outcome }) => outcome)).toEqual([fits ? "held" : "broken"]);
  });

test("a document of OpenAPI 3.0, and one whose reference leads nowhere, are refused", () => {
  expect(() => ordersAs({ ...orders, openapi: "3.0.3" })).toThrow('openapi must match pattern "^3');
  const lost = ordersAs({ ...orders, components: { responses: orders.components.responses } });
  expect(() => customOf(dataPlatform, onlyFit, lost, "assay.config.mjs", "")).toThrow("resolve reference");
  expect(() => ordersAs({ ...orders, components: {} })).toThrow("#/components/responses/An%20order leads nowhere");
  const { "/orders/{id}": one } = orders.paths;
  expect(() => ordersAs({ ...orders, paths: { "/a": one, "/b": one } })).toThrow("two operations getOrder");
  expect(() => ordersAs({ ...orders, paths: {} })).toThrow("no named operation");
  expect(() => ordersAs({ ...orders, paths: { "a.evil": {} } })).toThrow("must match pattern");
});

// Custom checks beside the interface: neither judges the other's operations, and target files may name what is added.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder } from "../support/assay.ts";
import {
  type Answering,
  type CustomChecks,
  configFile,
  defineLaw,
  equals,
  judgedByConfig,
  listedBy,
  must,
  mutantsBy,
  sample,
} from "../support/customChecks.ts";
import { edition } from "../support/madeRuns.ts";

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
  spec: { file: "spec.json", api: "ledger", feature: "ledger" },
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

const answering: Answering = ({ body }) => {
  const { method, params } = JSON.parse(body) as { readonly method: string; readonly params?: readonly unknown[] };
  return resultOf(method === "getHeight" ? { height: 1 } : { nr: params?.[0] });
};
const samples = { entry: 7 };
const judgedWith = (more: Partial<CustomChecks> = {}, answer = answering, target: object = { samples }) =>
  judgedByConfig({ ...config, ...more }, ledger, answer, target);

test("operations are read from an OpenRPC document: their price, and calls with or without a key", async () => {
  const { run, requests } = await judgedWith({
    checks: [
      { proves: "LED-FORM-01", request: { operation: "getHeight" } },
      { proves: "LED-FORM-01", request: { operation: "getEntry", json: [1], as: null } },
    ],
  });
  expect(run.spent).toEqual({ requests: 2, credits: 5, unpriced: 1 });
  const sent = requests.map(({ method, path, body, headers }) => [
    method,
    path,
    JSON.parse(body) as unknown,
    headers["x-api-key"],
  ]);
  expect(sent).toContainEqual(["POST", "/", { jsonrpc: "2.0", id: 1, method: "getEntry", params: [1] }, undefined]);
});

test("a run names an edition of the interface and the config together", async () => {
  const runs = [await judgedWith(), await judgedWith()];
  // Each is loaded from a text of its own.
  expect(new Set([edition, ...runs.map(({ run }) => run.interface)].map(({ digest }) => digest)).size).toBe(3);
});

test("a mutant that breaks its requirement is killed, and one that breaks another or none survives", async () => {
  const { honest, results } = await mutantsBy(config, ledger);
  expect(honest).toEqual([]);
  expect(results.map(({ id, result }) => [id, result])).toEqual([
    ["LED-FORM-01.zero", "killed"],
    ["LED-ENT-01.other", "killed"],
    ["LED-ENT-01.zero", "survived"],
    ["LED-ENT-01.honest", "survived"],
  ]);
});

/** What a run would send, of a target file by this config. */
function planned(config: string | null, target: object, only: string) {
  const file = join(emptyFolder(), "acme.yaml");
  const keys = { paid: { project: "main", env: "KEY" } };
  writeFileSync(file, JSON.stringify({ name: "acme", projects: { main: { plan: "paid" } }, keys, ...target }));
  const named = config === null ? [] : ["--config", config];
  return assay(["run", "--target", file, ...named, "--only", only, "--plan"], { KEY: "0123456789" });
}

test("target files name the base, the feature and the samples, each by its form", async () => {
  const bases = { ledger: "https://ledger.example", api: "https://api.example" };
  const targetWith = (entry: unknown) => ({ bases, offers: ["ledger", "wallet"], samples: { entry } });
  const file = configFile(config, ledger);
  expect(await planned(file, targetWith(7), "LED-ENT-01")).toMatchObject({ code: 0, stderr: "" });
  const other = { code: 2, stdout: "" };
  expect(await planned(file, targetWith("seven"), "LED-ENT-01")).toMatchObject({
    ...other,
    stderr: expect.stringMatching(/samples.entry/),
  });
  expect(await planned(null, targetWith(7), "LED-ENT-01")).toMatchObject({
    ...other,
    stderr: expect.stringMatching(/ledger/),
  });
});

test("the interface's laws are silent on operations that it doesn't describe", async () => {
  // As text, which is what no JSON of the interface may be.
  const { run } = await judgedWith({}, (request) => {
    const answer = answering(request);
    answer.headers.set("content-type", "text/plain");
    return answer;
  });
  const judged = run.requirements.filter(({ verdict }) => verdict !== "withheld");
  expect(judged.map(({ id, verdict }) => `${id} ${verdict}`).sort()).toEqual(["LED-ENT-01 holds", "LED-FORM-01 holds"]);
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
  const { honest, results, pending } = await mutantsBy(stricter("getWalletHistory"));
  expect([honest, results.map(({ result }) => result), pending]).toEqual([[], ["killed"], []]);
  const file = configFile(stricter("getWalletHistory"));
  const bases = { api: "https://api.example", admin: "https://admin.example" };
  const plannedFor = async (feature: string) =>
    / (\d+) requirements? planned/.exec(
      (await planned(file, { bases, offers: [feature] }, "OURS-COUNT-01")).stdout,
    )?.[1];
  expect([await plannedFor("wallet"), await plannedFor("usage")]).toEqual(["1", "0"]);
  expect((await listedBy(stricter("sendBundle"))).stderr).toContain("be undone");
});

test("a requirement without a mutant is pending", async () => {
  const { mutants: _, ...without } = config;
  const { pending } = await mutantsBy(without, ledger, "LED-FORM");
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
const onlyFit: CustomChecks = {
  spec: { file: "spec.json", api: "api", feature: "orders" },
  requirements: [{ id: "ORD-FORM-01", sentence: "Answers are as the document has them", clause: "Orders" }],
  checks: [{ proves: "ORD-FORM-01", request: { operation: "getOrder", path: { id: "1" } } }],
  answersFit: "ORD-FORM-01",
};

for (const [status, json, fits] of [
  [200, { parts: [{ parts: [] }] }, true],
  [200, { parts: [{}] }, false],
  [404, { title: "none" }, true],
  [404, { error: "none" }, false],
  [500, { error: "none" }, true],
  [500, { title: "none" }, false],
] as const)
  test(`an answer's schema is of its status, its range or the rest: ${status} ${JSON.stringify(json)}`, async () => {
    const fetch = () => Response.json(json, { status });
    const { honest, pending } = await mutantsBy({ ...onlyFit, platform: { fetch } }, orders);
    expect({ honest, pending }).toEqual({
      honest: fits ? [] : ["ORD-FORM-01"],
      pending: ["ORD-FORM-01: it has no mutant"],
    });
  });

test("a document of OpenAPI 3.0, and one whose reference leads nowhere, are refused", async () => {
  const { "/orders/{id}": one } = orders.paths;
  for (const [document, says] of [
    [{ ...orders, openapi: "3.0.3" }, "openapi must be a string that matches ^3"],
    [{ ...orders, components: { responses: orders.components.responses } }, "resolve reference"],
    [{ ...orders, components: {} }, "#/components/responses/An%20order doesn't resolve"],
    [{ ...orders, paths: { "/a": one, "/b": one } }, "two operations getOrder"],
    [{ ...orders, paths: {} }, "no named operation"],
    [{ ...orders, paths: { "a.evil": {} } }, "has a field whose name doesn't match"],
  ] as const) {
    const { code, stderr } = await listedBy(onlyFit, document);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  }
});

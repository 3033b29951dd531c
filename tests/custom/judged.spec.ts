// Custom checks as runs judge by them: no false alarm, nothing that holds without proof, and nothing sent twice.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assayRun, emptyFolder } from "../support/assay.ts";
import {
  type Answering,
  broken,
  type CustomCheck,
  type CustomChecks,
  defineLaw,
  equals,
  type Finding,
  held,
  judgedByConfig,
  listedBy,
  must,
  mutantsBy,
} from "../support/customChecks.ts";
import { harEntry, harOf } from "../support/recordings.ts";

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const document = {
  openapi: "3.1.0",
  paths: {
    "/items/{id}": {
      get: {
        operationId: "getItem",
        responses: { 200: json({ properties: { price: { multipleOf: 0.01, format: "money" } } }) },
      },
    },
    "/items/summary.v1": { get: { operationId: "summarize", responses: { 200: json({}) } } },
    "/prices/{id}": {
      get: {
        operationId: "getPrice",
        responses: {
          200: json({
            required: ["price", "note"],
            properties: { price: { type: "number" }, note: { type: ["string", "null"] } },
          }),
        },
      },
    },
    "/items": { get: { operationId: "listItems", responses: { 200: json({ type: "object" }) } } },
    "/orders": { post: { operationId: "order", responses: { 201: json({ type: "object" }) } } },
    "/notes": { post: { operationId: "note", "x-repeatable": true, responses: { 201: json({}) } } },
  },
};
const item = { operation: "getItem", path: { id: "1" } };

const configOf = (checks: readonly CustomCheck[], more: Partial<CustomChecks> = {}): CustomChecks => ({
  spec: { file: "spec.json", api: "api", feature: "stock" },
  requirements: [{ id: "STK-A-01", sentence: "It keeps its word", clause: "Stock" }],
  checks,
  ...more,
});

/** What a vendor that offers the stock alone is found to be, and what it was asked. */
async function judged(checks: readonly CustomCheck[], answering: Answering, more: Partial<CustomChecks> = {}) {
  const { run, requests: asked, target, file } = await judgedByConfig(configOf(checks, more), document, answering);
  const requests = asked.map(({ method, path, query }) => `${method} ${path}${query}`);
  const verdict = run.requirements.find(({ id }: { readonly id: string }) => id === "STK-A-01");
  const { breaches = [], reason = null, defect } = verdict ?? {};
  return {
    verdict: verdict?.verdict,
    reason,
    defect,
    requests,
    target,
    file,
    shown: breaches.map(({ exchange }) => exchange),
  };
}

const priced: Answering = () => Response.json({ price: 4.35 });
const by = (judge: NonNullable<CustomCheck["by"]>): CustomCheck => ({ proves: "STK-A-01", request: item, by: judge });

for (const [title, finding] of [
  ["nothing", undefined],
  ["false", false],
  ["an object of no outcome", {}],
  ["an outcome that there isn't", { outcome: "fail" }],
  ["a breach without texts", { outcome: "broken", at: 5 }],
] as const)
  test(`a check that returns ${title} holds nothing`, async () => {
    const { verdict, defect } = await judged([by(() => finding as unknown as Finding)], priced);
    expect([verdict, defect?.message]).toEqual(["inconclusive", expect.stringContaining("isn't a finding")]);
  });

test("what a law reads and no answer contains is named", async () => {
  const priceIsPositive = defineLaw("getItem", 200, {
    "STK-A-01": ({ number }) => must(number("/price").gt(0), "/price", "more than 0", null),
  });
  const { reason } = await judged([{ proves: "STK-A-01", request: item }], () => Response.json({ cost: 1 }), {
    laws: [priceIsPositive],
  });
  expect(reason).toBe("no answer contained /price (answers: 200)");
});

test("a law that is async holds nothing", async () => {
  const laws = [
    defineLaw("getItem", 200, { "STK-A-01": () => Promise.resolve(broken("", "", "")) as unknown as Finding }),
  ];
  const { verdict, defect } = await judged([{ proves: "STK-A-01", request: item }], priced, { laws });
  expect([verdict, defect?.message]).toEqual(["inconclusive", expect.stringContaining("isn't a finding")]);
});

test("a value that a check doesn't find proves nothing, and neither does an unknown key", async () => {
  const reads = by(({ number }) => must(number("/cost").gt(0), "/cost", "above 0", 0));
  expect(await judged([reads], priced)).toMatchObject({
    verdict: "inconclusive",
    reason: expect.stringContaining("the answer's /cost is missing"),
  });
  const lists = by(({ items }) => must(items("/price").length > 0, "/price", "some", 0));
  expect(await judged([lists], priced)).toMatchObject({
    reason: expect.stringContaining("the answer's /price is missing"),
  });
  const refused = await judged([by(({ status }) => equals("status", status, 404))], () =>
    Response.json({}, { status: 401 }),
  );
  expect(refused).toMatchObject({ verdict: "inconclusive", reason: expect.stringContaining("the key `paid`") });
});

test("a check shows the answer that it read last", async () => {
  const pages = by(async (_, ask) => {
    const { status } = await ask({ operation: "listItems" });
    return equals("status", status, 204);
  });
  const config = [{ proves: "STK-A-01", request: { operation: "listItems" } }, pages];
  const { verdict, requests, shown } = await judged(config, priced);
  // The interface shows no form for them, so that they are asked again before they prove a breach.
  expect([verdict, requests.slice(0, 2), shown]).toEqual(["broken", ["GET /items", "GET /items/1"], [1]]);
});

test("nothing of the interface is asked of a platform that offers none of it, whatever it answers", async () => {
  for (const status of [404, 500, 503]) {
    const { requests } = await judged([by(() => held)], () => Response.json({}, { status }));
    expect(new Set(requests)).toEqual(new Set(["GET /items/1"]));
  }
});

test("a failure counts once what the platform serves was served beside it", async () => {
  const listed: CustomCheck = { proves: "STK-A-01", request: { operation: "listItems" } };
  const fails = by(({ status }) => equals("status", status, 200));
  const answering: Answering = ({ path }) => Response.json({}, { status: path === "/items" ? 200 : 500 });
  expect((await judged([listed, fails], answering)).verdict).toBe("broken");
  // What a function decides on may be a refusal that it wants.
  expect((await judged([{ ...listed, by: () => held }, fails], answering)).verdict).toBe("inconclusive");
});

test("what may have an effect is sent once, unless the document says that it can be repeated", async () => {
  const sent = async (operation: string) => {
    const check = { proves: "STK-A-01", request: { operation, json: {} }, by: () => held };
    return (await judged([check], () => Response.json({}, { status: 500 }))).requests.length;
  };
  expect(await sent("order")).toBe(1);
  expect(await sent("note")).toBeGreaterThan(1);
});

test("cents are multiples of 0.01, and thousandths aren't", async () => {
  const at = async (price: number) =>
    (await judged([{ proves: "STK-A-01", request: item }], () => Response.json({ price }), { answersFit: "STK-A-01" }))
      .verdict;
  expect([await at(4.35), await at(1.13), await at(4.355)]).toEqual(["holds", "holds", "broken"]);
});

test("a recorded request is the operation of its concrete path, before one with variables", async () => {
  const { target, file: config } = await judged([by(() => held)], priced);
  const file = join(emptyFolder(), "traffic.har");
  const asked = { method: "GET", headers: [], at_ms: 0, status: 200, text: "{}" } as const;
  const answerHeaders = [["content-type", "application/json"]] as const;
  const paths = ["/items/summary.v1", "/items/summary-v1", "/items/1", "/items/1/2"];
  const entries = paths.map((path) => harEntry({ ...asked, answerHeaders, url: `https://api.example${path}` }));
  writeFileSync(file, harOf(entries));
  const flags = ["--target", target, "--config", config, "--base", "https://api.example"];
  const { run } = await assayRun(["judge", file, ...flags], { KEY: "0123456789" });
  expect(run.exchanges.map(({ operation }) => operation)).toEqual(["summarize", "getItem", "getItem"]);
  const reason = "GET /items/…/… isn't an operation of the interface";
  expect(run.recording?.unjudged).toEqual([{ reason, exchanges: 1 }]);
});

for (const [title, body, found] of [
  ["what has no value may have been dropped", { price: 1 }, undefined],
  ["what has one was missing", { note: null }, "broken"],
] as const)
  test(`of an answer that a recorder has parsed, ${title}`, async () => {
    const { target, file: config } = await judged([by(() => held)], priced, { answersFit: "STK-A-01" });
    const [lines, mapping] = ["lines.json", "mapping.json"].map((name) => join(emptyFolder(), name)) as [
      string,
      string,
    ];
    const places = { method: "/method", url: "/url", status: "/status", responseBody: "/body", time: "/time" };
    writeFileSync(mapping, JSON.stringify(places));
    const line = { method: "GET", url: "https://api.example/prices/1", status: 200, time: 1.7e12, body };
    writeFileSync(lines, JSON.stringify(line));
    const flags = ["--target", target, "--config", config, "--base", "https://api.example", "--mapping", mapping];
    const { run } = await assayRun(["judge", lines, ...flags], { KEY: "0123456789" });
    const verdict = run.requirements.find(({ id }: { readonly id: string }) => id === "STK-A-01")?.verdict;
    expect([run.recording?.judged, verdict === "broken" ? verdict : undefined]).toEqual([1, found]);
  });

test("a path's values are encoded, and none leads out of the path", async () => {
  const named = (id: string) => [{ ...by(() => held), request: { ...item, path: { id } } }];
  expect((await judged(named("a/b?c"), priced)).requests).toEqual(["GET /items/a%2Fb%3Fc"]);
  for (const id of ["", ".", ".."])
    expect((await listedBy(configOf(named(id)), document)).stderr).toContain("lacks id, which its path needs");
});

test("a proof takes a requirement that holds on the honest platform, and a mutant that breaks it", async () => {
  const checks = [by(({ status }) => equals("status", status, 200))];
  const mutants = { "STK-A-01.none": () => Response.json({}, { status: 404 }) };
  const prove = (honest: () => Response) =>
    mutantsBy(configOf(checks, { mutants, platform: { fetch: honest } }), document);
  const killed = [{ id: "STK-A-01.none", result: "killed" }];
  expect(await prove(() => Response.json({}))).toMatchObject({ honest: [], pending: [], results: killed });
  expect(await prove(() => Response.json({}, { status: 500 }))).toMatchObject({ honest: ["STK-A-01"], pending: [] });
  expect((await prove(() => Response.json({}, { status: 401 }))).pending).toEqual([
    expect.stringContaining("STK-A-01: the honest platform doesn't satisfy it (inconclusive"),
  ]);
});

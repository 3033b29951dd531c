// The specs: valid for other tools, without vacuous keywords, complete as the register counts.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { createConfig, lint } from "@redocly/openapi-core";
import { parse } from "yaml";
import { operationsOf } from "../../specs/build/catalogue.ts";
import { withNames } from "../../specs/build/docs.ts";
import { errorTableProblems } from "../../specs/build/errorTables.ts";
import { loadResolved, type SpecSchemaNode } from "../../specs/build/load.ts";
import { sitesOf } from "../../specs/build/sites.ts";
import { observations } from "../../specs/generated/observations.ts";
import { requirements } from "../../specs/generated/requirements.ts";
import { tables } from "../../specs/generated/tables.ts";
import { root, read as textOf } from "../support/assay.ts";
import { schemaProblems } from "../support/standards.ts";
import { unspecifiedProblems } from "./unspecified.ts";
import { vacuityProblems } from "./vacuity.ts";

const read = (path: string): unknown => parse(textOf(path));

test("a public linter finds nothing in the OpenAPI document", async () => {
  const config = await createConfig({ extends: ["recommended-strict"], rules: { "no-server-example.com": "off" } });
  const problems = await lint({ ref: join(root, "specs/openapi.yaml"), config });
  const found = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
  expect(found).toEqual([]);
});

for (const { id, answers } of operationsOf()) {
  for (const { name, schema } of answers) {
    test(`no keyword of ${id} ${name} is vacuous`, () => {
      expect(vacuityProblems(`${id} ${name}`, schema)).toEqual([]);
    });
  }
}

const violating = readdirSync(join(root, "tests/fixtures/specs"));
for (const file of violating) {
  test(`the vacuity lint refuses ${file}`, () => {
    const { problem, schema } = read(`tests/fixtures/specs/${file}`) as { problem: string; schema: SpecSchemaNode };
    expect(vacuityProblems("fixture", schema).join("\n")).toContain(problem);
  });
}

test("a citation of a keyword that doesn't exist is an error", () => {
  const citing = (keyword: string) => () => sitesOf({ type: "object", "x-requirements": { "USG-FLD-01": [keyword] } });
  expect(citing("minimum")).toThrow("no keyword minimum to cite");
  expect(citing("/nothing")).toThrow("no child /nothing to cite");
});

test("the document has version 1.0.0, and every format a pattern that enforces it", () => {
  const document = loadResolved("openapi.yaml") as { info: { version: string } };
  expect(document.info.version).toBe("1.0.0");
  const formatted: object[] = [];
  JSON.stringify(document, (_, node: unknown) => {
    if (typeof node === "object" && node !== null && "format" in node) formatted.push(node);
    return node;
  });
  expect(formatted.length).toBeGreaterThan(0);
  expect(formatted.filter((node) => !("pattern" in node))).toEqual([]);
});

const observationIds = new Set<string>(observations.map(({ id }) => id));

test("a body without a schema names the unspecified behaviours that stand in its place", () => {
  expect(unspecifiedProblems(loadResolved("openapi.yaml"), observationIds)).toEqual([]);
  const methods = readdirSync(join(root, "specs/rpc")).map((file) => loadResolved(`rpc/${file}`));
  expect(unspecifiedProblems(methods, observationIds)).toEqual([]);
});

test("the lint refuses a body with neither, and an observation that the register lacks", () => {
  const answer = (body: object): object => ({ responses: { 200: { content: { "application/json": body } } } });
  const neither = ["/responses/200/content/application/json: neither a schema nor an observation"];
  expect(unspecifiedProblems(answer({}), observationIds)).toEqual(neither);
  expect(unspecifiedProblems(answer({ "x-unspecified": [] }), observationIds)).toEqual(neither);
  expect(unspecifiedProblems(answer({ "x-unspecified": ["OBS-NONE-01"] }), observationIds)).toEqual([
    "/responses/200/content/application/json: the register has no observation OBS-NONE-01",
  ]);
});

test("every wallet operation costs 100 credits and takes both carriers", () => {
  const { paths } = loadResolved("openapi.yaml") as {
    paths: Record<string, Record<string, { tags: string[]; security: object[]; "x-credits": unknown }>>;
  };
  const wallet = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ tags }) => tags.includes("wallet"));
  expect(wallet.length).toBe(7);
  expect(
    wallet.filter(
      (one) => one["x-credits"] !== 100 || JSON.stringify(one.security) !== '[{"keyInHeader":[]},{"keyInQuery":[]}]',
    ),
  ).toEqual([]);
});

test("every cited id is a requirement", () => {
  const known = new Set<string>(requirements.map(({ id }) => id));
  const cited = operationsOf().flatMap(({ answers }) => answers.flatMap(({ sites }) => sites.map(({ id }) => id)));
  expect(cited.filter((id) => !known.has(id))).toEqual([]);
  const text = JSON.stringify(loadResolved("openapi.yaml"));
  const citing = [...text.matchAll(/"([A-Z]+(?:-[A-Z0-9]+)+-\d+)":/g)].map(([, id = ""]) => id);
  expect(citing.filter((id) => !known.has(id))).toEqual([]);
});

// No row may get lost; new files may add some.
for (const [folder, count, part] of [
  ["requirements", 314, 0],
  ["observations", 192, 1],
] as const) {
  test(`the register has ${count} ${folder} at least, each once, which fit their schema`, () => {
    const rows = readdirSync(join(root, `specs/${folder}`)).flatMap((file) => {
      const written = read(`specs/${folder}/${file}`) as { id: string }[] | { rows: { id: string }[] };
      expect(schemaProblems(`specs/${folder}.schema.json`, written), file).toEqual([]);
      const found = "rows" in written ? written.rows : written;
      expect(
        found.filter(({ id }) => `${id.split("-")[part]}.yaml` !== file),
        file,
      ).toEqual([]);
      return found;
    });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThanOrEqual(count);
  });
}

test("sentences are unique and at most 100 characters", () => {
  expect(new Set(requirements.map(({ sentence }) => sentence.toLowerCase())).size).toBe(requirements.length);
  expect(requirements.filter(({ sentence }) => sentence.length > 100 || sentence.endsWith("."))).toEqual([]);
});

test("the register has 656 mutants and 16 benign variants at least", () => {
  const count = (kind: "mutants" | "benign"): number =>
    requirements.reduce((total, row) => total + Object.keys(row[kind] ?? {}).length, 0);
  expect(count("mutants")).toBeGreaterThanOrEqual(656);
  expect(count("benign")).toBeGreaterThanOrEqual(16);
});

test("an error table without a file, and a file that no operation names, are errors", () => {
  const tables = [{ name: "wallet" }, { name: "unused" }];
  expect(
    errorTableProblems(
      [
        { id: "getSlotTime", errors: "slots" },
        { id: "getIdentity", errors: "wallet" },
      ],
      tables,
    ),
  ).toEqual([
    "getSlotTime names the error table slots, and there is no specs/errors/slots.yaml",
    "specs/errors/unused.yaml is named by no operation; name it in x-errors",
  ]);
});

test("the schema of target files names the features and operations that `npm run docs` writes", () => {
  const schema = textOf("targets/target.schema.json");
  expect(JSON.parse(schema), "run `npm run docs`").toEqual(JSON.parse(withNames(schema, operationsOf())));
  const one = [{ id: "getSlotTime", feature: "slots" }];
  expect(JSON.parse(withNames(schema, one))).toMatchObject({
    $defs: { feature: { enum: ["slots"] }, read: { enum: ["getSlotTime"] } },
  });
});

test("target files and files of recorded keys have the roles of the interface", () => {
  const roles = tables.roles.map(({ name }) => name);
  const target = JSON.parse(textOf("targets/target.schema.json")) as {
    readonly properties: { readonly keys: { readonly properties: object } };
  };
  expect(Object.keys(target.properties.keys.properties)).toEqual(roles);
  expect(JSON.parse(textOf("targets/recordedKeys.schema.json"))).toMatchObject({ $defs: { role: { enum: roles } } });
});

test("every target file fits the schema that editors use", () => {
  const files = readdirSync(join(root, "targets")).filter((file) => file.endsWith(".yaml"));
  for (const file of files)
    expect(schemaProblems("targets/target.schema.json", read(`targets/${file}`)), file).toEqual([]);
  expect(files).toEqual(["example.yaml", "reference.yaml"]);
});

// `assay spec`: documents that other tools read; the example of a target file shows every field
import { expect, test } from "@playwright/test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { parse } from "yaml";
import { assay, read } from "../support/assay.ts";
import { describedOperations } from "../support/register.ts";
import { openRpcProblems, schemaProblems } from "../support/standards.ts";

async function printed(name: string): Promise<string> {
  const { code, stdout, stderr } = await assay(["spec", name]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

type Paths = { readonly [path: string]: { readonly [verb: string]: { readonly operationId: string } } };

test("`assay spec openapi` prints every REST operation, and a public linter finds nothing", async () => {
  const source = await printed("openapi");
  const config = await createConfig({ extends: ["recommended-strict"], rules: { "no-server-example.com": "off" } });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  const { paths } = JSON.parse(source) as { readonly paths: Paths };
  const listed = Object.values(paths).flatMap((verbs) => Object.values(verbs).map(({ operationId }) => operationId));
  expect(listed.toSorted()).toEqual(describedOperations.rest.map(({ id }) => id).toSorted());
  expect(source).not.toMatch(/"x-|\$ref/);
});

test("`assay spec openrpc` prints every method, and fits the meta-schema of OpenRPC", async () => {
  const document = JSON.parse(await printed("openrpc")) as { readonly methods: readonly { readonly name: string }[] };
  expect(openRpcProblems(document)).toEqual([]);
  expect(document.methods.map(({ name }) => name).toSorted()).toEqual(
    describedOperations.rpc.map(({ id }) => id).toSorted(),
  );
});

test("`assay spec target` prints the schema of target files, which needs no other file", async () => {
  const text = await printed("target");
  expect(text).toBe(read("targets/target.schema.json"));
  const schema = JSON.parse(text) as object;
  expect(schemaProblems(schema, parse(read("targets/example.yaml")))).toEqual([]);
  expect(schemaProblems(schema, { name: "acme" })).not.toEqual([]);
});

type Schema = { readonly [keyword: string]: unknown };
type Members = { readonly [name: string]: Schema };

const schema = JSON.parse(read("targets/target.schema.json")) as Schema & { readonly $defs: Members };

/** A schema, and that which its `$ref` names. */
const withReferred = (node: Schema): readonly Schema[] => {
  const name = typeof node["$ref"] === "string" ? node["$ref"].replace("#/$defs/", "") : "";
  return [node, ...(schema.$defs[name] ? withReferred(schema.$defs[name]) : [])];
};

/** Marks the fields that a value shows, as schemas. */
function show(value: unknown, node: Schema, shown: Set<Schema>): void {
  for (const one of withReferred(node)) {
    for (const form of (one["anyOf"] ?? []) as readonly Schema[]) show(value, form, shown);
    if (Array.isArray(value)) for (const item of value) show(item, (one["items"] ?? {}) as Schema, shown);
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    const properties = (one["properties"] ?? {}) as Members;
    for (const [name, member] of Object.entries(value)) {
      const known = properties[name];
      if (known) shown.add(known);
      show(member, known ?? ((one["additionalProperties"] || {}) as Schema), shown);
    }
  }
}

/** Every field of the schema that wasn't shown, as a path in it. */
function lacking(node: unknown, shown: ReadonlySet<Schema>, path = ""): readonly string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, member]) => {
    const isField = path.endsWith("/properties");
    const own = isField && !shown.has(member as Schema) ? [`${path}/${name}`] : [];
    return [...own, ...lacking(member, shown, `${path}/${name}`)];
  });
}

const fieldsLackingIn = (target: unknown): readonly string[] => {
  const shown = new Set<Schema>();
  show(target, schema, shown);
  return lacking(schema, shown);
};

/** The example with the fields that it shows behind a #; comments begin with a # and one space. */
const whole = read("targets/example.yaml").replace(/^( *)#(?! \S)/gm, "$1");

test("the example of a target file shows every field, and all of them together fit the schema", () => {
  const target = parse(whole) as { readonly [field: string]: unknown };
  expect(fieldsLackingIn(target)).toEqual([]);
  expect(schemaProblems(schema, target)).toEqual([]);
  const { pace: _, ...others } = target;
  expect(fieldsLackingIn(others)).toEqual([
    "/properties/pace",
    "/properties/pace/properties/perSecond",
    "/properties/pace/properties/usagePerSecond",
  ]);
});

// The generated validators: self-contained modules by ajv, the same code for Node and k6.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import type { CatalogueOperation, RequestSchema } from "./catalogue.ts";
import { readYaml, type SpecSchemaNode, specsDir } from "./load.ts";
import { targetSchemaBeside } from "./stamp.js";

/** Our own keywords, which strict ajv must know of. */
const vocabulary = ["x-requirements", "x-unspecified", "x-credits", "x-errors", "x-open", "x-accepts"];

export const newAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTuples: false,
    allowUnionTypes: true,
    formats: { uuid: true },
    code: { source: true, esm: true },
  });
  ajv.addVocabulary(vocabulary);
  return ajv;
};

/** What reads schemas of files at their run reads them alike: `harness/core/schema.ts`. */
const newFileAjv = (): Ajv2020 =>
  new Ajv2020({ allErrors: true, strict: false, multipleOfPrecision: 9, code: { source: true, esm: true } });

/** The command schema of control.yaml with its references inside. */
function controlCommand(): SpecSchemaNode {
  const { components } = readYaml("control.yaml") as { components: { schemas: Record<string, SpecSchemaNode> } };
  const local = JSON.stringify(components.schemas).replaceAll("#/components/schemas/", "#/$defs/");
  return { $defs: JSON.parse(local) as unknown, $ref: "#/$defs/Command" };
}

/**
 * Writes `validators.js` (answers), `requestValidators.js` (params), `controlValidator.js` and `targetValidators.js`
 * with their types.
 */
export async function bundleValidators(
  operations: readonly CatalogueOperation[],
  requests: readonly RequestSchema[],
  out: string,
): Promise<void> {
  const schemas = operations.flatMap(({ id, answers }) =>
    answers.map(({ name, schema }) => [`${id}_${name}`, schema] as const),
  );
  await bundleAll(new Map(schemas), out, "validators");
  await bundleAll(new Map(requests.map(({ operation, schema }) => [operation, schema])), out, "requestValidators");
  await bundleAll(new Map([["controlCommand", controlCommand()]]), out, "controlValidator");
  const ajv = newFileAjv().addSchema(
    JSON.parse(readFileSync(targetSchemaBeside(specsDir), "utf8")) as SpecSchemaNode,
    "target",
  );
  await bundle(ajv, { target: "target", deviations: "target#/$defs/deviations" }, out, "targetValidators");
}

function bundleAll(schemas: ReadonlyMap<string, SpecSchemaNode>, out: string, file: string): Promise<void> {
  const ajv = newAjv();
  for (const [name, schema] of schemas) ajv.addSchema(schema, name);
  return bundle(ajv, Object.fromEntries([...schemas.keys()].map((name) => [name, name])), out, file);
}

/**
 * One module of validators; ajv's own ESM output still calls `require`, so esbuild bundles it.
 * @param names of schemas, or references to them, by the name of their validator
 */
async function bundle(ajv: Ajv2020, names: Record<string, string>, out: string, file: string): Promise<void> {
  const generate = (standalone as unknown as { default?: typeof standalone }).default ?? standalone;
  const code = (generate as unknown as (ajv: Ajv2020, names: Record<string, string>) => string)(ajv, names);
  await build({
    stdin: { contents: code, resolveDir: out, loader: "js" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["main"],
    target: "es2020",
    outfile: join(out, `${file}.js`),
    logLevel: "error",
  });
  writeFileSync(
    join(out, `${file}.d.ts`),
    [validatorType, ...Object.keys(names).map((name) => `export const ${name}: Validator;`), ""].join("\n"),
  );
}

const validatorType = `export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: { readonly [name: string]: unknown };
  readonly message?: string;
  readonly propertyName?: string;
}

export interface Validator {
  (data: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}
`;

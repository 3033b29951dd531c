// Does an answer fit its schema? One self-contained module of ajv validators, the same code for Node and k6.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { build } from "esbuild";
import type { Operation } from "./catalogue.ts";

/** Keywords of ours that ajv is told to leave alone. */
export const vocabulary = ["x-requirements", "x-unspecified", "x-credits", "x-errors"];

export const newAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true, formats: { uuid: true }, code: { source: true, esm: true } });
  ajv.addVocabulary(vocabulary);
  return ajv;
};

/** Writes `validators.js` and its types into `out`; ajv's own ESM output still says `require`, so esbuild bundles it. */
export async function bundleValidators(operations: readonly Operation[], out: string): Promise<void> {
  const ajv = newAjv();
  const names: Record<string, string> = {};
  for (const { id, responses } of operations) {
    for (const { status, schema } of responses) {
      const name = `${id}_${status}`;
      ajv.addSchema(schema, name);
      names[name] = name;
    }
  }
  const generate = (standalone as unknown as { default?: typeof standalone }).default ?? standalone;
  const code = (generate as unknown as (ajv: Ajv2020, names: Record<string, string>) => string)(ajv, names);
  await build({
    stdin: { contents: code, resolveDir: out, loader: "js" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["main"],
    target: "es2020",
    outfile: join(out, "validators.js"),
    logLevel: "error",
  });
  const declarations = Object.keys(names).map((name) => `export const ${name}: Validator;`);
  writeFileSync(
    join(out, "validators.d.ts"),
    `export interface SchemaError { readonly instancePath: string; readonly keyword: string; readonly params: { readonly [name: string]: unknown }; readonly message?: string; readonly propertyName?: string }
export interface Validator { (data: unknown): boolean; errors?: readonly SchemaError[] | null }
${declarations.join("\n")}
`,
  );
}

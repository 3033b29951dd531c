// What all tools are told of the platforms: the reference's target file, and the OpenAPI document with samples of it
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { openApi } from "../../specs/generated/openApiDocument.ts";

interface TargetForm {
  readonly platform?: string;
  readonly projects: { readonly main: { readonly id: string } };
  readonly samples: { readonly wallets: readonly string[]; readonly domains: readonly string[] };
  readonly bundles: object;
}

export const referenceForm = parse(
  readFileSync(new URL("../../targets/reference.yaml", import.meta.url), "utf8"),
) as TargetForm;

const sampleProject = referenceForm.projects.main.id;
export const sampleWallets = [...referenceForm.samples.wallets, ...referenceForm.samples.domains];

interface Parameter {
  readonly name: string;
  readonly schema: object;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
}

/** What `assay spec openapi` prints, at a base, with samples that exist. */
export function documentAt(base: string, project: string = sampleProject): object {
  const examples = { id: [project], wallet: sampleWallets };
  const paths = Object.entries(openApi.paths as { readonly [path: string]: { readonly [method: string]: Operation } });
  const sampled = paths.map(([path, methods]) => {
    const operations = Object.entries(methods).map(
      ([method, operation]) => [method, withSamples(operation, examples)] as const,
    );
    return [path, Object.fromEntries(operations)] as const;
  });
  const document = { ...openApi, paths: Object.fromEntries(sampled) };
  return JSON.parse(JSON.stringify(document).replaceAll('"http://127.0.0.1"', JSON.stringify(base))) as object;
}

interface Examples {
  readonly [parameter: string]: readonly string[];
}

function withSamples({ parameters = [], requestBody, ...operation }: Operation, examples: Examples): object {
  const described = parameters.map(({ name, schema, ...parameter }) => {
    return { name, ...parameter, schema: { ...schema, examples: examples[name] } };
  });
  const content = { "application/json": { example: { addresses: sampleWallets } } };
  return {
    ...operation,
    ...(described.length > 0 && { parameters: described }),
    ...(requestBody && { requestBody: { ...requestBody, content } }),
  };
}

const templates = Object.keys(openApi.paths).map((path) => {
  return { path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`) };
});

/** The operation of a request as the document has it, else the beginning of its path. */
export function operationAt(method: string, pathname: string): string {
  // A path without parameters comes before one that takes anything in its place.
  const fitting = templates.filter(({ pattern }) => pattern.test(pathname)).map(({ path }) => path);
  const described = fitting.find((path) => !path.includes("{")) ?? fitting[0];
  return `${method} ${described ?? `undescribed ${pathname.split("/").slice(0, 3).join("/")}`}`;
}

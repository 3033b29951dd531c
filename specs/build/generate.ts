// Generation of what the code takes from the specs: types, validators, requirement ids, operations, registries.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import {
  envelopeOfRequests,
  type MethodFile,
  methodFiles,
  operationsOf,
  type RequestSchema,
  requestSchemas,
} from "./catalogue.ts";
import { clausesFile } from "./clauses.ts";
import { editionFile } from "./edition.ts";
import { errorTableProblems, errorTables } from "./errorTables.ts";
import { type ObservationRow, observationRows, type RequirementRow, requirementRows } from "./interface.ts";
import { linesFile } from "./lines.ts";
import { loadResolved, specsDir } from "./load.ts";
import { openApiDocument, openRpcOf } from "./openrpc.ts";
import { operationsFile } from "./operationsFile.ts";
import { unregisteredIn } from "./registries.js";
import { writeRegistries } from "./registryFiles.ts";
import { stampOf } from "./stamp.js";
import { statementsFile } from "./statements.ts";
import { tablesFile } from "./tables.ts";
import { literal, union } from "./typescript.ts";
import { bundleValidators } from "./validators.ts";

const out = join(specsDir, "generated");
const banner = "// Made by `npm run generate` from specs/; not to be edited.\n";
const write = (name: string, text: string): void => writeFileSync(join(out, name), banner + text);

function requirementsFile(rows: readonly RequirementRow[]): string {
  const named = (kind: "mutants" | "benign") =>
    rows.flatMap((row) => Object.keys(row[kind] ?? {}).map((slug) => `${row.id}.${slug}`));
  return `
import type { RequirementRow } from "../build/interface.ts";

/** The register id of one requirement; a check that cites another doesn't compile. */
export type RequirementId =${union(rows.map(({ id }) => id))};

/** A mutant that the register names, \`<requirement>.<slug>\`. */
export type MutantId =${union(named("mutants"))};

/** A benign variant: unusual, right, and never to be called broken. */
export type BenignVariantId =${union(named("benign"))};

export const requirements: readonly (RequirementRow & { readonly id: RequirementId })[] = ${literal(rows)};
`;
}

function observationsFile(rows: readonly ObservationRow[]): string {
  return `
import type { ObservationRow } from "../build/interface.ts";

/** The register id of one unspecified behaviour, which can be observed and never failed. */
export type ObservationId =${union(rows.map(({ id }) => id))};

export const observations: readonly (ObservationRow & { readonly id: ObservationId })[] = ${literal(rows)};
`;
}

const requestsFile = (requests: readonly RequestSchema[], { operation: _, ...envelope }: RequestSchema): string => `
import type { RequestSchema } from "../build/catalogue.ts";
import type { ObservationId } from "./observations.ts";
import type { OperationId, Site } from "./operations.ts";
import type { RequirementId } from "./requirements.ts";

/** One node of a schema of params, JSON Schema 2020-12; further keywords are there too. */
export interface ParamsSchema {
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: ParamsSchema };
  readonly prefixItems?: readonly ParamsSchema[];
  readonly items?: ParamsSchema;
  readonly examples?: readonly unknown[];
  /** Unspecified behaviours of this node. */
  readonly "x-unspecified"?: readonly ObservationId[];
  /** Instances of this node that fit are unspecified, whatever else the schema says. */
  readonly "x-open"?: { readonly [I in ObservationId]?: object };
  /** Instances of this node that fit are served by this requirement instead of the operation's. */
  readonly "x-accepts"?: { readonly [I in RequirementId]?: object };
  readonly [keyword: string]: unknown;
}

/** The schema of an operation's requests. */
export interface RequestShape extends Omit<RequestSchema, "schema"> {
  readonly operation: OperationId;
  readonly schema: ParamsSchema;
  readonly sites: readonly Site[];
  readonly accepts: readonly RequirementId[];
}

export const requests: readonly RequestShape[] = ${literal(requests)};

/** The envelope of JSON-RPC requests. */
export const envelope: Omit<RequestShape, "operation"> = ${literal(envelope)};
`;

/** An OpenAPI document of nothing but schemas: `RpcError`, `<method>Params` and `<method>Result`. */
const typesOf = (all: readonly MethodFile[]): OpenAPI3 => ({
  openapi: "3.1.0",
  info: { title: "JSON-RPC methods", version: "2.0" },
  paths: {},
  components: {
    schemas: {
      RpcError: loadResolved("nouns/RpcError.yaml"),
      ...Object.fromEntries(
        all.flatMap(({ method, params, result }) => [
          [`${method}Params`, params],
          [`${method}Result`, result],
        ]),
      ),
    },
  } as NonNullable<OpenAPI3["components"]>,
});

const citedClauses = (): readonly string[] => [...requirementRows(), ...observationRows()].map(({ clause }) => clause);

export async function generate(): Promise<void> {
  const started = performance.now();
  const operations = operationsOf();
  const lacking = [...unregisteredIn(specsDir), ...errorTableProblems(operations, errorTables())];
  if (lacking.length > 0) {
    console.error(lacking.join("\n"));
    process.exit(2);
  }
  mkdirSync(out, { recursive: true });
  write("requirements.ts", requirementsFile(requirementRows()));
  write("observations.ts", observationsFile(observationRows()));
  write("operations.ts", operationsFile(operations));
  write("edition.ts", editionFile());
  write("tables.ts", tablesFile(operations));
  write("requests.ts", requestsFile(requestSchemas(), envelopeOfRequests()));
  write("lines.ts", linesFile());
  write("statements.ts", statementsFile());
  write("clauses.ts", clausesFile(citedClauses()));
  write("openapi.ts", astToString(await openapiTS(pathToFileURL(join(specsDir, "openapi.yaml")))));
  write("rpc.ts", astToString(await openapiTS(typesOf(methodFiles()))));
  write(
    "openrpc.ts",
    `
/** The methods as other tools read them, OpenRPC 1.3; a view, from which nothing is judged. */
export const openRpc = ${literal(openRpcOf(methodFiles()))} as const;
`,
  );
  write(
    "openApiDocument.ts",
    `
/** The REST endpoints as other tools read them, OpenAPI 3.1, in one document; a view, from which nothing is judged. */
export const openApi = ${literal(openApiDocument())} as const;
`,
  );
  write("control.ts", astToString(await openapiTS(pathToFileURL(join(specsDir, "control.yaml")))));
  await bundleValidators(operations, [...requestSchemas(), envelopeOfRequests()], out);
  writeRegistries();
  writeFileSync(join(out, "stamp"), stampOf(specsDir));
  console.log(
    `generated from specs/: ${operations.length} operation(s), ${Math.round(performance.now() - started)} ms`,
  );
}

await generate();

// What does the code need of the specs? Types, validators, requirement ids, the catalogue of operations.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import {
  envelopeOfRequests,
  type Method,
  methods,
  type Operation,
  operationsOf,
  type RequestSchema,
  requestsOf,
} from "./catalogue.ts";
import { clausesFile } from "./clauses.ts";
import { editionFile } from "./edition.ts";
import { linesFile } from "./lines.ts";
import { loadResolved, readYaml, specsDir } from "./load.ts";
import { openRpcOf } from "./openrpc.ts";
import { lackingIn } from "./registries.js";
import { writeRegistries } from "./registryFiles.ts";
import { stampOf } from "./stamp.js";
import { tablesFile } from "./tables.ts";
import { bundleValidators } from "./validators.ts";

const out = join(specsDir, "generated");
const banner = "// Made by `npm run generate` from specs/; not to be edited.\n";
const write = (name: string, text: string): void => writeFileSync(join(out, name), text);
const literal = (value: unknown): string => JSON.stringify(value, null, 1);
const union = (ids: readonly string[]): string => ids.map((id) => `\n  | ${JSON.stringify(id)}`).join("") || " never";

interface RequirementRow {
  readonly id: string;
  readonly mutants?: Record<string, string>;
  readonly benign?: Record<string, string>;
}

const rowsIn = <Row>(folder: string): Row[] =>
  readdirSync(join(specsDir, folder))
    .sort()
    .flatMap((file) => readYaml(`${folder}/${file}`) as Row[]);

function requirementsFile(rows: readonly RequirementRow[]): string {
  const named = (kind: "mutants" | "benign") =>
    rows.flatMap((row) => Object.keys(row[kind] ?? {}).map((slug) => `${row.id}.${slug}`));
  return `${banner}
/** The register id of one requirement; a check that cites another doesn't compile. */
export type RequirementId =${union(rows.map(({ id }) => id))};

/** A mutant that the register names, \`<requirement>.<slug>\`. */
export type MutantId =${union(named("mutants"))};

/** A benign variation that must not be flagged. */
export type BenignVariantId =${union(named("benign"))};

export interface Requirement {
  readonly id: RequirementId;
  /** The requirement, as a sentence that can be false. */
  readonly sentence: string;
  /** Where interface.md says so. */
  readonly clause: string;
  readonly level: "must" | "may" | "informational" | "advisory";
  readonly basis: "explicit" | "implied" | "external";
  readonly enforce: "fail" | "warn" | "note";
  /** Warns on a vendor whatever its basis. */
  readonly onVendors?: "warn";
  readonly needs: readonly string[];
  readonly mutants?: { readonly [slug: string]: string };
  readonly benign?: { readonly [slug: string]: string };
}

export const requirements: readonly Requirement[] = ${literal(rows)};
`;
}

function observationsFile(rows: readonly { id: string }[]): string {
  return `${banner}
/** The register id of one unspecified behaviour: what the interface leaves open can be observed, never failed. */
export type ObservationId =${union(rows.map(({ id }) => id))};

export interface Observation {
  readonly id: ObservationId;
  readonly question: string;
  readonly clause: string;
  readonly kind: "not-shown" | "silent" | "conflict" | "normally";
  readonly safety: "safe" | "paid" | "throttle" | "irreversible" | "white";
  readonly probe: string;
  readonly records: string;
  /** What is measured rather than chosen: words in the order of their size, of which neighbours may follow one another by chance; none where it isn't compared as an observation. */
  readonly scales?: readonly (readonly string[])[];
}

export const observations: readonly Observation[] = ${literal(rows)};
`;
}

function operationsFile(operations: readonly Operation[]): string {
  const table = operations.map(({ answers, ...operation }) => ({
    ...operation,
    answers: answers.map(({ name }) => name),
  }));
  const sites = Object.fromEntries(
    operations.flatMap(({ id, answers }) => answers.map(({ name, sites: found }) => [`${id} ${name}`, found])),
  );
  const isMethod = ({ api }: Operation): boolean => api === "rpc";
  const { admin, ...errorTables } = readYaml("errors.yaml") as Record<string, unknown>;
  return `${banner}
export type OperationId =${union(operations.map(({ id }) => id))};

/** An operation that is a JSON-RPC method. */
export type MethodName =${union(operations.filter(isMethod).map(({ id }) => id))};

export type Api = "admin" | "api" | "rpc";

/** The features that a target can offer. */
export type Feature = (typeof features)[number];

export const features = ${JSON.stringify([...new Set(operations.map(({ feature }) => feature))])} as const;

export interface Operation {
  readonly id: OperationId;
  readonly api: Api;
  readonly feature: Feature;
  readonly method: string;
  /** Path template below the API's base. */
  readonly path: string;
  /** Price of one call in credits; null where the interface doesn't show it. */
  readonly credits: number | null;
  /** The table of \`errors\` that its refusals come from. */
  readonly errors: string;
  /** Source of a regular expression: of its requests, those whose body matches can't be undone. */
  readonly irreversible?: string;
  /** Answers that have a schema: HTTP statuses, or \`result\` and \`error\` of a JSON-RPC method. */
  readonly answers: readonly string[];
}

/** One keyword at one place of an answer that carries a requirement. */
export interface Site {
  readonly at: string;
  readonly keyword: string;
  readonly id: import("./requirements.ts").RequirementId;
}

export const operations: readonly Operation[] = ${literal(table)};

/** By \`<operation> <answer>\`. */
export const sites: { readonly [answer: string]: readonly Site[] } = ${literal(sites)};

/** One documented refusal of the usage endpoint (§7.1). */
export interface AdminErrorRow {
  readonly status: number;
  readonly cause: string;
  readonly message: string;
  readonly error: string;
  readonly requirement: import("./requirements.ts").RequirementId;
}

/** One documented refusal of JSON-RPC methods (§7.2). */
export interface RpcErrorRow {
  readonly code: number;
  readonly cause: "params" | "key" | "permission" | "notFound" | "rate" | "server" | "unavailable" | "timeout";
  /** Undefined where the interface shows none. */
  readonly message?: string;
  readonly requirement: import("./requirements.ts").RequirementId;
}

export const adminErrors: readonly AdminErrorRow[] = ${literal(admin)};

/** By error table. */
export const rpcErrors: { readonly [errorTable: string]: readonly RpcErrorRow[] } = ${literal(errorTables)};
`;
}

const requestsFile = (
  requests: readonly RequestSchema[],
  { operation: _, ...envelope }: RequestSchema,
): string => `${banner}
import type { ObservationId } from "./observations.ts";
import type { OperationId, Site } from "./operations.ts";
import type { RequirementId } from "./requirements.ts";

/** One node of a schema of params, JSON Schema 2020-12; keywords that aren't named here are there too. */
export interface ParamsSchema {
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: ParamsSchema };
  readonly prefixItems?: readonly ParamsSchema[];
  readonly items?: ParamsSchema;
  readonly examples?: readonly unknown[];
  /** Of what is said nothing here. */
  readonly "x-unspecified"?: readonly ObservationId[];
  /** Instances of this node that fit are open, whatever else is said of it. */
  readonly "x-open"?: { readonly [I in ObservationId]?: object };
  /** Instances of this node that fit are served by this requirement rather than by that of the whole. */
  readonly "x-accepts"?: { readonly [I in RequirementId]?: object };
  readonly [keyword: string]: unknown;
}

/** What an operation is asked with. */
export interface RequestShape {
  readonly operation: OperationId;
  /** Of a method's params; of REST operations an object of the path's parameters, and of the \`entries\` that a body lists. */
  readonly schema: ParamsSchema;
  /** Keywords whose breach a requirement has refused; of all others no refusal is promised. */
  readonly sites: readonly Site[];
  /** Requirements by which what fits is served. */
  readonly accepts: readonly RequirementId[];
}

export const requests: readonly RequestShape[] = ${literal(requests)};

/** What a JSON-RPC method is asked in. */
export const envelope: Omit<RequestShape, "operation"> = ${literal(envelope)};
`;

/** An OpenAPI document of nothing but schemas: `RpcError`, `<method>Params` and `<method>Result`. */
const typesOf = (all: readonly Method[]): OpenAPI3 => ({
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

const citedClauses = (): readonly string[] =>
  ["requirements", "observations"]
    .flatMap((folder) => rowsIn<{ readonly clause: string }>(folder))
    .map(({ clause }) => clause);

export async function generate(): Promise<void> {
  const started = performance.now();
  const lacking = lackingIn(specsDir);
  if (lacking.length > 0) {
    console.error(lacking.join("\n"));
    process.exit(2);
  }
  mkdirSync(out, { recursive: true });
  const operations = operationsOf();
  write("requirements.ts", requirementsFile(rowsIn<RequirementRow>("requirements")));
  write("observations.ts", observationsFile(rowsIn<{ id: string }>("observations")));
  write("operations.ts", operationsFile(operations));
  write("edition.ts", `${banner}${editionFile()}`);
  write("tables.ts", `${banner}${tablesFile(operations)}`);
  write("requests.ts", requestsFile(requestsOf(), envelopeOfRequests()));
  write("lines.ts", banner + linesFile());
  write("clauses.ts", banner + clausesFile(citedClauses()));
  write("openapi.ts", banner + astToString(await openapiTS(pathToFileURL(join(specsDir, "openapi.yaml")))));
  write("rpc.ts", banner + astToString(await openapiTS(typesOf(methods()))));
  write(
    "openrpc.ts",
    `${banner}
/** The methods as other tools read them, OpenRPC 1.3; a view, from which nothing is judged. */
export const openRpc = ${literal(openRpcOf(methods()))} as const;
`,
  );
  write("control.ts", banner + astToString(await openapiTS(pathToFileURL(join(specsDir, "control.yaml")))));
  await bundleValidators(operations, [...requestsOf(), envelopeOfRequests()], out);
  writeRegistries();
  write("stamp", stampOf(specsDir));
  console.log(
    `generated from specs/: ${operations.length} operation(s), ${Math.round(performance.now() - started)} ms`,
  );
}

await generate();

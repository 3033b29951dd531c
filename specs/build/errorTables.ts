// The error tables: documented codes, causes and messages, one file each (§7).
import { basename } from "node:path";
import { filesIn, lines, readYaml, type SpecLine } from "./load.ts";
import { literal, union } from "./typescript.ts";

interface ErrorRow {
  /** Of a JSON-RPC error; an HTTP error has a status. */
  readonly code?: number;
  readonly message?: string;
  readonly requirement: string;
  readonly [lines]?: { readonly [member: string]: SpecLine };
}

interface ErrorTable {
  readonly name: string;
  /** The requirement by which there are no other codes; left out where the interface shows only some. */
  readonly only?: string;
  readonly rows: readonly ErrorRow[];
}

export const errorTables = (): readonly ErrorTable[] =>
  filesIn("errors").map((file) => ({ ...(readYaml(file) as Omit<ErrorTable, "name">), name: basename(file, ".yaml") }));

/** What operations name without a file, and files that no operation names, as sentences. */
export function errorTableProblems(
  operations: readonly { readonly id: string; readonly errors: string }[],
  tables: readonly Pick<ErrorTable, "name">[],
): readonly string[] {
  const missing = operations.filter(({ errors }) => !tables.some(({ name }) => name === errors));
  const unused = tables.filter(({ name }) => !operations.some(({ errors }) => errors === name));
  return [
    ...missing.map(
      ({ id, errors }) => `${id} names the error table ${errors}, and there is no specs/errors/${errors}.yaml`,
    ),
    ...unused.map(({ name }) => `specs/errors/${name}.yaml is named by no operation; name it in x-errors`),
  ];
}

/** The part of the generated module of operations that is about errors. */
export function errorTablesText(operations: readonly { readonly api: string; readonly errors: string }[]): string {
  const tables = errorTables();
  const ofMethods = tables.filter(({ name }) => operations.some(({ api, errors }) => api === "rpc" && errors === name));
  const complete = ofMethods.filter(({ only }) => only !== undefined);
  const rowsByName = literal(Object.fromEntries(ofMethods.map(({ name, rows }) => [name, rows])));
  const onlyByName = literal(Object.fromEntries(complete.map(({ name, only }) => [name, only])));
  return `
/** One documented refusal of the usage endpoint (§7.1). */
export interface AdminErrorRow {
  readonly status: number;
  readonly cause: string;
  readonly message: string;
  readonly error: string;
  readonly requirement: RequirementId;
}

/** One documented refusal of JSON-RPC methods (§7.2). */
export interface RpcErrorRow {
  readonly code: number;
  readonly cause: "params" | "key" | "permission" | "notFound" | "rate" | "server" | "unavailable" | "timeout";
  /** Undefined where the interface shows none. */
  readonly message?: string;
  readonly requirement: RequirementId;
}

export const adminErrors: readonly AdminErrorRow[] = ${literal(tables.find(({ name }) => name === "admin")?.rows)};

/** The error tables of JSON-RPC methods. */
export type ErrorTable =${union(ofMethods.map(({ name }) => name))};

/** Those that the interface shows whole. */
export type CompleteTable =${union(complete.map(({ name }) => name))};

export const rpcErrors: { readonly [T in ErrorTable]: readonly RpcErrorRow[] } = ${rowsByName};

/** The requirement that no other codes are used. */
export const onlyCodesOf: { readonly [T in CompleteTable]: RequirementId } = ${onlyByName};
`;
}

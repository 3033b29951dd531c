// The generated module of operations: ids, features, prices, sites and error tables.
import type { AnswerSchema, Operation } from "./catalogue.ts";
import { errorTablesText } from "./errorTables.ts";
import { literal, union } from "./typescript.ts";

/** The members that answers of an operation must have; of JSON-RPC results, as every envelope is the same. */
const membersOf = (answers: readonly AnswerSchema[]): { readonly [answer: string]: readonly string[] } =>
  Object.fromEntries(
    answers.flatMap(({ name, schema }) => {
      const { required = [] } = (name === "result" ? schema.properties?.["result"] : schema) ?? {};
      return name !== "error" && required.length > 0 ? [[name, required]] : [];
    }),
  );

export function operationsFile(operations: readonly Operation[]): string {
  const table = operations.map(({ answers, ...operation }) => ({
    ...operation,
    answers: answers.map(({ name }) => name),
    members: membersOf(answers),
  }));
  const sites = Object.fromEntries(
    operations.flatMap(({ id, answers }) => answers.map(({ name, sites: found }) => [`${id} ${name}`, found])),
  );
  const isMethod = ({ api }: Operation): boolean => api === "rpc";
  return `
export type OperationId =${union(operations.map(({ id }) => id))};

/** An operation that is a JSON-RPC method. */
export type MethodName =${union(operations.filter(isMethod).map(({ id }) => id))};

export type Api = "admin" | "api" | "rpc";

/** A feature that a target can offer. */
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
  /** Required members of each answer that is an object; of JSON-RPC results, the envelope apart. */
  readonly members: { readonly [answer: string]: readonly string[] };
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
${errorTablesText(operations)}`;
}

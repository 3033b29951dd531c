// The generated module of operations: ids, features, prices, sites and error tables.
import type { AnswerSchema, CatalogueOperation } from "./catalogue.ts";
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

export function operationsFile(operations: readonly CatalogueOperation[]): string {
  const table = operations.map(({ answers, ...operation }) => ({
    ...operation,
    answers: answers.map(({ name }) => name),
    members: membersOf(answers),
  }));
  const sites = Object.fromEntries(
    operations.flatMap(({ id, answers }) => answers.map(({ name, sites: found }) => [`${id} ${name}`, found])),
  );
  const isMethod = ({ api }: CatalogueOperation): boolean => api === "rpc";
  return `
import type { CatalogueOperation as DescribedOperation } from "../build/catalogue.ts";
import type { Site as CitedSite } from "../build/sites.ts";
import type { RequirementId } from "./requirements.ts";

export type OperationId =${union(operations.map(({ id }) => id))};

/** An operation that is a JSON-RPC method. */
export type MethodName =${union(operations.filter(isMethod).map(({ id }) => id))};

export type Api = "admin" | "api" | "rpc";

/** A feature that a target can offer. */
export type Feature = (typeof features)[number];

export const features = ${JSON.stringify([...new Set(operations.map(({ feature }) => feature))])} as const;

export interface Operation extends Omit<DescribedOperation, "answers"> {
  readonly id: OperationId;
  readonly api: Api;
  readonly feature: Feature;
  /** Answers that have a schema: HTTP statuses, or \`result\` and \`error\` of a JSON-RPC method. */
  readonly answers: readonly string[];
  /** Required members of each answer that is an object; of JSON-RPC results, the envelope apart. */
  readonly members: { readonly [answer: string]: readonly string[] };
}

export type Site = CitedSite & { readonly id: RequirementId };

export const operations: readonly Operation[] = ${literal(table)};

/** By \`<operation> <answer>\`. */
export const sites: { readonly [answer: string]: readonly Site[] } = ${literal(sites)};
${errorTablesText(operations)}`;
}

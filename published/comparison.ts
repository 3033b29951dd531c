// What documents say of the requirements: confirmed, contradicted, silent, and what they add.
import type { Interface, Requirement, RequirementId } from "../harness/core/interface.ts";
import type { DocumentLine, PublishedDocument } from "./documents.ts";
import { codesIn, errorsOf, resultIn } from "./envelopes.ts";
import { publishedIn } from "./operations.ts";
import { type Point, pointsOf, protocolCodes } from "./points.ts";
import type { PublishedOperation } from "./publishedOperation.ts";
import { childOf, memberNames, type SchemaShape } from "./shapes.ts";
import type { Statement } from "./statement.ts";

/** What documents say to one requirement. */
export interface StatedRequirement {
  readonly id: RequirementId;
  readonly sentence: string;
  readonly clause: string;
  readonly is: "confirmed" | "contradicted" | "silent";
  /** At those that say something. */
  readonly points: readonly Point[];
  /** How many places there are at which the documents could say something. */
  readonly places: number;
}

/** What a document has and the interface hasn't. */
export interface DocumentAddition {
  readonly operation: string;
  readonly is: "parameter" | "member" | "code" | "status";
  readonly name: string;
  readonly document: string;
  readonly line: DocumentLine | null;
}

export interface PublishedComparison {
  readonly documents: readonly { readonly file: string; readonly version: string }[];
  /** Operations of the interface that documents describe, each with where; in the order of the interface. */
  readonly described: readonly {
    readonly operation: string;
    readonly at: readonly DocumentLine[];
    /** What of a result's envelope isn't described: a JSON pointer to what is; null where there is no result. */
    readonly below: string | null;
  }[];
  readonly undescribed: readonly string[];
  /** How many operations documents describe that the interface doesn't have. */
  readonly others: number;
  readonly requirements: readonly StatedRequirement[];
  /** How many requirements are about what no such document can say. */
  readonly beyond: number;
  readonly more: readonly DocumentAddition[];
  /** Where documents describe another form than the interface, and how they were read. */
  readonly notes: readonly string[];
}

/** What the interface says, as far as documents of others can say it, too. */
export interface InterfaceDescription extends Pick<Interface, "operations" | "requirements"> {
  readonly statements: readonly Statement[];
  /** By operation and part: pointers of all members that it shows. */
  readonly shownMembers: { readonly [operation: string]: { readonly [part: string]: readonly string[] } };
}

export function comparePublished(
  documents: readonly PublishedDocument[],
  description: InterfaceDescription,
): PublishedComparison {
  const { statements, ...tables } = description;
  const { operations, others } = publishedIn(documents, tables.operations);
  const points = operations.flatMap((published) => pointsOf(published, statements));
  const ids = new Set<string>(operations.map(({ operation }) => operation.id));
  return {
    documents: documents.map(({ file, kind, version }) => ({
      file,
      version: `${kind === "openapi" ? "OpenAPI" : "OpenRPC"} ${version}`,
    })),
    described: tables.operations
      .filter(({ id }) => ids.has(id))
      .map(({ id }) => ({
        operation: id,
        at: operations.filter(({ operation }) => operation.id === id).map(({ line }) => line),
        below: belowOf(operations.find(({ operation }) => operation.id === id)),
      })),
    undescribed: tables.operations.map(({ id }) => id).filter((id) => !ids.has(id)),
    others,
    requirements: tables.requirements.flatMap((requirement) => statedOf(requirement, points, statements)),
    beyond: tables.requirements.filter(({ id }) => statements.every((statement) => statement.id !== id)).length,
    more: operations.flatMap((published) => additionsOf(published, description)),
    notes: operations.flatMap(notesOf),
  };
}

const belowOf = (published: PublishedOperation | undefined): string | null =>
  published?.operation.api === "rpc" ? (resultIn(published)?.below ?? null) : null;

function statedOf(
  { id, sentence, clause }: Requirement,
  points: readonly Point[],
  statements: readonly Statement[],
): readonly StatedRequirement[] {
  const places = statements.filter((statement) => statement.id === id).length;
  if (places === 0) return [];
  const saying = points.filter(
    ({ statement, is, theirs }) => statement.id === id && (is !== "silent" || theirs !== null),
  );
  const has = (is: Point["is"]): boolean => saying.some((point) => point.is === is);
  const is = has("contradicted") ? "contradicted" : has("confirmed") ? "confirmed" : "silent";
  return [{ id, sentence, clause, is, points: saying, places }];
}

function notesOf(published: PublishedOperation): readonly string[] {
  const { operation, document, line } = published;
  const where = `${operation.id} (${document.file}:${line.line})`;
  if (operation.api !== "rpc" || document.kind === "openrpc") return [];
  if (published.isShared)
    return [
      `${where} is described with others in one operation: which answer is whose isn't said, so none is compared.`,
    ];
  const result = resultIn(published);
  const forms = {
    envelope: [],
    combined: ["successes and errors as one envelope, in which neither result nor error is required"],
    result: ["the result alone, without its JSON-RPC envelope"],
    bare: ["a bare result, without its JSON-RPC envelope"],
    value: ["the value alone, without context and JSON-RPC envelope"],
  };
  const found = result === null ? [] : forms[result.form];
  return found.map((form) => `${where} describes ${form}; it is compared as that.`);
}

function additionsOf(
  published: PublishedOperation,
  { statements, shownMembers }: InterfaceDescription,
): readonly DocumentAddition[] {
  const { operation, document, parameters, request, answers } = published;
  const common = { operation: operation.id, document: document.file };
  const own = statements.filter((statement) => statement.operation === operation.id);
  const shown = shownMembers[operation.id] ?? {};
  const result = operation.api === "rpc" ? resultIn(published) : null;
  const parts: readonly (readonly [part: string, shape: SchemaShape | null, below: string])[] = [
    ...(result ? [["result", result.shape, result.below] as const] : []),
    ...(operation.api === "rpc" ? [] : [...answers].map(([status, { shape }]) => [status, shape, ""] as const)),
  ];
  return [
    ...parameters.map(({ name, line }) => ({ ...common, is: "parameter" as const, name, line })),
    ...membersBeyond(request, shown["request"], "").map((found) => ({ ...common, is: "parameter" as const, ...found })),
    ...parts.flatMap(([part, shape, below]) =>
      membersBeyond(shape, shown[part] ?? shown[/^2/.test(part) ? "200" : "400"], below).map((found) => ({
        ...common,
        is: "member" as const,
        ...found,
      })),
    ),
    ...codesBeyond(published, own).map((found) => ({ ...common, ...found })),
  ];
}

/** Where an envelope of successes has nothing, documents that describe both in one have the error. */
const ofErrors = "/error";

/** Of the whole, and of what the interface shows within. @param below what stands above the shape */
function membersBeyond(shape: SchemaShape | null, shown: readonly string[] = [], below: string) {
  // What a list holds has no names.
  const isList = shown.some((at) => /^\/\d+$/.test(at));
  const parents = new Set([
    ...(isList ? [] : [below]),
    ...shown.filter((at) => at.startsWith(below) && at !== ofErrors),
  ]);
  return [...parents].flatMap((parent) => {
    const steps = parent.slice(below.length).split("/").slice(1);
    const inner = steps.reduce((whole: SchemaShape, step) => childOf(whole, step).shape, shape ?? []);
    return memberNames(inner)
      .filter((name) => !shown.includes(`${parent}/${name}`))
      .map((name) => ({ name: memberText(parent, name), line: childOf(inner, name).line }));
  });
}

const memberText = (parent: string, name: string): string =>
  [...parent.split("/").slice(1), name].join(".").replaceAll(".*", "[]");

function codesBeyond(published: PublishedOperation, statements: readonly Statement[]) {
  const rows = statements
    .filter(({ keyword }) => keyword === "row")
    .map(({ value }) => value as { readonly code?: number; readonly status?: number });
  if (published.operation.api === "rpc") {
    const found = [...codesIn(errorsOf(published)), ...published.codes];
    const beyond = found.filter(({ code }) => !protocolCodes.includes(code) && rows.every((row) => row.code !== code));
    return [
      ...new Map(beyond.map(({ code, line }) => [code, { is: "code" as const, name: String(code), line }])).values(),
    ];
  }
  const known = [
    ...rows.map(({ status }) => String(status)),
    ...statements.flatMap(({ keyword, value }) => (keyword === "status" ? [String(value)] : [])),
  ];
  return [...published.answers]
    .filter(([status]) => /^[45]\d\d$/.test(status) && !known.includes(status))
    .map(([status, { line }]) => ({ is: "status" as const, name: status, line }));
}

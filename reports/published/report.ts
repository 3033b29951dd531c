// What documents say, for programs: format 1 of `published.json`, from which each view of it is made.
import type { Edition } from "../../harness/core/interface.ts";
import type { Json } from "../../harness/core/json.ts";
import type { PublishedChanges } from "../../published/changes.ts";
import type { DocumentAddition, PublishedComparison, StatedRequirement } from "../../published/comparison.ts";
import { lineText } from "../../published/documents.ts";
import type { Point } from "../../published/points.ts";

/** Only ever extended from here on. */
export const publishedFormat = 1;

export interface PublishedReport {
  readonly format: typeof publishedFormat;
  /** Of Assay. */
  readonly version: string;
  readonly interface: Pick<Edition, "name" | "version">;
  readonly documents: PublishedComparison["documents"];
  readonly described: readonly { readonly operation: string; readonly at: readonly string[] }[];
  readonly undescribed: readonly string[];
  readonly others: number;
  readonly beyond: number;
  readonly requirements: readonly ReportedRequirement[];
  readonly more: readonly ReportedAddition[];
  readonly notes: readonly string[];
  /** Left out without earlier documents. */
  readonly changes?: ReportedChanges;
  readonly exitCode: 0 | 1;
}

interface ReportedPoint {
  readonly operation: string;
  /** `operation`, `request`, or an answer: an HTTP status, `result` or `error`. */
  readonly part: string;
  /** A JSON pointer within it; `*` stands for any array index. */
  readonly at: string;
  readonly keyword: string;
  readonly ours: string;
  readonly oursAt: string;
  readonly is: Point["is"];
  readonly theirs: string | null;
  readonly theirsAt: string | null;
}

export interface ReportedRequirement extends Omit<StatedRequirement, "points"> {
  readonly points: readonly ReportedPoint[];
}

export interface ReportedAddition extends Omit<DocumentAddition, "document" | "line"> {
  readonly at: string | null;
}

export interface ReportedChanges {
  readonly documents: PublishedComparison["documents"];
  readonly requirements: readonly (Omit<PublishedChanges["requirements"][number], "points"> & {
    readonly points: readonly (Pick<ReportedPoint, "operation" | "part" | "at" | "keyword"> & {
      readonly was: string | null;
      readonly is: string | null;
      /** Where it stands now, or stood. */
      readonly line: string | null;
    })[];
    /** What the run says of it that was named; left out without one. */
    readonly verdict?: string;
  })[];
  readonly appeared: readonly string[];
  readonly disappeared: readonly string[];
  readonly forms: readonly string[];
  readonly added: readonly ReportedAddition[];
  readonly removed: readonly ReportedAddition[];
}

export interface PublishedFound {
  readonly comparison: PublishedComparison;
  readonly earlier?: { readonly comparison: PublishedComparison; readonly changes: PublishedChanges } | undefined;
  /** What a run says of a requirement, in a word; left out without a run. */
  readonly verdictOf?: ((id: string) => string) | undefined;
}

/** @param failsOnContradicted whether a contradiction is exit code 1 */
export function publishedReport(
  { comparison, earlier, verdictOf }: PublishedFound,
  {
    version,
    edition,
    failsOnContradicted,
  }: { readonly version: string; readonly edition: Edition; readonly failsOnContradicted: boolean },
): PublishedReport {
  const { documents, described, undescribed, others, beyond, requirements, more, notes } = comparison;
  const isContradicted = requirements.some(({ is }) => is === "contradicted");
  return {
    ...{ format: publishedFormat, version, interface: { name: edition.name, version: edition.version } },
    ...{ documents, undescribed, others, beyond, notes },
    described: described.map(({ operation, at: lines }) => ({ operation, at: lines.map(lineText) })),
    requirements: requirements.map(({ points, ...requirement }) => ({
      ...requirement,
      points: points.map(reportedPoint),
    })),
    more: more.map(reportedAddition),
    ...(earlier && { changes: reportedChanges(earlier.comparison, earlier.changes, verdictOf) }),
    exitCode: failsOnContradicted && isContradicted ? 1 : 0,
  };
}

const reportedAddition = ({ document: _, line, ...addition }: DocumentAddition): ReportedAddition => ({
  ...addition,
  at: line && lineText(line),
});

const reportedPoint = ({ statement, is, theirs, line }: Point): ReportedPoint => ({
  operation: statement.operation,
  part: statement.part,
  at: statement.at,
  keyword: statement.keyword,
  ours: oursText(statement.keyword, statement.value as Json),
  oursAt: lineText(statement),
  is,
  theirs,
  theirsAt: line && lineText(line),
});

function reportedChanges(
  was: PublishedComparison,
  { requirements, added, removed, ...changes }: PublishedChanges,
  verdictOf: PublishedFound["verdictOf"],
): ReportedChanges {
  return {
    ...changes,
    documents: was.documents,
    requirements: requirements.map(({ points, ...requirement }) => ({
      ...requirement,
      points: points.map(({ line, ...point }) => ({ ...point, line: line && lineText(line) })),
      ...(verdictOf && { verdict: verdictOf(requirement.id) }),
    })),
    added: added.map(reportedAddition),
    removed: removed.map(reportedAddition),
  };
}

const wordOf = (value: Json | undefined): string => (typeof value === "string" ? value : JSON.stringify(value));

const listed = (value: Json | undefined, wordFor: (one: Json) => string = JSON.stringify): string =>
  (Array.isArray(value) ? (value as readonly Json[]) : [value ?? null]).map(wordFor).join(", ");

type Members = { readonly [member: string]: Json };

/** What the interface says at a keyword, in the words of a document; a keyword that isn't here is one of a schema. */
const ownTexts: { readonly [keyword: string]: (value: Json) => string } = {
  present: () => "required",
  not: () => "never there",
  type: (value) => `type: ${listed(value, wordOf).replaceAll(", ", " or ")}`,
  const: (value) => `only ${listed(value)}`,
  enum: (value) => `only ${listed(value)}`,
  only: (value) => `only codes ${listed(value)}`,
  pattern: (value) => `pattern: ${wordOf(value)}`,
  propertyNames: (value) => `never ${listed(((value as Members)["not"] as Members)["enum"])}`,
  accepts: (value) => `accepts ${JSON.stringify(value)}`,
  path: wordOf,
  version: wordOf,
  status: (value) => `status ${wordOf(value)}`,
  security: (value) =>
    Object.values(value as Members)
      .map(wordOf)
      .join(" "),
  requestBody: (value) => (wordOf(value).startsWith("GET ") ? "no requestBody" : "accepts a full list"),
  content: () => "content: application/json",
  id: () => "accepts a number",
  params: (value) => (value === null ? "params may be left out" : "accepts its examples"),
  method: () => "exists",
  row: (value) => {
    const { code, status, message } = value as Members;
    const name = code === undefined ? `status ${wordOf(status)}` : `code ${wordOf(code)}`;
    return message === undefined ? name : `${name} ${JSON.stringify(message)}`;
  },
};

const oursText = (keyword: string, value: Json): string =>
  ownTexts[keyword]?.(value) ?? `${keyword}: ${JSON.stringify(value)}`;

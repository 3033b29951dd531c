// The generated module of lines: where in the specs each requirement stands.
import { methodFiles, operationsOf, restNodes } from "./catalogue.ts";
import { errorTables } from "./errorTables.ts";
import { lines, rowsIn, type SpecLine, type SpecSchemaNode } from "./load.ts";
import type { Site } from "./sites.ts";
import { literal } from "./typescript.ts";

interface LocatedSite extends Site, SpecLine {}

/** Where a requirement is cited outside of answers; `operation` is null where it concerns no single one. */
interface Citation extends SpecLine {
  readonly id: string;
  readonly operation: string | null;
}

interface Located {
  readonly [lines]?: { readonly [member: string]: SpecLine };
}

export const specLineOf = (node: unknown, member: string): SpecLine | undefined =>
  (node as Located | undefined)?.[lines]?.[member];

export const linesFile = (): string => `
import type { SpecLine } from "../build/load.ts";
import type { OperationId, Site } from "./operations.ts";
import type { RequirementId } from "./requirements.ts";

/** Each requirement's row in the register. */
export const rows: { readonly [I in RequirementId]: SpecLine } = ${literal(rowLines())};

/** By operation: every keyword of its answers that carries a requirement. */
export const siteLines: { readonly [O in OperationId]: readonly (Site & SpecLine)[] } = ${literal(sitesByOperation())};

/** Where requirements are cited outside of answers; \`operation\` is null where it concerns no single one. */
export const citations: readonly (SpecLine & {
  readonly id: RequirementId;
  readonly operation: OperationId | null;
})[] = ${literal([...citationsOf(), ...errorRows()])};
`;

function rowLines(): { readonly [id: string]: SpecLine } {
  const rows = rowsIn("requirements") as readonly (Located & { readonly id: string })[];
  return Object.fromEntries(rows.map((row) => [row.id, known(specLineOf(row, "id"), row.id)]));
}

const sitesByOperation = (): { readonly [operation: string]: readonly LocatedSite[] } =>
  Object.fromEntries(
    operationsOf().map(({ id, answers }) => {
      const found = answers.flatMap(({ schema, sites }) =>
        sites.map(
          (site): LocatedSite => ({ ...site, ...known(lineOfSite(schema, site), `${id} ${site.at} ${site.keyword}`) }),
        ),
      );
      // Refusals of several statuses share one schema.
      return [id, [...new Map(found.map((site) => [JSON.stringify(site), site])).values()]];
    }),
  );

/** The line of a keyword; of `present`, that of the member. */
export function lineOfSite(
  schema: SpecSchemaNode,
  { at, keyword }: Pick<Site, "at" | "keyword">,
): SpecLine | undefined {
  const found = nodeAt(schema, at);
  return keyword === "present" ? found?.member : (specLineOf(found?.node, keyword) ?? found?.member);
}

/** A node of a schema, and the line of the member that it is; undefined where there is none. */
export function nodeAt(schema: SpecSchemaNode, at: string) {
  let node = schema;
  let member: SpecLine | undefined;
  for (const step of at.split("/").slice(1)) {
    const { properties, prefixItems, items } = node;
    const child = properties?.[step] ?? prefixItems?.[Number(step)] ?? items;
    if (!child) return undefined;
    member = specLineOf(properties, step) ?? specLineOf(node, prefixItems ? "prefixItems" : "items");
    node = child;
  }
  return { node, member };
}

/** What operations and their parameters cite: the line of the cited keyword, or of the citation where it names none. */
function citationsOf(): Citation[] {
  const operations = [
    ...restNodes().map(([, , node]) => [node.operationId, node] as const),
    ...methodFiles().map((method) => [method.method, method] as const),
  ];
  // The first of each operation: its own citations stand before those of its answers.
  return operations.flatMap(([operation, node]) => {
    const cited = citedIn(node);
    const isFirst = ({ id }: Citation, at: number): boolean => cited.findIndex((one) => one.id === id) === at;
    return cited.map((one): Citation => ({ ...one, operation })).filter(isFirst);
  });
}

function citedIn(node: unknown): (SpecLine & { readonly id: string })[] {
  if (typeof node !== "object" || node === null) return [];
  const citations = (node as SpecSchemaNode)["x-requirements"] ?? {};
  const own = Object.entries(citations).map(([id, [keyword = ""]]) => ({
    id,
    ...known(specLineOf(node, keyword) ?? specLineOf(citations, id), id),
  }));
  return [...own, ...Object.values(node).flatMap(citedIn)];
}

const errorRows = (): Citation[] =>
  errorTables()
    .flatMap(({ rows }) => rows)
    .map((row) => ({
      id: row.requirement,
      operation: null,
      ...known(specLineOf(row, "requirement"), row.requirement),
    }));

export function known(line: SpecLine | undefined, what: string): SpecLine {
  if (!line) throw new Error(`${what}: on no line of the specs`);
  return line;
}

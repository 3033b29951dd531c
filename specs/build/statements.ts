// The generated module of statements: what another description of the interface can confirm or contradict.
import { type CatalogueOperation, methodFiles, operationsOf, requestSchemas, restNodes } from "./catalogue.ts";
import { errorTables } from "./errorTables.ts";
import { known, lineOfSite, nodeAt, specLineOf } from "./lines.ts";
import { type Citations, readYaml, type SpecLine, type SpecSchemaNode } from "./load.ts";
import type { Site } from "./sites.ts";
import { literal } from "./typescript.ts";

/** One keyword, or one fact of an operation, that carries a requirement, with what the interface says there. */
export interface SpecStatement extends Site, SpecLine {
  readonly operation: string;
  /** `operation`, `request`, or an answer: an HTTP status, `result` or `error`. */
  readonly part: string;
  /** What stands at the keyword; true for `present`. */
  readonly value: unknown;
}

export function statementsFile(): string {
  const ofRequests = requestSchemas().flatMap(statedInRequest);
  const statements = [
    ...operationsOf().flatMap((operation) => [...statedInAnswers(operation), ...errorRowsOf(operation)]),
    ...ofRequests,
    ...operationFacts(ofRequests),
    ...keyOfMethods(),
  ];
  return `
import type { SpecStatement } from "../build/statements.ts";
import type { OperationId } from "./operations.ts";
import type { RequirementId } from "./requirements.ts";

export const statements: readonly (SpecStatement & {
  readonly operation: OperationId;
  readonly id: RequirementId;
})[] = ${literal(statements)};

/** By operation and part: every member that the interface shows, as a pointer; \`*\` stands for any array index. */
export const shownMembers: {
  readonly [O in OperationId]: { readonly [part: string]: readonly string[] };
} = ${literal(shownMembers())};
`;
}

const shownMembers = (): object =>
  Object.fromEntries(
    operationsOf().map(({ id, answers }) => {
      const request = requestSchemas().find(({ operation }) => operation === id)?.schema ?? {};
      const parts = [["request", request] as const, ...answers.map(({ name, schema }) => [name, schema] as const)];
      return [id, Object.fromEntries(parts.map(([part, schema]) => [part, membersBelow(schema, "")]))];
    }),
  );

const membersBelow = ({ properties = {}, prefixItems = [], items }: SpecSchemaNode, at: string): readonly string[] => [
  ...Object.entries(properties).flatMap(([name, child]) => [`${at}/${name}`, ...membersBelow(child, `${at}/${name}`)]),
  ...prefixItems.flatMap((child, nth) => membersBelow(child, `${at}/${nth}`)),
  ...(items ? membersBelow(items, `${at}/*`) : []),
];

const statedInAnswers = ({ id, answers }: CatalogueOperation): readonly SpecStatement[] =>
  answers.flatMap(({ name, schema, sites }) => sites.map((site) => statementAt(id, name, schema, site)));

function statementAt(operation: string, part: string, schema: SpecSchemaNode, site: Site): SpecStatement {
  const value = site.keyword === "present" ? true : plain(nodeAt(schema, site.at)?.node[site.keyword]);
  return {
    operation,
    part,
    ...site,
    value,
    ...known(lineOfSite(schema, site), `${operation} ${site.at} ${site.keyword}`),
  };
}

/** Without citations, which aren't part of what is said. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (name, inner: unknown) => (name.startsWith("x-") ? undefined : inner)));

/** What a request may be, and what of it must be accepted although its type or pattern isn't the common one. */
function statedInRequest({ operation, schema, sites }: ReturnType<typeof requestSchemas>[number]) {
  const accepted = (node: SpecSchemaNode, at: string): readonly SpecStatement[] => [
    ...Object.entries((node["x-accepts"] ?? {}) as Record<string, object>).map(([id, value]) => ({
      ...{ operation, part: "request", at, keyword: "accepts", id, value },
      ...known(specLineOf(node["x-accepts"], id), id),
    })),
    ...Object.entries(node.properties ?? {}).flatMap(([name, child]) => accepted(child, `${at}/${name}`)),
    ...(node.prefixItems ?? []).flatMap((child, nth) => accepted(child, `${at}/${nth}`)),
    ...(node.items ? accepted(node.items, `${at}/*`) : []),
  ];
  return [...sites.map((site) => statementAt(operation, "request", schema, site)), ...accepted(schema, "")];
}

/** Facts of operations that a description can tell; a price, for one, isn't among them. */
const facts = ["path", "version", "requestBody", "content", "security", "params", "id", "method"];

/** The last fact that a citation names: the narrowest. */
const factOf = (keywords: readonly string[]): readonly string[] =>
  keywords.filter((keyword) => facts.includes(keyword)).slice(-1);

function statedFacts(operation: string, node: object, citations: Citations, value: unknown): readonly SpecStatement[] {
  return Object.entries(citations).flatMap(([id, keywords]) =>
    factOf(keywords).map((keyword) => ({
      ...{ operation, part: "operation", at: "", keyword, id },
      value: keyword === "security" ? carrierOf(id) : value,
      ...known(specLineOf(node, keyword) ?? specLineOf(citations, id), id),
    })),
  );
}

const statedStatus = (operation: string, status: string, citations: Citations): readonly SpecStatement[] =>
  Object.keys(citations).map((id) => ({
    ...{ operation, part: "operation", at: "", keyword: "status", id, value: status },
    ...known(specLineOf(citations, id), id),
  }));

/** What requests may be says more than that they are cited. */
function operationFacts(ofRequests: readonly SpecStatement[]): readonly SpecStatement[] {
  const ofRest = restNodes().flatMap(([path, method, node]) => [
    ...statedFacts(node.operationId, node, node["x-requirements"], `${method.toUpperCase()} ${path}`),
    ...Object.entries(node.responses).flatMap(([status, response]) =>
      statedStatus(node.operationId, status, response["x-requirements"] ?? {}),
    ),
  ]);
  const ofMethods = methodFiles().flatMap((file) =>
    statedFacts(file.method, file, file["x-requirements"], plain(file.params.examples)),
  );
  return [...ofRest, ...ofMethods].filter(
    ({ operation, id }) => !ofRequests.some((request) => request.operation === operation && request.id === id),
  );
}

interface Carrier {
  readonly in: string;
  readonly documented: string;
  readonly requirements: readonly string[];
}

const carriers = (): readonly Carrier[] =>
  (readYaml("interface.yaml") as { readonly renamable: readonly Carrier[] }).renamable;

function carrierOf(id: string) {
  const carrier = carriers().find(({ requirements }) => requirements.includes(id));
  return carrier && { in: carrier.in, name: carrier.documented };
}

/** Methods take the key as endpoints do, by the requirement of that carrier that no endpoint cites. */
function keyOfMethods(): readonly SpecStatement[] {
  const cited = new Set(restNodes().flatMap(([, , node]) => Object.keys(node["x-requirements"])));
  return carriers()
    .filter(({ requirements }) => requirements.some((id) => cited.has(id)))
    .flatMap((carrier) =>
      carrier.requirements
        .filter((id) => !cited.has(id))
        .map((id) => [id, known(specLineOf(carrier, "requirements"), id)] as const),
    )
    .flatMap(([id, line]) =>
      methodFiles().map(({ method: operation }) => ({
        ...{ operation, part: "operation", at: "", keyword: "security", id, value: carrierOf(id), ...line },
      })),
    );
}

function errorRowsOf({ id: operation, errors }: CatalogueOperation): readonly SpecStatement[] {
  const table = errorTables().find(({ name }) => name === errors);
  const rows = (table?.rows ?? []).map((row) => {
    const { requirement, cause: _, ...value } = row as typeof row & { readonly cause?: string };
    const line = known(specLineOf(row, "requirement"), requirement);
    return { operation, part: "error", at: "", keyword: "row", id: requirement, value: plain(value), ...line };
  });
  const [first] = rows;
  if (table?.only === undefined || !first) return rows;
  const codes = table.rows.map(({ code }) => code);
  return [...rows, { ...first, keyword: "only", id: table.only, value: codes, line: 2 }];
}

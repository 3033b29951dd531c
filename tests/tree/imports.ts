// The rules of imports: which folder and which room may import which, and that nothing imports in a loop.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { features } from "../../specs/generated/operations.ts";
import { filesBelow, source } from "../support/sources.ts";

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isType: boolean;
}

/** What each folder may import, apart from itself and packages. */
export const folders: { readonly [folder: string]: readonly string[] } = {
  specs: [],
  harness: [],
  contracts: ["harness", "specs"],
  property: ["contracts", "harness", "specs"],
  load: ["contracts", "harness", "specs"],
  reference: ["specs"],
  reports: ["harness"],
  proxy: ["harness"],
  panel: ["contracts", "harness"],
  custom: ["harness"],
  package: ["cli", "custom", "harness", "load", "reports"],
  proof: ["contracts", "harness", "load", "property", "reference", "specs"],
  cli: [
    "contracts",
    "custom",
    "harness",
    "load",
    "panel",
    "property",
    "proof",
    "proxy",
    "reference",
    "reports",
    "specs",
  ],
  bench: ["cli", "contracts", "harness", "load", "proof", "proxy", "reference", "specs"],
  docs: ["cli", "harness", "tests"],
  tests: [
    "bench",
    "cli",
    "contracts",
    "custom",
    "docs",
    "harness",
    "load",
    "panel",
    "proof",
    "property",
    "proxy",
    "reference",
    "reports",
    "specs",
  ],
};

/**
 * The rooms of each folder, lowest first. A room imports from those above it in its list, not from those beside it.
 * "." is what is directly in the folder; a generated file is a room of its own, for it imports whatever registers.
 */
const rooms: { readonly [folder: string]: readonly (readonly string[])[] } = {
  specs: [["build"], ["generated"]],
  harness: [["core"], ["target"], ["transport"], ["model"], ["engine"], ["record"], ["recordings"]],
  contracts: [
    ["shared"],
    features,
    ["generated/baseline.ts"],
    ["jsonrpc"],
    ["metering"],
    ["http"],
    ["generated/*"],
    ["."],
  ],
  property: [["arbitraries"], ["."], ["stateful"], ["generated/*"]],
  load: [["rateLimits", "k6", "shapes"], ["generated/*"], ["traffic", "k8s"], ["."]],
  reference: [
    ["compression", "errors"],
    ["generated/refusals.ts"],
    ["platform"],
    ["access", "metering"],
    features.filter((feature) => feature !== "compression"),
    ["rpc"],
    ["generated/methods.ts"],
    ["."],
    ["generated/*"],
  ],
  reports: [["."], ["html"], ["vendor", "compare"], ["history", "panel"]],
  proxy: [["."]],
  panel: [["."]],
  custom: [["."]],
  package: [["."]],
  proof: [["."], ["faults", "lawful", "limiter", "mutation"], ["alone", "rare"]],
  cli: [["."], ["playwright"]],
  bench: [["."]],
  docs: [["."]],
  tests: [
    ["support", "golden"],
    [".", "*"],
  ],
};

const folderOf = (file: string): string => file.split("/")[0] ?? "";

const roomOf = (file: string): string =>
  /\/generated\//.test(file) && folderOf(file) !== "specs" ? file : dirname(file);

/** How high a room lies in its folder; -1 for one that the table doesn't have. */
function heightOf(room: string): number {
  const [folder = "", ...rest] = room.split("/");
  const name = rest.join("/") || ".";
  const fits = (one: string): boolean =>
    one === name || (one.endsWith("*") && name !== "." && name.startsWith(one.slice(0, -1)));
  return rooms[folder]?.findIndex((layer) => layer.some(fits)) ?? -1;
}

function importsOf(file: string, base: string): Import[] {
  const text = readFileSync(join(base, file), "utf8");
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, isType: boolean): void => {
    if (specifier && ts.isStringLiteral(specifier) && specifier.text.startsWith("."))
      found.push({ file, target: join(dirname(file), specifier.text), isType });
  };
  const search = (node: ts.Node): void => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    ts.forEachChild(node, search);
  };
  for (const statement of ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements) {
    if (ts.isImportDeclaration(statement))
      add(statement.moduleSpecifier, statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    else if (ts.isExportDeclaration(statement)) add(statement.moduleSpecifier, statement.isTypeOnly);
    else if (text.includes("import(")) search(statement);
  }
  return found;
}

/** The groups of nodes that reach each other. */
export function loopsIn(edges: readonly (readonly [from: string, to: string])[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reached = (from: string): Set<string> => {
    const found = new Set(next.get(from));
    for (const node of found) for (const to of next.get(node) ?? []) found.add(to);
    return found;
  };
  const all = new Map([...next.keys()].map((node) => [node, reached(node)]));
  const groups = [...all].map(([node, found]) => [...found].filter((one) => all.get(one)?.has(node)).sort());
  return [...new Set(groups.filter((group) => group.length > 0).map((group) => group.join(", ")))].sort();
}

/** The reference takes only types from the specs: a table shared by both sides would hide one common error. */
const takesValues = ({ file, target, isType }: Import): boolean =>
  folderOf(file) === "reference" &&
  folderOf(target) === "specs" &&
  !isType &&
  // Control's validator is no such table, and from the OpenRPC view nothing is judged.
  !["specs/generated/controlValidator.js", "specs/generated/openrpc.ts"].includes(target);

/** Each rule's violations below `base`, as sentences. */
export function violations(base: string): { readonly [rule: string]: readonly string[] } {
  // Root files only configure tools; templates are judged where they are copied to.
  const files = filesBelow(".", source, base).filter((file) => file.includes("/") && folderOf(file) !== "templates");
  const imports = files.flatMap((file) => importsOf(file, base));
  const across = imports.filter(({ file, target }) => folderOf(file) !== folderOf(target));
  const within = imports.filter(
    ({ file, target }) => folderOf(file) === folderOf(target) && roomOf(file) !== roomOf(target),
  );
  const listed = (some: readonly Import[]): string[] => [
    ...new Set(some.map(({ file, target }) => `${file} imports ${target}`)),
  ];
  return {
    folders: listed(across.filter(({ file, target }) => !folders[folderOf(file)]?.includes(folderOf(target)))),
    rooms: listed(within.filter(({ file, target }) => heightOf(roomOf(file)) <= heightOf(roomOf(target)))),
    unknownRooms: [...new Set(files.map(roomOf))].filter((room) => heightOf(room) < 0),
    values: listed(imports.filter(takesValues)),
    fileLoops: loopsIn(imports.map(({ file, target }) => [file, target])),
    roomLoops: loopsIn(within.map(({ file, target }) => [roomOf(file), roomOf(target)])),
  };
}

// One pass over all files of a tree: each is read and parsed once, and every rule hears of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, parseSync, Visitor, type VisitorObject } from "oxc-parser";
import { filesBelow } from "../support/sources.ts";

export interface TreeFile {
  readonly path: string;
  readonly text: string;
}

export interface Listeners {
  readonly file?: (file: TreeFile) => void;
  /** For each file of code: what hears of its nodes, by their types in ESTree, as a rule of ESLint does. */
  readonly nodes?: (file: TreeFile) => VisitorObject;
  readonly end?: () => void;
}

/** A rule of the tree. */
export interface TreeRule {
  /** A sentence: what holds where the rule emits nothing. */
  readonly holds: string;
  /** Begins a pass over the files below `base`; what violates the rule is emitted as a sentence. */
  readonly begin: (emit: (violation: string) => void, base: string) => Listeners;
}

const isText = /\.(?:tsx?|m?js|md|ya?ml|json)$|^Dockerfile$/;
/** Bundled validators are no sources, and larger than all of them. */
export const isCode = /^(?!.*[vV]alidators?\.js$).*\.(?:tsx?|js)$/;

type NodeListener = (node: never) => void;

/** Calls all listeners of a type of node. */
export function visitorOf(all: readonly VisitorObject[]): Visitor {
  const byType = new Map<string, NodeListener[]>();
  for (const [type, listener] of all.flatMap((nodes) => Object.entries(nodes) as [string, NodeListener][]))
    byType.set(type, [...(byType.get(type) ?? []), listener]);
  const calling = (listeners: readonly NodeListener[]) => (node: never) => listeners.forEach((hear) => hear(node));
  return new Visitor(Object.fromEntries([...byType].map(([type, listeners]) => [type, calling(listeners)])));
}

export const programOf = ({ path, text }: TreeFile): Program => parseSync(path, text).program;

/** What violates each rule below `base`, by the rule's name. */
export function violationsOf<Name extends string>(
  rules: { readonly [name in Name]: TreeRule },
  base: string,
): { readonly [name in Name]: readonly string[] } {
  const found = Object.fromEntries(Object.keys(rules).map((name) => [name, []])) as unknown as {
    [name in Name]: string[];
  };
  const all = (Object.entries(rules) as [Name, TreeRule][]).map(([name, { begin }]) =>
    begin((violation) => void found[name].push(violation), base),
  );
  for (const path of filesBelow(".", isText, base)) {
    const file = { path, text: readFileSync(join(base, path), "utf8") };
    for (const { file: hear } of all) hear?.(file);
    if (isCode.test(path)) visitorOf(all.flatMap(({ nodes }) => nodes?.(file) ?? [])).visit(programOf(file));
  }
  for (const { end } of all) end?.();
  return found;
}

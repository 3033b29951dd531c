// Loops: that neither files nor rooms reach themselves by imports, those of types included.
import { folderOf, type Import, importListener } from "./imports.ts";
import type { TreeRule } from "./pass.ts";
import { roomOf } from "./roomImports.ts";

/** The groups of nodes that reach each other: strongly connected components, by the transitive closure. */
function loopsIn(edges: readonly (readonly [from: string, to: string])[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reached = (from: string): Set<string> => {
    const found = new Set(next.get(from));
    for (const node of found) for (const to of next.get(node) ?? []) found.add(to);
    return found;
  };
  const all = new Map([...next.keys()].map((node) => [node, reached(node)]));
  const groups = [...all].map(([node, found]) => [...found].filter((other) => all.get(other)?.has(node)).sort());
  return [...new Set(groups.filter((group) => group.length > 0).map((group) => group.join(", ")))].sort();
}

/** @param edgeOf what an import links; null for one that doesn't count */
const loopRule = (holds: string, edgeOf: (found: Import) => readonly [from: string, to: string] | null): TreeRule => ({
  holds,
  begin: (emit) => {
    const edges: (readonly [from: string, to: string])[] = [];
    return {
      nodes: importListener((found) => {
        const edge = edgeOf(found);
        if (edge) edges.push(edge);
      }),
      end: () => loopsIn(edges).forEach(emit),
    };
  },
});

export const fileLoops = loopRule("no files import each other in a loop, types included", ({ file, target }) => [
  file,
  target,
]);

export const roomLoops = loopRule("no rooms import each other in a loop", ({ file, target }) => {
  const [from, to] = [roomOf(file), roomOf(target)];
  return folderOf(file) === folderOf(target) && from !== to ? [from, to] : null;
});

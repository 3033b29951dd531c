// The sites of requirements: which keyword at which place of a schema carries which requirement.
import type { SpecSchemaNode } from "./load.ts";

/** One keyword at one place of the instance that carries a requirement. `*` in `at` stands for any array index. */
export interface Site {
  readonly at: string;
  readonly keyword: string;
  readonly id: string;
}

const annotations = new Set([
  "description",
  "examples",
  "title",
  "deprecated",
  "format",
  "x-unspecified",
  "x-open",
  "x-accepts",
  "x-requirements",
  "x-credits",
]);
const structure = new Set(["properties", "items", "prefixItems", "required"]);

/** The keywords of a node that can refuse an instance, those about its children apart. */
export const constraintsOf = (node: SpecSchemaNode): string[] =>
  Object.keys(node).filter((keyword) => !annotations.has(keyword) && !structure.has(keyword));

type Child = [step: string, node: SpecSchemaNode, isRequired: boolean];

const childrenOf = ({ properties = {}, required = [], prefixItems = [], items }: SpecSchemaNode): Child[] => [
  ...Object.entries(properties).map(([name, child]): Child => [`/${name}`, child, required.includes(name)]),
  ...prefixItems.map((child, place): Child => [`/${place}`, child, false]),
  ...(items ? [["/*", items, false] satisfies Child] : []),
];

/**
 * Every site of a resolved schema, and every constraint that no requirement cites.
 *
 * @throws Error where a requirement cites a keyword or a child that isn't there
 */
export function sitesOf(root: SpecSchemaNode): { sites: Site[]; uncited: string[] } {
  const sites: Site[] = [];
  const constraints = new Set<string>();
  const walk = (node: SpecSchemaNode, at: string, required: boolean): void => {
    if (required) constraints.add(`${at} present`);
    for (const keyword of constraintsOf(node)) constraints.add(`${at} ${keyword}`);
    for (const [id, keywords] of Object.entries(node["x-requirements"] ?? {})) {
      for (const cited of keywords) sites.push(...expand(node, at, required, cited).map((place) => ({ ...place, id })));
    }
    for (const [step, child, childRequired] of childrenOf(node)) walk(child, at + step, childRequired);
  };
  walk(root, "", false);
  const cited = new Set(sites.map(({ at, keyword }) => `${at} ${keyword}`));
  return { sites, uncited: [...constraints].filter((constraint) => !cited.has(constraint)) };
}

/** The places that `type`, `/child` (all its keywords), `/child type` or `/* type` (of each child) cites. */
function expand(node: SpecSchemaNode, at: string, required: boolean, cited: string): Omit<Site, "id">[] {
  if (!cited.startsWith("/")) {
    if (cited === "present" ? !required : !(cited in node))
      throw new Error(`${at || "/"}: no keyword ${cited} to cite`);
    return [{ at, keyword: cited }];
  }
  const [step = "", keyword] = cited.split(" ");
  const children = childrenOf(node).filter(([name]) => step === "/*" || name === step);
  if (children.length === 0) throw new Error(`${at || "/"}: no child ${step} to cite`);
  return children.flatMap(([name, child, childRequired]) => {
    const keywords = keyword ? [keyword] : [...(childRequired ? ["present"] : []), ...constraintsOf(child)];
    return keywords.map((one) => ({ at: at + name, keyword: one }));
  });
}

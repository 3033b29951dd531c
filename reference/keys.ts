// Whose key does a request carry? (§5)
import type { Cause, Rules } from "./rules.ts";
import type { Key, Project, World } from "./world.ts";

/** Header fields as they came, case kept. */
export type RawHeaders = readonly (readonly [name: string, value: string])[];

export type Identified =
  | { readonly project: Project; readonly key: Key; readonly carrier: "header" | "query" }
  | { readonly cause: Extract<Cause, "noKey" | "malformedKey" | "unknownKey">; readonly carrier: "header" | "query" | null };

const keyShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The header goes before the query where both carry a key (a choice: the interface leaves it open). */
export function identify(rules: Rules, world: World, headers: RawHeaders, query: URLSearchParams): Identified {
  const { keyHeader, keyHeaderCase, keyQuery } = rules;
  const inHeader = headers.find(([name]) => keyHeader !== null && (keyHeaderCase === "exact" ? name === keyHeader : name.toLowerCase() === keyHeader.toLowerCase()))?.[1];
  const inQuery = keyQuery === null ? null : query.get(keyQuery);
  const carrier = inHeader !== undefined ? "header" : inQuery !== null ? "query" : null;
  const value = inHeader ?? inQuery;
  if (value === null || carrier === null) return { cause: "noKey", carrier };
  if (value === "" && rules.blankKey === "let through") return letThrough(world, carrier);
  if (!keyShape.test(value)) return { cause: "malformedKey", carrier };
  const holder = world.holderOf(value);
  return holder ? { ...holder, carrier } : { cause: "unknownKey", carrier };
}

function letThrough(world: World, carrier: "header" | "query"): Identified {
  const [project] = world.projects;
  const [key] = project?.keys ?? [];
  return project && key ? { project, key, carrier } : { cause: "noKey", carrier };
}

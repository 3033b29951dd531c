// Whose key does a request carry? (§5)
import type { Choices } from "../platform/choices.ts";
import type { Cause, Rules } from "../platform/rules.ts";
import type { Key, Project, World } from "../platform/world.ts";

/** Header fields as they came, case kept. */
export type RawHeaders = readonly (readonly [name: string, value: string])[];

export type Identified =
  | { readonly project: Project; readonly key: Key; readonly carrier: "header" | "query" }
  | {
      readonly cause: Extract<Cause, "noKey" | "malformedKey" | "unknownKey" | "revokedKey">;
      readonly carrier: "header" | "query" | null;
    };

const keyShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** One text of however many there are; null where there are none. */
function oneOf(texts: readonly string[], { repeatedKey }: Choices): string | null {
  if (repeatedKey === "joined" && texts.length > 1) return texts.join(", ");
  return (repeatedKey === "the last counts" ? texts.at(-1) : texts[0]) ?? null;
}

function keyInHeader({ keyHeader, keyHeaderCase, choices }: Rules, headers: RawHeaders): string | null {
  const isIt = (name: string): boolean =>
    keyHeader !== null &&
    (keyHeaderCase === "exact" ? name === keyHeader : name.toLowerCase() === keyHeader.toLowerCase());
  const found = oneOf(
    headers.flatMap(([name, value]) => (isIt(name) ? [value] : [])),
    choices,
  );
  const bearer =
    choices.bearer === "a key"
      ? headers.find(([name, value]) => name.toLowerCase() === "authorization" && value.startsWith("Bearer "))
      : undefined;
  const value = found ?? bearer?.[1].slice("Bearer ".length) ?? null;
  return value === "" && choices.emptyHeader === "no key" ? null : value;
}

function keyInQuery({ keyQuery, choices }: Rules, query: URLSearchParams): string | null {
  if (keyQuery === null) return null;
  const isIt = (name: string): boolean =>
    choices.queryNameCase === "any" ? name.toLowerCase() === keyQuery : name === keyQuery;
  return oneOf(
    [...query].flatMap(([name, value]) => (isIt(name) ? [value] : [])),
    choices,
  );
}

const written = (value: string, { keySpaces, keyCase }: Choices): string => {
  const text = keySpaces === "trimmed" ? value.trim() : value;
  return keyCase === "any" ? text.toLowerCase() : text;
};

export function identify(rules: Rules, world: World, headers: RawHeaders, query: URLSearchParams): Identified {
  const { choices } = rules;
  const [inHeader, inQuery] = [keyInHeader(rules, headers), keyInQuery(rules, query)];
  const both = inHeader !== null && inQuery !== null;
  const carrier =
    both && choices.bothCarriers === "the query counts"
      ? "query"
      : inHeader !== null
        ? "header"
        : inQuery !== null
          ? "query"
          : null;
  if (both && choices.bothCarriers === "refused") return { cause: "malformedKey", carrier };
  const carried = carrier === "query" ? inQuery : inHeader;
  if (carried === null || carrier === null) return { cause: "noKey", carrier };
  const value = written(carried, choices);
  if (value === "" && rules.blankKey === "let through") return letThrough(world, carrier);
  if (!keyShape.test(value)) return { cause: "malformedKey", carrier };
  const holder = world.holderOf(value);
  if (holder?.key.isRevoked) return { cause: "revokedKey", carrier };
  return holder ? { ...holder, carrier } : { cause: "unknownKey", carrier };
}

function letThrough(world: World, carrier: "header" | "query"): Identified {
  const [project] = world.projects;
  const [key] = project?.keys ?? [];
  return project && key ? { project, key, carrier } : { cause: "noKey", carrier };
}

// The key that a request carries, its project, and the client addresses that may use it (§5)
import type { Holder, ProjectStore } from "../platform/project.ts";
import type { HttpChoices, RefusalCause, Rules } from "../platform/rules.ts";
import { headerIn, type RawHeaders } from "../platform/wire.ts";

export type Identified =
  | (Holder & { readonly carrier: "header" | "query" })
  | {
      readonly cause: Extract<RefusalCause, "noKey" | "malformedKey" | "unknownKey" | "revokedKey">;
      readonly carrier: "header" | "query" | null;
    };

/** Rules that say where a key is read and how. */
type KeyRules = Pick<Rules, "keyHeader" | "keyHeaderCase" | "keyQuery" | "blankKey" | "choices">;

const keyShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The key of several that counts; null where there is none. */
function oneOf(texts: readonly string[], { repeatedKey }: HttpChoices): string | null {
  if (repeatedKey === "joined" && texts.length > 1) return texts.join(", ");
  return (repeatedKey === "the last counts" ? texts.at(-1) : texts[0]) ?? null;
}

function keyInHeader({ keyHeader, keyHeaderCase, choices }: KeyRules, headers: RawHeaders): string | null {
  const isKeyHeader = (name: string): boolean =>
    keyHeader !== null &&
    (keyHeaderCase === "exact" ? name === keyHeader : name.toLowerCase() === keyHeader.toLowerCase());
  const found = oneOf(
    headers.flatMap(([name, value]) => (isKeyHeader(name) ? [value] : [])),
    choices,
  );
  const bearer = choices.bearer === "a key" ? /^Bearer (.*)$/s.exec(headerIn(headers, "authorization") ?? "") : null;
  const value = found ?? bearer?.[1] ?? null;
  return value === "" && choices.emptyHeader === "no key" ? null : value;
}

function keyInQuery({ keyQuery, choices }: KeyRules, query: URLSearchParams): string | null {
  if (keyQuery === null) return null;
  const isKeyName = (name: string): boolean =>
    choices.queryNameCase === "any" ? name.toLowerCase() === keyQuery : name === keyQuery;
  return oneOf(
    [...query].flatMap(([name, value]) => (isKeyName(name) ? [value] : [])),
    choices,
  );
}

const normalized = (value: string, { keySpaces, keyCase }: HttpChoices): string => {
  const text = keySpaces === "trimmed" ? value.trim() : value;
  return keyCase === "any" ? text.toLowerCase() : text;
};

export function identify(
  rules: KeyRules,
  store: ProjectStore,
  headers: RawHeaders,
  query: URLSearchParams,
): Identified {
  const { choices } = rules;
  const inHeader = keyInHeader(rules, headers);
  const inQuery = keyInQuery(rules, query);
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
  const value = normalized(carried, choices);
  if (value === "" && rules.blankKey === "let through")
    return store.first ? { ...store.first, carrier } : { cause: "noKey", carrier };
  if (!keyShape.test(value)) return { cause: "malformedKey", carrier };
  const holder = store.holderOf(value);
  if (holder?.key.isRevoked) return { cause: "revokedKey", carrier };
  return holder ? { ...holder, carrier } : { cause: "unknownKey", carrier };
}

/** Whether a client's address may use a key. */
export function mayUse({ project, key }: Holder, address: string, { addressScope, refusals }: Rules): boolean {
  const restricted = addressScope === "key" ? [key] : project.keys;
  return (
    refusals.blockedAddress === null ||
    restricted.every(({ allowedAddresses }) => !allowedAddresses || allowedAddresses.includes(address))
  );
}

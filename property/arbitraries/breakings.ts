// Values that break one keyword of a schema; validators decide whether they break others too
import fc from "fast-check";
import { isObject, type Json, valueAt } from "../../harness/core/json.ts";
import type { ParamsSchema, RequestShape } from "../../specs/generated/requests.ts";
import { misspelled } from "./base58.ts";
import { changedAt } from "./schemas.ts";

/** Further valid elements for the list at a place of params; [] where there are none. */
export type More = (at: string, count: number, params: Json) => readonly Json[];

type Site = Pick<RequestShape["sites"][number], "at" | "keyword">;

/** Values of every JSON type; texts are neither numbers nor base58. */
const ofTypes: readonly (readonly [type: string, values: fc.Arbitrary<Json>])[] = [
  ["null", fc.constant(null)],
  ["boolean", fc.boolean()],
  ["number", fc.oneof(fc.integer(), fc.constantFrom(0, 1, 1.5, -1, 2 ** 53, 1e21))],
  ["string", fc.constantFrom("abc", "true", "null", "not-base58!", "{}", "[]", "first")],
  ["array", fc.constantFrom<Json>([], [1], [true], [{}], ["0OIl"], [["not-base58!"]])],
  ["object", fc.constantFrom<Json>({}, { address: "0OIl" }, { value: 1 }, { length: 0 }, { "0": "0OIl" })],
];

/** The value wrapped, unwrapped or under a name, which lenient platforms may accept. */
function otherForms(here: Json | undefined): readonly Json[] {
  if (Array.isArray(here)) return [...(here as readonly Json[]).slice(0, 1), { ...(here as readonly Json[]) }];
  if (here === undefined || here === null) return [];
  return [[here], ...["value", "address", "transaction"].map((name) => ({ [name]: here }))];
}

const typeOf = (value: Json): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** The node at a site; `*` is any element. */
function nodeAt(schema: ParamsSchema, at: string): ParamsSchema {
  let node = schema;
  for (const step of at.split("/").slice(1))
    node = (step === "*" ? node.items : (node.prefixItems?.[Number(step)] ?? node.properties?.[step])) ?? {};
  return node;
}

/** Places of a site in an instance whose parents exist; a missing member counts. */
function placesFor(params: Json, at: string): readonly string[] {
  let places = [""];
  for (const step of at.split("/").slice(1)) {
    places = places.flatMap((place) => {
      const holder = valueAt(params, place);
      if (typeof holder !== "object" || holder === null) return [];
      if (step === "*") return Array.isArray(holder) ? holder.map((_, nth) => `${place}/${nth}`) : [];
      // An element can be appended, but not further behind.
      return !Array.isArray(holder) || Number(step) <= holder.length ? [`${place}/${step}`] : [];
    });
  }
  return places;
}

const atMost = (limit: number): fc.Arbitrary<number> => fc.nat({ max: Math.max(0, limit) });
const upTo = (most: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: most });

/** Texts that break a keyword of that value. */
const wrongTexts: { readonly [keyword: string]: (text: string, limit: number) => fc.Arbitrary<string> } = {
  pattern: (text) => misspelled(fc.constant(text)),
  minLength: (text, least) => atMost(least - 1).map((length) => text.slice(0, length)),
  maxLength: (text, most) => upTo(60).map((more) => text.repeat(100).slice(0, most + more)),
};

const wrongNumbers: { readonly [keyword: string]: (limit: number, step: number) => fc.Arbitrary<number> } = {
  minimum: (least, step) => upTo(100).map((below) => least - below * step),
  maximum: (most, step) => upTo(100).map((above) => most + above * step),
  multipleOf: (factor) => upTo(9).map((times) => (times + 0.5) * factor),
};

type MoreHere = (count: number) => readonly Json[];

/** Null where we know none. */
const wrongLists: {
  readonly [keyword: string]: (list: readonly Json[], limit: number, more: MoreHere) => fc.Arbitrary<Json> | null;
} = {
  minItems: (list, least) => atMost(least - 1).map((length) => list.slice(0, length)),
  maxItems: (list, most, more) => {
    const longer = [...list, ...more(2 * most + 1).filter((one) => !list.includes(one))];
    const lengths = (): fc.Arbitrary<number> =>
      fc.oneof(fc.constant(most + 1), fc.integer({ min: most + 1, max: longer.length }));
    return longer.length > most ? lengths().map((length) => longer.slice(0, length)) : null;
  },
  uniqueItems: (list) => (list.length > 0 ? fc.constantFrom(...list).map((one) => [...list, one]) : null),
};

function withUnknownMember(here: object, { properties = {} }: ParamsSchema): fc.Arbitrary<Json> {
  const names = fc
    .constantFrom("strange", "Page", "__proto", "toString", "")
    .filter((name) => !Object.hasOwn(properties, name));
  return fc.tuple(names, fc.constantFrom<Json>(null, 1, "x")).map(([name, value]) => ({ ...here, [name]: value }));
}

/** Values that break a keyword of a node with a limit; null where we know none. */
function beyond(
  keyword: string,
  here: Json | undefined,
  node: ParamsSchema,
  more: MoreHere,
): fc.Arbitrary<Json> | null {
  const limit = Number(node[keyword]);
  const numbers = wrongNumbers[keyword]?.(limit, typeof node["multipleOf"] === "number" ? node["multipleOf"] : 1);
  if (numbers) return numbers;
  if (typeof here === "string") return (here !== "" && wrongTexts[keyword]?.(here, limit)) || null;
  if (Array.isArray(here)) return wrongLists[keyword]?.(here, limit, more) ?? null;
  return isObject(here) && keyword === "additionalProperties" ? withUnknownMember(here, node) : null;
}

/** Another value of the same type as those of an enum. */
function unlisted(values: readonly Json[]): fc.Arbitrary<Json> {
  const isText = values.every((value) => typeof value === "string");
  const others: fc.Arbitrary<Json> = isText
    ? fc.oneof(
        fc.constantFrom("hex", "base32", "utf-8", "none"),
        fc.string({ minLength: 1, maxLength: 12, unit: "grapheme-ascii" }),
      )
    : fc.integer();
  return others.filter((other) => !values.includes(other));
}

/** Values of other types, near the one that is here. */
function ofOtherType(here: Json | undefined, node: ParamsSchema): fc.Arbitrary<Json> {
  const types = [node.type ?? []].flat();
  const isWhole = types.includes("integer") && !types.includes("number");
  const others = ofTypes
    .filter(([type]) => !types.includes(type) && !(isWhole && type === "number"))
    .map(([, values]) => values);
  const forms = otherForms(here).filter((form) => !types.includes(typeOf(form)));
  const near = forms.length > 0 ? [{ arbitrary: fc.constantFrom(...forms), weight: others.length }] : [];
  return fc.oneof(...others, ...near, ...(isWhole ? [fc.constant(0.5)] : []));
}

/** Values that break one keyword at one place (undefined: the member is missing); null where we know none. */
function wrongAt(
  { keyword }: Site,
  here: Json | undefined,
  node: ParamsSchema,
  more: MoreHere,
): fc.Arbitrary<Json | undefined> | null {
  switch (keyword) {
    case "present":
      return here === undefined ? null : fc.constant(undefined);
    case "type":
      return ofOtherType(here, node);
    case "enum":
      return unlisted(node["enum"] as readonly Json[]);
    case "const":
      return unlisted([node["const"] as Json]);
    default:
      return beyond(keyword, here, node, more);
  }
}

export interface BrokenParams {
  /** JSON pointer of the place, e.g. `/0/2`. */
  readonly at: string;
  readonly params: Json;
  /** The params without the breach. */
  readonly positiveControl: Json;
}

/** The instance with one keyword broken at one place of a site; null where we know no way. */
export function brokenAt(
  params: Json,
  site: Site,
  schema: ParamsSchema,
  more: More,
): fc.Arbitrary<BrokenParams> | null {
  const node = nodeAt(schema, site.at);
  const ways = placesFor(params, site.at).flatMap((at): fc.Arbitrary<BrokenParams>[] => {
    const wrongs = wrongAt(site, valueAt(params, at), node, (count) => more(at, count, params));
    return wrongs
      ? [wrongs.map((value) => ({ at, params: changedAt(params, at, value), positiveControl: params }))]
      : [];
  });
  return ways.length > 0 ? fc.oneof(...ways) : null;
}

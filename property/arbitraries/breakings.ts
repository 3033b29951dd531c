// Values that break one keyword of a schema; validators decide whether they break others too
import fc from "fast-check";
import { type Json, valueAt } from "../../harness/core/json.ts";
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

const numberAt = (node: ParamsSchema, keyword: string): number => Number(node[keyword]);

/** The node at a site; `*` is any element. */
export function nodeAt(schema: ParamsSchema, at: string): ParamsSchema {
  let node = schema;
  for (const step of at.split("/").slice(1))
    node = (step === "*" ? node.items : (node.prefixItems?.[Number(step)] ?? node.properties?.[step])) ?? {};
  return node;
}

/** Places of a site in an instance whose parents exist; a missing member counts. */
export function placesFor(params: Json, at: string): readonly string[] {
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

/** Values that break a keyword at a place (undefined: the member is missing); null where we know none. */
type Wrong = fc.Arbitrary<{ readonly value: Json | undefined }> | null;

const wrong = (values: fc.Arbitrary<Json>): Wrong => values.map((value) => ({ value }));

function wrongText(keyword: string, here: Json | undefined, node: ParamsSchema): Wrong {
  const text = typeof here === "string" ? here : null;
  switch (keyword) {
    case "pattern":
      return text ? wrong(misspelled(fc.constant(text))) : null;
    case "minLength":
      return text
        ? wrong(fc.nat({ max: Math.max(0, numberAt(node, keyword) - 1) }).map((length) => text.slice(0, length)))
        : null;
    case "maxLength":
      return text
        ? wrong(
            fc.integer({ min: 1, max: 60 }).map((more) => text.repeat(100).slice(0, numberAt(node, keyword) + more)),
          )
        : null;
    default:
      return null;
  }
}

function wrongNumber(keyword: string, node: ParamsSchema): Wrong {
  const limit = numberAt(node, keyword);
  const step = typeof node["multipleOf"] === "number" ? node["multipleOf"] : 1;
  switch (keyword) {
    case "minimum":
      return wrong(fc.integer({ min: 1, max: 100 }).map((below) => limit - below * step));
    case "maximum":
      return wrong(fc.integer({ min: 1, max: 100 }).map((above) => limit + above * step));
    case "multipleOf":
      return wrong(fc.integer({ min: 1, max: 9 }).map((times) => (times + 0.5) * limit));
    default:
      return null;
  }
}

function wrongList(
  keyword: string,
  here: Json | undefined,
  node: ParamsSchema,
  more: (count: number) => readonly Json[],
): Wrong {
  if (!Array.isArray(here)) return null;
  const list: readonly Json[] = here;
  switch (keyword) {
    case "minItems":
      return wrong(fc.nat({ max: Math.max(0, numberAt(node, keyword) - 1) }).map((length) => list.slice(0, length)));
    case "maxItems": {
      const most = numberAt(node, keyword);
      const longer = [...list, ...more(2 * most + 1).filter((one) => !list.includes(one))];
      return longer.length > most
        ? wrong(
            fc
              .oneof(fc.constant(most + 1), fc.integer({ min: most + 1, max: longer.length }))
              .map((length) => longer.slice(0, length)),
          )
        : null;
    }
    case "uniqueItems":
      return list.length > 0 ? wrong(fc.constantFrom(...list).map((one) => [...list, one])) : null;
    default:
      return null;
  }
}

function wrongObject(keyword: string, here: Json | undefined, { properties = {} }: ParamsSchema): Wrong {
  const isDoc = typeof here === "object" && here !== null && !Array.isArray(here);
  if (keyword !== "additionalProperties" || !isDoc) return null;
  const unknownMember = fc
    .constantFrom("strange", "Page", "__proto", "toString", "")
    .filter((name) => !Object.hasOwn(properties, name));
  return wrong(
    fc.tuple(unknownMember, fc.constantFrom<Json>(null, 1, "x")).map(([name, value]) => ({ ...here, [name]: value })),
  );
}

/** Another value of the same type as those of an enum. */
function unlisted(values: readonly Json[]): Wrong {
  const isText = values.every((value) => typeof value === "string");
  const others: fc.Arbitrary<Json> = isText
    ? fc.oneof(
        fc.constantFrom("hex", "base32", "utf-8", "none"),
        fc.string({ minLength: 1, maxLength: 12, unit: "grapheme-ascii" }),
      )
    : fc.integer();
  return wrong(others.filter((other) => !values.includes(other)));
}

/** Values that break one keyword at one place. */
function wrongAt(
  { keyword }: Site,
  here: Json | undefined,
  node: ParamsSchema,
  more: (count: number) => readonly Json[],
): Wrong {
  switch (keyword) {
    case "present":
      return here === undefined ? null : fc.constant({ value: undefined });
    case "type": {
      const types = [node.type ?? []].flat();
      const isWhole = types.includes("integer") && !types.includes("number");
      const others = ofTypes
        .filter(([type]) => !types.includes(type) && !(isWhole && type === "number"))
        .map(([, values]) => values);
      const forms = otherForms(here).filter((form) => !types.includes(typeOf(form)));
      const near = forms.length > 0 ? [{ arbitrary: fc.constantFrom(...forms), weight: others.length }] : [];
      return wrong(fc.oneof(...others, ...near, ...(isWhole ? [fc.constant(0.5)] : [])));
    }
    case "enum":
      return unlisted(node["enum"] as readonly Json[]);
    case "const":
      return unlisted([node["const"] as Json]);
    default:
      return (
        wrongText(keyword, here, node) ??
        wrongNumber(keyword, node) ??
        wrongList(keyword, here, node, more) ??
        wrongObject(keyword, here, node)
      );
  }
}

export interface Broken {
  readonly at: string;
  readonly params: Json;
  readonly twin: Json;
}

/** The instance with one keyword broken at one place of a site; null where we know no way. */
export function brokenAt(params: Json, site: Site, schema: ParamsSchema, more: More): fc.Arbitrary<Broken> | null {
  const node = nodeAt(schema, site.at);
  const ways = placesFor(params, site.at).flatMap((at): fc.Arbitrary<Broken>[] => {
    const wrongs = wrongAt(site, valueAt(params, at), node, (count) => more(at, count, params));
    return wrongs ? [wrongs.map(({ value }) => ({ at, params: changedAt(params, at, value), twin: params }))] : [];
  });
  return ways.length > 0 ? fc.oneof(...ways) : null;
}

// One keyword of the interface beside what a document accepts there: the same, less, more, or nothing said.
import { runInNewContext } from "node:vm";
import type { DocumentLine, DocumentNode } from "./documents.ts";
import {
  type Alternative,
  childOf,
  kindOfValue,
  kindsOf,
  memberNames,
  ofKind,
  possible,
  type SchemaShape,
  stating,
  type ValueKind,
  valuesOf,
} from "./shapes.ts";

/** What a document says of something that the interface says. */
export interface DocumentReading {
  readonly is: "confirmed" | "contradicted" | "silent";
  /** In the document's words, shortened to the keyword; null where it says nothing. */
  readonly theirs: string | null;
  readonly line: DocumentLine | null;
}

export const silent: DocumentReading = { is: "silent", theirs: null, line: null };

export const reading = (is: boolean | null, theirs: string, line: DocumentLine | null): DocumentReading => ({
  is: is === null ? "silent" : is ? "confirmed" : "contradicted",
  theirs,
  line,
});

/** Whether it says the same; null where it says nothing to this. */
type Judgement = (ours: unknown, alternative: Alternative) => DocumentReading;

const bounds: { readonly [keyword: string]: { readonly kinds: readonly ValueKind[]; readonly isLower: boolean } } = {
  minimum: { kinds: ["whole", "fraction"], isLower: true },
  minLength: { kinds: ["string"], isLower: true },
  minItems: { kinds: ["array"], isLower: true },
  maxLength: { kinds: ["string"], isLower: false },
  maxItems: { kinds: ["array"], isLower: false },
};

const json = (value: unknown): string => JSON.stringify(value);

/** The tightest bound that several schemas state together; an exclusive one of whole numbers is the next whole one. */
function boundOf(alternative: Alternative, keyword: string): number | null {
  const isLower = bounds[keyword]?.isLower === true;
  const exclusive = keyword === "minimum" ? "exclusiveMinimum" : "";
  const found = alternative.flatMap((node) => {
    const plain = node[keyword];
    const open = node[exclusive];
    const kinds = kindsOf(alternative)?.filter((kind) => kind !== "null");
    const step = kinds?.join() === "whole" ? 1 : Number.MIN_VALUE;
    return [
      ...(typeof plain === "number" ? [open === true ? plain + step : plain] : []),
      ...(typeof open === "number" ? [open + step] : []),
    ];
  });
  if (found.length === 0) return null;
  return isLower ? Math.max(...found) : Math.min(...found);
}

const judgedBound =
  (keyword: string): Judgement =>
  (ours, alternative) => {
    const bound = boundOf(alternative, keyword);
    if (bound === null) return silent;
    const isSame = bounds[keyword]?.isLower === true ? bound >= Number(ours) : bound <= Number(ours);
    const text = bound % 1 === Number.MIN_VALUE ? "above 0" : `${keyword}: ${bound}`;
    const names = [keyword, ...(keyword === "minimum" ? ["exclusiveMinimum"] : [])];
    return reading(isSame, text, stating(alternative, ...names));
  };

const typeNames: { readonly [kind in ValueKind]: string } = {
  null: "null",
  boolean: "boolean",
  whole: "integer",
  fraction: "number",
  string: "string",
  array: "array",
  object: "object",
};

export function typeText(kinds: readonly ValueKind[]): string {
  const names = kinds.includes("fraction") ? kinds.filter((kind) => kind !== "whole") : kinds;
  const words = names.map((kind) => typeNames[kind]).sort();
  return `type: ${words.join(" or ")}`;
}

const ourKinds = (type: unknown): readonly ValueKind[] =>
  [type]
    .flat()
    .flatMap((name): readonly ValueKind[] =>
      name === "number" ? ["whole", "fraction"] : name === "integer" ? ["whole"] : [name as ValueKind],
    );

/**
 * The types of all alternatives together. A document that says `number` of whole ones is less exact; one that leaves
 * null out where the interface promises it says something else.
 */
export function judgedType(ours: unknown, shape: SchemaShape, isAnswer: boolean, mayBeNull = false): DocumentReading {
  const wanted = [...ourKinds(ours), ...(mayBeNull ? (["null"] as const) : [])];
  const alternatives = possible(shape);
  const stated = alternatives.map(kindsOf);
  const theirs = [...new Set(stated.flatMap((kinds) => kinds ?? []))];
  const line =
    alternatives.map((one) => stating(one, "type", "const", "enum", "properties", "items")).find(Boolean) ?? null;
  if (theirs.length === 0) return silent;
  const more = theirs.filter((kind) => !wanted.includes(kind));
  const isNullLost = isAnswer && !mayBeNull && wanted.includes("null") && !theirs.includes("null");
  const isComplete = stated.every((kinds) => kinds !== null);
  const isLoose = more.join() === "fraction" && wanted.includes("whole");
  const text = `${typeText(theirs)}${isComplete ? "" : " or anything"}`;
  if (isLoose || (more.length === 0 && !isNullLost && !isComplete)) return reading(null, text, line);
  return reading(more.length === 0 && !isNullLost, text, line);
}

/** The values of all alternatives together: each may be a schema of one value. */
function judgedValues(ours: unknown, shape: SchemaShape): DocumentReading {
  const wanted = (Array.isArray(ours) ? ours : [ours]).map(json);
  const type = judgedType(
    [...new Set([ours].flat().map((value) => typeNames[kindOfValue(value)]))],
    shape,
    false,
    true,
  );
  if (type.is === "contradicted") return type;
  const alternatives = possible(shape).filter((alternative) => kindsOf(alternative)?.join() !== "null");
  const listed = alternatives.map(valuesOf);
  const values = [...new Set(listed.flatMap((list) => list ?? []))].filter((value) => value !== "null").sort();
  if (values.length === 0 || listed.includes(null)) return silent;
  const line = alternatives.map((alternative) => stating(alternative, "const", "enum")).find(Boolean) ?? null;
  return reading(
    values.every((value) => wanted.includes(value)),
    `only ${values.join(", ")}`,
    line,
  );
}

function judgedMultiple(ours: unknown, alternative: Alternative): DocumentReading {
  const stated = alternative.flatMap(({ multipleOf }) => (typeof multipleOf === "number" ? [multipleOf] : []));
  const [multiple] = stated;
  const kinds = kindsOf(alternative)?.filter((kind) => kind !== "null");
  if (kinds?.join() === "whole") return reading(true, "type: integer", stating(alternative, "type", "enum", "const"));
  if (multiple === undefined) return silent;
  return reading(multiple % Number(ours) === 0, `multipleOf: ${multiple}`, stating(alternative, "multipleOf"));
}

/** A value of each format that says how a text looks. */
const formatted: { readonly [format: string]: string } = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:30:00Z",
  time: "12:30:00Z",
  uuid: "7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10",
  email: "name@example.com",
  uri: "https://example.com/",
  hostname: "example.com",
  ipv4: "192.0.2.1",
};

const longest_ms = 50;

/** Texts by which two patterns can be distinguished. */
const samples = [
  ...Object.values(formatted),
  ...["", "1", "z", "0", "O", "text", "a b", "2026-1-31", "20260131", "31.01.2026", "0x1f", "1.5", "name.sol"],
  ...["11111111111111111111111111111111", "1".repeat(44), "A+/=", "AQID", "0OIl"],
];

/** Those of some texts that an expression accepts; null for one that isn't valid, or takes too long. */
export function acceptedBy(pattern: string, texts: readonly string[]): readonly string[] | null {
  const source = "texts.map((text) => new RegExp(pattern, 'u').test(text))";
  try {
    // An expression of a document may take for ever.
    const found = runInNewContext(source, { pattern, texts }, { timeout: longest_ms }) as readonly boolean[];
    return texts.filter((_, nth) => found[nth]);
  } catch {
    return null;
  }
}

/**
 * The same pattern or format; else what samples show of it. One that accepts only what the interface refuses
 * contradicts; one that accepts more besides is less exact.
 */
function judgedPattern(ours: unknown, alternative: Alternative): DocumentReading {
  const patterns = alternative.flatMap(({ pattern }) => (typeof pattern === "string" ? [pattern] : []));
  const wanted = String(ours);
  if (patterns.length === 0) return judgedFormat(wanted, alternative);
  const line = stating(alternative, "pattern");
  if (patterns.includes(wanted)) return reading(true, fitting, line);
  const text = patterns
    .map((one) => `pattern: ${one}`)
    .sort()
    .join(", ");
  const theirs = patterns.map((pattern) => acceptedBy(pattern, samples));
  const accepted = samples.filter((sample) => theirs.every((some) => some?.includes(sample)));
  return bySamples(wanted, accepted, text, line);
}

/** Formats of one's own, such as base58, say nothing that can be compared. */
function judgedFormat(ours: string, alternative: Alternative): DocumentReading {
  const formats = alternative.flatMap(({ format }) => (typeof format === "string" ? [format] : []));
  const shown = formats.flatMap((format) => formatted[format] ?? []);
  const text = formats.map((format) => `format: ${format}`).join(", ");
  return shown.length === 0 ? silent : bySamples(ours, shown, text, stating(alternative, "format"));
}

/** All that fit read alike, so that another way to write the same changes nothing. */
function bySamples(ours: string, accepted: readonly string[], text: string, line: DocumentLine | null) {
  const own = new RegExp(ours, "u");
  const both = accepted.filter((sample) => own.test(sample)).length;
  if (accepted.length > 0 && both === accepted.length) return reading(true, fitting, line);
  return reading(accepted.length > 0 && both === 0 ? false : null, text, line);
}

const fitting = "a pattern or format that fits";

interface Names {
  readonly not?: { readonly enum?: readonly string[] };
}

/** Names that may not be members; a document that describes one says that it may. */
function judgedNames(ours: unknown, shape: SchemaShape): DocumentReading {
  const forbidden = (ours as Names).not?.enum ?? [];
  const described = memberNames(shape);
  const named = forbidden.filter((name) => described.includes(name));
  if (named.length > 0) return reading(false, `describes ${named.join(", ")}`, childOf(shape, named[0] ?? "").line);
  const objects = ofKind(shape, ["object"]);
  const [first] = objects;
  if (!first) return silent;
  const isClosed = childOf(shape, forbidden[0] ?? "").isClosed;
  const isRuledOut = (node: DocumentNode): boolean => {
    const theirs = (node["propertyNames"] as Names | undefined)?.not?.enum ?? [];
    return forbidden.every((name) => theirs.includes(name));
  };
  if (!isClosed && !objects.every((one) => one.some(isRuledOut))) return silent;
  const keywords = isClosed ? ["additionalProperties", "unevaluatedProperties"] : ["propertyNames"];
  return reading(true, isClosed ? "nothing else may be there" : "propertyNames", stating(first, ...keywords));
}

const judgements: { readonly [keyword: string]: readonly [kinds: readonly ValueKind[], judge: Judgement] } = {
  multipleOf: [["whole", "fraction"], judgedMultiple],
  pattern: [["string"], judgedPattern],
  ...Object.fromEntries(
    Object.entries(bounds).map(([keyword, { kinds }]): [string, readonly [readonly ValueKind[], Judgement]] => [
      keyword,
      [kinds, judgedBound(keyword)],
    ]),
  ),
};

/** All alternatives together: one that contradicts is enough, and each must confirm. */
function together(readings: readonly DocumentReading[]): DocumentReading {
  const deciding = ["contradicted", "silent"].map((is) => readings.find((one) => one.is === is)).find(Boolean);
  const [first = silent] = readings;
  const isStated = readings.some(({ theirs }) => theirs !== null);
  const texts = [...new Set(readings.map(({ theirs }) => theirs ?? "anything"))].sort();
  return { ...(deciding ?? first), theirs: isStated ? texts.join(" or ") : null };
}

/** @param isAnswer whether what it describes is sent by the platform */
export function judgedKeyword(keyword: string, ours: unknown, shape: SchemaShape, isAnswer: boolean): DocumentReading {
  if (keyword === "type") return judgedType(ours, shape, isAnswer);
  if (keyword === "propertyNames") return judgedNames(ours, shape);
  if (keyword === "const" || keyword === "enum") return judgedValues(ours, shape);
  const [kinds, judge] = judgements[keyword] ?? [];
  if (!kinds || !judge) return silent;
  return together(ofKind(shape, kinds).map((alternative) => judge(ours, alternative)));
}

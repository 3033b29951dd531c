// Templates: request bodies that are filled in from the target file.
import { type Json, listOf, valueAt } from "./json.ts";

/** A placeholder for a sample of the target file or for a name that it gives, e.g. `{ $sample: "domains/0" }`. */
export type Given = ({ readonly $sample: string } | { readonly $name: string }) & {
  /** As a text, in capitals. */
  readonly upperCase?: true;
};

/** JSON in which values may be `Given`, and members may be named by the target: `$name:sortFlag`. */
export type Template =
  | null
  | boolean
  | number
  | string
  | Given
  | readonly Template[]
  | { readonly [member: string]: Template };

/** What a target file gives to templates. */
export interface Knowledge {
  readonly samples: { readonly [name: string]: Json };
  readonly names: { readonly [name: string]: Json };
}

export const sample = (path: string): Given => ({ $sample: path });

export const isGiven = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && ("$sample" in value || "$name" in value);

/** Where the target file has the value, e.g. `/samples/domains/0`. */
export const pointerOf = (placeholder: Given): string =>
  "$sample" in placeholder ? `/samples/${placeholder.$sample}` : `/names/${placeholder.$name}`;

const nameMark = "$name:";
export const namePointer = (member: string): string => `/names/${member.slice(nameMark.length)}`;

/** A text of JSON with placeholders as 0.1.0 spelled them: ids and digests of requests remain those of its runs. */
export const asSpelledBefore = (json: string): string =>
  json
    .replaceAll('{"$sample":"', '{"§":"/samples/')
    .replaceAll('{"$name":"', '{"§":"/names/')
    .replaceAll(`"${nameMark}`, '"§/names/');

/** JSON pointers of all that a template takes from the target. */
export function givensOf(template: Template): readonly string[] {
  if (typeof template !== "object" || template === null) return [];
  if (isGiven(template)) return [pointerOf(template)];
  if (Array.isArray(template)) return template.flatMap((item: Template) => givensOf(item));
  return Object.entries(template).flatMap(([name, value]) => [
    ...(name.startsWith(nameMark) ? [namePointer(name)] : []),
    ...givensOf(value),
  ]);
}

/** @throws Error where the target lacks something; the plan checks that first */
export function filledIn(template: Template, knowledge: Knowledge): Json {
  if (typeof template !== "object" || template === null) return template;
  if (isGiven(template)) return lookUp(knowledge, pointerOf(template));
  if (Array.isArray(template)) return template.map((item: Template) => filledIn(item, knowledge));
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [
      name.startsWith(nameMark) ? nameOf(knowledge, namePointer(name)) : name,
      filledIn(value, knowledge),
    ]),
  );
}

/** @throws Error where the target gives no text */
function nameOf(knowledge: Knowledge, pointer: string): string {
  const name = lookUp(knowledge, pointer);
  if (typeof name !== "string") throw new Error(`${dottedPath(pointer)} isn't a string`);
  return name;
}

function lookUp(knowledge: Knowledge, pointer: string): Json {
  const value = givenAt(knowledge, pointer);
  if (value === undefined) throw new Error(`the target gives no ${dottedPath(pointer)}`);
  return value;
}

/**
 * A text, or the text or number that the target gives for it.
 * @throws Error where it gives neither
 */
export function givenText(text: string | Given, knowledge: Knowledge): string {
  const value = typeof text === "string" ? text : lookUp(knowledge, pointerOf(text));
  if (typeof value !== "string" && typeof value !== "number")
    throw new Error(`${isGiven(text) ? dottedPath(pointerOf(text)) : text} isn't a string`);
  return isGiven(text) && text.upperCase ? String(value).toUpperCase() : String(value);
}

export const givenAt = ({ samples, names }: Knowledge, pointer: string): Json | undefined =>
  valueAt({ samples, names }, pointer);

/** With a value at `/samples/name` or `/samples/name/2`, unless there is one; a list grows at its end. */
export function supplemented(samples: Knowledge["samples"], pointer: string, value: Json): Knowledge["samples"] {
  const [name = "", place] = pointer.split("/").slice(2);
  if (place === undefined) return { [name]: value, ...samples };
  const list = listOf(samples[name]);
  return Number(place) < list.length ? samples : { ...samples, [name]: [...list, value] };
}

/** A pointer as people write it, e.g. `samples.orders.0.address`. */
export const dottedPath = (pointer: string): string => pointer.slice(1).replaceAll("/", ".");

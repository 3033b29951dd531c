// Replacements for sample data: its neighbours in the same list, and values made alike
import { idsLike } from "../../contracts/bundles/bundleIds.ts";
import { unknownAddresses } from "../../contracts/wallet/requests.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { type Given, givenAt, type Knowledge, pointerOf } from "../../harness/core/template.ts";

/** `/samples/compressed/0/hash` is in the list `/samples/compressed`, at the member `/hash`. */
function listOf(pointer: string): { readonly list: string; readonly member: string } | null {
  const [, list, member = ""] = /^(.*?)\/\d+(\/.*)?$/s.exec(pointer) ?? [];
  return list === undefined ? null : { list, member };
}

/** The sample and all others of its list; [] where the target has none. */
export function neighboursOf(placeholder: Given, knowledge: Knowledge): readonly Json[] {
  const pointer = pointerOf(placeholder);
  const place = listOf(pointer);
  const listed = place && givenAt(knowledge, place.list);
  const own = givenAt(knowledge, pointer);
  if (!place || !Array.isArray(listed)) return own === undefined ? [] : [own];
  return listed.flatMap((item: Json) => valueAt(item, place.member) ?? []);
}

/** Unknown values that are served too: an unknown bundle has the status null (§4.3), and wallets need not be known. */
const makers: { readonly [list: string]: (sample: Json, count: number) => readonly string[] | null } = {
  "/samples/landedBundles": (sample, count) => (typeof sample === "string" ? idsLike(sample, count) : null),
  "/samples/wallets": (_, count) => unknownAddresses(count),
};

/** Values like a sample, but unknown to the target; [] where we can't make any. */
export function alikeTo(placeholder: Given, count: number, knowledge: Knowledge): readonly Json[] {
  const pointer = pointerOf(placeholder);
  const make = makers[listOf(pointer)?.list ?? ""];
  const sample = givenAt(knowledge, pointer);
  return (sample === undefined ? null : make?.(sample, count)) ?? [];
}

// Changes over nights of unspecified behaviours and of the shapes of answers: what is named, and what isn't.
import { expect, test } from "@playwright/test";
import { described } from "../../cli/described.ts";
import type { Json } from "../../harness/core/json.ts";
import { changesIn } from "../../reports/history/changes.ts";
import type { Night } from "../../reports/history/night.ts";
import type { GroupShape } from "../../reports/history/nightShapes.ts";
import { madeNight, packedOf } from "../support/madeNights.ts";

const id = "OBS-HTTP-SLASH";

/** One value of one case on each night; null where it wasn't observed. */
const behaving = (...values: readonly (Json | null)[]): readonly Night[] =>
  values.map((value, nth) => {
    const behaviours = value === null ? {} : { [id]: { "with a slash": Array.isArray(value) ? value : [value] } };
    return madeNight(nth, {}, { packed: packedOf({ behaviours, shapes: [] }) });
  });
const times = <Value>(count: number, value: Value): readonly Value[] => Array.from({ length: count }, () => value);

for (const [title, values, changes] of [
  ["the same on every night", times(5, "404"), []],
  ["another value that stays", [...times(5, "404"), ...times(3, "308")], [[5, ["404"], ["308"], null]]],
  ["another value for a night", [...times(5, "404"), "308", "404"], [[5, ["404"], ["308"], 6]]],
  ["two values in turn", ["404", "308", "404", "308", "404", "308"], [[1, ["404"], ["308"], 2]]],
  ["a value that joins", [...times(3, "404"), ["404", "308"], "308"], []],
  ["not observed on some nights", ["404", null, null, "404"], []],
  ["changed while it wasn't observed", ["404", null, "308", "308"], [[2, ["404"], ["308"], null]]],
  [
    "back for good after more than a month",
    [...times(3, "404"), ...times(40, "308"), ...times(3, "404")],
    [
      [3, ["404"], ["308"], null],
      [43, ["308"], ["404"], null],
    ],
  ],
  [
    "three values, one after the other",
    ["a", "b", "c"],
    [
      [1, ["a"], ["b"], null],
      [2, ["b"], ["c"], null],
    ],
  ],
] as const)
  test(`a behaviour, ${title}`, () => {
    const found = changesIn(behaving(...(values as readonly (Json | null)[])), described.tables).behaviours;
    expect(found.map(({ night, was, is, back }) => [night, was, is, back])).toEqual(changes);
    for (const change of found) expect(change).toMatchObject({ id, case: "with a slash" });
  });

test("neighbours on a scale follow one another by chance", () => {
  const scaled = described.tables.unspecified.find(({ scales }) => (scales?.[0]?.length ?? 0) > 2);
  const [first = "", second = "", third = ""] = scaled?.scales?.[0] ?? [];
  const nightsOf = (...words: readonly string[]): readonly Night[] =>
    words.map((word, nth) =>
      madeNight(nth, {}, { packed: packedOf({ behaviours: { [scaled?.id ?? ""]: { it: [word] } }, shapes: [] }) }),
    );
  expect(changesIn(nightsOf(first, second, first), described.tables).behaviours).toEqual([]);
  expect(changesIn(nightsOf(first, third), described.tables).behaviours).toHaveLength(1);
});

type Places = GroupShape["places"];

const usual: Places = { "": "object", "/a": "string", "/b": "number?", "/list": "array", "/list/*": "object" };

/** Ten answers of one group on each night, or as many as told. */
const shaped = (
  ...nights: readonly (Places | { readonly answers: number; readonly places: Places })[]
): readonly Night[] =>
  nights.map((one, nth) => {
    const { answers, places } =
      typeof one["answers"] === "number" ? (one as GroupShape) : { answers: 10, places: one as Places };
    const shape = { operation: "getProjectUsage", status: 200, outcome: "served", answers, places } as const;
    return madeNight(nth, {}, { packed: packedOf({ behaviours: {}, shapes: [shape] }) });
  });

const { "/a": _, ...withoutA } = usual;
const { "/b": __, ...withoutB } = usual;
const { "/list/*": ___, ...withEmptyList } = usual;
const header = { "header: x-served-by": "" };

for (const [title, nights, changes] of [
  ["the same on every night", times(5, usual), []],
  ["a member gone", [...times(3, usual), withoutA, withoutA], [[3, "/a", ["string"], [""], null]]],
  ["a member gone for a night", [...times(3, usual), withoutA, usual], [[3, "/a", ["string"], [""], 4]]],
  ["an optional member gone", [...times(3, usual), withoutB], []],
  ["an item of an empty list", [...times(3, usual), withEmptyList], [[3, "/list/*", ["object"], [""], null]]],
  ["a new member", [...times(3, usual), { ...usual, "/new": "string" }], [[3, "/new", [""], ["string"], null]]],
  ["a new member that is optional", [...times(3, usual), { ...usual, "/new": "string?" }], []],
  [
    "a new object with members",
    [...times(3, usual), { ...usual, "/new": "object", "/new/a": "string" }],
    [[3, "/new", [""], ["object"], null]],
  ],
  ["another type", [...times(3, usual), { ...usual, "/a": "number" }], [[3, "/a", ["string"], ["number"], null]]],
  ["one type more", [...times(3, usual), { ...usual, "/a": "number|string" }], []],
  ["null for once", [...times(3, usual), { ...usual, "/a": "null" }, usual], []],
  ["a header gone", [...times(3, { ...usual, ...header }), usual], [[3, "header: x-served-by", ["there"], [""], null]]],
  ["a new header", [...times(3, usual), { ...usual, ...header }], [[3, "header: x-served-by", [""], ["there"], null]]],
  ["a header of some answers gone", [...times(3, { ...usual, "header: x-a": "?" }), usual], []],
  ["too few answers", [...times(3, usual), { answers: 2, places: withoutA }], []],
] as const)
  test(`shapes, ${title}`, () => {
    const found = changesIn(shaped(...nights), described.tables).shapes;
    expect(found.map(({ night, at, was, is, back }) => [night, at, was, is, back])).toEqual(changes);
    const group = { operation: "getProjectUsage", status: 200, outcome: "served" };
    for (const change of found) expect(change.group).toEqual(group);
  });

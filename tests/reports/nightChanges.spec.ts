// Changes over nights of unspecified behaviours and of the shapes of answers: what is named, and what isn't.
import { expect, test } from "@playwright/test";
import { historyOf, madeNight, type Night, pack } from "../support/madeNights.ts";

const id = "OBS-HTTP-SLASH";

async function changesIn(nights: readonly Night[]) {
  const [history] = (await historyOf(nights)).histories;
  if (!history) throw new Error("there is no history");
  return history.changes;
}

/** One value of one case on each night; null where it wasn't observed. */
const behaving = (...values: readonly unknown[]): readonly Night[] =>
  values.map((value, nth) => {
    const cases = { "with a slash": Array.isArray(value) ? value : [value] };
    return madeNight(nth, {}, { packed: pack(value === null ? [] : [[id, cases]]) });
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
    "back to a value of last month, which takes nothing back that is older",
    ["a", ...times(40, "b"), "c", "b"],
    [
      [1, ["a"], ["b"], null],
      [41, ["b"], ["c"], 42],
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
  test(`a behaviour, ${title}`, async () => {
    const found = (await changesIn(behaving(...values))).behaviours;
    expect(found.map(({ night, was, is, back }) => [night, was, is, back])).toEqual(changes);
    for (const change of found) expect(change).toMatchObject({ what: id, where: "with a slash" });
  });

const measuring = (of: string, ...words: readonly string[]): readonly Night[] =>
  words.map((word, nth) => madeNight(nth, {}, { packed: pack([[of, { it: [word] }]]) }));

test("neighbours on a scale follow one another by chance", async () => {
  const changes = (...words: readonly string[]) => changesIn(measuring("OBS-MET-LAG", ...words));
  expect((await changes("within 2 s", "within 10 s", "within 2 s")).behaviours).toEqual([]);
  expect((await changes("within 2 s", "within 30 s")).behaviours).toHaveLength(1);
});

test("what is measured, and so differs from night to night, is no change", async () => {
  const nights = measuring("OBS-HTTP-LATENCY", "1 ms", "2 ms");
  expect(await changesIn(nights)).toEqual({ behaviours: [], shapes: [] });
});

type Places = { readonly [at: string]: string };

const usual: Places = { "": "object", "/a": "string", "/b": "number?", "/list": "array", "/list/*": "object" };

const what = "getProjectUsage 200 served";

/** The answers of one kind on each night. */
const shaped = (...nights: readonly Places[]): readonly Night[] =>
  nights.map((places, nth) => {
    const types = Object.fromEntries(Object.entries(places).map(([at, one]) => [at, [one]]));
    return madeNight(nth, {}, { packed: pack([[what, types]]) });
  });

const { "/a": _, ...withoutA } = usual;
const { "/b": __, ...withoutB } = usual;
const { "/list/*": ___, ...withEmptyList } = usual;
const header = { "header: x-served-by": "there" };

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
  ["a header of some answers gone", [...times(3, { ...usual, "header: x-a": "there?" }), usual], []],
] as const)
  test(`shapes, ${title}`, async () => {
    const found = (await changesIn(shaped(...nights))).shapes;
    expect(found.map(({ night, where, was, is, back }) => [night, where, was, is, back])).toEqual(changes);
    for (const change of found) expect(change.what).toBe(what);
  });

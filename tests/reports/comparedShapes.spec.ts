// Shapes of answers in two runs: what is a change, how often it has to be seen, and how far an answer is looked at.
import { expect, test } from "@playwright/test";
import { type Answer, exchanged, made, pairOf } from "../support/madeRuns.ts";

type Bodies = readonly unknown[];
type Answers = readonly Answer[];
const answersOf = (bodies: Bodies, rest: Parameters<typeof exchanged>[0] = {}): Answers =>
  bodies.map((body) => exchanged({ ...rest, body }));
const changesOf = async (was: Answers, is: Answers) =>
  (await pairOf(made(0, { exchanges: was }), made(9, { exchanges: is }))).shapes;
const changes = async (was: Bodies, is: Bodies): Promise<readonly string[]> =>
  (await changesOf(answersOf(was), answersOf(is))).map(
    ({ at, change, was: before, is: after }) => `${at} ${change}: ${before.join("|")} → ${after.join("|")}`,
  );

const twice = (body: unknown): Bodies => [body, body];
const items = (...all: readonly unknown[]): Bodies => [{ items: all }];
const numbers = (count: number, from = 0): readonly number[] => Array.from({ length: count }, (_, nth) => from + nth);
const [one, two, three] = [
  "D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w",
  "4sh6DMLwtAnmUgFcNUcTVTtNhpDrXrsDmcxioJJ82gfU",
  "5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv",
] as const;
const many = numbers(40);
const half = [...many.slice(20).map((nth) => `text ${nth}`), ...many.slice(0, 20)];

type Row = readonly [title: string, was: Bodies, is: Bodies, changes: readonly string[]];
const rows: readonly Row[] = [
  ["a list that is an object now", twice({ a: [1] }), twice({ a: { b: 1 } }), ["/a other type: array → object"]],
  ["an object that is a list now", twice({ a: { b: 1 } }), twice({ a: [1] }), ["/a other type: object → array"]],
  ["a text that is null now", twice({ a: "x" }), twice({ a: null }), ["/a other type: string → null"]],
  ["a number that is true now", twice({ a: 1 }), twice({ a: true }), ["/a other type: number → boolean"]],
  ["a member of a member", twice({ a: {} }), twice({ a: { b: 1 } }), ["/a/b appeared:  → number"]],
  [
    "several, in order",
    twice({ m: 1 }),
    twice({ z: 1, a: 1 }),
    ["/a appeared:  → number", "/m vanished: number → ", "/z appeared:  → number"],
  ],
  ["a body that is a list now", twice({}), twice([]), [" other type: object → array"]],
  ["one answer before", [{}], twice({ a: 1 }), []],
  ["one answer now", twice({}), [{ a: 1 }], []],
  ["items of two kinds of three", items("a", "b", "c"), items(1, 2, 3), ["/items/* other type: string → number"]],
  ["two items", items("a", "b"), items(1, 2), []],
  ["two items of a body", [["a", "b"]], [[1, 2]], []],
  ["two items before", items("a", "b"), items(1, 2, 3), []],
  ["two items now", items("a", "b", "c"), items(1, 2), []],
  ["a list in a list", items(["a"], ["b"], ["c"]), items([1], [2], [3]), ["/items/*/* other type: string → number"]],
  [
    "an equal member of three items",
    items(...numbers(3).map((n) => ({ n, x: {} }))),
    items(...numbers(3).map((n) => ({ n, x: { y: 1 } }))),
    [],
  ],
  ["texts among many numbers", items(...many), items(...half), ["/items/* other type: number → number|string"]],
  ["no texts among many numbers", items(...half), items(...many), ["/items/* other type: number|string → number"]],
  [
    "a value named by an address",
    twice({ [one]: 1 }),
    twice({ [two]: "x" }),
    ["/<base58> other type: number → string"],
  ],
  [
    "a member of three objects named by addresses",
    [{ [one]: { n: 1 }, [two]: { n: 2 }, [three]: { n: 3 } }],
    [{ [one]: { n: 1, m: 1 }, [two]: { n: 2, m: 1 }, [three]: { n: 3, m: 1 } }],
    ["/<base58>/m appeared:  → number"],
  ],
  ["a member of one object named by an address", twice({ [one]: {} }), twice({ [one]: { m: 1 } }), []],
  [
    "a member of a name that has an id's sign in it",
    twice({ "a<b>": {}, "<b>a": {} }),
    twice({ "a<b>": { m: 1 }, "<b>a": { m: 1 } }),
    ["/<b>a/m appeared:  → number", "/a<b>/m appeared:  → number"],
  ],
];
for (const [title, was, is, expected] of rows)
  test(`changes of shape: ${title}`, async () => expect(await changes(was, is)).toEqual(expected));

test("what one item had and 1,000 others lack has vanished; among 999 others it may be chance", async () => {
  const without = (count: number): Bodies => items(...numbers(count).map((n) => ({ n })));
  const was = items({ n: 0, note: "x" });
  expect(await changes(was, without(1_000))).toEqual(["/items/*/note vanished: string → "]);
  expect(await changes(was, without(999))).toEqual([]);
});

test("an answer is compared down to 16 members one within the other", async () => {
  const nested = (depth: number, leaf: object): unknown => (depth === 0 ? leaf : { a: nested(depth - 1, leaf) });
  const found = async (depth: number) => await changes(twice(nested(depth, {})), twice(nested(depth, { b: 1 })));
  expect(await found(15)).toEqual([`${"/a".repeat(15)}/b appeared:  → number`]);
  expect(await found(16)).toEqual([]);
});

test("2,000 places of answers are compared, the body among them", async () => {
  const wide = (members: number, last: unknown) =>
    Object.fromEntries(numbers(members).map((nth) => [`m${nth}`, nth === members - 1 ? last : nth]));
  const found = async (members: number) => await changes(twice(wide(members, 1)), twice(wide(members, "x")));
  expect(await found(1_999)).toEqual(["/m1998 other type: number → string"]);
  expect(await found(2_000)).toEqual([]);
});

test("a change has its operation, status and outcome, and how many distinct requests or items have it", async () => {
  const holders = (rest: object): Answers => answersOf(items(...numbers(3).map((n) => ({ n, ...rest }))));
  const place = { operation: "getProjectUsage", status: 200, outcome: "served" } as const;
  expect(await changesOf(holders({}), holders({ note: "x" }))).toEqual([
    {
      ...place,
      at: "/items/*/note",
      change: "appeared",
      was: [],
      is: ["string"],
      seen: { was: { have: 0, of: 3 }, is: { have: 3, of: 3 } },
    },
  ]);
  const asked = (body: unknown): Answers =>
    ["a", "b", "b"].flatMap((requestSpec) => answersOf([body], { stimulus: requestSpec }));
  expect((await changesOf(asked({ a: 1 }), asked({ a: "x" }))).map(({ seen }) => seen)).toEqual([
    { was: { have: 2, of: 2 }, is: { have: 0, of: 2 } },
  ]);
});

test("served answers come first, each status by itself, and rate-limited ones are left out", async () => {
  const all = (body: object): Answers => [
    ...answersOf(twice(body), { status: 401 }),
    ...answersOf(twice(body), { status: 201 }),
    ...answersOf(twice(body), { status: 200 }),
    ...answersOf(twice(body), { status: 429, outcome: "throttled" }),
  ];
  expect((await changesOf(all({}), all({ a: 1 }))).map(({ outcome, status, at }) => [outcome, status, at])).toEqual([
    ["served", 201, "/a"],
    ["served", 200, "/a"],
    ["refused", 401, "/a"],
  ]);
});

test("answers that the journal cut show nothing, in whichever run", async () => {
  const [whole, cut] = [answersOf(twice({ a: 1 })), answersOf(twice({ a: "x" }), { isCut: true })];
  expect([await changesOf(whole, cut), await changesOf(cut, whole)]).toEqual([[], []]);
});

// Unspecified behaviours of two runs: alike values, scales, shapes, and when a change was first seen
import { expect, test } from "@playwright/test";
import { instant, made, observed, pairOf, type Run, type Summary } from "../support/madeRuns.ts";

/** What the platform chose, what is measured on scales, and what is compared elsewhere. */
const [id, lag, other] = ["OBS-HTTP-SLASH", "OBS-MET-LAG", "OBS-HTTP-LATENCY"] as const;
type Json = Summary[string];

const seeing = (...observations: Run["observations"]): Run => made(0, { observations });
const drifts = async (was: Run, is: Run) => (await pairOf(was, is)).observations;
/** Whether one case has changed. */
const isChanged = async (was: Json, is: Json, of: string = id): Promise<boolean> =>
  (await drifts(seeing(observed(of, { case: was })), seeing(observed(of, { case: is })))).length > 0;

type Values = readonly (readonly [title: string, was: Json, is: Json, isChanged: boolean])[];

const plain: Values = [
  ["the same number", 200, 200, false],
  ["another number", 200, 404, true],
  ["a text instead of a number", 200, "200", true],
  ["null instead of nothing", { a: null }, {}, true],
  ["nothing instead of null", {}, { a: null }, true],
  ["null as before", { a: null }, { a: null }, false],
  ["the same members in another order", { a: 1, b: 2 }, { b: 2, a: 1 }, false],
  ["another value of a member", { a: 1, b: 2 }, { a: 1, b: 3 }, true],
  ["one member more", { a: 1 }, { a: 1, b: 2 }, true],
  ["one member less", { a: 1, b: 2 }, { a: 1 }, true],
  ["another value of a member's member", { a: { b: 1 } }, { a: { b: 2 } }, true],
  ["an object as before", { a: { b: 1 } }, { a: { b: 1 } }, false],
  ["no members, as before", {}, {}, false],
  ["a number instead of no members", {}, 200, true],
  ["a list as before", [1, 2], [1, 2], false],
  ["a list in another order", [1, 2], [2, 1], true],
  ["a list instead of its only item", [1], 1, true],
  ["a word that would be near, were there a scale", "within 2 s", "within 10 s", true],
];
for (const [title, was, is, expected] of plain)
  test(`of what a platform chose, ${title} is ${expected ? "a" : "no"} change`, async () =>
    expect(await isChanged(was, is)).toBe(expected));

/** Of its scales: four steps of one, and both of another. */
const [low, middle, high, highest] = ["within 2 s", "within 10 s", "within 30 s", "within 60 s"] as const;
const [early, late] = ["none", "seen"] as const;
const measured: Values = [
  ["the same step", low, low, false],
  ["the next step", low, middle, false],
  ["the step before", middle, low, false],
  ["the step after next", low, high, true],
  ["the step before the last one", highest, middle, true],
  ["a step of another scale", low, early, true],
  ["the next step of another scale", early, late, false],
  ["a step of no scale, as before", "never", "never", false],
  ["a step of no scale", low, "never", true],
  ["a scale instead of none", "never", low, true],
  ["another step of no scale", "never", "always", true],
  ["a number instead of a step", low, 0, true],
  ["the next step of each of several", [low, early], [late, middle], false],
  ["one without its neighbour", [low, highest], [low], true],
  ["one more without its neighbour", [low], [low, highest], true],
  ["one instead of a list of it and its neighbour", [low, middle], middle, false],
  ["a list instead of one", middle, [low, high], false],
  ["a list of none instead of one", middle, [], true],
  ["the next step of a member", { a: low }, { a: middle }, false],
  ["the step after next of a member", { a: low }, { a: high }, true],
];
for (const [title, was, is, expected] of measured)
  test(`of what is measured on scales, ${title} is ${expected ? "a" : "no"} change`, async () =>
    expect(await isChanged(was, is, lag)).toBe(expected));

const shapes: Values = [
  ["a whole number that is a fraction now", { "/a": "int" }, { "/a": "frac" }, false],
  ["a whole number that is large now", { "/a": "int" }, { "/a": "big" }, false],
  ["a text of another kind", { "/a": "uuid", "/b": "hex" }, { "/a": "date", "/b": "base58" }, false],
  ["a text that isn't a date now", { "/a": "date" }, { "/a": "free" }, false],
  ["a text of other words", { "/a": "free(x,y)" }, { "/a": "free(z)" }, false],
  ["a text that may be null now", { "/a": "free(x)" }, { "/a": "free|null(x)" }, false],
  ["null instead of anything", { "/a": "int" }, { "/a": "null" }, false],
  ["anything instead of null", { "/a": "null" }, { "/a": "int" }, false],
  ["one of several types", { "/a": "int|free" }, { "/a": "free" }, false],
  ["a text instead of a number", { "/a": "int" }, { "/a": "free" }, true],
  ["a text that may be null instead of a number", { "/a": "int|null" }, { "/a": "free|null" }, true],
  ["a list instead of an object", { "/a": "object" }, { "/a": "array" }, true],
  ["a list instead of the body's object", { "": "object" }, { "": "array" }, true],
  ["one field more", { "": "object", "/a": "int" }, { "": "object", "/a": "int", "/b": "int" }, true],
  ["one field less", { "/a": "int", "/b": "int" }, { "/a": "int" }, true],
  ["a field less in an object", { "/a": "object", "/a/b": "int" }, { "/a": "object" }, true],
  ["a field more in an object", { "/a": "object" }, { "/a": "object", "/a/b": "int" }, true],
  ["no body instead of one", { "": "object", "/a": "int" }, {}, true],
  [
    "fields of an object that only one has",
    { "/x/y": "int" },
    { "/x/y": "int", "/a/b": "object", "/a/b/c": "int" },
    false,
  ],
  ["fields of an object that one had", { "/x/y": "int", "/a/b": "object", "/a/b/c": "int" }, { "/x/y": "int" }, false],
  ["fields below a name that is empty", { "/x/y": "int" }, { "/x/y": "int", "//b": "int" }, false],
  ["a value that is no type beside a pointer", { "/a": "int", "/b": 1 }, { "/a": "frac", "/b": 1 }, true],
  ["a name that is no pointer beside one", { "/a": "int", b: "int" }, { "/a": "frac", b: "int" }, true],
  ["another text of a case that is no pointer", { a: "int" }, { a: "frac" }, true],
  ["a text where there was a shape", { "/a": "int" }, "none", true],
  ["a text where there were fields of an object", { "/a/b": "int" }, "none", true],
];
for (const [title, was, is, expected] of shapes)
  test(`of shapes, ${title} is ${expected ? "a" : "no"} change`, async () =>
    expect(await isChanged(was, is)).toBe(expected));

type Passes = readonly (readonly [title: string, was: readonly Summary[], is: readonly Summary[], cases: unknown])[];
const passes: Passes = [
  ["every changed case", [{ a: 1, b: 1, c: 1 }], [{ a: 2, b: 1, c: 3 }], { a: [[1], [2]], c: [[1], [3]] }],
  [
    "equal values once",
    [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }],
    [{ a: 2 }, { a: 2 }],
    { a: [[{ x: 1, y: 2 }], [2]] },
  ],
  [
    "values of all passes",
    [{ a: 1 }, { a: 2 }],
    [{ a: 3 }, { a: 4 }],
    {
      a: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  ["no case with a value in common", [{ a: 1 }, { a: 2 }], [{ a: 3 }, { a: 2 }], {}],
  ["no case that only one of the runs has", [{ a: 1 }], [{ b: 2 }], {}],
  ["a case that one pass alone had", [{ a: 1 }, { b: 1 }], [{ b: 2 }], { b: [[1], [2]] }],
];
for (const [title, was, is, cases] of passes)
  test(`a change has ${title}`, async () => {
    const [found] = await drifts(seeing(observed(id, ...was)), seeing(observed(id, ...is)));
    const all = (found?.cases ?? []).map((one) => [one.case, [one.was, one.is]]);
    expect(Object.fromEntries(all)).toEqual(cases);
  });

test("what only one of the runs observed, or what is compared elsewhere, is no change", async () => {
  const [was, is] = [{ a: 1 }, { a: 2 }] as const;
  expect(await drifts(seeing(), seeing(observed(id, is)))).toEqual([]);
  expect(await drifts(seeing(observed(id, was)), seeing())).toEqual([]);
  expect(await drifts(seeing(observed(other, was)), seeing(observed(other, is)))).toEqual([]);
  const both = await drifts(
    seeing(observed(other, was), observed(id, was)),
    seeing(observed(other, is), observed(id, is)),
  );
  expect(both.map((one) => [one.id, one.question, one.clause])).toEqual([[id, "An unspecified behaviour", "§4.1"]]);
});

test("what the interface doesn't list is compared by its values", async () => {
  expect(await isChanged(1, 2, "OBS-GONE-01")).toBe(true);
});

/** A run with its start, what it observed of one case, and whose it is. */
type Seen = readonly [second: number, value: Json, name?: string];
const firstSeen: readonly (readonly [title: string, others: readonly Seen[], run: number])[] = [
  ["in that run itself", [], 1],
  ["in an earlier run of the target", [[100, low]], 2],
  ["not in a later run", [[300, low]], 1],
  [
    "in the earliest of several",
    [
      [120, low],
      [110, low],
      [130, low],
    ],
    3,
  ],
  ["not in a run of another target", [[100, low, "ajax"]], 1],
  ["not in a run that observed something else", [[100, "never"]], 1],
  ["not in a run that observed what is near", [[100, middle]], 1],
  ["in that run, of two that began together", [[200, low]], 1],
];
for (const [title, others, at] of firstSeen)
  test(`a change was first seen ${title}`, async () => {
    const ran = ([second, value, name = "acme"]: Seen): Run =>
      made(second, { name, observations: [observed(lag, { a: value })] });
    const runs = [ran([0, highest]), ran([200, low]), ...others.map(ran)];
    const [base, head, ...rest] = runs as [Run, Run, ...Run[]];
    const [found] = (await pairOf(base, head, ...rest)).observations;
    expect(found?.firstSeen).toEqual({ run: at, at: runs[at]?.startedAt });
  });

test("a change was first seen where one of its cases was, though others weren't observed there", async () => {
  const ran = (second: number, ...summaries: readonly Summary[]): Run =>
    made(second, { observations: summaries.map((summary) => observed(id, summary)) });
  const runs = [
    ran(0, { a: 1, b: 1 }),
    ran(200, { a: 2, b: 2 }),
    ran(100, { b: 2 }),
    ran(50, { c: 2 }),
    ran(40),
  ] as const;
  expect((await pairOf(...runs)).observations.map((one) => one.firstSeen)).toEqual([{ run: 2, at: instant(100) }]);
});

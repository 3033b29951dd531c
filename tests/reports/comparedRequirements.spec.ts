// How requirements of two runs are compared: each state with each other, exit codes, new places, the matrix.
import { expect, test } from "@playwright/test";
import {
  breach,
  compared,
  exchanged,
  type JudgedRequirement,
  judged,
  made,
  narrowed,
  pairOf,
  type Run,
} from "../support/madeRuns.ts";

/** In the order of the specs, besides one that they don't have. */
const [first, second, third, unknown] = ["USG-HTTP-01", "USG-FLD-01", "USG-FLD-02", "USG-GONE-01"] as const;
const runOf = (requirements: readonly JudgedRequirement[], rest: Partial<Run> = {}): Run =>
  made(0, { ...rest, requirements });
const changesBetween = async (base: Run, head: Run) => (await pairOf(base, head)).requirements;
const changesOf = (was: readonly JudgedRequirement[], is: readonly JudgedRequirement[]) =>
  changesBetween(runOf(was), runOf(is));

const renamed = { renamed: [{ documented: "a", name: "b" }] } as const;
const states = {
  holds: [judged(first, "holds")],
  narrowed: [judged(first, "holds", narrowed("a"))],
  broken: [judged(first, "broken")],
  warned: [judged(first, "broken", { enforced: "warn" })],
  noted: [judged(first, "broken", { enforced: "note" })],
  deviates: [judged(first, "deviates")],
  renamed: [judged(first, "deviates", renamed)],
  fixed: [judged(first, "holds", { entry: { file: "acme.deviations.yaml", line: 3 } })],
  withheld: [judged(first, "withheld")],
  untestable: [judged(first, "withheld", { reasons: [{ kind: "noControl", of: "a test project" }] })],
  inconclusive: [judged(first, "inconclusive")],
  absent: [],
} as const;
type StateName = keyof typeof states;
const names = Object.keys(states) as readonly StateName[];

/** For each state before, the list in which it is with each state now, in the order above; `-` for none. */
const became: { readonly [was in StateName]: string } = {
  holds: "- narrower broken broken broken known - - unjudged unjudged unjudged unplanned",
  narrowed: "wider - broken broken broken known - wider unjudged unjudged unjudged unplanned",
  broken: "fixed fixed - - - known - fixed unjudged unjudged unjudged -",
  warned: "fixed fixed - - - known - fixed unjudged unjudged unjudged -",
  noted: "fixed fixed - - - known - fixed unjudged unjudged unjudged -",
  deviates: "fixed fixed broken broken broken known - fixed unjudged unjudged unjudged unplanned",
  renamed: "fixed fixed broken broken broken known - fixed unjudged unjudged unjudged unplanned",
  fixed: "- narrower broken broken broken known - - unjudged unjudged unjudged unplanned",
  withheld: "verified verified broken broken broken known - verified - - - unplanned",
  untestable: "verified verified broken broken broken known - verified - - - unplanned",
  inconclusive: "verified verified broken broken broken known - verified - - - unplanned",
  absent:
    "unplanned unplanned broken broken broken known+unplanned unplanned unplanned unplanned unplanned unplanned -",
};
for (const was of names)
  test(`of what was ${was}, each state now is in its list`, async () => {
    const { pairs } = await compared([runOf(states[was]), ...names.map((is) => runOf(states[is]))]);
    const lists = pairs.map(({ requirements }) => {
      const found = Object.entries<readonly unknown[]>({ ...requirements }).filter(([, some]) => some.length > 0);
      return found.map(([list]) => list).join("+") || "-";
    });
    expect(lists.join(" ")).toBe(became[was]);
  });

const partly = (member: string, inPart: boolean): NonNullable<JudgedRequirement["narrowed"]> => ({
  axis: "operation",
  tried: [],
  untried: [{ member, reason: "no sample", inPart }],
});

test("what was renamed and tried in part, and holds in full, is fixed and not wider", async () => {
  const was = [judged(first, "deviates", { ...renamed, narrowed: partly("a", false) })];
  const { fixed, wider } = await changesOf(was, states.holds);
  expect([fixed.length, wider]).toEqual([1, []]);
  expect((await changesOf(states.holds, was)).narrower).toEqual([]);
});

test("a state names what wasn't tried, or in part only, and what is tried more than before is wider", async () => {
  const of = (inPart: boolean): readonly JudgedRequirement[] => [
    judged(first, "holds", { narrowed: partly("a", inPart) }),
  ];
  const { wider, narrower } = await changesOf(of(false), of(true));
  expect(wider.map(({ was, is }) => [was.untried, is.untried])).toEqual([[["a"], ["a in part"]]]);
  expect(narrower).toHaveLength(1);
});

test("a requirement's words are those of the later run, and its reasons are those of each", async () => {
  const [was, is] = [
    judged(first, "holds"),
    judged(first, "withheld", { reason: "no key", clause: "§9", level: "may" }),
  ];
  expect((await changesOf([was], [is])).unjudged).toEqual([
    {
      id: first,
      sentence: `The sentence of ${first}`,
      clause: "§9",
      level: "may",
      was: { kind: "holds", reason: null },
      is: { kind: "withheld", reason: "no key" },
      shown: null,
    },
  ]);
  expect((await changesOf([], [is])).unplanned).toEqual([first]);
});

test("lists are in the register's order, with ids that it doesn't have at the end", async () => {
  const ids: readonly string[] = [unknown, third, second, first];
  const all = (verdict: JudgedRequirement["verdict"]) => ids.map((id) => judged(id, verdict));
  const found = (await changesOf(all("holds"), all("broken"))).broken;
  expect(found.map(({ id }) => id)).toEqual([first, second, third, unknown]);
});

type Ended = readonly [title: string, was: StateName, is: StateName, code: 0 | 1 | 3, cut?: "base" | "head"];
const ended: readonly Ended[] = [
  ["newly broken", "holds", "broken", 1],
  ["newly broken though a run was cut short", "holds", "broken", 1, "head"],
  ["newly broken, and never judged before", "withheld", "broken", 1],
  ["a new warning", "holds", "warned", 0],
  ["a new note", "holds", "noted", 0],
  ["nothing new", "holds", "holds", 0],
  ["nothing new in a run that was cut short", "holds", "holds", 3, "head"],
  ["nothing new after a run that was cut short", "holds", "holds", 3, "base"],
  ["judged in both, though it only deviates", "deviates", "renamed", 0],
  ["broken in both", "broken", "broken", 0],
  ["inconclusive now", "holds", "inconclusive", 3],
  ["nothing judged now", "holds", "withheld", 3],
  ["nothing judged before", "withheld", "holds", 3],
  ["nothing planned before", "absent", "holds", 3],
];
for (const [title, was, is, code, cut] of ended)
  test(`exit code ${code}: ${title}`, async () => {
    const base = runOf(states[was], { complete: cut !== "base" });
    const head = runOf(states[is], { complete: cut !== "head" });
    expect((await pairOf(base, head)).exitCode).toBe(code);
  });

test("one requirement that both runs judged is enough for exit code 0", async () => {
  const runs = [
    runOf([judged(first, "withheld"), judged(second, "holds")]),
    runOf([judged(first, "withheld"), judged(second, "holds"), judged(third, "withheld")]),
  ] as const;
  expect((await pairOf(...runs)).exitCode).toBe(0);
});

const at = (place: string, exchange = 1): typeof breach => ({
  ...breach,
  at: place as "/creditCycle",
  exchange: exchange as 1,
});
type Breaches = readonly (typeof breach)[];
const exchanges = [
  exchanged({ number: 1, stimulus: "one" }),
  exchanged({ number: 2, stimulus: "two", title: "two" }),
  exchanged({ number: 3, stimulus: "other operation", operation: "getTokenAccounts", title: "three" }),
];
const brokenAt = (breaches: Breaches, some = exchanges): Run =>
  runOf([judged(first, "broken", { breaches })], { exchanges: some });
const elsewhere = async (base: Run, head: Run) =>
  (await changesBetween(base, head)).brokenElsewhere.map(({ shown }) => [shown?.title, shown?.at]);

const places: readonly (readonly [title: string, was: Breaches, is: Breaches, found: readonly unknown[]])[] = [
  ["the same place", [at("/a")], [at("/a")], []],
  ["the same place in the answer to another request", [at("/a")], [at("/a", 2)], []],
  ["another item of a list", [at("/a/0/b")], [at("/a/12/b")], []],
  ["another place", [at("/a")], [at("/a"), at("/b", 2), at("/c")], [["two", "/b"]]],
  ["the same place in an answer of another operation", [at("/a")], [at("/a", 3)], [["three", "/a"]]],
  ["a place of an exchange that the run doesn't have", [at("/a")], [at("/b", 9)], []],
  ["a place that was broken in an exchange unknown", [at("/a", 9)], [at("/a", 2)], [["two", "/a"]]],
];
for (const [title, was, is, found] of places)
  test(`of breaches at further places: ${title}`, async () =>
    expect(await elsewhere(brokenAt(was), brokenAt(is))).toEqual(found));

test("a further place in an answer to a request that the base didn't send is none", async () => {
  const [one, two] = [at("/a"), at("/b", 2)];
  expect(await elsewhere(brokenAt([one], exchanges.slice(0, 1)), brokenAt([one, two]))).toEqual([]);
  expect(await elsewhere(brokenAt([one], exchanges.slice(0, 2)), brokenAt([one, two]))).toHaveLength(1);
});

test("what deviates as declared has no further places", async () => {
  const deviating = runOf([judged(first, "deviates", { breaches: [at("/a")] })], { exchanges });
  expect(await elsewhere(deviating, brokenAt([at("/b")]))).toEqual([]);
  expect(await elsewhere(brokenAt([at("/a")]), deviating)).toEqual([]);
});

test("a breach is shown with the title of its exchange, or without where the run doesn't have it", async () => {
  const shown = async (breaches: Breaches) =>
    (await changesBetween(runOf(states.holds), brokenAt(breaches))).broken.map((one) => one.shown);
  expect(await shown([at("/a", 2), at("/b")])).toMatchObject([{ title: "two", at: "/a", expected: "must be there" }]);
  expect(await shown([at("/a", 9)])).toMatchObject([{ title: null, at: "/a" }]);
  expect(await shown([])).toEqual([null]);
});

test("reworded requirements are in no other list", async () => {
  const was = [judged(first, "holds", { sentence: "Before" }), judged(second, "broken", { sentence: "Before" })];
  const is = [judged(first, "broken"), judged(second, "broken", { breaches: [at("/z")] })];
  const { reworded, ...lists } = await changesBetween(runOf(was, { exchanges }), runOf(is, { exchanges }));
  expect([reworded, Object.values(lists).flat()]).toEqual([[first, second], []]);
});

const verdict = (id: string, name: StateName): readonly JudgedRequirement[] =>
  states[name].map((one) => ({ ...one, id: judged(id, "holds").id, sentence: name }));
const matrixOf = async (runs: readonly Run[]) => (await compared(runs)).matrix;
const matrix = async (...rows: readonly (readonly [id: string, ...kinds: readonly StateName[]])[]) => {
  const runs = [0, 1].map((nth) => runOf(rows.flatMap(([id, ...kinds]) => verdict(id, kinds[nth] ?? "absent"))));
  return (await matrixOf(runs)).map(({ id, kinds }) => [id, ...kinds].join(" "));
};

test("of two kinds the worse comes first in the matrix", async () => {
  const order = "broken warned noted inconclusive renamed deviates withheld narrowed holds absent".split(" ");
  for (const [nth, better] of (order.slice(1) as readonly StateName[]).entries()) {
    const worse = order[nth] as StateName;
    const rows = await matrix([first, better, "holds"], [second, worse, "holds"]);
    expect(rows.map((row) => row.split(" ")[0])).toEqual([second, first]);
  }
});

test("where the worst is the same, the row with the worse others comes first, then the register's order", async () => {
  expect(await matrix([third, "broken", "holds"], [second, "broken", "holds"], [first, "warned", "warned"])).toEqual([
    `${second} broken holds`,
    `${third} broken holds`,
    `${first} warned warned`,
  ]);
  expect(await matrix([first, "broken", "holds"], [second, "holds", "broken"], [third, "broken", "withheld"])).toEqual([
    `${third} broken withheld`,
    `${first} broken holds`,
    `${second} holds broken`,
  ]);
});

test("a row of the matrix has the words of the last run that planned it", async () => {
  const runs = [runOf(verdict(first, "holds")), runOf(verdict(first, "broken")), runOf(verdict(second, "withheld"))];
  expect(await matrixOf(runs)).toEqual([
    { id: first, sentence: "broken", clause: "§2.1", level: "must", kinds: ["holds", "broken", "absent"] },
    { id: second, sentence: "withheld", clause: "§2.1", level: "must", kinds: ["absent", "absent", "withheld"] },
  ]);
});

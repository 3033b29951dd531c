// Runs as a whole: which can be compared, exit codes and places of pairs, loads left out, and notes.
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import type { Run, RunObservation } from "../../harness/record/run.ts";
import { compare, whyNotComparable } from "../../reports/compare/compare.ts";
import { wereTogether } from "../../reports/compare/freshness.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { exchanged, instant, judged, made, observed, pairOf } from "../support/madeRuns.ts";

const judging = (id: string, name: string, version: string) => ({ id, interface: { name, version, digest: "d" } });
const [one, same] = [judging("one", "platform", "1.0.0"), judging("same", "platform", "1.0.0")];
const [later, other] = [judging("later", "platform", "2.0.0"), judging("other", "service", "1.0.0")];

const comparable: readonly (readonly [title: string, runs: readonly (typeof one)[], named: string | null])[] = [
  ["no run", [], null],
  ["one run", [one], null],
  ["runs of one interface", [one, same, same], null],
  ["a run of another version", [one, later], 'one judged "platform" 1.0.0, later judged "platform" 2.0.0'],
  ["a run of another name", [one, other], 'one judged "platform" 1.0.0, other judged "service" 1.0.0'],
  ["the first of two that differ", [one, same, later, other], "later judged"],
];
for (const [title, runs, named] of comparable)
  test(`whether runs can be compared: ${title}`, () => {
    const why = whyNotComparable(runs);
    if (named === null) expect(why).toBeNull();
    else expect(why).toContain(named);
  });

test("there is nothing to compare of no run, or of one", () => {
  expect(() => compare([], "", described)).toThrow("nothing to compare");
  expect(() => compare([made(0)], "", described)).toThrow("nothing to compare");
});

const held = made(0);
const short = made(0, { complete: false });
const broken = made(0, { requirements: [judged("USG-HTTP-01", "broken")] });

const codes: readonly (readonly [heads: readonly Run[], code: 0 | 1 | 3, each: readonly number[]])[] = [
  [[held, held], 0, [0, 0]],
  [[held, short], 3, [0, 3]],
  [[short, broken], 1, [3, 1]],
  [[broken, held], 1, [1, 0]],
];
for (const [heads, code, each] of codes)
  test(`the exit code of pairs with ${each.join(" and ")} is ${code}`, () => {
    const { exitCode, pairs } = compare([held, ...heads], "", described);
    expect([exitCode, ...pairs.map((pair) => [pair.base, pair.head, pair.exitCode])]).toEqual([
      code,
      ...each.map((own, nth) => [0, nth + 1, own]),
    ]);
  });

test("a comparison has its format, who made it, and the interface", () => {
  const { format, version, interface: of } = compare([held, held], "0.9.0", described);
  expect([format, version, of]).toEqual([2, "0.9.0", { name: "platform", version: "1.0.0" }]);
});

test("runs of one target are distinguished by their places", () => {
  const runs = [made(0), made(0, { name: "ajax" }), made(9)];
  expect(compare(runs, "", described).runs.map(({ name }) => name)).toEqual(["acme #1", "ajax", "acme #3"]);
});

const four = [1, 2, 3, 4].map((number) => exchanged({ number }));
const loads = { none: {}, only: { load: madeLoad() }, "after two": { load: madeLoad({ after: 2 }) } } as const;
type LoadName = keyof typeof loads;

const loaded: readonly (readonly [base: LoadName, head: LoadName, latencies: readonly [number, number] | null])[] = [
  ["none", "none", [4, 4]],
  ["none", "after two", [2, 2]],
  ["only", "none", null],
  ["none", "only", null],
  ["only", "only", null],
];
for (const [base, head, counts] of loaded)
  test(`latency and limits of a run with load: ${base}, and one with load: ${head}`, () => {
    const { latency, limits, notes } = pairOf(
      made(0, { exchanges: four, ...loads[base] }),
      made(0, { exchanges: four, ...loads[head] }),
    );
    expect(latency.map(({ was, is }) => [was.count, is.count])).toEqual(counts === null ? [] : [counts]);
    expect(limits).toHaveLength(counts === null ? 0 : 1);
    expect(notes).toEqual(
      counts === null ? ["Latency and rate limits aren't compared: one of the runs is nothing but a load."] : [],
    );
  });

const [slash, letters, bearer] = ["OBS-HTTP-SLASH", "OBS-HTTP-CASE", "OBS-AUTH-BEARER"] as const;
const seen = (id: Parameters<typeof observed>[0]): RunObservation => observed(id, { a: 1 });
const unseen = (id: Parameters<typeof observed>[0]): RunObservation => ({ ...observed(id), state: "withheld" });

type Observations = readonly RunObservation[];
const once = "1 unspecified behaviour not compared, because only one of the runs observed it.";
const twice = "2 unspecified behaviours not compared, because only one of the runs observed them.";
const observing: readonly (readonly [title: string, was: Observations, is: Observations, notes: readonly string[]])[] =
  [
    ["the same ones", [seen(slash), seen(letters)], [seen(letters), seen(slash)], []],
    ["none", [], [], []],
    ["one less", [seen(slash)], [], [once]],
    ["one that is withheld now", [seen(slash)], [unseen(slash)], [once]],
    ["one that was withheld before", [unseen(slash)], [seen(slash)], [once]],
    ["one that is withheld in both", [unseen(slash)], [unseen(slash)], []],
    ["one that is withheld in one, and unknown to the other", [unseen(slash)], [], []],
    ["two more", [seen(slash)], [seen(slash), seen(letters), seen(bearer)], [twice]],
    ["one more and one less", [seen(slash), seen(bearer)], [seen(slash), seen(letters)], [twice]],
  ];
for (const [title, was, is, notes] of observing)
  test(`a note on unspecified behaviours that runs observed: ${title}`, () =>
    expect(pairOf(made(0, { observations: was }), made(0, { observations: is })).notes).toEqual(notes));

const all = (verdict: "holds" | "broken", ...more: readonly ("USG-FLD-01" | "USG-FLD-02")[]) =>
  (["USG-HTTP-01", ...more] as const).map((id) => judged(id, verdict));

test("a note counts the requirements that only one of the runs planned", () => {
  const notes = (...more: readonly ("USG-FLD-01" | "USG-FLD-02")[]) =>
    pairOf(made(0), made(0, { requirements: all("holds", ...more) })).notes;
  expect(notes()).toEqual([]);
  expect(notes("USG-FLD-01")).toEqual(["1 requirement not compared, because only one of the runs planned it."]);
  expect(notes("USG-FLD-01", "USG-FLD-02")).toEqual([
    "2 requirements not compared, because only one of the runs planned them.",
  ]);
});

test("notes come in order: runs cut short, other editions, requirements, behaviours, times", () => {
  const reworded = all("holds", "USG-FLD-01").map((one) => ({ ...one, sentence: "Before" }));
  const base = made(0, { complete: false, requirements: reworded, observations: [seen(slash)] });
  const head = made(60, {
    complete: false,
    requirements: all("holds", "USG-FLD-01", "USG-FLD-02"),
    interface: { ...base.interface, digest: "e" },
  });
  expect(pairOf(base, head).notes).toEqual([
    `${base.id} was cut short.`,
    `${head.id} was cut short.`,
    "The runs were judged by different editions of the specs; reworded requirements aren't compared.",
    "2 requirements not compared, because reworded: USG-HTTP-01, USG-FLD-01.",
    "1 requirement not compared, because only one of the runs planned it.",
    once,
    "The runs didn't overlap in time: slots are compared with the newest of the same run.",
  ]);
  expect(pairOf(made(0), made(0, { complete: false })).notes).toHaveLength(1);
});

test("a note on runs that didn't overlap in time comes only where an interface has figures of newness", () => {
  const notes = (newest: { readonly [figure: string]: string }, second: number) =>
    compare([made(0), made(second)], "", { ...described, newest }).pairs.map((pair) => pair.notes.length);
  expect([notes({}, 60), notes({ slot: "/slot" }, 60), notes({ slot: "/slot" }, 59)]).toEqual([[0], [1], [0]]);
});

type Span = readonly [from: number, to: number | null];
const spans: readonly (readonly [title: string, one: Span, other: Span, isTogether: boolean])[] = [
  ["overlap", [0, 60], [30, 90], true],
  ["one within the other", [0, 60], [20, 30], true],
  ["one right after the other", [0, 60], [60, 120], false],
  ["one long after the other", [0, 60], [100, 120], false],
  ["one that never ended", [0, null], [0, 60], false],
  ["two that never ended", [0, null], [0, null], false],
];
for (const [title, ...[a, b, isTogether]] of spans)
  test(`whether runs were together: ${title}`, () => {
    const [first, second] = [a, b].map(([from, to]) => made(from, { endedAt: to === null ? null : instant(to) })) as [
      Run,
      Run,
    ];
    expect([wereTogether(first, second), wereTogether(second, first)]).toEqual([isTogether, isTogether]);
  });

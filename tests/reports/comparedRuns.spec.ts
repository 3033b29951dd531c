// Runs as a whole: which can be compared, exit codes and places of pairs, loads left out, and notes.
import { expect, test } from "@playwright/test";
import { read } from "../support/assay.ts";
import { madeLoad } from "../support/madeLoads.ts";
import {
  compared,
  edition,
  exchanged,
  instant,
  judged,
  made,
  observed,
  pairOf,
  type Run,
  sayCompared,
} from "../support/madeRuns.ts";

const judging = (id: string, name: string, version: string): Run =>
  made(0, { id, interface: { name, version, digest: "d" } });
const [one, same] = [judging("one", "platform", "1.0.0"), judging("same", "platform", "1.0.0")];
const [later, other] = [judging("later", "platform", "2.0.0"), judging("other", "service", "1.0.0")];

const refused: readonly (readonly [title: string, runs: readonly Run[], named: string])[] = [
  ["one run", [one], "Name two runs to compare"],
  ["a run of another version", [one, later], 'one judged "platform" 1.0.0, later judged "platform" 2.0.0'],
  ["a run of another name", [one, other], 'one judged "platform" 1.0.0, other judged "service" 1.0.0'],
  ["the first of two that differ", [one, same, later, other], "later judged"],
];
for (const [title, runs, named] of refused)
  test(`what can't be compared is refused: ${title}`, async () => {
    expect(await sayCompared(runs)).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(named) });
  });

test("runs of one interface can be compared", async () => {
  expect((await compared([one, same, same])).pairs).toHaveLength(2);
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
  test(`the exit code of pairs with ${each.join(" and ")} is ${code}`, async () => {
    const { exitCode, pairs } = await compared([held, ...heads]);
    expect([exitCode, ...pairs.map((pair) => [pair.base, pair.head, pair.exitCode])]).toEqual([
      code,
      ...each.map((own, nth) => [0, nth + 1, own]),
    ]);
  });

test("a comparison has its format, who made it, and the interface", async () => {
  const { format, version, interface: of } = await compared([held, held]);
  expect([format, version, of]).toEqual([
    2,
    (JSON.parse(read("package.json")) as Run).version,
    { name: edition.name, version: edition.version },
  ]);
});

test("runs of one target are distinguished by their places", async () => {
  const runs = [made(0), made(0, { name: "ajax" }), made(9)];
  expect((await compared(runs)).runs.map(({ name }) => name)).toEqual(["acme #1", "ajax", "acme #3"]);
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
  test(`latency and limits of a run with load: ${base}, and one with load: ${head}`, async () => {
    const [first, second] = [
      made(0, { name: "first", exchanges: four, ...loads[base] }),
      made(9, { name: "second", exchanges: four, ...loads[head] }),
    ];
    const { latency, limits, notes } = await pairOf(first, second);
    expect(latency.map(({ was, is }) => [was.count, is.count])).toEqual(counts === null ? [] : [counts]);
    expect(limits).toHaveLength(counts === null ? 0 : 1);
    const [load, run] = base === "only" ? [first, second] : [second, first];
    const lone =
      `${load.id} is only a load (smoke), and ${run.id} isn't: latency, rate limits and what only checks prove ` +
      "aren't compared.";
    const none = "Latency isn't compared: no operation was served in both.";
    expect(notes).toEqual(counts !== null ? [] : base === head ? [none] : [lone]);
  });

const [slash, letters, bearer] = ["OBS-HTTP-SLASH", "OBS-HTTP-CASE", "OBS-AUTH-BEARER"] as const;
const seen = (id: Parameters<typeof observed>[0]): Run["observations"][number] => observed(id, { a: 1 });
const unseen = (id: Parameters<typeof observed>[0]): Run["observations"][number] => ({
  ...observed(id),
  state: "withheld",
});

type Observations = readonly Run["observations"][number][];
const once = "1 unspecified behaviour not compared, because only one of the runs observed it.";
const twice = "2 unspecified behaviours not compared, because only one of the runs observed them.";
const observing: readonly (readonly [title: string, was: Observations, is: Observations, notes: readonly string[]])[] =
  [
    ["the same ones", [seen(slash), seen(letters)], [seen(letters), seen(slash)], []],
    ["none", [], [], []],
    ["one less", [seen(slash)], [], [once]],
    ["one that is not tested any more", [seen(slash)], [unseen(slash)], [once]],
    ["one that was withheld before", [unseen(slash)], [seen(slash)], [once]],
    ["one that is withheld in both", [unseen(slash)], [unseen(slash)], []],
    ["one that is withheld in one, and unknown to the other", [unseen(slash)], [], []],
    ["two more", [seen(slash)], [seen(slash), seen(letters), seen(bearer)], [twice]],
    ["one more and one less", [seen(slash), seen(bearer)], [seen(slash), seen(letters)], [twice]],
  ];
for (const [title, was, is, notes] of observing)
  test(`a note on unspecified behaviours that runs observed: ${title}`, async () =>
    expect((await pairOf(made(0, { observations: was }), made(0, { observations: is }))).notes).toEqual(notes));

const all = (verdict: "holds" | "broken", ...more: readonly ("USG-FLD-01" | "USG-FLD-02")[]) =>
  (["USG-HTTP-01", ...more] as const).map((id) => judged(id, verdict));

test("a note counts the requirements that only one of the runs planned", async () => {
  const notes = async (...more: readonly ("USG-FLD-01" | "USG-FLD-02")[]) =>
    (await pairOf(made(0), made(0, { requirements: all("holds", ...more) }))).notes;
  expect(await notes()).toEqual([]);
  expect(await notes("USG-FLD-01")).toEqual(["1 requirement not compared, because only one of the runs planned it."]);
  expect(await notes("USG-FLD-01", "USG-FLD-02")).toEqual([
    "2 requirements not compared, because only one of the runs planned them.",
  ]);
});

test("notes come in order: runs cut short, other editions, requirements, behaviours, times", async () => {
  const reworded = all("holds", "USG-FLD-01").map((one) => ({ ...one, sentence: "Before" }));
  const base = made(0, { complete: false, requirements: reworded, observations: [seen(slash)] });
  const head = made(60, {
    complete: false,
    requirements: all("holds", "USG-FLD-01", "USG-FLD-02"),
    interface: { ...base.interface, digest: "e" },
  });
  expect((await pairOf(base, head)).notes).toEqual([
    `${base.id} was cut short.`,
    `${head.id} was cut short.`,
    "The runs were judged by different editions of the specs; reworded requirements aren't compared.",
    "2 requirements not compared, because reworded: USG-HTTP-01, USG-FLD-01.",
    "1 requirement not compared, because only one of the runs planned it.",
    once,
    "The runs didn't overlap in time: slots are compared with the newest of the same run.",
  ]);
  expect((await pairOf(made(0), made(0, { complete: false }))).notes).toHaveLength(1);
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
  test(`whether runs were together: ${title}`, async () => {
    const [first, second] = [a, b].map(([from, to]) => made(from, { endedAt: to === null ? null : instant(to) }));
    if (!first || !second) throw new Error("there are no runs");
    const apart = ["The runs didn't overlap in time: slots are compared with the newest of the same run."];
    for (const pair of [pairOf(first, second), pairOf(second, first)])
      expect((await pair).notes).toEqual(isTogether ? [] : apart);
  });

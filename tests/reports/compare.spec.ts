// Comparison of runs: requirements, unspecified behaviours, the matrix, exit codes.
import { expect, test } from "@playwright/test";
import {
  breach,
  compared,
  edition,
  exchanged,
  instant,
  type JudgedRequirement,
  judged,
  made,
  narrowed,
  observed,
  pairOf,
  type Run,
  type Summary,
  sayCompared,
} from "../support/madeRuns.ts";

const ids = (some: readonly { readonly id: string }[]): readonly string[] => some.map(({ id }) => id);

const withState = (second: number, verdict: JudgedRequirement["verdict"], rest: Partial<JudgedRequirement> = {}): Run =>
  made(second, { requirements: [judged("USG-HTTP-01", "holds"), judged("CYC-PRES-01", verdict, rest)] });
const heldBefore = withState(0, "holds");

const became = [
  { was: "holds", is: "broken", list: "broken", exitCode: 1 },
  { was: "withheld", is: "broken", list: "broken", exitCode: 1 },
  { was: "deviates", is: "broken", list: "broken", exitCode: 1 },
  { was: "broken", is: "holds", list: "fixed", exitCode: 0 },
  { was: "deviates", is: "holds", list: "fixed", exitCode: 0 },
  { was: "holds", is: "withheld", list: "unjudged", exitCode: 0 },
  { was: "broken", is: "withheld", list: "unjudged", exitCode: 0 },
  { was: "holds", is: "inconclusive", list: "unjudged", exitCode: 3 },
  { was: "withheld", is: "holds", list: "verified", exitCode: 0 },
  { was: "inconclusive", is: "holds", list: "verified", exitCode: 0 },
  { was: "broken", is: "broken", list: null, exitCode: 0 },
  { was: "broken", is: "deviates", list: "known", exitCode: 0 },
  { was: "withheld", is: "inconclusive", list: null, exitCode: 0 },
  { was: "holds", is: "holds", list: null, exitCode: 0 },
] as const;

for (const { was, is, list, exitCode } of became) {
  test(`${was} and then ${is} is ${list ?? "no change"}, exit code ${exitCode}`, async () => {
    const pair = await pairOf(withState(0, was), withState(100, is));
    const { reworded: _, unplanned: __, ...lists } = pair.requirements;
    const found = Object.entries(lists).flatMap(([name, changes]) => changes.map(({ id }) => [name, id]));
    expect(found).toEqual(list === null ? [] : [[list, "CYC-PRES-01"]]);
    expect(pair.exitCode).toBe(exitCode);
  });
}

const full: Partial<JudgedRequirement> = {};
const scopes = [
  { title: "all and then a part", was: full, is: narrowed("a"), lists: ["narrower"] },
  { title: "a part and then all", was: narrowed("a"), is: full, lists: ["wider"] },
  { title: "a part and then less", was: narrowed("a"), is: narrowed("a", "b"), lists: ["narrower"] },
  { title: "a part and then another", was: narrowed("a"), is: narrowed("b"), lists: ["narrower", "wider"] },
  { title: "the same part", was: narrowed("a"), is: narrowed("a"), lists: [] },
];
for (const { title, was, is, lists } of scopes) {
  test(`what is verified on ${title} is ${lists.join(" and ") || "no change"}, exit code 0`, async () => {
    const { requirements, exitCode } = await pairOf(withState(0, "holds", was), withState(100, "holds", is));
    const { reworded: _, unplanned: __, ...all } = requirements;
    const found = Object.entries(all).flatMap(([name, changes]) => (changes.length > 0 ? [name] : []));
    expect(found).toEqual(lists);
    expect(exitCode).toBe(0);
  });
}

test("what is verified in part counts as judged: newly verified, fixed, or no longer judged", async () => {
  const listed = async (was: JudgedRequirement["verdict"], is: JudgedRequirement["verdict"]) => {
    const of = (verdict: typeof was) => (verdict === "holds" ? narrowed("a") : full);
    return (await pairOf(withState(0, was, of(was)), withState(100, is, of(is)))).requirements;
  };
  expect(ids((await listed("withheld", "holds")).verified)).toEqual(["CYC-PRES-01"]);
  expect(ids((await listed("broken", "holds")).fixed)).toEqual(["CYC-PRES-01"]);
  expect(ids((await listed("holds", "withheld")).unjudged)).toEqual(["CYC-PRES-01"]);
});

test("a new warning is listed, and the exit code stays 0", async () => {
  const pair = await pairOf(heldBefore, withState(100, "broken", { enforced: "warn" }));
  expect(pair.requirements.broken.map(({ is }) => is.kind)).toEqual(["warned"]);
  expect(pair.exitCode).toBe(0);
});

test("what is no longer judged has its reason", async () => {
  const reason = "the target has no key of a free plan";
  const { unjudged } = (await pairOf(heldBefore, withState(100, "withheld", { reason }))).requirements;
  expect(unjudged[0]?.is).toEqual({ kind: "withheld", reason });
});

test("what is newly broken has request and place of its first breach", async () => {
  const head = made(100, { requirements: [judged("CYC-PRES-01", "broken")], exchanges: [exchanged()] });
  const { broken } = (await pairOf(made(0, { requirements: [judged("CYC-PRES-01", "holds")] }), head)).requirements;
  expect(broken[0]?.shown).toEqual({
    title: "GET /v0/admin/projects/{id}/usage as paid (header)",
    at: "/creditCycle",
    expected: "must be there",
    got: "missing",
    isMissing: true,
  });
});

test("a breach at a new place of the same answer is listed, one at another item of a list isn't", async () => {
  const run = (second: number, ...places: readonly string[]): Run => {
    const breaches = places.map((at) => ({ ...breach, at }));
    return made(second, { requirements: [judged("CYC-PRES-01", "broken", { breaches })], exchanges: [exchanged()] });
  };
  expect(ids((await pairOf(run(0, "/a/1"), run(100, "/a/7", "/b"))).requirements.brokenElsewhere)).toEqual([
    "CYC-PRES-01",
  ]);
  expect((await pairOf(run(0, "/a/1"), run(100, "/a/7"))).requirements.brokenElsewhere).toEqual([]);
});

test("a reworded requirement isn't compared", async () => {
  const [base, head] = [withState(0, "holds", { sentence: "Before" }), withState(100, "broken", { sentence: "After" })];
  expect((await pairOf(base, head)).requirements).toMatchObject({ broken: [], reworded: ["CYC-PRES-01"] });
});

test("what only one run planned isn't compared, unless it is broken", async () => {
  const [small, large] = [made(0), withState(100, "holds")];
  expect((await pairOf(small, large)).requirements).toMatchObject({ verified: [], unplanned: ["CYC-PRES-01"] });
  expect(ids((await pairOf(small, withState(100, "broken"))).requirements.broken)).toEqual(["CYC-PRES-01"]);
  expect((await pairOf(large, small)).requirements).toMatchObject({ unjudged: [], unplanned: ["CYC-PRES-01"] });
});

test("a run that was cut short, or has nothing judged in common, is inconclusive", async () => {
  expect((await pairOf(made(0), made(100, { complete: false }))).exitCode).toBe(3);
  expect((await pairOf(made(0), made(100, { requirements: [judged("CYC-PRES-01", "holds")] }))).exitCode).toBe(3);
});

const seen = (second: number, ...passes: Parameters<typeof observed>): Run =>
  made(second, { observations: [observed(...passes)] });

test("a changed unspecified behaviour has its values before and now, and when it was first seen", async () => {
  const answering = (second: number, toSlash: number): Run =>
    seen(second, "OBS-HTTP-SLASH", { "a slash at the end": toSlash, "a doubled slash": 404 });
  const { pairs } = await compared([answering(200, 404), answering(400, 200), answering(600, 200)]);
  const drift = {
    id: "OBS-HTTP-SLASH",
    question: "An unspecified behaviour",
    clause: "§4.1",
    cases: [{ case: "a slash at the end", was: [404], is: [200] }],
    firstSeen: { run: 1, at: instant(400) },
  };
  expect(pairs.map(({ observations, exitCode }) => [observations, exitCode])).toEqual([
    [[drift], 0],
    [[drift], 0],
  ]);
});

type Observed = readonly [title: string, id: string, was: readonly Summary[], is: readonly Summary[]];

const lag = (complete: string): readonly Summary[] => [{ "one wallet call": { complete } }];
const dates = (served: string | readonly string[]): readonly Summary[] => [{ served }];
const median = (p50: string): readonly Summary[] => [{ getProjectUsage: { p50 } }];
const shape = (members: object): readonly Summary[] => [{ fields: { "": "object", ...members } }];

const unchanged: readonly Observed[] = [
  ["a varying value that occurred before", "OBS-HTTP-SLASH", [{ a: 200 }, { a: 404 }], [{ a: 404 }]],
  ["a case that only one run has", "OBS-HTTP-SLASH", [{ a: 200 }], [{ a: 200, b: 404 }]],
  ["a measured figure in the next band", "OBS-MET-LAG", lag("within 2 s"), lag("within 10 s")],
  ["several measured figures", "OBS-HTTP-DATE", dates(["under 2 s", "60 s or more"]), dates("under 60 s")],
  ["latencies, which are compared answer by answer", "OBS-HTTP-LATENCY", median("under 300 ms"), median("3 s or more")],
  [
    "a member of an item that may be null, and a set of words",
    "OBS-WAL-SHAPE-BATCH",
    shape({ "/a": "free|null(person)", "/b": "null" }),
    shape({ "/a": "free(exchange)", "/b": "int" }),
  ],
];
for (const [title, id, was, is] of unchanged)
  test(`no change of unspecified behaviour: ${title}`, async () =>
    expect((await pairOf(seen(0, id, ...was), seen(9, id, ...is))).observations).toEqual([]));

test("no change of unspecified behaviour: an unspecified behaviour that only one run observed", async () =>
  expect(
    (await pairOf(seen(0, "OBS-HTTP-SLASH", { a: 200 }), seen(9, "OBS-HTTP-CASE", { a: 404 }))).observations,
  ).toEqual([]));

const changed: readonly Observed[] = [
  ["a varying value that never occurred before", "OBS-HTTP-SLASH", [{ a: 200 }, { a: 404 }], [{ a: 301 }]],
  ["a measured figure two bands away", "OBS-MET-LAG", lag("within 2 s"), lag("within 30 s")],
  ["a measured figure that is off its scale now", "OBS-HTTP-DATE", dates("under 2 s"), dates("no date")],
  ["a field of another type", "OBS-WAL-SHAPE-BATCH", shape({ "/a": "int" }), shape({ "/a": "free" })],
  ["a field that is gone", "OBS-WAL-SHAPE-BATCH", shape({ "/a": "int" }), shape({})],
];
for (const [title, id, was, is] of changed)
  test(`a change of unspecified behaviour: ${title}`, async () =>
    expect((await pairOf(seen(0, id, ...was), seen(9, id, ...is))).observations).toHaveLength(1));

test("the matrix is ordered by the worst verdict of each row, then by how many runs have it", async () => {
  const ordered = ["USG-HTTP-01", "USG-FLD-01", "CYC-PRES-01"] as const;
  const run = (name: string, ...verdicts: readonly JudgedRequirement["verdict"][]): Run =>
    made(0, { name, requirements: ordered.map((id, nth) => judged(id, verdicts[nth] ?? "holds")) });
  const all = [
    run("acme", "holds", "withheld", "broken"),
    run("ajax", "broken", "holds", "broken"),
    run("acme", "holds", "holds", "holds"),
  ];
  const { matrix, runs } = await compared(all);
  expect(matrix.map(({ id, kinds }) => [id, ...kinds])).toEqual([
    ["CYC-PRES-01", "broken", "broken", "holds"],
    ["USG-HTTP-01", "holds", "broken", "holds"],
    ["USG-FLD-01", "withheld", "holds", "holds"],
  ]);
  expect(runs.map(({ name }) => name)).toEqual(["acme #1", "ajax", "acme #3"]);
});

test("runs of different interfaces can't be compared, those of different editions of the specs can", async () => {
  const other = (version: string, digest: string): Run => made(9, { interface: { ...edition, version, digest } });
  expect(await sayCompared([made(0), other("2.0.0", edition.digest)])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`"${edition.name}" 2.0.0`),
  });
  expect((await pairOf(made(0), other(edition.version, "e"))).notes.join()).toContain(
    "different editions of the specs",
  );
});

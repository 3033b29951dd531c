// Comparison of runs: requirements, unspecified behaviours, the matrix, exit codes.
import { expect, test } from "@playwright/test";
import { described } from "../../cli/described.ts";
import type { Run } from "../../harness/record/run.ts";
import { compare, whyNotComparable } from "../../reports/compare/compare.ts";
import type { Pair } from "../../reports/compare/comparison.ts";
import { exchanged, instant, judged, made, observed } from "../support/madeRuns.ts";

function pairOf(base: Run, head: Run): Pair {
  const [pair] = compare([base, head], "0.1.0", described).pairs;
  if (!pair) throw new Error("there is no pair");
  return pair;
}
const ids = (some: readonly { readonly id: string }[]): readonly string[] => some.map(({ id }) => id);

const withState = (second: number, ...states: Parameters<typeof judged>): Run =>
  made(second, { requirements: [judged("USG-HTTP-01", "holds"), judged(...states)] });

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
  { was: "broken", is: "deviates", list: null, exitCode: 0 },
  { was: "withheld", is: "inconclusive", list: null, exitCode: 0 },
  { was: "holds", is: "holds", list: null, exitCode: 0 },
] as const;

for (const { was, is, list, exitCode } of became) {
  test(`${was} and then ${is} is ${list ?? "no change"}, exit code ${exitCode}`, () => {
    const pair = pairOf(withState(0, "CYC-PRES-01", was), withState(100, "CYC-PRES-01", is));
    const { reworded: _, unplanned: __, ...lists } = pair.requirements;
    const found = Object.entries(lists).filter(([, changes]) => changes.length > 0);
    expect(found.map(([name, changes]) => [name, ids(changes)])).toEqual(
      list === null ? [] : [[list, ["CYC-PRES-01"]]],
    );
    expect(pair.exitCode).toBe(exitCode);
  });
}

test("a new warning is listed, and the exit code stays 0", () => {
  const pair = pairOf(
    withState(0, "CYC-PRES-01", "holds"),
    withState(100, "CYC-PRES-01", "broken", { enforced: "warn" }),
  );
  expect(pair.requirements.broken.map(({ is }) => is.kind)).toEqual(["warned"]);
  expect(pair.exitCode).toBe(0);
});

test("what is no longer judged has its reason", () => {
  const pair = pairOf(
    withState(0, "CYC-PRES-01", "holds"),
    withState(100, "CYC-PRES-01", "withheld", { reason: "the target has no key of a free plan" }),
  );
  expect(pair.requirements.unjudged[0]?.is).toEqual({
    kind: "withheld",
    reason: "the target has no key of a free plan",
  });
});

test("what is newly broken has request and place of its first breach", () => {
  const head = made(100, { requirements: [judged("CYC-PRES-01", "broken")], exchanges: [exchanged()] });
  const { broken } = pairOf(made(0, { requirements: [judged("CYC-PRES-01", "holds")] }), head).requirements;
  expect(broken[0]?.shown).toEqual({
    title: "GET /v0/admin/projects/{id}/usage as paid (header)",
    at: "/creditCycle",
    expected: "must be there",
    got: "nothing there",
  });
});

test("a breach at a new place of the same answer is listed, one at another item of a list isn't", () => {
  const at = (...places: readonly string[]) =>
    judged("CYC-PRES-01", "broken", {
      breaches: places.map((place) => ({
        outcome: "broken",
        at: place,
        expected: "",
        got: { is: "absent" },
        exchange: 1,
        causedBy: [],
      })),
    });
  const run = (second: number, ...places: readonly string[]): Run =>
    made(second, { requirements: [at(...places)], exchanges: [exchanged()] });
  expect(ids(pairOf(run(0, "/a/1"), run(100, "/a/7", "/b")).requirements.brokenElsewhere)).toEqual(["CYC-PRES-01"]);
  expect(pairOf(run(0, "/a/1"), run(100, "/a/7")).requirements.brokenElsewhere).toEqual([]);
});

test("a reworded requirement isn't compared", () => {
  const pair = pairOf(
    withState(0, "CYC-PRES-01", "holds", { sentence: "Before" }),
    withState(100, "CYC-PRES-01", "broken", { sentence: "After" }),
  );
  expect([pair.requirements.broken, pair.requirements.reworded]).toEqual([[], ["CYC-PRES-01"]]);
});

test("what only one run planned isn't compared, unless it is broken", () => {
  const [small, large] = [made(0), (state: "holds" | "broken"): Run => withState(100, "CYC-PRES-01", state)];
  expect(pairOf(small, large("holds")).requirements).toMatchObject({ verified: [], unplanned: ["CYC-PRES-01"] });
  expect(ids(pairOf(small, large("broken")).requirements.broken)).toEqual(["CYC-PRES-01"]);
  expect(pairOf(large("holds"), small).requirements).toMatchObject({ unjudged: [], unplanned: ["CYC-PRES-01"] });
});

test("a run that was cut short, or has nothing judged in common, is inconclusive", () => {
  expect(pairOf(made(0), made(100, { complete: false })).exitCode).toBe(3);
  expect(pairOf(made(0), made(100, { requirements: [judged("CYC-PRES-01", "holds")] })).exitCode).toBe(3);
});

const seen = (second: number, ...passes: Parameters<typeof observed>): Run =>
  made(second, { observations: [observed(...passes)] });

test("a changed unspecified behaviour has its values before and now, and when it was first seen", () => {
  const [first, second, third] = [200, 400, 600].map((at, nth) =>
    seen(at, "OBS-HTTP-SLASH", { "a slash at the end": nth === 0 ? 404 : 200, "a doubled slash": 404 }),
  );
  if (!first || !second || !third) throw new Error("there are three");
  const drift = {
    id: "OBS-HTTP-SLASH",
    question: "An unspecified behaviour",
    clause: "§4.1",
    cases: [{ case: "a slash at the end", was: [404], is: [200] }],
    firstSeen: { run: 1, at: instant(400) },
  };
  expect(
    compare([first, second, third], "", described).pairs.map(({ observations, exitCode }) => [observations, exitCode]),
  ).toEqual([
    [[drift], 0],
    [[drift], 0],
  ]);
});

const unchanged: readonly (readonly [title: string, was: Run, is: Run])[] = [
  [
    "a varying value that occurred before",
    seen(0, "OBS-HTTP-SLASH", { a: 200 }, { a: 404 }),
    seen(9, "OBS-HTTP-SLASH", { a: 404 }),
  ],
  [
    "a case that only one run has",
    seen(0, "OBS-HTTP-SLASH", { a: 200 }),
    seen(9, "OBS-HTTP-SLASH", { a: 200, b: 404 }),
  ],
  [
    "an unspecified behaviour that only one run observed",
    seen(0, "OBS-HTTP-SLASH", { a: 200 }),
    seen(9, "OBS-HTTP-CASE", { a: 404 }),
  ],
  [
    "a measured figure in the next band",
    seen(0, "OBS-MET-LAG", { "one wallet call": { complete: "within 2 s" } }),
    seen(9, "OBS-MET-LAG", { "one wallet call": { complete: "within 10 s" } }),
  ],
  [
    "several measured figures",
    seen(0, "OBS-HTTP-DATE", { served: ["under 2 s", "60 s or more"] }),
    seen(9, "OBS-HTTP-DATE", { served: "under 60 s" }),
  ],
  [
    "latencies, which are compared answer by answer",
    seen(0, "OBS-HTTP-LATENCY", { getProjectUsage: { p50: "under 300 ms" } }),
    seen(9, "OBS-HTTP-LATENCY", { getProjectUsage: { p50: "3 s or more" } }),
  ],
  [
    "a member of an item that may be null, and a set of words",
    seen(0, "OBS-WAL-SHAPE-BATCH", { fields: { "": "object", "/a": "free|null(person)", "/b": "null" } }),
    seen(9, "OBS-WAL-SHAPE-BATCH", { fields: { "": "object", "/a": "free(exchange)", "/b": "int" } }),
  ],
];
for (const [title, was, is] of unchanged)
  test(`no change of unspecified behaviour: ${title}`, () => expect(pairOf(was, is).observations).toEqual([]));

const changed: readonly (readonly [title: string, was: Run, is: Run])[] = [
  [
    "a varying value that never occurred before",
    seen(0, "OBS-HTTP-SLASH", { a: 200 }, { a: 404 }),
    seen(9, "OBS-HTTP-SLASH", { a: 301 }),
  ],
  [
    "a measured figure two bands away",
    seen(0, "OBS-MET-LAG", { "one wallet call": { complete: "within 2 s" } }),
    seen(9, "OBS-MET-LAG", { "one wallet call": { complete: "within 30 s" } }),
  ],
  [
    "a measured figure that is off its scale now",
    seen(0, "OBS-HTTP-DATE", { served: "under 2 s" }),
    seen(9, "OBS-HTTP-DATE", { served: "no date" }),
  ],
  [
    "a field of another type",
    seen(0, "OBS-WAL-SHAPE-BATCH", { fields: { "": "object", "/a": "int" } }),
    seen(9, "OBS-WAL-SHAPE-BATCH", { fields: { "": "object", "/a": "free" } }),
  ],
  [
    "a field that is gone",
    seen(0, "OBS-WAL-SHAPE-BATCH", { fields: { "": "object", "/a": "int" } }),
    seen(9, "OBS-WAL-SHAPE-BATCH", { fields: { "": "object" } }),
  ],
];
for (const [title, was, is] of changed)
  test(`a change of unspecified behaviour: ${title}`, () => expect(pairOf(was, is).observations).toHaveLength(1));

test("the matrix is ordered by the worst verdict of each row, then by how many runs have it", () => {
  const run = (name: string, ...states: readonly ("holds" | "broken" | "withheld")[]): Run =>
    made(0, {
      name,
      requirements: [
        judged("USG-HTTP-01", states[0] ?? "holds"),
        judged("USG-FLD-01", states[1] ?? "holds"),
        judged("CYC-PRES-01", states[2] ?? "holds"),
      ],
    });
  const { matrix, runs } = compare(
    [
      run("acme", "holds", "withheld", "broken"),
      run("ajax", "broken", "holds", "broken"),
      run("acme", "holds", "holds", "holds"),
    ],
    "",
    described,
  );
  expect(matrix.map(({ id, kinds }) => [id, ...kinds])).toEqual([
    ["CYC-PRES-01", "broken", "broken", "holds"],
    ["USG-HTTP-01", "holds", "broken", "holds"],
    ["USG-FLD-01", "withheld", "holds", "holds"],
  ]);
  expect(runs.map(({ name }) => name)).toEqual(["acme #1", "ajax", "acme #3"]);
});

test("runs of different interfaces can't be compared, those of different editions of the specs can", () => {
  const other = (version: string, digest: string): Run => made(9, { interface: { name: "platform", version, digest } });
  expect(whyNotComparable([made(0), other("2.0.0", "d")])).toContain('"platform" 2.0.0');
  expect(whyNotComparable([made(0), other("1.0.0", "e")])).toBeNull();
  expect(pairOf(made(0), other("1.0.0", "e")).notes.join()).toContain("different editions of the specs");
});

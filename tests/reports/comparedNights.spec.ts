// The last night compared with earlier ones: what counts as before, what changed since, and the exit code.
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import type { Json } from "../../harness/core/json.ts";
import { comparedWith } from "../../reports/history/compared.ts";
import { historyOf } from "../../reports/history/history.ts";
import { type Judged, type Night, pack } from "../../reports/history/night.ts";
import type { Found } from "../../reports/history/nightShapes.ts";
import { atNight, madeNight } from "../support/madeNights.ts";

const id = "USG-HTTP-01";

const letters: { readonly [letter: string]: Judged } = {
  v: "holds",
  b: "broken",
  w: "warned",
  d: "deviates",
  "-": "withheld",
  "?": "inconclusive",
  n: { is: "narrowed", untried: ["a"] },
};

/** One requirement, a letter for each night; a point where it wasn't planned. */
const nightsOf = (text: string): readonly Night[] =>
  [...text].map((letter, nth) => {
    const { [letter]: judged } = letters;
    return madeNight(nth, {}, { requirements: judged === undefined ? {} : { [id]: judged } });
  });

function compared([first, ...others]: readonly Night[], earlier: readonly number[], head?: Night) {
  if (!first) throw new Error("there is no night");
  return comparedWith(historyOf([first, ...others], described, head), earlier, "9.9.9", described);
}

for (const [nights, earlier, was] of [
  ["bbv", [1], "broken"],
  ["vvv", [0, 1], "holds"],
  ["vvbb", [0, 1, 2], "holds"],
  ["vbbb", [0, 1, 2], "broken"],
  // Where it was judged on any, what it was on others doesn't count.
  ["--vb", [0, 1, 2], "holds"],
  ["---b", [0, 1, 2], "withheld"],
  // Not planned on the nights that are compared: what was before them counts.
  ["v.b", [1], "holds"],
  ["bv..v", [2, 3], "holds"],
  ["..v", [0, 1], "absent"],
] as const)
  test(`${nights} against ${earlier.join(", ")}: it was ${was} before`, () => {
    const { requirements } = compared(nightsOf(nights), earlier).pairs[0] ?? {};
    const { broken = [], fixed = [], unplanned = [], verified = [] } = requirements ?? {};
    const last = letters[nights.at(-1) ?? ""];
    const expected = {
      broken: last === "broken" && was !== "broken" ? [was] : [],
      fixed: last === "holds" && was === "broken" ? [was] : [],
      verified: last === "holds" && was === "withheld" ? [was] : [],
    };
    const kindsIn = (some: readonly { readonly was: { readonly kind: string } }[]) => some.map((one) => one.was.kind);
    expect({ broken: kindsIn(broken), fixed: kindsIn(fixed), verified: kindsIn(verified) }).toEqual(expected);
    expect(unplanned).toEqual(was === "absent" ? [id] : []);
  });

test("a requirement has its sentence, clause and states", () => {
  const [change] = compared(nightsOf("vb"), [0]).pairs[0]?.requirements.broken ?? [];
  const { sentence, clause, level } = described.tables.requirements.find((one) => one.id === id) ?? {};
  const [was, is] = [
    { kind: "holds", reason: null },
    { kind: "broken", reason: null },
  ];
  expect(change).toEqual({ id, sentence, clause, level, was, is, shown: null });
  const [narrower] = compared(nightsOf("vn"), [0]).pairs[0]?.requirements.narrower ?? [];
  expect(narrower?.is).toEqual({ kind: "narrowed", reason: null, untried: ["a"] });
});

for (const [nights, code] of [
  ["vv", 0],
  ["vb", 1],
  // It fails no run.
  ["vw", 0],
  ["bb", 0],
  ["v?", 3],
  ["v-", 3],
  ["-v", 3],
  ["..", 3],
  ["v.v", 0],
  ["v-v", 0],
] as const)
  test(`${nights}: exit code ${code}`, () => {
    const { exitCode, pairs } = compared(nightsOf(nights), [nights.length - 2]);
    expect([exitCode, pairs.map((pair) => pair.exitCode)]).toEqual([code, [code]]);
  });

test("a run that was cut short is compared, and inconclusive", () => {
  const [first, second] = nightsOf("vv");
  const head = { ...(second ?? madeNight(1)), left: "SIGTERM ended it" };
  expect(compared([first ?? head, head], [0], head)).toMatchObject({ exitCode: 3, runs: [{}, { complete: false }] });
  expect(() => compared([first ?? head, head], [0])).toThrow("there is nothing to compare with");
});

test("both nights are there as runs, the earlier ones by their last", () => {
  const requirements = {
    a: "holds",
    b: { is: "narrowed", untried: ["a"] },
    c: "deviates",
    d: "renamed",
    e: "renamed",
    f: "broken",
  } as const;
  const rest = { requirements, seconds: 90, assay: "1.2.3", exitCode: 1 };
  const {
    format,
    version,
    interface: of,
    runs,
    matrix,
  } = compared(
    [0, 1, 2].map((nth) => madeNight(nth, {}, rest)),
    [0, 1],
  );
  expect({ format, version, of, matrix }).toMatchObject({ format: 2, version: "9.9.9", matrix: [] });
  expect(of).toEqual({ name: madeNight(0).interface.name, version: madeNight(0).interface.version });
  expect(runs.map(({ name, id: run }) => [name, run])).toEqual([
    ["acme, usual of 2 nights", "night 1"],
    ["acme", "night 2"],
  ]);
  expect(runs[1]).toMatchObject({
    version: "1.2.3",
    target: { name: "acme", isReference: false, bases: {} },
    startedAt: atNight(2),
    endedAt: "2025-11-28T03:18:30.000Z",
    complete: true,
    exitCode: 1,
    totals: {
      holds: 2,
      narrowed: 1,
      deviates: 3,
      renamed: 2,
      broken: 1,
      warned: 0,
      noted: 0,
      withheld: 0,
      inconclusive: 0,
    },
  });
  expect(
    compared([madeNight(0), madeNight(1, {}, { seconds: null })], [0]).runs.map(({ name, endedAt }) => [
      name,
      endedAt === null,
    ]),
  ).toEqual([
    ["acme", false],
    ["acme", true],
  ]);
});

const finding = (...nights: readonly Found[][]): readonly Night[] =>
  nights.map((found, nth) => madeNight(nth, {}, { packed: pack(found) }));
const behaving = (...values: readonly Json[]): readonly Night[] =>
  finding(...values.map((value): Found[] => [["OBS-HTTP-SLASH", { one: [value], other: ["same"] }]]));

test("a behaviour that changed twice is shown from first to last, with its last night", () => {
  const [drift, ...others] = compared(behaving("a", "b", "b", "c"), [0]).pairs[0]?.observations ?? [];
  const { question, clause } = described.tables.unspecified.find((one) => one.id === "OBS-HTTP-SLASH") ?? {};
  const cases = [{ case: "one", was: ["a"], is: ["c"] }];
  const firstSeen = { run: 1, at: atNight(3) };
  expect([drift, others]).toEqual([{ id: "OBS-HTTP-SLASH", question, clause, cases, firstSeen }, []]);
});

test("only what changed after that night is shown, and not what is as before", () => {
  const since = (values: readonly Json[], nth: number) => compared(behaving(...values), [nth]).pairs[0]?.observations;
  expect(since(["a", "b", "b", "b"], 1)).toEqual([]);
  expect(since(["a", "b", "b", "b"], 0)).toHaveLength(1);
  expect(since(["a", "b", "a"], 0)).toEqual([]);
  // So long after that the second change is no return.
  expect(since(["a", ...Array.from({ length: 40 }, () => "b"), "a"], 0)).toEqual([]);
});

test("shapes that changed say how, and at which answers", () => {
  const places = { "": ["object"], "/a": ["string"], "/b": ["null|string"] } as const;
  const nights = finding(
    [["getBalance 404 refused", { ...places, "header: x-a": ["there"] }]],
    [["getBalance 404 refused", { ...places, "/b": ["number"], "/c": ["boolean"] }]],
  );
  const [gone, one, none] = [["there"], { have: 1, of: 1 }, { have: 0, of: 1 }];
  const of = { operation: "getBalance", status: 404, outcome: "refused" };
  expect(compared(nights, [0]).pairs[0]?.shapes).toEqual([
    { ...of, at: "header: x-a", change: "vanished", was: gone, is: [], seen: { was: one, is: none } },
    { ...of, at: "/c", change: "appeared", was: [], is: ["boolean"], seen: { was: none, is: one } },
  ]);
  const [other] =
    compared(finding([["getX 200 served", places]], [["getX 200 served", { ...places, "/a": ["number"] }]]), [0])
      .pairs[0]?.shapes ?? [];
  expect(other).toMatchObject({
    outcome: "served",
    change: "other type",
    was: ["string"],
    is: ["number"],
    seen: { was: one, is: one },
  });
});

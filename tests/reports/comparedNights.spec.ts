// The last night compared with earlier ones: what counts as before, what changed since, and the exit code.
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { read as textOf } from "../support/assay.ts";
import { atNight, comparedAgainst, type Found, madeNight, type Night, pack } from "../support/madeNights.ts";

const id = "USG-HTTP-01";

const letters: { readonly [letter: string]: Night["requirements"][string] } = {
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

type Row = { readonly [member: string]: string };
/** A row of the specs. */
function rowOf(file: string, row: string): Row | undefined {
  const read = parse(textOf(`specs/${file}.yaml`)) as readonly Row[] | { readonly rows: readonly Row[] };
  return ("rows" in read ? read.rows : read).find(({ id: own }) => own === row);
}

for (const [nights, against, was] of [
  ["bbv", "last", "broken"],
  ["vvv", "median:2", "holds"],
  ["vvbb", "median:3", "holds"],
  ["vbbb", "median:3", "broken"],
  // Where it was judged on any, what it was on others doesn't count.
  ["--vb", "median:3", "holds"],
  ["---b", "median:3", "withheld"],
  // Not planned on the nights that are compared: what was before them counts.
  ["v.b", "last", "holds"],
  ["bv..v", "median:2", "holds"],
  ["..v", "median:2", "absent"],
] as const)
  test(`${nights} against ${against}: it was ${was} before`, async () => {
    const { requirements } = (await comparedAgainst(nightsOf(nights), against)).pairs[0] ?? {};
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

test("a requirement has its sentence, clause and states", async () => {
  const [change] = (await comparedAgainst(nightsOf("vb"), "last")).pairs[0]?.requirements.broken ?? [];
  const { sentence, clause, level } = rowOf("requirements/USG", id) ?? {};
  const [was, is] = [
    { kind: "holds", reason: null },
    { kind: "broken", reason: null },
  ];
  expect(change).toEqual({ id, sentence, clause, level, was, is, shown: null });
  const [narrower] = (await comparedAgainst(nightsOf("vn"), "last")).pairs[0]?.requirements.narrower ?? [];
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
  test(`${nights}: exit code ${code}`, async () => {
    const { exitCode, pairs } = await comparedAgainst(nightsOf(nights), "last");
    expect([exitCode, pairs.map((pair) => pair.exitCode)]).toEqual([code, [code]]);
  });

test("a run that was cut short is compared, and inconclusive", async () => {
  const [first, second] = nightsOf("vv");
  const head = { ...(second ?? madeNight(1)), left: "SIGTERM ended it" };
  expect(await comparedAgainst([first ?? head, head], "last")).toMatchObject({
    exitCode: 3,
    runs: [{}, { complete: false }],
  });
});

test("both nights are there as runs, the earlier ones by their last", async () => {
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
  } = await comparedAgainst(
    [0, 1, 2].map((nth) => madeNight(nth, {}, rest)),
    "median:2",
  );
  expect({ format, version, of, matrix }).toMatchObject({
    format: 2,
    version: (parse(textOf("package.json")) as { readonly version: string }).version,
    matrix: [],
  });
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
  const cut = await comparedAgainst([madeNight(0), madeNight(1, {}, { seconds: null })], "last");
  expect(cut.runs.map(({ name, endedAt }) => [name, endedAt === null])).toEqual([
    ["acme", false],
    ["acme", true],
  ]);
});

const finding = (...nights: readonly Found[][]): readonly Night[] =>
  nights.map((found, nth) => madeNight(nth, {}, { packed: pack(found) }));
const behaving = (...values: readonly string[]): readonly Night[] =>
  finding(...values.map((value): Found[] => [["OBS-HTTP-SLASH", { one: [value], other: ["same"] }]]));

test("a behaviour that changed twice is shown from first to last, with its last night", async () => {
  const [drift, ...others] =
    (await comparedAgainst(behaving("a", "b", "b", "c"), "baseline")).pairs[0]?.observations ?? [];
  const { question, clause } = rowOf("observations/HTTP", "OBS-HTTP-SLASH") ?? {};
  const cases = [{ case: "one", was: ["a"], is: ["c"] }];
  const firstSeen = { run: 1, at: atNight(3) };
  expect([drift, others]).toEqual([{ id: "OBS-HTTP-SLASH", question, clause, cases, firstSeen }, []]);
});

test("only what changed after that night is shown, and not what is as before", async () => {
  const since = async (values: readonly string[], against: string) =>
    (await comparedAgainst(behaving(...values), against)).pairs[0]?.observations;
  expect(await since(["a", "b", "b"], "last")).toEqual([]);
  expect(await since(["a", "b", "b", "b"], "baseline")).toHaveLength(1);
  expect(await since(["a", "b", "a"], "baseline")).toEqual([]);
  // So long after that the second change is no return.
  expect(await since(["a", ...Array.from({ length: 40 }, () => "b"), "a"], "baseline")).toEqual([]);
});

test("shapes that changed say how, and at which answers", async () => {
  const places = { "": ["object"], "/a": ["string"], "/b": ["null|string"] } as const;
  const nights = finding(
    [["getBalance 404 refused", { ...places, "header: x-a": ["there"] }]],
    [["getBalance 404 refused", { ...places, "/b": ["number"], "/c": ["boolean"] }]],
  );
  const [gone, one, none] = [["there"], { have: 1, of: 1 }, { have: 0, of: 1 }];
  const of = { operation: "getBalance", status: 404, outcome: "refused" };
  expect((await comparedAgainst(nights, "last")).pairs[0]?.shapes).toEqual([
    { ...of, at: "header: x-a", change: "vanished", was: gone, is: [], seen: { was: one, is: none } },
    { ...of, at: "/c", change: "appeared", was: [], is: ["boolean"], seen: { was: none, is: one } },
  ]);
  const changed = finding([["getX 200 served", places]], [["getX 200 served", { ...places, "/a": ["number"] }]]);
  const [other] = (await comparedAgainst(changed, "last")).pairs[0]?.shapes ?? [];
  expect(other).toMatchObject({
    outcome: "served",
    change: "other type",
    was: ["string"],
    is: ["number"],
    seen: { was: one, is: one },
  });
});

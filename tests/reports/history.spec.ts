// A year of nights: planted changes are named, honest ones aren't, in every view.
import { expect, test } from "@playwright/test";
import {
  comparedAgainst,
  historyMarkdown,
  historyOf,
  madeNight,
  type Night,
  pack,
  sayAgainst,
} from "../support/madeNights.ts";
import { judged } from "../support/madeRuns.ts";
import { flaky, fresh, yearsOfNights } from "../support/plantedNights.ts";
import { problemsOf, schemaProblems } from "../support/standards.ts";

let honest: readonly Night[];
let planted: readonly Night[];

test.beforeAll(async () => {
  ({ honest, planted } = await yearsOfNights());
});

test("nothing is named in 365 honest nights, but at most 3 change points", async () => {
  const [history] = (await historyOf(honest)).histories;
  expect(history?.nights).toHaveLength(365);
  expect(history?.strips.filter(({ trend }) => trend.is !== "steady")).toEqual([]);
  expect(history?.changes).toEqual({ behaviours: [], shapes: [] });
  expect(history?.changePoints.length).toBeLessThanOrEqual(3);
});

/** What the last of so many nights is said to be. */
const saidAfter = (nights: number): Promise<string> => historyMarkdown(planted.slice(0, nights));

for (const [title, night, within, says] of [
  ["a requirement broken on one night in five", 200, 1, /Newly broken\*\*\n\n- ✗ CYC-PRES-01/],
  ["the same on its second night", 205, 1, /Broken again\n\n- ✗ CYC-PRES-01 .*broken again: 2 of 30 nights/],
  ["the same on its third night: flaky", 210, 1, /Flaky\n\n- ◐ CYC-PRES-01 .*flaky: broken on 3 of 30 nights, 10 % \(/],
  ["p95 +30 %", 340, 4, / p95 is 1\.[234] × slower since 2026-1/],
  ["a limit of 4", 350, 1, /OBS-RATE-ALGO .*the limit was `5 in 1 s`, is `4 in 1 s`, first seen in .*2026-11-11/],
  ["a header gone", 355, 1, /getProjectUsage 200 served: `header: date` vanished/],
] as const)
  test(`${title} is named ${within === 1 ? "on its night" : "within three nights"}, not before`, async () => {
    expect(await saidAfter(night)).not.toMatch(says);
    expect(await saidAfter(night + within)).toMatch(says);
  });

test("a flaky requirement is never fixed or newly broken in turn, and fails no gate", async () => {
  for (let nights = 211; nights <= 225; nights += 1) {
    const [, sinceTheNightBefore = ""] = (await saidAfter(nights)).split("#### Since ");
    const titles = [...sinceTheNightBefore.matchAll(/^\*\*(.*)\*\*$/gm)].map(([, title = ""]) => title);
    expect([nights, titles.filter((one) => /broken|Fixed/.test(one))]).toEqual([nights, []]);
    expect(sinceTheNightBefore).toMatch(/^the night before, 2026/);
  }
});

test("the gate says what it mutes, and why; what is broken the second time isn't muted", async () => {
  const again = await comparedAgainst(planted.slice(0, 206), "last");
  expect([again.exitCode, again.pairs[0]?.requirements.broken]).toMatchObject([
    1,
    [{ id: flaky, again: { broken: 2, of: 30 } }],
  ]);
  const muted = await comparedAgainst(planted.slice(0, 211), "last");
  expect(muted.exitCode).toBe(0);
  expect(muted.pairs[0]?.requirements.muted).toMatchObject([{ id: flaky, why: "flaky", broken: 3, of: 30 }]);
  for (const comparison of [again, muted])
    expect(schemaProblems("reports/compare.schema.json", comparison)).toEqual([]);
  const says = await historyMarkdown(planted.slice(0, 211));
  expect(says).toMatch(
    /Broken, but flaky\*\*\n\n- ◐ CYC-PRES-01 .*: broken on 3 of 30 nights, .*, so it fails no gate/,
  );
});

test("the gate turns red only for what is newly broken", async () => {
  expect((await comparedAgainst(planted.slice(0, 364), "last")).exitCode).toBe(0);
  const red = await comparedAgainst(planted, "last");
  expect([red.exitCode, red.pairs[0]?.requirements.broken.map(({ id }) => id)]).toEqual([1, [fresh]]);
  expect(schemaProblems("reports/compare.schema.json", red)).toEqual([]);
  const { pairs } = await comparedAgainst(planted, "median:14");
  expect(pairs[0]?.requirements.broken.map(({ id }) => id)).toEqual([fresh]);
});

test("runs and loads, targets and vantages each have a history of their own", async () => {
  const nights = [
    madeNight(0),
    madeNight(1, {}, { vantage: "Frankfurt" }),
    madeNight(2, {}, { kind: "nightly" }),
    madeNight(3, { name: "other" }),
    madeNight(4),
    madeNight(4),
  ];
  const { histories } = await historyOf(nights);
  const found = histories.map((one) => [one.target, one.vantage, one.kind, one.nights.length]);
  expect(found).toEqual([
    ["acme", "Frankfurt", "run", 1],
    ["acme", null, "nightly", 1],
    ["acme", null, "run", 2],
    ["other", null, "run", 1],
  ]);
});

test("nights are of a kind by target, vantage and load shape", async () => {
  const night = madeNight(0);
  expect((await comparedAgainst([night, madeNight(1)], "last")).exitCode).toBe(0);
  for (const other of [{ target: "other" }, { vantage: "Frankfurt" }, { kind: "nightly" }])
    expect(await sayAgainst([{ ...night, ...other }, madeNight(1)], "last")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("has no earlier night of acme"),
    });
});

test("nights that trends leave out are named, and nothing verified is never green", async () => {
  const left = madeNight(1, { requirements: [judged("USG-HTTP-01", "broken")] }, { left: "SIGTERM ended it" });
  const { histories, page } = await historyOf([madeNight(0), left, madeNight(2)]);
  expect(histories[0]?.strips[0]?.kinds).toHaveLength(2);
  expect(page).toContain("SIGTERM ended it");
  const none = await historyOf([left]);
  expect(await historyMarkdown([left])).toContain("Inconclusive: nothing was verified");
  expect(none.page).toContain('<h1 class="inconclusive">');
  expect(none.ctrf).toMatchObject({
    results: { summary: { failed: 1, passed: 0 }, tests: [{ status: "failed", duration: 0 }] },
  });
  const withheld = await historyOf([madeNight(0, {}, { requirements: { "IH-OK-01": "withheld" } })]);
  expect(withheld.ctrf).toMatchObject({
    results: { tests: [{ status: "failed" }, { status: "skipped", testId: "IH-OK-01" }] },
  });
});

test("the page has what loads asked for and got, where there were any", async () => {
  const phases = [1, 2].map((perSecond) => ({
    ...{ name: "step", seconds: 10, perSecond, requests: 10 * perSecond, served: 9, limited: 0, failed: 0 },
  }));
  const load = { shape: "stress", phases, dropped: 0, knee_perSecond: null };
  const pageOf = async (rest: Partial<Night>) =>
    (await historyOf([madeNight(0, {}, rest), madeNight(1, {}, rest)])).page;
  expect(await pageOf({ load })).toMatch(/Asked for.*Sent.*Served.*<td>30<\/td><td>30<\/td><td>18<\/td>/s);
  expect(await pageOf({})).not.toContain("Asked for");
});

test("a night on which only some requirements were tried hides no breach", async () => {
  const broken = madeNight(0, { requirements: [judged("USG-HTTP-01", "broken"), judged("USG-FLD-01", "holds")] });
  const some = madeNight(1, { requirements: [judged("USG-FLD-01", "holds")] });
  expect((await historyOf([broken, some])).page).toContain('<h1 class="inconclusive">');
  expect(await historyMarkdown([broken, some])).toContain("USG-HTTP-01 is not judged since 2025-11-26 (broken then)");
});

test("Markdown has at most 60 lines, of many targets too", async () => {
  const many = Array.from({ length: 30 }, (_, nth) => planted.map((night) => ({ ...night, target: `target ${nth}` })));
  for (const nights of [planted, many.flatMap((all) => all.slice(-9))]) {
    const text = await historyMarkdown(nights);
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    expect(text).toMatch(/^## /);
    // A paragraph after each; without empty lines around it a heading isn't one everywhere.
    for (const [heading] of text.matchAll(/^##+ .*$/gm)) expect(`\n\n${text}`).toContain(`\n\n${heading}\n\n`);
    expect(text).toMatch(/^## .*\n\n### .*\n\n/);
  }
});

test("CTRF says what is flaky, JSON has every night", async () => {
  const shown = await historyOf(planted);
  const ctrf = shown.ctrf as {
    readonly results: {
      readonly tests: readonly { readonly testId: string; readonly flaky: boolean; readonly status: string }[];
    };
  };
  expect(problemsOf("ctrf", ctrf)).toEqual([]);
  const of = (id: string) => ctrf.results.tests.find(({ testId }) => testId === id);
  expect([of(flaky)?.flaky, of(fresh)?.flaky, of(fresh)?.status]).toEqual([true, false, "failed"]);
  const [history] = shown.histories;
  expect([history?.nights.length, shown.json.includes("histogram"), shown.json.includes("packed")]).toEqual([
    ...[365, false, false],
  ]);
  expect(history?.nights.at(-1)).toMatchObject({ id: planted.at(-1)?.id });
  expect(Object.keys(planted[0]?.requirements ?? {})).toContain(history?.strips[0]?.id);
  expect(shown.json).toMatch(/^\{\n {2}"format": 1,/);
});

test("CTRF has the last state of each requirement of each history, JSON also what was left out", async () => {
  const last = {
    "USG-HTTP-01": "broken",
    "CYC-PRES-01": "inconclusive",
    "IH-OK-01": "withheld",
    "TA-RES-01": "deviates",
  } as const;
  const before = madeNight(0, {}, { target: "one", requirements: { "USG-HTTP-01": "holds" } });
  const left = madeNight(1, {}, { target: "one", left: "SIGTERM ended it" });
  const broken = [2, 3].map((nth) => madeNight(nth, {}, { target: nth === 2 ? "one" : "two", requirements: last }));
  const shown = await historyOf([before, left, ...broken]);
  const [one, ...others] = shown.histories;
  expect([one?.left, others.length]).toEqual([[{ id: "night 1", at: left.at, reason: "SIGTERM ended it" }], 1]);
  expect(one?.strips.find(({ id }) => id === "USG-HTTP-01")?.kinds).toEqual(["holds", "broken"]);
  const ctrf = shown.ctrf as {
    readonly results: { readonly summary: object; readonly tests: readonly { readonly testId: string }[] };
  };
  expect(ctrf).toMatchObject({ runId: "night 2,night 3", results: { environment: { testEnvironment: "one, two" } } });
  const [start, stop] = broken.map(({ at }) => Date.parse(at));
  expect(ctrf.results.summary).toMatchObject({ tests: 8, failed: 2, skipped: 4, other: 2, start, stop });
  for (const [testId, status, area] of [
    ["USG-HTTP-01", "failed", "USG · The usage answer and its fields"],
    ["CYC-PRES-01", "other", "CYC · Credit cycles and dates"],
  ])
    expect(ctrf.results.tests.find((one) => one.testId === testId)).toMatchObject({
      ...{ status, duration: 0, suite: ["one", "run", area] },
      ...(status === "failed" ? { message: "newly broken since 2025-11-28" } : {}),
    });
});

test("hostile text in a history stays text", async () => {
  const hostile = "<img src=x onerror=alert(1)> `| \u001b[31m";
  const nights = [0, 1].map((nth) =>
    madeNight(
      nth,
      { name: hostile },
      { vantage: hostile, packed: pack([["OBS-HTTP-SLASH", { [hostile]: [nth === 0 ? hostile : "other"] }]]) },
    ),
  );
  expect((await historyOf(nights)).page).not.toContain("<img");
  const markdown = await historyMarkdown(nights);
  expect(markdown).not.toContain("\u001b");
  expect(markdown).not.toMatch(/(?<!`.*)<img/);
});

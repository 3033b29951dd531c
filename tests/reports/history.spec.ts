// A year of nights: planted changes are named, honest ones aren't, in every view.
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import { comparedWith } from "../../reports/history/compared.ts";
import { historiesOf, historyOf, isOfKind } from "../../reports/history/history.ts";
import { type Night, pack } from "../../reports/history/night.ts";
import { historyPageOf } from "../../reports/history/page.tsx";
import { sinceIn } from "../../reports/history/sections.ts";
import { historyCtrf, historyJson, historyMarkdown } from "../../reports/history/text.ts";
import { madeNight } from "../support/madeNights.ts";
import { judged } from "../support/madeRuns.ts";
import { flaky, fresh, yearsOfNights } from "../support/plantedNights.ts";
import { problemsOf, schemaProblems } from "../support/standards.ts";

const words = { version: "0.1.0", described };

let honest: readonly Night[];
let planted: readonly Night[];

test.beforeAll(async () => {
  ({ honest, planted } = await yearsOfNights());
});

test("nothing is named in 365 honest nights, but at most 3 change points", () => {
  const [history] = historiesOf(honest, described);
  expect(history?.nights).toHaveLength(365);
  expect(history?.strips.filter(({ trend }) => trend.is !== "steady")).toEqual([]);
  expect(history?.changes).toEqual({ behaviours: [], shapes: [] });
  expect(history?.changePoints.length).toBeLessThanOrEqual(3);
});

/** What the last of so many nights is said to be. */
const saidAfter = (nights: number): string => historyMarkdown(historiesOf(planted.slice(0, nights), described), words);

for (const [title, night, within, says] of [
  ["a requirement broken on one night in five", 200, 1, /Newly broken\*\*\n\n- ✗ CYC-PRES-01/],
  [
    "the same on its second night: flaky",
    205,
    1,
    /Flaky\*\*\n\n- ◐ CYC-PRES-01 .*flaky: broken on 2 of 30 nights, 7 % \(/,
  ],
  ["p95 +30 %", 340, 4, / p95 rose from [\d,.]+ ms to [\d,.]+ ms on 2026-1/],
  ["a limit of 4", 350, 1, /OBS-RATE-ALGO .*the limit was `5 in 1 s`, is `4 in 1 s`, first seen in .*2026-11-11/],
  ["a header gone", 355, 1, /getProjectUsage 200 served: `header: date` vanished/],
] as const)
  test(`${title} is named ${within === 1 ? "on its night" : "within three nights"}, not before`, () => {
    expect(saidAfter(night)).not.toMatch(says);
    expect(saidAfter(night + within)).toMatch(says);
  });

test("a flaky requirement is never mended or newly broken in turn, and fails no gate", () => {
  for (let nights = 206; nights <= 240; nights += 1) {
    const [history] = historiesOf(planted.slice(0, nights), described);
    const blocks = history ? sinceIn(history, words).slice(0, 1) : [];
    const titles = blocks.flatMap(({ sections }) => sections.map(({ title }) => title));
    expect([nights, titles.filter((one) => /broken|Fixed/.test(one))]).toEqual([nights, []]);
  }
});

test("the gate turns red only for what is newly broken", () => {
  const against = (nights: number, earlier: readonly number[]) => {
    const [first, ...others] = planted.slice(0, nights);
    const history = first && historyOf([first, ...others], described);
    return history && comparedWith(history, earlier, "0.1.0", described);
  };
  expect(against(364, [362])?.exitCode).toBe(0);
  const red = against(365, [363]);
  expect([red?.exitCode, red?.pairs[0]?.requirements.broken.map(({ id }) => id)]).toEqual([1, [fresh]]);
  expect(schemaProblems("reports/compare.schema.json", JSON.parse(JSON.stringify(red)))).toEqual([]);
  const usual = Array.from({ length: 14 }, (_, nth) => 350 + nth);
  expect(against(365, usual)?.pairs[0]?.requirements.broken.map(({ id }) => id)).toEqual([fresh]);
});

test("runs and loads, targets and vantages each have a history of their own", () => {
  const nights = [
    madeNight(0),
    madeNight(1, {}, { vantage: "Frankfurt" }),
    madeNight(2, {}, { kind: "nightly" }),
    madeNight(3, { name: "other" }),
    madeNight(4),
    madeNight(4),
  ];
  const found = historiesOf(nights, described).map((one) => [one.target, one.vantage, one.kind, one.nights.length]);
  expect(found).toEqual([
    ["acme", "Frankfurt", "run", 1],
    ["acme", null, "nightly", 1],
    ["acme", null, "run", 2],
    ["other", null, "run", 1],
  ]);
});

test("nights are of a kind by target, vantage and load shape", () => {
  const night = madeNight(0);
  expect(isOfKind(night, madeNight(1))).toBe(true);
  for (const other of [{ target: "other" }, { vantage: "Frankfurt" }, { kind: "nightly" }])
    expect(isOfKind(night, { ...night, ...other })).toBe(false);
});

test("nights that trends leave out are named, and nothing verified is never green", () => {
  const left = madeNight(1, { requirements: [judged("USG-HTTP-01", "broken")] }, { left: "SIGTERM ended it" });
  const histories = historiesOf([madeNight(0), left, madeNight(2)], described);
  expect(histories[0]?.strips[0]?.states).toHaveLength(2);
  expect(historyPageOf(histories, words)).toContain("SIGTERM ended it");
  const none = historiesOf([left], described);
  expect(historyMarkdown(none, words)).toContain("Nothing was verified");
  expect(historyPageOf(none, words)).toContain('<h1 class="inconclusive">');
  expect(JSON.parse(historyCtrf(none, words))).toMatchObject({
    results: { summary: { failed: 1, passed: 0 }, tests: [{ status: "failed", duration: 0 }] },
  });
  const withheld = historiesOf([madeNight(0, {}, { requirements: { "IH-OK-01": "withheld" } })], described);
  expect(JSON.parse(historyCtrf(withheld, words))).toMatchObject({
    results: { tests: [{ status: "failed" }, { status: "skipped", testId: "IH-OK-01" }] },
  });
});

test("the page has what loads asked for and got, where there were any", () => {
  const phases = [1, 2].map((perSecond) => ({
    ...{ name: "step", seconds: 10, perSecond, requests: 10 * perSecond, served: 9, limited: 0, failed: 0 },
  }));
  const load = { shape: "stress", phases, dropped: 0, knee_perSecond: null };
  const pageOf = (rest: Partial<Night>) =>
    historyPageOf(historiesOf([madeNight(0, {}, rest), madeNight(1, {}, rest)], described), words);
  expect(pageOf({ load })).toMatch(/Asked for.*Sent.*Served.*<td>30<\/td><td>30<\/td><td>18<\/td>/s);
  expect(pageOf({})).not.toContain("Asked for");
});

test("a night on which only some requirements were tried hides no breach", () => {
  const broken = madeNight(0, { requirements: [judged("USG-HTTP-01", "broken"), judged("USG-FLD-01", "holds")] });
  const some = madeNight(1, { requirements: [judged("USG-FLD-01", "holds")] });
  const histories = historiesOf([broken, some], described);
  expect(historyPageOf(histories, words)).toContain('<h1 class="broken">');
  expect(historyMarkdown(histories, words)).toContain("1 is broken as before");
});

test("Markdown has at most 60 lines, of many targets too", () => {
  const many = Array.from({ length: 30 }, (_, nth) => planted.map((night) => ({ ...night, target: `target ${nth}` })));
  for (const nights of [planted, many.flatMap((all) => all.slice(-9))]) {
    const text = historyMarkdown(historiesOf(nights, described), words);
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    expect(text).toMatch(/^## /);
    // A paragraph after each; without empty lines around it a heading isn't one everywhere.
    for (const [heading] of text.matchAll(/^##+ .*$/gm)) expect(`\n\n${text}`).toContain(`\n\n${heading}\n\n`);
    expect(text).toMatch(/^## .*\n\n.*\.\n\n/);
  }
});

test("CTRF says what is flaky, JSON has every night", () => {
  const histories = historiesOf(planted, described);
  const ctrf = JSON.parse(historyCtrf(histories, words)) as {
    readonly results: {
      readonly tests: readonly { readonly testId: string; readonly flaky: boolean; readonly status: string }[];
    };
  };
  expect(problemsOf("ctrf", ctrf)).toEqual([]);
  const of = (id: string) => ctrf.results.tests.find(({ testId }) => testId === id);
  expect([of(flaky)?.flaky, of(fresh)?.flaky, of(fresh)?.status]).toEqual([true, false, "failed"]);
  const [json] = JSON.parse(historyJson(histories)) as { readonly nights: object[]; readonly strips: object[] }[];
  expect([json?.nights.length, JSON.stringify(json).includes("histogram")]).toEqual([365, false]);
  expect(json?.nights.at(-1)).toMatchObject({ id: histories[0]?.nights.at(-1)?.id });
  expect(json?.strips[0]).toMatchObject({ id: histories[0]?.strips[0]?.id });
  expect(historyJson(histories)).toMatch(/^\[\n {/);
});

test("CTRF has the last state of each requirement of each history, JSON also what was left out", () => {
  const last = {
    "USG-HTTP-01": "broken",
    "CYC-PRES-01": "inconclusive",
    "IH-OK-01": "withheld",
    "TA-RES-01": "deviates",
  } as const;
  const before = madeNight(0, {}, { target: "one", requirements: { "USG-HTTP-01": "holds" } });
  const left = madeNight(1, {}, { target: "one", left: "SIGTERM ended it" });
  const broken = [2, 3].map((nth) => madeNight(nth, {}, { target: nth === 2 ? "one" : "two", requirements: last }));
  const histories = historiesOf([before, left, ...broken], described);
  const [one, ...others] = JSON.parse(historyJson(histories)) as {
    readonly left: object[];
    readonly strips: readonly { readonly id: string; readonly kinds: readonly string[] }[];
  }[];
  expect([one?.left, others.length]).toEqual([[{ id: "night 1", at: left.at, reason: "SIGTERM ended it" }], 1]);
  expect(one?.strips.find(({ id }) => id === "USG-HTTP-01")?.kinds).toEqual(["holds", "broken"]);
  const ctrf = JSON.parse(historyCtrf(histories, words)) as {
    readonly results: { readonly summary: object; readonly tests: readonly { readonly testId: string }[] };
  };
  expect(ctrf).toMatchObject({ runId: "night 2,night 3", results: { environment: { testEnvironment: "one, two" } } });
  const [start, stop] = broken.map(({ at }) => Date.parse(at));
  expect(ctrf.results.summary).toMatchObject({ tests: 8, failed: 2, skipped: 4, other: 2, start, stop });
  for (const [testId, status] of Object.entries({ "USG-HTTP-01": "failed", "CYC-PRES-01": "other" }))
    expect(ctrf.results.tests.find((one) => one.testId === testId)).toMatchObject({
      ...{ status, duration: 0, suite: ["one", "run", testId.slice(0, 3)] },
      ...(status === "failed" ? { message: "newly broken since 2025-11-28" } : {}),
    });
});

test("hostile text in a history stays text", () => {
  const hostile = "<img src=x onerror=alert(1)> `| \u001b[31m";
  const nights = [0, 1].map((nth) =>
    madeNight(
      nth,
      { name: hostile },
      { vantage: hostile, packed: pack([["OBS-HTTP-SLASH", { [hostile]: [nth === 0 ? hostile : "other"] }]]) },
    ),
  );
  const histories = historiesOf(nights, described);
  expect(historyPageOf(histories, words)).not.toContain("<img");
  expect(historyMarkdown(histories, words)).not.toContain("\u001b");
  expect(historyMarkdown(histories, words)).not.toMatch(/(?<!`.*)<img/);
});

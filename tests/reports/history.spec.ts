// A year of nights: planted changes are named, honest ones aren't, in every view.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import axe from "axe-core";
import { described } from "../../cli/described.ts";
import type { Run } from "../../harness/record/run.ts";
import { comparedWith } from "../../reports/history/compared.ts";
import { historyCtrf } from "../../reports/history/ctrf.ts";
import { historiesOf, historyOf } from "../../reports/history/history.ts";
import { type Night, opened, type Packed } from "../../reports/history/night.ts";
import { historyPageOf } from "../../reports/history/page.tsx";
import { sinceIn } from "../../reports/history/sections.ts";
import { historyJson, historyLines, historyMarkdown } from "../../reports/history/text.ts";
import { emptyFolder } from "../support/assay.ts";
import { madeNight, packedOf, yearOf } from "../support/madeNights.ts";
import { judged } from "../support/madeRuns.ts";
import { overflow, phone, reader, unfold, watched } from "../support/reports.ts";
import { ranInProcess } from "../support/runs.ts";
import { problemsOf, schemaProblems } from "../support/standards.ts";

const words = { version: "0.1.0", described };
const [flaky, fresh] = ["CYC-PRES-01", "USG-FLD-01"] as const;

let run: Run;
let honest: readonly Night[];
let planted: readonly Night[];

/** The night with what it packs changed. */
const repacked = (night: Night, change: (packed: Packed) => Packed): Night => ({
  ...night,
  packed: packedOf(change(structuredClone(opened(night)))),
});

const withLimit = (night: Night, limit: string): Night => ({
  ...repacked(night, ({ behaviours, shapes }) => ({
    behaviours: { ...behaviours, "OBS-RATE-ALGO": { "the limit": [limit] } },
    shapes,
  })),
  limits: { "the limit": limit },
});

const withoutDate = (night: Night): Night =>
  repacked(night, ({ behaviours, shapes }) => ({
    behaviours,
    shapes: shapes.map((shape) => {
      const { "header: date": _, ...places } = shape.places;
      return { ...shape, places };
    }),
  }));

test.beforeAll(async () => {
  run = await ranInProcess({
    only: ["USG-HTTP-01", "USG-FLD-01", "CYC-PRES-01", "IH-OK-01", "TA-RES-01", "WAL-BAL-01", "CB-RES-01"],
  });
  honest = yearOf(run, { seed: 1, drift: "in two months", busy: "together" });
  planted = honest.map((night, nth) => {
    const requirements = {
      ...night.requirements,
      ...(nth >= 200 && nth % 5 === 0 ? { [flaky]: "broken" as const } : {}),
      ...(nth === 364 ? { [fresh]: "broken" as const } : {}),
    };
    const latencies = night.latencies.map((line, place) =>
      place === 0 && nth >= 340 ? { ...line, p50_ms: line.p50_ms * 1.3, p95_ms: line.p95_ms * 1.3 } : line,
    );
    const limited = withLimit({ ...night, requirements, latencies }, nth >= 350 ? "4 in 1 s" : "5 in 1 s");
    return nth >= 355 ? withoutDate(limited) : limited;
  });
});

test("nothing is named in 365 honest nights, but at most 3 change points", () => {
  const [history] = historiesOf(honest, described);
  expect(history?.nights).toHaveLength(365);
  expect(history?.strips.filter(({ trend }) => trend.is !== "steady")).toEqual([]);
  expect(history?.changes).toEqual({ behaviours: [], shapes: [] });
  expect(history?.changePoints.length).toBeLessThanOrEqual(3);
});

/** What the last of so many nights is said to be. */
const saidAfter = (nights: number): string =>
  historyLines(historiesOf(planted.slice(0, nights), described), words).join("\n");

for (const [title, night, within, says] of [
  ["a requirement broken on one night in five", 200, 1, /Newly broken\n\s+✗ CYC-PRES-01/],
  ["the same on its second night: flaky", 205, 1, /Flaky\n\s+◐ CYC-PRES-01 .*flaky: broken on 2 of 30 nights, 7 % \(/],
  ["p95 +30 %", 340, 4, / p95 rose from [\d,.]+ ms to [\d,.]+ ms on 2026-1/],
  ["a limit of 4", 350, 1, /OBS-RATE-ALGO .*the limit was 5 in 1 s, is 4 in 1 s, first seen in .*2026-11-11/],
  ["a header gone", 355, 1, /getProjectUsage 200 served: header: date vanished/],
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
    return history && comparedWith(history, { name: "last", nights: earlier }, "0.1.0", described);
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
    ["acme", null, "run", 2],
    ["acme", "Frankfurt", "run", 1],
    ["acme", null, "nightly", 1],
    ["other", null, "run", 1],
  ]);
});

test("nights that trends leave out are named, and nothing verified is never green", () => {
  const left = madeNight(1, { requirements: [judged("USG-HTTP-01", "broken")] }, { left: "SIGTERM ended it" });
  const histories = historiesOf([madeNight(0), left, madeNight(2)], described);
  expect(histories[0]?.strips[0]?.states).toHaveLength(2);
  expect(historyPageOf(histories, words)).toContain("SIGTERM ended it");
  const none = historiesOf([left], described);
  expect(historyLines(none, words).join(" ")).toContain("Nothing was verified");
  expect(historyPageOf(none, words)).toContain('<h1 class="inconclusive">');
  expect(JSON.parse(historyCtrf(none, words))).toMatchObject({ results: { summary: { failed: 1, passed: 0 } } });
});

test("a night on which only some requirements were tried hides no breach", () => {
  const broken = madeNight(0, { requirements: [judged("USG-HTTP-01", "broken"), judged("USG-FLD-01", "holds")] });
  const some = madeNight(1, { requirements: [judged("USG-FLD-01", "holds")] });
  const histories = historiesOf([broken, some], described);
  expect(historyPageOf(histories, words)).toContain('<h1 class="broken">');
  expect(historyLines(histories, words).join(" ")).toContain("1 is broken as before");
});

test("Markdown has at most 60 lines, of many targets too", () => {
  const many = Array.from({ length: 30 }, (_, nth) => planted.map((night) => ({ ...night, target: `target ${nth}` })));
  for (const nights of [planted, many.flatMap((all) => all.slice(-9))]) {
    const text = historyMarkdown(historiesOf(nights, described), words);
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    expect(text).toMatch(/^## /);
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
});

test.describe("the page", () => {
  let file: string;
  test.beforeAll(() => {
    file = join(emptyFolder(), "index.html");
    writeFileSync(file, historyPageOf(historiesOf(planted, described), words));
  });

  test("has at most 3 MB", () => {
    expect(readFileSync(file).length).toBeLessThan(3_000_000);
  });

  test("shows changes on its first screen, sends nothing and logs nothing", async ({ page }) => {
    const seen = watched(page);
    await page.setViewportSize(reader);
    await page.goto(`file://${file}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 requirement is newly broken, 1 is flaky");
    for (const name of [/Since the night before/, /Since a week ago/, /Since the baseline/])
      await expect(page.getByRole("heading", { name })).toBeInViewport();
    await expect(page.getByText(fresh).first()).toBeInViewport();
    await expect(page.locator("svg.lines .point").first()).toBeAttached();
    await expect(page.locator(".strip rect.broken").first()).toBeVisible();
    expect([seen.errors, seen.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"))]).toEqual([
      [],
      [],
    ]);
  });

  for (const [name, viewport, colorScheme] of [
    ["a phone", phone, "dark"],
    ["a reader", reader, "light"],
  ] as const)
    test(`on ${name} nothing overflows, and axe-core finds nothing serious`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.goto(`file://${file}`);
      await unfold(page);
      expect(await overflow(page)).toBe(0);
      await page.evaluate(axe.source);
      const grave = await page.evaluate<readonly string[]>(
        `axe.run(document).then(({ violations }) =>
          violations
            .filter(({ impact }) => impact === "serious" || impact === "critical")
            .map(({ id, nodes }) => id + " " + nodes[0].html),
        )`,
      );
      expect(grave).toEqual([]);
    });

  test("printed, it shows strips and lines", async ({ page }) => {
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 700, height: 1000 });
    await page.goto(`file://${file}`);
    await expect(page.locator(".strip rect.broken").first()).toBeVisible();
    await expect(page.locator("svg.lines").first()).toBeVisible();
    expect(await overflow(page)).toBe(0);
  });
});

test("hostile text in a history stays text", () => {
  const hostile = "<img src=x onerror=alert(1)> `| \u001b[31m";
  const behaviours = { "OBS-HTTP-SLASH": { [hostile]: [hostile] } };
  const nights = [0, 1].map((nth) =>
    madeNight(
      nth,
      { name: hostile },
      {
        vantage: hostile,
        packed: packedOf({
          behaviours: nth === 0 ? behaviours : { "OBS-HTTP-SLASH": { [hostile]: ["other"] } },
          shapes: [],
        }),
      },
    ),
  );
  const histories = historiesOf(nights, described);
  expect(historyPageOf(histories, words)).not.toContain("<img");
  expect(historyLines(histories, words).join("\n")).not.toContain("\u001b");
  expect(historyMarkdown(histories, words)).not.toMatch(/(?<!`.*)<img/);
  expect(existsSync("x")).toBe(false);
});

// What a history says in words: its title, its headline, what changed since when, and latencies.
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import type { Item } from "../../reports/compare/wording.ts";
import { type History, historiesOf } from "../../reports/history/history.ts";
import type { Judged, Night } from "../../reports/history/night.ts";
import {
  flakySection,
  headlineIn,
  moodOf,
  pointItems,
  sinceIn,
  titleOf,
  trendText,
} from "../../reports/history/sections.ts";
import { madeNight } from "../support/madeNights.ts";

const textOf = (item: Item): string => item.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");

function historyOf(nights: readonly Night[]): History {
  const [history] = historiesOf(nights, described);
  if (!history) throw new Error("there is no night");
  return history;
}

const letters: { readonly [letter: string]: Judged } = { v: "holds", b: "broken", n: "narrowed", "-": "withheld" };
const ids = ["USG-HTTP-01", "USG-FLD-01", "USG-FLD-02"] as const;

/** A text for each requirement, a letter for each night. */
const judged = (...texts: readonly string[]): History =>
  historyOf(
    [...(texts[0] ?? "")].map((_, nth) => {
      const all = texts.flatMap((text, at) => {
        const { [text[nth] ?? ""]: kind } = letters;
        return kind ? [[ids[at], kind]] : [];
      });
      return madeNight(nth, {}, { requirements: Object.fromEntries(all) as Night["requirements"] });
    }),
  );

for (const [nights, headline, mood] of [
  [["vvvv"], "Nothing is broken", "holds"],
  [["nnnn"], "Nothing is broken", "holds"],
  [["----"], "Nothing was verified", "inconclusive"],
  [["vvvb"], "1 requirement is newly broken", "broken"],
  [["vvvb", "vvvb"], "2 requirements are newly broken", "broken"],
  [["vvbb", "bbbb", "vvvb"], "1 requirement is newly broken, 2 are broken as before", "broken"],
  [["bbbb"], "1 is broken as before", "broken"],
  [["vbvvbv", "vvvvvv"], "1 is flaky", "holds"],
  [["vbvvvb"], "1 is flaky", "broken"],
] as const)
  test(`${nights.join(", ")}: ${headline}`, () => {
    const history = judged(...nights);
    expect([headlineIn(history), moodOf(history)]).toEqual([headline, mood]);
  });

for (const [nights, text] of [
  ["vvvv", ""],
  ["vvvb", "newly broken since 2025-11-29"],
  ["bbvv", "mended since 2025-11-28"],
  ["vvnn", "narrowed since 2025-11-28"],
  ["vbvvv", "flaky: broken on 1 of 5 nights, 20 % (4 to 62 %)"],
] as const)
  test(`the trend of ${nights} is "${text}"`, () => {
    const { strips, nights: all } = judged(nights);
    expect(strips.map(({ trend }) => trendText(trend, all))).toEqual([text]);
  });

test("what is flaky is listed with its sentence", () => {
  const [section, ...others] = flakySection(judged("vbvvv", "vvvvv"));
  const sentence = described.tables.requirements.find(({ id }) => id === ids[0])?.sentence;
  expect([section?.title, section?.items.map(textOf), others]).toEqual([
    "Flaky",
    [`${ids[0]} ${sentence}: flaky: broken on 1 of 5 nights, 20 % (4 to 62 %)`],
    [],
  ]);
  expect(flakySection(judged("vvvv"))).toEqual([]);
});

for (const [rest, nights, title] of [
  [{}, 1, "acme: 1 night until 2025-11-26"],
  [{ vantage: "Frankfurt" }, 2, "acme from Frankfurt: 2 nights until 2025-11-27"],
  [{ kind: "nightly" }, 2, "acme, load nightly: 2 nights until 2025-11-27"],
  [{ left: "it was ended" }, 2, "acme: 0 nights, 2 left out"],
] as const)
  test(`it is called "${title}"`, () => {
    const all = Array.from({ length: nights }, (_, nth) => madeNight(nth, {}, rest));
    expect(textOf(titleOf(historyOf(all)))).toBe(title);
  });

const titles = (history: History, baseline?: string) =>
  sinceIn(history, { version: "1", described, baseline }).map(({ title }) => title);

test("the last night is compared with the night before, a week ago and the baseline, each once", () => {
  expect(titles(judged("v"))).toEqual([]);
  expect(titles(judged("vv"))).toEqual(["Since the night before and the baseline, 2025-11-26"]);
  expect(titles(judged("vvv"))).toEqual(["Since the night before, 2025-11-27", "Since the baseline, 2025-11-26"]);
  expect(titles(judged("v".repeat(8)))).toEqual([
    "Since the night before, 2025-12-02",
    "Since a week ago and the baseline, 2025-11-26",
  ]);
  const ten = judged("v".repeat(10));
  const [day, week] = ["Since the night before, 2025-12-04", "Since a week ago, 2025-11-28"];
  expect(titles(ten)).toEqual([day, week, "Since the baseline, 2025-11-26"]);
  expect(titles(ten, "night 4")).toEqual([day, week, "Since the baseline, 2025-11-30"]);
  expect(titles(ten, "night 2")).toEqual([day, "Since a week ago and the baseline, 2025-11-28"]);
  // A run of another history.
  expect(titles(ten, "other")).toEqual([day, week]);
});

test("a night that begins some hours earlier is a week ago, too; one that begins a day later isn't", () => {
  const hours = (nth: number, by: number): string =>
    new Date(Date.parse("2025-11-26T03:00:00Z") + (24 * nth + by) * 3_600_000).toISOString();
  const nights = (by: number) =>
    historyOf([
      madeNight(0, {}, { at: hours(0, by) }),
      madeNight(1, {}, { at: hours(3, 0) }),
      madeNight(2, {}, { at: hours(7, 0) }),
    ]);
  expect(titles(nights(5))).toContain("Since a week ago and the baseline, 2025-11-26");
  expect(titles(nights(7))).toContain("Since the baseline, 2025-11-26");
});

test("changes are those since each night, latencies among them", () => {
  const history = {
    ...judged("vvvvvvvvvb"),
    changePoints: [{ operation: "getX", percentile: "p95", night: 5, was: 10, is: 20, p: 0 }],
  } as const;
  const found = sinceIn(history, { version: "1", described }).map(({ sections }) =>
    sections.map(({ title, items }) => [title, items.length]),
  );
  expect(found).toEqual([
    [["Newly broken", 1]],
    [
      ["Newly broken", 1],
      ["Latency", 1],
    ],
    [
      ["Newly broken", 1],
      ["Latency", 1],
    ],
  ]);
});

test("latencies that moved on one night are one by one up to four operations, else one sentence", () => {
  const history = judged("vvvvvv");
  const points = (operations: number, by: number) =>
    Array.from(
      { length: operations },
      (_, nth) => ({ operation: `get${nth}`, percentile: "p50", night: 4, was: 100, is: 100 * by, p: 0 }) as const,
    );
  const texts = (...all: Parameters<typeof pointItems>[0][]) =>
    pointItems(all.flat(), { ...history, latencies: [] }).map(textOf);
  expect(texts(points(1, 1.5))).toEqual(["get0 p50 rose from 100 ms to 150 ms on 2025-11-30"]);
  expect(texts(points(4, 0.5))).toHaveLength(4);
  expect(texts(points(4, 0.5))[3]).toBe("get3 p50 fell from 100 ms to 50 ms on 2025-11-30");
  expect(texts(points(5, 1.5))).toEqual(["Latencies of 5 of 0 operations rose on 2025-11-30, by 50 % in the median"]);
  // Of one night, some rose and others fell.
  expect(texts(points(5, 1.5), points(1, 0.5))).toHaveLength(2);
});

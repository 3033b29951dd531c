// What a history says in words: its title, its headline, what changed since when, and latencies.
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { read } from "../support/assay.ts";
import { historyMarkdown, historyOf, madeNight, type Night } from "../support/madeNights.ts";

const letters: { readonly [letter: string]: Night["requirements"][string] } = {
  v: "holds",
  b: "broken",
  n: "narrowed",
  "-": "withheld",
};
const ids = ["USG-HTTP-01", "USG-FLD-01", "USG-FLD-02"] as const;

/** A text for each requirement, a letter for each night. */
const judged = (...texts: readonly string[]): readonly Night[] =>
  [...(texts[0] ?? "")].map((_, nth) => {
    const all = texts.flatMap((text, at) => {
      const { [text[nth] ?? ""]: kind } = letters;
      return kind ? [[ids[at], kind]] : [];
    });
    return madeNight(nth, {}, { requirements: Object.fromEntries(all) as Night["requirements"] });
  });

for (const [nights, headline, mood] of [
  [["vvvv"], "Nothing is broken", "holds"],
  [["nnnn"], "Nothing is broken", "holds"],
  [["----"], "Nothing was verified", "inconclusive"],
  [["vvvb"], "USG-HTTP-01 is newly broken", "broken"],
  [["vvvb", "vvvb"], "USG-HTTP-01, USG-FLD-01 are newly broken", "broken"],
  [["vvbb", "bbbb", "vvvb"], "USG-FLD-02 is newly broken; USG-HTTP-01, USG-FLD-01 are broken as before", "broken"],
  [["bbbb"], "USG-HTTP-01 is broken as before", "broken"],
  [["vbvvbv", "vvvvvv"], "USG-HTTP-01 is flaky", "holds"],
  [["vbvvvb"], "USG-HTTP-01 is flaky", "broken"],
] as const)
  test(`${nights.join(", ")}: ${headline}`, async () => {
    const found = judged(...nights);
    expect((await historyMarkdown(found)).split("\n")).toContain(`## ${headline}`);
    expect((await historyOf(found)).page).toContain(`<h1 class="${mood}">${headline}`);
  });

for (const [nights, text] of [
  ["vvvv", ""],
  ["vvvb", "newly broken since 2025-11-29"],
  ["bbvv", "fixed since 2025-11-28"],
  ["vvnn", "verified on less since 2025-11-28"],
  ["vbvvv", "flaky: broken on 1 of 5 nights, 20 % (4 to 62 %)"],
] as const)
  test(`the trend of ${nights} is "${text}"`, async () => {
    const { ctrf } = await historyOf(judged(nights));
    const { results } = ctrf as { readonly results: { readonly tests: readonly { readonly message?: string }[] } };
    expect(results.tests.map(({ message = "" }) => message)).toEqual([text]);
  });

test("what is flaky is listed with its sentence", async () => {
  const { rows } = parse(read("specs/requirements/USG.yaml")) as {
    readonly rows: readonly { readonly [name: string]: string }[];
  };
  const { sentence } = rows.find(({ id }) => id === ids[0]) ?? {};
  const [, section = ""] = (await historyMarkdown(judged("vbvvv", "vvvvv"))).split("#### Flaky\n\n");
  expect(section.split("\n\n")[0]).toBe(
    `- ◐ ${ids[0]} \`${sentence}\`: flaky: broken on 1 of 5 nights, 20 % (4 to 62 %)`,
  );
  expect(await historyMarkdown(judged("vvvv"))).not.toContain("Flaky");
});

for (const [rest, nights, title] of [
  [{}, 1, "acme: 1 night until 2025-11-26"],
  [{ vantage: "Frankfurt" }, 2, "acme from Frankfurt: 2 nights until 2025-11-27"],
  [{ kind: "nightly" }, 2, "acme, load nightly: 2 nights until 2025-11-27"],
  [{ left: "it didn't finish" }, 2, "acme: 0 nights, 2 left out"],
] as const)
  test(`it is called "${title}"`, async () => {
    const all = Array.from({ length: nights }, (_, nth) => madeNight(nth, {}, rest));
    expect((await historyMarkdown(all)).split("\n")).toContain(`### ${title}`);
  });

/** Since which nights changes are told, and how. */
async function sinceIn(nights: readonly Night[], baseline?: string) {
  const flags = baseline === undefined ? [] : ["--baseline", baseline];
  const blocks = (await historyMarkdown(nights, ...flags))
    .split("\n#### ")
    .filter((block) => block.startsWith("Since"));
  return blocks.map((block) => {
    const [title = "", ...lines] = block.trimEnd().split("\n");
    return { title, lines: lines.filter(Boolean) };
  });
}
const titles = async (nights: readonly Night[], baseline?: string): Promise<readonly string[]> =>
  (await sinceIn(nights, baseline)).map(({ title }) => title);

test("the last night is compared with the night before, a week ago and the baseline, each once", async () => {
  expect(await titles(judged("v"))).toEqual([]);
  expect(await titles(judged("vv"))).toEqual(["Since the night before and the baseline, 2025-11-26"]);
  expect(await titles(judged("vvv"))).toEqual(["Since the night before, 2025-11-27", "Since the baseline, 2025-11-26"]);
  expect(await titles(judged("v".repeat(8)))).toEqual([
    "Since the night before, 2025-12-02",
    "Since a week ago and the baseline, 2025-11-26",
  ]);
  const ten = judged("v".repeat(10));
  const [day, week] = ["Since the night before, 2025-12-04", "Since a week ago, 2025-11-28"];
  expect(await titles(ten)).toEqual([day, week, "Since the baseline, 2025-11-26"]);
  expect(await titles(ten, "night 4")).toEqual([day, week, "Since the baseline, 2025-11-30"]);
  expect(await titles(ten, "night 2")).toEqual([day, "Since a week ago and the baseline, 2025-11-28"]);
  // A run of another history of the same file.
  const other = madeNight(0, {}, { id: "other", target: "other" });
  expect(await titles([...ten, other], "other")).toEqual([day, week]);
});

test("a night that begins some hours earlier is a week ago, too; one that begins a day later isn't", async () => {
  const hours = (nth: number, by: number): string =>
    new Date(Date.parse("2025-11-26T03:00:00Z") + (24 * nth + by) * 3_600_000).toISOString();
  const nights = (by: number): readonly Night[] => [
    madeNight(0, {}, { at: hours(0, by) }),
    madeNight(1, {}, { at: hours(3, 0) }),
    madeNight(2, {}, { at: hours(7, 0) }),
  ];
  expect(await titles(nights(5))).toContain("Since a week ago and the baseline, 2025-11-26");
  expect(await titles(nights(7))).toContain("Since the baseline, 2025-11-26");
});

/** Of each operation, its p50 on the sixth last night by its p50 before. */
const moved = (factors: readonly number[], text = "v".repeat(20)): readonly Night[] =>
  judged(text).map((night, nth, all) => {
    const isMoved = nth >= all.length - 6;
    const latencies = factors.map((by, at) => {
      const of = { operation: `get${at}`, outcome: "served", count: 100 } as const;
      return { ...of, p50_ms: isMoved ? 100 * by : 100, p95_ms: 300, p99_ms: 300 };
    });
    return { ...night, latencies };
  });

test("changes are those since each night, latencies among them", async () => {
  const found = await sinceIn(moved([2], `${"v".repeat(19)}b`));
  const titlesIn = found.map(({ lines }) => lines.filter((line) => line.startsWith("**")));
  expect(titlesIn).toEqual([
    ["**Newly broken**"],
    ...Array.from({ length: 2 }, () => ["**Newly broken**", "**Latency**"]),
  ]);
});

test("latencies that moved on one night are one by one up to four operations, else one sentence", async () => {
  const texts = async (...factors: readonly number[]): Promise<readonly string[]> =>
    ((await sinceIn(moved(factors))).at(-1)?.lines ?? [])
      .filter((line) => line.startsWith("- ≠ "))
      .map((line) => line.slice(4));
  expect(await texts(1.5)).toEqual(["get0 p50 rose from 100 ms to 150 ms on 2025-12-10"]);
  expect(await texts(0.5, 0.5, 0.5, 0.5)).toEqual(
    [0, 1, 2, 3].map((nth) => `get${nth} p50 fell from 100 ms to 50 ms on 2025-12-10`),
  );
  const many = "Latencies of 5 of 5 operations rose on 2025-12-10, by 50 % in the median";
  expect(await texts(1.5, 1.5, 1.5, 1.5, 1.5)).toEqual([many]);
  // Of one night, some rose and others fell.
  expect(await texts(1.5, 1.5, 1.5, 1.5, 1.5, 0.5)).toHaveLength(2);
});

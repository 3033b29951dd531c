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
  [["vvvv"], "Passed: nothing is broken", "holds"],
  [["nnnn"], "Passed: nothing is broken", "holds"],
  [["----"], "Inconclusive: nothing was verified", "inconclusive"],
  [["vvvb"], "Failed: USG-HTTP-01 is newly broken", "broken"],
  [["vvvb", "vvvb"], "Failed: USG-HTTP-01, USG-FLD-01 are newly broken", "broken"],
  [
    ["vvbb", "bbbb", "vvvb"],
    "Failed: USG-FLD-02 is newly broken; USG-HTTP-01, USG-FLD-01 are broken as before",
    "broken",
  ],
  [["bbbb"], "Failed: USG-HTTP-01 is broken as before", "broken"],
  [["vbvvbvbv", "vvvvvvvv"], "Passed: nothing is broken; USG-HTTP-01 is flaky", "holds"],
  [["vbvbvvvb"], "Inconclusive: USG-HTTP-01 is flaky", "inconclusive"],
  [["vvvvvbvb"], "Failed: USG-HTTP-01 is broken again: 2 of 8 nights", "broken"],
  [["vvvvvbvbb"], "Failed: USG-HTTP-01 is broken again: 3 of 9 nights", "broken"],
  // What the last night didn't judge isn't said to be anything.
  [
    ["vvb---", "vvvvvv"],
    "Inconclusive: nothing is broken; USG-HTTP-01 is not judged since 2025-11-28 (broken then)",
    "inconclusive",
  ],
  [
    ["bb-", "bb-", "vvv"],
    "Inconclusive: nothing is broken; USG-HTTP-01, USG-FLD-01 are no longer judged (broken when they last were)",
    "inconclusive",
  ],
  [["vvv-", "vvvv"], "Passed: nothing is broken", "holds"],
] as const)
  test(`${nights.join(", ")}: ${headline}`, async () => {
    const found = judged(...nights);
    expect((await historyMarkdown(found)).split("\n")).toContain(`## ${headline}`);
    const [, heading = ""] = /(<h1.*)<\/h1>/.exec((await historyOf(found)).page) ?? [];
    expect(heading.replaceAll(/<\/?span[^>]*>/g, "")).toBe(`<h1 class="${mood}">${headline}`);
  });

for (const [left, headline] of [
  [
    ["it didn't finish"],
    "Inconclusive: nothing is broken; the last night, 2025-11-29, is left out, as it didn't finish",
  ],
  [
    ["it didn't finish", "the load was inconclusive"],
    "Inconclusive: nothing is broken; the last 2 nights, since 2025-11-29, are left out, " +
      "the last as the load was inconclusive",
  ],
] as const)
  test(`nothing is green whose last night is left out: ${left.join(", ")}`, async () => {
    const nights = [...judged("vvv"), ...left.map((why, nth) => madeNight(3 + nth, {}, { left: why }))];
    const { page } = await historyOf(nights);
    expect((await historyMarkdown(nights)).split("\n")).toContain(`## ${headline}`);
    expect(page).toContain('<h1 class="inconclusive">');
    const later = [...nights, madeNight(9)];
    expect((await historyMarkdown(later)).split("\n")).toContain("## Passed: nothing is broken");
  });

for (const [nights, text] of [
  ["vvvv", ""],
  ["vvvb", "newly broken since 2025-11-29"],
  ["bbvv", "fixed since 2025-11-28"],
  ["vvnn", "verified on less since 2025-11-28"],
  ["vbvvv", "fixed since 2025-11-28"],
  ["vbvbvb", "flaky: broken on 3 of 6 nights, 50 % (19 to 81 %)"],
  ["vvvvvbvb", "broken again: 2 of 8 nights, since 2025-12-03"],
  ["vvb--", "not judged since 2025-11-28 (broken then)"],
] as const)
  test(`the trend of ${nights} is "${text}"`, async () => {
    const { ctrf } = await historyOf(judged(nights));
    const { results } = ctrf as { readonly results: { readonly tests: readonly { readonly message?: string }[] } };
    expect(results.tests.at(-1)?.message ?? "").toBe(text);
  });

for (const [failed, says] of [
  [
    [1, 0, 2, 5],
    "5 of 40 requests of the last night failed in a way that didn't recur (0 to 2 on the 3 nights before)",
  ],
  [[0, 0, 5], "5 of 40 requests of the last night failed in a way that didn't recur (0 on the 2 nights before)"],
  [[9, 9, 9, 0], null],
  // Older versions don't count them.
  [[undefined, 5], "5 of 40 requests of the last night failed in a way that didn't recur\n"],
] as const)
  test(`failures that didn't recur, ${failed.join(", ")} by night, are ${says ? "flaky" : "no news"}`, async () => {
    const spent = { requests: 40, credits: 0, unpriced: 0 };
    const nights = failed.map((intermittent, nth) =>
      madeNight(nth, {}, { spent, ...(intermittent === undefined ? {} : { intermittent }) }),
    );
    const markdown = await historyMarkdown(nights);
    expect(markdown.includes("Flaky")).toBe(says !== null);
    expect(markdown).toContain(says ?? "Passed: nothing is broken");
  });

test("what is flaky is listed with its sentence", async () => {
  const { rows } = parse(read("specs/requirements/USG.yaml")) as {
    readonly rows: readonly { readonly [name: string]: string }[];
  };
  const { sentence } = rows.find(({ id }) => id === ids[0]) ?? {};
  const [, section = ""] = (await historyMarkdown(judged("vbvbvb", "vvvvvv"))).split("#### Flaky\n\n");
  expect(section.split("\n\n")[0]).toBe(
    `- ◐ ${ids[0]} \`${sentence}\`: flaky: broken on 3 of 6 nights, 50 % (19 to 81 %)`,
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
  const one = "p50 is 1.5 × slower since 2025-12-10: 100 ms before, 150 ms now";
  expect(await texts(1.5)).toEqual([`get0 ${one}`]);
  const faster = "p50 is 2 × faster since 2025-12-10: 100 ms before, 50 ms now";
  expect(await texts(0.5, 0.5, 0.5, 0.5)).toEqual([0, 1, 2, 3].map((nth) => `get${nth} ${faster}`));
  const all = "All 5 operations are 1.5 × slower in the median since 2025-12-10";
  expect(await texts(1.5, 1.5, 1.5, 1.5, 1.5)).toEqual([all]);
  // Of one night, some rose and others fell.
  expect(await texts(1.5, 1.5, 1.5, 1.5, 1.5, 0.5)).toHaveLength(2);
});

/** Medians of an operation night by night; p95 twice as long. */
const timed = (...medians: readonly number[]): readonly Night[] =>
  judged("v".repeat(medians.length)).map((night, nth) => {
    const p50_ms = medians[nth] ?? 0;
    const line = { operation: "getX", outcome: "served", count: 300, p50_ms, p95_ms: 2 * p50_ms, p99_ms: 3 * p50_ms };
    return { ...night, latencies: [line] as Night["latencies"] };
  });

test("a slowdown is in the headline, in a row with its nights, and since each night that was before it", async () => {
  const nights = timed(0.5, 0.7, 63);
  const text = await historyMarkdown(nights);
  expect(text.split("\n")[0]).toBe("## Passed: nothing is broken; getX p95 is 106 × slower since 2025-11-28");
  expect(text).toContain(
    "| getX p95 | 1.2 ms | 126 ms | 106 × slower | since 2025-11-28 | ▁▁█ 1.0 ms on 2025-11-26 … 126 ms on 2025-11",
  );
  const since = (await sinceIn(nights)).map(({ lines }) => lines.slice(0, 2));
  const item = "- ≠ getX p95 is 106 × slower since 2025-11-28: 1.2 ms before, 126 ms now";
  expect(since).toEqual([
    ["**Latency**", item],
    ["**Latency**", item],
  ]);
  const { page } = await historyOf(nights);
  const label = "getX p95 by night: 2025-11-26: 1.0 ms, 2025-11-27: 1.4 ms, 2025-11-28: 126 ms";
  expect(page).toContain(`role="img" aria-label="${label}"`);
});

test("before the third night, latency isn't judged, and it is said so", async () => {
  const text = await historyMarkdown(timed(0.5, 63));
  expect(text).toContain("Too few nights to judge latency: 2 of 3.");
  expect(text).toContain("No change of what both nights judged. Not judged: latency (too few nights).");
  const unmeasured = timed(0.5, 0.5, 0.5, 63).map((night, nth) => (nth < 2 ? { ...night, latencies: [] } : night));
  expect(await historyMarkdown(unmeasured)).toContain("Too few nights to judge latency: 2 of 3.");
  expect(await historyMarkdown(timed(0.5, 0.6, 0.5))).toContain("No change.");
});

test("no change is said only of what both nights judged", async () => {
  const text = await historyMarkdown(judged("vv.", "vvv"));
  expect(text).toContain("No change of what both nights judged. Not judged: 1 requirement.");
});

test("latency of what was no longer served isn't said to be unchanged", async () => {
  const [first, ...others] = timed(1, 1, 1, 1, 1);
  const last = others.at(-1);
  if (!first || !last) throw new Error("there are no nights");
  const text = await historyMarkdown([first, ...others.slice(0, -1), { ...last, latencies: [] }]);
  expect(text).toContain("Not judged: latency of 1 operation (too few answers).");
  expect(text).not.toContain("No change.");
});

const loadNight = (perSecond: number, limited = 0): NonNullable<Night["load"]> => ({
  ...{ shape: "smoke", dropped: 0, knee_perSecond: null },
  phases: [{ name: "steady", seconds: 20, perSecond, requests: 900, served: 900 - limited, limited, failed: 0 }],
});

test("a bound that the last load exceeded is named first, with on how many nights, and nothing is green", async () => {
  const bound = { operation: "getTransfers" as never, bound_ms: 150, p95_ms: 182, isKept: false } as const;
  const nights = [false, true, false, true].map((isExceeded, nth) =>
    madeNight(nth, {}, { kind: "smoke", load: { ...loadNight(54), ...(isExceeded ? { exceeded: [bound] } : {}) } }),
  );
  const says = "getTransfers answered with p95 182 ms, above the target file's bound of 150 ms, on 2 of 4 nights";
  expect(await historyMarkdown(nights)).toContain(`## Failed: ${says}; `);
  expect((await historyOf(nights)).page).toContain('<h1 class="broken">');
  expect(await historyMarkdown(nights.slice(0, 3))).not.toContain("bound");
});

test("more refusals than on the night before are said with both shares", async () => {
  const nights = [2, 75].map((limited, nth) => madeNight(nth, {}, { kind: "smoke", load: loadNight(54, limited) }));
  const text = await historyMarkdown(nights);
  expect(text).toContain("**Refusals and failures**\n\n- ≠ more rate-limited: 0.2 → 8.3 %");
  expect(text).not.toContain("No change");
});

test("a load at another rate is said to be another", async () => {
  const nights = (...rates: readonly number[]): readonly Night[] =>
    timed(...rates).map((night, nth) => ({ ...night, kind: "smoke", load: loadNight(rates[nth] ?? 0) }));
  expect(await historyMarkdown(nights(54, 54, 200, 200))).toContain(
    "Not the same load since 2025-11-28: up to 200/s, 54/s before. It may be why latency changed.",
  );
  expect(await historyMarkdown(nights(54, 54, 55, 54))).not.toContain("Not the same load");
});

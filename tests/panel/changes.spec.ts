// Two panels compared, and a panel in words: what is new is reported, and chance isn't.
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import { PanelLatencies } from "../../panel/latencies.ts";
import { compareRuns } from "../../reports/compare/compare.ts";
import { documentMarkdown } from "../../reports/document/markdown.ts";
import { documentPage } from "../../reports/document/page.tsx";
import { documentLines } from "../../reports/document/terminal.ts";
import { panelChanges, panelChangesDocument } from "../../reports/panel/changes.ts";
import { panelExitCode } from "../../reports/panel/figures.ts";
import { leadLines, panelDocument, panelHeadline, panelMood } from "../../reports/panel/view.ts";
import { judged, made } from "../support/madeRuns.ts";
import { madeDifference, madePanel } from "./made.ts";

type Given = Parameters<typeof madePanel>[0];
const changed = (was: Given, is: Given) => panelChanges(madePanel(was), madePanel(is));
const panelPage = (...given: Parameters<typeof panelDocument>) => documentPage(panelDocument(...given));
const panelLines = (panel: Parameters<typeof panelDocument>[0]) => documentLines(panelDocument(panel));
const linesOf = (was: Given, is: Given, vendor = 2) => changed(was, is).vendors[vendor]?.lines;

const lag = (stale: number, behind: number) => ({
  freshness: { getTokenAccounts: [{ vendor: 2, behind: { [behind]: 100 }, uncertain: 0.2, stale }] },
});
function slow(extra_ms: number): Given {
  const latencies = new PanelLatencies();
  for (let nth = 0; nth < 100; nth += 1)
    latencies.add("getIndexerHealth", [{ vendor: 2, ms: 50 + (nth % 10) + extra_ms, isCold: false }]);
  return { latencies: latencies.latencies };
}
const counted = (some: object): Given => {
  const { questions } = madePanel();
  return { questions: questions.map((one) => ({ ...one, counts: one.counts.map((all) => ({ ...all, ...some })) })) };
};

test("the same panel twice is as before, for each vendor", () => {
  const { headline, vendors, exitCode } = changed({}, {});
  expect([headline, exitCode]).toEqual(["Nobody is newly wrong", 0]);
  expect(vendors.map(({ lines }) => lines)).toEqual([["as before"], ["as before"], ["as before"]]);
});

for (const [title, was, is, line] of [
  ["newly wrong", {}, { wrong: 3 }, "newly wrong: getTokenAccounts-1"],
  ["wrong no more", { wrong: 3 }, {}, "right again: getTokenAccounts-1"],
  ["newly behind", lag(0, 0), lag(90, 40), "newly behind"],
  ["behind no more", lag(90, 40), lag(0, 1), "no longer behind"],
  ["slower", slow(0), slow(60), "getIndexerHealth (warm): median 115 ms, before 54 ms"],
  [
    "refused more often",
    {},
    counted({ agrees: 1, "rate-limited": 9 }),
    "rate-limited in 90 % of its answers, before in 0 %",
  ],
] as const)
  test(`${title} is reported`, () => {
    expect(linesOf(was, is)).toEqual([
      expect.stringMatching(new RegExp(`^${line.replace(/[()]/g, "\\$&").replace(/\d+(?= ms)/g, "[\\d.]+")}$`)),
    ]);
  });

for (const [title, was, is] of [
  ["a refusal or two", {}, counted({ agrees: 8, "rate-limited": 2 })],
  ["a few ms", slow(0), slow(5)],
  ["lags that nobody can be blamed for", lag(0, 0), lag(1, 1)],
  ["wrong on a question that isn't asked any more", { wrong: 3 }, { questions: [] }],
] as const)
  test(`${title}: as before`, () => {
    expect(linesOf(was, is)).toEqual(["as before"]);
  });

test("newly wrong is exit code 1, nothing compared is 3, a vendor of only one of them is named", () => {
  expect(changed({}, { wrong: 3 }).exitCode).toBe(1);
  const still = changed({ wrong: 3 }, { wrong: 3 });
  expect([still.exitCode, still.vendors[2]?.lines]).toEqual([0, [expect.stringMatching(/^still wrong: get/)]]);
  expect(changed({}, { questions: [] }).exitCode).toBe(3);
  const { vendors, reference } = madePanel();
  const lone = vendors.map((one, nth) => (nth === 2 ? { ...one, name: "dan" } : one));
  const found = changed({}, { vendors: lone, reference });
  expect(found.others).toEqual(["cyd", "dan"]);
  expect(changed({}, { vendors: vendors.map((one) => ({ ...one, name: `new ${one.name}` })) }).exitCode).toBe(3);
  expect(documentLines(panelChangesDocument(found, "0")).at(-1)).toBe("Not in both: cyd, dan");
  const markdown = documentMarkdown(panelChangesDocument(changed({}, { wrong: 3 }), "0"));
  expect(markdown.split("\n").filter((line) => line.startsWith("#"))).toEqual([
    "## Newly wrong: cyd",
    "### ada",
    "### bea",
    "### cyd",
  ]);
});

test("a panel in words: headline, exit code, and a line for each vendor", () => {
  const wrong = madePanel({ wrong: 3 });
  expect(panelLines(wrong).slice(0, 13)).toEqual([
    "cyd is wrong.",
    "            ada         bea         cyd",
    "  wrong     none of 10  none of 10  ✗ 3 of 10",
    "  stale     none of 10  none of 10  none of 10",
    "  refusals  none of 10  none of 10  none of 10",
    "  nothing sets ada apart",
    "  nothing sets bea apart",
    "  cyd is worst in wrong answers",
    "✓ best and ▼ worst, where the figures tell a vendor apart from every other. Not known of any: p50 and p95: " +
      "nothing served; conformance and limits: compared once two have a run in the folder of --runs.",
    "1 question, 10 rounds, 10 polls, from 2026-11-27 03:00:00 UTC to 2026-11-27 03:01:00 UTC.",
    "  ada: agrees 10",
    "  bea: agrees 10",
    "  cyd: agrees 7, wrong 3",
  ]);
  const late = madePanel(lag(90, 40));
  expect(panelLines(late)[0]).toBe("cyd is behind.");
  expect(panelLines(late).join("\n")).toContain("cyd in getTokenAccounts: 40 slots behind in the median");
  expect([wrong, late, madePanel({ questions: [] })].map(panelExitCode)).toEqual([1, 0, 3]);
  expect(panelLines(madePanel({ apart: 4 })).at(-1)).toContain("4 polls didn't begin together and weren't");
  expect(panelLines(madePanel({ apart: 1 })).at(-1)).toContain("1 poll didn't begin together and wasn't");
  const night = madePanel({ vantage: "fra" });
  const [ofPlace] = documentLines(panelDocument(night, [night, night]));
  expect(ofPlace).toBe("On the latest of 2 nights from fra: Nobody is wrong or behind.");
});

test("who gave no answer, and who always differs, is in the headline, and the page isn't green", () => {
  const { questions } = madePanel();
  const third = (some: object): Given => ({
    questions: questions.map((one) => ({
      ...one,
      counts: one.counts.map((all, nth) => (nth === 2 ? { ...all, agrees: 0, ...some } : all)),
    })),
  });
  for (const [given, headline] of [
    [third({ refused: 10 }), "cyd is without an answer to compare"],
    [third({ unavailable: 10 }), "cyd is without an answer to compare"],
    [third({ unsettled: 10 }), "cyd is different on some questions that stay undecided"],
    [lag(90, 40), "cyd is behind"],
  ] as const) {
    expect([panelHeadline(madePanel(given)), panelMood(madePanel(given))]).toEqual([headline, "inconclusive"]);
    expect(panelPage(madePanel(given))).toContain(`<h1 class="inconclusive">${headline}`);
  }
  expect([madePanel(), madePanel({ wrong: 3 })].map(panelMood)).toEqual(["holds", "broken"]);
});

test("three late answers are no lag, and four are", () => {
  const late = (count: number) =>
    madePanel({ freshness: { a: [{ vendor: 2, behind: { 40: count }, uncertain: 0, stale: count }] } });
  expect([3, 4].map((count) => panelHeadline(late(count)))).toEqual(["Nobody is wrong or behind", "cyd is behind"]);
});

test("who is faster is reported where the whole interval is above zero, and there are enough polls", () => {
  const lead = { operation: "a", faster: 0, slower: 1, polls: 40, isRanked: true, by_ms: 5, from_ms: 2, to_ms: 8 };
  const leads = [lead, { ...lead, from_ms: 0 }, { ...lead, isRanked: false }].map((one) => {
    return { ...one, histograms: ["", ""] as const };
  });
  expect(leadLines(madePanel({ leads }))).toEqual(["ada is faster than bea by 5.0 ms (2.0 to 8.0) in a, 40 polls"]);
});

test("pages show what vendors write as text, and no key of a page is theirs", () => {
  const evil = '<script>alert(1)</script>"&';
  const { vendors } = madePanel();
  const panel = madePanel({ vendors: vendors.map((one, nth) => (nth === 2 ? { ...one, name: evil } : one)), wrong: 3 });
  for (const page of [panelPage(panel, [panel]), documentPage(panelChangesDocument(panelChanges(panel, panel), "0"))]) {
    expect(page).not.toContain("<script");
    expect(page).toContain("&lt;script&gt;");
  }
});

test("conformance stands beside it, the worst first, as vendors' runs are compared", () => {
  const runs = [
    made(0, { name: "ada", requirements: [judged("CYC-PRES-01", "broken"), judged("USG-FLD-01", "holds")] }),
    made(0, { name: "bea", requirements: [judged("CYC-PRES-01", "holds"), judged("USG-FLD-01", "holds")] }),
  ];
  const page = panelPage({ ...madePanel(), conformance: compareRuns(runs, "0", described) });
  expect(page).toContain("Their latest runs");
  expect(page).toMatch(/CYC-PRES-01[\s\S]*✗[\s\S]*broken/);
  expect(page).not.toContain("USG-FLD-01");
  const [alone, history] = [panelPage(madePanel()), panelPage(madePanel(), [madePanel()])];
  for (const other of [alone, history]) expect(other).not.toContain("latest runs");
  expect(
    [alone, history].map((other) => other.includes("conformance and limits: compared once two have a run")),
  ).toEqual([true, false]);
});

const given = (...values: readonly (readonly [value: string | null, ...vendors: number[]])[]) => ({
  values: values.map(([value, ...vendors]) => ({ value, vendors })),
});
const key = (end: string): string => `9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9z${end}`;
const differenceTexts = (...made: Parameters<typeof madeDifference>) => {
  const document = panelDocument(madeDifference(...made));
  const lines = documentLines(document);
  const label = lines.findIndex((line) => line.startsWith("Where they differed"));
  return { label: lines[label], line: lines[label + 1], document };
};

for (const [title, difference, options, expected] of [
  [
    "a number with its difference",
    given(["890880", 0, 1, 2], ["890957", 3]),
    { wrong: [3] },
    "balance: 890880 ×3, delta 890957 (+77, wrong)",
  ],
  ["a smaller number", given(["890957", 0, 1, 2], ["890880", 3]), {}, "balance: 890957 ×3, delta 890880 (-77)"],
  [
    "a number beyond 2^53, exactly",
    given(["18446744073709551615", 0, 1], ["9007199254740993", 2], ["18446744073709551614", 3]),
    {},
    "balance: 18446744073709551615 ×2, cyd 9007199254740993 (-18437736874454810622), " +
      "delta 18446744073709551614 (-1, equal as doubles)",
  ],
  ["a fraction", given(["5", 0, 1, 2], ["7.5", 3]), {}, "balance: 5 ×3, delta 7.5 (+2.5)"],
  [
    "a tie, without a majority",
    given(["890880", 0, 1], ["890957", 2, 3]),
    {},
    "balance, no majority: 890880 ×2 (ada and bea), 890957 ×2 (cyd and delta), 77 apart",
  ],
  [
    "all of them different",
    given(["1", 0], ["2", 1], ["3", 2], [null, 3]),
    {},
    "balance, no majority: 1 (ada), 2 (bea), 3 (cyd), missing (delta)",
  ],
  [
    "the reference's value, though most gave another",
    given(["5", 0, 1, 2], ["7", 3]),
    { reference: 3, wrong: [0, 1, 2] },
    "balance: 7 ×1 (delta, trusted), ada, bea and cyd 5 (-2, wrong)",
  ],
  [
    "what one lacks",
    { ...given(["5", 0, 1, 2], [null, 3]), of: "a", member: "amount" },
    {},
    "amount of a: 5 ×3, delta missing",
  ],
  ["what most lack", given([null, 0, 1, 2], ["5", 3]), {}, "balance: missing ×3, delta 5"],
  [
    "a part of a text, with its surroundings",
    { ...given([key("YtAWWM"), 0, 1, 2], [key("YtkgWM"), 3]), is: "text", of: "a", member: "owner" },
    {},
    "owner of a: …VL9zYtAWWM ×3, delta …VL9zYt[kg]WM",
  ],
  [
    "texts with nothing in common, shortened",
    {
      ...given([key("YtAWWM"), 0, 1, 2], ["HxAb3c5ZQ1RqG8mNqUxvQRAyrZzDsGYdLV9zYtAqqq", 3]),
      is: "text",
      of: "a",
      member: "owner",
    },
    {},
    "owner of a: 9WzDXwBb…YtAWWM ×3, delta [HxAb3c5Z…YtAqqq]",
  ],
  [
    "a text that lacks a part",
    { ...given([key("YtAWWM"), 0, 1, 2], [key("YtWM"), 3]), is: "text", of: "a", member: "owner" },
    {},
    "owner of a: …LVL9zYtAWWM ×3, delta …LVL9zY[t]WM",
  ],
  [
    "a text that lacks its beginning",
    { ...given([key("YtAWWM"), 0, 1, 2], [key("YtAWWM").slice(1), 3]), is: "text", of: "a", member: "owner" },
    {},
    "owner of a: 9WzDXwBb… ×3, delta [W]zDXwBb…",
  ],
  [
    "the only text there is, shortened",
    { ...given([key("YtAWWM"), 0, 1, 2], [null, 3]), is: "text", of: "a", member: "owner" },
    {},
    "owner of a: 9WzDXwBb…YtAWWM ×3, delta missing",
  ],
  [
    "a short text as a whole, in a tie, too",
    { ...given(["true", 0, 1], ["false", 2, 3]), is: "text", of: "a", member: "frozen" },
    {},
    "frozen of a, no majority: [true] ×2 (ada and bea), [false] ×2 (cyd and delta)",
  ],
] as const)
  test(`marked: ${title}`, () => {
    expect(differenceTexts(difference, options).line).toBe(`  ≠ getCompressedBalance-1, ${expected}`);
  });

test("marked: in bold in Markdown, and on the page by a sign and a line beneath, whatever the colours", async ({
  page,
}) => {
  const { document } = differenceTexts(given(["890880", 0, 1, 2], ["890957", 3]), { wrong: [3] });
  expect(documentMarkdown(document)).toContain(
    "\n- ≠ getCompressedBalance-1, balance: 890880 ×3, delta **890957** (+77, wrong)\n",
  );
  await page.setContent(documentPage(document));
  const item = page.getByRole("listitem").filter({ hasText: "≠balance: 890880 ×3, delta 890957 (+77, wrong)" });
  await expect(item).toBeVisible();
  await expect(item.locator("mark")).toHaveText("890957");
  await expect(item.locator("mark")).toHaveCSS("text-decoration-line", "underline");
});

test("marked: of many values the first ones, with the number of all; the page folds the rest", () => {
  const { label, document } = differenceTexts(given(["1", 0, 1, 2], ["2", 3]), { differing: 30 });
  expect(label).toBe("Where they differed, 2 of 30 values:");
  const page = documentPage(document);
  expect(page.match(/<mark class="differs">2<\/mark>/g)).toHaveLength(20);
  expect(page).toContain("25 more values, without the last 10");
});

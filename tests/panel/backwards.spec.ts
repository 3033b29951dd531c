// Going back: what a vendor knew and no longer shows is counted, and what round trips or honest changes explain isn't.
import { expect, test } from "@playwright/test";
import { chanceOf } from "../../load/k6/chance.ts";
import { backwardsIn } from "../../panel/backwards.ts";
import type { Backwards } from "../../panel/panelReport.ts";
import { pooled } from "../../panel/pooling.ts";
import { documentMarkdown } from "../../reports/document/markdown.ts";
import { documentPage } from "../../reports/document/page.tsx";
import { documentLines } from "../../reports/document/terminal.ts";
import { backwardsOf } from "../../reports/panel/backwards.ts";
import { panelChanges } from "../../reports/panel/changes.ts";
import { panelExitCode } from "../../reports/panel/figures.ts";
import { panelScorecard } from "../../reports/panel/scorecard.ts";
import { panelDocument, panelMood } from "../../reports/panel/view.ts";
import { backwardsOfPolls, balances, stages, withSlot } from "./handMade.ts";
import { madePanel } from "./made.ts";

for (const [title, polls, expected] of [
  ["equal slots and higher ones", [10, 10, 12].map((slot) => withSlot("accounts", slot)), [2, 0, {}]],
  ["lower slots", [10, 13, 11, 10, 14].map((slot) => withSlot("accounts", slot)), [4, 2, { 2: 1, 3: 1 }]],
  ["of another question", [withSlot("accounts", 10), withSlot("others", 9)], [1, 1, { 1: 1 }]],
  ["of a balance", [withSlot("balance", 10), withSlot("balance", 4)], [1, 1, { 6: 1 }]],
  ["of statuses", [withSlot("statuses", 10), withSlot("statuses", 9)], [1, 1, { 1: 1 }]],
  [
    "an answer that was still under way",
    [withSlot("accounts", 13, { sent_ms: 0, received_ms: 90 }), withSlot("accounts", 10, { sent_ms: 90 })],
    [0, 0, {}],
  ],
  [
    "an answer that came just before",
    [withSlot("accounts", 13, { sent_ms: 0, received_ms: 90 }), withSlot("accounts", 10, { sent_ms: 91 })],
    [1, 1, { 3: 1 }],
  ],
  [
    "polls that weren't together",
    [13, 10].map((slot) => withSlot("accounts", slot, { isTogether: false })),
    [1, 1, { 3: 1 }],
  ],
  [
    "one answer that claims any slot",
    [10, 99_999, 11, 12, 11].map((slot) => withSlot("accounts", slot)),
    [4, 1, { 1: 1 }],
  ],
] as const)
  test(`slots: ${title}`, async () => {
    const [{ answers, back, slots, values, statuses } = {}] = await backwardsOfPolls(polls);
    expect([answers, back, slots]).toEqual(expected);
    expect([values, statuses]).toEqual([0, 0]);
  });

test("an answer that goes back in two ways goes back once", async () => {
  const [{ back, statuses, slots } = {}] = await backwardsOfPolls(stages("confirmed@100", "processed@99"));
  expect([back, statuses, slots]).toEqual([1, 1, { 1: 1 }]);
});

test("slots are compared within an operation, for each may be served by an index of its own", async () => {
  const found = await backwardsOfPolls([withSlot("accounts", 50), withSlot("balance", 10), withSlot("balance", 11)]);
  expect(found.map(({ operation, answers, back }) => [operation, answers, back])).toEqual([
    ["getTokenAccounts", 0, 0],
    ["getCompressedBalance", 1, 0],
  ]);
});

test("vendors are compared with themselves, and refusals with nothing", async () => {
  const slots = (...all: readonly (number | null)[]) => ({
    asked: "balance" as const,
    results: all.map((slot) => (slot === null ? null : `{"context":{"slot":${slot}},"value":7}`)),
  });
  const found = await backwardsOfPolls([slots(10, 50), slots(11, null), slots(12, 49)]);
  expect(found.map(({ vendor, answers, back }) => [vendor, answers, back])).toEqual([
    [0, 2, 0],
    [1, 1, 1],
  ]);
});

for (const [title, answers, expected] of [
  ["forwards", ["-", "processed", "confirmed", "finalized"], 0],
  ["again and again", ["confirmed", "confirmed", "finalized", "finalized"], 0],
  ["an earlier one", ["finalized", "confirmed", "processed", "finalized"], 2],
  ["confirmed after finalized, which stays", ["finalized", "confirmed", "confirmed"], 2],
  ["a fork that dropped what was processed", ["processed", "-", "-", "processed", "confirmed"], 0],
  ["unknown between", ["confirmed", "-", "confirmed", "finalized", "-", "-", "finalized"], 3],
  ["unknown from then on, as statuses may be forgotten", ["finalized", "-", "-"], 0],
  ["of two bundles at once", ["confirmed,finalized", "processed,confirmed", "confirmed,finalized"], 1],
  ["of another bundle", ["finalized,-", "finalized,processed", "finalized,confirmed"], 0],
  ["a status that nobody knows", ["finalized", "rooted", "finalized"], 0],
] as const)
  test(`statuses: ${title}: ${expected}`, async () => {
    const [{ back, statuses, slots } = {}] = await backwardsOfPolls(stages(...answers));
    expect([back, statuses, slots]).toEqual([expected, expected, {}]);
  });

const [until, calm] = ["90 b b b b", ["12 a a a a", "20 b b b b"]] as const;
for (const [title, rows, expected, reference] of [
  ["an amount that it had replaced", [...calm, "25 b b b a", "30 b b b b", until], 1],
  ["again and again", [...calm, "25 b b b a", "30 b b b b", "35 b b b a", "40 b b b a", until], 3],
  ["and its slot shows it, so that it counts once", [...calm, "25 b b b a@11", "30 b b b b", until], 0],
  ["deposit, withdrawal, deposit", [...calm, "25 b b b a", "30 a a a a", "90 a a a a"], 0],
  ["the same, and others are slow to see it", [...calm, "25 b b b a", "30 b b b a", "36 a a a a", "99 a a a a"], 0],
  ["the same, and the panel ended before others could see it", [...calm, "25 b b b a", "30 b b b b"], 0],
  ["the same, and withdrawn before others saw it", [...calm, "25 b b b a", "30 c c c c", "90 c c c c"], 0],
  [
    "an account whose amount comes and goes",
    ["10 a a a a", "14 b b b b", "18 a a a a", "22 b b b b", "26 b b b a", "30 b b b b", until],
    0,
  ],
  ["one that only lags: it never gave the newer amount", ["12 a a a a", "20 b b b a", "25 b b b a", until], 0],
  ["two that give it", ["12 a a a a a", "20 b b b b b", "25 b b b a a", "30 b b b b b", "90 b b b b b"], 0],
  ["an amount that nobody else had", [...calm, "25 b b b x", "30 b b b b", until], 0],
  ["of three, the two others and itself show it", ["12 a a a", "20 b b b", "25 b b a", "30 b b b", "90 b b b"], 1],
  ["of two, nobody knows", ["12 a a", "20 b b", "25 b a", "30 b b", "90 b b"], 0],
  ["with others that disagree", ["12 a a a a", "20 b b b b", "25 b x y a", "30 b b b b", until], 0],
  ["of two, the reference is trusted", ["12 a a", "20 b b", "25 b a", "30 b b", "90 b b"], 1, 0],
  ["just as the others change", [...calm, "21 b b b a", "30 b b b b", until], 0],
  [
    "while most give a third amount",
    [
      "12 a a a a a a a",
      "14 z z z z z z z",
      "16 z z z z b b b",
      "20 z z z z b b a",
      "30 b b b b b b b",
      "90 b b b b b b b",
    ],
    0,
  ],
  ["others being silent", [...calm, "25 b - - a", "30 b b b b", until], 0],
] as const)
  test(`values: ${title}: ${expected}`, async () => {
    const found = await backwardsOfPolls(balances(...rows), reference ?? null);
    expect(found.map(({ values }) => values)).toEqual(
      rows[0]
        .split(" ")
        .slice(1)
        .map((_, vendor, all) => (vendor === all.length - 1 ? expected : 0)),
    );
    const last = found.at(-1);
    expect(last?.back).toBe(expected + Object.values(last?.slots ?? {}).length);
  });

/**
 * 180 answers of two replicas so many slots apart, one a slot, of which each comes from the old one with a chance of
 * `share`. That goes back unless the old one gave the last `slots - 1` answers, too.
 */
function rateOf(slots: number, share: number, seed: number) {
  const answers = Array.from({ length: 181 }, (_, nth) => {
    const slot = 1_000 + nth - (chanceOf(seed, nth) < share ? slots : 0);
    const at = { sent_ms: 400 * nth, received_ms: 400 * nth + 50 };
    return { vendor: 0, operation: "getTokenAccounts", slot, stages: new Map(), ...at };
  });
  const backwards = backwardsIn(answers, new Set());
  return { rate: backwardsOf({ ...madePanel(), backwards }, 0), expected: share * (1 - share ** (slots - 1)) };
}

for (const [slots, share] of [
  [3, 0.5],
  [3, 0.1],
  [10, 0.3],
  [40, 0.05],
  [40, 0.5],
  [1, 0.5],
] as const)
  test(`two replicas ${slots} slots apart, the old one in ${share}: the rate is within its interval`, () => {
    const rates = Array.from({ length: 200 }, (_, seed) => rateOf(slots, share, seed));
    const within = rates.filter(({ rate, expected }) => {
      const [least, most] = rate?.interval ?? [1, 0];
      return least - 1e-9 <= expected && expected <= most;
    });
    // An interval of 95 % misses one in twenty.
    expect(within.length).toBeGreaterThanOrEqual(183);
    const widths = rates.map(({ rate }) => (rate ? rate.interval[1] - rate.interval[0] : 1));
    expect(Math.max(...widths)).toBeLessThan(0.15);
  });

const counts = (
  vendor: number,
  back: { readonly [slots: string]: number },
  given: Partial<Backwards> = {},
): Backwards => ({
  vendor,
  operation: "getTokenAccounts",
  answers: 100,
  back: Object.values(back).reduce((all, some) => all + some, 0),
  slots: back,
  values: 0,
  statuses: 0,
  ...given,
});
const reportedOf = (...backwards: readonly Backwards[]) => madePanel({ backwards });

test("several nights add up exactly: answers, slots, values and statuses", () => {
  const first = reportedOf(counts(0, {}), counts(2, { 3: 2, 40: 1 }, { values: 1, back: 4 }));
  const second = reportedOf(
    counts(2, { 3: 5 }, { answers: 50, statuses: 2, back: 6 }),
    counts(2, { 1: 1 }, { operation: "getCompressedBalance" }),
  );
  const { backwards: _, ...older } = madePanel();
  // Where nobody looked, nothing is said of it.
  const firstFormat = { ...older, format: 1 as never };
  const olderNights = pooled([firstFormat, firstFormat]);
  expect([olderNights.backwards, panelScorecard(olderNights, true).unknown]).toEqual([
    undefined,
    expect.not.arrayContaining([expect.arrayContaining([expect.stringContaining("goes back")])]),
  ]);
  expect(pooled([older, first, second]).backwards).toEqual([
    counts(0, {}),
    counts(2, { 3: 7, 40: 1 }, { answers: 150, values: 1, statuses: 2, back: 10 }),
    counts(2, { 1: 1 }, { operation: "getCompressedBalance" }),
  ]);
});

for (const [title, backwards, line] of [
  [
    "by slots",
    [counts(2, { 40: 25, 41: 3, 3: 3 })],
    "31 % of its answers (23 to 41 %), by 40 slots in the median, at most 41",
  ],
  [
    "in two operations together",
    [counts(2, { 3: 1 }), counts(2, { 1: 8 }, { operation: "getCompressedBalance", answers: 200 })],
    "3 % of its answers (1.6 to 5.6 %), by 1 slot in the median, at most 3",
  ],
  [
    "by a value, or a status",
    [counts(2, {}, { values: 1, statuses: 2, back: 3 })],
    "3 % of its answers (1 to 8.5 %), once to a value that it had replaced, 2 times to an earlier status of a bundle",
  ],
  [
    "once in thousands",
    [counts(2, { 2: 1 }, { answers: 5_000 })],
    "under 0.1 % of its answers (0 to 0.1 %), by 2 slots in the median, at most 2",
  ],
] as const)
  test(`reported: ${title}`, () => {
    const lines = documentLines(panelDocument(reportedOf(...backwards)));
    expect(lines.filter((text) => text.includes(" goes back in "))).toEqual([`  cyd goes back in ${line}`]);
  });

test("going back is no fault by itself: neither headline, colour nor exit code change", () => {
  const [calm, back] = [reportedOf(counts(2, {})), reportedOf(counts(2, { 40: 90 }))];
  for (const panel of [calm, back]) {
    expect([panelExitCode(panel), panelMood(panel)]).toEqual([0, "holds"]);
    expect(documentLines(panelDocument(panel))[0]).toBe("Nobody is wrong or behind.");
  }
  expect(documentLines(panelDocument(calm)).at(-1)).toBe("Nobody went back, in 100 answers.");
  expect(documentLines(panelDocument(madePanel())).join()).not.toContain("went back");
});

test("the table has all vendors, the one that goes back most first, where it does, and in which ways", () => {
  const balance = { operation: "getCompressedBalance" };
  const panel = reportedOf(
    counts(0, {}),
    counts(1, { 3: 10 }),
    counts(1, {}, balance),
    counts(2, { 5: 40 }, { values: 2 }),
  );
  const table = documentMarkdown(panelDocument(panel)).split("| Vendor | Operation ")[1]?.split("\n\n")[0];
  expect(table?.split("\n")).toEqual([
    "| Goes back | Answers | Slots | Values |",
    "| --- | --- | --- | --- | --- | --- |",
    "| cyd | getTokenAccounts | 40 % (31 to 50 %) | 100 | 5 in the median, at most 5 | 2 |",
    "| bea | all together | 5 % (2.7 to 9 %) | 200 | 3 in the median, at most 3 | none |",
    "| bea | getTokenAccounts | 10 % (5.5 to 17 %) | 100 | 3 in the median, at most 3 | none |",
    "| bea | getCompressedBalance | 0 % (0 to 3.7 %) | 100 | none | none |",
    "| ada | getTokenAccounts | 0 % (0 to 3.7 %) | 100 | none | none |",
  ]);
});

test("each night has each vendor's rate", () => {
  const nights = [reportedOf(counts(2, { 40: 12 })), reportedOf(counts(2, {})), madePanel()] as const;
  const page = documentPage(panelDocument(pooled([...nights]), nights));
  const [, table = ""] = page.split("<caption>Going back, night by night");
  expect([...table.matchAll(/\d+ % \([\d. to]+%\)/g)].slice(0, 2).map(([cell]) => cell)).toEqual([
    "12 % (7 to 20 %)",
    "0 % (0 to 3.7 %)",
  ]);
});

for (const [title, was, is, lines] of [
  [
    "more than chance explains",
    [counts(2, {})],
    [counts(2, { 40: 12 })],
    ["goes back in 12 % of its answers, before in 0 %"],
  ],
  ["no more", [counts(2, { 3: 50 })], [counts(2, {})], ["goes back in 0 % of its answers, before in 50 %"]],
  ["a little more often", [counts(2, { 3: 5 })], [counts(2, { 3: 9 })], ["as before"]],
  ["of which the older panel knows nothing", [], [counts(2, { 3: 90 })], ["as before"]],
] as const)
  test(`two panels compared: ${title}`, () => {
    expect(panelChanges(reportedOf(...was), reportedOf(...is)).vendors[2]?.lines).toEqual(lines);
  });

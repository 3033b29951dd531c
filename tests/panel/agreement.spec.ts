// Votes on one question: who is stale, fresher or wrong, and what can't be known
import { expect, test } from "@playwright/test";
import { agreementIn } from "../../panel/agreement.ts";

/**
 * Asks as a table: a row for each, with the slot and what each vendor says; `-` for no vote. A vote may name a slot of
 * its own: `x@12`.
 */
function pollsOf(...rows: readonly string[]) {
  return rows.map((row) => {
    const [slot = "", ...agreed] = row.split(/\s+/);
    return agreed.flatMap((text, vendor) => {
      const [value = "", own = slot] = text.split("@");
      return value === "-" ? [] : [{ vendor, slot: Number(own), value }];
    });
  });
}

const repeated = (row: (slot: number) => string, times: number, from = 10): readonly string[] =>
  Array.from({ length: times }, (_, nth) => row(from + nth * 5));

/** What a vendor's votes are, once 50 more slots have passed, unless it ends at once. */
function standingsOf(rows: readonly string[], vendor: number, reference: number | null = null, end = 50): string {
  const polls = pollsOf(...rows);
  const [value = "", last = 0] = [polls.at(-1)?.[0]?.value, polls.at(-1)?.[0]?.slot];
  const vendors = rows[0]?.trim().split(/\s+/).slice(1).length ?? 0;
  const later = Array.from({ length: vendors }, (_, nth) => ({ vendor: nth, slot: last + end, value }));
  const { standings } = agreementIn(end > 0 ? [...polls, later] : polls, vendors, reference);
  return polls
    .map((poll, nth) => standings[nth]?.[poll.findIndex((vote) => vote.vendor === vendor)]?.[0] ?? "-")
    .join("");
}

for (const [title, rows, vendor, expected] of [
  ["all alike", repeated((slot) => `${slot} a a a a`, 3), 3, "aaa"],
  ["alone once", ["10 a a a a", "15 a a a b", "20 a a a a"], 3, "aua"],
  ["alone three times, and others reached its slot", repeated((slot) => `${slot} a a a b`, 4), 3, "wwww"],
  [
    "alone three times with agreement between",
    ["10 a a a b", "15 a a a a", "20 a a a b", "25 a a a b", "30 a a a a"],
    3,
    "wawwa",
  ],
  [
    "alone, others answering otherwise each time",
    ["10 a a a x", "15 b b b x", "20 c c c x", "25 d d d x", "30 e e e e"],
    3,
    "uuuua",
  ],
  ["alone with another answer each time", repeated((slot) => `${slot} a a a x${slot}`, 6), 3, "uuuuuu"],
  ["ten times with another answer each time", repeated((slot) => `${slot} a a a x${slot}`, 11), 3, "wwwwwwwwwww"],
  ["ahead, and others follow", ["10 a a a a", "15 a a a b@20", "20 b b b b", "25 b b b b"], 3, "afaa"],
  [
    "ahead for long, and others follow",
    ["10 a a a b@60", "15 a a a b@65", "20 a a a b@70", "60 b b b b", "75 b b b b"],
    3,
    "fffaa",
  ],
  ["ahead, and others never reach its slot", repeated((slot) => `${slot} a a a b@90`, 6), 3, "uuuuuu"],
  [
    "its claim is beyond belief",
    ["10 a a a b@99999", "20 a a a b@99999", "30 a a a b@99999", "200 a a a b@99999"],
    3,
    "wwwu",
  ],
  ["behind while the panel moved on just now", ["10 a a a a", "15 b b b a", "20 b b b b", "25 b b b b"], 3, "auaa"],
  [
    "behind though the panel had moved on",
    ["10 a a a a", "15 b b b a", "20 b b b a", "25 b b b b", "30 b b b b"],
    3,
    "ausaa",
  ],
  ["frozen", ["10 a a a a", "15 b b b a", "20 b b b a", "25 b b b a", "30 b b b a"], 3, "ausss"],
  [
    "an answer from before the panel changed, that nobody else gave in time",
    ["10 a a a a", "15 b b b x@12", "20 b b b x@12", "25 b b b x@12", "30 b b b x@12", "35 b b b b"],
    3,
    "auuuua",
  ],
  [
    "a late answer that was wrong at its slot, too",
    ["10 a a a a", "15 a a a x@12", "20 a a a x@17", "25 a a a x@22", "30 a a a a"],
    3,
    "awwwa",
  ],
  ["there and back again", ["10 a a a a", "15 b b b a", "20 a a a a", "25 a a a a"], 3, "afaa"],
  ["three of six against three", repeated((slot) => `${slot} a a a b b b`, 4), 4, "uuuu"],
  [
    "ahead, and the panel moved on to something else before it came there",
    ["10 a a a x@30", "12 a a a x@30", "14 a a a x@30", "20 b b b b", "40 b b b b"],
    3,
    "uuuaa",
  ],
  ["two of four against two", repeated((slot) => `${slot} a a b b`, 4), 3, "uuuu"],
  ["two that err alike, of five", repeated((slot) => `${slot} a a a b b`, 4), 4, "wwww"],
  ["three against one, one being silent", repeated((slot) => `${slot} a a a b -`, 4), 3, "wwww"],
  ["two against one, others being silent", repeated((slot) => `${slot} a a b - -`, 4), 2, "uuuu"],
  [
    "what three others say at other times",
    ["10 a a a x", "12 a a a x", "15 x a a x", "20 a x a x", "25 a a a x", "27 a a a x", "30 a a x x", "35 a a a a"],
    3,
    "uuuuuuua",
  ],
] as const)
  test(`${title}: ${expected}`, () => {
    expect(standingsOf(rows, vendor)).toBe(expected);
  });

test("near the end, nobody is wrong whose data may be newer than its slot", () => {
  const rows = ["10 a a a a", ...repeated((slot) => `${slot} a a a b`, 5, 15)];
  expect(standingsOf(rows, 3, null, 0)).toBe("auuuuu");
  expect(standingsOf(rows, 3, null, 20)).toBe("auuuuu");
  expect(standingsOf(rows, 3, null, 32)).toBe("awwwuu");
});

test("several that agree against the reference are wrong", () => {
  const rows = repeated((slot) => `${slot} a b b b`, 4);
  expect([1, 2, 3].map((vendor) => standingsOf(rows, vendor, 0))).toEqual(["wwww", "wwww", "wwww"]);
});

test("one against the reference is wrong, and so are two", () => {
  const rows = repeated((slot) => `${slot} a b b`, 4);
  expect([1, 2].map((vendor) => standingsOf(rows, vendor, 0))).toEqual(["wwww", "wwww"]);
  expect(standingsOf(rows, 0, 0)).toBe("aaaa");
});

test("a divided panel of three is a question, and names nobody", () => {
  const { standings, splits } = agreementIn(pollsOf(...repeated((slot) => `${slot} a a b`, 5)), 3, null);
  expect(splits).toEqual([{ groups: [[0, 1], [2]], polls: 5 }]);
  expect(new Set(standings.flat())).toEqual(new Set(["unsettled"]));
});

test("divided twice, or each time by other answers, isn't divided for good", () => {
  expect(agreementIn(pollsOf("10 a a b", "15 a a b"), 3, null).splits).toEqual([]);
  expect(agreementIn(pollsOf(...repeated((slot) => `${slot} a${slot} a${slot} b`, 6)), 3, null).splits).toEqual([]);
});

test("a panel that is divided until all agree was only out of step", () => {
  const rows = ["10 a a a", "15 b b a", "20 b b a", "25 b b a", "30 b b b", "35 b b b"];
  expect(agreementIn(pollsOf(...rows), 3, null).splits).toEqual([]);
  expect(standingsOf(rows, 2)).toBe("aussaa");
  expect(standingsOf(rows, 0)).toBe("aaaaaa");
});

test("two that differ are named once, and nobody is blamed", () => {
  const { standings, splits } = agreementIn(pollsOf(...repeated((slot) => `${slot} a b`, 4)), 2, null);
  expect(splits).toEqual([{ groups: [[0], [1]], polls: 4 }]);
  expect(new Set(standings.flat())).toEqual(new Set(["unsettled"]));
});

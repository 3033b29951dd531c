// Requirements over nights: steady, newly broken, fixed, narrowed, or flaky with a rate.
import { expect, test } from "@playwright/test";
import type { State } from "../../reports/compare/comparison.ts";
import { chanceOfChanges, isNewlyBroken, lastOf, trendOf, unjudgedSince } from "../../reports/history/strips.ts";
import type { Kind } from "../../reports/words.ts";

const letters: { readonly [letter: string]: Kind | "absent" } = {
  v: "holds",
  b: "broken",
  w: "warned",
  n: "narrowed",
  d: "deviates",
  "-": "withheld",
  "?": "inconclusive",
  ".": "absent",
};
/** `v9 b` is nine nights that hold, and one that is broken. */
const nights = (text: string): readonly State[] =>
  text.split(" ").flatMap((part) => {
    const kind = letters[part[0] ?? ""] ?? "absent";
    return Array.from({ length: Number(part.slice(1) || 1) }, () => ({ kind, reason: null }));
  });

for (const [text, trend] of [
  ["v30", { is: "steady" }],
  ["b30", { is: "steady" }],
  ["-30", { is: "steady" }],
  ["v9 b", { is: "newly broken", night: 9 }],
  ["v9 w", { is: "newly broken", night: 9 }],
  ["v9 d", { is: "steady" }],
  ["v9 b5", { is: "newly broken", night: 9 }],
  ["v9 - ? . b", { is: "newly broken", night: 12 }],
  ["b9 v", { is: "fixed", night: 9 }],
  ["v10 b10 v10", { is: "fixed", night: 20 }],
  ["b31 v40", { is: "steady" }],
  ["v9 n", { is: "narrowed", night: 9 }],
  ["v9 n3 v", { is: "steady" }],
  ["n10", { is: "steady" }],
  ["v9 b v9", { is: "fixed", night: 10 }],
  ["v5 b v b", { is: "broken again", night: 7, broken: 2, of: 8 }],
  ["v5 b v b v", { is: "fixed", night: 8 }],
  ["b v3 b", { is: "broken again", night: 4, broken: 2, of: 5 }],
  // The third time it comes and goes.
  ["v5 b v b v b", { is: "flaky", broken: 3, of: 10 }],
  ["v4 b v4 b v4 b v4 b", { is: "flaky", broken: 4, of: 20 }],
  ["v10 b v2", { is: "fixed", night: 11 }],
  ["b2 v5 b2 v5 b2 v5 b2", { is: "flaky", broken: 8, of: 23 }],
  // Only the last 30 judged nights count.
  ["v50 b v29", { is: "fixed", night: 51 }],
  ["v50 b v30", { is: "steady" }],
] as const)
  test(`${text}: ${trend.is}`, () => {
    expect(trendOf(nights(text))).toMatchObject(trend);
  });

test("the rate of a flaky requirement has Wilson's interval", () => {
  const trend = trendOf(nights("v4 b v4 b v4 b v4 b v4 b v4 b"));
  // Computed by hand: 6 of 30, z = 1.96.
  expect(trend).toEqual({
    is: "flaky",
    broken: 6,
    of: 30,
    rate: [expect.closeTo(0.0951, 3), expect.closeTo(0.3731, 3)],
  });
});

for (const [text, isNew] of [
  ["v9 b", true],
  ["b", true],
  ["- - b", true],
  ["v9 b b", false],
  ["v9 w", false],
  ["v9 b v", false],
  ["v9 b .", false],
  ["v4 b v4 b v4 b", false],
  ["v9 b - b", false],
  ["v30 b", true],
  ["b9 v40 b", true],
  ["b v3 b", true],
  ["v5 b v b", true],
  ["v5 b v b b", false],
  ["v5 b v b v b", false],
] as const)
  test(`${text}: its last night ${isNew ? "is" : "is not"} the first of a breach`, () => {
    const states = nights(text);
    expect(isNewlyBroken({ states, trend: trendOf(states) })).toBe(isNew);
  });

test("a flaky requirement that breaks for good is newly broken on one night, and once", () => {
  const all = nights("v4 b v4 b v4 b v10 b12");
  const news = all.flatMap((_, nth) => {
    const states = all.slice(0, nth + 1);
    return isNewlyBroken({ states, trend: trendOf(states) }) ? [nth] : [];
  });
  // The first time, the second, and for good.
  expect(news).toEqual([4, 9, expect.any(Number)]);
  expect(news[2]).toBeGreaterThan(25);
});

for (const [broken, others, changes, chance] of [
  // All 10 orders of 2 and 3: bbvvv and vvvbb change once; bvvvb, vbbvv and vvbbv twice.
  [2, 3, 1, 2 / 10],
  [2, 3, 2, 5 / 10],
  [2, 3, 4, 1],
  [1, 9, 1, 2 / 10],
  [1, 9, 2, 1],
] as const)
  test(`${broken} broken and ${others} other nights change at most ${changes} times in ${chance} of all orders`, () => {
    expect(chanceOfChanges(broken, others, changes)).toBeCloseTo(chance, 10);
  });

for (const [text, last, unjudged] of [
  ["v b", "broken", null],
  ["v b . .", "absent", { night: 1, kind: "broken" }],
  ["v b -", "withheld", { night: 1, kind: "broken" }],
  [". .", "absent", null],
  // Too long ago to say anything of today.
  ["b -31", "withheld", null],
] as const)
  test(`${text}: the last night says ${last}, and ${unjudged ? "that it isn't judged any more" : "no more"}`, () => {
    const states = nights(text);
    expect([lastOf({ states }), unjudgedSince({ states })]).toEqual([last, unjudged]);
  });

// The order of polls: each question once a round, or in the shares of a workload.
import { expect, test } from "@playwright/test";
import { callsAnnounced, countsIn, healthSharing, orderOf, sharing, unshared } from "./madeWorkloads.ts";

test("polls come in the shares of a workload, and exactly so over rounds", () => {
  const asked = [...sharing(0.4, 0.2), ...healthSharing(0.4)];
  expect(countsIn(asked, 1)).toEqual([8, 4, 8]);
  expect(countsIn(asked, 20)).toEqual([160, 80, 160]);
  // In each part of it, none is a whole call off.
  for (const rounds of [1, 2, 3, 7, 20])
    for (const [nth, count] of countsIn([...sharing(0.5, 0.17), ...healthSharing(0.33)], rounds).entries())
      expect(Math.abs(count - ([0.5, 0.17, 0.33][nth] ?? 0) * rounds * 20)).toBeLessThan(2);
});

test("a call as rare as one in a hundred comes at last, as no round begins anew", () => {
  const asked = [...sharing(0.99), ...healthSharing(0.01)];
  expect([1, 2, 5, 20].map((rounds) => countsIn(asked, rounds)[1])).toEqual([0, 0, 1, 4]);
});

test("a round has twenty polls of a workload, or as many as it has questions, in an order that the seed gives", () => {
  const few = [...sharing(0.5), ...healthSharing(0.5)];
  expect(orderOf(few, 1)).toHaveLength(20);
  expect(orderOf(few, 1)).toEqual(orderOf(few, 1));
  expect(orderOf(few, 2)).not.toEqual(orderOf(few, 1));
  const many = sharing(...Array.from({ length: 30 }, () => 1 / 30));
  expect([...orderOf(many, 1)].sort()).toEqual(many.map(({ id }) => id).sort());
});

test("without shares each question comes once a round", () => {
  expect(countsIn(unshared, 3)).toEqual([3, 3]);
});

test("never more calls are made than were announced, and hardly fewer", () => {
  for (const rounds of [1, 3, 7, 20])
    for (const shares of [[0.5, 0.17], [0.01], [0.9, 0.05]]) {
      const rest = 1 - shares.reduce((all, share) => all + share, 0);
      const asked = [...sharing(...shares), ...healthSharing(rest)];
      const made = countsIn(asked, rounds).slice(0, shares.length);
      const lacking = callsAnnounced(asked, rounds) - made.reduce((all, count) => all + count, 0);
      expect([lacking >= 0, lacking < 2]).toEqual([true, true]);
    }
  expect(callsAnnounced(unshared, 3)).toBe(3);
});

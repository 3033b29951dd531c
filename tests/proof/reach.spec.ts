// Tests how much of what it can reach a run verifies, with one key and with all that a target file can give
import { expect, test } from "@playwright/test";
import { findingsIn, judgedPlatform } from "../../proof/lawful/platforms.ts";
import { reachable, reachTable } from "../../proof/reach.ts";
import { requirements } from "../../specs/generated/requirements.ts";

test("each requirement has one place in the table of what one key, more, and control reach", () => {
  const placed = reachTable().rows.flatMap(([, , ids]) => String(ids).split(" "));
  expect(placed.toSorted()).toEqual(requirements.map(({ id }): string => id).toSorted());
  expect(reachable.oneKey.filter((id) => !reachable.withoutControl.includes(id))).toEqual([]);
});

for (const [known, isBare, within, least] of [
  ["one key and a project's id, 60 % of what one key can reach", true, reachable.oneKey, 0.6],
  ["a full target, 90 % of what needs no control", false, reachable.withoutControl, 0.9],
] as const)
  test(`A faithful platform without control is verified with ${known}`, async () => {
    const outcome = await judgedPlatform({ id: "the honest platform" }, { isBare, observe: [] });
    expect(findingsIn(outcome)).toEqual([]);
    expect(outcome.held.filter((id) => !within.includes(id))).toEqual([]);
    expect(outcome.held.length / within.length).toBeGreaterThanOrEqual(least);
  });

// Reads of usage: one serves several measurements until something is called that its project pays for
import { expect, test } from "@playwright/test";
import { asVendor } from "../support/probeSpecs.ts";
import { readsAfter } from "../support/scenarios.ts";

/** The second key is of the same project. */
const calls = [null, "other", "second", null] as const;

test("what was read is read again only after a call that its project pays for", async () => {
  const [first, beside, after, again] = await readsAfter(calls, asVendor({ offers: ["usage", "wallet"] }));
  expect(beside).toBe(first);
  expect(after).toBeGreaterThan(first ?? 0);
  expect(again).toBe(after);
});

test("where projects can be made, which may stand in for others, each read is sent", async () => {
  expect(new Set(await readsAfter(calls)).size).toBe(4);
});

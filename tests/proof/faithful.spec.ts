// Tests that a platform with control that chooses differently wherever it may produces no finding
import { expect, test } from "@playwright/test";
import { usageAt } from "../support/choices.ts";
import { isPromised, lawfully } from "../support/platforms.ts";
import { type Choice, type OfTarget, offering, outcomeOf } from "../support/probeSpecs.ts";

/** On two platforms: the choices of each go together. The whole suite judges each; a push tries the first. */
const platforms: readonly (readonly string[])[] = [
  [
    "usage has further members",
    "refusals name their path and time",
    "an invoicing year",
    "an id that is no uuid has its own message",
    "an edge's page refuses addresses",
    "the admin switch is judged before the project",
    "the case of project ids counts",
    "no Retry-After",
    "no header speaks of caching and rates",
    "numbers have exponents",
    "HTML for what isn't described",
  ],
  [
    "usage has product keys that aren't documented",
    "fractional totals",
    "invoicing begins a day later",
    "a blocked address is reported as a bad key",
    "Retry-After as a date",
    "no challenge with a 401",
    "no charset is named",
    "JSON is pretty-printed",
    "404 for a wrong method",
  ],
];

/** But of other standards, and of rows that only warn. */
async function brokenOn(choice: Choice, target?: OfTarget): Promise<readonly string[]> {
  const { broken, inconclusive } = await outcomeOf({ choice, target });
  expect(inconclusive).toEqual([]);
  return broken.filter(isPromised);
}

for (const [nth, ids] of platforms.entries()) {
  test(`all at once: ${ids.join(", ")}`, { tag: nth === 0 ? [] : "@slow" }, async () => {
    expect(await brokenOn(lawfully(...ids))).toEqual([]);
  });

  for (const id of ids)
    test(`alone: ${id}`, { tag: "@slow" }, async () => expect(await brokenOn(lawfully(id))).toEqual([]));
}

test("billingCycle breaks only requirements about itself (CYC-BILL-04)", async () => {
  const long = { start: "1999-01-31", end: "2000-01-30" };
  const choice = usageAt("/subscriptionDetails/billingCycle", (cycle) => cycle && long);
  expect(await brokenOn(choice, offering("usage"))).toEqual(["CYC-BILL-05"]);
});

// Tests that a platform with control that chooses differently wherever it may produces no finding
import { expect, test } from "@playwright/test";
import { suite } from "../../contracts/suite.ts";
import { Engine } from "../../harness/engine/engine.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { isPromised, together } from "../../proof/lawful/platforms.ts";
import { lawfulVariants } from "../../proof/lawful/variants.ts";
import { replaced, type Variant } from "../../reference/platform/mutant.ts";
import type { Feature } from "../../specs/generated/operations.ts";

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

async function brokenOn(variant: Variant, features?: readonly Feature[]): Promise<string[]> {
  const { target, ...others } = inProcess(suite, variant);
  const offers = features ?? target.offers;
  const verdicts = await new Engine({ ...others, target: { ...target, offers } }).run();
  expect(verdicts.filter(({ verdict }) => verdict === "inconclusive")).toEqual([]);
  return verdicts.flatMap(({ id, verdict }) => (verdict === "broken" && isPromised(id) ? [id] : []));
}

for (const [nth, ids] of platforms.entries()) {
  const chosen = lawfulVariants.filter(({ id }) => ids.includes(id));
  test(`all at once: ${ids.join(", ")}`, { tag: nth === 0 ? [] : "@slow" }, async () => {
    expect(chosen.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(await brokenOn(together("all at once", chosen))).toEqual([]);
  });

  for (const variant of chosen)
    test(`alone: ${variant.id}`, { tag: "@slow" }, async () => expect(await brokenOn(variant)).toEqual([]));
}

test("billingCycle breaks only requirements about itself (CYC-BILL-04)", async () => {
  const long = { start: "1999-01-31", end: "2000-01-30" };
  const answer = replaced("/subscriptionDetails/billingCycle", (cycle) => cycle && long);
  expect(await brokenOn({ id: "an old invoice", answer }, ["usage"])).toEqual(["CYC-BILL-05"]);
});

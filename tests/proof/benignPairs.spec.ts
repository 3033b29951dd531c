// Tests that a platform with two benign variants at once produces no finding
import { expect, test } from "@playwright/test";
import { offeringAbout, together } from "../support/platforms.ts";
import { outcomeOf } from "../support/probeSpecs.ts";
import { requirementOf, rightPlatforms } from "../support/wallets.ts";

const benignVariants = rightPlatforms("register");
type BenignVariant = (typeof benignVariants)[number];

const areaOf = ({ id }: BenignVariant): string => id.slice(0, id.indexOf("-"));

/** Two variants that change the same figures could add up to a breach. */
const meetElsewhere = (one: BenignVariant, other: BenignVariant): boolean =>
  areaOf(one) !== areaOf(other) || (one.answer === undefined) !== (other.answer === undefined);

const pairs = benignVariants.flatMap((one, index) =>
  benignVariants.slice(index + 1).flatMap((other) => (meetElsewhere(one, other) ? [[one, other] as const] : [])),
);

/** Few enough for the time limit on a slow machine. */
const atOnce = 6;
for (let from = 0; from < pairs.length; from += atOnce) {
  const some = pairs.slice(from, from + atOnce);
  test(`pairs ${from + 1} to ${from + some.length} of benign variants produce no finding`, {
    tag: "@slow",
  }, async () => {
    for (const [one, other] of some) {
      const target = offeringAbout([one, other].map(({ id }) => requirementOf(id)));
      const { broken } = await outcomeOf({ choice: together([one, other]), target, observe: [] });
      expect(broken, `${one.id} and ${other.id}`).toEqual([]);
    }
  });
}

test("every benign variant is paired", () => {
  expect(benignVariants.filter((one) => !pairs.some((pair) => pair.includes(one)))).toEqual([]);
  expect(pairs.length).toBeGreaterThan(80);
});

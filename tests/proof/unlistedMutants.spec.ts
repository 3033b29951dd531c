// Tests that mutants outside the register are found, and unusual but right platforms are not
import { expect, test } from "@playwright/test";
import { offeringAbout, sentenceOf } from "../support/platforms.ts";
import { type Choice, type OfTarget, offering, outcomeOf } from "../support/probeSpecs.ts";
import { mutantsOutside, rightPlatforms } from "../support/wallets.ts";

async function brokenUnder(choice: Choice, target: OfTarget): Promise<readonly string[]> {
  const { broken, inconclusive } = await outcomeOf({ choice, target, observe: [] });
  expect(inconclusive).toEqual([]);
  return broken;
}

/** Of each kind so many are tried on a push; tests/proof/mutants.spec.ts tries one of each requirement there. */
const onPush = 2;
const tagOf = (nth: number) => ({ tag: nth < onPush ? [] : "@slow" });

test.describe("mutants that the register doesn't name are found too", () => {
  for (const [nth, mutant] of mutantsOutside("checks").entries()) {
    test(`${mutant.id}: ${sentenceOf(mutant.breaks)}`, tagOf(nth), async () => {
      const expected = [mutant.breaks, ...mutant.also];
      expect((await brokenUnder(mutant, offeringAbout(expected))).toSorted()).toEqual(expected.toSorted());
    });
  }
});

test.describe("variants that break no requirement produce no finding", () => {
  for (const [nth, variation] of rightPlatforms("outside").entries()) {
    test(variation.id, tagOf(nth), async () => {
      expect(await brokenUnder(variation, offering("usage"))).toEqual([]);
    });
  }
});

// Tests that a platform with two benign variants at once produces no finding
import { expect, test } from "@playwright/test";
import { suite } from "../../contracts/suite.ts";
import { judgedFeatures } from "../../proof/judgedFeatures.ts";
import { brokenUnder, select } from "../../proof/mutants.ts";
import { changed } from "../../reference/platform/change.ts";
import { type BenignVariant, both } from "../../reference/platform/mutant.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";

const { benignVariants } = select([]);

const areaOf = ({ id }: BenignVariant): string => id.slice(0, id.indexOf("-"));

/** Two variants that change the same figures could add up to a breach. */
const meetElsewhere = (one: BenignVariant, other: BenignVariant): boolean =>
  areaOf(one) !== areaOf(other) || (one.answer === undefined) !== (other.answer === undefined);

const pairs = benignVariants.flatMap((one, index) =>
  benignVariants.slice(index + 1).flatMap((other) => (meetElsewhere(one, other) ? [[one, other] as const] : [])),
);

const together = (one: BenignVariant, other: BenignVariant): BenignVariant => {
  const rules = changed<RuleChange>(one.rules ?? {}, other.rules);
  const answers = [one.answer, other.answer].filter((answer) => answer !== undefined);
  return {
    id: one.id,
    ...(Object.keys(rules).length ? { rules } : {}),
    ...(answers.length ? { answer: answers.reduce(both) } : {}),
  };
};

const featuresOf = (one: BenignVariant, other: BenignVariant) => [
  ...new Set([...judgedFeatures(one.id), ...judgedFeatures(other.id)]),
];

/** Few enough for the time limit on a slow machine. */
const atOnce = 6;
for (let from = 0; from < pairs.length; from += atOnce) {
  const some = pairs.slice(from, from + atOnce);
  test(`pairs ${from + 1} to ${from + some.length} of benign variants produce no finding`, {
    tag: "@slow",
  }, async () => {
    for (const [one, other] of some) {
      const broken = await brokenUnder(suite, together(one, other), featuresOf(one, other));
      expect(broken, `${one.id} and ${other.id}`).toEqual([]);
    }
  });
}

test("every benign variant is paired", () => {
  expect(benignVariants.filter((one) => !pairs.some((pair) => pair.includes(one)))).toEqual([]);
  expect(pairs.length).toBeGreaterThan(80);
});

// Tests that mutants outside the register are found, and unusual but right platforms are not
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { suite } from "../../contracts/suite.ts";
import { requirementOf } from "../../harness/core/interface.ts";
import { Engine } from "../../harness/engine/engine.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { featuresAbout } from "../../proof/judgedFeatures.ts";
import { oneSided } from "../../reference/oneSided.mutants.ts";
import { unlistedMutants } from "../../reference/unlisted.mutants.ts";
import { benign } from "../../reference/unlistedBenign.mutants.ts";
import type { Feature } from "../../specs/generated/operations.ts";

async function brokenUnder(
  variation: (typeof benign)[number],
  about: readonly Feature[] = ["usage"],
): Promise<string[]> {
  const { target, ...others } = inProcess(suite, variation);
  const verdicts = await new Engine({ ...others, target: { ...target, offers: about }, observe: [] }).run();
  expect(verdicts.filter(({ verdict }) => verdict === "inconclusive")).toEqual([]);
  return verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id);
}

/** Of each kind so many are tried on a push; tests/proof/mutants.spec.ts tries one of each requirement there. */
const onPush = 2;
const tagOf = (nth: number) => ({ tag: nth < onPush ? [] : "@slow" });

test.describe("mutants that the register doesn't name are found too", () => {
  for (const [nth, mutant] of [...unlistedMutants, ...oneSided].entries()) {
    test(`${mutant.id}: ${requirementOf(dataPlatform, mutant.breaks).sentence}`, tagOf(nth), async () => {
      const about = featuresAbout([mutant.breaks, ...mutant.also]);
      expect((await brokenUnder(mutant, about)).sort()).toEqual([mutant.breaks, ...mutant.also].sort());
    });
  }
});

test.describe("variants that break no requirement produce no finding", () => {
  for (const [nth, variation] of benign.entries()) {
    test(variation.id, tagOf(nth), async () => {
      expect(await brokenUnder(variation)).toEqual([]);
    });
  }
});

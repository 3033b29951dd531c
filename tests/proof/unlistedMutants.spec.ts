// Are lies found that the register doesn't name, and is the unusual left in peace where it breaks no promise?
import { expect, test } from "@playwright/test";
import { suite } from "../../contracts/suite.ts";
import { requirementOf } from "../../harness/core/requirement.ts";
import { Engine, type EngineOptions } from "../../harness/engine/engine.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { benign, unlistedMutants } from "../../reference/unlisted.mutants.ts";

type Variation = (typeof benign)[number];

function under(variation: Variation): EngineOptions {
  const { target, ...others } = inProcess(suite, variation);
  // All of them are about usage.
  return { ...others, target: { ...target, offers: ["usage"] } };
}

async function accused(variation: Variation): Promise<string[]> {
  const verdicts = await new Engine({ ...under(variation), observe: [] }).run();
  expect(verdicts.filter(({ verdict }) => verdict === "inconclusive")).toEqual([]);
  return verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id);
}

test.describe("lies that the register doesn't name are found too", () => {
  for (const mutant of unlistedMutants) {
    test(`${mutant.id}: ${requirementOf(mutant.breaks).sentence}`, async () => {
      expect((await accused(mutant)).sort()).toEqual([mutant.breaks, ...mutant.also].sort());
    });
  }
});

test.describe("what breaks no promise draws no finding", () => {
  for (const variation of benign) {
    test(variation.id, async () => {
      expect(await accused(variation)).toEqual([]);
    });
  }
});

// Tests that mutants are killed as named, on a push one of each requirement, and right platforms pass

import { expect, test } from "@playwright/test";
import { openEngine } from "../../harness/engine/engine.ts";
import { shownVerdict } from "../../harness/model/shown.ts";
import { loadSuite } from "../../load/suite.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { declaredBesides, requirementOfMutant } from "../../proof/judgedFeatures.ts";
import { pending, select, tryControl, tryDeclared, tryMutant } from "../../proof/mutants.ts";
import type { Mutant } from "../../reference/platform/mutant.ts";
import { requirements } from "../../specs/generated/requirements.ts";

const { mutants, benignVariants } = select([]);

test("the honest platform produces no finding, and every requirement holds", async () => {
  const verdicts = await openEngine(inProcess(loadSuite, undefined, { hasSchedules: true })).run();
  expect(
    verdicts
      .map(shownVerdict)
      .filter(
        ({ verdict, reason }) => verdict !== "holds" && !/^(about Assay itself|only observed)/.test(reason ?? ""),
      ),
  ).toEqual([]);
  expect(verdicts.length).toBeGreaterThan(200);
});

/** By the checks of what they declare alone, the mutant that breaks least is found fastest. */
const quickest = new Map<string, Mutant>();
for (const mutant of mutants) {
  const requirement = requirementOfMutant(mutant.id);
  const known = quickest.get(requirement);
  if (!known || declaredBesides(mutant).length < declaredBesides(known).length) quickest.set(requirement, mutant);
}

for (const [requirement, mutant] of quickest)
  test(`${requirement} finds ${mutant.id}`, async () =>
    expect(await tryDeclared(loadSuite, mutant)).toMatchObject({ result: "killed" }));

for (const mutant of mutants)
  test(`${mutant.id} breaks what it declares, and nothing else`, { tag: "@slow" }, async () =>
    expect(await tryMutant(loadSuite, mutant)).toMatchObject({ result: "killed" }),
  );

for (const variant of benignVariants) {
  test(`${variant.id} isn't flagged`, async () =>
    expect(await tryControl(loadSuite, variant)).toMatchObject({ result: "silent" }));
  test(`${variant.id} isn't flagged on any feature`, { tag: "@slow" }, async () =>
    expect(await tryControl(loadSuite, variant, null)).toMatchObject({ result: "silent" }),
  );
}

test("of each requirement that has mutants one is tried on every push", () => {
  const proved = requirements.filter(({ mutants = {} }) => Object.keys(mutants).length > 0).map(({ id }): string => id);
  expect([...quickest.keys()].toSorted()).toEqual(proved.toSorted());
});

test("ids of mutants are unique, and they are the register's", () => {
  const ids = [...mutants, ...benignVariants].map(({ id }): string => id);
  expect(new Set(ids).size).toBe(ids.length);
  const registered = requirements.flatMap(({ id, mutants = {}, benign = {} }) =>
    [...Object.keys(mutants), ...Object.keys(benign)].map((slug) => `${id}.${slug}`),
  );
  expect(ids.sort()).toEqual(registered.sort());
  expect(pending()).toEqual([]);
});

test("a mutant without laws and checks for it survives", async () => {
  const [mutant] = select(["CYC-PRES-01.omit-on-free"]).mutants;
  if (!mutant) throw new Error("no such mutant");
  const blind = {
    ...loadSuite,
    laws: [],
    checks: loadSuite.checks.filter(({ shows }) => !shows.includes("CYC-PRES-01")),
  };
  expect((await tryMutant(blind, mutant)).result).toBe("survived");
});

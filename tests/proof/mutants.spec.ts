// Is every mutant found by the requirement that it names, and nothing else flagged?
import { expect, test } from "@playwright/test";
import { Engine } from "../../harness/engine/engine.ts";
import { suite } from "../../load/suite.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { pending, select, tryControl, tryMutant } from "../../proof/mutants.ts";
import { requirements } from "../../specs/generated/requirements.ts";

const { mutants, benignVariants } = select([]);
const areas = [...new Set(mutants.map(({ id }) => id.slice(0, id.indexOf("-"))))];

test("the honest platform draws no finding and leaves nothing open", async () => {
  const verdicts = await new Engine(inProcess(suite, undefined, { hasSchedules: true })).run();
  expect(
    verdicts.filter(
      ({ verdict, reason }) => verdict !== "holds" && !/^(not about the platform|only observed)/.test(reason ?? ""),
    ),
  ).toEqual([]);
  expect(verdicts.length).toBeGreaterThan(70);
});

/** So few that a slow machine has them done before the test's time is up, and that two workers share a large area. */
const atOnce = 15;

for (const area of areas) {
  const all = mutants.filter(({ id }) => id.startsWith(`${area}-`));
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce);
    test(`lies ${from + 1} to ${from + some.length} of ${area} are killed as named and trip nothing undeclared`, async () => {
      const results = [];
      for (const mutant of some) results.push(await tryMutant(suite, mutant));
      expect(results.filter(({ result }) => result !== "killed")).toEqual([]);
      expect(results.length).toBeGreaterThan(0);
    });
  }
}

async function areSilent(features?: null): Promise<void> {
  const results = [];
  for (const variant of benignVariants) results.push(await tryControl(suite, variant, features));
  expect(results.filter(({ result }) => result !== "silent")).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
}

test("no benign variation is flagged", () => areSilent());
test("no benign variation is flagged on any part", { tag: "@slow" }, () => areSilent(null));

test("lies are named once, and with the pending ones they are the register's", () => {
  const ids = [...mutants, ...benignVariants].map(({ id }): string => id);
  expect(new Set(ids).size).toBe(ids.length);
  const registered = requirements.flatMap(({ id, mutants = {}, benign = {} }) =>
    [...Object.keys(mutants), ...Object.keys(benign)].map((slug) => `${id}.${slug}`),
  );
  expect([...ids, ...pending()].sort()).toEqual(registered.sort());
});

test("a mutant that nobody looks for survives", async () => {
  const [mutant] = select(["CYC-PRES-01.omit-on-free"]).mutants;
  if (!mutant) throw new Error("no such mutant");
  const blind = { ...suite, laws: [], checks: suite.checks.filter(({ shows }) => !shows.includes("CYC-PRES-01")) };
  expect((await tryMutant(blind, mutant)).result).toBe("survived");
});

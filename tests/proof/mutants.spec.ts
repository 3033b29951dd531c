// Tests that every mutant is killed as named, and that benign variants and the honest platform pass
import { expect, test } from "@playwright/test";
import { Engine } from "../../harness/engine/engine.ts";
import { suite } from "../../load/suite.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { pending, select, tryControl, tryDeclared, tryMutant } from "../../proof/mutants.ts";
import { requirements } from "../../specs/generated/requirements.ts";

test.describe.configure({ mode: "parallel" });

const { mutants, benignVariants } = select([]);
const areas = [...new Set(mutants.map(({ id }) => id.slice(0, id.indexOf("-"))))];

test("the honest platform produces no finding, and every requirement holds", async () => {
  const verdicts = await new Engine(inProcess(suite, undefined, { hasSchedules: true })).run();
  expect(
    verdicts.filter(
      ({ verdict, reason }) => verdict !== "holds" && !/^(about Assay itself|only observed)/.test(reason ?? ""),
    ),
  ).toEqual([]);
  expect(verdicts.length).toBeGreaterThan(70);
});

/** Few enough for the time limit on a slow machine, and for two workers to share a large area. */
const atOnce = 15;

for (const area of areas) {
  const all = mutants.filter(({ id }) => id.startsWith(`${area}-`));
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce);
    const areKilled = async (judge: typeof tryDeclared): Promise<void> => {
      const results = [];
      for (const mutant of some) results.push(await judge(suite, mutant));
      expect(results.filter(({ result }) => result !== "killed")).toEqual([]);
      expect(results.length).toBeGreaterThan(0);
    };
    const title = `mutants ${from + 1} to ${from + some.length} of ${area}`;
    test(`${title} break what they declare`, () => areKilled(tryDeclared));
    test(`${title} break nothing else`, { tag: "@slow" }, () => areKilled(tryMutant));
  }
}

async function areSilent(features?: null): Promise<void> {
  const results = [];
  for (const variant of benignVariants) results.push(await tryControl(suite, variant, features));
  expect(results.filter(({ result }) => result !== "silent")).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
}

test("no benign variant is flagged", () => areSilent());
test("no benign variant is flagged on any feature", { tag: "@slow" }, () => areSilent(null));

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
  const blind = { ...suite, laws: [], checks: suite.checks.filter(({ shows }) => !shows.includes("CYC-PRES-01")) };
  expect((await tryMutant(blind, mutant)).result).toBe("survived");
});

// Tests that lawful platforms of any kind produce no finding, over their public surface, with much and with little
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { members } from "../support/lackingMembers.ts";
import { findingsIn, judgedPlatform, together } from "../support/lawfulPlatforms.ts";
import { type LawfulVariant, lawfulVariants } from "../support/lawfulVariants.ts";

test.describe.configure({ mode: "parallel" });

const choices = [...new Set(lawfulVariants.map(({ choice }) => choice))];

test("at least 120 ways to differ are lawful, each of them named once", () => {
  const ids = lawfulVariants.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(120);
});

/** A platform that differs in about half of all choices; shrunk, in as few as still show a finding. */
const platforms = fc
  .tuple(
    ...choices.map((choice) =>
      fc.option(fc.constantFrom(...lawfulVariants.filter((one) => one.choice === choice)), { freq: 2, nil: null }),
    ),
  )
  .map((some) => some.filter((one): one is LawfulVariant => one !== null));

const named = (some: readonly LawfulVariant[]) => some.map(({ id }) => id);

/** @throws Error with the fewest choices that together produce a finding */
const noFindings = (seed: number, numRuns: number, isPoor: boolean): Promise<void> =>
  fc.assert(
    fc.asyncProperty(platforms, async (some) => {
      const outcome = await judgedPlatform(together("a mixed platform", some), { isPoor });
      expect({ chosen: named(some), findings: findingsIn(outcome) }).toEqual({ chosen: named(some), findings: [] });
    }),
    { seed, numRuns, plugins: [fc.interruptAfterTimeLimit(60_000)] },
  );

for (const [known, isPoor] of [
  ["a full target", false],
  ["one key and a project's id", true],
] as const) {
  test(`platforms of mixed choices produce no finding, with ${known}`, () => noFindings(1, 2, isPoor));
  for (const seed of [11, 12, 13, 14, 15, 16])
    test(`more platforms (${seed}) produce no finding, with ${known}`, { tag: "@slow" }, () =>
      noFindings(seed, 10, isPoor),
    );
}

/** Few enough for the time limit on a slow machine. */
const atOnce = 6;
for (let from = 0; from < lawfulVariants.length; from += atOnce)
  test(`lawful variants from ${from + 1} on produce no finding by themselves`, { tag: "@slow" }, async () => {
    for (const variant of lawfulVariants.slice(from, from + atOnce))
      expect(findingsIn(await judgedPlatform(variant)), variant.id).toEqual([]);
  });

/** The same variants with less: which of all pairs are tried follows from the seed. */
const pairs = fc.sample(fc.tuple(fc.constantFrom(...lawfulVariants), fc.constantFrom(...members)), {
  seed: 17,
  numRuns: 120,
});
for (let from = 0; from < pairs.length; from += atOnce)
  test(`lawful variants without one member of a target (from ${from + 1} on) produce no finding`, {
    tag: "@slow",
  }, async () => {
    for (const [variant, member] of pairs.slice(from, from + atOnce))
      expect(findingsIn(await judgedPlatform(variant, { lacks: [member] })), `${variant.id} ${member}`).toEqual([]);
  });

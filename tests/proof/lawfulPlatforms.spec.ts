// Tests that lawful platforms of any kind produce no finding, over their public surface, with much and with little
import { expect, test } from "@playwright/test";
import {
  alone,
  type Combination,
  combinationsOf,
  isAccused,
  judgeCombination,
  smallest,
  targetKinds,
} from "../../proof/lawful/combinations.ts";
import { honest, tableOfLawful } from "../../proof/lawful/table.ts";
import { lawfulVariants } from "../../proof/lawful/variants.ts";

test.describe.configure({ mode: "parallel" });

test("at least 120 ways to differ are lawful, each of them named once", () => {
  const ids = lawfulVariants.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(120);
});

test("the table says what each choice hides, and a finding is wrong", () => {
  const [nothing, ...tried] = [honest, ...alone("full").slice(0, 2)];
  const held = ["USG-HTTP-01", "USG-FLD-01"] as const;
  const outcomes = [held, held.slice(0, 1), held].map((ids) => ({ findings: [], held: ids }));
  const table = tableOfLawful([nothing, ...tried], outcomes, ["a | b"]);
  expect(table.rows.map(([choice]) => choice)).toEqual([...new Set(lawfulVariants.map(({ choice }) => choice))]);
  expect(table.rows[0]?.[2]).toContain(`${lawfulVariants[0]?.id}: USG-FLD-01`);
  expect(table.rows.at(-1)?.[2]).toContain("USG-HTTP-01 USG-FLD-01");
  expect(table.wrong).toEqual(["A lawful platform is accused: a | b."]);
  expect(tableOfLawful([nothing, ...tried], outcomes, []).wrong).toEqual([]);
});

/** Nothing, or the fewest choices and lacks that still produce findings. */
async function findingsOf(some: readonly Combination[]) {
  for (const one of some) {
    if (!(await isAccused(one))) continue;
    const fewest = await smallest(one);
    return { ...fewest, findings: (await judgeCombination(fewest)).findings };
  }
  return null;
}

const dense = { fewest: 20, most: 40 };

for (const target of targetKinds) {
  test(`platforms of mixed choices produce no finding, with a ${target} target`, async () => {
    expect(await findingsOf(combinationsOf(target, 1, 1, dense))).toBeNull();
  });
  for (const seed of [11, 12, 13, 14, 15, 16])
    test(`more platforms (${seed}) produce no finding, with a ${target} target`, { tag: "@slow" }, async () =>
      expect(await findingsOf(combinationsOf(target, seed, 8, dense))).toBeNull(),
    );
}

/** Few enough for the time limit on a slow machine. */
const atOnce = 6;
for (let from = 0; from < lawfulVariants.length; from += atOnce)
  test(`lawful variants from ${from + 1} on produce no finding by themselves`, { tag: "@slow" }, async () =>
    expect(await findingsOf(alone("full").slice(from, from + atOnce))).toBeNull(),
  );

test("A finding is traced to the choices and lacks that it needs", async () => {
  const found = { variants: ["a", "b", "c", "d"], target: "thinned", lacks: ["/x", "/y"], isObserved: true } as const;
  const needed = ({ variants, lacks }: Combination) =>
    Promise.resolve(["b", "d"].every((id) => variants.includes(id)) && lacks.includes("/y"));
  expect(await smallest(found, needed)).toEqual({ ...found, variants: ["b", "d"], lacks: ["/y"] });
});

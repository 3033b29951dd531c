// Simulated panels: no honest vendor is ever called wrong, stale or behind, and every planted one is.
import { expect, test } from "@playwright/test";
import { honest, isBehind, lagging, notTogether, planted, simulatedPanel, splitsOf } from "./simulated.ts";

type Found = Awaited<ReturnType<typeof simulatedPanel>>;

const sumOf = ({ questions }: Found, vendor: number, standing: keyof Found["questions"][number]["counts"][number]) =>
  questions.reduce((total, { counts }) => total + (counts[vendor]?.[standing] ?? 0), 0);

/** What a panel tells of a vendor. */
function reportedOf(found: Found, vendor: number): string {
  if (sumOf(found, vendor, "wrong") > 0) return "wrong";
  if (sumOf(found, vendor, "stale") > 0 || isBehind(found, vendor)) return "stale";
  const asked = found.questions.reduce((total, { polls }) => total + polls, 0);
  return sumOf(found, vendor, "rate-limited") > asked / 5 ? "refuses" : "nothing";
}

const [honestNames, plantedNames] = [Object.keys(honest), Object.keys(planted)];
const expectedOf = (name: string): string => {
  if (honestNames.includes(name)) return "nothing";
  return /^refuses/.test(name) ? "refuses" : /^a (wrong|missing)/.test(name) ? "wrong" : "stale";
};

async function expectReported(names: readonly string[], wanted: { readonly seed: number; readonly rounds: number }) {
  const found = await simulatedPanel(names, wanted);
  const reported = names.map((name, vendor) => [name, reportedOf(found, vendor)]);
  expect(reported, `seed ${wanted.seed}`).toEqual(names.map((name) => [name, expectedOf(name)]));
  expect(found.apart).toBe(0);
  // What is wrong is shown first, of each question and of all.
  const isOfWrong = found.dissents.map(({ standings }) => standings.includes("wrong"));
  expect(isOfWrong).toEqual(isOfWrong.toSorted((a, b) => Number(b) - Number(a)));
  const wrong = found.questions.filter(({ counts }) => counts.some((one) => one.wrong > 0)).map(({ id }) => id);
  const shown = found.dissents.filter((_, nth) => isOfWrong[nth]).map(({ question }) => question);
  expect(new Set(shown)).toEqual(new Set(wrong));
}

async function expectQuestion(wanted: { readonly seed: number; readonly rounds: number }) {
  const names = ["a wrong balance", "a wrong balance", "plain"];
  const found = await simulatedPanel(names, wanted);
  expect(names.map((_, vendor) => reportedOf(found, vendor))).toEqual(["nothing", "nothing", "nothing"]);
  expect(splitsOf(found, ["A", "B", "C"])).toEqual([
    expect.stringMatching(/^too few vendors to decide: A and B agree against C, in [\d,]+ polls$/),
  ]);
}

test("polls that didn't begin together are counted, and nothing else", () => {
  expect(notTogether()).toMatchObject({ rounds: 1, apart: 1, questions: [], latencies: [] });
});

for (const seed of [1, 2]) {
  const tag = seed === 1 ? [] : "@slow";
  test(`all at once, seed ${seed}`, { tag }, () =>
    expectReported([...honestNames, ...plantedNames], { seed, rounds: 60 }),
  );
  test(`two that collude against one, seed ${seed}`, { tag }, () => expectQuestion({ seed, rounds: 40 }));
}
// All of them are told at once, too.
for (const [nth, name] of plantedNames.entries())
  test(`among three honest ones: ${name}`, { tag: nth < 1 ? [] : "@slow" }, () =>
    expectReported([...honestNames.slice(nth % 4, (nth % 4) + 3), name], { seed: nth, rounds: 60 }),
  );
test("two that collude among four", () =>
  expectReported(["a wrong balance", ...honestNames.slice(0, 4), "a wrong balance"], { seed: 3, rounds: 40 }));
test("honest ones alone", () => expectReported(honestNames, { seed: 4, rounds: 60 }));

for (const seed of [1, 2, 3, 4, 5])
  test(`who goes back, and how often, seed ${seed}`, { tag: seed > 1 ? "@slow" : [] }, async () => {
    const names = [...Object.keys(lagging), "a cache of 20 s", "3 slots behind", ...honestNames.slice(-2), "plain"];
    const { backwards = [], truths } = await simulatedPanel(names, { seed, rounds: 60 });
    const reported = backwards.map(({ vendor, answers, back, slots, values }) => {
      const most = Math.max(0, ...Object.keys(slots).map(Number));
      return { name: names[vendor], answers, back, most, values };
    });
    expect(reported).toEqual(names.map((name, vendor) => ({ name, ...truths[vendor], values: 0 })));
    // Replicas of one head may differ by a slot, but the head goes farther than that from one answer to the next.
    const quiet = reported.filter(({ back }) => back === 0).map(({ name }) => name);
    expect(quiet).toEqual(["3 slots behind", ...honestNames.slice(-2), "plain"]);
  });

for (let seed = 1; seed <= 20; seed += 1)
  test(`500 rounds, seed ${seed} @slow`, async () => {
    test.setTimeout(600_000);
    await expectReported([...honestNames, ...plantedNames], { seed, rounds: 500 });
    await expectQuestion({ seed, rounds: 500 });
  });

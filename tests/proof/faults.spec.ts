// Tests that faults between Assay and a platform accuse nobody, verify nothing, and are told
import { expect, test } from "@playwright/test";
import { type FaultRun, faultRun } from "../../proof/faults/faultRun.ts";
import { faultKinds } from "../../proof/faults/kinds.ts";
import { brokenIn, causeIn, tableOfFaults } from "../../proof/faults/table.ts";

/** One of each sort; they were once judged wrongly. */
const onPush: readonly string[] = ["HTML 429", "100 Continue before the answer", "a byte-order mark"];
const honest = faultRun("none", 0);
/** In virtual time; rate refusals slow a run down to a request in 5 s. */
const longest_s = 4_000;
const mostJournal_bytes = 8 * 1024 * 1024;

/** About the answer to a burst, which a run in virtual time happens to get or not: either is right, a breach never. */
const byChance: readonly string[] = ["EXT-HTTP-05", "EXT-HTTP-06"];
const verdictsIn = ({ run }: FaultRun): readonly string[] =>
  run.requirements.map(({ id, verdict }) =>
    byChance.includes(id) && verdict === "withheld" ? `${id} holds` : `${id} ${verdict}`,
  );

function isBounded({ took_s, journal_bytes, faulted }: FaultRun): void {
  expect(faulted).toBeGreaterThan(0);
  expect(took_s).toBeLessThan(longest_s);
  expect(journal_bytes).toBeLessThan(mostJournal_bytes);
}

for (const [kind, { is, breaks = [] }] of Object.entries(faultKinds)) {
  const tag = onPush.includes(kind) ? [] : "@slow";
  // On all requests it changes nothing either.
  const tagOfFew = is === "harmless" ? "@slow" : tag;

  test(`${kind} on 5 % of requests breaks ${breaks.length > 0 ? breaks.join(" and ") : "nothing"}`, {
    tag: tagOfFew,
  }, async () => {
    const result = await faultRun(kind, 0.05);
    isBounded(result);
    const { run } = result;
    expect(brokenIn(run).filter((id) => !breaks.some((one) => one === id))).toEqual([]);
    if (is === "own") expect(run.exitCode).toBe(1);
    else if (is === "harmless") expect(verdictsIn(result)).toEqual(verdictsIn(await honest));
    else {
      expect(run.totals.holds).toBeGreaterThan(0.85 * (await honest).run.totals.holds);
      // Refusals for a rate are waited out.
      if (!kind.includes("429")) expect(causeIn(run)).not.toBeNull();
    }
  });

  if (is === "fault" || is === "edge")
    test(`${kind} on all requests breaks nothing, verifies nothing, and is told`, { tag }, async () => {
      const result = await faultRun(kind, 1);
      isBounded(result);
      const { run } = result;
      expect({ broken: brokenIn(run), holds: run.totals.holds, exitCode: run.exitCode }).toEqual({
        broken: [],
        holds: 0,
        exitCode: 3,
      });
      expect(causeIn(run)).not.toBeNull();
    });

  if (is === "harmless")
    test(`${kind} on all requests changes nothing`, { tag }, async () => {
      expect(verdictsIn(await faultRun(kind, 1))).toEqual(verdictsIn(await honest));
    });
}

/** Of requests that they refuse, one alone would prove a breach. */
for (const seed of [13, 18, 23, 129])
  test(`single refusals in a form of the interface break nothing, as seed ${seed} draws them`, {
    tag: seed === 129 ? [] : "@slow",
  }, async () => {
    const result = await faultRun("JSON 403 of an edge", 0.05, seed);
    isBounded(result);
    expect(brokenIn(result.run)).toEqual([]);
  });

test("the table has a row for each kind; an accusation, and what a dead platform verifies, are wrong", async () => {
  const { run, ...met } = await honest;
  const broken = run.requirements.map((requirement, nth) =>
    nth === 0 ? { ...requirement, verdict: "broken" as const } : requirement,
  );
  const on = (kind: string, rate: number, requirements = run.requirements): FaultRun => ({
    ...met,
    kind,
    rate,
    run: { ...run, requirements },
  });
  const { rows, wrong } = tableOfFaults([
    [on("8 kB of further headers", 0.05), on("8 kB of further headers", 1)],
    [on("HTML 502", 0.05, broken), on("HTML 502", 1)],
  ]);
  expect(rows.map((cells) => cells.slice(0, 2))).toEqual([
    ["8 kB of further headers", "harmless"],
    ["HTML 502", "edge"],
  ]);
  expect(wrong).toEqual([
    `HTML 502 on 5 % of requests breaks ${broken[0]?.id}.`,
    "HTML 502 on 100 % of requests verifies something.",
  ]);
});

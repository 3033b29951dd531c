// Tests that faults between Assay and a platform accuse nobody, verify nothing, and are told
import { expect, test } from "@playwright/test";
import { type FaultRun, faultRun } from "../../proof/faults/faultRun.ts";
import { kinds } from "../../proof/faults/kinds.ts";
import { brokenIn, causeIn, proofDocument } from "../../proof/faults/table.ts";

test.describe.configure({ mode: "parallel" });

/** Of each sort, those that were once judged wrongly. */
const fast: readonly string[] = [
  "a flood of headers",
  "HTML 429",
  "JSON 403 of an edge",
  "HTML 200 without a type",
  "an empty 302 to another origin",
  "half of the body with a right length",
  "an answer of long before",
  "100 Continue before the answer",
  "a byte-order mark",
];
const honest = faultRun("none", 0);
/** In virtual time; rate refusals slow a run down to a request in 5 s. */
const longest_s = 4_000;
const mostJournal_bytes = 8 * 1024 * 1024;

function isBounded({ took_s, journal_bytes, faulted }: FaultRun): void {
  expect(faulted).toBeGreaterThan(0);
  expect(took_s).toBeLessThan(longest_s);
  expect(journal_bytes).toBeLessThan(mostJournal_bytes);
}

for (const [kind, { is, breaks = [] }] of Object.entries(kinds)) {
  const tag = fast.includes(kind) ? [] : "@slow";

  test(`${kind} on 5 % of requests breaks ${breaks.length > 0 ? breaks.join(" and ") : "nothing"}`, {
    tag,
  }, async () => {
    const result = await faultRun(kind, 0.05);
    isBounded(result);
    const { run } = result;
    expect(brokenIn(run).filter((id) => !breaks.some((one) => one === id))).toEqual([]);
    const { totals } = (await honest).run;
    if (is === "own") expect(run.exitCode).toBe(1);
    else if (is === "harmless") expect(run.totals).toEqual(totals);
    else {
      expect(run.totals.holds).toBeGreaterThan(0.85 * totals.holds);
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
      expect((await faultRun(kind, 1)).run.totals).toEqual((await honest).run.totals);
    });
}

/** Of requests that they refuse, one alone would prove a breach. */
for (const seed of [13, 18, 23, 129])
  test(`single refusals in a form of the interface break nothing, as seed ${seed} draws them`, async () => {
    const result = await faultRun("JSON 403 of an edge", 0.05, seed);
    isBounded(result);
    expect(brokenIn(result.run)).toEqual([]);
  });

test("docs/proof.md has all kinds of fault", () => {
  const table = proofDocument.tableBy("proof/faults/table.ts");
  for (const kind of Object.keys(kinds)) expect(table).toContain(`| ${kind} |`);
  expect(Object.keys(kinds).length).toBeGreaterThanOrEqual(40);
});

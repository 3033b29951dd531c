// Tests that an answer that isn't the platform's breaks nothing, wherever in a run it comes, nor do two seconds of them
import { expect, test } from "@playwright/test";
import { type OddAnswer, type OddFindings, type OddRun, oddAnswers, oddRun } from "../../proof/faults/oddAnswers.ts";
import { runAll } from "../../proof/workerPool.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

const worker = new URL("../../proof/faults/worker.ts", import.meta.url);
const all = Object.keys(oddAnswers) as readonly OddAnswer[];

/** The runs that broke something, and how many met what they were to meet. */
async function triedAll(runs: readonly OddRun[]) {
  const found = await runAll<OddFindings>(runs, { worker });
  return {
    broken: found.flatMap(({ broken, met }, nth) => (broken.length > 0 ? [{ ...runs[nth], broken, met }] : [])),
    met: found.filter(({ met }) => met.length > 0).length,
    found,
  };
}

/** One such answer broke each of them once, and charges with it where it was to a wallet call. */
const brokenOnce: readonly (readonly [RequirementId, OddAnswer])[] = [
  ["AUTH-ADM-OWN-05", "JSON of an edge"],
  ["WAL-BATCH-02", "a 400 of an edge"],
  ["WAL-BATCH-03", "JSON of an edge"],
];

for (const [id, odd] of brokenOnce)
  test(`${odd} to any one request of a run for ${id} breaks nothing`, async () => {
    const { sent } = await oddRun({ odd, when: { nth: 0 }, only: [id] });
    for (let nth = 1; nth <= sent; nth += 1) {
      const { met, broken } = await oddRun({ odd, when: { nth }, only: [id] });
      expect({ met, broken }).toEqual({ met: [expect.any(String)], broken: [] });
    }
  });

test("an observation is made again after one odd answer", async () => {
  const run = { odd: "JSON of an edge", only: ["USG-FLD-01"], observe: ["OBS-TA-STRNUM"] } as const;
  const { sent } = await oddRun({ ...run, when: { nth: 0 } });
  for (let nth = 1; nth <= sent; nth += 1)
    expect([nth, (await oddRun({ ...run, when: { nth } })).observed]).toEqual([nth, run.observe]);
});

test("answers of a portal in a schedule aren't taken for served beyond the limit", async () => {
  const run = {
    odd: "a page as JSON",
    when: { rate: 0.06, seed: 1 },
    only: ["RATE-ADM-02"],
    hasSchedules: true,
  } as const;
  const { met, broken } = await oddRun(run);
  expect(met.length).toBeGreaterThan(20);
  expect(broken).toEqual([]);
});

test("a gateway that fails for two seconds as a run begins is waited for, and all is judged then", async () => {
  const ids = ["USG-FLD-01", "IH-OK-01", "WAL-BAL-01"] as const;
  const run = { odd: "a 503 of a gateway", when: { from_ms: 0, until_ms: 2_000 }, only: ids } as const;
  const { met, broken, inconclusive } = await oddRun(run);
  expect(met.length).toBeGreaterThan(3);
  expect([broken, inconclusive]).toEqual([[], []]);
});

/** Requests of a run with schedules; `ASSAY_EVERY=1` tries each of them in each form, which takes two hours. */
const [first, last] = [1, 900];
const every = Number(process.env["ASSAY_EVERY"] ?? 3);

test(`one odd answer to every ${every}th of ${last} requests breaks nothing`, { tag: "@slow" }, async () => {
  const nths = Array.from({ length: Math.ceil((last - first + 1) / every) }, (_, step) => first + step * every);
  const forms = (nth: number): readonly OddAnswer[] =>
    every === 1 ? all : [all[Math.floor(nth / every) % all.length] ?? "a text"];
  const runs = nths.flatMap((nth) => forms(nth).map((odd): OddRun => ({ odd, when: { nth }, hasSchedules: true })));
  const { broken, met } = await triedAll(runs);
  expect(broken).toEqual([]);
  expect(met).toBe(runs.length);
});

test("odd answers to 6 % of requests break nothing, however they are drawn", { tag: "@slow" }, async () => {
  const runs = [1, 2, 3].flatMap((seed) =>
    all.map((odd): OddRun => ({ odd, when: { rate: 0.06, seed }, hasSchedules: true })),
  );
  const { broken, met } = await triedAll(runs);
  expect(broken).toEqual([]);
  expect(met).toBe(runs.length);
});

/** Those with checks that send bundles: a call that may have had an effect isn't sent again. */
const sending = ["RPC-ENV-03", "AUTH-RPC-BUNDLE-01", "AUTH-RPC-QRY-01", "GEN-SURF-01"];
const isAskedAgain = (id: string): boolean => !/^(BND|BST)-/.test(id) && !sending.includes(id);

test("a gateway that fails for two seconds breaks nothing, and what it failed is asked again", {
  tag: "@slow",
}, async () => {
  const moments_s = Array.from({ length: 28 }, (_, nth) => 2 * nth);
  const runs = (["a 503 of a gateway", "a 504 of a gateway"] as const).flatMap((odd) =>
    moments_s.map((at_s): OddRun => ({ odd, when: { from_ms: at_s * 1000, until_ms: at_s * 1000 + 2_000 } })),
  );
  const { broken, met, found } = await triedAll(runs);
  expect(broken).toEqual([]);
  // While a run waits for charges, nothing is asked.
  expect(met).toBeGreaterThan(0.9 * runs.length);
  expect(found.flatMap(({ inconclusive }) => inconclusive.filter(isAskedAgain))).toEqual([]);
});

// What does the load plane add to a run, with k6 and without?
import { expect, test } from "@playwright/test";
import { generatorByK6 } from "../cli/generator.ts";
import { exitCodeUnderLoad, withLoad } from "../cli/underLoad.ts";
import { Withheld } from "../harness/check.ts";
import type { LoadReport } from "../harness/load.ts";
import type { Verdict } from "../harness/verdict.ts";
import { emptyReport, type LoadPlan } from "../load/load.ts";
import { smoke } from "../load/smoke.ts";
import { loadSentences } from "../reports/load.ts";
import { emptyFolder } from "./support/assay.ts";

const plan: LoadPlan = { shape: smoke, mix: { shares: [], left: [] }, phases: smoke.phases(5, 20), seed: 1, cost: { requests: 100, credits: 0, unpriced: 100 } };
const report = (more: Partial<LoadReport> = {}): LoadReport => ({ ...emptyReport(plan, "k6 2.2.0", {}), ...more });
const verdict = (id: Verdict["id"], more: Partial<Verdict> = {}): Verdict => ({ id, verdict: "holds", enforced: "fail", reason: null, breaches: [], exchanges: [1], ...more });
const breach = { outcome: "broken", at: "/id", expected: "1", got: { value: 2 }, exchange: 9, drawnBy: [] } as const;
const broken = verdict("RPC-ENV-03", { verdict: "broken", breaches: [breach], exchanges: [9] });

test("what was broken under load is broken, whatever was seen before; what held under load adds nothing", () => {
  const before = [verdict("RPC-ENV-01"), verdict("RPC-ENV-03")];
  expect(withLoad(before, [verdict("RPC-ENV-01", { exchanges: [8] }), broken])).toEqual([before[0], { ...broken, exchanges: [1, 9] }]);
  expect(withLoad(before, [])).toEqual(before);
  expect(withLoad([], [broken, verdict("RPC-ENV-01")])).toEqual([broken]);
});

test("a load in doubt is never green, and one that nothing here can generate leaves the others as they are", () => {
  const good = [verdict("RPC-ENV-01")];
  expect(exitCodeUnderLoad(good, report())).toBe(0);
  expect(exitCodeUnderLoad(good, report({ doubt: "saturated" }))).toBe(3);
  expect(exitCodeUnderLoad([...good, broken], report({ doubt: "saturated" }))).toBe(1);
  expect(exitCodeUnderLoad(good, report({ bounds: [{ operation: "getIndexerHealth", bound_ms: 1, p95_ms: 2, isKept: false }] }))).toBe(1);
  expect(exitCodeUnderLoad([], report())).toBe(3);
  const withheld = report({ withheld: "There is no k6 of version 2 here." });
  expect(exitCodeUnderLoad(good, withheld)).toBe(0);
  expect(loadSentences(withheld)).toEqual(["smoke withheld: There is no k6 of version 2 here."]);
});

test("what needs a generator is withheld where there is none and none can be built", async () => {
  const { ensureK6, NoK6 } = await import("../load/k6/ensure.ts");
  const make = (): ReturnType<typeof ensureK6> => ensureK6({ environment: { PATH: "" }, root: emptyFolder() });
  await expect(make()).rejects.toThrow(NoK6);
  const generator = generatorByK6((text) => text, { found: () => null, make });
  const fired = generator.fire([{ at_ms: 0, connection: 0, request: { method: "GET", url: "http://127.0.0.1:9/", headers: [] } }]);
  await expect(fired).rejects.toThrow(Withheld);
  await expect(fired).rejects.toThrow(/There is no k6 of version 2 here, and no Go to build it with/);
});

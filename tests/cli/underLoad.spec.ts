// A load beside a run, with k6 and without: plan, verdicts, exit code.
import { dirname } from "node:path";
import { expect, test } from "@playwright/test";
import { generatorFrom } from "../../cli/generator.ts";
import { costOfPlan, planLines, plannedRun } from "../../cli/plan.ts";
import { wholeSuite } from "../../cli/suite.ts";
import { exitCodeUnderLoad, smokeBeside, smokeFor, withLoad } from "../../cli/underLoad.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Engine, openEngine } from "../../harness/engine/engine.ts";
import { unmetGenerator } from "../../harness/engine/timedSending.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Generator, NoGenerator } from "../../harness/transport/timedRequests.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { ensureK6, lackOfK6, NoK6 } from "../../load/k6/ensure.ts";
import { rateRequirements } from "../../load/suite.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { loadSentences } from "../../reports/load.ts";
import { counted } from "../../reports/numbers.ts";
import { features } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { emptyFolder, invocation, program } from "../support/assay.ts";
import { get, timedRequest } from "../support/k6.ts";
import { madeLoad, madePlan } from "../support/madeLoads.ts";
import { breach } from "../support/madeRuns.ts";

const plain = { enforced: "fail", reasons: [], breaches: [] } as const;
const holding = (id: RequirementId, exchange = 1): Verdict => ({
  ...{ id, verdict: "holds", exchanges: [exchange] },
  ...plain,
});
const broken: Verdict = { ...plain, id: "RPC-ENV-03", verdict: "broken", breaches: [breach], exchanges: [9] };

test("of what fails and what only warns under load the failure counts, with the checks that ran", () => {
  const checks = [{ requests: ["a request"], is: "broken" }] as const;
  const breach = {
    outcome: "broken",
    at: "/a",
    expected: "a list",
    got: { is: "absent" },
    exchange: 1,
    causedBy: [],
  } as const;
  const [before, under] = (["fail", "warn"] as const).map((enforced) => ({ ...broken, enforced, breaches: [breach] }));
  if (!before || !under) throw new Error("two verdicts are made");
  for (const [first, second] of [
    [before, under],
    [under, before],
  ] as const)
    expect(withLoad([{ ...first, checks }], [second])).toMatchObject([
      { enforced: "fail", breaches: [breach, breach], checks },
    ]);
});

test("what breaks under load is broken, whatever its verdict before; what holds under load adds nothing", () => {
  const before = [holding("RPC-ENV-01"), holding("RPC-ENV-03")];
  expect(withLoad(before, [holding("RPC-ENV-01", 8), broken])).toEqual([before[0], { ...broken, exchanges: [1, 9] }]);
  expect(withLoad(before, [])).toEqual(before);
  expect(withLoad([], [broken, holding("RPC-ENV-01")])).toEqual([broken]);
});

test("an inconclusive load is never green; a withheld one changes no exit code", () => {
  const good = [holding("RPC-ENV-01")];
  expect(exitCodeUnderLoad(good, madeLoad())).toBe(0);
  expect(exitCodeUnderLoad(good, madeLoad({ doubt: "saturated" }))).toBe(3);
  expect(exitCodeUnderLoad([...good, broken], madeLoad({ doubt: "saturated" }))).toBe(1);
  const bounds = [{ operation: "getIndexerHealth", bound_ms: 1, p95_ms: 2, isKept: false }] as const;
  expect(exitCodeUnderLoad(good, madeLoad({ bounds }))).toBe(1);
  expect(exitCodeUnderLoad([], madeLoad())).toBe(3);
  const withheld = madeLoad({ withheld: "There is no k6 of version 2 here." });
  expect(exitCodeUnderLoad(good, withheld)).toBe(0);
  expect(loadSentences(withheld)).toEqual(["smoke not tested: There is no k6 of version 2 here."]);
});

test("where no project can be made for it, the load is inconclusive and the run goes on", async () => {
  const { target } = inProcess(wholeSuite);
  const wire = (): Promise<never> => Promise.reject(new WireFault("refused", "nobody listens"));
  const firstNumber = Promise.resolve(8);
  const { report, verdicts } = await smokeBeside(invocation, {
    ...{ plan: madePlan, target, wire, suite: wholeSuite },
    ...{ impliedFails: false, firstNumber },
  });
  expect([report.doubt, report.after, verdicts]).toEqual(["control didn't answer (refused: nobody listens)", 7, []]);
});

test("what a generator sends beside a run is counted, and comes after the run's exchanges", async () => {
  const { target, wire } = inProcess(wholeSuite);
  const answered = '{"source":"console","msg":"[0,0,0,0,1000,1,[],0,0]","time":"2026-11-26T09:45:10Z"}';
  const summary = '{"source":"console","msg":"{\\"summary\\":{\\"requests\\":1}}"}';
  const found = '[ "$1" = version ] && echo "k6 v2.2.0 (go1.26.8, linux/amd64)" && exit 0';
  const k6 = program("k6", `${found}\ncat > /dev/null\necho '${answered}'\necho '${summary}'`);
  const beside = { ...invocation, env: { ...invocation.env, K6_BIN: k6 } };
  const load = smokeFor(target, { suite: wholeSuite, seed: 1 }, null);
  if (!load) throw new Error("the reference has a load beside its runs");
  // As much as is known of it, which is more than it takes.
  const { report } = await smokeBeside(beside, {
    ...{ ...load, target, wire, suite: wholeSuite },
    ...{ impliedFails: false, firstNumber: Promise.resolve(8) },
  });
  expect(report).toMatchObject({ after: 7, phases: [{ requests: 1, served: 1 }] });
});

const here = "http://127.0.0.1:9";
/** Without what an earlier load left in this user's home. */
const nowhere = { environment: { PATH: "", HOME: emptyFolder() }, root: emptyFolder() };

test("without a generator, what needs one is withheld: before the run, or once that is known", async () => {
  const make = (): ReturnType<typeof ensureK6> => ensureK6(nowhere);
  await expect(make()).rejects.toThrow(NoK6);
  const reason =
    /^There is no k6 of version 2 here, and no Go to build it with\. docs\/install\.md names three ways to one$/;
  expect(lackOfK6(nowhere)).toMatch(reason);
  const lacking = generatorFrom({ found: () => null, make, lacks: () => lackOfK6(nowhere) }, (text) => text);
  expect(unmetGenerator(lacking)).toEqual({ kind: "noGenerator", detail: expect.stringMatching(reason) });
  const late = generatorFrom({ found: () => null, make, lacks: () => null }, (text) => text);
  if (!("fire" in late)) throw new Error("it lacks a generator already");
  const fired = late.fire([timedRequest(0, 0, get(`${here}/`))]);
  await expect(fired).rejects.toThrow(Withheld);
  await expect(fired).rejects.toThrow(/There is no k6 of version 2 here, and no Go to build it with/);
});

test("a Go that can build k6 is enough for a plan", () => {
  const go = program("go", "echo go1.26.8");
  expect(lackOfK6({ ...nowhere, environment: { PATH: dirname(go) } })).toBeNull();
});

const inThisProcess = inProcess(wholeSuite);
const target: Target = { ...inThisProcess.target, bases: { admin: here, api: here, rpc: here } };
const idle: Generator = { name: "none", fire: () => Promise.resolve([]) };

test("a run's plan counts the load beside it, and withholds it without a generator", async () => {
  const { plan: engines } = openEngine({ ...inThisProcess, target, generator: idle });
  const load = smokeFor(target, { suite: wholeSuite, seed: 1 }, null);
  if (!load) throw new Error("a run of the reference has smoke beside it");
  const all = costOfPlan(engines, load);
  // 54 requests per second for 20 s, and owner and unknown key on each feature.
  expect(load.plan.cost.requests).toBe(20 * 54 + 2 * features.length);
  expect(load.plan.cost.credits).toBeGreaterThan(40_000);
  for (const figure of ["requests", "credits", "unpriced"] as const)
    expect(all[figure] - engines[figure], figure).toBe(load.plan.cost[figure]);
  const [first] = planLines(await plannedRun(target, engines, { load }));
  expect(first).toContain(`${counted(all.credits, "credit")} + ${counted(all.unpriced, "call")} (price not published)`);
  expect(first).toContain(" · smoke · ");
  const lacking = { ...load, lacks: { kind: "noGenerator", detail: "no k6" } as const };
  expect(costOfPlan(engines, lacking)).toMatchObject({ requests: engines.requests, credits: engines.credits });
  const lines = planLines(await plannedRun(target, engines, { load: lacking }));
  expect(lines[0]).not.toContain("smoke");
  expect(lines).toContain("not tested: no k6: smoke");
});

test("load is planned only on the reference, and only where no budget limits it", () => {
  expect(smokeFor({ ...target, isReference: false }, { suite: wholeSuite, seed: 1 }, null)).toBeNull();
  expect(smokeFor({ ...target, budget: { requests: 5_000 } }, { suite: wholeSuite, seed: 1 }, null)).toBeNull();
});

test("requirements that need a generator aren't planned without one", () => {
  const needing = ["RATE-ADM-03", "RATE-ADM-05", "RATE-GEN-01", "RATE-GEN-02", "RATE-SB-03", "RATE-SB-05"];
  const planned = (generator: Generator | NoGenerator): readonly string[] =>
    openEngine({ ...inThisProcess, target, generator }).plan.tried;
  const [withOne, without] = [planned(idle), planned({ lacks: "no k6" })];
  // The others can partly be tested by a single client.
  expect(withOne.filter((id) => !without.includes(id)).sort()).toEqual(needing);
});

test("requests of schedules are counted at their operation's price", () => {
  const plan = (prices: Target["prices"]): Engine["plan"] =>
    openEngine({ ...inThisProcess, target: { ...target, prices }, generator: idle, only: rateRequirements }).plan;
  const [free, priced] = [plan({}), plan({ getProjectUsage: 3 })];
  const reads = free.unpriced - priced.unpriced;
  // Reads of three bursts and one, two pairs, a minute and twenty seconds among them.
  expect(reads).toBeGreaterThan(37 + 10 + 180 + 240);
  expect(priced.requests).toBe(free.requests);
  // Both are rounded up.
  expect(Math.abs(priced.credits - free.credits - 3 * reads)).toBeLessThanOrEqual(4);
});

// Samples of a load that its target file doesn't give: made and found as in a run, and tried before it is sent
import { expect, test } from "@playwright/test";
import { targetForm } from "../../contracts/targets.ts";
import { describeReason } from "../../harness/core/reason.ts";
import { readJournal } from "../../harness/record/journal.ts";
import type { Target } from "../../harness/targets/target.ts";
import { readTarget } from "../../harness/targets/targetFile.ts";
import { networkWire, type WireRequest } from "../../harness/transport/wire.ts";
import { smoke } from "../../load/shapes/shapes.ts";
import { loadSuite } from "../../load/suite.ts";
import { planLoad } from "../../load/traffic/plan.ts";
import { planSamples, type SamplePlan } from "../../load/traffic/samples.ts";
import { assay, assayRun } from "../support/assay.ts";
import { k6 } from "../support/k6.ts";
import { type Embedded, servedReference } from "../support/servedReference.ts";
import { deadBase, targetFile } from "../support/vendor.ts";
import { answered } from "../support/vendorsInProcess.ts";

let platform: Embedded;
test.beforeAll(async () => {
  platform = await servedReference();
});
test.afterAll(() => platform.close());

/** The reference as a vendor of which no sample is known. @param more lines of its file */
const fileOf = (more = ""): string =>
  targetFile(`
name: acme
bases: { admin: "${platform.base}", api: "${platform.base}", rpc: "${platform.base}" }
projects: { main: { id: 5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162, plan: paid } }
keys: { paid: { project: main, env: ASSAY_REFERENCE_PAID } }
pace: { perSecond: 40, usagePerSecond: 4.9 }
${more}`);
const mint = "samples: { mint: 7fVLvPeLoSrtshkX7Eh4x7uM8VTqY3KPGXjtkV2ya5rA }";

/** What is to be looked for, and what was sent. @param refuses whether a request is answered with 404 */
async function looking(
  more: string,
  refuses: (request: WireRequest) => boolean,
  work: (samplePlan: SamplePlan, target: Target, sent: readonly WireRequest[]) => Promise<void>,
): Promise<void> {
  const target = readTarget(targetForm, fileOf(more), platform.environment);
  const sent: WireRequest[] = [];
  const { wire, close } = networkWire();
  const samplePlan = planSamples(target, {
    suite: loadSuite,
    seed: 1,
    wire: async (request, signal) => {
      sent.push(request);
      if (refuses(request)) return answered(404, { statusCode: 404, message: "Unknown wallet", error: "Not Found" });
      return wire(request, signal);
    },
  });
  if (!samplePlan) throw new Error("nothing is lacking");
  try {
    await work(samplePlan, target, sent);
  } finally {
    await close();
  }
}

const none = (): boolean => false;

test("what can be made or found is planned as if it were, and costs at most what is said", () =>
  looking(mint, none, async (samplePlan, target, sent) => {
    expect([samplePlan.sought, samplePlan.made.map(({ at }) => at)]).toEqual([
      ["/samples/owner"],
      ["/samples/newAddresses/0", "/samples/wallets/0"],
    ]);
    const { mix, cost } = planLoad(samplePlan.hoped, smoke, { suite: loadSuite, seed: 1, before: samplePlan.most });
    expect(mix.shares.map(({ operation }) => operation)).toEqual(expect.arrayContaining([...samplePlan.operations]));
    const alone = planLoad(samplePlan.hoped, smoke, { suite: loadSuite, seed: 1 }).cost;
    expect(cost.requests - alone.requests).toBe(samplePlan.most.requests);
    expect(sent).toEqual([]);
    const found = await samplePlan.find();
    expect(found.notes.map(({ at, by }) => `${by} ${at}`).sort()).toEqual([
      "found /samples/owner",
      "made /samples/newAddresses/0",
      "made /samples/wallets/0",
    ]);
    expect(found.target).toMatchObject({ name: target.name, allow: target.allow });
    expect(found.target.samples["owner"]).toBe("D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w");
    expect([found.leftOut.size, samplePlan.spent().requests]).toEqual([0, sent.length]);
    expect(sent.length).toBeLessThanOrEqual(samplePlan.most.requests);
    const { mix: real } = planLoad(found.target, smoke, { suite: loadSuite, seed: 1 });
    expect(real.shares.map(({ operation }) => operation)).toEqual(mix.shares.map(({ operation }) => operation));
  }));

test("an operation that isn't served with such samples is left out, with what it was answered", () =>
  looking(
    "offers: [usage, wallet]",
    ({ url }) => url.endsWith("/history"),
    async (samplePlan) => {
      const { target, leftOut } = await samplePlan.find();
      expect([...leftOut].map(([operation, reason]) => `${operation}: ${describeReason(reason)}`)).toEqual([
        "getWalletHistory: with `samples.wallets.0` made or found for this run, " +
          'it was refused: HTTP 404 "Unknown wallet"',
      ]);
      const { mix } = planLoad(target, smoke, { suite: loadSuite, seed: 1, leftOut });
      expect(mix.shares.map(({ operation }) => operation)).toContain("getWalletTransfers");
      expect(mix.shares.map(({ operation }) => operation)).not.toContain("getWalletHistory");
    },
  ));

test("what isn't found is left out with the reason, and the budget is kept", () =>
  looking(`offers: [usage, tokenAccounts]\n${mint}\nbudget: { requests: 3 }`, none, async (samplePlan) => {
    const { target, notes } = await samplePlan.find();
    expect(samplePlan.spent().requests).toBe(3);
    expect(notes.map(({ by, how }) => `${by}: ${how}`)).toContain("missing: the budget of 3 requests is spent");
    expect(target.budget).toEqual({ requests: 3 });
  }));

test("where no operation is left, that is the reason, and nothing is loaded", async () => {
  k6();
  const file = targetFile(`
name: acme
bases: { rpc: "${await deadBase()}" }
offers: [tokenAccounts]
projects: { main: { id: 5f0d5c1e-7f5b-4a57-9a0c-1d2e3f405162, plan: paid } }
keys: { paid: { project: main, env: ASSAY_REFERENCE_PAID } }
`);
  const { code, run } = await assayRun(["load", "smoke", "--target", file], platform.environment);
  const [, why] = /getTokenAccounts: (http.*)\.$/.exec(run.load?.doubt ?? "") ?? [];
  expect([code, why]).toEqual([3, expect.stringContaining("doesn't answer (refused: ")]);
  expect(run.spent.requests).toBeGreaterThan(0);
});

test("nothing is looked for where the target file gives all that can be used", () => {
  const wallet = "5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv";
  const samples = `samples: { wallets: [${wallet}], owner: ${wallet} }`;
  const file = fileOf(`offers: [usage, wallet, tokenAccounts, bundles]\n${samples}`);
  const target = readTarget(targetForm, file, platform.environment);
  const { wire } = networkWire();
  expect(planSamples(target, { suite: loadSuite, seed: 1, wire })).toBeNull();
});

test("a plan says what is looked for, and what depends on it; a part takes what the file gives", async () => {
  const command = ["load", "smoke", "--target", fileOf(mint), "--plan"];
  const { stdout } = await assay(command, platform.environment);
  expect(stdout).toMatch(/first, at most \d+ requests that look for samples and try \d operations with samples/);
  expect(stdout).toContain("made for this run: newAddresses, wallets · looked for when needed: owner\n");
  expect(stdout).toMatch(/getTokenAccounts +[\d.]+ % of requests, if served\n/);
  expect(stdout).toMatch(/getProjectUsage +[\d.]+ % of requests\n/);
  const start = new Date(Date.now() + 3_600_000).toISOString();
  const part = await assay([...command, "--part", "1/2", "--start", start], platform.environment);
  expect(part.stdout).toMatch(/getTokenAccounts +not loaded: the target gives no `samples.owner`\n/);
  expect(part.stdout).not.toContain("first, at most");
});

test("a load without samples is sent with those found, counts what that took, and its run names them", {
  tag: "@slow",
}, async () => {
  k6();
  const command = ["load", "smoke", "--target", fileOf(mint), "--duration", "2s", "--rate", "10"];
  const { code, run, stdout, folder } = await assayRun(command, platform.environment);
  expect([run.load?.doubt, code]).toEqual([null, 0]);
  expect(run.samples?.map(({ at, by }) => `${by} ${at}`)).toContain("found /samples/owner");
  const [phase] = run.load?.phases ?? [];
  expect(run.spent.requests).toBeGreaterThan((phase?.requests ?? 0) + 8);
  // What is recorded while it is sent counts it, too.
  const live = readJournal(folder).flatMap((line) => (line.record === "load" && line.spent ? [line] : []));
  expect(live.length).toBeGreaterThan(0);
  for (const { load, spent } of live) expect(spent?.requests).toBeGreaterThan((load.phases[0]?.requests ?? 0) + 8);
  expect(run.load?.left.map(({ operation }) => operation)).not.toContain("getTokenAccounts");
  expect(stdout).toContain("found: owner");
});

// Tests that nothing which a load has sent is lost, however it ends
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import type { LoadReport } from "../../harness/record/load.ts";
import { loadSuite } from "../../load/suite.ts";
import { mixFor } from "../../load/traffic/mix.ts";
import { drive } from "../../load/traffic/traffic.ts";
import { assay, emptyFolder, type Running, runIn, startAssay, startProcess } from "../support/assay.ts";
import { failing, planted } from "../support/crashes.ts";
import { faulty } from "../support/faultyPlatform.ts";
import { k6, k6That } from "../support/k6.ts";
import { loadTarget } from "../support/madeLoads.ts";
import { schemaProblems } from "../support/standards.ts";
import { smallEnvironment, smallTarget, targetFile } from "../support/vendor.ts";

/** What k6 prints of two requests, until it is interrupted; another answer comes too late. */
const record = (second: number): string =>
  JSON.stringify({ source: "console", msg: "[0,0,0,0,1000,1,[],0,0]", time: `2026-11-26T09:45:${second}Z` });

for (const [title, end] of [
  ["counts", `echo '${record(20)}'; echo '{"source":"console","msg":"{\\"summary\\":{}}"}'; exit 105`],
  ["is gone", "kill -9 $$"],
] as const)
  test(`a load that is ended has what was answered before, whether or not k6 ${title}`, async () => {
    const ender = new AbortController();
    const k6Once = k6That(
      `end() { ${end}; }\ntrap end INT\necho '${record(10)}'\necho '${record(12)}'\nwhile :; do sleep 0.1; done`,
    );
    const target = loadTarget();
    const { shares } = mixFor(target, loadSuite.reads);
    const plan = {
      phases: [{ name: "steady", seconds: 60, perSecond: 20 }],
      shares,
      seed: 1,
      script: loadSuite.script,
    };
    let answered = 0;
    const { tally, stopped, failure } = await drive(k6Once, target, plan, {
      ending: ender.signal,
      onProgress: ({ tally: soFar }) => {
        answered = soFar.requests;
        ender.abort("SIGINT");
      },
    });
    expect(answered).toBe(2);
    expect({ requests: tally.requests, stopped, failure }).toEqual({
      requests: 2,
      stopped: { reason: "SIGINT", after_s: 2, isAutomatic: false },
      failure: null,
    });
  });

const perSecond = 20;

/** A load of a minute on a small healthy platform, ended once the platform has heard so many requests. */
async function endedAfter(
  requests: number,
  begin: (args: readonly string[], environment: { readonly [name: string]: string }) => Running,
  end: (running: Running) => void,
) {
  k6();
  let isEnough: () => void = () => {};
  const heardEnough = new Promise<void>((resolve) => {
    isEnough = resolve;
  });
  const platform = await faulty({
    when: ({ nth }) => {
      if (nth === requests) isEnough();
      return false;
    },
  });
  const folder = join(emptyFolder(), "run");
  const file = targetFile(`${smallTarget(`http://127.0.0.1:${platform.port}`)}load: { perSecond: ${perSecond} }`);
  const args = ["load", "smoke", "--target", file, "--duration", "60s", "--rate", String(perSecond), "--out", folder];
  const running = begin(args, smallEnvironment);
  await heardEnough;
  end(running);
  const ended = await running.ended;
  await platform.close();
  return { ...ended, folder, heard: platform.heard.length };
}

const sentIn = ({ phases }: Pick<LoadReport, "phases">): number =>
  phases.reduce((total, phase) => total + phase.requests, 0);
const inOverTime = ({ overTime = [] }: Pick<LoadReport, "overTime">): number =>
  overTime.reduce((total, stretch) => total + stretch.requests, 0);
/** In flight when it ended, at most, and what the preflight sends. */
const unanswered = 20;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  test(`${signal} ends a load with what it has sent`, { tag: "@slow" }, async () => {
    const { code, stdout, folder, heard } = await endedAfter(50, startAssay, (running) => running.kill(signal));
    const run = runIn(folder);
    const { load } = run;
    expect(code).toBe(3);
    expect(load?.doubt).toMatch(new RegExp(`^${signal} ended the load after \\d s of 60$`));
    expect(stdout).toContain(`Inconclusive: ${load?.doubt} · `);
    expect(run).toMatchObject({ complete: false, cutShort: `${signal} ended it` });
    expect(schemaProblems("reports/run.schema.json", run)).toEqual([]);
    if (!load) throw new Error("a load has a report");
    expect(sentIn(load)).toBeGreaterThan(heard - unanswered);
    expect(sentIn(load)).toBeLessThan(heard);
    expect(inOverTime(load)).toBe(sentIn(load));
    expect(run.spent.requests).toBeGreaterThan(heard - unanswered);
    expect(run.exchanges.length).toBeGreaterThan(0);
    expect(run.totals).toMatchObject({ broken: 0, inconclusive: 0 });
    expect(run.totals.holds).toBeGreaterThan(0);
  });

test("of a load that is killed, a report shows what was recorded, and says so", { tag: "@slow" }, async () => {
  const { folder, heard } = await endedAfter(100, startProcess, (running) => running.kill("SIGKILL"));
  const { code, stdout } = await assay(["report", folder]);
  const run = runIn(folder);
  expect([code, run.complete, run.exitCode]).toEqual([3, false, 3]);
  expect(stdout).toMatch(/^Inconclusive: the record of the load breaks off after \d+ s of 60 · /m);
  expect(schemaProblems("reports/run.schema.json", run)).toEqual([]);
  if (!run.load) throw new Error("a load has a report");
  // Two seconds of it may be missing.
  expect(sentIn(run.load)).toBeGreaterThan(heard - 2 * perSecond - unanswered);
  expect(inOverTime(run.load)).toBe(sentIn(run.load));
  expect(run.spent.requests).toBeGreaterThanOrEqual(sentIn(run.load));
});

test("a full disk ends a load, and the terminal says what it has found", { tag: "@slow" }, async () => {
  const plant = planted(failing("ENOSPC", "journal", { by: ["appendFileSync"], from: 20 }));
  const begin = (args: readonly string[], environment: object): Running =>
    startProcess(args, { ...environment, ...plant });
  const { code, stdout, stderr } = await endedAfter(60, begin, () => {});
  expect(code).toBe(3);
  expect(stdout).toMatch(/^Inconclusive: a full disk ended the load after \d+ s of 60 · [\d.]+\/s for \d+ s · /m);
  // Nothing was written.
  expect(stdout).not.toContain("index.html");
  expect(stderr).toMatch(/journal\.jsonl can't be read or written \(ENOSPC: .*\)\. Make room or raise the limit/);
});

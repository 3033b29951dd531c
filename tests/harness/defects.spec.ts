// Defects of ours: a check or a probe that throws says nothing of the platform, and tells what to report.

import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import { replayLine } from "../../cli/replayLine.ts";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite as contracts } from "../../contracts/suite.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import { onlyRequest, scenario } from "../../harness/model/check.ts";
import { experiment } from "../../harness/model/probe.ts";
import { shownObserved, shownVerdict } from "../../harness/model/shown.ts";
import type { JournalLine } from "../../harness/record/journal.ts";
import { type Run, runOf } from "../../harness/record/run.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { closingLines } from "../../reports/document/terminal.ts";
import { ciSummaryOf } from "../../reports/run/ciSummary.ts";
import { htmlOf } from "../../reports/run/page.tsx";
import { runDocument } from "../../reports/run/terminal.ts";
import { outcomeOf } from "../support/probeSpecs.ts";
import { schemaProblems } from "../support/standards.ts";

/** Throws, and what it throws repeats the key. */
const failing = scenario("CYC-PRES-01", { feature: "usage", requests: [] }, ({ target }) => {
  throw new TypeError(`no figure for ${target.keys.get("paid")?.secret.open()}`);
});
const failingProbe = experiment("usage", "OBS-HTTP-LATENCY", [usageRequest({ as: "owner" })], () =>
  Promise.reject(new RangeError("no sample")),
);
const holding = scenario("USG-HTTP-01", { feature: "usage", requests: [] }, async ({ ask }) => [
  { exchange: await ask(usageRequest({ as: "owner" })), finding: { outcome: "held" } },
]);

const linesOf = (run: Run): readonly string[] => closingLines(runDocument(run, "runs/a-run"));

/** A run as its journal records it, of these checks and probes. */
async function recorded(checks: typeof contracts.checks, probes: typeof contracts.probes) {
  const options = inProcess({
    ...contracts,
    checks: [onlyRequest("usage", usageRequest({ as: "owner" })), ...checks],
    probes,
  });
  const lines: JournalLine[] = [];
  const engine = openEngine(options);
  engine.events.on((event) => {
    if (event.event === "verdict")
      lines.push({ record: "verdict", verdict: shownVerdict(event.verdict), spent: event.spent });
    if (event.event === "observation")
      lines.push({ record: "observation", observation: shownObserved(event.observation) });
  });
  await engine.run();
  const { requests, credits, unpriced } = engine.plan;
  const start: JournalLine = {
    record: "start",
    version: "9.8.7",
    interface: dataPlatform.edition,
    id: "a-run",
    target: "acme",
    isReference: false,
    bases: {},
    command: "npx assay run --target acme.yaml --seed 7",
    startedAt: "2026-03-01T12:00:00.000Z",
    planned: engine.ids,
    unchecked: [],
    plan: { requests, credits, unpriced },
  };
  const end: JournalLine = { record: "end", endedAt: "2026-03-01T12:01:00.000Z", spent: engine.spent, exitCode: 0 };
  const run = runOf([start, ...lines, end], dataPlatform, replayLine);
  if (!run) throw new Error("no run");
  return { run, key: options.target.keys.get("paid")?.secret.open() ?? "" };
}

test("a check that throws is inconclusive, a defect of ours with its place, and the run exits with 3", async () => {
  const { run, key } = await recorded([holding, failing], []);
  const found = run.requirements.find(({ id }) => id === "CYC-PRES-01");
  expect(found).toMatchObject({ verdict: "inconclusive", breaches: [] });
  expect(found?.defect?.message).toBe("no figure for <key:paid>");
  expect(found?.defect?.at).toMatch(/^at .*tests\/harness\/defects\.spec\.ts:\d+:\d+\)?$/);
  expect(found?.defect?.at).not.toContain(process.cwd());
  expect(JSON.stringify(run)).not.toContain(key);
  expect({ exitCode: run.exitCode, holds: run.totals.holds }).toEqual({ exitCode: 3, holds: 1 });
  expect(schemaProblems("reports/run.schema.json", run)).toEqual([]);
});

test("a probe that throws is a defect of ours, too; alone it exits with 3", async () => {
  const { run } = await recorded([holding], [failingProbe]);
  expect(run.observations).toMatchObject([{ state: "withheld", values: [], defect: { message: "no sample" } }]);
  expect({ exitCode: run.exitCode, totals: run.totals.inconclusive }).toEqual({ exitCode: 3, totals: 0 });
  expect(schemaProblems("reports/run.schema.json", run)).toEqual([]);
});

test("terminal, summary and page name what to report: requirement, version, place and the replay line", async () => {
  const { run } = await recorded([holding, failing], [failingProbe]);
  const line = linesOf(run).find((one) => one.includes("threw an error"));
  expect(line).toMatch(/^Check CYC-PRES-01 and 1 other threw an error: /);
  for (const text of ["Assay 9.8.7", "no figure for", "at ", "--seed 7 --only CYC-PRES-01"])
    expect(line).toContain(text);
  const page = await htmlOf(run, described);
  for (const report of [ciSummaryOf(run, described), page]) expect(report).toContain("threw an error");
});

test("a run without defects and alone on its projects says nothing of either", async () => {
  const { run } = await recorded([holding], []);
  expect(run.exitCode).toBe(0);
  expect(linesOf(run).join("\n")).not.toMatch(/threw an error|others use/);
  expect(run).not.toHaveProperty("usedByOthers");
});

test("that others used a project is named before what is broken", async () => {
  const { run } = await recorded([holding], []);
  const [first] = linesOf({ ...run, usedByOthers: ["main"] });
  expect(first).toBe(
    "Others used the project main during this run, perhaps another run did, so what was charged there isn't judged.",
  );
});

test("that no charge showed is named before what is broken, and not where one did", async () => {
  const { run } = await recorded([holding], []);
  const entryOf = (at: string, charged: string, least: string) =>
    ({ project: "main", at, charged, spent: { least, most: "300" }, result: "open", reason: null }) as const;
  const linesWith = (charged: string): string => {
    const entries = [entryOf("/credits/a", charged, "200"), entryOf("/credits/b", "0", "0")];
    return linesOf({ ...run, audit: { entries, reason: null } })[0] ?? "";
  };
  expect(linesWith("0")).toMatch(/^No charge showed by the end of this run, .* `settlesWithin_s` in the/);
  expect(linesWith("100")).not.toContain("No charge");
});

test("no check and no probe of the suite throws on the reference", { tag: "@slow" }, async () => {
  const { verdicts, observed } = await outcomeOf({ suite: contracts, hasSchedules: true });
  expect([...verdicts, ...observed].filter(({ defect }) => defect)).toEqual([]);
});

// assay verify: a journal or a manifest that somebody made up is named where it contradicts itself.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { packageUrl, version } from "../../cli/version.ts";
import { assay, emptyFolder } from "../support/assay.ts";
import { type Changes, foreignRun } from "../support/foreignFolders.ts";
import { exchanged, judged, made } from "../support/madeRuns.ts";
import { leftIn } from "../support/reports.ts";
import { forged, ofUsage, replaced, reported, verified } from "../support/verified.ts";

test("a journal whose verdict isn't that of its own answers contradicts itself", async () => {
  const holds = { ...ofUsage, "verdict.verdict.verdict": "holds", "verdict.verdict.breaches": [], "end.exitCode": 0 };
  const passing = { record: "intermittent", cause: "x", exchange: 1 };
  expect((await verified(await forged(holds))).differences).toEqual([
    { file: "journal.jsonl", says: "says that USG-FLD-01 holds, which the answer of its exchange 1 breaks" },
  ]);
  expect((await verified(await forged({ "end.exitCode": 0 }))).differences).toEqual([
    { file: "journal.jsonl", says: "ends with exit code 0, though a requirement is broken that fails a run" },
  ]);
  // What a signal ended has no exit code of its own, and a failure that didn't occur again breaks nothing.
  const ended = { exchanges: [exchanged()], endedAt: null, cutShort: "SIGINT ended it" };
  expect(
    (await verified(await reported(leftIn(made(0, { ...ended, requirements: [judged("USG-FLD-01", "broken")] })))))
      .differences,
  ).toEqual([]);
  expect((await verified(await forged(holds, [passing]))).differences).toEqual([]);
});

test("a breach that its answer refutes, and exchanges that aren't there, contradict the journal", async () => {
  const there = { ...ofUsage, "exchange.exchange.answer.body": '{"creditsRemaining":7}' };
  const absent = [
    { at: "/creditsRemaining", expected: "x", outcome: "broken", got: { is: "absent" }, exchange: 1, causedBy: [] },
  ];
  const saysWith = async (changes: Changes) =>
    (await verified(await forged(changes))).differences.map(({ says }) => says);
  expect(await saysWith({ ...there, "verdict.verdict.breaches": absent })).toEqual([
    "says that exchange 1 breaks USG-FLD-01 as /creditsRemaining is absent, which is in its answer",
  ]);
  // A check says of other places, too, that nothing there fits.
  const elsewhere = absent.map((one) => ({ ...one, at: "/creditsUsed" }));
  expect(await saysWith({ ...ofUsage, "verdict.verdict.breaches": elsewhere })).toEqual([]);
  expect(await saysWith({ "verdict.verdict.exchanges": [1, 7] })).toEqual([
    "cites exchange 7 for USG-FLD-01, and has none of it",
  ]);
  const { stdout } = await assay(["verify", await forged({ "end.spent.requests": 9 })]);
  expect(stdout).toContain("\nThe journal has 1 recorded exchange of 9 requests that it counts.\n");
});

test("a manifest that names another Assay than made its reports, and verdicts of its own, is told", async () => {
  const folder = await reported(foreignRun());
  const file = join(folder, "manifest.json");
  const asOther = () =>
    replaced(
      file,
      `"name": "reports",\n        "uri": "${packageUrl}@${version}"`,
      `"name": "reports",\n        "uri": "${packageUrl}@9.9.9"`,
    );
  asOther();
  expect((await verified(folder)).differences).toEqual([
    { file: "manifest.json", says: `names Assay 9.9.9 as what wrote the reports, which ${version} makes to the byte` },
  ]);
  replaced(join(folder, "summary.md"), "Failed", "Passed");
  replaced(file, "FAILED", "PASSED");
  expect((await verified(folder)).files).toEqual(["summary.md", "manifest.json"]);
});

test("a folder of another program's manifest isn't a run, and what can't be read is said", async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "manifest.json"), '{"manifest_version":3}');
  const { code, stderr } = await assay(["verify", folder]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("isn't a run")]);
  const ours = await reported(foreignRun());
  writeFileSync(join(ours, "index.html"), Buffer.alloc(80_000_000));
  expect((await verified(ours)).files).toEqual(["index.html"]);
});

// assay verify: a byte changed in any file of a run's folder is named with the file, and foreign folders lead nowhere.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { packageUrl, version } from "../../cli/version.ts";
import type { Manifest } from "../../harness/record/manifest.ts";
import { deviationsFileOf } from "../../harness/targets/deviations.ts";
import { assay, assayRun, type Ended, emptyFolder, filesOfRun, type Run } from "../support/assay.ts";
import { foreignRun } from "../support/foreignFolders.ts";
import { nasty } from "../support/hostile.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { edition, exchanged, judged, made } from "../support/madeRuns.ts";
import { leftIn } from "../support/reports.ts";
import { smallTarget, targetFile } from "../support/vendor.ts";
import { change, forged, ofUsage, replaced, reported, verified } from "../support/verified.ts";

const mutantRun = () => assayRun(["run", "--mutant", "USG-FLD-01.absent", "--only", "USG-FLD-01"]);

async function judgedRun(): Promise<string> {
  const out = join(emptyFolder(), "judged");
  const { code } = await assay(["judge", foreignRun(ofUsage), "--base", "https://admin.acme.example", "--out", out]);
  expect(code).toBe(1);
  return out;
}

/** Of a load with k6's own page, and a kill matrix beside it. */
async function loadRun(): Promise<string> {
  const load = madeLoad({ dashboard: "k6-smoke.html" });
  const folder = leftIn(made(0, { exchanges: [exchanged()], load }));
  writeFileSync(join(folder, "k6-smoke.html"), "<!doctype html>\n");
  writeFileSync(
    join(folder, "kills.json"),
    JSON.stringify({ honest: [], results: [], pending: ["USG-FLD-01.absent"] }),
  );
  await assay(["report", folder, "--kills", join(folder, "kills.json")]);
  return folder;
}

const flipped = (bytes: Buffer): Buffer => {
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return bytes;
};

for (const [title, folderOf, more] of [
  ["a run", async () => (await mutantRun()).folder, []],
  ["a judged recording", judgedRun, []],
  ["a load", loadRun, ["k6-smoke.html", "kills.json"]],
] as const)
  test(`one byte changed in any file of ${title} is named with that file`, async () => {
    const folder = await folderOf();
    const files = readdirSync(folder);
    expect(files).toEqual([...filesOfRun, ...more].sort());
    expect(await verified(folder)).toMatchObject({ code: 0, result: "same", differences: [], others: [] });
    for (const name of files) {
      const restore = change(join(folder, name), flipped);
      const found = await verified(folder);
      // Of a file that doesn't follow from the journal, it can't be told whether it or its SHA-256 was changed.
      const isEither =
        name === "manifest.json" && found.differences.every(({ says }) => says.includes("one of the two"));
      expect([name, found.code, isEither ? [name] : found.files]).toEqual([name, 1, [name]]);
      restore();
    }
  });

test("reports that are made again are those of the run, to the byte, and so is the manifest", async () => {
  for (const folder of [(await mutantRun()).folder, await judgedRun()]) {
    const all = () => filesOfRun.map((name) => readFileSync(join(folder, name), "utf8"));
    const before = all();
    await assay(["report", folder]);
    expect(all()).toEqual(before);
  }
});

test("a manifest names the target file and its known deviations by what they were", async () => {
  const file = targetFile(smallTarget("https://admin.acme.example"));
  const deviations = deviationsFileOf(file);
  writeFileSync(deviations, "[]\n");
  const out = join(emptyFolder(), "judged");
  await assay(["judge", foreignRun(ofUsage), "--target", file, "--out", out]);
  const { predicate } = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8")) as Manifest;
  const sha256Of = (name: string): string => createHash("sha256").update(readFileSync(name)).digest("hex");
  expect(predicate.configuration).toEqual([
    { name: "judge", uri: `${packageUrl}@${version}` },
    { name: "reports", uri: `${packageUrl}@${version}` },
    { name: `interface: ${edition.name} ${edition.version}`, digest: { specs: edition.digest } },
    ...[file, deviations].map((name) => ({ name, digest: { sha256: sha256Of(name) } })),
  ]);
  // Neither is read again: the folder is enough.
  rmSync(file);
  expect(await verified(out)).toMatchObject({ code: 0, undecided: [] });
});

test("a manifest names the package by its purl, and one of before it had a scope is read, too", async () => {
  expect(packageUrl).toMatch(/^pkg:npm\/%40[a-z-]+\/assay$/);
  const folder = await reported(foreignRun());
  const file = join(folder, "manifest.json");
  const written = readFileSync(file, "utf8");
  writeFileSync(file, written.replaceAll(`${packageUrl}@`, "pkg:npm/assay@"));
  expect(await verified(folder)).toMatchObject({ code: 0, differences: [], undecided: [] });
  writeFileSync(file, written.replaceAll(`${packageUrl}@`, "pkg:npm/%40others/assay@"));
  expect((await verified(folder)).differences).toEqual([
    { file: "manifest.json", says: expect.stringContaining('"pkg:npm/%40others/assay') },
  ]);
});

test("the report for the vendor names the manifest by its SHA-256, where there is one", async () => {
  const folder = foreignRun();
  const report = join(emptyFolder(), "vendor.md");
  const evidenceIn = async (): Promise<string | undefined> => {
    await assay(["report", folder, "--for-vendor", report]);
    return /^- Evidence: .*`(\w+)`$/m.exec(readFileSync(report, "utf8"))?.[1];
  };
  expect(await evidenceIn()).toBeUndefined();
  const { manifest } = await verified(await reported(folder));
  expect([manifest?.length, await evidenceIn()]).toEqual([64, manifest]);
});

test("each file that is missing is named", async () => {
  const folder = await reported(foreignRun());
  for (const name of filesOfRun) {
    const restore = change(join(folder, name), (bytes) => bytes);
    rmSync(join(folder, name));
    const { files, differences } = await verified(folder);
    expect([name, files, differences[0]?.says]).toEqual([name, [name], "is missing"]);
    restore();
  }
  expect((await verified(folder)).code).toBe(0);
});

/** The first lines of the text. */
const saysOf = ({ stdout }: Ended, count = 1): string => stdout.split("\n").slice(0, count).join("\n");

test("what differs is named by its place, and a file that follows from the journal isn't blamed", async () => {
  const folder = await reported(foreignRun());
  const saysWith = async (name: string, from: string, to: string): Promise<string> => {
    const restore = replaced(join(folder, name), from, to);
    const text = saysOf(await assay(["verify", folder]));
    restore();
    return text;
  };
  expect([
    await saysWith("run.json", '"verdict": "broken"', '"verdict": "holds"'),
    await saysWith("run.json", '"broken": 1', '"broken": 0'),
    await saysWith("summary.md", "## ❌", "## ✅"),
    await saysWith("manifest.json", "FAILED", "PASSED"),
    await saysWith("manifest.json", '"sha256": "', '"sha256": "0'),
    await saysWith("journal.jsonl", '"verdict":"broken"', '"verdict":"holds"'),
  ]).toEqual([
    'Not the same: run.json: /requirements/0/verdict (USG-FLD-01) is "holds", and "broken" by the journal.',
    "Not the same: run.json: /totals/broken is 0, and 1 by the journal.",
    expect.stringMatching(
      /^Not the same: summary\.md: line 1 is "## ✅ Failed.*", and "## ❌ Failed.*" by the journal\.$/,
    ),
    'Not the same: manifest.json: /predicate/result is "PASSED", and "FAILED" by the folder.',
    expect.stringMatching(/^Not the same: manifest\.json: isn't a manifest as Assay writes it: \/subject\/0\/digest/),
    expect.stringMatching(
      /^Not the same: journal\.jsonl: isn't the file that .*; in run\.json, \/totals\/holds is 0, and 1 by the journal/,
    ),
  ]);
});

test("of an API that only the run's config has described, no answer is judged anew", async () => {
  const { code, stdout } = await assay([
    "verify",
    await forged({ "start.bases": { ledger: "https://ledger.example" } }),
  ]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("\nNo recorded answer could be judged anew: none is of an operation"),
  ]);
});

test("a run of another version is verified as far as that goes, and by what it says itself", async () => {
  const other = { "start.version": "0.0.9" };
  const folder = await forged(other);
  // Its reports were written by this one.
  const older = await verified(folder);
  expect([older.code, older.undecided]).toEqual([3, [`Assay 0.0.9 judged it, whose laws aren't those of ${version}`]]);
  replaced(
    join(folder, "manifest.json"),
    `"name": "reports",\n        "uri": "${packageUrl}@${version}"`,
    `"name": "reports",\n        "uri": "${packageUrl}@0.0.9"`,
  );
  const theirs = await assay(["verify", folder]);
  expect([theirs.code, saysOf(theirs)]).toEqual([
    3,
    "Not everything can be checked: the reports were written by Assay 0.0.9, and only that version makes the same " +
      `again (this is ${version}).`,
  ]);
  const restore = replaced(join(folder, "run.json"), '"verdict": "broken"', '"verdict": "holds"');
  expect((await verified(folder)).differences.map(({ says }) => says)).toEqual([
    expect.stringContaining("isn't the file that manifest.json names"),
    '/USG-FLD-01/verdict is "holds", and "broken" by the journal',
  ]);
  restore();
  rmSync(join(folder, "manifest.json"));
  expect((await verified(folder)).undecided).toContain(
    "it left no manifest.json, which would tell what was changed since",
  );
});

test("files of others are named, and fail nothing; what a manifest names elsewhere isn't read", async () => {
  const folder = await reported(foreignRun());
  writeFileSync(join(folder, `ci ${nasty}.log`.replaceAll(/[/\0]/g, "").slice(0, 60)), "");
  mkdirSync(join(folder, "bodies"));
  const { code, stdout } = await assay(["verify", folder]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Not in the manifest, so not evidence: bodies, ci <script>.*\.$/m);
  expect(stdout).not.toMatch(/[^\n\P{Cc}]/u);
  replaced(join(folder, "manifest.json"), '"name": "summary.md"', '"name": "../../../../../etc/passwd"');
  const led = await verified(folder);
  expect(led.differences).toEqual([
    { file: "manifest.json", says: "names ../../../../../etc/passwd, which is no file of the folder; it wasn't read" },
  ]);
});

test("links out of the folder, and files larger than any of Assay's, are named and not read", async () => {
  const folder = await reported(foreignRun());
  const secret = join(emptyFolder(), "secret");
  writeFileSync(secret, "not theirs");
  for (const name of ["summary.md", "manifest.json"]) {
    rmSync(join(folder, name));
    symlinkSync(secret, join(folder, name));
  }
  truncateSync(join(folder, "junit.xml"), 200_000_000);
  const { files, differences, manifest } = await verified(folder);
  expect([files, manifest]).toEqual([["manifest.json", "junit.xml", "summary.md"], null]);
  expect(differences.map(({ says }) => /leads out of its folder|has 200 MB/.test(says))).toEqual([true, true, true]);
  expect(JSON.stringify(differences)).not.toContain("not theirs");
});

/** What the manifest of a run of these requirements says. */
async function predicateOf(run: Partial<Run>): Promise<Manifest["predicate"]> {
  const folder = await reported(leftIn(made(0, run)));
  return (JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest).predicate;
}

test("a manifest says passed only where something held and nothing speaks against it", async () => {
  const holds = judged("USG-FLD-01", "holds");
  const warned = judged("USG-FLD-02", "broken", { enforced: "warn" });
  const untested = judged("USG-FLD-03", "withheld");
  const broken = judged("USG-FLD-04", "broken");
  const [passed, withWarning, recorded, inconclusive, failed] = await Promise.all([
    predicateOf({ requirements: [holds, untested] }),
    predicateOf({ requirements: [holds, warned] }),
    predicateOf({ requirements: [untested] }),
    predicateOf({ requirements: [untested], exitCode: 3 }),
    predicateOf({ requirements: [holds, broken], exitCode: 1 }),
  ]);
  const [passedTests, warnedTests, failedTests] = [["USG-FLD-01"], ["USG-FLD-02"], ["USG-FLD-04"]];
  const none = { passedTests: [], warnedTests: [], failedTests: [] };
  expect(passed).toMatchObject({ result: "PASSED", ...none, passedTests });
  expect(withWarning).toMatchObject({ result: "WARNED", ...none, passedTests, warnedTests });
  expect(recorded).toMatchObject({ result: "WARNED", ...none });
  expect(inconclusive).toMatchObject({ result: "FAILED", ...none });
  expect(failed).toMatchObject({ result: "FAILED", ...none, passedTests, failedTests });
});

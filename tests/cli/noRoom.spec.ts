// Nothing more can be written, in a file or on the output: one sentence, exit code 3, nothing half-written.
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, assayProcess, cliPath, type Ended, emptyFolder, filesOfRun, start } from "../support/assay.ts";
import {
  broken,
  brokenRun,
  expectCrash,
  expectOneSentence,
  expectWhole,
  failing,
  judging,
  planted,
  withKey,
} from "../support/crashes.ts";

test.describe.configure({ mode: "parallel" });

/** A process costs a second: one of each kind on a push. */
const onPush = (isFirst: boolean): string[] => (isFirst ? [] : ["@slow"]);

for (const [code, file, by] of [
  ["ENOSPC", "run.json", "writeFileSync"],
  ["EDQUOT", "index.html", "writeFileSync"],
  ["EFBIG", "junit.xml", "writeFileSync"],
  ["EROFS", "ctrf.json", "writeFileSync"],
  ["EMFILE", "results.sarif", "writeFileSync"],
  ["EIO", "summary.md", "renameSync"],
] as const)
  test(`${file} can't be written: ${code} of ${by}`, { tag: onPush(file === "run.json") }, async () => {
    const folder = await brokenRun();
    const crashed = await assayProcess(["report", folder], withKey(failing(code, file, { by: [by] })));
    const says = new RegExp(`/${file} can't be written \\(${code}: .*\\)\\. When that is fixed, run \`assay report `);
    expect(expectCrash(crashed, folder, says)).toEqual(filesOfRun);
  });

for (const [title, plant, says, left] of [
  ["no folder can be made", failing("ENOSPC", "/run", { by: ["mkdirSync"] }), /^The folder .*\/run can't be/, []],
  ["the journal can't begin", failing("EDQUOT", "journal"), /^The folder .*\/run can't be written \(EDQUOT/, []],
  [
    "the journal can't go on",
    failing("ENOSPC", "journal", { from: 4 }),
    /^\S+\/journal\.jsonl can't be read or written \(ENOSPC: .*\)\. Make room or raise the limit, and run again\.$/m,
    ["journal.jsonl"],
  ],
] as const)
  test(`${title}: the run ends at once`, { tag: onPush(left.length > 0) }, async () => {
    const folder = join(emptyFolder(), "run");
    const crashed = await assayProcess([...broken, "--out", folder], withKey(plant));
    expect(expectCrash(crashed, folder, says)).toEqual(left);
  });

test("where the file system is read-only, another folder is asked for", async () => {
  const folder = join(emptyFolder(), "run");
  const refused = await assayProcess(
    [...broken, "--out", folder],
    withKey(failing("EROFS", "/run", { by: ["mkdirSync"] })),
  );
  expect(refused.code).toBe(2);
  expectOneSentence(refused, /^The folder .*\/run can't be made or written to \(EROFS\)\. Name another with --out\.$/m);
});

/** A line of shell in which `assay` is the command line. */
const shell = (line: string, folder = emptyFolder()): Promise<Ended> =>
  start("bash", ["-c", line.replaceAll("assay ", `'${process.execPath}' '${cliPath}' `)], {}, folder).ended;

const codeOfFirst = "; exit ${PIPESTATUS[0]}";

for (const [title, line, code, says] of [
  [
    "a reader who stops",
    `assay ${judging.join(" ")} --out run | head -1`,
    3,
    /^The output was closed before everything/,
  ],
  [
    "the same with a breach",
    `assay ${broken.join(" ")} --out run | head -1`,
    1,
    /^The output was closed before everything/,
  ],
  [
    "an output without room",
    `assay ${broken.join(" ")} --json --out run > /dev/full`,
    3,
    /^The output can't be written/,
  ],
] as const)
  test(`${title}: the reports are whole, and one sentence is printed`, { tag: onPush(code === 3) }, async () => {
    const folder = emptyFolder();
    const ended = await shell(`${line}${codeOfFirst}`, folder);
    expectOneSentence(ended, says);
    expect([ended.code, expectWhole(join(folder, "run"))]).toEqual([code, filesOfRun]);
  });

test("errors that can't be printed change neither the reports nor that a breach exits with 1", {
  tag: "@slow",
}, async () => {
  const folder = emptyFolder();
  const closed = await shell(`assay ${broken.join(" ")} --out run 2>&-`, folder);
  expect([closed.code, expectWhole(join(folder, "run"))]).toEqual([1, filesOfRun]);
  expect((await shell("assay run --only NOPE 2> /dev/full")).code).not.toBe(1);
});

test("a limit of file size ends a run in its journal, or in a report; what was found stays", async () => {
  const folder = emptyFolder();
  const limited = (blocks: number, out: string): Promise<Ended> =>
    shell(`ulimit -f ${blocks}; assay ${broken.join(" ")} --out ${out}`, folder);
  expectCrash(await limited(4, "a"), join(folder, "a"), /journal\.jsonl can't be read or written \(EFBIG/);
  // bash counts blocks of 1,024 bytes; run.json needs more than the journal.
  const journal_kib = Math.ceil(readFileSync(join(await brokenRun(), "journal.jsonl")).length / 1_024);
  const inReport = await limited(journal_kib + 2, "b");
  expect(expectCrash(inReport, join(folder, "b"), /run\.json can't be written \(EFBIG.*assay report b/)).toEqual([
    "journal.jsonl",
  ]);
  expect((await assay(["report", join(folder, "b")])).code).toBe(1);
});

test("a full disk ends a run with one sentence, and what was found can be read", async () => {
  const disk = emptyFolder();
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=32k", "none", disk]).status === 0;
  test.skip(!isMounted, "no disk can be mounted here");
  try {
    const folder = join(disk, "run");
    const crashed = await assayProcess([...broken, "--out", folder]);
    expect(expectCrash(crashed, folder, /can't be (?:read or )?written \(ENOSPC/)).toContain("journal.jsonl");
  } finally {
    spawnSync("umount", [disk]);
  }
});

test("a device is written into, so that one without room isn't replaced by a file", async () => {
  const folder = emptyFolder();
  const crashed = await assay([...broken, "--out", join(folder, "run"), "--junit", "/dev/full"]);
  expect(expectCrash(crashed, join(folder, "run"), /dev\/full can't be written \(ENOSPC.*Copy .*junit\.xml/)).toEqual(
    filesOfRun,
  );
  expect(statSync("/dev/full").isCharacterDevice()).toBe(true);
});

test("a comparison that can't be written leaves nothing half-written", async () => {
  const [folder, out] = [await brokenRun(), join(emptyFolder(), "out")];
  const args = ["compare", folder, folder, "--out", out];
  const crashed = await assayProcess(args, withKey(failing("ENOSPC", "compare.json")));
  expect(expectCrash(crashed, out, /compare\.json can't be written \(ENOSPC/)).toEqual(["compare.md", "index.html"]);
});

test("a case that can't be saved leaves the reports, and no half of a file", { tag: "@slow" }, async () => {
  const saved = emptyFolder();
  const args = ["run", "--mutant", "BND-LIM-01.limit-4", "--only", "BND-LIM-01", "--save", saved];
  const folder = join(emptyFolder(), "run");
  const crashed = await assayProcess([...args, "--out", folder], planted(failing("ENOSPC", saved)));
  expect(expectCrash(crashed, folder, /ENOSPC/)).toEqual(filesOfRun);
  expect(expectWhole(saved)).toEqual([]);
});

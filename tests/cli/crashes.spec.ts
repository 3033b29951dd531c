// Ways to crash: exit code 3 and one sentence, nothing half-written, and exit code 1 for a broken requirement only.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import {
  assay,
  assayProcess,
  assayRun,
  bytesBelow,
  cliPath,
  emptyFolder,
  filesOfRun,
  program,
  root,
  start,
} from "../support/assay.ts";
import {
  broken,
  brokenRun,
  expectCrash,
  expectOneSentence,
  expectWhole,
  failedByItself,
  insteadOf,
  judging,
  onceRecorded,
  planted,
  throwing,
  withKey,
} from "../support/crashes.ts";

test.describe.configure({ mode: "parallel" });

/** A process costs a second: the first of each kind on a push. */
const onPush = (nth: number, most: number): readonly string[] => (nth < most ? [] : ["@slow"]);

for (const [nth, [title, where, thrown, says]] of (
  [
    [
      "many lines with a key",
      "htmlOf",
      "new Error(`a\\n  at ${process.env.ACME_KEY}\\n`.repeat(999))",
      "a at <key:ACME",
    ],
    ["an error in the page", "htmlOf", "new TypeError('x is no function')", "x is no function"],
    ["null in JUnit's report", "junitOf", "null", "null"],
    ["a text in CTRF's report", "ctrfOf", "'text'", "text"],
    ["undefined in SARIF's report", "sarifOf", "undefined", "undefined"],
    ["what has no text, in the summary", "documentMarkdown", "Object.create(null)", "\\[Object: null prototype\\] {}"],
    ["an endless recursion", "htmlOf", "(function f() { return f(); })()", "Maximum call stack"],
  ] as const
).entries())
  test(`thrown while reports are made: ${title}`, { tag: [...onPush(nth, 1)] }, async () => {
    const folder = await brokenRun();
    const before = bytesBelow(folder);
    const crashed = await assayProcess(["report", folder], withKey(throwing(where, thrown)));
    expect(expectCrash(crashed, folder, failedByItself(says))).toEqual(filesOfRun);
    // All are made before the first is written.
    expect(bytesBelow(folder)).toBe(before);
  });

test("a report of a broken requirement exits with 1 where nothing crashes", async () => {
  const { code, stderr } = await assayProcess(
    ["report", await brokenRun()],
    withKey(throwing("nothingOfOurs", "null")),
  );
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
});

for (const [nth, [title, happens, says]] of (
  [
    ["an exception of a timer", "setTimeout(() => { throw new RangeError(process.env.ACME_KEY); });", "<key:ACME_KEY>"],
    ["a rejection that nobody awaits", "void Promise.reject(undefined);", "undefined"],
    ["a thrown symbol", "setTimeout(() => { throw Symbol('s'); });", "Symbol\\(s\\)"],
    ["an error that nobody hears", "new process.constructor().emit('error', { code: 7 });", "Unhandled error"],
    ["JSON that is cut", "JSON.parse('{\\n  \"a\": \\n');", "Unexpected end of JSON"],
  ] as const
).entries())
  test(`${title} ends a run at once, even where a requirement is broken`, { tag: [...onPush(nth, 2)] }, async () => {
    const folder = join(emptyFolder(), "run");
    const crashed = await assayProcess([...broken, "--out", folder], withKey(onceRecorded('"broken"', happens)));
    expect(expectCrash(crashed, folder, failedByItself(says))).toEqual(["journal.jsonl"]);
    // What was found isn't lost.
    expect((await assay(["report", folder])).code).toBe(1);
  });

test("a rejection ends a run even where Node is set to warn only", async () => {
  const { NODE_OPTIONS } = planted(onceRecorded('"exchange"', "void Promise.reject(new Error('unawaited'));"));
  const folder = join(emptyFolder(), "run");
  const options = { NODE_OPTIONS: `${NODE_OPTIONS} --unhandled-rejections=warn` };
  expectCrash(await assayProcess([...judging, "--out", folder], options), folder, failedByItself("unawaited"));
});

test("what never comes ends the command once nothing is left to wait for", async () => {
  const deaf = 'import { Server } from "node:http"; Server.prototype.listen = function () { return this; };';
  const folder = join(emptyFolder(), "run");
  const crashed = await assayProcess([...judging, "--out", folder], withKey(deaf));
  expect(expectCrash(crashed, folder, failedByItself("it waits for what can't come any more"))).toEqual([]);
});

const launcher = join(root, "cli/assay.js");

for (const [title, plant, says] of [
  [
    "a missing part of the command line",
    `import { register } from "node:module";
    const hooks = "export const resolve = (name, context, next) => {" +
      "if (/report-\\\\w+\\\\.js$/.test(name)) throw new Error('no ' + name); return next(name, context); };";
    register("data:text/javascript," + encodeURIComponent(hooks));`,
    /^Assay can't start: no \.\/report-.*npm ci/,
  ],
  [
    "an exception beside it",
    insteadOf(["existsSync"], "setImmediate(() => { throw new Error('early'); }); return was(path);"),
    /^Assay .*early/,
  ],
] as const)
  test(`what fails before the command is loaded: ${title}`, async () => {
    const folder = await brokenRun();
    const crashed = await start(process.execPath, [launcher, "report", folder], withKey(plant)).ended;
    expectCrash(crashed, folder, says);
  });

test("a check that fails by itself leaves its requirement inconclusive, and whole reports", async () => {
  const { code, folder, run, stdout, stderr } = await assayRun(
    judging,
    withKey(throwing("conclude", "null")),
    assayProcess,
  );
  expect([code, stderr, expectWhole(folder)]).toEqual([3, "", filesOfRun]);
  expect(run.requirements).toMatchObject([{ verdict: "inconclusive", defect: { message: "null" } }]);
  expect(stdout).toMatch(/threw an error/);
});

test("SIGINT ends a run with whole reports and exit code 3, whatever it had found", {
  // Of a run that had found nothing in killed.spec.ts.
  tag: "@slow",
}, async () => {
  const stop = "process.kill(process.pid, 'SIGINT');";
  const found = await assayRun(broken, planted(onceRecorded('"broken"', stop)), assayProcess);
  const nothing = await assayRun(judging, planted(onceRecorded('"exchange"', stop)), assayProcess);
  expect([found.code, nothing.code]).toEqual([3, 3]);
  for (const { folder, run, stderr } of [found, nothing])
    expect([expectWhole(folder), run.cutShort, stderr]).toEqual([filesOfRun, "SIGINT ended it", ""]);
});

for (const [title, end, tag] of [
  ["abort", "process.abort();", []],
  ["SIGKILL", "process.kill(process.pid, 'SIGKILL');", []],
  ["memory that isn't enough", "for (const all = []; ; ) all.push(new Array(1_000_000).fill(all.length));", ["@slow"]],
] as const)
  test(`${title} ends a run with no exit code, and what it found can be read`, { tag: [...tag] }, async () => {
    const folder = join(emptyFolder(), "run");
    const plant = planted(onceRecorded('"broken"', end));
    const options = { NODE_OPTIONS: `${plant.NODE_OPTIONS} --max-old-space-size=64` };
    const { code } = await start(process.execPath, [cliPath, ...broken, "--out", folder], options, emptyFolder()).ended;
    expect(code).toBeNull();
    expect(expectWhole(folder)).toEqual(["journal.jsonl"]);
    expect((await assay(["report", folder])).code).toBe(1);
  });

test("a k6 that is killed leaves whole reports and exit code 3", async () => {
  const k6 = program("k6", '[ "$1" = version ] && echo "k6 v2.2.0 (go1.26.8, linux/amd64)" && exit 0\nkill -9 $$');
  const { code, folder, run, stderr } = await assayRun(["load", "smoke", "--duration", "1s"], { K6_BIN: k6 });
  expect([code, stderr, expectWhole(folder)]).toEqual([3, "", filesOfRun]);
  expect(run.load?.doubt).toMatch(/k6/);
});

test("a target whose run crashes isn't compared, and is no invalid input", async () => {
  const folder = emptyFolder();
  const args = [cliPath, "compare", join(root, "targets/reference.yaml"), await brokenRun()];
  const crash = planted(onceRecorded('"exchange"', 'throw new Error("planted")'));
  const crashed = await start(process.execPath, args, crash, folder).ended;
  expect(crashed).toMatchObject({ code: 3, stdout: "" });
  expect(crashed.stderr).toMatch(/crashed, which says nothing about the platform: "planted"/);
});

for (const [title, damaged] of [
  ["a line is cut", (lines: string[]) => lines.map((line, nth) => (nth === 4 ? line.slice(0, 40) : line))],
  [
    "lines are missing members",
    (lines: string[]) => lines.map((line, nth) => (nth === 4 ? '{"record":"verdict"}' : line)),
  ],
  ["it is no text", () => ["\0".repeat(4_096)]],
] as const)
  test(`a journal in which ${title} is refused by all that reads runs`, async () => {
    const folder = emptyFolder();
    const lines = readFileSync(join(await brokenRun(), "journal.jsonl"), "utf8").split("\n");
    writeFileSync(join(folder, "journal.jsonl"), damaged(lines).join("\n"));
    for (const args of [["report"], ["compare", folder], ["requirements"]]) {
      const { code, stdout, stderr } = await assay([...args, folder]);
      expect([2, 3]).toContain(code);
      expect(stdout).toBe("");
      expectOneSentence({ stderr }, /journal|crashed/);
    }
    expect(existsSync(join(folder, "index.html"))).toBe(false);
  });

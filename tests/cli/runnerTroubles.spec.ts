// Runners in trouble, as real processes: no load is green, and none accuses the platform
import { createHash } from "node:crypto";
import { cpSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import {
  assay,
  cliPath,
  emptyFolder,
  program,
  type Running,
  read,
  runIn,
  start,
  startProcess,
} from "../support/assay.ts";
import { k6 } from "../support/k6.ts";
import { type Embedded, servedReference } from "../support/servedReference.ts";

let platform: Embedded;
let target: string;
let folder: string;

test.beforeAll(async () => {
  platform = await servedReference(undefined, Date.now());
  folder = emptyFolder();
  target = targetNamed("target.yaml", platform.base);
});
test.afterAll(() => platform.close());

/** The reference as a vendor, with bounds that an honest load keeps; without usage, whose limit is low. */
function targetNamed(name: string, base: string, more = ""): string {
  const text = read("targets/reference.yaml")
    .replace("platform: embedded", `bases: { admin: ${base}, api: ${base}, rpc: ${base} }`)
    .replace(/^allow: .*$/m, "allow: [load]\noffers: [wallet, tokenAccounts, compression]")
    .concat("load: { perSecond: 12, latencyP95_ms: { getWalletBalances: 2500, getTokenAccounts: 2500 } }\n", more);
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const seconds = 8;
/** All that is started at one time has this long until it begins. */
const lead_ms = 40_000;

interface Started extends Running {
  readonly folder: string;
}

/** A place in which parts of one load are sent at the same time, under names of their own. */
function place(name: string) {
  const startsAt_ms = Math.ceil((Date.now() + lead_ms) / 1000) * 1000;
  const part = (
    own: string,
    nth: number,
    {
      args = [],
      of = target,
      environment = {},
      shell,
    }: {
      readonly args?: readonly string[];
      readonly of?: string;
      readonly environment?: { readonly [name: string]: string };
      /** Run before, in the same process. */
      readonly shell?: string;
    } = {},
  ): Started => {
    const out = join(folder, `${name}-${own}`);
    const at = new Date(startsAt_ms).toISOString();
    const command = ["load", "smoke", "--target", of, "--duration", `${seconds}s`, "--part", `${nth}/3`, "--start", at];
    const all = [...command, "--out", out, ...args];
    const variables = { ...platform.environment, ...environment };
    const running = shell
      ? start("sh", ["-c", `${shell}; exec "$@"`, "sh", process.execPath, cliPath, ...all], variables)
      : startProcess(all, variables);
    return { ...running, folder: out };
  };
  const during = (at_s: number): Promise<void> =>
    new Promise((done) => void setTimeout(done, startsAt_ms + at_s * 1000 - Date.now()));
  return { part, during };
}

/** What a merge of these says; with how it ended. */
async function merged(...parts: readonly string[]) {
  const out = join(emptyFolder(), "run");
  const { code, stderr } = await assay(["load", "merge", ...parts, "--out", out], platform.environment);
  const run = code === 2 ? null : runIn(out);
  const broken = run?.requirements.filter(({ verdict }) => verdict === "broken") ?? [];
  return {
    code,
    stderr,
    doubt: run?.load?.doubt ?? null,
    accused: [...broken, ...(run?.load?.bounds.filter(({ isKept }) => isKept === false) ?? [])],
  };
}

async function expectDoubt(parts: readonly string[], says: RegExp): Promise<void> {
  const { code, doubt, accused } = await merged(...parts);
  expect({ code, doubt, accused }).toEqual({ code: 3, doubt: expect.stringMatching(says), accused: [] });
}

/** The real k6 behind a line of shell. */
const k6With = (line: string): { readonly K6_BIN: string } => ({
  K6_BIN: program("k6", `real=${k6().path}\n[ "$1" = version ] && exec "$real" version\n${line}`),
});

/** A k6 whose process can be sent signals. */
function k6InReach() {
  const file = join(emptyFolder(), "pid");
  const kill = (signal: NodeJS.Signals): void => void process.kill(Number(readFileSync(file, "utf8")), signal);
  return { environment: k6With(`echo $$ > ${file}; exec "$real" "$@"`), kill };
}

/** Changes a number in a program's output, wherever its name stands. */
const shifted = (names: string, by: number): string =>
  `node -e 'let all = ""; process.stdin.on("data", (text) => (all += text)).on("end", () => process.stdout.write(` +
  `all.replace(/((?:${names})\\\\?":)(\\d+)/g, (_, name, at) => name + (Number(at) + ${by}))))'`;

/** A copy of a part that says otherwise which load it is of. */
function otherIdentity(folder: string, changed: object): string {
  const [, text = ""] = readFileSync(join(folder, "part.json"), "utf8").split("\n");
  const kept = JSON.parse(text) as { readonly identity: object };
  const written = JSON.stringify({ ...kept, identity: { ...kept.identity, ...changed } });
  const copy = emptyFolder();
  cpSync(folder, copy, { recursive: true });
  writeFileSync(join(copy, "part.json"), `${createHash("sha256").update(written).digest("hex")}\n${written}\n`);
  return copy;
}

const all = (...parts: readonly Started[]) => Promise.all(parts.map(({ ended }) => ended));
const foldersOf = (...parts: readonly Started[]): readonly string[] => parts.map((part) => part.folder);

test("parts of other seeds, rates, targets or loads, missing ones and shares that are there twice", {
  tag: "@slow",
}, async () => {
  k6();
  const { part } = place("a");
  const [first, honest, third] = [part("1", 1), part("2", 2), part("3", 3)];
  const twice = part("1b", 1);
  const others = [
    part("seed", 2, { args: ["--seed", "2"] }),
    part("rate", 2, { args: ["--rate", "6"] }),
    part("target", 2, { of: targetNamed("other.yaml", platform.base, "strict: true\n") }),
  ] as const;
  const ends = await all(first, honest, third, twice, ...others);
  expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(ends.map(() => [0, ""]));
  const [one, two, three] = foldersOf(first, honest, third);
  if (!one || !two || !three) throw new Error("three parts have folders");
  expect(await merged(three, one, two)).toEqual({ code: 0, stderr: "", doubt: null, accused: [] });
  await expectDoubt([one, three], /^part 2 of 3 is missing$/);
  await expectDoubt([one, two, two, three], /^part 2 of 3 is present more than once$/);
  await expectDoubt([one, twice.folder, three], /part 1 of 3 is present more than once; part 2 of 3 is missing/);
  for (const [at, says] of [
    /part 2 of 3 is of another seed/,
    /part 2 of 3 is of another plan/,
    /part 2 of 3 is of another target/,
  ].entries())
    await expectDoubt([one, others[at]?.folder ?? "", three], says);
  for (const [changed, says] of [
    [{ version: "0.0.1" }, /part 2 of 3 was sent by another version/],
    [{ script: "another" }, /part 2 of 3 is of another script/],
  ] as const) {
    await expectDoubt([one, otherIdentity(two, changed), three], says);
  }
  const older = [one, two, three].map((folder) => otherIdentity(folder, { version: "0.0.1" }));
  for (const parts of [older, [one, ...older.slice(1)]])
    expect(await merged(...parts)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("The parts were sent by Assay 0.0.1, and this is"),
    });
  const half = join(emptyFolder(), "half");
  cpSync(two, half, { recursive: true });
  truncateSync(join(half, "part.json"), 20_000);
  expect(await merged(one, half, three)).toMatchObject({ code: 2, stderr: expect.stringContaining("was cut off") });
  const later = otherIdentity(two, { id: "smoke in 3 parts at another time" });
  expect(await merged(one, later, three)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("different loads"),
  });
});

test("runners that are killed, ended or paused", { tag: "@slow" }, async () => {
  const { part, during } = place("b");
  const [first, third] = [part("1", 1), part("3", 3)];
  const [killed, interrupted, paused] = [k6InReach(), k6InReach(), k6InReach()];
  const k6Killed = part("k6-killed", 2, killed);
  const k6Interrupted = part("k6-interrupted", 2, interrupted);
  const k6Paused = part("k6-paused", 2, paused);
  const [assayKilled, assayEnded] = [part("killed", 2), part("ended", 2)];
  await during(3);
  killed.kill("SIGKILL");
  interrupted.kill("SIGINT");
  paused.kill("SIGSTOP");
  assayKilled.kill("SIGKILL");
  assayEnded.kill("SIGTERM");
  await during(6.5);
  paused.kill("SIGCONT");
  const ends = await all(first, third, k6Killed, k6Interrupted, k6Paused, assayKilled, assayEnded);
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 3, 3, 3, null, 3]);
  for (const [one, says] of [
    [k6Killed, /part 2 of 3 was cut short: k6 ended with a signal/],
    [k6Interrupted, /part 2 of 3 was cut short: k6 ended with exit code 105/],
    [k6Paused, /part 2 of 3 stalled for [34]\.\d s/],
    [assayKilled, /part 2 of 3 was cut short: it was killed, or is still running/],
    [assayEnded, /part 2 of 3 was ended by SIGTERM after \d s/],
  ] as const)
    await expectDoubt(foldersOf(first, one, third), says);
});

test("runners short of memory, of time, late ones, and logs that lost a line or have one twice", {
  tag: "@slow",
}, async () => {
  const { part, during } = place("c");
  const [first, third] = [part("1", 1), part("3", 3)];
  const late_s = Math.ceil((Date.now() + lead_ms) / 1000) + 4;
  const troubles = [
    [
      part("memory", 2, { environment: k6With('ulimit -v 400000; exec "$real" "$@"') }),
      /part 2 of 3 was cut short: k6 ended/,
    ],
    [part("cpu", 2, { environment: k6With('ulimit -t 1; exec "$real" "$@"') }), /part 2 of 3 was cut short: k6 ended/],
    [
      part("late", 2, {
        environment: k6With(`while [ $(date +%s) -lt ${late_s} ]; do sleep 0.1; done; exec "$real" "$@"`),
      }),
      /part 2 of 3 began \d+\.\d s late/,
    ],
    [
      part("lost", 2, { environment: k6With(`"$real" "$@" | grep -v '"msg":"\\[31,'`) }),
      /part 2 of 3 reported 31 requests, but k6 counted 32/,
    ],
    [
      part("twice", 2, { environment: k6With(`"$real" "$@" | sed '/"msg":"\\[31,/p'`) }),
      /part 2 of 3 reported 33 requests, but k6 counted 32/,
    ],
  ] as const;
  await during(seconds);
  await all(first, third, ...troubles.map(([one]) => one));
  for (const [one, says] of troubles) await expectDoubt(foldersOf(first, one, third), says);
});

test("runners with another's share, a wrong clock or key, or no room for what they found", {
  tag: "@slow",
}, async () => {
  const { part, during } = place("d");
  const [first, third] = [part("1", 1), part("3", 3)];
  const otherShare =
    'for one; do shift; set -- "$@" "$(echo "$one" | sed s,=1/3:2/3,=0:1/3,)"; done; exec "$real" "$@"';
  const wrongClock = `${shifted("startAt_ms", 8_000)} | "$real" "$@" | ${shifted("beganAt_ms|sentAt_ms", -8_000)}`;
  const troubles = [
    [
      part("share", 2, { environment: k6With(otherShare) }),
      /part 2 of 3 has gaps between its iterations, or sent those of another part/,
    ],
    [part("clock", 2, { environment: k6With(wrongClock) }), /part 2 of 3 began at least \d+\.\d s after another/],
    [
      part("key", 2, { environment: { ASSAY_REFERENCE_PAID: "11111111-2222-4333-8444-555555555555" } }),
      /part 2 of 3 was cut short: no load was sent/,
    ],
    [part("room", 2, { shell: "ulimit -f 40" }), /part 2 of 3 was cut short: it was killed, or is still running/],
  ] as const;
  const again = part("1", 1);
  await during(seconds);
  await all(first, third, ...troubles.map(([one]) => one));
  // Either may be the first.
  const both = await Promise.all([first.ended, again.ended]);
  const refused = both.filter(({ stderr }) => stderr.includes("already contains a part"));
  expect([new Set(both.map(({ code }) => code)), refused.map(({ code }) => code)]).toEqual([new Set([0, 2]), [2]]);
  for (const [one, says] of troubles) await expectDoubt(foldersOf(first, one, third), says);
});

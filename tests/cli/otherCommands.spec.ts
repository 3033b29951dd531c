// Commands of one machine that use the same projects: each is told of the others, before it sends and in the end
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { besideOthers } from "../../cli/otherCommands.ts";
import type { Target } from "../../harness/targets/target.ts";
import { assay, emptyFolder, startAssay } from "../support/assay.ts";
import { everywhere, faulty } from "../support/faultyPlatform.ts";
import { smallTargetAt } from "../support/judgedFaults.ts";
import { smallEnvironment, smallTarget, targetFile } from "../support/vendor.ts";

const base = "http://127.0.0.1:9";
const folderIn = (cache: string): string => join(cache, "assay", "working");
const notesIn = (cache: string): readonly string[] => {
  const folder = folderIn(cache);
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};
const begin = (cache: string, target: Target = smallTargetAt(base), sends = true) =>
  besideOthers(target, { XDG_CACHE_HOME: cache }, sends);
type Begun = ReturnType<typeof begin>;
const heardBy = ({ target: { others } }: Begun) => ({ sentences: others.sentences(), projects: others.projects() });
const nothing = { sentences: [], projects: [] };

test("a user without a home has no notes: where anybody could leave some, none is read", () => {
  const [first, second] = [1, 2].map(() => besideOthers(smallTargetAt(base), { HOME: "nowhere" }, true));
  first?.target.others.publish({ requests: 1, credits: 1 });
  expect([first, second].map((one) => one && heardBy(one))).toEqual([nothing, nothing]);
  for (const one of [first, second]) one?.end();
  expect(existsSync("nowhere")).toBe(false);
});

test("of two at once each is told of the other, which plans so much, and the first of what has ended, too", () => {
  const cache = emptyFolder();
  const first = begin(cache);
  expect(heardBy(first)).toEqual(nothing);
  first.target.others.publish({ requests: 1_672, credits: 9_460 });
  const [file = ""] = notesIn(cache);
  const { startedAt_ms } = JSON.parse(readFileSync(file, "utf8")) as { readonly startedAt_ms: number };
  const since = new Date(startedAt_ms).toISOString().slice(0, 19);
  const second = begin(cache);
  expect(heardBy(second).sentences).toEqual([
    `  another command uses main, too (process ${process.pid}, since ${since}Z, at most 1,672 requests and 9,460 ` +
      "credits): what both may have moved there, charges and limits, isn't held against the platform",
  ]);
  expect(heardBy(first).sentences).toHaveLength(1);
  second.end();
  expect(heardBy(first)).toEqual({ sentences: [], projects: ["main"] });
  first.end();
  expect(notesIn(cache)).toEqual([]);
});

test("who plans alone is told and tells nobody; other keys, hosts and earlier commands are no concern", () => {
  const cache = emptyFolder();
  const first = begin(cache);
  const plan = begin(cache, smallTargetAt(base), false);
  expect(heardBy(plan).projects).toEqual(["main"]);
  expect(heardBy(first)).toEqual(nothing);
  expect(heardBy(begin(cache, smallTargetAt("http://127.0.0.1:10")))).toEqual(nothing);
  first.end();
  for (const file of notesIn(cache)) {
    const note = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...note, startedAt_ms: 0, endedAt_ms: 1 }));
  }
  expect(heardBy(begin(cache))).toEqual(nothing);
});

test("what was killed, hangs since long, or is no note keeps nobody and is told of nowhere", () => {
  const cache = emptyFolder();
  begin(cache);
  const [file = ""] = notesIn(cache);
  const note = JSON.parse(readFileSync(file, "utf8")) as object;
  const before = new Date(Date.now() - 120_000);
  // No process has this id.
  writeFileSync(file, JSON.stringify({ ...note, pid: 2 ** 22 + 1 }));
  for (const [name, text] of [
    ["silent.json", JSON.stringify({ ...note, host: "another" })],
    ["half.json", '{"pid":'],
    ["list.json", "[]"],
    ["words.json", JSON.stringify({ ...note, pid: "\u001b[2J" })],
  ] as const) {
    const other = join(folderIn(cache), name);
    writeFileSync(other, text);
    utimesSync(other, before, before);
  }
  expect(heardBy(begin(cache))).toEqual(nothing);
  const blocked = join(emptyFolder(), "file");
  writeFileSync(blocked, "");
  expect(heardBy(begin(blocked))).toEqual(nothing);
});

test("no note holds a key", () => {
  const cache = emptyFolder();
  begin(cache);
  const [file = ""] = notesIn(cache);
  for (const value of Object.values(smallEnvironment)) expect(readFileSync(file, "utf8")).not.toContain(value);
});

test("a second run says in its first lines who else is at work, and is not kept from it", async () => {
  const server = await faulty({ when: everywhere, how: () => undefined });
  const file = targetFile(smallTarget(`http://127.0.0.1:${server.port}`));
  const cache = emptyFolder();
  const environment = { ...smallEnvironment, XDG_CACHE_HOME: cache };
  const running = startAssay(["run", file, "--out", join(emptyFolder(), "run")], environment);
  try {
    await expect.poll(() => server.heard.length, { timeout: 25_000 }).toBeGreaterThan(0);
    const { stdout, code } = await assay(["run", file, "--plan"], environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n {2}another command uses main, too \(process \d+, since .*Z, at most \d+ requests and /);
  } finally {
    running.kill("SIGINT");
    running.kill("SIGINT");
    await running.ended;
    await server.close();
  }
});

// A run that is killed: it keeps what it found and is never green.
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { starterOf } from "../../cli/signals.ts";
import { assay, cliPath, emptyFolder, judging, notOnWindows, runIn, start, startProcess } from "../support/assay.ts";

/** The folder of a run that was killed after its first verdict. */
async function killed(): Promise<string> {
  notOnWindows("signals that end a process, and tell so");
  const out = `${emptyFolder()}/run`;
  const running = startProcess(["run", "--out", out]);
  await judging(out);
  running.kill("SIGKILL");
  expect((await running.ended).code).toBeNull();
  return out;
}

test("a run ended by SIGKILL is never green, and its journal is read up to a line that was cut", async () => {
  const out = await killed();
  const first = await assay(["report", out]);
  expect(first).toMatchObject({ code: 3, stdout: expect.stringContaining("cut short") });
  expect((await assay(["verify", out])).code).toBe(0);
  const run = runIn(out);
  expect(run.complete).toBe(false);
  expect(run.exchanges.length).toBeGreaterThan(0);
  expect(run.requirements.map(({ reason }) => reason)).toContain("the run ended before it was judged");

  appendFileSync(`${out}/journal.jsonl`, '{"record":"verd');
  rmSync(`${out}/run.json`);
  expect(await assay(["report", out])).toEqual(first);
  expect(runIn(out)).toEqual(run);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  test(`${signal} ends a run before all is judged, with reports, exit code 3 and nothing left behind`, {
    tag: signal === "SIGINT" ? [] : "@slow",
  }, async () => {
    notOnWindows("signals that a process can answer");
    const [out, temporary] = [`${emptyFolder()}/run`, emptyFolder()];
    const history = `${emptyFolder()}/history`;
    const running = startProcess(["run", "--out", out, "--history", history], { TMPDIR: temporary });
    await judging(out);
    running.kill(signal);
    expect((await running.ended).code).toBe(3);
    const { complete, cutShort, requirements } = runIn(out);
    expect([complete, cutShort]).toEqual([false, `${signal} ended it`]);
    // What came while its reports were made is in none of its files.
    const verified = await assay(["verify", out]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining(`cut short: ${signal} ended it.`)]);
    // Its history keeps it, marked.
    expect(readFileSync(`${history}/reference.jsonl`, "utf8")).toContain(`"left":"${signal} ended it"`);
    expect(requirements.filter(({ reason }) => reason === "the run ended before it was judged").length).toBeGreaterThan(
      100,
    );
    expect(readdirSync(out)).toEqual(expect.arrayContaining(["index.html", "junit.xml", "results.sarif", "run.json"]));
    // esbuild and tsx keep what they compiled.
    expect(readdirSync(temporary).filter((name) => name.startsWith("assay-"))).toEqual([]);
    expect(statSync(out).mode & 0o777).toBe(0o700);
  });

test("what npm started ends with its reports when npm is gone, and what was detached from it goes on", async () => {
  notOnWindows("shell between npm and what it starts");
  const [under, detached] = [join(emptyFolder(), "run"), join(emptyFolder(), "run")];
  // As npm does it, between two processes of Node is a shell.
  const npm = `const { spawn } = require("child_process");
  const [cli, under, detached] = process.argv.slice(1);
  const args = ["proxy", "--upstream", "http://127.0.0.1:9", "--port", "0", "--out"];
  const { execPath } = process;
  spawn("sh", ["-c", \`'\${execPath}' '\${cli}' \${args.join(" ")} '\${under}'; true\`], { stdio: "inherit" });
  const { pid } = spawn(execPath, [cli, ...args, detached], { stdio: "inherit", detached: true });
  console.log("detached as " + pid);`;
  const running = start(process.execPath, ["-e", npm, cliPath, under, detached], { npm_execpath: "npm-cli.js" });
  const [, pid] = / (\d+)\n/.exec(await running.says("detached as")) ?? [];
  const has = (file: string, ...folders: readonly string[]) =>
    expect.poll(() => folders.map((folder) => existsSync(join(folder, file))), { timeout: 20_000 });
  try {
    await has("journal.jsonl", under, detached).toEqual([true, true]);
    running.kill("SIGKILL");
    await has("run.json", under, detached).toEqual([true, false]);
  } finally {
    process.kill(Number(pid), "SIGTERM");
  }
  expect((await running.ended).stderr).toBe("What started this command is gone, so it ends as by SIGTERM.\n");
  expect(existsSync(join(detached, "run.json"))).toBe(true);
  // A shell passes signals on itself, and what it starts may outlive it.
  expect([starterOf({}), starterOf({ npm_config_user_agent: "pnpm/9" })]).toEqual([null, process.ppid]);
});

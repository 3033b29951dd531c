// A run that is killed: it keeps what it found and is never green.
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder, judging, runIn, startProcess } from "../support/assay.ts";

/** The folder of a run that was killed after its first verdict. */
async function killed(): Promise<string> {
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
    const [out, temporary] = [`${emptyFolder()}/run`, emptyFolder()];
    const history = `${emptyFolder()}/history`;
    const running = startProcess(["run", "--out", out, "--history", history], { TMPDIR: temporary });
    await judging(out);
    running.kill(signal);
    expect((await running.ended).code).toBe(3);
    const { complete, cutShort, requirements } = runIn(out);
    expect([complete, cutShort]).toEqual([false, `${signal} ended it`]);
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

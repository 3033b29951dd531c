// Runs that failures interrupt now and then, that a budget ends, and whose answers have huge heads.
import { expect, test } from "@playwright/test";
import { assay, assayRun, type Run } from "../support/assay.ts";
import { answer, type Faulty, faulty, goodUsage, type Heard, type Misbehaviour } from "../support/faultyPlatform.ts";
import { smallEnvironment, smallTarget, targetFile } from "../support/vendor.ts";

test.describe.configure({ mode: "parallel" });

async function judgedOn(platform: Faulty, flags: readonly string[] = [], lines = "") {
  const file = targetFile(smallTarget(`http://127.0.0.1:${platform.port}`) + lines);
  const ended = await assayRun(["run", "--target", file, "--no-observe", ...flags], smallEnvironment);
  await platform.close();
  return ended;
}

/** The 7th and the 20th request meet a reset. */
const failing = () => faulty({ when: ({ nth }) => nth === 7 || nth === 20, how: (socket) => socket.resetAndDestroy() });
const brokenIn = ({ requirements }: Run) => requirements.filter(({ verdict }) => verdict === "broken");

test("failures that come and go break nothing and are told first, with their rate", async () => {
  const { run, stdout, code } = await judgedOn(await failing());
  expect([brokenIn(run), code]).toEqual([[], 0]);
  expect(run.intermittent).toEqual([
    { cause: expect.stringContaining("reset: ECONNRESET"), count: 2, exchanges: [7, 20] },
  ]);
  const [first = ""] = stdout.split("\n").filter((line) => line.startsWith("Intermittent"));
  expect(first).toContain(`2 of ${run.spent.requests} requests failed in a way that didn't recur`);
});

test("with --intermittent=fail they exit with 1, and the headline says so", async () => {
  const { run, stdout, code } = await judgedOn(await failing(), ["--intermittent=fail"]);
  expect([brokenIn(run), code, run.exitCode]).toEqual([[], 1, 1]);
  expect(stdout).toContain("some failures didn't recur, which --intermittent=fail doesn't accept");
  expect(run.command).toContain("--intermittent fail");
});

test("a run that its budget ends is incomplete and never green; one that --for ends may be", async () => {
  const { run, stdout, code } = await judgedOn(await faulty(), [], "budget: { requests: 12 }\n");
  expect(run.totals.holds).toBeGreaterThan(0);
  expect([code, run.complete, run.cutShort]).toEqual([3, false, "the budget of 12 requests is spent"]);
  expect(stdout).toContain("the run was cut short, as the budget of 12 requests is spent");
  const short = await judgedOn(await faulty(), ["--for", "3s"]);
  expect([short.code, short.run.complete]).toEqual([0, true]);
});

test("once all is refused, the terminal says from when on, by which words, and for how many requirements", async () => {
  const body = JSON.stringify({ error: "Payment Required", message: "monthly quota\nexhausted" });
  const how: Misbehaviour = (socket) => socket.write(answer("GET", 402, "Payment Required", body));
  const { folder, run, stdout, code } = await judgedOn(await faulty({ when: ({ nth }) => nth >= 13, how }));
  const why = 'every answer was HTTP 402 "monthly quota exhausted": the key\'s quota may be used up';
  expect([brokenIn(run), code]).toEqual([[], 3]);
  expect(run.outages).toEqual([expect.objectContaining({ by: "quota", api: "admin" })]);
  // Refusals of an outage contradict nothing that the run has verified.
  expect((await assay(["verify", folder])).code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^From request 1\\d on ${why}\\.$`, "m"));
  expect(stdout).toMatch(new RegExp(`^ +${run.totals.inconclusive} inconclusive: from request 1\\d on ${why}$`, "m"));
});

test("a platform that is gone is named within seconds, with since when, live and first in the report", async () => {
  const gone: Misbehaviour = (socket) => {
    void platform.close();
    socket.destroy();
  };
  const platform = await faulty({ when: ({ nth }) => nth === 13, how: gone });
  const { run, stdout, code } = await judgedOn(platform);
  const why = /small stopped answering at 0:0\d \(connection refused\)/;
  expect([brokenIn(run), code]).toEqual([[], 3]);
  expect(run.outages).toMatchObject([{ by: "silence", role: null, stopped: { name: "small" } }]);
  expect(stdout).toMatch(new RegExp(`^  ${why.source}\\.$`, "m"));
  expect(stdout).toMatch(new RegExp(`^Inconclusive: ${why.source}; \\d+ of \\d+ requirements judged`, "m"));
  expect(run.requirements.flatMap(({ verdict, reason }) => (verdict === "inconclusive" ? [reason] : []))).toEqual(
    expect.arrayContaining([expect.stringMatching(why)]),
  );
  const { exchanges } = run;
  const [first, last] = [exchanges.find(({ fault }) => fault !== null), exchanges.at(-1)];
  expect(Date.parse(last?.sentAt ?? "") - Date.parse(first?.sentAt ?? "")).toBeLessThan(15_000);
});

const flood = Array.from({ length: 100 }, (_, nth) => `x-flood-${nth}: ${"x".repeat(250)}\r\n`).join("");
const flooding: Misbehaviour = (socket) => socket.write(answer("GET", 200, "OK", goodUsage(), flood));
const isServed = ({ path, key }: Heard): boolean => path.includes("/usage") && key !== null;

test("heads are cut in what is recorded, as bodies are", async () => {
  const { run } = await judgedOn(await faulty({ when: isServed, how: flooding }));
  const heads = run.exchanges.flatMap((exchange) => (exchange.answer ? [exchange.answer.headers] : []));
  const longest = Math.max(...heads.map((headers) => JSON.stringify(headers).length));
  expect(longest).toBeGreaterThan(5_000);
  expect(longest).toBeLessThan(12_000);
  expect(heads.flat()).toContainEqual(["…", expect.stringMatching(/^\d+ more, \d+ characters in all/)]);
});

// Tests of platforms that begin to suffer under load by k6: it ends within seconds, and nothing is sent after that
import type { Socket } from "node:net";
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import { withCarrier } from "../../harness/core/requestSpec.ts";
import { reads } from "../../load/reads.ts";
import { loadSuite } from "../../load/suite.ts";
import { mixFor, scaledTo } from "../../load/traffic/mix.ts";
import { drive } from "../../load/traffic/traffic.ts";
import { nightOf } from "../../reports/history/night.ts";
import { emptyFolder, program, runIn, startProcess } from "../support/assay.ts";
import { answer, faulty, goodUsage } from "../support/faultyPlatform.ts";
import { k6 } from "../support/k6.ts";
import { loadTarget } from "../support/madeLoads.ts";
import { schemaProblems } from "../support/standards.ts";
import { smallEnvironment, smallTarget, targetFile } from "../support/vendor.ts";

const perSecond = 50;

interface Sickness {
  /** In the seconds since the first request of the load. */
  readonly isAt: (elapsed_s: number, nth: number) => boolean;
  readonly how: (socket: Socket) => void;
  readonly stop?: string;
  readonly duration?: string;
}

const wrong = answer("GET", 503, "Service Unavailable", "{}");
const good = answer("GET", 200, "OK", goodUsage());

/** A load on a platform that suffers, and what the platform heard in all, and after the end was announced. */
async function loaded({ isAt, how, stop = "{ within_s: 3 }", duration = "60s" }: Sickness) {
  k6();
  let [began_ms, heardLast_ms] = [0, 0];
  const { port, close, heard } = await faulty({
    when: ({ nth }) => {
      heardLast_ms = performance.now();
      // The first two come before the load.
      if (nth === 3) began_ms = heardLast_ms;
      return nth > 2 && isAt((heardLast_ms - began_ms) / 1000, nth);
    },
    how,
  });
  const file = targetFile(
    `${smallTarget(`http://127.0.0.1:${port}`)}load: { perSecond: ${perSecond}, stop: ${stop} }\n`,
  );
  const folder = emptyFolder();
  const args = ["load", "smoke", "--target", file, "--duration", duration, "--out", `${folder}/run`];
  const { ended, says } = startProcess(args, smallEnvironment);
  const announced = says("The load is stopped automatically").then(() => performance.now());
  const [{ code, stdout }, announced_ms] = await Promise.all([ended, Promise.race([announced, ended.then(() => 0)])]);
  const took_s = (performance.now() - began_ms) / 1000;
  await close();
  return { code, stdout, run: runIn(`${folder}/run`), heard, took_s, sentAfter_ms: heardLast_ms - announced_ms };
}

for (const [name, sickness, reason, within_s] of [
  [
    "fails",
    { isAt: (at_s: number) => at_s > 4, how: (socket: Socket) => void socket.write(wrong) },
    /^\d+ of \d+ requests failed within 3 s, more than 25 %$/,
    10,
  ],
  // k6 gives up after 10 s.
  ["falls silent", { isAt: (at_s: number) => at_s > 4, how: () => {} }, /^\d+ of \d+ requests failed within/, 24],
  [
    "becomes slow",
    {
      isAt: (at_s: number) => at_s > 4,
      how: (socket: Socket) => void setTimeout(() => socket.write(good), 600),
      stop: "{ within_s: 3, p95_ms: 400 }",
    },
    /^p95 of \d+ requests was above 400 ms within 3 s$/,
    10,
  ],
] as const)
  test(`a load of a minute ends where the platform ${name}, with a report`, { tag: "@slow" }, async () => {
    const { code, stdout, run, heard, took_s, sentAfter_ms } = await loaded(sickness);
    const { load } = run;
    expect(load?.stopped).toMatch(reason);
    expect(stdout).toContain(`The load is stopped automatically: ${load?.stopped}.`);
    expect(load?.doubt).toContain(load?.stopped);
    expect(stdout).toContain(`inconclusive: ${load?.doubt}`);
    expect(code).toBe(3);
    expect(took_s).toBeLessThan(within_s);
    expect(sentAfter_ms).toBeLessThan(500);
    const [phase] = load?.phases ?? [];
    expect(phase?.seconds).toBeLessThan(within_s);
    expect(phase?.served).toBeGreaterThan(3 * perSecond);
    expect(phase?.requests).toBeLessThanOrEqual(heard.length);
    expect(load?.latencies.map(({ outcome }) => outcome)).toContain("served");
    expect(run.totals).toMatchObject({ holds: 0, broken: 0 });
    expect(schemaProblems("reports/run.schema.json", run)).toEqual([]);
    expect(nightOf(run, null, described.tables).load?.stopped).toBe(load?.stopped);
  });

for (const [name, isAt, how] of [
  ["pauses for two seconds", (at_s: number) => at_s > 5 && at_s < 7, (socket: Socket) => void socket.write(wrong)],
  [
    "answers late for two seconds",
    (at_s: number) => at_s > 5 && at_s < 7,
    (socket: Socket) => void setTimeout(() => socket.write(good), 2_000),
  ],
  ["fails one request in six", (_: number, nth: number) => nth % 6 === 0, (socket: Socket) => void socket.write(wrong)],
] as const)
  test(`a load goes on where the platform ${name}`, { tag: "@slow" }, async () => {
    const { stdout, run, heard } = await loaded({ isAt, how, stop: "{}", duration: "13s" });
    expect(run.load?.stopped).toBeUndefined();
    expect(stdout).not.toContain("stopped automatically");
    expect(heard.length).toBeGreaterThan(10 * perSecond);
  });

test("a load goes on where k6 itself has too little processor time", { tag: "@slow" }, async () => {
  const { path, version } = k6();
  const { port, close } = await faulty();
  const target = loadTarget("offers: [usage]", { base: `http://127.0.0.1:${port}` });
  const shares = mixFor(target, reads).shares.map((share) => ({
    ...share,
    requestSpec: withCarrier(share.requestSpec, "header"),
  }));
  // One processor, and every answer is judged.
  const starved = program("k6", `GOMAXPROCS=1 exec nice -n 10 "${path}" "$@"`);
  const { tally, stopped } = await drive({ path: starved, version }, target, {
    phases: [{ name: "steady", seconds: 10, perSecond: 499 }],
    shares: scaledTo(shares, 499),
    seed: 1,
    script: loadSuite.script,
    stop: { failedShare: 0.25, p95_ms: 300, within_s: 4 },
  });
  await close();
  expect(tally.phases[0]?.p95_ms).toBeGreaterThan(300);
  expect(stopped).toBeNull();
});

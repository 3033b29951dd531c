// Tests of the accuracy of verdicts on limits: simulated and real runs, and the published tables
import { expect, test } from "@playwright/test";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { Generator } from "../../harness/transport/timedRequests.ts";
import { networkWire, type Wire } from "../../harness/transport/wire.ts";
import { k6Generator } from "../../load/k6/generator.ts";
import { per, slidingLog } from "../../load/rateLimits/limiterModels.ts";
import type { Sample } from "../../load/rateLimits/samples.ts";
import { answersOf } from "../../proof/limiter/judged.ts";
import { realPlatform } from "../../proof/limiter/realPlatform.ts";
import { judgeRealRuns, realRuns, script, summaryFrom } from "../../proof/limiter/realTable.ts";
import { simulate } from "../../proof/limiter/simulatedTable.ts";
import { accuracyDocument, modelFiles, seedOfModel } from "../../proof/limiter/tables.ts";
import { markdownOf } from "../../proof/publishedTable.ts";
import { k6 } from "../support/k6.ts";

test("of 500 simulated runs none is judged wrongly, and the published table shows these", async () => {
  const simulation = await simulate();
  expect(simulation.wrong).toBe(0);
  expect(simulation.tallies.reduce((total, { runs }) => total + runs, 0)).toBe(500);
  expect(accuracyDocument.tableBy(simulation.table.by), `run: node --import tsx ${simulation.table.by}`).toBe(
    markdownOf(simulation.table),
  );
});

test("the seed follows from the model's files and the rig's, found by their imports", () => {
  expect(modelFiles()).toEqual([
    ...["bursts", "experiments", "gate", "limitVerdict", "limiterModels", "proofs", "rates", "samples"].map(
      (name) => `load/rateLimits/${name}.ts`,
    ),
    ...["judged", "rows", "simulatedPlatform"].map((name) => `proof/limiter/${name}.ts`),
  ]);
});

/** Ten requests of two callers at once, each on a connection of its own. */
const tenOfTwo = Array.from({ length: 10 }, (_, nth) => ({ at_ms: 0, connection: nth, group: 0, caller: nth % 2 }));
const servedOf = (seen: readonly Sample[]): number => seen.filter(({ outcome }) => outcome === "served").length;

/** Sends all at once, as fast as it goes. */
const plainly = (wire: Wire): Generator => ({
  name: "plain",
  fire: (timedRequests) =>
    Promise.all(
      timedRequests.map(async ({ request }) => ({
        sent_ms: 0,
        received_ms: 1,
        outcome: await wire(request, new AbortController().signal),
      })),
    ),
});

test("over real sockets a limiter sees projects, keys and connections as they are sent", async () => {
  const { wire, close: hangUp } = networkWire();
  const served = async (
    limiter: Parameters<typeof per>[0],
    callers: "projects" | "keys of one project",
  ): Promise<number> => {
    const platform = await realPlatform(
      { make: per(limiter, slidingLog(1, { length_ms: 60_000 })), seed: 1, jitter_ms: 20 },
      plainly(wire),
    );
    const seen = await platform.fire(callers)(tenOfTwo, 0);
    await platform.close();
    return servedOf(seen);
  };
  expect(await served(({ project }) => project, "projects")).toBe(2);
  expect(await served(({ project }) => project, "keys of one project")).toBe(1);
  expect(await served(({ key }) => key, "keys of one project")).toBe(2);
  expect(await served(({ connection }) => connection, "keys of one project")).toBe(10);
  await hangUp();
});

test("requests that leave late are sent twice more, and are inconclusive then", async () => {
  let sends = 0;
  const late = { name: "late", fire: () => Promise.reject(new Inconclusive(`late ${(sends += 1)} times`)) };
  const platform = await realPlatform({ make: slidingLog(5), seed: 1, jitter_ms: 0 }, late);
  await expect(platform.fire("projects")(tenOfTwo, 0)).rejects.toThrow("late 3 times");
  const answers = await answersOf(platform);
  expect(new Set([...answers.values()].map(({ is }) => is))).toEqual(new Set(["inconclusive"]));
  await platform.close();
});

test("the published table of real runs is newer than the model's last change, and none was judged wrongly", () => {
  const [, summary = ""] = accuracyDocument.tableBy(script).split("\n");
  expect(summary, `run: node --import tsx ${script}`).toContain(summaryFrom(seedOfModel()));
  expect(summary).toContain("; none judged wrongly");
});

test("of 60 runs by real k6 none is judged wrongly, and few stay undecided", { tag: "@slow" }, async () => {
  test.setTimeout(7_200_000);
  const { tallies, wrong, undecided } = await judgeRealRuns(k6Generator(k6(), { redact: (text) => text }));
  expect(tallies.reduce((total, { runs }) => total + runs, 0)).toBe(realRuns);
  expect(wrong, JSON.stringify(tallies.map(({ row, runs, called }) => [row.title, row.is, runs, called]))).toBe(0);
  expect(undecided.length, undecided.join("\n")).toBeLessThan(realRuns / 10);
});

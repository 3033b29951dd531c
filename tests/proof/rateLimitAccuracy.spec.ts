// Tests of the accuracy of verdicts on limits, in simulated runs, and of what makes real ones
import { expect, test } from "@playwright/test";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { Generator } from "../../harness/transport/timedRequests.ts";
import { networkWire, type Wire } from "../../harness/transport/wire.ts";
import { slidingLog } from "../../load/rateLimits/limiterModels.ts";
import type { Sample } from "../../load/rateLimits/samples.ts";
import { answersOf } from "../../proof/limiter/judged.ts";
import { per } from "../../proof/limiter/limiters.ts";
import { realPlatform } from "../../proof/limiter/realPlatform.ts";
import { judgeRealRuns } from "../../proof/limiter/realTable.ts";
import { rows } from "../../proof/limiter/rows.ts";
import { simulatedTable } from "../../proof/limiter/simulatedTable.ts";
import { accuracyTable, runsOf } from "../../proof/limiter/tables.ts";

test("of 500 simulated runs none is judged wrongly", async () => {
  const { wrong, rows: counted } = await simulatedTable();
  expect(wrong).toEqual([]);
  expect(counted.reduce((total, [, , runs]) => total + Number(runs), 0)).toBe(500);
});

test("a right limiter that is called broken, and a wrong one that isn't, are wrong", () => {
  const { tallies } = runsOf(0);
  for (const tally of tallies) {
    tally.runs = 1;
    tally.called = tally.row.is === "right" ? 1 : 0;
  }
  const accused = rows.filter(({ is }) => is !== "undetectable").map(({ title }) => title);
  expect(accuracyTable("Limits", "All are wrong.", tallies).wrong).toEqual(
    accused.map((title) => `The limiter "${title}" is judged wrongly in 1 of 1 runs.`),
  );
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

test("runs that stay undecided are told with their reasons, and too many are wrong", async () => {
  const late = { name: "late", fire: () => Promise.reject(new Inconclusive("late")) };
  const { table, tallies } = await judgeRealRuns(late, { runCount: 2 });
  expect(tallies.map(({ undecided }) => undecided).reduce((total, some) => total + some, 0)).toBe(2);
  expect(table.summary).toMatch(/none judged wrongly, 2 undecided \(.+: late\) \(.+: late\)\.$/);
  expect(table.wrong).toHaveLength(2);
});

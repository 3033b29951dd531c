// Charges that show late by lawful ways, some of earlier calls: no finding, and few calls that are sent again
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { costs, credits, judged, type Make, oneCall, requests } from "./madeCharges.ts";
import type { MadeMeter, Ways } from "./madeMeter.ts";

const right = ["held", "held"];
const times =
  (count: number): Make =>
  (meter) =>
    Array.from({ length: count }, () => oneCall(meter));

test("what one of the measurements alone finds may be an earlier charge", async () => {
  // Charges of 10 s: the pause of 24 s before the calls leaves open whether an earlier one showed instead of theirs.
  const priced = (wrong: number): Ways => ({
    calls: (nth) => ({ [requests]: [1, 10_000], [credits]: [nth === wrong ? 350 : 100, 10_000] }),
  });
  for (const [checks, wrong, calls] of [
    [1, 2, 3],
    [2, 3, 4],
    [2, 4, 3],
  ] as const) {
    const found = await judged(priced(wrong), times(checks));
    expect([found.found, found.calls]).toEqual([Array(checks).fill(right), calls]);
  }
});

test("where charges are late, one of the calls is sent again alone, and no more", async () => {
  for (const lag_ms of [8_001, 20_000, 45_000]) {
    const { found, calls } = await judged(costs(100, lag_ms), times(4));
    expect([found, calls]).toEqual([Array(4).fill(right), 5]);
  }
});

/** Ways to charge 100 credits for each call, all shown within a minute. */
const lawful = fc.record({
  /** How late counts are, and by how much the lag of each differs. */
  lag_ms: fc.constantFrom(0, 300, 1_000, 3_000, 8_000, 15_000, 20_000, 35_000, 50_000),
  spread: fc.constantFrom(0, 0.2, 0.5, 1),
  /** How much later credits show. */
  apart_ms: fc.constantFrom(0, 500, 2_000, 5_000, 10_000),
  /** Charges show together, each time so much has passed; 0 where each shows by itself. */
  every_ms: fc.constantFrom(0, 5_000, 10_000, 20_000),
  replicas_ms: fc.array(fc.constantFrom(0, 500, 3_000, 8_000), { minLength: 1, maxLength: 3 }),
  earlierCalls: fc.nat({ max: 4 }),
  checks: fc.integer({ min: 1, max: 4 }),
  began_ms: fc.nat({ max: 20_000 }),
  chances: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
});

test("no lawful way of charging that is chosen by chance is a finding", async () => {
  const way = fc.asyncProperty(lawful, async ({ lag_ms, spread, apart_ms, every_ms, ...way }) => {
    let now_ms = (): number => 0;
    const chance = (): number => Number(way.chances.next().value);
    const shownAfter_ms = (more_ms: number): number => {
      const late_ms = lag_ms * (1 - spread * chance()) + more_ms;
      const at_ms = now_ms() + late_ms;
      return Math.min(60_000, every_ms === 0 ? late_ms : Math.ceil(at_ms / every_ms) * every_ms - now_ms());
    };
    const charge = () => ({ [requests]: [1, shownAfter_ms(0)], [credits]: [100, shownAfter_ms(apart_ms)] }) as const;
    const prepare = (meter: MadeMeter): void => {
      now_ms = () => meter.now_ms;
      meter.pass(way.began_ms);
      // Those that show together each 20 s may fall into two measurements in a row, as if the run's calls cost more.
      if (every_ms < 20_000) for (let nth = 0; nth < way.earlierCalls; nth += 1) meter.charge("paid", charge());
    };
    const behind_ms = (): number => way.replicas_ms[Math.floor(chance() * way.replicas_ms.length)] ?? 0;
    const { found } = await judged({ calls: charge, behind_ms }, times(way.checks), prepare);
    expect(found.flat()).not.toContain("broken");
  });
  await fc.assert(way, { seed: 55, numRuns: 80 });
});

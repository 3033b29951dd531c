// What the proxy holds: exchanges that wait for the judge, behind clients, and copies of bodies.
import { expect, test } from "@playwright/test";
import { virtualClock } from "../../harness/core/clock.ts";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import { copyIn } from "../../proxy/copying.ts";
import { queueBefore } from "../../proxy/queue.ts";

const recorded = (body: string | null): Recorded => ({
  method: "POST",
  url: "http://127.0.0.1/",
  headers: [],
  body,
  answer: { status: 200, headers: [], body: "" },
  sentAt_ms: 0,
  latency_ms: 1,
});

test("exchanges are judged in the order in which they came", async () => {
  const seen: (string | null)[] = [];
  const queue = queueBefore({ judge: ({ body }) => void seen.push(body), running: () => 0 });
  const bodies = Array.from({ length: 900 }, (_, at) => String(at));
  for (const body of bodies) queue.add(recorded(body));
  await queue.drain();
  expect(seen).toEqual(bodies);
  expect(queue.counts()).toEqual({ judged: 900, unjudged: 0, waiting: 0 });
});

for (const [bound, given, judged] of [
  [{ most: 3 }, ["a", "b", "c", "d", "e"], 3],
  [{ most_bytes: 10_000 }, ["x".repeat(7_000), "x".repeat(7_000), "y"], 1],
  [{ most_bytes: 10_000 }, ["x".repeat(20_000), "y"], 1],
] as const) {
  test(`what exceeds ${JSON.stringify(bound)} is counted: ${judged} of ${given.length} are judged`, async () => {
    let full = 0;
    const queue = queueBefore({ judge: () => undefined, running: () => 0, onFull: () => void (full += 1), ...bound });
    for (const body of given) queue.add(recorded(body));
    expect([queue.counts().waiting, full]).toEqual([judged, given.length - judged]);
    await queue.drain();
    expect(queue.counts()).toEqual({ judged, unjudged: given.length - judged, waiting: 0 });
    queue.add(recorded("later"));
    await queue.drain();
    expect(queue.counts().judged).toBe(judged + 1);
  });
}

/** In virtual time; each of 60 takes 0.5 ms to judge. */
async function timeOf(running: number): Promise<number> {
  const clock = virtualClock(0);
  const queue = queueBefore({ judge: () => clock.sleep(0.5), running: () => running, clock });
  for (let at = 0; at < 60; at += 1) queue.add(recorded(null));
  await queue.drain();
  return clock.now_ms();
}

test("the judge pauses most of the time while clients wait, and otherwise doesn't", async () => {
  // At the first pause 60 have come, later none.
  expect([await timeOf(0), await timeOf(1)]).toEqual([30 + 12, 30 + 12 + 29 * 4]);
});

test("a judge that throws is counted, and what comes next is judged", async () => {
  const judge = ({ body }: Recorded) => (body === "bad" ? Promise.reject(new Error("no")) : Promise.resolve());
  const queue = queueBefore({ judge, running: () => 1 });
  for (const body of ["bad", "good"]) queue.add(recorded(body));
  await queue.drain();
  expect(queue.counts()).toEqual({ judged: 1, unjudged: 1, waiting: 0 });
  expect([queue.failure(), queue.failure()]).toEqual([new Error("no"), null]);
});

const megabyte = Buffer.alloc(1024 * 1024);

/** @returns how many MB a copy of so many has; null where it isn't whole */
function taken(copy: ReturnType<typeof copyIn>, megabytes: number): number | null {
  for (let nth = 0; nth < megabytes; nth += 1) copy.add(megabyte);
  const whole = copy.take();
  return whole && whole.length / megabyte.length;
}

test("a body is copied up to 8 MB, and counted beyond", () => {
  const all = { bytes: 0 };
  const long = copyIn(all);
  expect([taken(copyIn(all), 8), taken(long, 9), long.length(), all.bytes]).toEqual([8, null, 9 * 1024 * 1024, 0]);
});

test("all copies together have 64 MB, until one is taken", () => {
  const all = { bytes: 0 };
  const held = Array.from({ length: 8 }, () => copyIn(all));
  for (const copy of held) for (let nth = 0; nth < 8; nth += 1) copy.add(megabyte);
  expect(taken(copyIn(all), 1)).toBe(null);
  held[0]?.take();
  expect(taken(copyIn(all), 1)).toBe(1);
});

// The memory of large bodies: a run keeps all exchanges, but not their bodies.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "@playwright/test";
import { usage } from "../../contracts/shared/stimuli.ts";
import { suite as contracts } from "../../contracts/suite.ts";
import { realClock } from "../../harness/core/clock.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { type Between, outcomeOf } from "../support/probeSpecs.ts";
import { answered } from "../support/vendorsInProcess.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heap_bytes = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

const filler = Array.from(
  { length: 4_000 },
  (_, nth) => `${nth} lorem ipsum dolor sit amet, consectetur adipiscing elit`,
);

test("a run keeps less than a quarter of the bytes of large answers in memory, and judges them all", {
  tag: "@slow",
}, async () => {
  let came_bytes = 0;
  const padded: Between = (wire) => async (request, signal) => {
    const answer = await wire(request, signal);
    const text = Buffer.from(answer.body).toString();
    if (!text.startsWith("{")) return answer;
    const body = Buffer.from(`{"filler":${JSON.stringify([came_bytes, ...filler])},${text.slice(1)}`);
    came_bytes += body.length;
    return { ...answer, body };
  };
  const checks = contracts.checks.filter(({ feature, when }) => feature === "usage" && when !== "alone");
  const before_bytes = heap_bytes();
  const outcome = await outcomeOf({ suite: { ...contracts, checks, probes: [] }, between: padded });
  expect(came_bytes).toBeGreaterThan(8_000_000);
  expect((heap_bytes() - before_bytes) / came_bytes).toBeLessThan(0.25);
  expect(outcome.held).toContain("USG-FLD-01");
});

test("a body that was put aside is read again as it came", async () => {
  const members = { filler, exact: 1.5, ü: "\u2028 \ud83d\ude00" };
  const text = JSON.stringify(members).replace('"exact":1.5', '"exact":1.50');
  const { target } = inProcess(contracts);
  const { send } = transportTo(
    target,
    () => Promise.resolve({ ...answered(200, {}), body: Buffer.from(text) }),
    realClock,
  );
  const { answer }: Exchange = await send(usage({ as: "paid" }));
  // So many later ones that this one isn't at hand any more.
  for (let nth = 0; nth < 40; nth += 1) await send({ ...usage({ as: "paid" }), issued: nth });
  expect(answer?.text).toBe(text);
  expect(answer?.json?.value).toEqual(members);
  expect([...(answer?.json?.literals ?? [])]).toEqual([["/exact", "1.50"]]);
  expect({ ...answer }.status).toBe(200);
});

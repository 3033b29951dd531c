// Large bodies: put aside, and read again where they are asked for.
import { randomBytes } from "node:crypto";
import { expect, test } from "@playwright/test";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite as contracts } from "../../contracts/suite.ts";
import { realClock } from "../../harness/core/clock.ts";
import { BodyStore } from "../../harness/transport/bodyStore.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { answered } from "../support/vendorsInProcess.ts";

const filler = Array.from(
  { length: 4_000 },
  (_, nth) => `${nth} lorem ipsum dolor sit amet, consectetur adipiscing elit`,
);

test("a body that was put aside is read again as it came", async () => {
  const members = { filler, exact: 1.5, ü: "\u2028 \ud83d\ude00" };
  const text = JSON.stringify(members).replace('"exact":1.5', '"exact":1.50');
  const { target } = inProcess(contracts);
  const { send } = transportTo(
    target,
    () => Promise.resolve({ ...answered(200, {}), body: Buffer.from(text) }),
    realClock,
  );
  const { answer }: Exchange = await send(usageRequest({ as: "paid" }));
  // So many later ones that this one isn't at hand any more.
  for (let nth = 0; nth < 40; nth += 1) await send({ ...usageRequest({ as: "paid" }), issued: nth });
  expect(answer?.text).toBe(text);
  expect(answer?.json?.value).toEqual(members);
  expect([...(answer?.json?.literals ?? [])]).toEqual([["/exact", "1.50"]]);
  expect({ ...answer }.status).toBe(200);
});

/** An exchange whose answer has that body. */
async function answeredWith(text: string): Promise<Exchange> {
  const { target } = inProcess(contracts);
  const answer = { ...answered(200, {}), body: Buffer.from(text) };
  return transportTo(target, () => Promise.resolve(answer), realClock).send(usageRequest({ as: "paid" }));
}

test("once the file is full, a further large answer is a fault, and a small one is kept", async () => {
  const [large, small] = [await answeredWith(JSON.stringify(filler)), await answeredWith("{}")];
  const bodies = new BodyStore(10);
  const { answer, fault } = bodies.kept(large);
  expect([answer, fault?.kind]).toEqual([null, "oversized"]);
  expect(fault?.detail).toContain("filled the 10 bytes that Assay keeps of large bodies");
  expect(bodies.kept(small)).toBe(small);
});

test("a body that repeats itself from far takes little of the file", async () => {
  const part = randomBytes(40_000).toString("base64");
  const exchange = await answeredWith(JSON.stringify(part.repeat(20)));
  const { answer } = new BodyStore(2 * part.length).kept(exchange);
  expect(answer?.text.length).toBe(20 * part.length + 2);
});

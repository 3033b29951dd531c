// Large bodies: put aside, and read again where they are asked for.
import { expect, test } from "@playwright/test";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite as contracts } from "../../contracts/suite.ts";
import { realClock } from "../../harness/core/clock.ts";
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

// Tests that a schedule in virtual time begins when no check goes on

import { expect, test } from "@playwright/test";
import { contractSuite } from "../../contracts/suite.ts";
import type { WireRequest } from "../../harness/transport/wire.ts";
import { inProcess } from "../../proof/inProcess.ts";

test("a schedule waits for a check's next requests, so that no minutes pass between them", async () => {
  const { wire, clock, generator, target } = inProcess(contractSuite, undefined, { hasSchedules: true });
  if (!generator || !("fire" in generator)) throw new Error("there is no generator");
  const request: WireRequest = { method: "GET", url: `${target.bases.api}/v1/wallet/none`, headers: [] };
  const signal = new AbortController().signal;
  const sendAll = async (): Promise<readonly number[]> => {
    const sentAt_ms: number[] = [];
    for (let requests = 0; requests < 20; requests += 1) {
      sentAt_ms.push(clock.now_ms());
      await wire(request, signal);
    }
    return sentAt_ms;
  };
  const [sentAt_ms, answers] = await Promise.all([
    sendAll(),
    generator.fire([{ request, at_ms: 60_000, connection: 0 }]),
  ]);
  expect(answers).toMatchObject([{ sent_ms: 60_000 }]);
  expect(new Set(sentAt_ms).size).toBe(1);
});

// Tests that a schedule in virtual time begins between two checks' requests, and what counts as under way

import { expect, test } from "@playwright/test";
import { contractSuite } from "../../contracts/suite.ts";
import type { WireRequest } from "../../harness/transport/wire.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { InFlight } from "../../proof/virtualGenerator.ts";

test("a request that hangs is under way until it is given up", () => {
  const inFlight = new InFlight();
  const given = new AbortController();
  const hanging = inFlight.counting(() => new Promise(() => undefined));
  void hanging({ method: "GET", url: "http://hangs.example", headers: [] }, given.signal);
  expect(inFlight.count).toBe(1);
  given.abort();
  expect(inFlight.count).toBe(0);
});

test("a schedule waits for a check's next requests, so that no minutes pass between them", async () => {
  const { wire, clock, generator, target } = inProcess(contractSuite, undefined, { hasSchedules: true });
  if (!generator || !("fire" in generator)) throw new Error("there is no generator");
  const request: WireRequest = { method: "GET", url: `${target.bases.api}/v1/wallet/none`, headers: [] };
  const sendAll = async (): Promise<readonly number[]> => {
    const sentAt_ms: number[] = [];
    for (let requests = 0; requests < 20; requests += 1) {
      sentAt_ms.push(clock.now_ms());
      await wire(request, new AbortController().signal);
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

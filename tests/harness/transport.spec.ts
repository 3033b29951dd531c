// The transport: budget, pace and deadline of requests, and answers read as they were sent.

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { type Clock, realClock, virtualClock } from "../../harness/core/clock.ts";
import { literalAt } from "../../harness/core/json.ts";
import { BudgetSpent } from "../../harness/core/outcomes.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { type Transport, transportTo } from "../../harness/transport/transport.ts";
import { networkWire, type Wire } from "../../harness/transport/wire.ts";
import { answer, everywhere, faulty, goodUsage, type Misbehaviour } from "../support/faultyPlatform.ts";
import { judged, smallTargetAt } from "../support/judgedFaults.ts";
import { smallTarget } from "../support/vendor.ts";

const ownersUsage = usageRequest({ as: "owner", keyIn: "header" });
const withBudget = (lines: string) => (base: string) => `${smallTarget(base)}${lines}\n`;

const closedBase = "http://127.0.0.1:1";
const served: Wire = () =>
  Promise.resolve({ status: 200, headers: [["content-type", "application/json"]], body: Buffer.from(goodUsage()) });

/** The exchange with a server that gives every request this answer. */
async function exchangeWith(how: Misbehaviour): Promise<Exchange> {
  const server = await faulty({ when: everywhere, how });
  const { wire, close } = networkWire({ environment: {} });
  const target = smallTargetAt(`http://127.0.0.1:${server.port}`);
  const exchange = await transportTo(target, wire, realClock).send(ownersUsage);
  await Promise.all([close(), server.close()]);
  return exchange;
}

test("a budget of requests is kept, and what it doesn't cover is withheld", async () => {
  const { exchanges, verdicts, broken, exitCode } = await judged({ target: withBudget("budget: { requests: 5 }") });
  expect(exchanges).toHaveLength(5);
  expect(broken).toEqual([]);
  expect(exitCode).toBe(0);
  expect(verdicts.filter(({ reason }) => reason === "the budget of 5 requests is spent").length).toBeGreaterThan(3);
});

test("a plan that costs more than the budget runs what fits", async () => {
  const { exchanges, verdicts, broken } = await judged({
    target: withBudget("prices: { getProjectUsage: 10 }\nbudget: { credits: 35 }"),
  });
  // Requests without a valid key can't be charged.
  expect(
    exchanges.filter(({ requestSpec, asker }) => requestSpec.operation === "getProjectUsage" && asker !== null),
  ).toHaveLength(3);
  expect(exchanges.filter(({ requestSpec }) => requestSpec.operation === null).length).toBeGreaterThan(0);
  expect(broken).toEqual([]);
  expect(
    verdicts.some(({ reason }) => reason === "the budget of 35 credits is spent (30 so far, getProjectUsage costs 10)"),
  ).toBe(true);
});

test("a fault that the budget can't confirm is inconclusive, not withheld", async () => {
  const { verdicts, broken, exitCode } = await judged({
    failing: { how: (socket) => socket.resetAndDestroy() },
    when: ({ nth }) => nth >= 4,
    target: withBudget("budget: { requests: 4 }"),
  });
  expect(broken).toEqual([]);
  expect(exitCode).toBe(3);
  expect(
    verdicts.some(
      ({ verdict, reason }) =>
        verdict === "inconclusive" && reason?.endsWith("not repeated: the budget of 4 requests is spent"),
    ),
  ).toBe(true);
});

test("seconds count from the first request, and none waits for a turn that is too late", async () => {
  const clock = virtualClock(1_000_000);
  await clock.sleep(60_000);
  const target = { ...smallTargetAt(closedBase, "budget: { seconds: 2 }"), perSecond: 1, apiPerSecond: { admin: 1 } };
  const started_ms = clock.now_ms();
  expect(await sendUntilSpent(transportTo(target, served, clock))).toBe(3);
  expect(clock.now_ms() - started_ms).toBe(2000);
});

async function sendUntilSpent(transport: Transport): Promise<number> {
  for (let sent = 0; ; sent += 1) {
    try {
      await transport.send({ ...ownersUsage, again: sent });
    } catch (error) {
      expect(error).toBeInstanceOf(BudgetSpent);
      return sent;
    }
  }
}

test("credits, calls of unknown price and requests are counted apart", async () => {
  const target = smallTargetAt(closedBase, "prices: { getProjectUsage: 2.5 }");
  const transport = transportTo(target, served, virtualClock(0));
  await transport.send(ownersUsage);
  await transport.send(ownersUsage);
  await transport.send({ ...ownersUsage, operation: null });
  expect(transport.spent).toEqual({ requests: 3, credits: 5, unpriced: 1 });
});

test("requests of one API keep the pace", async () => {
  const sentAt: number[] = [];
  const clock: Clock = virtualClock(0);
  const transport = transportTo(
    { ...smallTargetAt(closedBase), perSecond: 4, apiPerSecond: { admin: 4 } },
    (...request) => (sentAt.push(clock.now_ms()), served(...request)),
    clock,
  );
  for (let again = 0; again < 4; again += 1) await transport.send({ ...ownersUsage, again });
  expect(sentAt).toEqual([0, 250, 500, 750]);
});

test("a request ends at the deadline, even where the platform ignores the signal", async () => {
  const silent: Wire = () => new Promise(() => undefined);
  const transport = transportTo(smallTargetAt(closedBase), silent, realClock, { deadline_ms: 50 });
  const detail = "no complete answer within 0.05 s: nothing was heard";
  expect((await transport.send(ownersUsage)).fault).toEqual({ kind: "timeout", detail });
});

test("a redirect is an answer, and the key goes nowhere else", async () => {
  const elsewhere = await faulty();
  const location = `location: http://127.0.0.1:${elsewhere.port}/v0/admin\r\n`;
  for (const status of [301, 302, 303, 307, 308]) {
    const exchange = await exchangeWith((socket) => socket.write(answer("GET", status, "Elsewhere", "{}", location)));
    expect({ status: exchange.answer?.status, fault: exchange.fault }).toEqual({ status, fault: null });
  }
  expect(elsewhere.heard).toEqual([]);
  await elsewhere.close();
});

test("bytes that are not UTF-8 are an answer that is marked", async () => {
  const bytes = Buffer.concat([Buffer.from('{"plan":"'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('"}')]);
  const { answer: got, fault } = await exchangeWith((socket) => socket.write(answerOf(bytes)));
  expect(fault).toBeNull();
  expect(got).toMatchObject({ invalidUtf8: true, text: '{"plan":"\uFFFD\uFFFD("}' });
});

/** An answer whose bytes are no text. */
const answerOf = (body: Buffer, fields = ""): Buffer => {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${fields}content-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
};

const packings: readonly (readonly [title: string, coding: string, pack: (body: Buffer) => Buffer])[] = [
  ["gzip", "gzip", (body) => gzipSync(body)],
  ["gzip by its old name", "x-gzip", (body) => gzipSync(body)],
  ["deflate", "deflate", (body) => deflateSync(body)],
  ["deflate without its wrapper", "deflate", (body) => deflateRawSync(body)],
  ["br", "br", (body) => brotliCompressSync(body)],
  ["br within gzip", "br, gzip", (body) => gzipSync(brotliCompressSync(body))],
  ["identity", "identity", (body) => body],
];
for (const [title, coding, pack] of packings) {
  test(`a compressed body is read: ${title}`, async () => {
    const body = pack(Buffer.from(goodUsage()));
    const packed = answerOf(body, `content-encoding: ${coding}\r\n`);
    const exchange = await exchangeWith((socket) => socket.write(packed));
    expect({ text: exchange.answer?.text, fault: exchange.fault }).toEqual({ text: goodUsage(), fault: null });
  });
}

test("whole numbers beyond 2^53 stay whole", async () => {
  const exchange = await exchangeWith((socket) =>
    socket.write(answer("GET", 200, "OK", '{"creditsUsed":9007199254740993}')),
  );
  expect(exchange.answer?.json && literalAt(exchange.answer.json, "/creditsUsed")).toBe("9007199254740993");
});

test("connections are kept alive", async () => {
  const server = await faulty();
  const { wire, close } = networkWire({ environment: {} });
  const transport = transportTo(smallTargetAt(`http://127.0.0.1:${server.port}`), wire, realClock);
  for (let again = 0; again < 5; again += 1) await transport.send({ ...ownersUsage, again });
  expect(server.heard).toHaveLength(5);
  // The first may not be free again yet when the second request leaves.
  expect(server.connections).toBeLessThanOrEqual(2);
  await Promise.all([close(), server.close()]);
});

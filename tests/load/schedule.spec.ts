// Tests that k6 sends a schedule as it stands, on time, over the right connections
import type { IncomingMessage, RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { TimedWireRequest } from "../../harness/transport/timedRequests.ts";
import type { WireAnswer } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import { k6Generator, latest_ms } from "../../load/k6/generator.ts";
import { get, k6, redact, timedRequest } from "../support/k6.ts";
import { deadBase, vendor, vendorKey } from "../support/vendor.ts";

const answered = (outcome: unknown): WireAnswer => {
  if (outcome instanceof WireFault) throw outcome;
  return outcome as WireAnswer;
};

interface Received {
  readonly at_ms: number;
  readonly socket: number;
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

const hello: RequestListener = (_request, response) =>
  void response.writeHead(200, { "content-type": "text/plain", "X-Said": "yes" }).end("hé");

/** What a platform receives that answers as given, and what k6 gets from it. */
async function sent(answer: RequestListener, timedRequests: (base: string) => readonly TimedWireRequest[]) {
  const received: Received[] = [];
  const sockets = new Map<object, number>();
  const { base, close } = await vendor((request, response) => {
    const at_ms = performance.now();
    sockets.set(request.socket, sockets.get(request.socket) ?? sockets.size);
    void buffer(request).then((body) => {
      received.push({ at_ms, socket: sockets.get(request.socket) ?? -1, request, body });
      answer(request, response);
    });
  });
  const timedAnswers = await k6Generator(k6(), { redact }).fire(timedRequests(base));
  await close();
  return { received, timedAnswers };
}

test("requests leave unchanged at their times, and answers come back in their order", async () => {
  const zipped = [
    ["content-encoding", "gzip"],
    ["user-agent", "assay"],
  ] as const;
  const typed = [["content-type", "application/json"]] as const;
  const { received, timedAnswers } = await sent(hello, (base) => [
    timedRequest(300, 0, get(`${base}/b?api-key=${vendorKey}`)),
    timedRequest(0, 1, { method: "POST", url: `${base}/a`, headers: typed, body: '{"é":1}' }),
    timedRequest(600, 1, { method: "POST", url: `${base}/c`, headers: zipped, body: "squeezed" }),
  ]);
  expect(received.map(({ request }) => `${request.method} ${request.url}`)).toEqual([
    "POST /a",
    `GET /b?api-key=${vendorKey}`,
    "POST /c",
  ]);
  expect(received[0]?.body.toString()).toBe('{"é":1}');
  expect(gunzipSync(received[2]?.body ?? "").toString()).toBe("squeezed");
  expect(received[2]?.request.headers["user-agent"]).toBe("assay");
  for (const [nth, { sent_ms, received_ms, outcome }] of timedAnswers.entries()) {
    const at_ms = [300, 0, 600][nth] ?? 0;
    expect(sent_ms - at_ms).toBeGreaterThanOrEqual(-1);
    expect(sent_ms - at_ms).toBeLessThan(latest_ms + 50);
    expect(received_ms).toBeGreaterThan(sent_ms);
    expect(answered(outcome).status).toBe(200);
    expect(Object.fromEntries(answered(outcome).headers)["x-said"]).toBe("yes");
    expect(new TextDecoder().decode(answered(outcome).body)).toBe("hé");
  }
  // By the platform's clock they are as far apart as in the schedule.
  const [first = 0, , third = 0] = received.map(({ at_ms }) => at_ms);
  expect(Math.abs(third - first - 600)).toBeLessThan(latest_ms);
});

test("twelve at once leave within 190 ms, each on a connection of its own", async () => {
  const { received, timedAnswers } = await sent(hello, (base) =>
    Array.from({ length: 12 }, (_, nth) => timedRequest(0, nth, get(base))),
  );
  const range = (times_ms: readonly number[]): number => Math.max(...times_ms) - Math.min(...times_ms);
  expect(range(received.map(({ at_ms }) => at_ms))).toBeLessThan(190);
  expect(range(timedAnswers.map(({ sent_ms }) => sent_ms))).toBeLessThan(190);
  expect(new Set(received.map(({ socket }) => socket)).size).toBe(12);
});

test("requests of one connection share it where they don't overlap; others never do", async () => {
  const { received } = await sent(hello, (base) => [
    timedRequest(0, 7, get(base)),
    timedRequest(200, 7, get(base)),
    timedRequest(400, 3, get(base)),
  ]);
  expect(received.map(({ socket }) => socket)).toEqual([0, 0, 1]);
});

test("no redirect is followed, no cookie is stored, and a body is returned unchanged", async () => {
  const redirecting: RequestListener = (_request, response) =>
    void response.writeHead(302, { location: "/elsewhere", "set-cookie": "a=1" }).end(Buffer.from([0xff, 0xfe, 0]));
  const { received, timedAnswers } = await sent(redirecting, (base) => [
    timedRequest(0, 0, get(base)),
    timedRequest(200, 0, get(base)),
  ]);
  const { status, body } = answered(timedAnswers[0]?.outcome);
  expect([status, [...body]]).toEqual([302, [0xff, 0xfe, 0]]);
  expect(received.map(({ request }) => request.url)).toEqual(["/", "/"]);
  expect(received[1]?.request.headers.cookie).toBeUndefined();
});

test("faults have the same names as those of the transport", async () => {
  const { base, close } = await vendor((request, response) => {
    if (request.url === "/reset") request.socket.resetAndDestroy();
    else if (request.url === "/cut")
      response.writeHead(200, { "content-length": "100" }).write("half", () => request.socket.destroy());
    else if (request.url === "/garbage") request.socket.end("no HTTP at all\r\n\r\n");
  });
  const paths = ["/reset", "/cut", "/garbage", "/silence"];
  const urls = [...paths.map((path) => base + path), await deadBase(), "http://nobody.invalid/"];
  const timedAnswers = await k6Generator(k6(), { redact, deadline_ms: 1_000 }).fire(
    urls.map((url, nth) => timedRequest(0, nth, get(url))),
  );
  await close();
  expect(timedAnswers.map(({ outcome }) => (outcome as WireFault).kind)).toEqual([
    "reset",
    "truncated",
    "protocol",
    "timeout",
    "refused",
    "dns",
  ]);
});

test("an answer of any status is an answer", async () => {
  const statuses = [200, 404, 429, 503];
  const { timedAnswers } = await sent(
    (request, response) => void response.writeHead(Number(request.url?.slice(1))).end(),
    (base) => statuses.map((status, nth) => timedRequest(0, nth, get(`${base}/${status}`))),
  );
  expect(timedAnswers.map(({ outcome }) => answered(outcome).status)).toEqual(statuses);
});

test("a request with two headers of one name is inconclusive, as k6 can't send it", async () => {
  const headers = [
    ["X-Api-Key", "a"],
    ["x-api-key", "b"],
  ] as const;
  const failure = k6Generator({ path: "/nowhere", version: "2.2.0" }, { redact }).fire([
    timedRequest(0, 0, get("http://127.0.0.1/", { headers })),
  ]);
  await expect(failure).rejects.toThrow(Inconclusive);
});

test("once connections are refused, the rest of a schedule isn't waited for, and is reported as unsent", async () => {
  const request = get(`${await deadBase()}/`);
  const minute = Array.from({ length: 60 }, (_, nth) => timedRequest(1_000 * (nth > 3 ? nth : 0), 0, request));
  const began_ms = performance.now();
  const timedAnswers = await k6Generator(k6(), { redact }).fire(minute);
  expect(performance.now() - began_ms).toBeLessThan(30_000);
  const kinds = timedAnswers.map(({ outcome }) => (outcome instanceof WireFault ? outcome.kind : "answered"));
  expect([kinds[0], kinds.at(-1)]).toEqual(["refused", "other"]);
});

// The proxy where something ends early: each side sees of the other what it would see directly.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecure } from "node:https";
import type { Socket } from "node:net";
import { expect, test } from "@playwright/test";
import { certificateFile } from "../support/faultyPlatform.ts";
import { arrived, proxied, proxiedTo } from "../support/proxied.ts";
import { deadBase, portOf } from "../support/vendor.ts";

const get = "GET /?api-key=secret-key HTTP/1.1\r\nHost: here\r\nX-Api-Key: secret-key\r\n\r\n";
const started = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc";

for (const [how, ended, fault] of [
  ["resetAndDestroy", "reset", /^reset: ECONNRESET/],
  ["end", "end", /^truncated: .*in the body, after HTTP 200 and 3 bytes/],
] as const) {
  for (const [when, head] of [
    ["in the middle of a body", started],
    ["before an answer", ""],
  ] as const) {
    test(`an upstream that ends ${when} by ${how} ends the client's connection so`, async () => {
      const { client, close, recorded, heard } = await proxied();
      const asker = client(get);
      const { socket } = await heard("\r\n\r\n");
      if (head) socket.write(head);
      if (head) await arrived(asker, "abc");
      socket[how]();
      await expect.poll(asker.ended).toBe(ended);
      expect(asker.text()).toMatch(head ? /^HTTP\/1.1 200 OK\r\n[\s\S]*abc$/ : /^$/);
      await expect.poll(() => recorded.length).toBe(1);
      expect(recorded[0]?.answer).toEqual({
        fault: expect.stringMatching(head ? fault : /^reset: /) as unknown as string,
      });
      await close();
    });
  }
}

for (const [when, head] of [
  ["before an answer", ""],
  ["in the middle of one", started],
] as const) {
  test(`a client that leaves ${when} aborts the upstream's request`, async () => {
    const { client, close, recorded, heard, running } = await proxied();
    const asker = client(get);
    const upstream = await heard("\r\n\r\n");
    expect(running()).toBe(1);
    if (head) upstream.socket.write(head);
    if (head) await arrived(asker, "abc");
    asker.socket.destroy();
    await expect.poll(upstream.ended).not.toBe(null);
    await expect.poll(() => recorded.length).toBe(1);
    expect(recorded[0]?.answer).toEqual({ fault: "the client disconnected: its answer wasn't complete" });
    expect(running()).toBe(0);
    await close();
  });
}

test("a client that leaves in the middle of its body ends the upstream's", async () => {
  const { client, close, heard } = await proxied();
  const asker = client("POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\nabc");
  const upstream = await heard("abc");
  asker.socket.destroy();
  await expect.poll(upstream.ended).not.toBe(null);
  await close();
});

async function secure(): Promise<{ readonly base: string; close(): void }> {
  const pem = readFileSync(certificateFile);
  const server = createSecure({ cert: pem, key: pem }, (_request, response) => response.end("ours")).on(
    "tlsClientError",
    () => undefined,
  );
  return { base: `https://localhost:${await portOf(server)}`, close: () => server.close() };
}

test("what can't be reached is answered by 502, in a sentence that holds no key, and is a fault", async () => {
  const untrusted = await secure();
  const garbage = createServer().on("connection", (socket) => socket.end("220 mail\r\n"));
  for (const [base, fault] of [
    [await deadBase(), /^refused: ECONNREFUSED/],
    ["http://vendor.invalid", /^dns: /],
    [untrusted.base, /^tls: /],
    [`http://127.0.0.1:${await portOf(garbage)}`, /^protocol: /],
  ] as const) {
    const { client, close, recorded } = await proxiedTo(base);
    const asker = client(get);
    await expect.poll(asker.ended).toBe("end");
    expect(asker.text()).toMatch(/^HTTP\/1.1 502 Bad Gateway\r\ncontent-type: text\/plain; charset=utf-8\r\n/);
    expect(asker.text()).toContain(`\r\n\r\n`);
    expect(asker.text()).toMatch(/Assay's proxy got no answer from [\w.:]+: \w+, /);
    expect(asker.text()).not.toContain("secret-key");
    await expect.poll(() => recorded.length).toBe(1);
    expect(recorded[0]?.answer).toEqual({ fault: expect.stringMatching(fault) as unknown as string });
    await close();
  }
  untrusted.close();
  garbage.close();
});

test("a certificate that the environment names is trusted", async () => {
  const { base, close } = await secure();
  const proxy = await proxiedTo(base, { SSL_CERT_FILE: certificateFile });
  await arrived(proxy.client(get), "ours");
  await proxy.close();
  close();
});

test("a WebSocket is refused", async () => {
  const { client, close, ends, recorded } = await proxied();
  const asker = client(get.replace("\r\n\r\n", "\r\nConnection: upgrade\r\nUpgrade: WebSocket\r\n\r\n"));
  await arrived(asker, "HTTP/1.1 501 Not Implemented\r\n");
  await arrived(asker, "doesn't forward WebSockets");
  expect([ends.length, recorded.length]).toEqual([0, 0]);
  await close();
});

const many = Buffer.alloc(1_000_000, "x");
const amount = 60;

/** How much of what is written to a socket has left it, once no more leaves. */
async function taken(sender: Socket): Promise<number> {
  for (let at = 0; at < amount; at += 1) sender.write(many);
  let [before, now] = [-1, 0];
  await expect
    .poll(
      () => {
        [before, now] = [now, sender.bytesWritten - sender.writableLength];
        return now - before;
      },
      { intervals: [250] },
    )
    .toBe(0);
  return now / 1e6;
}

test("a slow client holds the upstream back, and a slow upstream the client", async () => {
  const { client, close, heard } = await proxied();
  const asker = client(get);
  asker.socket.pause();
  const upstream = await heard("\r\n\r\n");
  upstream.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${amount * many.length}\r\n\r\n`);
  // The system's buffers hold some.
  expect(await taken(upstream.socket)).toBeLessThan(amount / 2);
  asker.socket.resume();
  await expect.poll(() => asker.text().length).toBeGreaterThan(amount * many.length);

  const sending = client(`POST /slow HTTP/1.1\r\nHost: here\r\nContent-Length: ${amount * many.length}\r\n\r\nx`);
  const slow = await heard("/slow");
  slow.socket.pause();
  expect(await taken(sending.socket)).toBeLessThan(amount / 2);
  await close();
});

test("when it closes, answers under way end and idle connections are closed", async () => {
  const { client, close, heard, stop } = await proxied();
  const [idle, asker] = [client(""), client(get)];
  const upstream = await heard("\r\n\r\n");
  const stopping = stop();
  upstream.socket.write(`${started}defghi`);
  await stopping;
  expect([idle.ended(), asker.ended()]).toEqual(["end", "end"]);
  expect(asker.text()).toContain("abcdefghi");
  await close();
});

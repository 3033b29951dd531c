// The proxy where something ends early: each side sees of the other what it would see directly.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecure } from "node:https";
import { expect, test } from "@playwright/test";
import { certificateFile } from "../support/faultyPlatform.ts";
import { arrived, manyBytes, proxied, proxiedTo, taken } from "../support/proxied.ts";
import { deadBase, portOf } from "../support/vendor.ts";

const get = "GET /?api-key=secret-key HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: secret-key\r\n\r\n";
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
  const asker = client("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc");
  const upstream = await heard("abc");
  asker.socket.destroy();
  await expect.poll(upstream.ended).not.toBe(null);
  await close();
});

async function secure(): Promise<{ readonly base: string; close(): void }> {
  const pem = readFileSync(certificateFile);
  const server = createSecure({ cert: pem, key: pem }, (_request, response) => response.end("ours"))
    .on("tlsClientError", () => undefined)
    .on("upgrade", (_request, socket) =>
      socket.end("HTTP/1.1 101 Yes\r\nConnection: upgrade\r\nUpgrade: any\r\n\r\nupgraded"),
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
  await arrived(proxy.client(get.replace("Host", "Connection: upgrade\r\nUpgrade: any\r\nHost")), "upgraded");
  await proxy.close();
  close();
});

for (const [title, request, answer] of [
  ["a tunnel", "CONNECT vendor.example:443 HTTP/1.1\r\nHost: vendor.example:443", "501 Not Implemented"],
  ["another host", "GET http://other.example/?api-key=k HTTP/1.1\r\nHost: other.example", "421 Misdirected Request"],
] as const) {
  test(`a client that takes us for its HTTP proxy, and wants ${title}, is told what to do`, async () => {
    const { client, close, ends } = await proxied();
    const asker = client(`${request}\r\n\r\n`);
    await expect.poll(asker.ended).toBe("end");
    expect(asker.text()).toMatch(new RegExp(`^HTTP/1.1 ${answer}\r\n`));
    expect(asker.text()).toContain("Give your client the proxy's address as the platform's base address");
    expect(asker.text()).not.toContain("api-key");
    expect(ends).toEqual([]);
    await close();
  });
}

test("a page that has its own name lead here (DNS rebinding) gets nothing of the upstream", async () => {
  const { client, close, ends } = await proxied();
  const asker = client("GET /?api-key=k HTTP/1.1\r\nHost: evil.example:9400\r\n\r\n");
  await expect.poll(asker.ended).toBe("end");
  expect(asker.text()).toMatch(/^HTTP\/1.1 421 Misdirected Request\r\n/);
  expect(asker.text()).toContain("isn't known as evil.example:9400. Ask it by its address or as localhost.");
  expect(ends).toEqual([]);
  await close();
});

test("a slow client holds the upstream back, and a slow upstream the client", async () => {
  const { client, close, heard } = await proxied();
  const asker = client(get);
  asker.socket.pause();
  const upstream = await heard("\r\n\r\n");
  upstream.socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${manyBytes}\r\n\r\n`);
  // The system's buffers hold some.
  expect(await taken(upstream.socket)).toBeLessThan(manyBytes / 2e6);
  asker.socket.resume();
  await expect.poll(() => asker.text().length).toBeGreaterThan(manyBytes);

  const sending = client(`POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${manyBytes}\r\n\r\nx`);
  const slow = await heard("/slow");
  slow.socket.pause();
  expect(await taken(sending.socket)).toBeLessThan(manyBytes / 2e6);
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

test("a key in the upstream's host isn't told to who asks for another host, or gets no answer", async () => {
  const { client, close } = await proxiedTo("http://k9-secret.invalid", {}, 0, "k9-secret");
  for (const [line, status] of [
    ["GET http://other.example/", "421"],
    ["GET /", "502"],
  ] as const) {
    const asker = client(`${line} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await expect.poll(asker.ended).toBe("end");
    expect(asker.text()).toContain(` ${status} `);
    expect(asker.text()).toContain("<key>.invalid");
    expect(asker.text()).not.toContain("k9-secret");
  }
  await close();
});

test("interim answers without end aren't kept for a client that doesn't read", async () => {
  const { client, close, heard } = await proxied();
  const asker = client(get);
  asker.socket.pause();
  const { socket } = await heard("\r\n\r\n");
  const hint = `HTTP/1.1 103 Early Hints\r\nLink: ${"x".repeat(10_000)}\r\n\r\n`;
  await new Promise((sent) => socket.write(hint.repeat(3_000), sent));
  socket.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc");
  asker.socket.resume();
  await arrived(asker, "abc");
  expect(asker.text().split(" 103 ").length).toBeLessThan(2_000);
  await close();
});

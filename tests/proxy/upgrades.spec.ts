// Upgraded connections: bytes pass in both directions as each side sends them, and each side's end ends the other.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { expect, test } from "@playwright/test";
import { withoutContinue } from "../../harness/transport/continue.ts";
import { arrived, type End, pairOfPorts, proxied, proxiedTo, taken } from "../support/proxied.ts";

const asked =
  "GET /ws?api-key=k HTTP/1.1\r\nHost: localhost\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: a\r\n\r\n";
const agreed =
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n";

/** Both ends of a connection that the upstream has upgraded. */
async function opened() {
  const proxy = await proxied();
  const { client, heard } = proxy;
  const asker = client(`${asked}\x81\x00first`);
  const upstream = await heard("\r\n\r\n");
  upstream.socket.write(`${agreed}\x82\xffhi`, "latin1");
  await arrived(asker, "hi");
  await arrived(upstream, "first");
  return { ...proxy, asker, upstream };
}

test("an upgraded connection passes byte for byte, with what is sent beside its heads", async () => {
  const { asker, upstream, recorded, running, base, close } = await opened();
  expect(upstream.text()).toMatch(/^GET \/ws\?api-key=k HTTP\/1.1\r\nhost: 127[\d.:]+\r\n/);
  expect(upstream.text()).toMatch(/\r\nconnection: upgrade\r\nupgrade: WebSocket\r\n/);
  expect(upstream.text()).toContain("\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: a\r\n");
  expect(upstream.text()).toMatch(/\r\n\r\n\x81\x00first$/);
  expect(asker.text()).toBe(`${agreed}\x82\xffhi`);
  await expect.poll(() => recorded.length).toBe(1);
  expect(recorded[0]).toMatchObject({ method: "GET", url: `${base}/ws?api-key=k`, answer: { status: 101 } });
  expect(running()).toBe(0);
  await close();
});

test("on an upgraded connection nothing is held back as an interim answer any more", () => {
  const socket = new Duplex({ read: () => undefined, write: (_bytes, _coding, done) => done() }) as Socket;
  withoutContinue((_options, callback) => callback(null, socket))(
    { hostname: "", protocol: "", port: "" },
    () => undefined,
  );
  const readAfterWrite = (bytes: string): string => {
    socket.write("x");
    socket.push(bytes);
    return String(socket.read());
  };
  expect(readAfterWrite("HTTP/1.1 100 ")).toBe("null");
  expect(readAfterWrite(`Go on\r\n\r\n${agreed}`)).toBe(agreed);
  expect(readAfterWrite("HTTP/1.1 100 ")).toBe("HTTP/1.1 100 ");
});

for (const [ender, other, how, ended] of [
  ["asker", "upstream", "end", "end"],
  ["asker", "upstream", "resetAndDestroy", "end"],
  ["upstream", "asker", "end", "end"],
  ["upstream", "asker", "resetAndDestroy", "reset"],
] as const) {
  test(`where the ${ender} ends an upgraded connection by ${how}, what it sent before arrives`, async () => {
    const { close, ...ends } = await opened();
    ends[ender].socket.write("last");
    if (how === "resetAndDestroy") await arrived(ends[other], "last");
    ends[ender].socket[how]();
    await expect.poll(ends[other].ended).toBe(ended);
    expect(ends[other].text()).toMatch(/last$/);
    await close();
  });
}

test("a client that has said all still hears what the upstream says", async () => {
  const { asker, upstream, close } = await opened();
  upstream.socket.allowHalfOpen = true;
  asker.socket.end();
  await expect.poll(upstream.ended).toBe("end");
  upstream.socket.end("late");
  await expect.poll(asker.ended).toBe("end");
  expect(asker.text()).toMatch(/late$/);
  await close();
});

test("each side of an upgraded connection holds the other back", async () => {
  for (const [from, to] of [
    ["asker", "upstream"],
    ["upstream", "asker"],
  ] as const) {
    const { close, ...ends } = await opened();
    ends[to].socket.pause();
    expect(await taken(ends[from].socket)).toBeLessThan(30);
    await close();
  }
});

test("open and awaited upgrades end with the proxy, at once", async () => {
  const { asker, upstream, client, heard, stop, close } = await opened();
  const waiting = client(asked.replace("/ws", "/waiting"));
  await heard("/waiting");
  const from = performance.now();
  await stop();
  expect(performance.now() - from).toBeLessThan(1_000);
  for (const end of [asker, upstream, waiting]) await expect.poll(end.ended).not.toBe(null);
  await close();
});

test("a client that leaves before its upgrade is answered leaves the upstream, too", async () => {
  const { client, heard, recorded, close } = await proxied();
  const asker = client(asked);
  const upstream = await heard("\r\n\r\n");
  asker.socket.end();
  await expect.poll(upstream.ended).not.toBe(null);
  await expect.poll(() => recorded.length).toBe(1);
  expect(recorded[0]?.answer).toEqual({ fault: "the client disconnected: its answer wasn't complete" });
  await close();
});

test("what refuses an upgrade passes as it is, however long", async () => {
  const long = "x".repeat(3_000_000);
  const refusal = "HTTP/1.1 426 Use Another\r\nUpgrade: foo\r\nX-Why: 1\r\nContent-Length: 3000000\r\n\r\n";
  const { client, heard, recorded, close } = await proxied();
  const asker = client(asked);
  (await heard("\r\n\r\n")).socket.write(refusal + long);
  await expect.poll(asker.ended).toBe("end");
  expect(asker.text()).toMatch(
    /^HTTP\/1.1 426 Use Another\r\nX-Why: 1\r\nContent-Length: 3000000\r\nConnection: close\r\n/,
  );
  expect(asker.text().endsWith(`\r\n\r\n${long}`)).toBe(true);
  await expect.poll(() => recorded.length).toBe(1);
  expect(recorded[0]?.answer).toMatchObject({ status: 426 });
  await close();
});

test("an upgrade that nobody answers is a 502", async () => {
  const { client, close } = await proxiedTo("http://127.0.0.1:9");
  await arrived(client(asked), "HTTP/1.1 502 Bad Gateway\r\n");
  await close();
});

test("an offer of HTTP/2 is left out, and its request answered, again and again on one connection", async () => {
  const { client, ends, close } = await proxied(({ socket, text }: End) =>
    socket.on("data", () => {
      if (/GET[^]*\r\n\r\n$|\{\}$/.test(text())) socket.write("HTTP/1.1 204 No Content\r\n\r\n");
    }),
  );
  const offer =
    "Host: localhost\r\nX-A: \xe4\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n";
  const asker = client(`POST /one HTTP/1.1\r\n${offer}Content-Length: 2\r\n\r\n{}`);
  await arrived(asker, "204");
  asker.socket.write(`GET /two HTTP/1.1\r\n${offer}\r\n`, "latin1");
  await expect.poll(() => asker.text().match(/204/g)?.length).toBe(2);
  const heard = ends.map((end) => end.text()).join("");
  expect(heard).toMatch(/^POST \/one .*\r\n[\s\S]*X-A: \xe4\r\n[\s\S]*\r\n\r\n\{\}GET \/two /);
  expect(heard).not.toMatch(/h2c|settings/i);
  await close();
});

for (const [what, last] of [
  ["an upgrade", asked],
  ["an offer of HTTP/2", asked.replace("WebSocket", "h2c")],
  ["a tunnel", "CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n"],
] as const)
  test(`${what} behind a request that isn't answered ends the connection`, async () => {
    const { client, running, close } = await proxied();
    const asker = client(`GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n${last}`);
    await expect.poll(asker.ended).not.toBe(null);
    await expect.poll(running).toBe(0);
    await close();
  });

test("through a proxy of the environment, upgrades pass by a tunnel", async () => {
  const { base, heard, close } = await proxied();
  const { client, close: closeOuter } = await proxiedTo("http://vendor.example", { HTTP_PROXY: base });
  const asker = client(asked);
  const upstream = await heard("CONNECT vendor.example:80 HTTP/1.1\r\n");
  await arrived(upstream, "\r\n\r\n");
  upstream.socket.write("HTTP/1.1 200 OK\r\n\r\n");
  await arrived(upstream, "GET /ws?api-key=k HTTP/1.1\r\nhost: vendor.example\r\n");
  upstream.socket.write(`${agreed}hi`);
  await arrived(asker, `${agreed}hi`);
  await closeOuter();
  await close();
});

test("clients that open WebSockets on the next port reach the same upstream, until the proxy ends", async () => {
  const port = await pairOfPorts();
  const { heard, close } = await proxied(undefined, port);
  const next = port + 1;
  connect(next, "127.0.0.1").write(asked.replace("/ws", "/next"));
  await heard("GET /next?api-key=k HTTP/1.1\r\n");
  await close();
  const [refused] = (await once(connect(next, "127.0.0.1"), "error")) as unknown[];
  expect(refused).toMatchObject({ code: "ECONNREFUSED" });
});

test("a next port that is in use is left to others", async () => {
  const port = await pairOfPorts();
  const others = createServer();
  await once(others.listen(port + 1, "127.0.0.1"), "listening");
  const { url, close } = await proxiedTo("http://127.0.0.1:9", {}, port);
  expect(new URL(url).port).toBe(String(port));
  await close();
  expect(others.listening).toBe(true);
  others.close();
});

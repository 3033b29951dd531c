// Routes: keys leave only as target and environment say.
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type LookupFunction } from "node:net";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect, test } from "@playwright/test";
import { buildConnector } from "undici";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { realClock } from "../../harness/core/clock.ts";
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { type ConnectionTimes, timed } from "../../harness/transport/connectionTimes.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import { networkWire } from "../../harness/transport/wire.ts";
import type { WireFault } from "../../harness/transport/wireFault.ts";
import { emptyFolder, start } from "../support/assay.ts";
import { bundled } from "../support/bundled.ts";
import {
  answer,
  certificateFile,
  everywhere,
  type Faulty,
  faulty,
  goodUsage,
  type Misbehaviour,
} from "../support/faultyPlatform.ts";
import { smallTargetAt } from "../support/judgedFaults.ts";
import { portOf, vendor } from "../support/vendor.ts";

const ownersUsage = usageRequest({ as: "owner", keyIn: "header" });

for (const base of [
  "http://vendor.example",
  "http://10.0.0.1:8080",
  "http://127.0.0.1.vendor.example",
  "http://localhost.vendor.example",
]) {
  test(`${base} is refused unless the target says insecure`, () => {
    expect(() => smallTargetAt(base)).toThrow(CommandLineError);
    expect(() => smallTargetAt(base)).toThrow(`bases.admin is "${base}", which would send keys unencrypted`);
    expect(() => smallTargetAt(base, "insecure: false")).toThrow(CommandLineError);
    expect(smallTargetAt(base, "insecure: true").bases.admin).toBe(base);
  });
}

for (const base of [
  "http://127.0.0.1:8080",
  "http://127.9.9.9",
  "http://localhost:1",
  "http://[::1]:1",
  "https://vendor.example",
]) {
  test(`${base} is accepted`, () => expect(smallTargetAt(base).bases.admin).toBe(base));
}

/** A proxy that forwards to one port of loopback, and records what it was asked for. */
async function proxyTo(port: number) {
  const lines: string[] = [];
  const proxy = await vendor(({ method, url }, response) => {
    lines.push(`${method} ${url?.split("?")[0]}`);
    response.writeHead(200, { "content-type": "application/json" }).end(goodUsage());
  });
  proxy.server.on("connect", ({ url }, socket) => {
    lines.push(`CONNECT ${url}`);
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    for (const one of [socket, onward])
      one.on("error", () => undefined).on("close", () => [socket, onward].forEach((other) => other.destroy()));
  });
  return { ...proxy, lines };
}

async function throughProxy(
  base: (server: Faulty) => string,
  environment: (proxy: string) => Readonly<Record<string, string>>,
) {
  const server = await faulty({ isSecure: base({ port: 0 } as Faulty).startsWith("https") });
  const proxy = await proxyTo(server.port);
  const { wire, latestConnection, close } = networkWire({
    environment: { SSL_CERT_FILE: certificateFile, ...environment(proxy.base) },
  });
  const target = smallTargetAt(base(server), "insecure: true");
  const exchange = await transportTo(target, wire, realClock).send(ownersUsage);
  await Promise.all([close(), server.close(), proxy.close()]);
  return { exchange, lines: proxy.lines, isTimed: latestConnection() !== null };
}

for (const variable of ["HTTPS_PROXY", "https_proxy"]) {
  test(`${variable} names the proxy for https, which sees only the host`, async () => {
    const { exchange, lines, isTimed } = await throughProxy(
      () => "https://vendor.example",
      (proxy) => ({ [variable]: proxy }),
    );
    expect({ status: exchange.answer?.status, fault: exchange.fault }).toEqual({ status: 200, fault: null });
    expect([lines, isTimed]).toEqual([["CONNECT vendor.example:443"], false]);
  });
}

test("HTTP_PROXY names the proxy for plain http, with or without a scheme", async () => {
  for (const spelt of [(url: string) => url, (url: string) => url.replace("http://", "")]) {
    const { exchange, lines } = await throughProxy(
      () => "http://vendor.example",
      (proxy) => ({ HTTP_PROXY: spelt(proxy) }),
    );
    expect(exchange.answer?.status).toBe(200);
    expect(lines).toEqual([expect.stringContaining("GET http://vendor.example/v0/admin/projects/")]);
  }
});

test("loopback is never reached through a proxy, nor is what NO_PROXY names", async () => {
  const all = (proxy: string) => ({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: "vendor.invalid" });
  for (const base of [
    ({ port }: Faulty) => `http://127.0.0.1:${port}`,
    ({ port }: Faulty) => `https://localhost:${port}`,
  ]) {
    const { exchange, lines } = await throughProxy(base, all);
    expect({ status: exchange.answer?.status, lines }).toEqual({ status: 200, lines: [] });
  }
  const { exchange, lines } = await throughProxy(() => "https://vendor.invalid", all);
  expect({ kind: exchange.fault?.kind, lines }).toEqual({ kind: "dns", lines: [] });
});

/** What comes from a server with a self-signed certificate: a status, or the kind of fault. */
async function received(port: number, environment: Readonly<Record<string, string>>): Promise<string> {
  const { wire, close } = networkWire({ environment });
  const request = { method: "GET", url: `https://localhost:${port}/`, headers: [] };
  const answer = await wire(request, AbortSignal.timeout(10_000)).catch((fault: unknown) => fault as WireFault);
  await close();
  return String("status" in answer ? answer.status : answer.kind);
}

/** The same in a process of its own, as Node reads these variables when it starts. */
async function receivedInProcess(port: number, environment: Readonly<Record<string, string>>): Promise<string> {
  const script = `
    import { networkWire } from ${JSON.stringify(await bundled("harness/transport/wire.ts"))};
    const { wire, close } = networkWire();
    const request = { method: "GET", url: "https://localhost:${port}/", headers: [] };
    const answer = await wire(request, AbortSignal.timeout(10_000)).catch((fault) => fault);
    await close();
    console.log(String(answer.status ?? answer.kind));`;
  const { stdout } = await start(process.execPath, ["--input-type=module", "-e", script], {
    SSL_CERT_FILE: "",
    NODE_EXTRA_CA_CERTS: "",
    ...environment,
  }).ended;
  return stdout.trim();
}

test("certificates of NODE_EXTRA_CA_CERTS and SSL_CERT_FILE are trusted, no others", async () => {
  const { port, close } = await faulty({ isSecure: true });
  const others = join(emptyFolder(), "others.pem");
  writeFileSync(others, rootCertificates[0] ?? "");
  const trusting: readonly (readonly [heard: Promise<string>, expected: string])[] = [
    [received(port, {}), "tls"],
    [received(port, { SSL_CERT_FILE: others }), "tls"],
    [received(port, { SSL_CERT_FILE: certificateFile }), "404"],
    [receivedInProcess(port, { NODE_TLS_REJECT_UNAUTHORIZED: "0" }), "tls"],
    [receivedInProcess(port, { NODE_EXTRA_CA_CERTS: certificateFile, SSL_CERT_FILE: others }), "404"],
  ];
  expect(await Promise.all(trusting.map(([heard]) => heard))).toEqual(trusting.map(([, expected]) => expected));
  await close();
});

/** Far longer than anything else takes, on a busy machine, too. */
const late_ms = 700;
type Timed = Pick<ConnectionTimes, "dns_ms" | "connect_ms" | "tls_ms"> & { readonly server_ms?: number };

/** The phases that there are, the longest first; of two that are equally long, the later one. */
const inOrder = (times: Timed): readonly string[] =>
  (["server_ms", "tls_ms", "connect_ms", "dns_ms"] as const)
    .flatMap((phase) => (typeof times[phase] === "number" ? [[phase, times[phase]] as const] : []))
    .sort(([, one], [, other]) => other - one)
    .map(([phase]) => phase);

/** What is late on the way to a server, beside what is left of the latency. */
async function timedTo(base: (port: number) => string, late: "handshake" | "answer" | "nothing"): Promise<Timed> {
  const how: Misbehaviour = (socket) =>
    void setTimeout(() => socket.write(answer("GET", 200, "OK", goodUsage())), late === "answer" ? late_ms : 0);
  const server = await faulty({ isSecure: base(0).startsWith("https"), when: everywhere, how });
  // It connects at once, and passes on late what it hears.
  const between = createServer((socket) => {
    const onward = connect(server.port, "127.0.0.1", () =>
      setTimeout(() => socket.pipe(onward).pipe(socket), late === "handshake" ? late_ms : 0),
    );
    for (const one of [socket, onward]) one.on("error", () => undefined).on("close", () => onward.destroy());
  });
  const target = smallTargetAt(base(await portOf(between)));
  const { wire, latestConnection, close } = networkWire({ environment: { SSL_CERT_FILE: certificateFile } });
  const { latency_ms, fault } = await transportTo(target, wire, realClock).send(ownersUsage);
  expect(fault).toBe(null);
  await Promise.all([close(), server.close()]);
  between.close();
  const times = latestConnection();
  if (times === null) throw new Error("no connection was made");
  return { ...times, server_ms: latency_ms - (times.dns_ms ?? 0) - times.connect_ms - (times.tls_ms ?? 0) };
}

/** A connection to a server whose name is found late. */
async function timedByName(): Promise<Timed> {
  const server = await faulty({ isSecure: true });
  const lookup: LookupFunction = (_host, _options, found) =>
    void setTimeout(() => found(null, "127.0.0.1", 4), late_ms);
  const connectTo = buildConnector({ lookup, autoSelectFamily: false, ca: readFileSync(certificateFile) });
  const to = { hostname: "localhost", host: "localhost", protocol: "https:", port: String(server.port) };
  const times = await new Promise<Timed>((known, fail) =>
    timed(connectTo, known)(to, (error, socket) => (error ? fail(error) : socket.destroy())),
  );
  await server.close();
  return times;
}

test("a new connection tells how long its name, its way and its handshake took, apart from the answer", async () => {
  const secure = (port: number): string => `https://localhost:${port}`;
  const plain = (port: number): string => `http://127.0.0.1:${port}`;
  // One after the other: what one waits for would delay another.
  const unencrypted = inOrder(await timedTo(plain, "nothing"));
  const answered = inOrder(await timedTo(secure, "answer"));
  const handshake = inOrder(await timedTo(secure, "handshake"));
  const named = inOrder(await timedByName());
  expect([handshake[0], answered[0], named[0]]).toEqual(["tls_ms", "server_ms", "dns_ms"]);
  expect([handshake.length, answered.length, named.length]).toEqual([4, 4, 3]);
  expect([...unencrypted].sort()).toEqual(["connect_ms", "server_ms"]);
});

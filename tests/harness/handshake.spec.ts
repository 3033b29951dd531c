// Is it told which protocol a server chooses, and why not where it can't be told?
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer as createPlain, type Socket } from "node:net";
import { createServer, type TlsOptions } from "node:tls";
import { expect, test } from "@playwright/test";
import { handshakeBy, type Negotiated } from "../../harness/transport/handshake.ts";
import { certificateFile } from "../support/faultyPlatform.ts";

const certificate = readFileSync(certificateFile);
const trusting = { SSL_CERT_FILE: certificateFile };

interface Met {
  readonly shaken: Negotiated;
  /** What the client offered and said. */
  readonly servername: string | undefined;
  readonly said: string;
}

async function met(
  protocols: readonly string[] | null,
  environment: Readonly<Record<string, string>> = trusting,
): Promise<Met> {
  let [servername, said]: [string | undefined, string] = [undefined, ""];
  const SNICallback: TlsOptions["SNICallback"] = (name, goOn) => {
    servername = name;
    goOn(null);
  };
  const server = createServer(
    { key: certificate, cert: certificate, SNICallback, ...(protocols ? { ALPNProtocols: [...protocols] } : {}) },
    (socket) => {
      socket.on("data", (bytes) => {
        said += String(bytes);
      });
      socket.on("error", () => undefined);
    },
  );
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const shaken = await handshakeBy(environment)(
    new URL(`https://localhost:${(server.address() as AddressInfo).port}/prefix`),
  );
  await new Promise((closed) => server.close(closed));
  return { shaken, servername, said };
}

test("h2 where the server takes it", async () => {
  expect(await met(["h2", "http/1.1"])).toEqual({ shaken: { protocol: "h2" }, servername: "localhost", said: "" });
});

test("http/1.1 where it takes nothing else", async () => {
  expect((await met(["http/1.1"])).shaken).toEqual({ protocol: "http/1.1" });
});

test("none where it doesn't negotiate", async () => {
  expect((await met(null)).shaken).toEqual({ protocol: "none" });
});

test("a certificate that nobody believes shows nothing", async () => {
  expect((await met(["h2"], {})).shaken).toEqual({ withheld: "the handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT)" });
  expect((await met(["h2"], { SSL_CERT_FILE: "/nowhere.pem" })).shaken).toEqual({
    withheld: expect.stringContaining("can't be read from /nowhere.pem (ENOENT)") as unknown,
  });
});

test("plain http and proxies are told before anybody is reached", async () => {
  const https = new URL("https://vendor.example/");
  expect(await handshakeBy({})(new URL("http://vendor.example/"))).toEqual({ withheld: "the base is plain http" });
  expect(await handshakeBy({ https_proxy: "http://127.0.0.1:1" })(https)).toEqual({
    withheld: "HTTPS_PROXY names a proxy, which might answer instead",
  });
});

test("a server that hangs up, or says nothing, shows nothing", async () => {
  const open = new Set<Socket>();
  const server = createPlain((socket) => {
    open.add(socket.on("error", () => undefined));
    if (open.size === 1) socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const base = new URL(`https://localhost:${(server.address() as AddressInfo).port}`);
  const shake = handshakeBy(trusting, 100);
  expect(await shake(base)).toEqual({ withheld: "the handshake failed (ECONNRESET)" });
  expect(await shake(base)).toEqual({ withheld: "the handshake failed (no answer within 0.1 s)" });
  for (const socket of open) socket.destroy();
  await new Promise((closed) => server.close(closed));
});

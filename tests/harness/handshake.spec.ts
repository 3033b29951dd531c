// Handshakes: the protocol that a server chooses, or why it is unknown.
import { readFileSync } from "node:fs";
import { createServer as createPlain, type Socket } from "node:net";
import { createServer, type TlsOptions } from "node:tls";
import { expect, test } from "@playwright/test";
import { handshakeBy } from "../../harness/transport/handshake.ts";
import { certificateFile } from "../support/faultyPlatform.ts";
import { portOf } from "../support/vendor.ts";

const certificate = readFileSync(certificateFile);
const trusting = { SSL_CERT_FILE: certificateFile };

/** What was negotiated, and what the client sent. */
async function connected(
  protocols: readonly string[] | null,
  environment: Readonly<Record<string, string>> = trusting,
) {
  let [servername, sent]: [string | undefined, string] = [undefined, ""];
  const SNICallback: TlsOptions["SNICallback"] = (name, goOn) => {
    servername = name;
    goOn(null);
  };
  const server = createServer(
    { key: certificate, cert: certificate, SNICallback, ...(protocols ? { ALPNProtocols: [...protocols] } : {}) },
    (socket) => {
      socket.on("data", (bytes) => {
        sent += String(bytes);
      });
      socket.on("error", () => undefined);
    },
  );
  server.on("tlsClientError", () => undefined);
  const negotiated = await handshakeBy(environment)(new URL(`https://localhost:${await portOf(server)}/prefix`));
  await new Promise((closed) => server.close(closed));
  return { negotiated, servername, sent };
}

for (const [title, protocols, protocol] of [
  ["h2 where the server takes it", ["h2", "http/1.1"], "h2"],
  ["http/1.1 where it takes nothing else", ["http/1.1"], "http/1.1"],
  ["none where it doesn't negotiate", null, "none"],
] as const)
  test(title, async () => {
    const servername = "localhost";
    expect(await connected(protocols)).toEqual({ negotiated: { protocol }, servername, sent: "" });
  });

test("an untrusted or unreadable certificate gives a reason", async () => {
  expect((await connected(["h2"], {})).negotiated).toEqual({
    withheld: "the handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
  });
  expect((await connected(["h2"], { SSL_CERT_FILE: "/nowhere.pem" })).negotiated).toEqual({
    withheld: expect.stringContaining("can't be read from /nowhere.pem (ENOENT)") as unknown,
  });
});

test("plain http and proxies give a reason before anything is sent", async () => {
  const https = new URL("https://vendor.example/");
  expect(await handshakeBy({})(new URL("http://vendor.example/"))).toEqual({ withheld: "the base is plain http" });
  expect(await handshakeBy({ https_proxy: "http://127.0.0.1:1" })(https)).toEqual({
    withheld: "HTTPS_PROXY names a proxy, which might answer instead",
  });
});

test("a server that hangs up or stays silent gives a reason", async () => {
  const open = new Set<Socket>();
  const server = createPlain((socket) => {
    open.add(socket.on("error", () => undefined));
    if (open.size === 1) socket.destroy();
  });
  const base = new URL(`https://localhost:${await portOf(server)}`);
  const handshake = handshakeBy(trusting, 100);
  expect(await handshake(base)).toEqual({ withheld: "the handshake failed (ECONNRESET)" });
  expect(await handshake(base)).toEqual({ withheld: "the handshake failed (no answer within 0.1 s)" });
  for (const socket of open) socket.destroy();
  await new Promise((closed) => server.close(closed));
});

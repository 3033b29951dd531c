// Bare TLS handshakes that show whether a server chooses h2 or http/1.1 (RFC 7301).
import { isIP } from "node:net";
import { connect } from "node:tls";
import { type Environment, proxyFor, trustOf } from "./route.ts";
import { WireFault } from "./wireFault.ts";

/** The protocol chosen, `none` by a server that doesn't negotiate and so speaks HTTP/1.1; or why it isn't known. */
export type Negotiated = { readonly protocol: string } | { readonly withheld: string };

export type Handshake = (base: URL) => Promise<Negotiated>;

const offered = ["h2", "http/1.1"];

const deadline_ms = 10_000;

/** Handshakes that trust the same certificates as requests. No key and no HTTP is sent. */
export const handshakeBy =
  (environment: Environment = process.env, within_ms = deadline_ms): Handshake =>
  async (base) => {
    if (base.protocol !== "https:") return { withheld: "the base is plain http" };
    const proxyBy = proxyFor(environment, base);
    if (proxyBy) return { withheld: `${proxyBy} names a proxy, which might answer instead` };
    try {
      return { protocol: await chosenBy(base, environment, within_ms) };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return { withheld: `the handshake failed (${error instanceof WireFault ? message : (code ?? message)})` };
    }
  };

function chosenBy({ hostname, port }: URL, environment: Environment, within_ms: number): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, "");
  // RFC 6066 §3: a server is named by a host name, never by an address.
  const named = isIP(host) ? {} : { servername: host };
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...trustOf(environment),
      ...named,
      host,
      port: Number(port || 443),
      ALPNProtocols: offered,
    });
    const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${within_ms / 1000} s`)), within_ms);
    socket.once("secureConnect", () => {
      const { alpnProtocol } = socket;
      resolve(alpnProtocol === null || alpnProtocol === false ? "none" : alpnProtocol);
      socket.destroy();
    });
    socket.on("error", reject).on("close", () => clearTimeout(timer));
  });
}

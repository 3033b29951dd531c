// Routes of requests: direct or through a proxy, and the certificates that are trusted.
import { readFileSync } from "node:fs";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { isLoopback } from "../core/loopback.ts";
import { type ConnectionTimes, timed } from "./connectionTimes.ts";
import { withoutContinue } from "./continue.ts";
import { WireFault } from "./wireFault.ts";

export type Environment = { readonly [name: string]: string | undefined };

/** More than ten times the head of an ordinary answer. */
const largestHead_bytes = 32 * 1024;

const options = { keepAliveTimeout: 4_000, connections: 64, maxHeaderSize: largestHead_bytes };

/**
 * Routes by the usual variables, lower case before upper case: HTTPS_PROXY, HTTP_PROXY, NO_PROXY, and SSL_CERT_FILE,
 * whose certificates are trusted besides those of Node and NODE_EXTRA_CA_CERTS. Loopback is always reached directly.
 * @param onStray called with the origin of a connection on which bytes came that belong to no answer
 * @param onConnect called for each connection to a server that no proxy stands before
 */
export function routesBy(
  environment: Environment,
  onStray: (origin: string) => void,
  onConnect: (times: ConnectionTimes) => void = () => undefined,
) {
  const valueOf = (name: string): string => valueIn(environment, name);
  const tls = () => trustOf(environment);
  const agent = (connect: object): Agent =>
    new Agent({ ...options, connect: timed(withoutContinue(buildConnector(connect)), onConnect) }).on(
      "disconnect",
      (origin, _targets, error) => {
        if (error.message === "bad response" || error.name === "HTTPParserError") onStray(origin.origin);
      },
    );
  const proxied = (proxyTunnel: boolean): EnvHttpProxyAgent => {
    const [httpProxy, httpsProxy] = [valueOf("HTTP_PROXY"), valueOf("HTTPS_PROXY")].map((proxy) =>
      URL.canParse(addressOf(proxy)) ? addressOf(proxy) : "",
    );
    return new EnvHttpProxyAgent({
      ...options,
      httpProxy: httpProxy ?? "",
      httpsProxy: httpsProxy ?? "",
      noProxy: valueOf("NO_PROXY"),
      proxyTunnel,
      requestTls: tls(),
      proxyTls: tls(),
    });
  };
  const makers = {
    plain: () => agent({}),
    secure: () => agent(tls()),
    // Plain requests are forwarded rather than tunnelled: many proxies refuse a tunnel to port 80.
    proxied: () => proxied(false),
    // Upgraded connections pass through tunnels only (RFC 6455 §4.1).
    tunnelled: () => proxied(true),
  } as const;
  const made = new Map<keyof typeof makers, Dispatcher>();
  const dispatcherFor = (way: keyof typeof makers): Dispatcher => {
    const dispatcher = made.get(way) ?? makers[way]();
    made.set(way, dispatcher);
    return dispatcher;
  };
  return {
    /** @throws WireFault where the environment names a proxy or a certificate file that can't be used */
    to: (url: URL, through: "proxied" | "tunnelled" = "proxied") => {
      const proxyBy = proxyFor(environment, url);
      if (!proxyBy) return { dispatcher: dispatcherFor(url.protocol === "https:" ? "secure" : "plain"), proxyBy };
      if (!URL.canParse(addressOf(valueOf(proxyBy))))
        throw new WireFault("proxy", `${proxyBy} isn't a valid proxy address: write it as http://host:port`);
      return { dispatcher: dispatcherFor(through), proxyBy };
    },
    close: async (): Promise<void> => {
      await Promise.all([...made.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

const valueIn = (environment: Environment, name: string): string =>
  environment[name.toLowerCase()] || environment[name] || "";

/** The variable that names a proxy for an address, which NO_PROXY may exempt; null for loopback and where none does. */
export function proxyFor(environment: Environment, url: URL): "HTTP_PROXY" | "HTTPS_PROXY" | null {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  return valueIn(environment, name) && !isLoopback(url) ? name : null;
}

/**
 * The certificates that are trusted.
 * @throws WireFault where the environment names a certificate file that can't be used
 */
export function trustOf(environment: Environment) {
  const file = valueIn(environment, "SSL_CERT_FILE");
  // Explicit, since NODE_TLS_REJECT_UNAUTHORIZED=0 would send keys to anybody.
  return {
    rejectUnauthorized: true,
    ...(file ? { secureContext: contextOf([valueIn(environment, "NODE_EXTRA_CA_CERTS"), file]) } : {}),
  };
}

/** Adds the scheme, which many leave out. */
const addressOf = (proxy: string): string => (/^[a-z0-9]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`);

function contextOf(files: readonly string[]): SecureContext {
  const certificates = files.filter((file) => file !== "").map((file) => readCertificates(file));
  try {
    return createSecureContext({ ca: [...rootCertificates, ...certificates] });
  } catch (error) {
    const { message } = error as Error;
    throw new WireFault("tls", `SSL_CERT_FILE or NODE_EXTRA_CA_CERTS names a file without certificates: ${message}`);
  }
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new WireFault("tls", `SSL_CERT_FILE or NODE_EXTRA_CA_CERTS can't be read from ${file} (${code})`);
  }
}

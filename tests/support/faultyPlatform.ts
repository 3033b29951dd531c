// A small healthy platform on loopback, over bare sockets, that misbehaves on chosen requests.
import { readFileSync } from "node:fs";
import { createServer as createPlain, type Server, type Socket } from "node:net";
import { createServer as createSecure } from "node:tls";
import { fileURLToPath } from "node:url";
import { portOf, vendorKey, vendorProject } from "./vendor.ts";

/** The file describes how the certificate was made. */
export const certificateFile = fileURLToPath(new URL("../fixtures/tls/localhost.pem", import.meta.url));

export interface Heard {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly key: string | null;
  /** 1 for the first request that this server received. */
  readonly nth: number;
}

export type Misbehaviour = (socket: Socket) => void;

export type Faulty = Awaited<ReturnType<typeof faulty>>;

export interface FaultyOptions {
  readonly when?: (heard: Heard) => boolean;
  readonly how?: Misbehaviour;
  /** Whether it speaks TLS, with a self-signed certificate. */
  readonly isSecure?: boolean;
  /** Sent to every client before the connection is closed. */
  readonly greeting?: string;
}

export const everywhere = (): boolean => true;

export async function faulty({
  when = () => false,
  how = (socket) => socket.destroy(),
  isSecure = false,
  greeting,
}: FaultyOptions = {}) {
  const heard: Heard[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const onSocket = (socket: Socket): void => {
    connections += 1;
    open.add(socket);
    if (greeting !== undefined) socket.end(greeting);
    let pending = "";
    // Clients may hang up.
    socket.on("error", () => socket.destroy()).on("close", () => open.delete(socket));
    socket.on("data", (bytes: Buffer) => {
      pending += bytes.toString("latin1");
      for (let end = pending.indexOf("\r\n\r\n"); end >= 0; end = pending.indexOf("\r\n\r\n")) {
        const request = heardIn(pending.slice(0, end), heard.length + 1);
        pending = pending.slice(end + 4);
        heard.push(request);
        if (when(request)) how(socket);
        else socket.write(healthyAnswer(request));
      }
    });
  };
  const pem = isSecure ? readFileSync(certificateFile) : "";
  const server: Server = isSecure
    ? createSecure({ cert: pem, key: pem }, onSocket).on("tlsClientError", () => undefined)
    : createPlain(onSocket);
  return {
    port: await portOf(server),
    heard,
    get connections() {
      return connections;
    },
    close: (): Promise<void> => {
      for (const socket of open) socket.destroy();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

function heardIn(head: string, nth: number): Heard {
  const [first = "", ...lines] = head.split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const header = lines.find((line) => line.toLowerCase().startsWith("x-api-key:"));
  const key =
    header?.slice(header.indexOf(":") + 1).trim() ?? new URL(path, "http://localhost").searchParams.get("api-key");
  return { method, path, key, nth };
}

/** The answer of a platform that meets its requirements, for a project on a paid plan (§4.1, §7.1). */
function healthyAnswer({ method, path, key }: Heard): string {
  const id = /^\/v0\/admin\/projects\/([^/?]+)\/usage(\?|$)/.exec(path)?.[1];
  if (id === undefined) return refusal(method, 404, "Not Found", "Not Found");
  if (method !== "GET" && method !== "HEAD")
    return refusal(method, 405, "Method Not Allowed", "Method Not Allowed", "allow: GET, HEAD\r\n");
  if (key !== vendorKey)
    return refusal(method, 401, "Missing or invalid API key", "Unauthorized", "www-authenticate: ApiKey\r\n");
  if (id.toLowerCase() !== vendorProject) return refusal(method, 400, "Invalid project id", "Bad Request");
  return answer(method, 200, "OK", goodUsage());
}

/** The body of a refusal of the admin API. */
export const refusalBody = (statusCode: number, message: string, error: string): string =>
  JSON.stringify({ statusCode, message, error });
export const unauthorized = refusalBody(401, "Missing or invalid API key", "Unauthorized");

const refusal = (method: string, status: number, message: string, error: string, headers = ""): string =>
  answer(method, status, error, refusalBody(status, message, error), headers);

export const answer = (
  method: string,
  status: number,
  reason: string,
  body: string,
  headers = "",
  type = "application/json",
): string =>
  `HTTP/1.1 ${status} ${reason}\r\ncontent-type: ${type}\r\n${headers}` +
  `content-length: ${Buffer.byteLength(body)}\r\n\r\n${method === "HEAD" ? "" : body}`;

/** The present month. */
function thisCycle(): { readonly start: string; readonly end: string } {
  const now = new Date();
  const day = (month: number, date: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10);
  return { start: day(now.getUTCMonth(), 1), end: day(now.getUTCMonth() + 1, 0) };
}

export function goodUsage(cycle = thisCycle()): string {
  const idle = ["enhancedApi", "walletApi", "das", "webhooks", "preConfirmations", "archival", "compression", "other"];
  const metered = { rpc: 100, ...Object.fromEntries(idle.map((product) => [product, 0])) };
  return JSON.stringify({
    creditsRemaining: 900,
    creditsUsed: 100,
    prepaidCreditsRemaining: 0,
    prepaidCreditsUsed: 0,
    creditCycle: cycle,
    subscriptionDetails: { billingCycle: cycle, creditsLimit: 1000, plan: "business" },
    credits: { ...metered, streamGrpc: 0, streamWebsocket: 0 },
    requests: metered,
    dataTransfer: { streamGrpc: 0, streamWebsocket: 0 },
  });
}

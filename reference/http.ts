// The reference platform on a port of loopback
import type { IncomingMessage } from "node:http";
import { serve } from "@hono/node-server";
import { ConnectionReset } from "./access/limiter.ts";
import type { Platform } from "./platform.ts";

export interface Listening {
  readonly port: number;
  readonly base: string;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1.
 * @param port 0 for a free one
 * @throws the socket's own error, e.g. EADDRINUSE
 */
export function listen(platform: Platform, port: number): Promise<Listening> {
  const fetch = async (request: Request, { incoming }: { incoming: IncomingMessage }): Promise<Response> => {
    const refusal = refusalOf(incoming.headers);
    if (refusal) return refusal;
    return platform
      .fetch(bounded(request, incoming.headers), {
        rawHeaders: pairsOf(incoming.rawHeaders),
        address: incoming.socket.remoteAddress ?? "unknown",
        socket: incoming.socket,
      })
      .catch((error: unknown) => {
        if (error instanceof TooLong) return tooLong();
        if (!(error instanceof ConnectionReset)) throw error;
        incoming.socket.resetAndDestroy();
        return new Response(null);
      });
  };
  return new Promise((resolve, reject) => {
    const server = serve(
      { fetch: fetch as (request: Request) => Promise<Response>, port, hostname: "127.0.0.1" },
      (info) => {
        resolve({
          port: info.port,
          base: `http://127.0.0.1:${info.port}`,
          close: () =>
            new Promise((done) => {
              server.close(() => done());
              if ("closeAllConnections" in server) server.closeAllConnections();
            }),
        });
      },
    );
    server.on("error", reject);
  });
}

/** Bodies of many megabytes are refused as the interface says, those without an end are not read. */
const largestBody_bytes = 32 * 1024 * 1024;
const ownHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/** Another site's page must not reach the platform by a name of its own; null where the request may be served. */
function refusalOf({ host = "", "content-length": length }: IncomingMessage["headers"]): Response | null {
  if (!ownHost.test(host)) return new Response("this platform answers on loopback only\n", { status: 421 });
  return Number(length ?? 0) > largestBody_bytes ? tooLong() : null;
}

class TooLong extends Error {}
const tooLong = (): Response => new Response("the body is too long\n", { status: 413 });

/** A body that doesn't say how long it is ends with an error once it is too long. */
function bounded(request: Request, headers: IncomingMessage["headers"]): Request {
  if (headers["transfer-encoding"] === undefined || !request.body) return request;
  let length = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      length += chunk.length;
      if (length > largestBody_bytes) controller.error(new TooLong());
      else controller.enqueue(chunk);
    },
  });
  const { url, method } = request;
  return new Request(url, {
    method,
    headers: request.headers,
    body: request.body.pipeThrough(counted),
    duplex: "half",
  });
}

const pairsOf = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? "", raw[2 * index + 1] ?? ""]);

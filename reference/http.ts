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
  const fetch = (request: Request, { incoming }: { incoming: IncomingMessage }): Promise<Response> =>
    platform
      .fetch(request, {
        rawHeaders: pairsOf(incoming.rawHeaders),
        address: incoming.socket.remoteAddress ?? "unknown",
        socket: incoming.socket,
      })
      .catch((error: unknown) => {
        if (!(error instanceof ConnectionReset)) throw error;
        incoming.socket.resetAndDestroy();
        return new Response(null);
      });
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

const pairsOf = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? "", raw[2 * index + 1] ?? ""]);

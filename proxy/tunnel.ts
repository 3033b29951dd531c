// Connections that clients upgrade, most to WebSocket (RFC 6455): bytes in both directions once the upstream agrees.
import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, PassThrough } from "node:stream";
import { hasBody, headText, pairsOf } from "./fields.ts";

/** A request that asks for another protocol, and its client's side once the upstream agrees. */
export interface Upgrade {
  readonly protocol: string;
  /** @param head of the upstream's answer */
  readonly open: (head: string, upstream: Duplex) => void;
}

/** Called instead of the server's listener for requests that are upgraded. */
type Forward = (request: IncomingMessage, response: ServerResponse, upgrade: Upgrade) => void;

/** HTTP/2 in clear is an offer that is left out, as RFC 9113 §3.1 allows; and with a body none can be upgraded here. */
const isOffer = (request: IncomingMessage): boolean =>
  /^h2c?\b/i.test(request.headers.upgrade ?? "") || hasBody(request);

/** The end of all such connections. */
export function upgrading(server: Server, forward: Forward): { end(): void } {
  const sockets = new Set<Duplex>();
  let isOver = false;
  server.on("upgrade", (request: IncomingMessage, socket: Socket, first: Buffer) => {
    if (isOffer(request)) {
      // The library has let go of the connection, and takes it again: a request without the offer is answered.
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), first]));
      server.emit("connection", socket);
      return;
    }
    sockets.add(socket.on("close", () => sockets.delete(socket)));
    if (isOver) socket.destroy();
    else forward(request, ...upgraded(request, socket, first));
  });
  return {
    end: () => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** An answer on a connection that the library has let go of; it ends with it. */
export function answerOn(socket: Socket, request: IncomingMessage): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket.on("error", () => socket.destroy()));
  return response.on("finish", () => socket.end());
}

function upgraded(request: IncomingMessage, socket: Socket, first: Buffer): [ServerResponse, Upgrade] {
  const response = answerOn(socket, request);
  socket.unshift(first);
  // Read from the beginning: a client that leaves isn't noticed otherwise.
  const sent = socket.pipe(new PassThrough());
  let isOpen = false;
  socket
    .on("drain", () => isOpen || response.emit("drain"))
    .on("end", () => isOpen || response.writableEnded || socket.destroy());
  const open = (head: string, upstream: Duplex): void => {
    isOpen = true;
    response.detachSocket(socket);
    socket.on("close", () => upstream.destroy());
    upstream.on("error", () => socket.resetAndDestroy()).on("close", () => socket.destroySoon());
    socket.write(head, "latin1");
    sent.pipe(upstream).pipe(socket);
  };
  return [response, { protocol: request.headers.upgrade ?? "", open }];
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const fields = pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() !== "upgrade");
  return Buffer.from(headText(`${method} ${url} HTTP/${httpVersion}`, fields.flat()), "latin1");
}

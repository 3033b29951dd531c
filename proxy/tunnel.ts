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

/** What is done instead of the server's listener. */
interface Released {
  readonly onUpgrade: (request: IncomingMessage, response: ServerResponse, upgrade: Upgrade) => void;
  /** A client takes us for its HTTP proxy. */
  readonly onTunnel: (response: ServerResponse) => void;
}

/** HTTP/2 in clear is an offer that is left out (RFC 9113 §3.1), and the library upgrades no request with a body. */
const isOffer = (request: IncomingMessage): boolean =>
  /^h2c?\b/i.test(request.headers.upgrade ?? "") || hasBody(request);

/** Takes the connections that the library lets go of; gives their end. */
export function released(server: Server, { onUpgrade, onTunnel }: Released): { end(): void } {
  const sockets = new Set<Duplex>();
  let isOver = false;
  const onReleased = (event: string, act: (response: ServerResponse, first: Buffer) => void): void => {
    server.on(event, (request: IncomingMessage, socket: Socket, first: Buffer) => {
      const response = isOver ? null : answerOn(socket, request);
      if (response) act(response, first);
      else socket.destroy();
    });
  };
  const keep = (socket: Socket): void => {
    sockets.add(socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket)));
  };
  onReleased("connect", (response) => {
    keep(response.req.socket);
    onTunnel(response);
  });
  onReleased("upgrade", (response, first) => {
    const { req: request } = response;
    const { socket } = request;
    if (isOffer(request)) {
      response.detachSocket(socket);
      // The library takes it again: a request without the offer is answered.
      socket.unshift(Buffer.concat([headWithoutUpgrade(request), first]));
      server.emit("connection", socket);
      return;
    }
    keep(socket);
    onUpgrade(request, response, upgraded(response, first));
  });
  return {
    end: () => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** An answer that ends its connection; null while an earlier one is under way on it, when no client may ask. */
function answerOn(socket: Socket, request: IncomingMessage): ServerResponse | null {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  try {
    response.assignSocket(socket);
  } catch {
    return null;
  }
  return response.on("finish", () => socket.end());
}

function upgraded(response: ServerResponse, first: Buffer): Upgrade {
  const { socket, headers } = response.req;
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
  return { protocol: headers.upgrade ?? "", open };
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const fields = pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() !== "upgrade");
  return Buffer.from(headText(`${method} ${url} HTTP/${httpVersion}`, fields.flat()), "latin1");
}

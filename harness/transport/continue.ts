// Connections without unasked `100 Continue`, which clients must ignore (RFC 9110 §15.2) and undici takes for an error.
import type { Socket } from "node:net";
import type { buildConnector } from "undici";

type Connector = ReturnType<typeof buildConnector>;

const continued = /^HTTP\/1\.[01] 100 [\s\S]*?\r\n\r\n/;
const start = "HTTP/1.1 100 ";
/** Longer heads aren't interim answers. */
const longestHead_bytes = 1024;

/** The connector, whose sockets leave such answers out. */
export const withoutContinue =
  (connect: Connector): Connector =>
  (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) leaveOut(socket);
      callback(...result);
    });

/** An answer begins with the first bytes after a request. */
function leaveOut(socket: Socket): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  let isAwaited = false;
  let held = Buffer.alloc(0);
  socket.write = ((...written: Parameters<typeof write>) => {
    isAwaited = true;
    return write(...written);
  }) as typeof socket.write;
  socket.read = (size) => {
    const bytes = read(size) as Buffer | null;
    if (!isAwaited || bytes === null) return bytes;
    held = Buffer.concat([held, bytes]);
    for (let text = held.toString("latin1"); ; text = held.toString("latin1")) {
      const [whole] = continued.exec(text) ?? [];
      if (whole === undefined) break;
      held = held.subarray(whole.length);
    }
    const text = held.toString("latin1", 0, longestHead_bytes);
    const mayFollow = text.length < longestHead_bytes && (start.startsWith(text) || /^HTTP\/1\.[01] 100 /.test(text));
    if (mayFollow) return null;
    const rest = held;
    isAwaited = false;
    held = Buffer.alloc(0);
    // What follows isn't HTTP.
    if (text.startsWith("HTTP/1.1 101 ")) Object.assign(socket, { read, write });
    return rest;
  };
}

// How long a new connection takes, in its phases: the name, the way, and the handshake that encrypts it.
import type { Socket } from "node:net";
import type { buildConnector } from "undici";

type Connector = ReturnType<typeof buildConnector>;
/** undici returns the socket, which its types don't say. */
type SocketConnector = (...given: Parameters<Connector>) => Socket;

/** The phases follow one another; null where there is none. */
export interface ConnectionTimes {
  /** When it began, by `performance.now()`. */
  readonly began_ms: number;
  /** Null for an address without a name. */
  readonly dns_ms: number | null;
  readonly connect_ms: number;
  /** Null for one that isn't encrypted. */
  readonly tls_ms: number | null;
}

/** The connector, which tells how long each connection took that was made. */
export const timed =
  (connect: Connector, onConnect: (times: ConnectionTimes) => void): Connector =>
  (options, callback) => {
    const at: { [event in "lookup" | "connect" | "secureConnect"]?: number } = {};
    const began_ms = performance.now();
    const socket = (connect as SocketConnector)(options, (...result) => {
      const { lookup, connect: connected = performance.now(), secureConnect } = at;
      if (result[0] === null)
        onConnect({
          began_ms,
          dns_ms: lookup === undefined ? null : lookup - began_ms,
          connect_ms: connected - (lookup ?? began_ms),
          tls_ms: secureConnect === undefined ? null : secureConnect - connected,
        });
      callback(...result);
    });
    // Before undici's own listeners, which send the request.
    for (const event of ["lookup", "connect", "secureConnect"] as const)
      socket.prependOnceListener(event, () => {
        at[event] = performance.now();
      });
    return socket;
  };

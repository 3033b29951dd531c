// Reach: whether anything accepts connections at an address, for a host that leaves a request unanswered.
import { connect } from "node:net";
import { type Environment, proxyFor } from "./route.ts";

/** True as well behind a proxy, which connects in our place. */
export function acceptsConnections(
  base: URL,
  within_ms: number,
  environment: Environment = process.env,
): Promise<boolean> {
  if (proxyFor(environment, base)) return Promise.resolve(true);
  const { hostname, port, protocol } = base;
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((done) => {
    const socket = connect({ host, port: Number(port || (protocol === "https:" ? 443 : 80)), timeout: within_ms });
    const end = (isOpen: boolean) => (): void => {
      socket.destroy();
      done(isOpen);
    };
    socket.once("connect", end(true)).once("timeout", end(false)).once("error", end(false));
  });
}

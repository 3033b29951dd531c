// A server on a free port of loopback, for proofs and benchmarks
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export async function onLoopback(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: (): Promise<void> => {
      server.closeAllConnections();
      return new Promise((closed) => void server.close(() => closed()));
    },
  };
}

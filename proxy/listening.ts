// A server that begins to listen, or a paragraph why it can't.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CommandLineError } from "../harness/core/commandLineError.ts";

const longestEnd_ms = 3_000;

/** Why nothing can listen there, and what to do. */
export function portProblem(error: unknown, port: number, host: string): CommandLineError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === "EADDRINUSE" ? "is in use" : `can't be listened on (${message})`;
  return new CommandLineError(`Port ${port} of ${host} ${reason}. Choose another port, or 0 for a free one.`);
}

/** The address under which it listens, and its end. @throws CommandLineError where it can't */
export async function listening(server: Server, port: number, host: string) {
  await once(server.listen(port, host), "listening").catch((error: unknown) => {
    throw portProblem(error, port, host);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${chosen}`,
    /** Lets answers under way end, for a few seconds. */
    close: async (): Promise<void> => {
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      setTimeout(() => server.closeAllConnections(), longestEnd_ms).unref();
      await new Promise((closed) => server.close(closed));
      clearInterval(idle);
    },
  };
}

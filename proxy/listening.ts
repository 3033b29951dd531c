// A server that begins to listen, or a paragraph why it can't.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { CommandLineError } from "../harness/core/commandLineError.ts";

/** Why nothing can listen there, and what to do. */
export function portProblem({ code, message }: NodeJS.ErrnoException, port: number, host: string): CommandLineError {
  const reason = code === "EADDRINUSE" ? "is in use" : `can't be listened on (${message})`;
  return new CommandLineError(`Port ${port} of ${host} ${reason}. Name another port, or 0 for a free one.`);
}

/** The address under which it listens. @throws CommandLineError where it can't */
export async function listening(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((done, failed) => {
    server.once("error", (error) => failed(portProblem(error, port, host)));
    server.listen(port, host, done);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${chosen}`;
}

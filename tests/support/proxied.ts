// A proxy between a client and an upstream that both speak in bytes.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect } from "@playwright/test";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import type { Environment } from "../../harness/transport/route.ts";
import { startProxy } from "../../proxy/forwarding.ts";
import { portOf } from "./vendor.ts";

/** One end of a connection, with what it has received. */
export interface End {
  readonly socket: Socket;
  readonly text: () => string;
  /** How the other side ended it; null while it is open. */
  readonly ended: () => "end" | "reset" | null;
}

function endOf(socket: Socket): End {
  let text = "";
  let ended: ReturnType<End["ended"]> = null;
  socket
    .on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
    })
    .on("end", () => {
      ended ??= "end";
    })
    .on("error", ({ code }: NodeJS.ErrnoException) => {
      ended ??= code === "ECONNRESET" ? "reset" : "end";
    })
    .on("close", () => {
      ended ??= "end";
    });
  return { socket, text: () => text, ended: () => ended };
}

/** Waits until a text has arrived. */
export const arrived = (end: End, text: string): Promise<void> =>
  expect.poll(() => end.text(), { intervals: [5], timeout: 5_000 }).toContain(text);

/** @param key hidden in what the proxy says */
export const proxiedTo = async (upstream: string, environment: Environment = {}, port = 0, key?: string) => {
  const recorded: Recorded[] = [];
  const proxy = await startProxy({
    upstream: new URL(upstream),
    port,
    host: "127.0.0.1",
    environment,
    ...(key !== undefined && { redact: (text: string) => text.replaceAll(key, "<key>") }),
    onExchange: (one) => recorded.push(one),
  });
  return {
    ...proxy,
    recorded,
    client: (bytes: string): End => {
      const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
      socket.write(bytes, "latin1");
      return endOf(socket);
    },
  };
};

/** A free port whose next one is free, too, below those that systems give to anyone who asks for none. */
export async function pairOfPorts(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 5_000) * 2;
  const servers = [createServer(), createServer()];
  try {
    for (const [at, server] of servers.entries()) await once(server.listen(port + at, "127.0.0.1"), "listening");
    return port;
  } catch {
    return await pairOfPorts();
  } finally {
    for (const server of servers) server.close();
  }
}

export async function proxied(onConnection: (upstream: End) => void = () => undefined, port = 0) {
  const ends: End[] = [];
  const server = createServer((socket) => {
    const end = endOf(socket);
    ends.push(end);
    onConnection(end);
  });
  const base = `http://127.0.0.1:${await portOf(server)}`;
  const proxy = await proxiedTo(base, {}, port);
  return {
    ...proxy,
    base,
    /** The upstream's ends of connections. */
    ends,
    /** What the upstream heard once it has all of a text. */
    heard: async (text: string): Promise<End> => {
      await expect.poll(() => ends.some((end) => end.text().includes(text)), { intervals: [5] }).toBe(true);
      const [found] = ends.filter((end) => end.text().includes(text));
      if (!found) throw new Error(`${text} wasn't heard`);
      return found;
    },
    /** Closes the proxy only. */
    stop: proxy.close,
    close: async (): Promise<void> => {
      for (const { socket } of ends) socket.destroy();
      await proxy.close();
      server.close();
    },
  };
}

const many = Buffer.alloc(1_000_000, "x");
const amount = 60;

export const manyBytes = amount * many.length;

/** How much of what is written to a socket has left it in MB, once no more leaves. */
export async function taken(sender: Socket): Promise<number> {
  for (let at = 0; at < amount; at += 1) sender.write(many);
  let [before, now] = [-1, 0];
  await expect
    .poll(
      () => {
        [before, now] = [now, sender.bytesWritten - sender.writableLength];
        return now - before;
      },
      { intervals: [250] },
    )
    .toBe(0);
  return now / 1e6;
}

// The page that shows what the proxy finds as it finds it, on a port of its own, by server-sent events.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { listening } from "./listening.ts";

/** What the page shows; keys are removed from it before. */
export interface LiveState {
  readonly target: string;
  /** Where clients connect. */
  readonly proxy: string;
  readonly forwarded: number;
  readonly judged: number;
  readonly unjudged: number;
  readonly operations: readonly { readonly operation: string; readonly exchanges: number }[];
  /** The latest last. */
  readonly findings: readonly LiveFinding[];
  /** Why the run is over, or something isn't recorded; "" where all is well. */
  readonly notice: string;
}

export interface LiveFinding {
  readonly id: string;
  /** `broken`, `warned` and the like. */
  readonly kind: string;
  readonly sentence: string;
  readonly clause: string;
  readonly expected: string;
  readonly got: string;
  readonly times: number;
}

const betweenEvents_ms = 300;
const mostReaders = 20;
/** A reader that has more to take is let go: it connects again, and gets the latest. */
const mostBehind_bytes = 1_000_000;

const page = readFileSync(new URL("page.html", import.meta.url), "utf8");

/** By hashes, so that nothing else in the page takes effect, whatever platforms answer. */
function policyOf(html: string): string {
  const hashOf = (element: string): string => {
    const [, text = ""] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html) ?? [];
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  };
  const sources = `style-src ${hashOf("style")}; script-src ${hashOf("script")}; connect-src 'self'; img-src data:`;
  return `default-src 'none'; ${sources}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

const headers = {
  "content-security-policy": policyOf(page),
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/**
 * Serves the page on loopback.
 * @param port 0 for a free one
 * @throws CommandLineError where the port is in use
 */
export async function startLivePage(port: number) {
  const readers = new Set<ServerResponse>();
  let event = "";
  let timer: NodeJS.Timeout | null = null;
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, text: string): void => {
      response.writeHead(status, { ...headers, "content-type": type }).end(text);
    };
    // A page elsewhere may have its name lead here (DNS rebinding); it can't choose this header.
    if (!isOurs(request.headers.host, request.socket.localPort))
      answer(403, "text/plain", "This page is only shown under an address of this machine.\n");
    else if (request.url === "/") answer(200, "text/html; charset=utf-8", page);
    else if (request.url !== "/events" || readers.size >= mostReaders)
      answer(404, "text/plain", "There is nothing here, or too many pages are open.\n");
    else {
      response.writeHead(200, { ...headers, "content-type": "text/event-stream" }).write(event || ":\n\n");
      readers.add(response.on("close", () => readers.delete(response)));
    }
  });
  const send = (): void => {
    timer = null;
    for (const reader of readers)
      if (reader.writableLength > mostBehind_bytes) reader.destroy();
      else reader.write(event);
  };
  return {
    url: await listening(server, port, "127.0.0.1"),
    /** Readers get the latest state, a few times a second. */
    publish: (state: LiveState): void => {
      event = `data: ${JSON.stringify(state)}\n\n`;
      timer ??= setTimeout(send, betweenEvents_ms);
    },
    close: async (): Promise<void> => {
      if (timer !== null) clearTimeout(timer);
      send();
      for (const reader of readers) reader.end();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const isOurs = (host = "", port = 0): boolean =>
  ["127.0.0.1", "localhost"].some((name) => host.toLowerCase() === `${name}:${port}`);

// The page that shows what the proxy finds as it finds it, on a port of its own, by server-sent events.
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { isOwnHost } from "../harness/core/loopback.ts";
import { listening } from "./listening.ts";

/** What the page shows above the exchanges; keys are removed from it before. */
export interface LiveState {
  readonly target: string;
  /** Where clients connect. */
  readonly proxy: string;
  readonly forwarded: number;
  /** How many of them are still to be judged. */
  readonly waiting: number;
  /** How many of them came faster than they could be judged, so that they aren't listed. */
  readonly unlisted: number;
  /** Exchanges by the worst that was found in each, in words: `3 broken`. */
  readonly counts: readonly { readonly kind: string; readonly count: number; readonly text: string }[];
  readonly operations: readonly { readonly name: string; readonly exchanges: number }[];
  /** Why exchanges weren't judged. */
  readonly reasons: readonly { readonly name: string; readonly exchanges: number }[];
  /** The worst first, each with the first exchange that shows it. */
  readonly findings: readonly LiveFinding[];
  /** Why the run is over, or something isn't recorded; "" where all is well. */
  readonly notice: string;
}

export interface LiveFinding extends LiveBreach {
  readonly times: number;
  readonly sentAt_ms: number;
  readonly request: string;
}

export interface LiveBreach {
  readonly id: string;
  /** `broken`, `warned` and the like. */
  readonly kind: string;
  /** Of the answer: a JSON pointer, `status` or `header …`. */
  readonly place: string;
  readonly expected: string;
  readonly got: string;
}

/** A call of an exchange; a batch has several. */
export interface LiveCall {
  readonly title: string;
  /** Why it wasn't judged; "" where it was. */
  readonly unjudged: string;
  /** Ids of requirements that it satisfied. */
  readonly held: readonly string[];
  readonly broken: readonly LiveBreach[];
}

/** A line of the page; it holds no key. */
export interface LiveExchange {
  /** From 1 on, without gaps. */
  readonly number: number;
  readonly sentAt_ms: number;
  /** A JSON-RPC method, or an HTTP method and a path. */
  readonly request: string;
  /** What else identifies it, such as parameters. */
  readonly about: string;
  /** As it was sent: HTTP method and address. */
  readonly line: string;
  readonly status: string;
  readonly latency_ms: number;
  /** The worst that was found in it; `unjudged` where nothing was judged. */
  readonly kind: string;
  readonly calls: readonly LiveCall[];
}

/** What stays the same while the page is open. */
export interface LiveNames {
  readonly kinds: { readonly [kind: string]: { readonly sign: string; readonly name: string } };
  /** Sentence and clause by the id of a requirement. */
  readonly requirements: { readonly [id: string]: string };
}

/** Earlier ones are counted, and neither kept nor shown. */
export const mostListed = 200;
const mostReaders = 20;
/** When a page that lost the connection tries again. */
const retry_ms = 1_000;
/** The page takes three times as long without any for a connection that is lost. */
const signOfLife_ms = 2_000;
/** A reader that has more to take is let go: it connects again, and gets the latest. */
const mostBehind_bytes = 1_000_000;

const page = readFileSync(new URL("page.html", import.meta.url), "utf8");
const [, style = "", , script = ""] = page.split(/<\/?(?:style|script)>/);
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const headers = new Headers({
  // By hashes, so that nothing else in the page takes effect, whatever platforms answer.
  "content-security-policy":
    `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; connect-src 'self'; ` +
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
});
const plain = { "content-type": "text/plain" };

const eventOf = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Serves the page on loopback.
 * @param port 0 for a free one
 * @throws CommandLineError where the port is in use
 */
export async function startLivePage(port: number, names: LiveNames) {
  // Numbers begin anew where the proxy was started again.
  const session = randomUUID();
  const readers = new Set<ServerResponse>();
  let listed: readonly LiveExchange[] = [];
  let state = ":\n\n";
  let published_ms = 0;
  const server = createServer(({ headers: { host = "" }, url }, response) => {
    response.setHeaders(headers);
    if (!isOwnHost(host))
      response.writeHead(403, plain).end("This page is shown only under an address of this machine.\n");
    else if (url === "/") response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    else if (url !== "/events" || readers.size >= mostReaders)
      response.writeHead(404, plain).end("There is nothing here, or too many pages are open.\n");
    else {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(state);
      response.write(`retry: ${retry_ms}\n${eventOf("all", { ...names, session, mostListed, exchanges: listed })}`);
      readers.add(response.on("close", () => readers.delete(response)));
    }
  });
  const { url, close } = await listening(server, port, "127.0.0.1");
  return {
    url,
    /** Readers get at once what changed, and at intervals a sign of life. @param fresh exchanges since the last time */
    publish: (next: LiveState, fresh: readonly LiveExchange[] = []): void => {
      listed = [...listed, ...fresh].slice(-mostListed);
      const before = state;
      state = `data: ${JSON.stringify(next)}\n\n`;
      const isDue = performance.now() - published_ms > signOfLife_ms;
      if (state === before && fresh.length === 0 && !isDue) return;
      published_ms = performance.now();
      const event = fresh.length > 0 ? state + eventOf("exchanges", fresh.slice(-mostListed)) : state;
      for (const reader of readers)
        if (reader.writableLength > mostBehind_bytes) reader.destroy();
        else reader.write(event);
    },
    close: async (): Promise<void> => {
      for (const reader of readers) reader.end();
      await close();
    },
  };
}

// The page that shows what the proxy finds as it finds it, on a port of its own, by server-sent events.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { RecordingReport } from "../harness/record/recording.ts";
import { listening } from "./listening.ts";

/** What the page shows; keys are removed from it before. */
export interface LiveState extends Pick<RecordingReport, "judged" | "operations"> {
  readonly target: string;
  /** Where clients connect. */
  readonly proxy: string;
  readonly forwarded: number;
  readonly unjudged: number;
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

const mostReaders = 20;
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

/**
 * Serves the page on loopback.
 * @param port 0 for a free one
 * @throws CommandLineError where the port is in use
 */
export async function startLivePage(port: number) {
  const readers = new Set<ServerResponse>();
  let event = ":\n\n";
  const server = createServer(({ headers: { host = "" }, socket: { localPort }, url }, response) => {
    response.setHeaders(headers);
    // A page elsewhere may have its name lead here (DNS rebinding); it can't choose this header.
    if (![`127.0.0.1:${localPort}`, `localhost:${localPort}`].includes(host.toLowerCase()))
      response.writeHead(403, plain).end("This page is shown only under an address of this machine.\n");
    else if (url === "/") response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    else if (url !== "/events" || readers.size >= mostReaders)
      response.writeHead(404, plain).end("There is nothing here, or too many pages are open.\n");
    else {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(event);
      readers.add(response.on("close", () => readers.delete(response)));
    }
  });
  const { url, close } = await listening(server, port, "127.0.0.1");
  return {
    url,
    /** Readers get the state at once. */
    publish: (state: LiveState): void => {
      event = `data: ${JSON.stringify(state)}\n\n`;
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

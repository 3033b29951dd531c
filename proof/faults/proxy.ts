// A proxy on loopback that passes requests to a platform in this process, and causes faults on some
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { isGzipped } from "../../harness/transport/contentCoding.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import { onLoopback } from "../loopbackServer.ts";
import type { Earlier, FaultedAnswer, FaultKind } from "./kinds.ts";

const day_ms = 86_400_000;

/** So many answers later an earlier one is replayed. */
const longBefore = 100;
/** Until then nothing has shown that the platform's clock runs, by which an answer of long before is told. */
const clockIsKnownAfter_ms = 20_000;

/** Hop-by-hop, or made anew. */
const ownHeaders = ["connection", "content-length", "transfer-encoding", "keep-alive"];

interface ProxyOptions {
  readonly wire: Wire;
  readonly kind: FaultKind | null;
  /** Whether the next request meets a fault. */
  readonly drawFault: () => boolean;
  /** How long the run has taken: the platform's calendar stands still, its Date mustn't. */
  readonly elapsed_ms: () => number;
}

export async function faultProxy({ wire, kind, drawFault, elapsed_ms }: ProxyOptions) {
  const answers: Earlier[] = [];
  let faulted = 0;
  const later = (date: string): string => {
    const then_ms = Date.parse(date);
    const midnight_ms = Math.floor(then_ms / day_ms + 1) * day_ms;
    return new Date(Math.min(then_ms + elapsed_ms(), midnight_ms - 1)).toUTCString();
  };
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url = "/", rawHeaders, headers, socket } = request;
    const bytes = await buffer(request);
    const sent = rawHeaders.flatMap((name, nth) =>
      nth % 2 === 0 ? [[name.toLowerCase(), rawHeaders[nth + 1] ?? ""] as const] : [],
    );
    const answer = await wire(
      {
        method,
        url: `http://${headers.host}${url}`,
        headers: sent.filter(([name]) => !ownHeaders.includes(name)),
        ...(bytes.length > 0 ? { body: (isGzipped(sent) ? gunzipSync(bytes) : bytes).toString() } : {}),
      },
      AbortSignal.timeout(10_000),
    );
    const original: Earlier = {
      body: Buffer.from(answer.body),
      original: {
        ...answer,
        headers: answer.headers.map(([name, value]) => [name, name === "date" ? later(value) : value]),
      },
    };
    answers.push(original);
    const isFaulty = kind !== null && drawFault();
    if (!isFaulty) {
      passOn(response, original);
      return;
    }
    faulted += 1;
    // Written beside the server: the connection is of no further use to it.
    socket.setMaxListeners(0).once("error", () => socket.destroy());
    const raw = (change: FaultedAnswer | Earlier): Buffer => Buffer.concat(rawOf(original, change, method));
    kind.how({
      host: headers.host ?? "",
      body: original.body,
      earlier: answers.at(-1 - longBefore),
      isClockKnown: elapsed_ms() >= clockIsKnownAfter_ms,
      pass: (change) => void socket.write(raw(change)),
      passSlowly: () => {
        for (const byte of raw({})) socket.write(Buffer.of(byte));
      },
      write: (some) => void socket.write(some),
      end: () => socket.end(),
      reset: () => socket.resetAndDestroy(),
      onClose: (act) => void socket.once("close", act),
    });
  };
  return { ...(await onLoopback((request, response) => void pass(request, response))), faulted: () => faulted };
}

function passOn(response: ServerResponse, { body, original }: Earlier): void {
  const headers = original.headers.filter(([name]) => !ownHeaders.includes(name));
  response.writeHead(original.status, headers.flat());
  response.end(body);
}

function rawOf({ body, original }: Earlier, change: FaultedAnswer | Earlier, method: string): Buffer[] {
  const answer = "original" in change ? change.original : original;
  const changed = "original" in change ? { body: change.body } : change;
  const written = changed.body ?? body;
  const lines = answer.headers
    .filter(([name]) => !ownHeaders.includes(name))
    .map(([name, value]) => `${name}: ${name === "content-type" ? (changed.type ?? value) : value}`);
  const head = [
    `HTTP/1.1 ${answer.status} Passed`,
    ...lines,
    ...(changed.headers ? [changed.headers] : []),
    `content-length: ${written.length}`,
    "connection: close",
  ];
  return [Buffer.from(`${head.join("\r\n")}\r\n\r\n`), ...(method === "HEAD" ? [] : [written])];
}

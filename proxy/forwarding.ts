// The proxy: forwards each request to the upstream as it is, and hands on a copy of it with its answer.
import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Recorded, RecordedAnswer } from "../harness/recordings/recorded.ts";
import { type Environment, routesBy } from "../harness/transport/route.ts";
import { faultOf, WireFault } from "../harness/transport/wireFault.ts";
import { copyIn } from "./copying.ts";
import { grouped, lowered, onward, pairsOf, textsIn } from "./fields.ts";
import { listening } from "./listening.ts";

export interface ProxyOptions {
  /** Only its origin counts: clients ask for whole paths. */
  readonly upstream: URL;
  /** 0 for a free one. */
  readonly port: number;
  readonly host: string;
  /** Names proxies and certificates for the way to the upstream; by default the process's. */
  readonly environment?: Environment;
  /** Called when the answer has been handed to the client; must not throw. */
  readonly onExchange: (recorded: Recorded) => void;
}

/** @throws CommandLineError where the environment names a proxy or certificates of no use */
function wayTo({ upstream, environment = process.env, onExchange }: Omit<ProxyOptions, "port" | "host">) {
  const routes = routesBy(environment, () => undefined);
  try {
    return { upstream, ...routes.to(upstream), close: routes.close, copies: { bytes: 0 }, running: 0, onExchange };
  } catch (error) {
    throw error instanceof WireFault ? new CommandLineError(`${error.message}.`) : error;
  }
}

type Way = ReturnType<typeof wayTo>;

/** @throws CommandLineError where the port is in use, or the environment names a proxy or certificates of no use */
export async function startProxy({ port, host, ...options }: ProxyOptions) {
  const way = wayTo(options);
  // Time limits and the size of a head are left to the upstream.
  const limits = { maxHeaderSize: 256 * 1024, requestTimeout: 0, keepAliveTimeout: 60_000 };
  const server = createServer(limits, (request, response) => forward(way, request, response));
  const { url, close } = await listening(server, port, host);
  return {
    origin: way.upstream.origin,
    url,
    /** How many requests are being forwarded. */
    running: () => way.running,
    close: async (): Promise<void> => {
      await close();
      await way.close();
    },
  };
}

function forward(way: Way, request: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  if (/\bwebsocket\b/i.test(request.headers.upgrade ?? "")) {
    refuse(response, 501, "Assay's proxy doesn't forward WebSockets. Connect to the platform directly.");
    return;
  }
  const { method = "GET" } = request;
  const { origin, host } = way.upstream;
  const path = pathOf(request.url ?? "/");
  const fields = ["host", host, ...onward(request.rawHeaders, ["host", request.headers.connection].join())];
  const began = performance.now();
  const sentAt_ms = Date.now();
  const sent = hasBody(request) ? copyIn(way.copies) : null;
  const body = sent && bodyOf(request, sent.add);
  way.running += 1;
  const handler = answering(way, request, response, (answer, received) => {
    way.running -= 1;
    const latency_ms = performance.now() - began;
    body?.destroy();
    // What the client gets is written before.
    setImmediate(() => {
      const asked = sent?.take();
      const answered = received.take();
      way.onExchange({
        method,
        url: origin + path,
        headers: lowered(fields),
        body: asked && isUtf8(asked) ? asked.toString() : null,
        answer: "fault" in answer ? answer : { ...answer, body: answered },
        sentAt_ms,
        latency_ms,
        isExact: true,
      });
    });
  });
  const headers = way.proxyBy ? grouped(fields) : fields;
  way.dispatcher.dispatch({ origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 }, handler);
}

type Answer = Omit<RecordedAnswer, "body"> | { readonly fault: string };

/** Hands an answer to the client as it comes. */
function answering(
  { upstream, proxyBy, copies }: Way,
  request: IncomingMessage,
  response: ServerResponse,
  onEnd: (answer: Answer, received: ReturnType<typeof copyIn>) => void,
): Dispatcher.DispatchHandler {
  const received = copyIn(copies);
  let head: Omit<RecordedAnswer, "body"> | null = null;
  let controller: Dispatcher.DispatchController | undefined;
  let isOver = false;
  const end = (answer: Answer): void => {
    isOver = true;
    onEnd(answer, received);
  };
  response.on("drain", () => controller?.resume());
  response.on("close", () => {
    if (isOver) return;
    end({ fault: "the client disconnected: its answer wasn't complete" });
    controller?.abort(new Error("the client left"));
  });
  return {
    onRequestStart: (started) => {
      controller = started;
      if (isOver) started.abort(new Error("the client left"));
    },
    onResponseStart: ({ rawHeaders }, status, { link, connection, "transfer-encoding": coding }, message) => {
      // Of the others before an answer, `100 Continue` is between neighbours, and the rest is hardly ever sent.
      if (status === 103 && link) response.writeEarlyHints({ link });
      if (status < 200) return;
      const fields = textsIn(rawHeaders);
      head = { status, headers: lowered(fields) };
      // Framed as the upstream frames it: by a length, in chunks, or by the end of the connection.
      response.useChunkedEncodingByDefault &&= coding !== undefined;
      const isBodiless = request.method === "HEAD" || status === 204 || status === 304;
      const mayTrail = response.useChunkedEncodingByDefault && !isBodiless;
      const passed = onward(fields, [connection, mayTrail ? "" : "trailer"].join());
      // The library reads the message as UTF-8, where it gives it: each byte must be a character again.
      response.writeHead(status, message && Buffer.from(message).toString("latin1"), passed);
      process.nextTick(() => {
        if (received.length() === 0 && !isOver) response.flushHeaders();
      });
    },
    onResponseData: (paused, chunk) => {
      received.add(chunk);
      if (!response.write(chunk)) paused.pause();
    },
    onResponseEnd: ({ rawTrailers }) => {
      response.addTrailers(pairsOf(textsIn(rawTrailers)));
      response.end();
      if (head) end(head);
    },
    onResponseError: (_controller, error: NodeJS.ErrnoException) => {
      if (isOver) return;
      const status = head?.status ?? null;
      const bytes = received.length();
      const fault = faultOf(error, { status, bytes, proxyBy, isAborted: false });
      // Ends the client's connection as the upstream's ended; what has no counterpart there is answered.
      if (!response.headersSent && fault.kind !== "reset")
        refuse(response, 502, `Assay's proxy got no answer from ${upstream.host}: ${fault.kind}, ${fault.message}`);
      else if (error.code === "ECONNRESET") request.socket.resetAndDestroy();
      // What came before the end is sent first.
      else request.socket.destroySoon();
      end({ fault: `${fault.kind}: ${fault.message}` });
    },
  };
}

/** Path and query byte for byte; a client that takes us for its proxy puts an origin before them. */
function pathOf(target: string): string {
  const asked = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return /^[/*]/.test(asked) ? asked : `/${asked}`;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** The library destroys what it is given and counts what it holds, so that it gets neither the request nor its end. */
function bodyOf(request: IncomingMessage, onChunk: (chunk: Buffer) => void): Readable {
  // Objects: bytes that are all there would be sent with a length where the client sent chunks.
  const body = new Readable({ objectMode: true, highWaterMark: 1, read: () => void request.resume() });
  const onData = (chunk: Buffer): void => {
    onChunk(chunk);
    if (!body.push(chunk)) request.pause();
  };
  request
    .on("data", onData)
    .on("end", () => body.push(null))
    .on("close", () => request.complete || body.destroy(new Error("the client left")))
    .pause();
  // What the upstream doesn't want is read all the same: the client could not read the answer otherwise.
  return body.on("error", () => undefined).on("close", () => request.off("data", onData).resume());
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", connection: "close" };
  response.writeHead(status, headers).end(`${sentence}\n`);
}

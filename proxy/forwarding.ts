// The proxy: forwards each request to the upstream as it is, and hands on a copy of it with its answer.
import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Recorded } from "../harness/recordings/recorded.ts";
import { type Environment, routesBy } from "../harness/transport/route.ts";
import { faultOf, WireFault } from "../harness/transport/wireFault.ts";
import { type Copies, copyIn } from "./copying.ts";
import { type Fields, fieldsOf, grouped, has, inTurn, lowered, onward, withHost } from "./fields.ts";
import { listening } from "./listening.ts";

interface Head {
  readonly status: number;
  /** As they came. */
  readonly fields: Fields;
}

export interface ProxyOptions {
  /** Only its origin counts: clients ask for whole paths. */
  readonly upstream: URL;
  /** 0 for a free one. */
  readonly port: number;
  readonly host: string;
  /** Names proxies and certificates for the way to the upstream. */
  readonly environment: Environment;
  /** Called when the answer has been handed to the client; must not throw. */
  readonly onExchange: (recorded: Recorded) => void;
}

const longestEnd_ms = 3_000;

interface Way extends Pick<ProxyOptions, "upstream" | "onExchange"> {
  readonly dispatcher: Dispatcher;
  /** The variable that names the proxy in between, if there is one. */
  readonly proxyBy: string | null;
  readonly copies: Copies;
  running: number;
}

/** One request on its way to the upstream, and its answer on the way back. */
interface Passage {
  readonly way: Way;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly received: ReturnType<typeof copyIn>;
  readonly onEnd: (head: Head | null, fault: string) => void;
}

/** @throws CommandLineError where the port is in use, or the environment names a proxy or certificates of no use */
export async function startProxy({ upstream, port, host, environment, onExchange }: ProxyOptions) {
  const routes = routesBy(environment, () => undefined);
  const way: Way = { upstream, ...routeTo(upstream, routes), copies: { bytes: 0 }, running: 0, onExchange };
  // Time limits are the upstream's affair, and so is the size of a head.
  const server = createServer({ maxHeaderSize: 256 * 1024, requestTimeout: 0, keepAliveTimeout: 60_000 }).on(
    "request",
    (request, response) => forward(way, request, response),
  );
  const url = await listening(server, port, host);
  return {
    url,
    /** How many requests are being forwarded. */
    running: () => way.running,
    /** Lets answers under way end, for a few seconds. */
    close: async (): Promise<void> => {
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      const late = setTimeout(() => server.closeAllConnections(), longestEnd_ms);
      await new Promise((closed) => server.close(closed));
      clearInterval(idle);
      clearTimeout(late);
      await routes.close();
    },
  };
}

function routeTo(upstream: URL, routes: ReturnType<typeof routesBy>): Pick<Way, "dispatcher" | "proxyBy"> {
  try {
    return routes.to(upstream);
  } catch (error) {
    throw error instanceof WireFault ? new CommandLineError(`${error.message}.`) : error;
  }
}

function forward(way: Way, request: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  if (/\bwebsocket\b/i.test(request.headers.upgrade ?? "")) {
    refuse(response, 501, "Assay's proxy doesn't forward WebSockets. Connect to the platform itself.");
    return;
  }
  const { method = "GET" } = request;
  const { origin, host } = way.upstream;
  const path = pathOf(request.url ?? "/");
  const fields = withHost(onward(fieldsOf(request.rawHeaders)), host);
  const [began, sentAt_ms] = [performance.now(), Date.now()];
  const [sent, received] = [copyIn(way.copies), copyIn(way.copies)];
  const body = hasBody(request) ? bodyOf(request, sent.add) : null;
  way.running += 1;
  const onEnd: Passage["onEnd"] = (head, fault) => {
    way.running -= 1;
    const latency_ms = performance.now() - began;
    body?.destroy();
    // What the client gets is written before.
    setImmediate(() => {
      const [asked, answered] = [sent.take(), received.take()];
      way.onExchange({
        method,
        url: origin + path,
        headers: lowered(fields),
        body: body && asked && isUtf8(asked) ? asked.toString() : null,
        answer: head ? { status: head.status, headers: lowered(head.fields), body: answered } : { fault },
        sentAt_ms,
        latency_ms,
        isExact: true,
      });
    });
  };
  const headers = way.proxyBy ? grouped(fields) : inTurn(fields);
  way.dispatcher.dispatch(
    { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 },
    answering({ way, request, response, received, onEnd }),
  );
}

/** Hands an answer to the client as it comes. */
function answering({ way, request, response, received, onEnd }: Passage): Dispatcher.DispatchHandler {
  let head: Head | null = null;
  let controller: Dispatcher.DispatchController | undefined;
  let isOver = false;
  const end = (whole: Head | null, fault = ""): void => {
    isOver = true;
    onEnd(whole, fault);
  };
  response.on("drain", () => controller?.resume());
  response.on("close", () => {
    if (isOver) return;
    end(null, "other: the client left before the answer was whole");
    controller?.abort(new Error("the client left"));
  });
  return {
    onRequestStart: (started) => {
      controller = started;
      if (isOver) started.abort(new Error("the client left"));
    },
    onResponseStart: ({ rawHeaders }, status, { link }, message) => {
      // Of the others before an answer, `100 Continue` is between neighbours, and the rest is hardly ever sent.
      if (status === 103 && link) response.writeEarlyHints({ link });
      if (status < 200) return;
      head = { status, fields: fieldsOf(rawHeaders as Buffer[]) };
      begin(request, response, head, message);
      process.nextTick(() => {
        if (received.length() === 0 && !isOver) response.flushHeaders();
      });
    },
    onResponseData: (paused, chunk) => {
      received.add(chunk);
      if (!response.write(chunk)) paused.pause();
    },
    onResponseEnd: ({ rawTrailers }) => {
      response.addTrailers(fieldsOf((rawTrailers ?? []) as Buffer[]) as [string, string][]);
      response.end();
      end(head);
    },
    onResponseError: (_controller, error) => {
      if (isOver) return;
      const progress = {
        status: head?.status ?? null,
        bytes: received.length(),
        proxyBy: way.proxyBy,
        isAborted: false,
      };
      const fault = faultOf(error, progress);
      fail(way.upstream, request, response, fault, error);
      end(null, `${fault.kind}: ${fault.message}`);
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

/** Framed as the upstream frames it: by a length, in chunks, or by the end of the connection. */
function begin(
  { method, httpVersion }: IncomingMessage,
  response: ServerResponse,
  { status, fields }: Head,
  message: string | undefined,
): void {
  const isChunked = has(fields, "transfer-encoding");
  if (!isChunked && !has(fields, "content-length")) response.useChunkedEncodingByDefault = false;
  const mayTrail = isChunked && method !== "HEAD" && httpVersion === "1.1" && status !== 204 && status !== 304;
  const passed = onward(fields).filter(([name]) => mayTrail || name.length !== 7 || !/^trailer$/i.test(name));
  // The library reads the message as UTF-8, where it gives it: each byte must be a character again.
  response.writeHead(status, message && Buffer.from(message).toString("latin1"), inTurn(passed));
}

/** Ends the client's connection as the upstream's ended; what has no counterpart there is answered. */
function fail({ host }: URL, request: IncomingMessage, response: ServerResponse, fault: WireFault, error: Error): void {
  if (!response.headersSent && fault.kind !== "reset")
    refuse(response, 502, `Assay's proxy got no answer from ${host}: ${fault.kind}, ${fault.message}`);
  else if ((error as NodeJS.ErrnoException).code === "ECONNRESET") request.socket.resetAndDestroy();
  // What came before the end is sent first.
  else request.socket.destroySoon();
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", connection: "close" };
  response.writeHead(status, headers).end(`${sentence}\n`);
}

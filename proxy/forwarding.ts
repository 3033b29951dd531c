// The proxy: forwards each request to the upstream as it is, and hands on a copy of it with its answer.
import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { isOwnHost, meansOwnMachine } from "../harness/core/loopback.ts";
import type { Redactor } from "../harness/core/secret.ts";
import type { Recorded, RecordedAnswer } from "../harness/recordings/recorded.ts";
import { type Environment, routesBy } from "../harness/transport/route.ts";
import { faultOf, WireFault } from "../harness/transport/wireFault.ts";
import { copyIn } from "./copying.ts";
import { grouped, hasBody, headText, lowered, onward, pairsOf, textsIn } from "./fields.ts";
import { listening } from "./listening.ts";
import { released, type Upgrade } from "./tunnel.ts";

export interface ProxyOptions {
  /** Only its origin counts: clients ask for whole paths. */
  readonly upstream: URL;
  /** 0 for a free one. */
  readonly port: number;
  readonly host: string;
  /** Names proxies and certificates for the way to the upstream; by default the process's. */
  readonly environment?: Environment;
  /** Hides keys in what clients are told: one may stand in the upstream's host. */
  readonly redact?: Redactor;
  /** Called when the answer has been handed to the client; must not throw. */
  readonly onExchange: (recorded: Recorded) => void;
}

/** @throws CommandLineError where the environment names a proxy or certificates of no use */
function wayTo({
  upstream,
  environment = process.env,
  redact = (text) => text,
  onExchange,
}: Omit<ProxyOptions, "port" | "host">) {
  const routes = routesBy(environment, () => undefined);
  try {
    const { dispatcher: tunnelling } = routes.to(upstream, "tunnelled");
    const way = { upstream, ...routes.to(upstream), tunnelling, close: routes.close };
    return { ...way, redact, copies: { bytes: 0 }, running: 0, onExchange };
  } catch (error) {
    throw error instanceof WireFault ? new CommandLineError(`${error.message}.`) : error;
  }
}

type Way = ReturnType<typeof wayTo>;

/**
 * Listens on the next port, too, where that is free: many clients of Solana open WebSockets there.
 * @throws CommandLineError where the port is in use, or the environment names a proxy or certificates of no use
 */
export async function startProxy({ port, host, ...options }: ProxyOptions) {
  const way = wayTo(options);
  const first = await serve(way, port, host);
  const next = await serve(way, Number(new URL(first.url).port) + 1, host).catch(() => null);
  return {
    origin: way.upstream.origin,
    url: first.url,
    /** How many requests are being forwarded. */
    running: () => way.running,
    close: async (): Promise<void> => {
      await Promise.all([first.close(), next?.close()]);
      await way.close();
    },
  };
}

async function serve(way: Way, port: number, host: string) {
  // Time limits and the size of a head are left to the upstream.
  const limits = { maxHeaderSize: 256 * 1024, requestTimeout: 0, keepAliveTimeout: 60_000 };
  const server = createServer(limits, (request, response) => forward(way, request, response));
  const upgrades = released(server, {
    onUpgrade: (request, response, upgrade) => forward(way, request, response, upgrade),
    onTunnel: (response) => refuse(response, 501, `Assay's proxy makes no tunnels. ${addressAsBase}`),
  });
  const { url, close } = await listening(server, port, host);
  return {
    url,
    close: async (): Promise<void> => {
      upgrades.end();
      await close();
    },
  };
}

function forward(way: Way, request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): void {
  response.sendDate = false;
  const other = otherHost(request, way);
  if (other !== null) {
    const text = `Assay's proxy forwards to ${way.upstream.host}, not to ${other}. ${addressAsBase}`;
    refuse(response, 421, way.redact(text));
    return;
  }
  if (!isMeant(request, way)) {
    const text = `Assay's proxy listens for this machine alone, and isn't known as ${request.headers.host}.`;
    refuse(response, 421, way.redact(`${text} Ask it by its address or as localhost.`));
    return;
  }
  const { method = "GET" } = request;
  const { origin, host } = way.upstream;
  const path = pathOf(request.url ?? "/");
  // The library can't send trailers.
  const left = ["host", "trailer", request.headers.connection].join();
  const fields = ["host", host, ...onward(request.rawHeaders, left)];
  const began = performance.now();
  const sentAt_ms = Date.now();
  const sent = hasBody(request) ? copyIn(way.copies) : null;
  const body = sent && bodyOf(request, sent.add);
  way.running += 1;
  const handler = answering(way, { request, response, upgrade }, (answer, received) => {
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
  const dispatcher = upgrade ? way.tunnelling : way.dispatcher;
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  dispatcher.dispatch({ origin, path, method, headers, body, upgrade: upgrade?.protocol ?? null, ...limits }, handler);
}

/** More interim answers are left out until the client has taken these. */
const mostHinted_bytes = 256 * 1024;

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upgrade: Upgrade | undefined;
}

type Answer = Omit<RecordedAnswer, "body"> | { readonly fault: string };

/** Hands an answer to the client as it comes. */
function answering(
  { upstream, proxyBy, redact, copies }: Way,
  asked: Asked,
  onEnd: (answer: Answer, received: ReturnType<typeof copyIn>) => void,
): Dispatcher.DispatchHandler {
  const { request, response, upgrade } = asked;
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
    onRequestUpgrade: ({ rawHeaders }, status, _fields, socket) => {
      const fields = textsIn(rawHeaders);
      if (isOver || !upgrade) return void socket.destroy();
      upgrade.open(headText(`HTTP/1.1 ${status} Switching Protocols`, fields), socket);
      end({ status, headers: lowered(fields) });
    },
    onResponseStart: ({ rawHeaders }, status, { connection, "transfer-encoding": coding }, message) => {
      const fields = textsIn(rawHeaders);
      const words = wordsOf(message);
      if (status < 200) {
        passHint(asked, headText(`HTTP/1.1 ${status} ${words ?? ""}`, onward(fields, [connection].join())));
        return;
      }
      head = { status, headers: lowered(fields) };
      passHead(asked, [status, words], fields, { connection, coding });
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
      const text = `Assay's proxy got no answer from ${upstream.host}: ${fault.kind}, ${fault.message}`;
      if (!response.headersSent && fault.kind !== "reset") refuse(response, 502, redact(text));
      else if (error.code === "ECONNRESET") request.socket.resetAndDestroy();
      // What came before the end is sent first.
      else request.socket.destroySoon();
      end({ fault: `${fault.kind}: ${fault.message}` });
    },
  };
}

function passHint({ request, response: { socket } }: Asked, hint: string): void {
  // Clients of HTTP/1.0 don't know such answers; and while an earlier answer is under way there is no socket.
  if (request.httpVersion === "1.0" || !socket) return;
  // Some upstreams have no end of them, and a client that doesn't read takes none.
  if (socket.writableLength < mostHinted_bytes) socket.write(hint, "latin1");
}

/** The library reads the message as UTF-8, where it gives it: each byte must be a character again. */
const wordsOf = (message: string | undefined) => message && Buffer.from(message).toString("latin1");

/** Framed as the upstream frames it: by a length, in chunks, or by the end of the connection. */
function passHead(
  { request, response }: Asked,
  [status, words]: readonly [number, string | undefined],
  fields: readonly string[],
  { connection, coding }: { readonly [name in "connection" | "coding"]: string | string[] | undefined },
): void {
  const isBodiless = request.method === "HEAD" || status === 204 || status === 304;
  response.useChunkedEncodingByDefault &&= isBodiless || coding !== undefined;
  const mayTrail = response.useChunkedEncodingByDefault && !isBodiless;
  response.writeHead(status, words, onward(fields, [connection, mayTrail ? "" : "trailer"].join()));
}

/** Path and query byte for byte; a client that takes us for its proxy puts an origin before them. */
function pathOf(target: string): string {
  const asked = target.replace(/^https?:\/\/[^/?#]*/i, "");
  return /^[/*]/.test(asked) ? asked : `/${asked}`;
}

/** The host that such a client means, where it is neither the upstream nor this proxy. */
function otherHost({ url = "", socket }: IncomingMessage, { upstream }: Way): string | null {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  const { host, port } = new URL(url);
  return host === upstream.host || port === String(socket.localPort) ? null : host;
}

/** Whether no page elsewhere can have asked, by a name that it has lead here; other machines ask by any name. */
const isMeant = ({ headers: { host = "localhost" }, socket }: IncomingMessage, { upstream }: Way): boolean =>
  isOwnHost(host) ||
  host.replace(/:\d+$/, "").toLowerCase() === upstream.hostname ||
  !meansOwnMachine(
    new URL(`http://${socket.localFamily === "IPv6" ? `[${socket.localAddress}]` : socket.localAddress}`),
  );

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

/** For clients whose HTTP_PROXY or HTTPS_PROXY we are. */
const addressAsBase = "Give your client the proxy's address as the platform's base address, not as its HTTP proxy.";

function refuse(response: ServerResponse, status: number, sentence: string): void {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", connection: "close" };
  response.writeHead(status, headers).end(`${sentence}\n`);
}

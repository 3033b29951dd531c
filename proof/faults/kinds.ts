// Kinds of faults that a proxy between Assay and a platform can cause, by their names
import { gzipSync } from "node:zlib";
import type { WireAnswer } from "../../harness/transport/wire.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

export interface FaultedAnswer {
  readonly body?: Buffer;
  readonly type?: string;
  /** Further lines, without the last line break. */
  readonly headers?: string;
}

/** One answer on its way, and what can be done instead of passing it on. */
export interface PassingFault {
  readonly host: string;
  readonly body: Buffer;
  /** The answer to an earlier request. */
  readonly earlier: Earlier | undefined;
  /** Whether the run has seen that the platform's clock runs. */
  readonly isClockKnown: boolean;
  pass(change: FaultedAnswer | Earlier): void;
  /** Passes it byte by byte. */
  passSlowly(): void;
  write(bytes: string | Buffer): void;
  end(): void;
  reset(): void;
  onClose(act: () => void): void;
}

export interface Earlier {
  readonly body: Buffer;
  readonly original: WireAnswer;
}

export interface FaultKind {
  readonly is: "fault" | "edge" | "corrupt" | "harmless" | "own";
  /** Answers in the platform's place, or passes its answer on in another form. */
  readonly how: (passing: PassingFault) => void;
  /** What it breaks on some requests; nothing where left out. */
  readonly breaks?: readonly RequirementId[];
}

const page = (title: string): string => `<!doctype html><html><title>${title}</title><h1>${title}</h1></html>`;
const text = (body: string): Buffer => Buffer.from(body);
const answer =
  (status: number, type: string | null, body = "", more: readonly string[] = []): FaultKind["how"] =>
  ({ write, end }) => {
    const head = [
      `HTTP/1.1 ${status} Fault`,
      ...(type === null ? [] : [`content-type: ${type}`]),
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      ...more,
    ];
    write(`${head.join("\r\n")}\r\n\r\n${body}`);
    end();
  };
const html = (status: number, ...more: readonly string[]) => answer(status, "text/html", page(String(status)), more);
const json = (status: number, body: object, ...more: readonly string[]) =>
  answer(status, "application/json", JSON.stringify(body), more);

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const ends =
  (written: string | Buffer): FaultKind["how"] =>
  ({ write, end }) => {
    write(written);
    end();
  };
const half = (body: Buffer): Buffer => body.subarray(0, body.length >> 1);
const retryAfter = "retry-after: 1";
const flood = (bytes: number): string =>
  Array.from({ length: bytes >> 8 }, (_, nth) => `x-flood-${nth}: ${"x".repeat(240)}`).join("\r\n");

const fault = (how: FaultKind["how"]): FaultKind => ({ is: "fault", how });
const edge = (how: FaultKind["how"]): FaultKind => ({ is: "edge", how });
const corrupt = (how: FaultKind["how"]): FaultKind => ({ is: "corrupt", how });
const harmless = (how: FaultKind["how"]): FaultKind => ({ is: "harmless", how });
const own = (how: FaultKind["how"], ...breaks: readonly RequirementId[]): FaultKind => ({ is: "own", how, breaks });

export const faultKinds: { readonly [name: string]: FaultKind } = {
  "a reset instead of an answer": fault(({ reset }) => reset()),
  "a connection closed instead of an answer": fault(({ end }) => end()),
  "a connection closed in the head": fault(ends("HTTP/1.1 200 OK\r\ncontent-ty")),
  "a reset in the body": fault(({ write, reset, body }) => {
    write(`${head}content-length: ${body.length + 100}\r\n\r\n`);
    write(half(body));
    setTimeout(reset, 5);
  }),
  "no answer at all": fault(() => undefined),
  "a head and no body": fault(({ write }) => write(`${head}content-length: 50\r\n\r\n`)),
  "a body that drips": fault(({ write, onClose }) => {
    write(`${head}content-length: 50000\r\n\r\n{`);
    const timer = setInterval(() => write(" "), 50);
    onClose(() => clearInterval(timer));
  }),
  "fewer bytes than announced": fault(({ write, end, body }) => {
    write(`${head}content-length: ${body.length + 1}\r\n\r\n`);
    write(body);
    end();
  }),
  "more bytes than announced": fault(({ write, body }) => {
    write(`${head}content-length: ${body.length >> 1}\r\n\r\n`);
    write(body);
  }),
  "a last chunk that never comes": fault(ends(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`)),
  "an invalid chunk size": fault(ends(`${head}transfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`)),
  "a length and chunks": fault(
    ends(`${head}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  ),
  "no HTTP": fault(ends("SSH-2.0-OpenSSH_9.6\r\n")),
  "a status of two digits": fault(ends("HTTP/1.1 20 OK\r\ncontent-length: 2\r\n\r\n{}")),
  "101 Switching Protocols unasked": fault(
    ends("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
  ),
  "100 Continue and an end": fault(ends("HTTP/1.1 100 Continue\r\n\r\n")),
  "gzip that isn't": fault(answer(200, "application/json", "{}", ["content-encoding: gzip"])),
  "an unknown content coding": fault(answer(200, "application/json", "{}", ["content-encoding: dcz"])),
  "a gzip bomb": fault(({ write }) => {
    write(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
    write(bomb);
  }),
  "a flood of headers": fault(answer(200, "application/json", "{}", [flood(60_000)])),
  "HTML 502": edge(html(502)),
  "HTML 503": edge(html(503, retryAfter)),
  "HTML 504": edge(html(504)),
  "HTML 520": edge(html(520)),
  "text 502": edge(answer(502, "text/plain", "upstream connect error")),
  "empty 500": edge(answer(500, null)),
  "JSON 503 of an edge": edge(json(503, { message: "Service Unavailable" })),
  "HTML 429": edge(html(429, retryAfter)),
  "text 429": edge(answer(429, "text/plain", "slow down", [retryAfter])),
  "empty 429": edge(answer(429, null)),
  "JSON 429 of an edge": edge(json(429, { message: "API rate limit exceeded" }, retryAfter)),
  "HTML 400": edge(html(400)),
  "HTML 401": edge(html(401, "www-authenticate: Basic")),
  "HTML 403": edge(html(403)),
  "JSON 403 of an edge": edge(json(403, { message: "Forbidden" })),
  "HTML 404": edge(html(404)),
  "HTML 413": edge(html(413)),
  "empty 408": edge(answer(408, null)),
  "empty 421": edge(answer(421, null)),
  "HTML 200": edge(html(200)),
  "HTML 200 without a type": edge(answer(200, null, page("Log in"))),
  "HTML 200 as text": edge(answer(200, "text/plain", page("Log in"))),
  "an empty 200": corrupt(answer(200, null)),
  "an empty 200 as JSON": corrupt(answer(200, "application/json")),
  "an empty 302 to another origin": edge(answer(302, null, "", ["location: https://login.invalid/"])),
  "HTML 307 to another origin": edge(html(307, "location: https://captive.invalid/")),
  "a 301 to https": edge(({ write, host }) =>
    write(`HTTP/1.1 301 Moved\r\nlocation: https://${host}/\r\ncontent-length: 0\r\n\r\n`),
  ),
  "bytes that aren't UTF-8": corrupt(({ pass, body }) =>
    pass({ body: Buffer.concat([half(body), Buffer.from([0xff, 0xfe, 0xc3]), body.subarray(body.length >> 1)]) }),
  ),
  "half of the body with a right length": corrupt(({ pass, body }) => pass({ body: half(body) })),
  "an answer of long before": corrupt(({ pass, earlier, isClockKnown }) =>
    pass(isClockKnown && earlier ? earlier : {}),
  ),
  "a swapped JSON-RPC id": corrupt(({ pass, body, earlier }) => pass(swapped(body, earlier?.body))),
  "100 Continue before the answer": harmless(({ write, pass }) => {
    write("HTTP/1.1 100 Continue\r\n\r\n");
    pass({});
  }),
  "103 Early Hints before the answer": harmless(({ write, pass }) => {
    write("HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n");
    pass({});
  }),
  "an answer 30 ms late": harmless(({ pass }) => setTimeout(() => pass({}), 30)),
  "an answer in single bytes": harmless(({ passSlowly }) => passSlowly()),
  "8 kB of further headers": harmless(({ pass }) => pass({ headers: flood(8_000) })),
  "a byte-order mark": own(
    ({ pass, body }) =>
      pass({ body: body.length === 0 ? body : Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]) }),
    "GEN-JSON-03",
    "EXT-JSON-01",
  ),
  "JSON as text/plain": own(({ pass }) => pass({ type: "text/plain" }), "GEN-JSON-01", "GEN-JSON-03"),
};

const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, 32));

/** The answer with the id of another JSON-RPC answer. */
function swapped(body: Buffer, other: Buffer | undefined): { readonly body: Buffer } {
  const pattern = /"id":("[^"]*"|\d+)/;
  const id = other && pattern.exec(other.toString());
  return { body: id && pattern.test(body.toString()) ? text(body.toString().replace(pattern, id[0])) : body };
}

// Misbehaviours of a server, by the kind of fault that they cause.
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Fault } from "../../harness/transport/exchange.ts";
import { answer, goodUsage, type Misbehaviour } from "./faultyPlatform.ts";

export interface Cause {
  readonly title: string;
  /** Text that the reason must contain. */
  readonly says: string;
  readonly how: Misbehaviour;
}

/** Larger bodies are oversized in these tests. */
export const smallBound_bytes = 100_000;

const ok = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const writes =
  (...parts: readonly (string | Buffer)[]): Misbehaviour =>
  (socket) => {
    for (const part of parts) socket.write(part);
  };
const ends =
  (...parts: readonly (string | Buffer)[]): Misbehaviour =>
  (socket) => {
    for (const part of parts) socket.write(part);
    socket.end();
  };
const sized = (coding: string, body: Buffer): Misbehaviour =>
  writes(`${ok}content-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`, body);
const half = goodUsage().slice(0, 200);
const zipped = gzipSync(goodUsage());

/** Resets once the text has been sent. */
const resetsAfter =
  (text: string): Misbehaviour =>
  (socket) => {
    socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20));
  };

/** A byte now and then, forever. */
const drips: Misbehaviour = (socket) => {
  socket.write(`${ok}content-length: 5000\r\n\r\n{`);
  const timer = setInterval(() => socket.write(" "), 40);
  socket.on("close", () => clearInterval(timer));
};

/** Faults that a platform can show to one request and not to another. */
export const misbehaviours: {
  readonly [Kind in Exclude<Fault["kind"], "refused" | "dns" | "tls" | "proxy" | "other">]: readonly Cause[];
} = {
  reset: [
    { title: "a reset instead of an answer", says: "ECONNRESET", how: (socket) => socket.resetAndDestroy() },
    { title: "a connection closed instead of an answer", says: "other side closed", how: ends() },
    { title: "a connection closed in the head", says: "other side closed", how: ends("HTTP/1.1 200 OK\r\ncontent-ty") },
    {
      title: "a reset in the body",
      says: "in the body, after HTTP 200",
      how: resetsAfter(`${ok}content-length: 5000\r\n\r\n${half}`),
    },
  ],
  timeout: [
    { title: "silence", says: "no head of an answer arrived", how: () => undefined },
    {
      title: "silence within the head",
      says: "no head of an answer arrived",
      how: writes("HTTP/1.1 200 OK\r\ncontent-ty"),
    },
    {
      title: "silence in the body",
      says: "in the body, after HTTP 200 and 200 bytes",
      how: writes(`${ok}content-length: 5000\r\n\r\n${half}`),
    },
    { title: "a body that drips forever", says: "in the body, after HTTP 200", how: drips },
  ],
  truncated: [
    {
      title: "fewer bytes than announced",
      says: "in the body, after HTTP 200",
      how: ends(`${ok}content-length: 5000\r\n\r\n${half}`),
    },
    {
      title: "fewer bytes than announced, with connection: close",
      says: "does not match content-length",
      how: ends(`${ok}connection: close\r\ncontent-length: 5000\r\n\r\n${half}`),
    },
    {
      title: "a last chunk that never comes",
      says: "in the body, after HTTP 200",
      how: ends(`${ok}transfer-encoding: chunked\r\n\r\nc8\r\n${half}\r\n`),
    },
    {
      title: "a chunk cut short, with connection: close",
      says: "Invalid EOF",
      how: ends(`${ok}connection: close\r\ntransfer-encoding: chunked\r\n\r\nfff\r\n${half}\r\n`),
    },
    {
      title: "no length, and an end within the JSON",
      says: "in the middle of the JSON",
      how: ends(`${ok}\r\n${half}`),
    },
    {
      title: "more bytes than announced",
      says: "body exceeds Content-Length (200)",
      how: writes(`${ok}content-length: 200\r\n\r\n${goodUsage()}`),
    },
  ],
  encoding: [
    { title: "gzip in name only", says: "labelled gzip, and isn't", how: sized("gzip", Buffer.from(goodUsage())) },
    { title: "gzip cut short", says: "unexpected end of file", how: sized("gzip", zipped.subarray(0, -20)) },
    { title: "an unknown coding", says: "which this client doesn't know", how: sized("zstd", zipped) },
  ],
  protocol: [
    { title: "another protocol", says: "Expected HTTP/", how: ends("SSH-2.0-OpenSSH_9.6\r\n") },
    {
      title: "HTTP/2 unasked",
      says: "Expected HTTP/",
      how: ends(Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100])),
    },
    {
      title: "a status of four digits",
      says: "Invalid response status",
      how: ends("HTTP/1.1 2000 OK\r\ncontent-length: 2\r\n\r\n{}"),
    },
    {
      title: "a status below 100",
      says: "statusCode >= 100",
      how: ends("HTTP/1.1 099 Low\r\ncontent-length: 2\r\n\r\n{}"),
    },
    { title: "a name with a space", says: "Invalid header token", how: ends(`${ok}content length: 2\r\n\r\n{}`) },
    { title: "a length that is no number", says: "Content-Length", how: ends(`${ok}content-length: two\r\n\r\n{}`) },
    {
      title: "two ways of framing at once",
      says: "Transfer-Encoding",
      how: ends(`${ok}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    },
    {
      title: "an invalid chunk size",
      says: "chunk size",
      how: ends(`${ok}transfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`),
    },
    {
      title: "101 Switching Protocols unasked",
      says: "bad upgrade",
      how: writes("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
    },
    { title: "100 Continue unasked", says: "bad response", how: ends("HTTP/1.1 100 Continue\r\n\r\n") },
  ],
  oversized: [
    {
      title: "more body than we read",
      says: `more than ${smallBound_bytes} bytes of body`,
      how: writes(`${ok}content-length: 900000\r\n\r\n`, "[".padEnd(smallBound_bytes + 1, " ")),
    },
    {
      title: "a small body that unpacks to a huge one",
      says: "once br is undone",
      how: sized("br", brotliCompressSync(Buffer.alloc(5_000_000, " "))),
    },
    { title: "a huge head", says: "Headers Overflow", how: writes(`${ok}x-much: ${"a".repeat(200_000)}\r\n\r\n`) },
    {
      title: "JSON nested very deeply",
      says: "nested more deeply",
      how: writes(answer("GET", 200, "OK", "[".repeat(40_000) + "]".repeat(40_000))),
    },
  ],
};

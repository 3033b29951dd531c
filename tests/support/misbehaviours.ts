// Misbehaviours of a server, by the kind of fault that they cause.
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Fault } from "../../harness/transport/exchange.ts";
import { answer, goodUsage, type Misbehaviour } from "./faultyPlatform.ts";

/** `says`: what the reason must contain. */
export type Cause = readonly [title: string, says: string, how: Misbehaviour];

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
    writes(...parts)(socket);
    socket.end();
  };
const sized = (coding: string, body: Buffer): Misbehaviour =>
  writes(`${ok}content-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`, body);
const half = goodUsage().slice(0, 200);
/** Announces 5,000 bytes of body, and has 200. */
const part = `${ok}content-length: 5000\r\n\r\n${half}`;
const chunked = `${ok}transfer-encoding: chunked\r\n`;
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
    ["a reset instead of an answer", "ECONNRESET", (socket) => socket.resetAndDestroy()],
    ["a connection closed instead of an answer", "other side closed", ends()],
    ["a connection closed in the head", "other side closed", ends("HTTP/1.1 200 OK\r\ncontent-ty")],
    ["a connection closed after 100 Continue", "other side closed", ends("HTTP/1.1 100 Continue\r\n\r\n")],
    ["a reset in the body", "in the body, after HTTP 200", resetsAfter(part)],
  ],
  timeout: [
    ["silence", "no complete head of an answer arrived", () => undefined],
    ["silence within the head", "no complete head of an answer arrived", writes("HTTP/1.1 200 OK\r\ncontent-ty")],
    ["silence in the body", "in the body, after HTTP 200 and 200 bytes", writes(part)],
    ["a body that drips forever", "in the body, after HTTP 200", drips],
  ],
  truncated: [
    ["fewer bytes than announced", "in the body, after HTTP 200", ends(part)],
    [
      "fewer bytes than announced, with connection: close",
      "does not match content-length",
      ends(`${ok}connection: close\r\ncontent-length: 5000\r\n\r\n${half}`),
    ],
    ["a last chunk that never comes", "in the body, after HTTP 200", ends(`${chunked}\r\nc8\r\n${half}\r\n`)],
    [
      "a chunk cut short, with connection: close",
      "Invalid EOF",
      ends(`${ok}connection: close\r\ntransfer-encoding: chunked\r\n\r\nfff\r\n${half}\r\n`),
    ],
    ["no length, and an end within the JSON", "in the middle of the JSON", ends(`${ok}\r\n${half}`)],
    [
      "more bytes than announced",
      "body exceeds Content-Length (200)",
      writes(`${ok}content-length: 200\r\n\r\n${goodUsage()}`),
    ],
  ],
  encoding: [
    ["gzip in name only", "isn't gzip, as its content-encoding says", sized("gzip", Buffer.from(goodUsage()))],
    ["gzip cut short", "unexpected end of file", sized("gzip", zipped.subarray(0, -20))],
    ["a coding that Node hasn't got", "compress, which Assay can't decompress", sized("compress", zipped)],
  ],
  protocol: [
    ["another protocol", "Expected HTTP/", ends("SSH-2.0-OpenSSH_9.6\r\n")],
    ["HTTP/2 unasked", "Expected HTTP/", ends(Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]))],
    ["a status of four digits", "Invalid response status", ends("HTTP/1.1 2000 OK\r\ncontent-length: 2\r\n\r\n{}")],
    ["a status below 100", "statusCode >= 100", ends("HTTP/1.1 099 Low\r\ncontent-length: 2\r\n\r\n{}")],
    ["a name with a space", "Invalid header token", ends(`${ok}content length: 2\r\n\r\n{}`)],
    ["a length that is no number", "Content-Length", ends(`${ok}content-length: two\r\n\r\n{}`)],
    [
      "two ways of framing at once",
      "Transfer-Encoding",
      ends(`${chunked}content-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    ],
    ["an invalid chunk size", "chunk size", ends(`${chunked}\r\nZZ\r\n{}\r\n0\r\n\r\n`)],
    [
      "101 Switching Protocols unasked",
      "bad upgrade",
      writes("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
    ],
  ],
  oversized: [
    [
      "more body than we read",
      `more than ${smallBound_bytes} bytes of body`,
      writes(`${ok}content-length: 900000\r\n\r\n`, "[".padEnd(smallBound_bytes + 1, " ")),
    ],
    [
      "a small body that unpacks to a huge one",
      "once decompressed (br)",
      sized("br", brotliCompressSync(Buffer.alloc(5_000_000, " "))),
    ],
    ["a huge head", "Headers Overflow", writes(`${ok}x-much: ${"a".repeat(200_000)}\r\n\r\n`)],
    [
      "JSON nested very deeply",
      "nested too deeply",
      writes(answer("GET", 200, "OK", "[".repeat(40_000) + "]".repeat(40_000))),
    ],
    [
      "a little deeper than is read",
      "nested too deeply",
      writes(answer("GET", 200, "OK", "[".repeat(513) + "]".repeat(513))),
    ],
  ],
};

// Broken HTTP around JSON-RPC, over sockets (§4.3)
import { address, type CallRow, health, isPlain, text } from "./call.ts";
import { lines, type Row, row, short, sized } from "./rows.ts";

const post = (headers: readonly string[], body = ""): string => lines("POST", address, headers, body);
const chunked = (chunks: string): string => post(["Transfer-Encoding: chunked"], chunks);
const chunkOf = (body: string): string => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`;

/** JSON-RPC in no HTTP message, or in a broken one. */
const broken = [
  ...[health, `POST / HTTP/1.1\r\n\r\n${health}`],
  ...["1000", "-1", "x", "9\r\nContent-Length: 10", "9\r\nTransfer-Encoding: chunked"].map((length) =>
    post([`Content-Length: ${length}`], health),
  ),
  post(["Transfer-Encoding: gzip"], health),
  ...["zz\r\n", "-1\r\n{\r\n", "1\r\n{}\r\n0\r\n\r\n", "", chunkOf(health), "FFFFFFFFFFFFFFFFFF\r\n{"].map(chunked),
  post(["Expect: the unexpected", `Content-Length: ${health.length}`], health),
  post([`A: ${"a".repeat(100_000)}`]),
  lines("POST", `/?api-key=${"a".repeat(100_000)}`),
];

/** Bodies that are empty, cut short or no text. */
const framed = [
  post([]),
  post(["Content-Length: 0"]),
  post([`Content-Length: ${health.length - 1}`], health.slice(0, -1)),
  chunked("0\r\n\r\n"),
  chunked(`${[...health.slice(0, -1)].map(chunkOf).join("")}0\r\n\r\n`),
  ...["\xef\xbb\xbf", "\xc3\x28"].map((bytes) => post([`Content-Length: ${bytes.length}`], bytes)),
];

export const framedTables = (calls: readonly (readonly CallRow[])[]): { readonly [table: string]: readonly Row[] } => ({
  "JSON-RPC in broken HTTP": broken.map((bytes) => row(JSON.stringify(bytes), "http", Buffer.from(bytes))),
  "bodies that are empty, cut short or no text": framed.map((bytes) => ({
    ...text("", -32700, { title: short(JSON.stringify(bytes)) }),
    sent: Buffer.from(bytes, "latin1"),
  })),
  "every eighth JSON-RPC call, over sockets": calls.flatMap((rows) =>
    rows
      .filter((call, nth) => nth % 8 === 0 && isPlain(call))
      .map(({ sent: { body }, ...call }) => ({
        ...call,
        sent: sized("POST", address, ["Content-Type: application/json"], String(body)),
      })),
  ),
});

// Broken HTTP around JSON-RPC, over sockets (§4.3)
import { faultOf, health, type MalformedCall } from "./call.ts";
import { type Row, short } from "./rows.ts";
import { row } from "./sockets.ts";

const head = (verb: string, headers: readonly string[], target = "/?api-key={key}"): string =>
  [`${verb} ${target} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers, "", ""].join("\r\n");
/** The same call over a socket. */
export const overSocket = (call: MalformedCall): Row => ({
  title: call.title,
  sent: head("POST", ["Content-Type: application/json", "Content-Length: {length}"]) + String(call.body),
  faultOf: (answer) => faultOf(answer, call),
});
const chunked = (chunks: string): string => head("POST", ["Transfer-Encoding: chunked"]) + chunks;
const chunkOf = (body: string): string => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`;

/** JSON-RPC in no HTTP message, or in a broken one. */
const broken: readonly string[] = [
  ...[
    health,
    `POST / HTTP/1.1\r\n\r\n${health}`,
    head("POST", ["Content-Length: 1000"]) + health,
    head("POST", ["Content-Length: -1"]) + health,
    head("POST", ["Content-Length: x"]) + health,
  ],
  ...[
    head("POST", ["Content-Length: 9", "Content-Length: 10"]) + health,
    head("POST", ["Content-Length: 9", "Transfer-Encoding: chunked"]) + health,
    head("POST", ["Transfer-Encoding: gzip"]) + health,
  ],
  ...["zz\r\n", "-1\r\n{\r\n", "1\r\n{}\r\n0\r\n\r\n", "", chunkOf(health), "FFFFFFFFFFFFFFFFFF\r\n{"].map(chunked),
  ...[
    head("POST", ["Expect: the unexpected", `Content-Length: ${health.length}`]) + health,
    head("POST", [`A: ${"a".repeat(100_000)}`]),
    head("POST", [], `/?api-key=${"a".repeat(100_000)}`),
  ],
];

/** Bodies that are empty, cut short or no text. */
const framed: readonly (readonly [bytes: string | Buffer, code: number])[] = [
  [head("POST", []), -32700],
  [head("POST", ["Content-Length: 0"]), -32700],
  [head("POST", [`Content-Length: ${health.length - 1}`]) + health.slice(0, -1), -32700],
  [chunked("0\r\n\r\n"), -32700],
  [chunked(`${[...health.slice(0, -1)].map(chunkOf).join("")}0\r\n\r\n`), -32700],
  [Buffer.concat([Buffer.from(head("POST", ["Content-Length: 3"])), Buffer.from([0xef, 0xbb, 0xbf])]), -32700],
  [Buffer.concat([Buffer.from(head("POST", ["Content-Length: 2"])), Buffer.from([0xc3, 0x28])]), -32700],
];

export const framedTables = {
  "JSON-RPC in broken HTTP": broken.map((bytes) => row(JSON.stringify(bytes), "http", Buffer.from(bytes))),
  "bodies that are empty, cut short or no text": framed.map(
    ([bytes, code]): Row => ({
      title: short(JSON.stringify(String(bytes))),
      sent: Buffer.from(bytes),
      faultOf: (answer) => faultOf(answer, { title: "", expected: code, body: "" }),
    }),
  ),
};

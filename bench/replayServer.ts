// A process that replays given answers: reads them from standard input, prints its port
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** By method, path and body. */
export type Answers = Readonly<
  Record<
    string,
    { readonly status: number; readonly headers: readonly (readonly [string, string])[]; readonly body: string }
  >
>;

const answers = JSON.parse(await text(process.stdin)) as Answers;
const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (piece: string) => {
    body += piece;
  });
  request.on("end", () => {
    const {
      status = 404,
      headers = [],
      body: answered = "",
    } = answers[`${request.method} ${request.url} ${body}`] ?? {};
    response.writeHead(status, headers.flat()).end(answered);
  });
});
server.keepAliveTimeout = 60_000;
// As text: a number would be coloured where colours are forced, as Playwright does.
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));

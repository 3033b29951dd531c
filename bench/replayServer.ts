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
const unknown: Answers[string] = { status: 404, headers: [], body: "" };
const server = createServer((request, response) => {
  void text(request).then((sent) => {
    const { status, headers, body } = answers[`${request.method} ${request.url} ${sent}`] ?? unknown;
    response.writeHead(status, headers.flat()).end(body);
  });
});
server.keepAliveTimeout = 60_000;
// As text: a number would be coloured where colours are forced, as Playwright does.
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));

// The proxy: what passes is what was sent, in both directions.
import { expect, test } from "@playwright/test";
import { arrived, type End, proxied, proxiedTo } from "../support/proxied.ts";

/** Answers each request with the same bytes, when its last ones have come. */
const answering = (last: string, answer: string) => (end: End) =>
  end.socket.on("data", () => {
    if (end.text().endsWith(last)) end.socket.write(answer, "latin1");
  });

const noBody = "HTTP/1.1 204 No Content\r\n\r\n";

interface Passage {
  readonly title: string;
  readonly request: string;
  /** What the upstream must hear of it. */
  readonly heard?: readonly string[];
  readonly answer?: string;
  /** What the client must see of the answer. */
  readonly seen?: readonly string[];
  /** What neither may. */
  readonly never?: readonly string[];
}

const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
const post = (fields: string, body: string): string =>
  `POST /p HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n\r\n${body}`;

const interim =
  "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nX-Soon: \xe4\r\n\r\n";

const passages: readonly Passage[] = [
  {
    title: "names, order and duplicates of a request's fields",
    request: "GET / HTTP/1.1\r\nX-B: 1\r\nx-a: \xe4\xf6\r\nHost: localhost\r\nX-B: 2\r\nX-Empty:\r\n\r\n",
    heard: ["X-B: 1\r\nx-a: \xe4\xf6\r\nX-B: 2\r\nX-Empty: \r\n"],
    never: ["localhost"],
  },
  {
    title: "path and query byte for byte",
    request: "GET /a//b/../%2e%C3%A4/?x=%zz&&api-key=k+1&x=[]# HTTP/1.1\r\nHost: localhost\r\n\r\n",
    heard: ["GET /a//b/../%2e%C3%A4/?x=%zz&&api-key=k+1&x=[]# HTTP/1.1\r\n"],
  },
  {
    title: "no field of one hop, and none that Connection names",
    request:
      "GET / HTTP/1.1\r\nHost: [::1]\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 9\r\nTE: gzip\r\n" +
      "Proxy-Connection: x\r\nUpgrade: h2c\r\nX-End: 1\r\n\r\n",
    heard: ["X-End: 1"],
    answer:
      "HTTP/1.1 200 OK\r\nConnection: X-Back\r\nX-Back: 1\r\nKeep-Alive: 9\r\nContent-Length: 0\r\nX-Ours: 1\r\n\r\n",
    seen: ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Ours: 1\r\n"],
    never: ["X-Hop", "Keep-Alive: 9", "TE:", "Proxy-Connection", "h2c", "X-Back"],
  },
  {
    title: "a body with its length",
    request: post("Content-Length: 5", "\x00\xff\r\n."),
    heard: ["content-length: 5\r\n\r\n\x00\xff\r\n."],
    never: ["chunked"],
  },
  {
    title: "a body in chunks",
    request: post("Transfer-Encoding: chunked", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"),
    heard: ["transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"],
    never: ["content-length"],
  },
  {
    title: "no trailers of a request, nor their names",
    request: post("Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\nX-End: 1", "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n"),
    heard: ["X-End: 1\r\n", "3\r\nabc\r\n0\r\n\r\n"],
    never: ["X-Sum"],
  },
  {
    title: "a GET with a body, and a method that is rare",
    request: "PROPFIND / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
    heard: ["PROPFIND / HTTP/1.1\r\n", "\r\n\r\n{}"],
  },
  {
    title: "status, message, names, order and duplicates of an answer's fields",
    request: get,
    answer:
      "HTTP/1.1 299 Gr\xc3\xbcezi  you\r\nSet-Cookie: a\r\nX-B: \xe4\r\nset-cookie: b\r\nDate: never\r\nX-Empty:\r\n" +
      "Content-Length: 3\r\n\r\n\x00\xff\n",
    seen: [
      "HTTP/1.1 299 Gr\xc3\xbcezi  you\r\nSet-Cookie: a\r\nX-B: \xe4\r\nset-cookie: b\r\nDate: never\r\nX-Empty: \r\n" +
        "Content-Length: 3\r\n",
      "\r\n\r\n\x00\xff\n",
    ],
    never: ["chunked"],
  },
  {
    title: "no date where the upstream gives none",
    request: get,
    answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    seen: ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"],
    never: ["Date:"],
  },
  {
    title: "an answer in chunks, with trailers",
    request: get,
    answer:
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\n" +
      "X-Sum: 1\r\nx-sum: 2\r\n\r\n",
    seen: ["Trailer: X-Sum\r\n", "\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n"],
    never: ["ontent-"],
  },
  {
    title: "an answer to HEAD with the length of what isn't sent",
    request: get.replace("GET", "HEAD"),
    answer: "HTTP/1.1 200 OK\r\nContent-Length: 70\r\nTrailer: X-Sum\r\n\r\n",
    seen: ["HTTP/1.1 200 OK\r\nContent-Length: 70\r\n"],
  },
  { title: "204", request: get, answer: noBody, seen: ["HTTP/1.1 204 No Content\r\n"], never: ["hunked", "ontent-"] },
  {
    title: "304 with the length of what isn't sent",
    request: get,
    answer: 'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nContent-Length: 70\r\n\r\n',
    seen: ['HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nContent-Length: 70\r\n'],
  },
  {
    title: "a redirect, which isn't followed",
    request: get,
    answer: "HTTP/1.1 307 Elsewhere\r\nLocation: http://other/\r\nContent-Length: 0\r\n\r\n",
    seen: ["HTTP/1.1 307 Elsewhere\r\nLocation: http://other/\r\n"],
  },
  {
    title: "answers before the answer",
    request: get,
    answer: `${interim}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
    seen: [`${interim}HTTP/1.1 200 OK\r\n`],
  },
  {
    title: "no answer before the answer for HTTP/1.0, which doesn't know them",
    request: "GET / HTTP/1.0\r\n\r\n",
    answer: `${interim}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
    seen: ["HTTP/1.1 200 OK\r\n"],
    never: ["Processing", "Early"],
  },
];

for (const { title, request, heard = [], answer = noBody, seen = [], never = [] } of passages) {
  test(`${title}: passes unchanged`, async () => {
    const last = request.slice(-2);
    const { client, close, heard: onceHeard, recorded } = await proxied(answering(last, answer));
    const asker = client(request);
    await arrived(asker, answer.slice(-4));
    const upstream = await onceHeard(last);
    for (const text of heard) expect(upstream.text()).toContain(text);
    for (const text of seen) expect(asker.text()).toContain(text);
    for (const text of never)
      expect(upstream.text() + asker.text().replace(/^Keep-Alive:.*$/m, "")).not.toContain(text);
    await expect.poll(() => recorded.length, { intervals: [5] }).toBe(1);
    await close();
  });
}

test("a client that takes us for its HTTP proxy gets what it asks of the upstream", async () => {
  const { base, url, client, heard, close } = await proxied();
  for (const [nth, origin] of [base, url.replace("127.0.0.1", "here")].entries()) {
    client(`GET ${origin}/a?${nth} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await heard(`GET /a?${nth} HTTP/1.1\r\n`);
  }
  await close();
});

test("an answer without a length ends with the connection, as the upstream's did", async () => {
  const { client, close } = await proxied(({ socket }) =>
    socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\nX: 1\r\n\r\nabc")),
  );
  const asker = client(get);
  await expect.poll(asker.ended).toBe("end");
  expect(asker.text()).toBe("HTTP/1.1 200 OK\r\nX: 1\r\nConnection: close\r\n\r\nabc");
  await close();
});

test("head and chunks arrive before the next are sent, in both directions", async () => {
  const { client, close, heard } = await proxied();
  const asker = client(post("Transfer-Encoding: chunked", "3\r\nabc\r\n"));
  const upstream = await heard("abc");
  asker.socket.write("3\r\ndef\r\n");
  await arrived(upstream, "def");
  asker.socket.write("0\r\n\r\n");
  await arrived(upstream, "0\r\n\r\n");
  upstream.socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  await arrived(asker, "200 OK");
  upstream.socket.write("3\r\nghi\r\n");
  await arrived(asker, "3\r\nghi\r\n");
  upstream.socket.write("0\r\n\r\n");
  await arrived(asker, "0\r\n\r\n");
  await close();
});

test("a body that waits for `100 Continue` is asked for, and passes", async () => {
  const { client, close, heard } = await proxied(answering("{}", noBody));
  const asker = client(post("Expect: 100-continue\r\nContent-Length: 2", ""));
  await arrived(asker, "HTTP/1.1 100 Continue\r\n\r\n");
  asker.socket.write("{}");
  await arrived(asker, "204 No Content");
  expect((await heard("{}")).text()).not.toMatch(/expect/i);
  await close();
});

test("an answer that comes before the end of a body is passed at once, and the rest is read", async () => {
  const refusal = "HTTP/1.1 413 Too Long\r\nContent-Length: 0\r\n\r\n";
  const { client, close } = await proxied(({ socket }) => void socket.once("data", () => socket.write(refusal)));
  const asker = client(post("Content-Length: 4000000", "x".repeat(1_000_000)));
  await arrived(asker, "413 Too Long");
  asker.socket.write("x".repeat(3_000_000));
  asker.socket.write(get);
  await expect.poll(() => asker.text().match(/413/g)?.length).toBe(2);
  await close();
});

test("through a proxy of the environment, fields pass with their duplicates", async () => {
  const { base, ends, close } = await proxied(answering("\r\n\r\n", noBody));
  const { client, close: closeOuter } = await proxiedTo("http://vendor.example", { HTTP_PROXY: base });
  await arrived(client("GET /a?b HTTP/1.1\r\nHost: localhost\r\nX-B: 1\r\nx-a: 1\r\nX-B: 2\r\n\r\n"), "204 No Content");
  expect(ends[0]?.text()).toMatch(/^GET http:\/\/vendor.example\/a\?b HTTP\/1.1\r\nhost: vendor.example\r\n/);
  expect(ends[0]?.text()).toContain("\r\nX-B: 1\r\nX-B: 2\r\nx-a: 1\r\n");
  await closeOuter();
  await close();
});

test("the copy names the upstream's address, fields in lower case and bodies as they came", async () => {
  const answer = "HTTP/1.1 200 OK\r\nX-Two: 1\r\nX-Two: 2\r\nContent-Length: 2\r\n\r\n\xff\xfe";
  const { client, close, recorded, base } = await proxied(answering("{}", answer));
  await arrived(client(post("X-Api-Key: k\r\nContent-Length: 2", "{}")), "\xfe");
  await expect.poll(() => recorded.length).toBe(1);
  expect(recorded[0]).toEqual({
    isExact: true,
    method: "POST",
    url: `${base}/p`,
    headers: [
      ["host", base.slice("http://".length)],
      ["x-api-key", "k"],
      ["content-length", "2"],
    ],
    body: "{}",
    answer: {
      status: 200,
      headers: [
        ["x-two", "1"],
        ["x-two", "2"],
        ["content-length", "2"],
      ],
      body: Buffer.from([0xff, 0xfe]),
    },
    sentAt_ms: expect.any(Number) as unknown as number,
    latency_ms: expect.any(Number) as unknown as number,
  });
  await close();
});

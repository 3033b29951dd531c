// JSON lines read by a mapping: where times, addresses, headers and bodies stand, in all their forms.
import { expect, test } from "@playwright/test";
import { entryOfLine, type Mapping } from "../../harness/recordings/mapping.ts";
import { host, judged } from "../support/recordings.ts";

const mapping: Mapping = { time: "/t", method: "/req/m", url: "/req/u", status: "/res/s" };
const line = { t: 1_700_000_000_000, req: { m: "get", u: `${host}/` }, res: { s: 200 } };

/** A line as it is read. @param change of its parts, of the mapping, or of its text */
const read = (change: { t?: unknown; req?: object; res?: object }, more: Partial<Mapping> = {}, text?: string) =>
  entryOfLine(
    text ??
      JSON.stringify({ ...line, ...change, req: { ...line.req, ...change.req }, res: { ...line.res, ...change.res } }),
    { ...mapping, ...more },
  );

test("the least that a mapping names is enough", () => {
  expect(read({})).toEqual({
    method: "GET",
    url: `${host}/`,
    headers: [],
    body: null,
    answer: { status: 200, headers: [], body: null, lacksHeaders: true },
    sentAt_ms: 1_700_000_000_000,
    latency_ms: 0,
  });
});

for (const [t, expected] of [
  [1_700_000_000_000, 1_700_000_000_000],
  [1_700_000_000, 1_700_000_000_000],
  [1_700_000_000.25, 1_700_000_000_250],
  ["1700000000", 1_700_000_000_000],
  ["1700000000.5", 1_700_000_000_500],
  ["1700000000123", 1_700_000_000_123],
  ["2023-11-14T22:13:20Z", 1_700_000_000_000],
  ["2023-11-14T23:13:20.500+01:00", 1_700_000_000_500],
  ["2023-11-14T22:13:20.123456789Z", 1_700_000_000_123],
  [1_700_000_000_123_456, 1_700_000_000_123],
  ["1700000000123456789", 1_700_000_000_123],
  ["14/Nov/2023:22:13:20 +0000", 1_700_000_000_000],
  ["[14/Nov/2023:23:43:20 +0130]", 1_700_000_000_000],
  ["Tue, 14 Nov 2023 22:13:20 GMT", 1_700_000_000_000],
] as const)
  test(`the time ${JSON.stringify(t)}`, () => {
    expect(read({ t })).toMatchObject({ sentAt_ms: expected });
  });

for (const [t, unread, shown] of [
  ["yesterday", "no time", '"yesterday"'],
  ["2023-11-14T22:13:20", "a time without its zone", '"2023-11-14T22:13:20"'],
  ["2023-11-14 22:13:20,123", "a time without its zone", '"2023-11-14 22:13:20,123"'],
  ["14/Foo/2023:22:13:20 +0000", "no time", '"14/Foo/2023:22:13:20 +0000"'],
  [null, "no time", "null"],
  [{}, "no time", "an object"],
  [1e300, "no time", "1e+300"],
  ["", "no time", '""'],
  [true, "no time", "true"],
  ["KEY0123456789", "no time", "a text of 13 characters"],
  ["at 7f9c24e5-1f0b-4c55-9a5c-6f4d1f3b8a10", "no time", "a text of 39 characters"],
] as const)
  test(`no time: ${JSON.stringify(t)}`, () => {
    expect(read({ t })).toEqual({ unread, example: `/t is ${shown}` });
  });

test("the first of several places that isn't empty counts", () => {
  const change = { req: { m: "GET", b: "-" }, res: { s: 200 } };
  const places = (requestBody: readonly string[]) => read(change, { requestBody });
  expect(places(["/req/none", "/req/b", "/req/m"])).toMatchObject({ body: "GET" });
  expect(places(["/req/none", "/req/b"])).toMatchObject({ body: null });
});

for (const [title, pointers, took] of [
  ["in ms", { latency_ms: "/res/took" }, 250],
  ["in seconds", { latency_s: "/res/took" }, 250_000],
] as const)
  test(`a duration ${title}, and the time of the answer`, () => {
    const given = read({ res: { took: "250" } }, { ...pointers, timeIs: "answered" });
    expect(given).toMatchObject({ latency_ms: took, sentAt_ms: 1_700_000_000_000 - took });
  });

for (const [title, headers, expected] of [
  [
    "an object",
    { "Content-Type": "a", Age: 7 },
    [
      ["content-type", "a"],
      ["age", "7"],
    ],
  ],
  [
    "an object of lists",
    { Vary: ["a", "b"] },
    [
      ["vary", "a"],
      ["vary", "b"],
    ],
  ],
  [
    "pairs",
    [
      ["Vary", "a"],
      ["VARY", "b"],
    ],
    [
      ["vary", "a"],
      ["vary", "b"],
    ],
  ],
  ["objects with name and value", [{ name: "Vary", value: "a" }], [["vary", "a"]]],
  ["something else", "Vary: a", []],
  ["what isn't text", { Vary: null, Age: {} }, []],
] as const)
  test(`headers as ${title}`, () => {
    const pointers = { requestHeaders: "/req/h", responseHeaders: "/res/h" };
    const both = { headers: expected, answer: { headers: expected } };
    expect(read({ req: { h: headers }, res: { h: headers } }, pointers)).toMatchObject(both);
  });

const number = '{"id":12345678901234567890,"a": 1.0}';

for (const [title, bodies, written, expected] of [
  ["a text", "text", JSON.stringify(number), number],
  ["JSON, its numbers as they were written", "text", number, number],
  ["a list", "text", "[1, 2]", "[1, 2]"],
  ["a number", "text", "1.0", "1.0"],
  ["base64", "base64", JSON.stringify(Buffer.from(number).toString("base64")), number],
  ["JSON beside base64", "base64", number, number],
  ["an empty text", "text", '""', ""],
  ["null", "text", "null", null],
  ["what nginx writes for none", "text", '"-"', null],
  ["a text that is called base64", "base64", JSON.stringify(number), number],
] as const)
  test(`bodies as ${title}`, () => {
    const pointers = { requestBody: "/req/b", responseBody: "/res/b", bodies } as const;
    const text = `{"t":1,"req":{"m":"POST","u":"/","b":${written}},"res":{"s":200,"b":${written}}}`;
    const entry = read({}, pointers, text);
    if (!entry || "unread" in entry || "fault" in entry.answer) throw new Error("no answer");
    // What isn't JSON is taken for a cut text.
    const answer = expected === "" ? null : expected;
    expect([entry.body, entry.answer.body === null ? null : String(entry.answer.body)]).toEqual([expected, answer]);
  });

test("a text of an answer that isn't JSON is taken for a cut one", () => {
  expect(read({ res: { b: '{"a":' } }, { responseBody: "/res/b" })).toMatchObject({ answer: { body: null } });
});

for (const [title, where, isRead] of [
  ["the wanted value", { "/req/m": "get" }, true],
  ["another value", { "/req/m": "put" }, false],
  ["a value of another type", { "/res/s": "200" }, false],
  ["no such member", { "/level": "info" }, false],
  ["one of two", { "/req/m": "get", "/level": "info" }, false],
] as const)
  test(`where: ${title}`, () => {
    expect(read({}, { where }) !== null).toBe(isRead);
  });

for (const [title, req, url] of [
  ["a path and a host", { u: "/a?b=1", h: "acme.example" }, "https://acme.example/a?b=1"],
  ["a path, a host and a port", { u: "/", h: "acme.example:8443" }, "https://acme.example:8443/"],
  ["an address beside a host", { u: "http://other.example/", h: "acme.example" }, "http://other.example/"],
  ["a path alone", { u: "/a" }, "/a"],
] as const)
  test(`an address of ${title}`, () => {
    expect(read({ req }, { host: "/req/h" })).toMatchObject({ url });
  });

for (const [title, text, unread, example] of [
  ["no JSON", "GET / 200", "what isn't JSON"],
  ["a cut line", '{"t":1,', "what isn't JSON"],
  ["nginx's own escapes", '{"t":1,"b":"{\\x22id\\x22:1}"}', "what isn't JSON: nginx writes it with escape=json"],
  ["no method", '{"t":1,"req":{"u":"/"},"res":{"s":200}}', "no method", "/req/m is missing, there are t, req, res"],
  ["no address", '{"t":1,"req":{"m":"GET"},"res":{"s":200}}', "no address", "/req/u is missing, there are t, req, res"],
  ["no status", '{"t":1,"req":{"m":"GET","u":"/"},"res":{}}', "no status", "/res/s is missing, there are t, req, res"],
  ["a word for a status", '{"t":1,"req":{"m":"GET","u":"/"},"res":{"s":"OK"}}', "no status", '/res/s is "OK"'],
  ["a list of statuses", '{"t":1,"req":{"m":"GET","u":"/"},"res":{"s":[]}}', "no status", "/res/s is a list"],
  ["nothing but a number", "7", "no time", "/t is missing"],
  [
    "nesting without an end",
    `{"t":1,"req":{"m":"GET","u":"/"},"res":{"s":200},"b":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
    "what is nested too deeply to be read",
  ],
] as const)
  test(`a line with ${title} is counted`, () => {
    expect(read({}, { requestBody: "/b" }, text)).toEqual({ unread, ...(example === undefined ? {} : { example }) });
  });

for (const [line, expected] of [
  ["POST /a?b=1 HTTP/1.1", { method: "POST", url: "https://acme.example/a?b=1" }],
  ["get https://acme.example:443/a HTTP/2", { method: "GET", url: "https://acme.example:443/a" }],
  ["GET", { unread: "no method", example: '/line is "GET"' }],
  ["GET /a?api-key=KEY0123456789 x HTTP/1.1", { unread: "no method", example: '/line is "GET /a?…"' }],
  [undefined, { unread: "no method", example: "/line is missing, there are t, host, res" }],
] as const)
  test(`the request line ${line}`, () => {
    const text = JSON.stringify({ t: 1, line, host: "acme.example", res: { s: 200 } });
    const own = { time: "/t", status: "/res/s", host: "/host", requestLine: "/line" };
    expect(entryOfLine(text, own)).toMatchObject(expected);
  });

test("an address takes its scheme and port where a line has them", () => {
  const places = { host: "/req/h", scheme: "/req/s", port: "/req/p" };
  expect(read({ req: { u: "/a", h: "acme.example", s: "http", p: 8080 } }, places)).toMatchObject({
    url: "http://acme.example:8080/a",
  });
});

test("status 0 is no answer, and a status may be a text", () => {
  expect(read({ res: { s: 0 } })).toMatchObject({ answer: { fault: "none was recorded" } });
  expect(read({ res: { s: "404" } })).toMatchObject({ answer: { status: 404 } });
});

test("a header is missed only where lines have all", async () => {
  const pointers = { requestBody: "/req/b", responseBody: "/res/b" };
  const req = { m: "POST", b: { jsonrpc: "2.0", id: 1, method: "getIndexerHealth" } };
  const change = { req, res: { h: { age: "7" }, b: { jsonrpc: "2.0", id: 1, result: "ok" } } };
  const brokenBy = async (headers: "all" | "some"): Promise<readonly string[]> => {
    const entry = read(change, { ...pointers, responseHeaders: "/res/h", headers });
    return (await judged(entry ? [entry] : [])).broken;
  };
  expect(await brokenBy("some")).toEqual([]);
  expect(await brokenBy("all")).toEqual(["GEN-JSON-01"]);
});

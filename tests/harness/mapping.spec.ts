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
] as const)
  test(`the time ${JSON.stringify(t)}`, () => {
    expect(read({ t })).toMatchObject({ sentAt_ms: expected });
  });

for (const t of ["yesterday", "2023-11-14T22:13:20", "2023-11-14 22:13:20", null, {}, 1e300, "", true])
  test(`no time: ${JSON.stringify(t)}`, () => {
    expect(read({ t })).toEqual({ unread: expect.stringContaining("what has no time") as unknown });
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

for (const [title, text, unread] of [
  ["no JSON", "GET / 200", "what isn't JSON"],
  ["a cut line", '{"t":1,', "what isn't JSON"],
  ["no method", '{"t":1,"req":{"u":"/"},"res":{"s":200}}', "what has no time"],
  ["no address", '{"t":1,"req":{"m":"GET"},"res":{"s":200}}', "what has no time"],
  ["no status", '{"t":1,"req":{"m":"GET","u":"/"},"res":{}}', "what has no time"],
  ["a status that is a word", '{"t":1,"req":{"m":"GET","u":"/"},"res":{"s":"OK"}}', "what has no time"],
  ["nothing but a number", "7", "what has no time"],
  ["nesting without an end", `{"t":1,"b":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "what has no time"],
] as const)
  test(`a line with ${title} is counted`, () => {
    const entry = read({}, { requestBody: "/b" }, text);
    expect(entry).toEqual({ unread: expect.stringContaining(unread) as unknown });
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

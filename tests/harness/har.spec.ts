// HAR files: their entries however they are cut into chunks, and bodies as recorders write them.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { elementsOf, linesOfBytes } from "../../harness/recordings/elements.ts";
import { answered, entriesIn, harEntry, harOf, health, host, judged, listed } from "../support/recordings.ts";

/** The texts of all elements; null for one above a bound. */
async function elementsIn(chunks: readonly Buffer[], largest_bytes?: number) {
  const end = { hasList: false, isWhole: false };
  const elements = await listed(elementsOf(chunks, end, "har", largest_bytes));
  return { texts: elements.map((element) => element && element.toString()), ...end };
}

const inTwo = (bytes: Buffer, at: number): readonly Buffer[] => [bytes.subarray(0, at), bytes.subarray(at)];
const bytewise = (bytes: Buffer): readonly Buffer[] => [...bytes].map((_, at) => bytes.subarray(at, at + 1));

const tricky = [
  { text: '[{"}]' },
  { quotes: 'a "quoted" \\ text \\\\', "ends with \\": "\\" },
  { entries: [{ log: { entries: [1] } }], "]}": "entries" },
  {},
  { unicode: "é€😀", list: [[], [{}]] },
];
const around = { version: "entries", creator: { name: '"entries":[{', entries: [1, 2] }, pages: [{ entries: [3] }] };
const whole = Buffer.from(
  `\uFEFF${JSON.stringify({ log: { ...around, entries: tricky, comment: "]}" }, after: { entries: [{ no: 1 }] } })}`,
);
const texts = tricky.map((one) => JSON.stringify(one));

test("a HAR cut anywhere into two chunks, or into single bytes, has the same entries", async () => {
  for (const chunks of [[whole], bytewise(whole), ...[...whole].map((_, at) => inTwo(whole, at))])
    expect(await elementsIn(chunks)).toEqual({ texts, hasList: true, isWhole: true });
});

for (const [within, text] of [
  ["list", `[${texts.join(", ")}]\n[]`],
  ["values", texts.join("\n")],
] as const)
  test(`so have ${within} that aren't a HAR, and so do their lines`, async () => {
    const bytes = Buffer.from(text);
    for (const chunks of [[bytes], bytewise(bytes), ...[...bytes].map((_, at) => inTwo(bytes, at))]) {
      const end = { hasList: false, isWhole: false };
      const elements = await listed(elementsOf(chunks, end, within));
      expect([elements.map(String), end]).toEqual([texts, { hasList: true, isWhole: true }]);
      expect((await listed(linesOfBytes(chunks))).map(String)).toEqual(text.split("\n"));
    }
  });

test("a line above the bound is passed over, however it is cut, and the next one is read", async () => {
  const bytes = Buffer.from(`1\n${"x".repeat(11)}\n3`);
  for (const chunks of [[bytes], bytewise(bytes), ...[...bytes].map((_, at) => inTwo(bytes, at))])
    expect((await listed(linesOfBytes(chunks, 10))).map((line) => line && line.toString())).toEqual(["1", null, "3"]);
});

test("nothing of a line above the bound is kept in memory", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const pieces: WeakRef<ArrayBufferLike>[] = [];
  let kept = 0;
  async function* endless() {
    for (let nth = 0; nth < 40; nth += 1) {
      const piece = Buffer.alloc(1_000, "x");
      pieces.push(new WeakRef(piece.buffer));
      yield piece;
      await new Promise(setImmediate);
    }
    collect();
    kept = pieces.filter((piece) => piece.deref() !== undefined).length;
  }
  expect(await listed(linesOfBytes(endless(), 10_000))).toEqual([null]);
  expect(kept).toBeLessThan(20);
});

test("white space between tokens makes no difference", async () => {
  const spaced = Buffer.from(JSON.stringify(JSON.parse(whole.toString().slice(1)), null, 2));
  const { texts: found, ...end } = await elementsIn(bytewise(spaced));
  expect([found.map((text) => JSON.parse(text ?? "") as unknown), end]).toEqual([
    tricky,
    { hasList: true, isWhole: true },
  ]);
});

test("a HAR that is cut has the entries before, and isn't whole", async () => {
  const begins = whole.indexOf(texts[0] ?? "");
  const ends = whole.indexOf("]", whole.indexOf(texts[4] ?? "") + (texts[4]?.length ?? 0));
  for (let at = begins; at <= ends; at += 1) {
    const { texts: found, hasList, isWhole } = await elementsIn([whole.subarray(0, at)]);
    expect([hasList, isWhole, found]).toEqual([true, false, texts.slice(0, found.length)]);
  }
  expect((await elementsIn([Buffer.from('{"log":{"version":"1.2","pages":[]}}')])).hasList).toBe(false);
});

for (const [title, large] of [
  ["of one text", { text: "x".repeat(200) }],
  ["of backslashes and quotes", { text: '\\"'.repeat(60), more: "\\".repeat(61) }],
  ["of brackets", { list: Array.from({ length: 40 }, () => [{ "]": "{" }]) }],
] as const)
  test(`an entry above the bound is passed over, ${title}, and the next one is read`, async () => {
    const bytes = Buffer.from(harOf([{ nth: 1 }, large, { nth: 3 }]));
    const expected = { texts: ['{"nth":1}', null, '{"nth":3}'], hasList: true, isWhole: true };
    const bound = 100;
    for (const chunks of [[bytes], bytewise(bytes), ...[...bytes].map((_, at) => inTwo(bytes, at))])
      expect(await elementsIn(chunks, bound)).toEqual(expected);
  });

test("of an entry above the bound no more is kept than that", async () => {
  const concat = Buffer.concat.bind(Buffer);
  let most = 0;
  Buffer.concat = (parts, ...rest) => {
    const joined = concat(parts, ...rest);
    most = Math.max(most, joined.length);
    return joined;
  };
  try {
    const bytes = Buffer.from(harOf([{ text: "x".repeat(100_000) }, { more: "\\".repeat(50_001), nested: [{}] }, {}]));
    const chunks = Array.from({ length: bytes.length / 100 + 1 }, (_, nth) =>
      bytes.subarray(nth * 100, nth * 100 + 100),
    );
    expect((await elementsIn(chunks, 1_000)).texts).toEqual([null, null, "{}"]);
  } finally {
    Buffer.concat = concat;
  }
  expect([most > 1_000, most <= 1_200]).toEqual([true, true]);
});

const served = '{"jsonrpc":"2.0","result":"ok","id":1}';
const gzipped = (text: string): string => gzipSync(text).toString("base64");
const exchanged = {
  method: "POST",
  url: `${host}/`,
  headers: [],
  body: '{"jsonrpc":"2.0","id":1,"method":"getIndexerHealth"}',
  at_ms: 0,
  status: 200,
  answerHeaders: [],
  text: served,
};
const gzipHeader = ["content-encoding", "gzip"] as const;
const unrecorded = "an answer whose body isn't recorded completely";
const base64 = (text: string, more: object = {}) => ({
  encoding: "base64",
  text: Buffer.from(text).toString("base64"),
  ...more,
});
/** What a text in no coding breaks. */
const broken = ["IH-OK-01"];
const wrong = served.replace("ok", "fine");

for (const [title, content, headers, found] of [
  ["a text", { text: wrong }, [], broken],
  ["base64", base64(wrong), [], broken],
  ["base64 of what is compressed", { encoding: "base64", text: gzipped(wrong) }, [gzipHeader], broken],
  ["a text whose header names a compression", { text: wrong }, [gzipHeader], broken],
  ["base64 whose header names a compression", base64(wrong), [gzipHeader], broken],
  ["a compressed body that is cut", { encoding: "base64", text: gzipped(wrong).slice(0, 40) }, [gzipHeader], "coding"],
  ["a compressed body as a text", { text: gzipSync(wrong).toString(), size: 9 }, [gzipHeader], "coding"],
  ["a compressed body as Latin-1", { text: gzipSync(wrong).toString("latin1"), size: 9 }, [gzipHeader], broken],
  ["base64 in another coding", base64("\x1f\x9d"), [["content-encoding", "compress"]], "compress"],
  ["none", { size: 38 }, [], "body"],
  ["an empty text of an answer that had one", { size: 38, text: "" }, [], "body"],
  ["none, and its size as 0", { size: 0 }, [], "body"],
  ["a text that is cut", { size: 38, text: wrong.slice(0, 20) }, [], "body"],
  ["base64 that is cut", base64(wrong.slice(0, 20), { size: 38 }), [], "body"],
  ["base64 that is cut, without its size", base64(wrong.slice(0, 20)), [], "body"],
  ["base64 of a whole answer that isn't JSON", base64(wrong.slice(0, 20), { size: 20 }), [], "early"],
  ["a cut text of which no size is known", { text: wrong.slice(0, 20) }, [], "body"],
  ["an empty one", { size: 0, text: "" }, [["content-length", "0"]], "empty"],
] as const)
  test(`a body that is recorded as ${title}`, async () => {
    const entry = harEntry(
      { ...exchanged, answerHeaders: [["content-type", "application/json"], ...headers] },
      content,
    );
    const { broken: ids, unjudged } = await judged(await entriesIn(harOf([entry])));
    const reasons = {
      body: unrecorded,
      coding: "an answer that can't be decompressed (gzip)",
      compress: "an answer in compress, which Assay can't decompress",
      early: "an answer that ends too early (HTTP 200)",
      empty: "an empty answer (HTTP 200)",
    };
    if (typeof found === "string") expect([ids, unjudged]).toEqual([[], { [reasons[found]]: 1 }]);
    else expect([ids, unjudged]).toEqual([found, {}]);
  });

for (const [title, change, reason] of [
  [
    "no method",
    { request: {} },
    "no method (entry 1: /request/method is missing, there are startedDateTime, time, request, response)",
  ],
  [
    "no answer",
    { response: null },
    "no status (entry 1: /response/status is missing, there are startedDateTime, time, request, response)",
  ],
  ["no time", { startedDateTime: "then" }, 'no time (entry 1: /startedDateTime is "then")'],
  ["status 0", { response: { status: 0, headers: [], content: {} } }, "no complete answer: none was recorded"],
  [
    "a failure as Playwright writes it",
    { response: { status: -1, headers: [], content: {}, _failureText: "net::ERR_ABORTED" } },
    "no complete answer: net::ERR_ABORTED",
  ],
  ["status -1", { response: { status: -1, headers: [], content: {} } }, "no complete answer: none was recorded"],
] as const)
  test(`an entry with ${title} is counted, and the next is judged`, async () => {
    const entry = harEntry(exchanged);
    const { unjudged, report } = await judged(await entriesIn(harOf([{ ...entry, ...change }, entry])));
    expect([unjudged, report.judged]).toEqual([{ [reason]: 1 }, 1]);
  });

test("an entry that isn't JSON, and pseudo-fields of HTTP/2, break nothing", async () => {
  const entry = harEntry({ ...exchanged, headers: [[":method", "POST"]] });
  const har = harOf([entry]).replace('"entries":[', '"entries":[{"a":},');
  const { unjudged, report, kept } = await judged(await entriesIn(har));
  expect([unjudged, report.judged, kept[0]?.sent.headers]).toEqual([{ "what isn't JSON (entry 1)": 1 }, 1, []]);
});

for (const [status, reason] of [
  [304, "an answer that needs what the client had before"],
  [206, "an answer that needs what the client had before"],
  [102, "an interim answer"],
] as const)
  test(`an answer with HTTP ${status} isn't judged`, async () => {
    const { unjudged } = await judged([health({ answer: answered(wrong, status) })]);
    expect(Object.keys(unjudged)).toEqual([`${reason} (HTTP ${status})`]);
  });

// Malformed JSON-RPC requests: bodies, envelopes, keys, ids and batches (§4.3, §5.5, JSON-RPC 2.0)
import { gzipSync } from "node:zlib";
import { envelope, health, type Known, type MalformedCall, methods, text, unknownAddress } from "./call.ts";
import { type Json, list, nested, short, texts as words } from "./rows.ts";

const million = 1_000_000;
const texts = [
  ...words`"", " ", "\n", "\0", "{", "}", "[", "]", "(", "\"", "'", "{]", "[}", "{\"", "{\"a\"", "{\"a\":", "{\"a\":1",
    "{\"a\":1,}", "{a:1}", "{'a':1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[1,]",
    "[,1]", "[1 2]", "undefined", "NaN", "Infinity", "-Infinity", "True", "nul", "01", "+1", ".5", "1.", "1e", "0x10",
    "1_000", "--1", "- 1", "1n", "#", "//", "/* */", "<rpc/>", "--- rpc",
    "id=1&method=x", "\"\n\"", "\"\t\"", "\"\\x\"", "\"\\u12\"", "\"\\u{1}\"", "\ufeff{", "\u2028", "{}\u00a0", "｛｝",
    "“a”"`,
  ...[
    health + health,
    `${health},`,
    `${health}\0`,
    `${health}]`,
    `//\n${health}`,
    `)]}',\n${health}`,
    `${health}\n${health}`,
    health.slice(0, -1),
    health.slice(1),
    health.replaceAll('"', "'"),
  ],
  ...["07", "7.", "", "NaN", "7;", "'7'"].map((id) => health.replace("7", id)),
  ...[
    nested("[", "", "", 10_000),
    nested('{"a":', "", "", 10_000),
    `${nested("[", "", "]", 10_000)}]`,
    "[".repeat(million),
    "\\".repeat(million),
    `[${"1,".repeat(5 * million)}`,
  ],
  ...["x", "é", " ", '"'].map((letter) => letter.repeat(10 * million)),
].map((body) => text(body));

const bytes = [
  ...[
    Buffer.from(health, "utf16le"),
    Buffer.from(`\ufeff${health}`, "utf16le"),
    Buffer.from([0xff]),
    Buffer.from([0xc3, 0x28]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.alloc(million),
  ],
  ...[
    gzipSync(health),
    Buffer.from(Buffer.from(health).toString("base64")),
    Buffer.from(`${health}\xff`, "latin1"),
    Buffer.from(`\x80${health}`, "latin1"),
  ],
].map((body) => text(body));

const values = list`null, true, false, 0, 1, -1, 1.5, 1e300, "", x, getIndexerHealth, {}, {a: 1}, {jsonrpc: "2.0"},
    {result: ok}, {error: {code: 1, message: x}}, {jsonrpc: "2.0", result: ok}`;

const wrongMembers: { readonly [member: string]: readonly (Json | undefined)[] } = {
  jsonrpc: [undefined, ...list`null, 2, 2.1, "", "2", "1.0", "2.0 ", " 2.0", "2.00", "２.0", [], ["2.0"], {}, true`],
  method: [undefined, ...list`null, 0, 1, true, [], [getIndexerHealth], {}, {name: getIndexerHealth}`],
  id: list`true, false, [], [7], {}, {id: 7}`,
  params: list`true, false, 0, 1, -1.5, 1e300, "", x`,
};

const members = [
  ...Object.entries(wrongMembers).flatMap(([member, wrong]) =>
    wrong.map((value) =>
      text(JSON.stringify({ jsonrpc: "2.0", id: 7, method: "getIndexerHealth", [member]: value }), -32600, {
        id: member === "id" ? null : 7,
      }),
    ),
  ),
  ...words`jsonRPC, JSONRPC, Jsonrpc, " jsonrpc", "jsonrpc ", json-rpc, version`.map((name) =>
    text(health.replace("jsonrpc", name), -32600, { id: 7 }),
  ),
  ...words`Method, METHOD, " method", methodName`.map((name) =>
    text(health.replace("method", name), -32600, { id: 7 }),
  ),
];

const repeated = ({ owner, account }: Known): readonly MalformedCall[] => [
  text(health.replace("{", '{"jsonrpc":"1.0",').replace(/}$/, ',"jsonrpc":"1.0"}'), -32600, { id: 7 }),
  text(health.replace(/}$/, ',"method":1}'), -32600, { id: 7 }),
  text(health.replace(/}$/, ',"method":"none"}'), -32601, { id: 7 }),
  text(health.replace(/}$/, ',"id":{}}'), -32600),
  text(health.replace(/}$/, ',"params":[],"params":[1]}'), -32602, { id: 7, method: "getIndexerHealth" }),
  ...words`__proto__, constructor, prototype, toString`.flatMap((name) => {
    const asParams = (method: string, params: string): string => envelope(method, "?").replace('"?"', params);
    return [
      text(`{"${name}":${health}}`, -32600),
      text(`{"id":7,"${name}":{"jsonrpc":"2.0","method":"getIndexerHealth"}}`, -32600, { id: 7 }),
      text(envelope(name), -32601, { id: 7 }),
      text(asParams("getTokenAccounts", `{"${name}":{"owner":"${owner}"}}`), -32602, {
        id: 7,
        method: "getTokenAccounts",
      }),
      text(asParams("getTokenAccounts", `{"owner":"${owner}","${name}":{"limit":-1}}`), "result", { id: 7 }),
      text(asParams("getCompressedBalance", `{"${name}":{"address":"${account}"}}`), -32602, {
        id: 7,
        method: "getCompressedBalance",
      }),
      text(asParams("getIndexerHealth", `{"${name}":{}}`), -32602, { id: 7, method: "getIndexerHealth" }),
    ];
  }),
];

const names = [
  ...words`"", " ", "getIndexerHealth ", " getIndexerHealth", getindexerhealth, GETINDEXERHEALTH, "getIndexerHealth\0",
    getIndexerHealth(), "getIndexerHealth\n", get IndexerHealth,
    getIndexerHeаlth, rpc., rpc.none, rpc.getIndexerHealth, none, "💩", "\u202egetIndexerHealth", ../getIndexerHealth,
    "' OR 1=1--", "{{7*7}}", hasOwnProperty, valueOf, "7"`,
  "x".repeat(10 * million),
].map((name) => text(envelope(name), -32601, { id: 7 }));

const keys =
  words`/, /?, /?api-key, /?api-key=, /?api-key=%20, /?api-key=null, /?api-key=0, /?api-key=%00, /?api-key=%FF,
    "/?api-key={key}0", "/?api-key=0{key}", "/?api-key=%20{key}",
  "/?api-key={key}%20", "/?api-key={key},{key}", "/?api-key[]={key}", "/?API-KEY={key}", "/?apikey={key}",
    "/?api_key={key}", "/?key={key}", "/?x-api-key={key}", "/?api-key=x&api-key={key}",
  /?api-key=77f2c9e1-6d3a-4b58-8e04-c1a5b9d2f630, /?api-key=__proto__, /?api-key=constructor, "/#?api-key={key}",
    "/?;api-key={key}", "/?api-key=%22{key}%22"`.flatMap((target) =>
    methods.map(
      (method): MalformedCall => ({
        title: `${method} at ${target}`,
        target,
        expected: -32001,
        id: 7,
        method,
        body: envelope(method, [unknownAddress]),
      }),
    ),
  );

const ids = [
  ...list`"", " ", "0", "null", 💩, "\0", "\"", __proto__, 0, -1, 1.5, -1.5e300, 9007199254740991`,
  "x".repeat(million),
];
const echoed = [
  ...ids.flatMap((id) => [
    text(envelope("none", undefined, id), -32601, { id }),
    text(envelope("none", undefined, id).replace("2.0", "3.0"), -32600, { id }),
  ]),
  ...["null", "1e400"].map((id) => text(envelope("none", undefined, "?").replace('"?"', id), -32601)),
];

const batches = [
  text("[]", -32600),
  ...values.map((value) => text(JSON.stringify([value]), "refusals")),
  ...[
    "[[]]",
    "[[[]]]",
    `[[${health}]]`,
    `[1,[${health}],{}]`,
    nested("[", "", "]", 10_000),
    nested("[", "", "]", 200_000),
    nested("[", health, "]", 10_000),
  ].map((body) => text(body, "refusals")),
  ...[1_000, 100_000].map((length) => text(JSON.stringify(Array.from({ length }, () => 1)), "refusals")),
  text(`[${Array.from({ length: 10_000 }, (_, id) => envelope("none", undefined, id)).join(",")}]`, "refusals"),
  text(
    `[${methods.flatMap((method) => [envelope(method, [[[]]]), envelope(method, { a: {} })]).join(",")}]`,
    "refusals",
  ),
];

const silent = [...methods, "none", "__proto__"].flatMap((method) =>
  [[[[]]], { a: {} }].map((params) => text(JSON.stringify({ jsonrpc: "2.0", method, params }), "none")),
);

const odd = ({ owner }: Known): readonly MalformedCall[] =>
  [
    ...[2 ** 53, 1e300, million].map((page) => envelope("getTokenAccounts", { owner, page })),
    ...[
      envelope("getTokenAccounts", { owner, note: "x".repeat(10 * million) }),
      " ".repeat(10 * million) + health,
      health.replace("getIndexerHealth", "getIndexer\\u0048ealth"),
    ],
  ].map((body) => text(body, "result", { id: 7 }));

const labelled = [
  ...words`"", text/plain, application/xml, multipart/form-data; boundary=x, application/x-www-form-urlencoded,
    application/json; charset=utf-16, a/b, ";"`.map((type) => ["content-type", type]),
  ...words`gzip, deflate, br, zstd, "identity, gzip", x`.map((coding) => ["content-encoding", coding]),
].map(([name = "", value = ""]) =>
  text(gzipSync(health), -32700, { title: `gzipped, as ${name} ${value}`, headers: { [name]: value } }),
);

const onHttp: readonly MalformedCall[] = [
  ...["GET", "HEAD"].map((verb) => text("", "4xx", { title: verb, verb })),
  ...["PUT", "PATCH", "DELETE", "OPTIONS"].map((verb) => text(health, "4xx", { title: verb, verb })),
  ...[...words`//, /x, /rpc, /%2e%2e/x, /__proto__, /v0, /v0/admin/projects/x/usage`, `/${"a".repeat(8_000)}`].map(
    (path) => text(health, "4xx", { title: `POST to ${short(path)}`, target: `${path}?api-key={key}` }),
  ),
];

/** @param known so that only what is wrong is wrong */
export const callTables = (known: Known): { readonly [table: string]: readonly MalformedCall[] } => ({
  "text that is no JSON": texts,
  "bytes that are no text": bytes,
  "JSON that is no request": values.map((value) => text(JSON.stringify(value), -32600)),
  "requests with a member missing or wrong": members,
  "members that come twice, or have names of JavaScript's own": repeated(known),
  "unknown methods": names,
  "bad keys": keys,
  "ids of bad requests": echoed,
  "batches of what is no request": batches,
  "notifications that fail": silent,
  "odd but valid requests": odd(known),
  "bodies with wrong labels": labelled,
  "verbs and paths that JSON-RPC hasn't got": onHttp,
});

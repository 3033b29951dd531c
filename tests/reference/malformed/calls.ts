// Malformed JSON-RPC requests: bodies, envelopes, keys, ids and batches (§4.3, §5.5, JSON-RPC 2.0)
import { gzipSync } from "node:zlib";
import {
  account,
  address,
  asJson,
  badParams,
  envelope,
  health,
  methods,
  owner,
  text,
  unknownAddress,
  written,
} from "./call.ts";
import { type Json, list, nested, type Row, row, texts } from "./rows.ts";

const million = 1_000_000;
const noJson = [
  ...texts`"", " ", "\n", "\0", "{", "}", "[", "]", "(", "\"", "'", "{]", "[}", "{\"", "{\"a\"", "{\"a\":", "{\"a\":1",
    "{\"a\":1,}", "{a:1}", "{'a':1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[1,]",
    "[,1]", "[1 2]", "undefined", "NaN", "Infinity", "-Infinity", "True", "nul", "01", "+1", ".5", "1.", "1e", "0x10",
    "1_000", "--1", "- 1", "1n", "#", "//", "/* */", "<rpc/>", "--- rpc",
    "id=1&method=x", "\"\n\"", "\"\t\"", "\"\\x\"", "\"\\u12\"", "\"\\u{1}\"", "\ufeff{", "\u2028", "{}\u00a0", "｛｝",
    "“a”", '${health}${health}', '${health},'`,
  ...[`${health}\0`, `${health}]`, `//\n${health}`, `)]}',\n${health}`, `${health}\n${health}`],
  ...[health.slice(0, -1), health.slice(1), health.replaceAll('"', "'")],
  ...["07", "7.", "", "NaN", "7;", "'7'"].map((id) => health.replace("7", id)),
  ...[nested("[", "", "", 10_000), nested('{"a":', "", "", 10_000), `${nested("[", "", "]", 10_000)}]`],
  ...["[".repeat(million), "\\".repeat(million), `[${"1,".repeat(5 * million)}`],
  ...["x", "é", " ", '"'].map((letter) => letter.repeat(10 * million)),
];

const noText = [
  Buffer.from(health, "utf16le"),
  Buffer.from(`\ufeff${health}`, "utf16le"),
  ...["\xff", "\xc3\x28", "\xed\xa0\x80", "\0".repeat(million)].map((bytes) => Buffer.from(bytes, "latin1")),
  gzipSync(health),
  Buffer.from(Buffer.from(health).toString("base64")),
  ...[`${health}\xff`, `\x80${health}`].map((bytes) => Buffer.from(bytes, "latin1")),
];

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
  ...[
    ...texts`jsonRPC, JSONRPC, Jsonrpc, " jsonrpc", "jsonrpc ", json-rpc, version`.map((name) => ["jsonrpc", name]),
    ...texts`Method, METHOD, " method", methodName`.map((name) => ["method", name]),
  ].map(([member = "", name = ""]) => text(health.replace(member, name), -32600)),
];

const repeated = [
  text(health.replace("{", '{"jsonrpc":"1.0",').replace(/}$/, ',"jsonrpc":"1.0"}'), -32600),
  text(health.replace(/}$/, ',"method":1}'), -32600),
  text(health.replace(/}$/, ',"method":"none"}'), -32601),
  text(health.replace(/}$/, ',"id":{}}'), -32600, { id: null }),
  text(health.replace(/}$/, ',"params":[],"params":[1]}'), -32602, { method: "getIndexerHealth" }),
  ...texts`__proto__, constructor, prototype, toString`.flatMap((name) => [
    text(`{"${name}":${health}}`, -32600, { id: null }),
    text(`{"id":7,"${name}":{"jsonrpc":"2.0","method":"getIndexerHealth"}}`, -32600),
    text(envelope(name), -32601),
    badParams("getTokenAccounts", `{"${name}":{"owner":"${owner}"}}`),
    text(written("getTokenAccounts", `{"owner":"${owner}","${name}":{"limit":-1}}`), "result"),
    badParams("getCompressedBalance", `{"${name}":{"address":"${account}"}}`),
    badParams("getIndexerHealth", `{"${name}":{}}`),
  ]),
];

const names = [
  ...texts`"", " ", "getIndexerHealth ", " getIndexerHealth", getindexerhealth, GETINDEXERHEALTH, "getIndexerHealth\0",
    getIndexerHealth(), "getIndexerHealth\n", get IndexerHealth,
    getIndexerHeаlth, rpc., rpc.none, rpc.getIndexerHealth, none, "💩", "\u202egetIndexerHealth", ../getIndexerHealth,
    "' OR 1=1--", "{{7*7}}", hasOwnProperty, valueOf, "7"`,
  "x".repeat(10 * million),
];

const keyed =
  texts`/, /?, /?api-key, /?api-key=, /?api-key=%20, /?api-key=null, /?api-key=0, /?api-key=%00, /?api-key=%FF,
    "/?api-key={key}0", "/?api-key=0{key}", "/?api-key=%20{key}",
  "/?api-key={key}%20", "/?api-key={key},{key}", "/?api-key[]={key}", "/?API-KEY={key}", "/?apikey={key}",
    "/?api_key={key}", "/?key={key}", "/?x-api-key={key}", "/?api-key=x&api-key={key}",
  /?api-key=77f2c9e1-6d3a-4b58-8e04-c1a5b9d2f630, /?api-key=__proto__, /?api-key=constructor, "/#?api-key={key}",
    "/?;api-key={key}", "/?api-key=%22{key}%22"`.flatMap((target) =>
    methods.map((method) =>
      text(envelope(method, [unknownAddress]), -32001, { title: `${method} at ${target}`, target, method }),
    ),
  );

const ids = [
  ...list`"", " ", "0", "null", 💩, "\0", "\"", __proto__, 0, -1, 1.5, -1.5e300, 9007199254740991`,
  "x".repeat(million / 10),
];
const echoed = [
  ...ids.flatMap((id) => [
    text(envelope("none", undefined, id), -32601, { id }),
    text(envelope("none", undefined, id).replace("2.0", "3.0"), -32600, { id }),
  ]),
  ...["null", "1e400"].map((id) => text(written("none", undefined, id), -32601, { id: null })),
];

const batches = [
  ...values.map((value) => JSON.stringify([value])),
  ...["[[]]", "[[[]]]", `[[${health}]]`, `[1,[${health}],{}]`],
  ...[nested("[", "", "]", 10_000), nested("[", "", "]", 200_000), nested("[", health, "]", 10_000)],
  ...[1_000, 20_000].map((length) => JSON.stringify(Array.from({ length }, () => 1))),
  `[${Array.from({ length: 2_000 }, (_, id) => envelope("none", undefined, id)).join(",")}]`,
  `[${methods.flatMap((method) => [envelope(method, [[[]]]), envelope(method, { a: {} })]).join(",")}]`,
];

const silent = [...methods, "none", "__proto__"].flatMap((method) =>
  [[[[]]], { a: {} }].map((params) => JSON.stringify({ jsonrpc: "2.0", method, params })),
);

const odd = [
  ...[2 ** 53, 1e300, million].map((page) => envelope("getTokenAccounts", { owner, page })),
  envelope("getTokenAccounts", { owner, note: "x".repeat(10 * million) }),
  " ".repeat(10 * million) + health,
  health.replace("getIndexerHealth", "getIndexer\\u0048ealth"),
];

const labelled = [
  ...texts`"", text/plain, application/xml, multipart/form-data; boundary=x, application/x-www-form-urlencoded,
    application/json; charset=utf-16, a/b, ";"`.map((type) => ["content-type", type]),
  ...texts`gzip, deflate, br, zstd, "identity, gzip", x`.map((coding) => ["content-encoding", coding]),
].map(([name = "", value = ""]) =>
  text(gzipSync(health), -32700, { title: `gzipped, as ${name} ${value}`, headers: { [name]: value } }),
);

const asked = (verb: string, target: string, body = health): Row["sent"] => ({ target, verb, headers: asJson, body });
export const onHttp: readonly Row[] = [
  row("GET", 405, asked("GET", address, "")),
  { ...row("HEAD", 405, asked("HEAD", address, "")), expected: { status: "405", type: "application/json", body: "" } },
  ...["PUT", "PATCH", "DELETE", "OPTIONS"].map((verb) => row(verb, 405, asked(verb, address))),
  ...[...texts`//, /x, /rpc, /%2e%2e/x, /__proto__, /v0, /v0/admin/projects/x/usage`, `/${"a".repeat(8_000)}`].map(
    (path) => row(`POST to ${path}`, path.endsWith("/usage") ? 405 : 404, asked("POST", `${path}?api-key={key}`)),
  ),
];

export const callTables = {
  "text that isn't JSON": noJson.map((body) => text(body)),
  "bytes that are no text": noText.map((body) => text(body)),
  "JSON that is no request": values.map((value) => text(JSON.stringify(value), -32600, { id: null })),
  "requests with a member missing or wrong": members,
  "members that come twice, or have names of JavaScript's own": repeated,
  "unknown methods": names.map((name) => text(envelope(name), -32601)),
  "bad keys": keyed,
  "ids of bad requests": echoed,
  "batches of what is no request": [text("[]", -32600, { id: null }), ...batches.map((body) => text(body, "refusals"))],
  "notifications that fail": silent.map((body) => text(body, "none")),
  "odd but valid requests": odd.map((body) => text(body, "result")),
  "bodies with wrong labels": labelled,
};

// Malformed requests of the usage endpoint, and bytes that are no HTTP (§4.1, §5, §7.1)
import { forged } from "./control.ts";
import { lines, type Row, row, sized, split, type Tables, texts } from "./rows.ts";

const usageOf = (id: string): string => `/v0/admin/projects/${id}/usage`;
const asJson = "Content-Type: application/json";
const withKey = "X-Api-Key: {key}";

const unknownId = "77f2c9e1-6d3a-4b58-8e04-c1a5b9d2f630";

const paths = split(`
  // /// /* /v0 /v0/ /v0/admin /v0/admin/projects /v0/admin/projects/ /v0/admin/projects/{id}
    /v0/admin/projects/{id}/ /v0/admin/projects//usage /v0/admin/projects/usage
  //v0/admin/projects/{id}/usage /v0//admin/projects/{id}/usage /v0/admin/projects//{id}/usage
    /v0/admin/projects/{id}//usage /v0/admin/projects/{id}/usage/
  /v0/admin/projects/{id}/usage// /v0%2Fadmin/projects/{id}/usage /v0/admin/projects%2F{id}/usage
    /v0/admin/projects/{id}%2Fusage /v0/admin/projects/{id}/usage%2F
  /v0/admin/projects/{id}%5Cusage /v0/admin/projects/{id}/usage%00 /v0/admin/projects/{id}/usage%zz
    /v0/admin/projects/{id}/usage% /v0/admin/projects/{id}/usage%20
  /v0/admin/projects/{id}/usage. /v0/admin/projects/{id}/usage;a=1 /v0/admin/projects/{id}/usage/..
    /v0/admin/projects/../../x /../../etc/passwd /..%2f..%2fetc/passwd
  /v0/admin/projects/%2e%2e/usage /v0/admin/projects/{id}/usage/more /V0/ADMIN/PROJECTS/{id}/USAGE
    /v1/admin/projects/{id}/usage /v00/admin/projects/{id}/usage
  /v0/admin/project/{id}/usage /v0/admin/projects/{id}/usages /v0/admin/projects/{id}/Usage /control /control/
    /control/x /CONTROL /%63ontrol /__proto__ /constructor
  /v0/admin/projects/{id}/__proto__ /%E2%80%AE /%F0%9F%92%A9 /%C3%28 /favicon.ico http://elsewhere.example/x
    //elsewhere.example/x
  /${"a".repeat(8_000)} /${"a/".repeat(4_000)} /${"%41".repeat(2_500)} ${"/".repeat(8_000)}
`);
/** Where calls of JSON-RPC are served. */
const posts = ["/", "/?", "/..".repeat(2_500)];
const get = (target: string, status: number): Row => row(`GET ${target}`, status, lines("GET", target, [withKey]));

const ids = split(`
  0 -1 1 1e3 0x10 NaN null undefined true [] {} * :id %7Bid%7D %20 %09 %0A %0D%0A %00 %25 %zz % %C3%28 %FF %F0%9F%92%A9
    %E2%80%8B{id} {id}%E2%80%8B {id}0 0{id} {id}%20 %20{id}
  {id}%00 {id}%0A {id}. {id},{id} {id};v=1 %7B{id}%7D urn:uuid:{id} %22{id}%22 {watched} ${unknownId}
    00000000-0000-0000-0000-000000000000 ffffffff-ffff-ffff-ffff-ffffffffffff
  gggggggg-gggg-4ggg-8ggg-gggggggggggg 77f2c9e16d3a4b588e04c1a5b9d2f630 77f2c9e1-6d3a-4b58-8e04-c1a5b9d2f63 __proto__
    constructor toString hasOwnProperty
  '%20OR%201=1-- %3Cscript%3E $%7B7*7%7D ..%2f..%2f ${"a".repeat(8_000)} ${"%00".repeat(2_000)}
`).map((id) => row(`the id ${id}`, 400, lines("GET", usageOf(id), [withKey])));

const queries = split(`
  ? ?& ?&&=& ?api-key ?api-key= ?api-key=% ?api-key=%zz ?api-key=%00 ?api-key=%FF%FE ?api-key=%20 ?api-key=null
    ?api-key=0 ?api-key[]={key} ?api-key[0]={key} ?api-key.x={key}
  ?API-KEY={key} ?Api-Key={key} ?apikey={key} ?api_key={key} ?key={key} ?x-api-key={key} ?api-key={KEY} ?api-key=+{key}
    ?api-key={key}+ ?api-key=%22{key}%22 ?api-key={key}%00
  ?api-key={key}0 ?api-key={key},{key} ?api-key={id} ?api-key=x&api-key={key} ?api-key=&api-key={key} ?x?api-key={key}
    ?;api-key={key} ?__proto__=1&constructor=2
  ?api-key=__proto__ ?api-key=constructor #?api-key={key} ?api-key=${"a".repeat(10_000)} ?${"a=1&".repeat(3_000)}
    ?${"api-key=&".repeat(1_000)}
`).map((query) => row(`the query ${query}`, 401, lines("GET", usageOf("{id}") + query)));

const keyHeaders = [
  ...texts`"", " ", "\t", "0", "null", "{}", "é", "\xff\xfe", "'{key}'", "\"{key}\"", "{key},", "{key}, {key}",
    "{key} {key}", "{key}\t{key}", "Bearer {key}", "{KEY}", "{key}0", "{{key}}",
    "urn:uuid:{key}", "{id}", __proto__, constructor, 00000000-0000-0000-0000-000000000000, "x\r\nX-Api-Key: {key}",
    "\r\nX-Api-Key: {key}"`.map((value) => `X-Api-Key: ${value}`),
  ...texts`"X-Api_Key: {key}", "Api-Key: {key}", "X-Api-Key-: {key}", "Authorization: Bearer {key}",
    "Authorization: ApiKey {key}", "Cookie: api-key={key}"`,
  ...["a".repeat(10_000), "é".repeat(10_000), "\u0080".repeat(36), "{key}".repeat(300)].map(
    (value) => `X-Api-Key: ${value}`,
  ),
].map((header) =>
  row(`the key in ${JSON.stringify(header)}`, 401, Buffer.from(lines("GET", usageOf("{id}"), [header]), "latin1")),
);

const verbs =
  "POST PUT PATCH DELETE OPTIONS TRACE PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK SEARCH PURGE REPORT MERGE " +
  "NOTIFY M-SEARCH LINK SOURCE";
const methods = split(verbs).flatMap((method) => [
  row(`${method} of the usage`, 405, lines(method, usageOf("{id}"), [withKey])),
  row(`${method} of control`, method === "POST" ? 400 : 404, lines(method, "/control", ["X-Assay-Control: {token}"])),
]);

const bodiesOnGet = ["{}", "null", "{", "\0", "a=1", "é".repeat(1_000), "x".repeat(1_000_000)].flatMap((body) => [
  row(`GET of another project with the body ${body}`, 400, sized("GET", usageOf(unknownId), [withKey], body)),
  row(`GET without a key, with the body ${body}`, 401, sized("GET", usageOf("{id}"), [asJson], body)),
]);

const raw = (bytes: string): Row => row(JSON.stringify(bytes), "http", Buffer.from(bytes, "latin1"));
const posted = (header: string, body: string): Row =>
  raw(lines("POST", "/control", ["X-Assay-Control: {token}", header], body));

const garbage = [
  ...texts`"", "\r\n\r\n", "GET", "GET /", "GET /\r\n\r\n", "garbage\r\n\r\n", "get / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET / HTTP/9.9\r\nHost: a\r\n\r\n", "GET / HTTP/1\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "{\"jsonrpc\":\"2.0\"}",
    "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "\x16\x03\x01\0\xc8\x01\0\0\xc4", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: [\r\n\r\n", "GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a/b?c\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: é\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n"`.map(raw),
  ...["\0".repeat(1_000), "\n".repeat(10_000), "A".repeat(100_000), lines("GET", `/${"a".repeat(100_000)}`)].map(raw),
  ...texts`"v0", "?", "\\v0", "/v0 /admin", "/v0\t", "/é", "/\0", "http://[/x", "http://", "http://a:b@c:99999/"`.map(
    (target) => raw(lines("GET", target)),
  ),
  ...["FOO", "TRACK", "GET,POST", "GÉT", "X".repeat(5_000)].map((method) => raw(lines(method, "/"))),
  ...texts`"A", ": x", "A : x", "A A: x", "A: a\r\n b", "A: a\0b", "A: a\rb", "A: a\nb",
    "Connection: upgrade\r\nUpgrade: websocket"`.map((header) => raw(lines("GET", "/", [header]))),
  ...["A: ", "X-Api-Key: ", ""].map((name) => raw(lines("GET", "/", [`${name}${"a".repeat(100_000)}`]))),
  ...texts`"1000", "10", "-1", "x", "1e2", "0x10", "99999999999999999999", "2, 2", "", "2\r\nContent-Length: 3",
    "2\r\nTransfer-Encoding: chunked"`.map((length) => posted(`Content-Length: ${length}`, forged)),
  ...texts`"zz\r\n{}\r\n", "2\r\n{}\r\n", "-2\r\n{}\r\n0\r\n\r\n", "2\r\n{}0\r\n\r\n", "FFFFFFFFFFFFFFFFFF\r\n{}",
    "2;a=b\0\r\n{}\r\n0\r\n\r\n", ""`.map((chunks) => posted("Transfer-Encoding: chunked", chunks)),
  ...texts`"Transfer-Encoding: gzip", "Transfer-Encoding: chunked, chunked", "Expect: the unexpected",
    "Content-Encoding: gzip"`.map((header) => posted(header, "0\r\n\r\n")),
];

export const usageTables: Tables = {
  "paths that aren't served": [...paths.map((target) => get(target, 404)), ...posts.map((target) => get(target, 405))],
  "ids of other projects, or of none": ids,
  "keys in odd queries": queries,
  "keys in odd headers": keyHeaders,
  "undocumented methods and bodies": [...methods, ...bodiesOnGet],
  "bytes that are no HTTP": garbage,
};

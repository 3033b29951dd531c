// Which recorded requests call an operation: one row for each reason against it, and rows that do.
import { expect, test } from "@playwright/test";
import { jsonOrNull } from "../../harness/core/json.ts";
import type { Recorded } from "../../harness/recordings/recorded.ts";
import { matcherFor } from "../../harness/transport/matching.ts";
import { health, host, worldAt } from "../support/recordings.ts";

const { target, ids } = worldAt();
const { operations } = target.interface;
type Change = Partial<Recorded>;

const get = (path: string, change: Change = {}): Recorded =>
  health({ method: "GET", url: `${host}${path}`, headers: [], body: null, ...change });
const usage = `/v0/admin/projects/${ids["paid"]}/usage`;
const envelope = (change: object = {}): Change => ({
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getIndexerHealth", ...change }),
});
const header = (name: string, value: string): Change => ({ headers: [[name, value]] });

for (const [title, recorded, reason] of [
  ["no address", health({ url: "about" }), "address"],
  ["an empty address", health({ url: "" }), "address"],
  ["another host", health({ url: "https://cdn.example/" }), "host"],
  ["a subdomain", health({ url: "https://x.acme.example/" }), "host"],
  ["another port", health({ url: "https://acme.example:8443/" }), "host"],
  ["an unknown path", get("/v0/admin/projects"), "path"],
  ["a path that goes on", get(`${usage}/more`), "path"],
  ["an empty id", get("/v0/admin/projects//usage"), "path"],
  ["another version", get(usage.replace("v0", "v1")), "path"],
  ["a path of the JSON-RPC address", health({ url: `${host}/rpc` }), "path"],
  ["another method", get(usage, { method: "HEAD" }), "path"],
  ["a browser's preflight", health({ method: "OPTIONS" }), "path"],
  ["an unknown JSON-RPC method", health(envelope({ method: "getSlot" })), "method"],
  ["an unknown parameter", get(`${usage}?detail=all`), "parameters"],
  ["a range", get(usage, header("range", "bytes=0-9")), "range"],
  ["a page asked for", get(usage, header("accept", "text/html")), "accept"],
  ["a body of a GET", get(usage, { body: "{}" }), "content"],
  ["a form that is posted", health(header("content-type", "application/x-www-form-urlencoded")), "content"],
  ["a type that begins alike", health(header("content-type", "application/jsonp")), "content"],
  ["a body that was compressed", health(header("content-encoding", "gzip")), "content"],
  ["no JSON", health({ body: "{" }), "form"],
  ["a member named twice", health({ body: `{"id":2,${envelope().body?.slice(1)}` }), "form"],
  [
    "a hundred levels",
    health(envelope({ params: Array.from({ length: 100 }).reduce((inner) => [inner], 1) as never })),
    "form",
  ],
  ["no version of JSON-RPC", health(envelope({ jsonrpc: undefined })), "form"],
  ["a notification", health(envelope({ id: undefined })), "notification"],
  ["an id that is null", health(envelope({ id: null })), "form"],
  ["an id that is an object", health(envelope({ id: {} })), "form"],
  ["an empty batch", health({ body: "[]" }), "form"],
  ["no body", health({ body: null }), "body"],
  ["an empty body", health({ body: "" }), "body"],
] as const)
  test(`a request isn't judged for its ${reason}: ${title}`, () => {
    expect(matcherFor(target)(recorded)).toMatchObject({ unmatched: reason });
  });

const key = "b05c3f72e84d4196a2d71f9b6c40e8a3";

for (const [recorded, says] of [
  [get("/v0/admin/projects"), "GET /v0/admin/projects isn't an operation of the interface"],
  [get(`${usage}/`), "GET /v0/admin/projects/…/usage/ isn't getProjectUsage: its path has no slash at the end"],
  [get(`/v0/admin/projects/${key}/use`), "GET /v0/admin/projects/…/use isn't an operation of the interface"],
  [get("/v1/wallet/alice.sol/nfts"), "GET /v1/wallet/…/nfts isn't an operation of the interface"],
  [get(`/${key}/a/1/2/3/4/5/6/7`), "GET /…/a/…/…/…/…/…/…/… isn't an operation of the interface"],
  [get(usage, { method: "HEAD" }), "HEAD /v0/admin/projects/…/usage isn't an operation of the interface"],
  [get(`${usage}?id=${key}`), "the query parameter id of getProjectUsage: not described"],
  [get(`${usage}?b=1&a=2&b=3&api-key=x`), "the query parameters a and b of getProjectUsage: not described"],
  [get(`${usage}?${key}`), "the query parameter … of getProjectUsage: not described"],
  [get(usage, header("accept", "text/html;q=0.9, text/plain")), "a request that accepts text/html and no JSON"],
  [get(usage, { body: "{}" }), "a GET with a body"],
  [
    health(header("content-type", "text/plain; a=b")),
    "a request whose body is labelled text/plain instead of application/json",
  ],
  [health(header("content-encoding", "gzip")), "a request whose body is compressed (gzip)"],
  [health(envelope({ method: "getSlot" })), "the JSON-RPC method getSlot: not in the interface"],
  [health(envelope({ method: key })), "the JSON-RPC method …: not in the interface"],
  [health({ body: "{" }), "a JSON-RPC request whose body isn't JSON"],
  [health({ body: "7" }), "a JSON-RPC request that isn't an object"],
  [health({ body: `{"id":2,${envelope().body?.slice(1)}` }), "a JSON-RPC request that names id twice"],
  [health(envelope({ params: jsonOrNull("[".repeat(40) + "]".repeat(40)) })), /nested deeper than 32 levels$/],
  [health(envelope({ jsonrpc: undefined })), 'a JSON-RPC request without "jsonrpc": "2.0"'],
  [health(envelope({ jsonrpc: "1.0" })), 'a JSON-RPC request whose jsonrpc is "1.0" instead of "2.0"'],
  [health(envelope({ jsonrpc: key })), 'a JSON-RPC request whose jsonrpc is a text instead of "2.0"'],
  [health(envelope({ id: null })), "a JSON-RPC request whose id is null rather than a text or a number"],
  [health(envelope({ id: true })), "a JSON-RPC request whose id is true rather than a text or a number"],
  [health(envelope({ id: {} })), "a JSON-RPC request whose id is an object rather than a text or a number"],
  [health(envelope({ method: 5 })), "a JSON-RPC request without a method"],
  [health({ body: "[]" }), "an empty batch"],
  [health({ body: "[7]" }), "a batch without a call: its first request is a JSON-RPC request that isn't an object"],
] as const)
  test(`the reason names what shows it: ${String(says)}`, () => {
    const found = matcherFor(target)(recorded);
    expect("says" in found && found.says).toEqual(typeof says === "string" ? says : expect.stringMatching(says));
    expect(JSON.stringify(found)).not.toContain(key.slice(0, 8));
  });

test("a key in the address of a platform isn't shown", () => {
  const base = `${host}/eu/${key}`;
  const found = matcherFor({ ...target, bases: { admin: base, api: base, rpc: base } })(get(`/eu/${key}/more`));
  expect(found).toMatchObject({ says: "GET /eu/…/more isn't an operation of the interface" });
});

test("what isn't below the base is another's", () => {
  const bases = { admin: `${host}/abc`, api: `${host}/abc`, rpc: `${host}/abc` };
  const below = (prefix: string) => matcherFor({ ...target, bases })(get(`${prefix}${usage}`));
  expect(below("/xyz")).toMatchObject({ unmatched: "path" });
  expect(below("/abc")).toMatchObject({ batched: null });
});

/** The operations that a request calls at bases, and the values of its path; else the reason. */
function calledBy(recorded: Recorded, base = host) {
  const found = matcherFor({ ...target, bases: { admin: base, api: base, rpc: base } })(recorded);
  return "unmatched" in found ? found.unmatched : found.calls.map(({ operation }) => operation.id).join();
}

for (const { id, method, path, api } of operations)
  test(`${id} is found by its method and path`, () => {
    const isMethod = target.interface.apis[api] === "json-rpc";
    const url = `${host}${isMethod ? "/" : path.replaceAll(/\{\w+\}/g, "some.sol")}`;
    expect(calledBy(isMethod ? health({ url, ...envelope({ method: id }) }) : get("", { url, method }))).toBe(id);
  });

for (const [title, base, url] of [
  ["a prefix", "https://acme.example/eu/v2", "https://acme.example/eu/v2/"],
  ["a prefix with a slash at its end", "https://acme.example/eu/", "https://acme.example/eu/"],
  ["a prefix without the last slash", "https://acme.example/eu", "https://acme.example/eu"],
  ["no slash at all", "https://acme.example", "https://acme.example"],
  ["the port of https", "https://acme.example:443", "https://acme.example/"],
  ["the port of https in the request", "https://acme.example", "https://acme.example:443/"],
  ["the port of http", "http://acme.example", "http://acme.example:80/"],
  ["capital letters in the host", "https://acme.example", "https://ACME.example/"],
  ["parameters and a fragment", "https://acme.example", "https://acme.example/?api-key=x&trace=1#top"],
] as const)
  test(`a base with ${title}`, () => {
    expect(calledBy(health({ url }), base)).toBe("getIndexerHealth");
  });

test("a path that only begins as the prefix does is another's", () => {
  const base = "https://acme.example/eu";
  expect(calledBy(health({ url: "https://acme.example/europe" }), base)).toBe("path");
  expect(calledBy(get("", { url: `https://acme.example${usage}` }), base)).toBe("path");
  expect(calledBy(get("", { url: `${base}${usage}` }), base)).toBe("getProjectUsage");
});

for (const [title, recorded, calls] of [
  ["a batch with an unknown method", health({ body: `[${envelope().body},${envelope({ method: "x" }).body}]` }), 1],
  ["a batch with a notification", health({ body: `[${envelope({ id: undefined }).body},${envelope().body}]` }), 1],
  ["a batch of one", health({ body: `[${envelope().body}]` }), 1],
  ["types with a charset", health(header("content-type", "application/json; charset=utf-8")), 1],
  ["any type", get(usage, header("accept", "text/html, */*;q=0.1")), 1],
  ["the key in the query", get(`${usage}?api-key=x`), 1],
  ["parameters of what has no documented answers", get("/v1/wallet/a.sol/history?limit=2"), 1],
] as const)
  test(`${title} is judged`, () => {
    expect(matcherFor(target)(recorded)).toMatchObject({ calls: Array.from({ length: calls }, () => ({})) });
  });

test("a project of the target is its key's, whatever the case of its id; another is what it is", () => {
  const pathOf = (id: string | undefined) => {
    const found = matcherFor(target)(get(`/v0/admin/projects/${id}/usage`));
    return "unmatched" in found ? found : found.calls[0]?.path[1];
  };
  expect(pathOf(ids["free"]?.toUpperCase())).toEqual({ projectOf: "free" });
  expect(pathOf("b05c3f72-e84d-4196-a2d7-1f9b6c40e8a3")).toEqual({ id: "b05c3f72-e84d-4196-a2d7-1f9b6c40e8a3" });
});

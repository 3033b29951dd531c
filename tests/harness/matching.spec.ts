// Which recorded requests call an operation: one row for each reason against it, and rows that do.
import { expect, test } from "@playwright/test";
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
    expect(matcherFor(target)(recorded)).toBe(reason);
  });

test("what isn't below the base is another's", () => {
  const bases = { admin: `${host}/abc`, api: `${host}/abc`, rpc: `${host}/abc` };
  const below = (prefix: string) => matcherFor({ ...target, bases })(get(`${prefix}${usage}`));
  expect(below("/xyz")).toBe("path");
  expect(below("/abc")).toMatchObject({ batched: null });
});

/** The operations that a request calls at bases, and the values of its path; else the reason. */
function calledBy(recorded: Recorded, base = host) {
  const found = matcherFor({ ...target, bases: { admin: base, api: base, rpc: base } })(recorded);
  return typeof found === "string" ? found : found.calls.map(({ operation }) => operation.id).join();
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
    return typeof found === "string" ? found : found.calls[0]?.path[1];
  };
  expect(pathOf(ids["free"]?.toUpperCase())).toEqual({ projectOf: "free" });
  expect(pathOf("b05c3f72-e84d-4196-a2d7-1f9b6c40e8a3")).toEqual({ id: "b05c3f72-e84d-4196-a2d7-1f9b6c40e8a3" });
});

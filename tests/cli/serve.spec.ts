// `assay serve`: what it prints works as it stands, and what it does for authors of clients alone
import { type OutgoingHttpHeaders, request } from "node:http";
import { expect, test } from "@playwright/test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { assay, type Running, start, startAssay } from "../support/assay.ts";
import { describedFeatures } from "../support/register.ts";
import { servedReference } from "../support/servedReference.ts";
import { openRpcProblems } from "../support/standards.ts";

test.describe.configure({ mode: "default" });

interface Printed {
  readonly base: string;
  readonly environment: { readonly [name: string]: string };
  readonly date: string;
  readonly curl: { readonly [feature: string]: string };
}

const leapDay = "2028-02-29";
const servings: Running[] = [];
let [printed, text]: [Printed, string] = [{ base: "", environment: {}, date: "", curl: {} }, ""];

test.beforeAll(async () => {
  servings.push(startAssay(["serve", "--json"]), startAssay(["serve", "--date", leapDay]));
  const [json, lines] = servings;
  printed = JSON.parse((await json?.says("\n")) ?? "") as Printed;
  text = (await lines?.says("export ASSAY_REFERENCE_IP_BLOCKED")) ?? "";
});
test.afterAll(() => {
  for (const serving of servings) serving.kill("SIGTERM");
});

/** Types a line of curl. */
async function typed(line: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const { stdout, stderr } = await start("bash", ["-c", `${line} -w '\\n%{http_code}'`]).ended;
  expect(stderr).toBe("");
  const [body = "", status] = stdout.split(/\n(?=\d+$)/);
  return { status: Number(status), body: JSON.parse(body) };
}

const answers: { readonly [feature: string]: object } = {
  usage: { subscriptionDetails: { plan: "business" } },
  wallet: { totalUsdValue: expect.any(Number) },
  tokenAccounts: { result: { limit: 2, token_accounts: [{}, {}] } },
  compression: { result: { value: 1_000_000 } },
  bundles: { result: expect.stringMatching(/^[0-9a-f]{64}$/) },
};

test("each feature has one curl line, and each line is served as it stands", async () => {
  expect(Object.keys(printed.curl).toSorted()).toEqual(describedFeatures.toSorted());
  const lines = text.match(/(?<=^ {2})curl .*$/gm) ?? [];
  expect(lines).toHaveLength(describedFeatures.length);
  for (const [nth, [feature, line]] of Object.entries(printed.curl).entries())
    for (const one of [line, lines[nth] ?? ""])
      expect({ feature, ...(await typed(one)) }).toMatchObject({ feature, status: 200, body: answers[feature] });
});

const leavesOf = (value: unknown): readonly string[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];

test("the JSON holds what the text holds: keys, projects, plans, limits, samples, regions and documents", () => {
  const same = Object.entries(printed.environment).reduce(
    (json, [name, key]) => json.replaceAll(key, new RegExp(`${name}=(.*)`).exec(text)?.[1] ?? ""),
    JSON.stringify({ ...printed, format: undefined, version: undefined })
      .replaceAll(printed.base, /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? "")
      .replaceAll(printed.date, leapDay),
  );
  const leaves = leavesOf(JSON.parse(same));
  expect(leaves.length).toBeGreaterThan(80);
  expect(leaves.filter((leaf) => !text.includes(leaf))).toEqual([]);
  expect(printed).toMatchObject({
    roles: { slow: { plan: "throttled", kind: "paid", creditsLimit: 500_000, rpc: { perSecond: 3, burst: 3 } } },
    limits: { usagePerSecond: 5, sendBundlePerSecond: 5 },
    samples: { tipLamports: 1_000 },
    regions: ["ams", "dub", "fra", "lon", "nyc", "slc", "sgp", "tyo", "mainnet"],
  });
});

/** As the reference counts: 400 ms each, from the first instant of 2025 on. */
const slotAt = (at_ms: number): number => 310_000_000 + (at_ms - Date.parse("2025-01-01T00:00:00Z")) / 400;

type Cycle = { readonly start: string; readonly end: string };
type Usage = { readonly creditCycle: Cycle; readonly creditsUsed: number };

/** What usage, wallets and JSON-RPC say of the time, by curl lines. */
async function timesBy(lines: readonly string[]): Promise<{ readonly usage: Usage; readonly slots: number[] }> {
  const bodies = (await Promise.all(lines.slice(0, 4).map((line) => typed(line)))).map(({ body }) => body);
  const [usage, wallet, tokens, balance] = bodies as [
    Usage,
    { readonly slot: number },
    { readonly result: { readonly last_indexed_slot: number } },
    { readonly result: { readonly context: { readonly slot: number } } },
  ];
  return { usage, slots: [wallet.slot, tokens.result.last_indexed_slot, balance.result.context.slot] };
}

test("usage, wallets and JSON-RPC answer in the same minute: today, or on the day that --date names", async () => {
  for (const [lines, day] of [
    [Object.values(printed.curl), new Date().toISOString().slice(0, 10)],
    [text.match(/(?<=^ {2})curl .*$/gm) ?? [], leapDay],
  ] as const) {
    const { usage, slots } = await timesBy(lines);
    const now_ms = Date.parse(day) + (Date.now() % 86_400_000);
    for (const slot of slots) expect(Math.abs(slot - slotAt(now_ms))).toBeLessThan(150);
    expect(usage.creditCycle.start <= day && day <= usage.creditCycle.end, JSON.stringify(usage.creditCycle)).toBe(
      true,
    );
    expect(usage.creditsUsed).toBeGreaterThan(250_000);
  }
  const { headers } = await fetch(/http:\S+(?=\/openapi\.json)/.exec(text)?.[0] ?? "");
  expect(headers.get("date")).toContain("29 Feb 2028");
});

const usageUrl = (): [url: string, key: string] => {
  const [, key = "", url = ""] = /X-Api-Key: (\S+)' '(.+)'/.exec(printed.curl["usage"] ?? "") ?? [];
  return [url, key];
};
const corsIn = (headers: Headers) => [...headers].filter(([name]) => name.startsWith("access-control-"));

for (const origin of ["http://localhost:5173", "http://127.0.0.1:8080", "http://[::1]:3000", "https://localhost"]) {
  test(`a page of ${origin} may call it, after a preflight`, async () => {
    const [url, key] = usageUrl();
    const asked = { "access-control-request-method": "GET", "access-control-request-headers": "x-api-key" };
    const preflight = await fetch(url, { method: "OPTIONS", headers: { origin, ...asked } });
    expect([preflight.status, Object.fromEntries(corsIn(preflight.headers))]).toMatchObject([
      204,
      { "access-control-allow-origin": origin, "access-control-allow-headers": "x-api-key" },
    ]);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("GET");
    const { headers } = await fetch(url, { headers: { origin, "x-api-key": key } });
    expect([headers.get("access-control-allow-origin"), headers.get("vary")]).toEqual([origin, "Origin"]);
  });
}

for (const origin of ["https://acme.example", "http://localhost.acme.example", "http://127.0.0.1.acme.example", "null"])
  test(`a page of ${origin} gets no CORS headers, and a preflight nothing`, async () => {
    const [url, key] = usageUrl();
    const preflight = await fetch(url, { method: "OPTIONS", headers: { origin } });
    const { headers } = await fetch(url, { headers: { origin, "x-api-key": key } });
    expect([preflight.status, corsIn(preflight.headers), corsIn(headers)]).toEqual([405, [], []]);
  });

test("the paths of Jito's block engine name the right one; other paths don't exist", async () => {
  const post = async (path: string) => {
    const response = await fetch(`${printed.base}${path}`, { method: "POST", body: "{}" });
    return { status: response.status, text: await response.text() };
  };
  for (const path of ["/bundles", "/api/v1/bundles"]) {
    const { status, text: body } = await post(path);
    const message = `JSON-RPC isn't served at ${path}. Send it to ${printed.base}/?api-key=<key>.`;
    expect([status, JSON.parse(body)]).toEqual([404, { jsonrpc: "2.0", id: null, error: { code: -32601, message } }]);
  }
  expect(await post("/api/v1/transactions")).toMatchObject({
    status: 404,
    text: expect.stringContaining("Cannot POST"),
  });
});

test("the documents are those of `assay spec`, with the address by which they were requested", async () => {
  const local = printed.base.replace("127.0.0.1", "localhost");
  const source = await (await fetch(`${local}/openapi.json`)).text();
  const config = await createConfig({ extends: ["recommended"], rules: { "no-server-example.com": "off" } });
  // That servers are on loopback is what it is for.
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  const { stdout } = await assay(["spec", "openapi"]);
  expect(source).toBe(JSON.stringify(JSON.parse(stdout.replaceAll('"http://127.0.0.1"', `"${local}"`))));
  expect(source).toContain(local);
  const openRpc = (await (await fetch(`${local}/openrpc.json`)).json()) as { readonly servers: unknown };
  expect(openRpcProblems(openRpc)).toEqual([]);
  const { servers, ...others } = openRpc;
  expect([servers, others]).toEqual([
    [{ name: "assay serve", url: `${local}/` }],
    JSON.parse((await assay(["spec", "openrpc"])).stdout),
  ]);
});

test("a platform that is judged stands still on its own days, and has neither documents nor CORS", async () => {
  const { base, keys, ids, close } = await servedReference();
  const ask = (path: string) => fetch(`${base}${path}`, { headers: { "x-api-key": keys.paid, origin: base } });
  const [document, usage] = [await ask("/openapi.json"), await ask(`/v0/admin/projects/${ids.paid}/usage`)];
  expect([document.status, corsIn(usage.headers)]).toEqual([404, []]);
  expect(await usage.json()).toMatchObject({ creditCycle: { start: "2025-02-28" } });
  await close();
});

test("a connection that the platform resets is reset behind the documents, too", async () => {
  const platform = await servedReference("RATE-ADM-03.reset", Date.now());
  const url = `${platform.base}/v0/admin/projects/${platform.ids.paid}/usage?api-key=${platform.keys.paid}`;
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(url, {})));
  await platform.close();
  expect(new Set(statuses)).toEqual(new Set([200, undefined]));
});

/** The status of a request with any Host, and a body that may go on after the answer: `fetch` can't send these. */
const statusOf = (base: string, headers: OutgoingHttpHeaders, body?: string): Promise<number | undefined> =>
  new Promise((done) => {
    const sent = request(base, { method: body === undefined ? "GET" : "POST", headers, agent: false }, (answer) => {
      done(answer.statusCode);
      sent.destroy();
    });
    sent.on("error", () => done(undefined));
    sent.on("socket", (socket) => socket.on("error", () => sent.destroy()));
    sent.end(body);
  });

test("it answers to its own names only, and reads no body that is too long", async () => {
  const { base, port, close } = await servedReference();
  const [long, json] = [" ".repeat(40_000_000), { "content-type": "application/json" }];
  expect([
    await statusOf(base, { host: `localhost:${port}` }),
    await statusOf(base, { host: "evil.example" }),
    await statusOf(base, json, "{}"),
    await statusOf(base, { ...json, "content-length": long.length }, long),
    await statusOf(base, { ...json, "transfer-encoding": "chunked" }, long),
  ]).toEqual([405, 421, expect.any(Number), 413, 413]);
  await close();
});

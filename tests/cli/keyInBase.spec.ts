// A key in the path or the host of a base address is in nothing that is printed or written.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { parse } from "yaml";
import { assay, emptyFolder, runIn } from "../support/assay.ts";
import { harEntry, harOf } from "../support/recordings.ts";
import { loadTargetFile, targetFile, vendor, vendorKey, vendorProject } from "../support/vendor.ts";

const pathKey = "Zk3_vQ9x-7LmT2wRb8YcN5sD1eHf";

/** Serves JSON-RPC below its key only, and says which address was called. */
const keyInPath: RequestListener = (request, response) =>
  void text(request).then((body) => answered(JSON.parse(body) as Call, request.url ?? "", response));

interface Call {
  readonly id: unknown;
  readonly method: string;
}

function answered({ id, method }: Call, url: string, response: ServerResponse): void {
  const isServed = url.startsWith(`/v2/${pathKey}/`);
  const error = isServed ? { code: -32601, message: `no ${method}` } : { code: -32001, message: "Unauthorized" };
  const isHealth = isServed && method === "getIndexerHealth";
  response.writeHead(200, { "content-type": "application/json", "x-called": url });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(isHealth ? { result: "ok" } : { error }) }));
}

let served: Awaited<ReturnType<typeof vendor>>;
test.beforeAll(async () => {
  served = await vendor(keyInPath);
});
test.afterAll(() => served.close());

const environment = { SMALL_KEY: vendorKey, SMALL_PATH: pathKey };

const targetAt = (path: string): string =>
  targetFile(`
name: small
bases: { rpc: "${served.base}/v2/${path}/" }
offers: [compression]
projects: { main: { id: ${vendorProject}, plan: paid } }
keys: { paid: { project: main, env: SMALL_KEY } }
pace: { perSecond: 200 }
`);

/** All that a command printed and wrote. */
async function leavings(args: readonly string[], variables: { readonly [name: string]: string } = environment) {
  const out = join(emptyFolder(), "run");
  const { code, stdout, stderr } = await assay([...args, "--out", out], variables);
  const written = readdirSync(out).map((file) => [file, readFileSync(join(out, file), "utf8")] as const);
  return { code, out, shown: [["printed", stdout + stderr] as const, ...written] };
}

const pathOf = (url: string): string => url.replace(served.base, "").replace(/\?.*/, "");

const holders = (shown: readonly (readonly [place: string, text: string])[]): readonly string[] =>
  shown.filter(([, one]) => one.toLowerCase().includes(pathKey.toLowerCase())).map(([place]) => place);

test("a role's key in a base is that of each request, an unknown one where a request has none", async () => {
  const args = ["run", "--target", targetAt("${SMALL_KEY}"), "--only", "IH"];
  const { code, out, shown } = await leavings(args, { SMALL_KEY: pathKey });
  expect(code, shown[0]?.[1]).toBe(0);
  expect(holders(shown)).toEqual([]);
  const run = runIn(out);
  expect(run.target.bases).toEqual({ rpc: `${served.base}/v2/\${SMALL_KEY}/` });
  const urls = new Set(run.exchanges.map(({ asker, sent }) => `${asker} ${pathOf(sent.url)}`));
  expect([...urls]).toEqual([expect.stringMatching(/^null \/v2\/[\w-]{28}\/$/), "paid /v2/<key:paid>/"]);
  // Its own answers are judged again under that base.
  const again = await leavings(["judge", out]);
  expect([again.code, holders(again.shown)]).toEqual([0, []]);
  expect(runIn(again.out).recording?.judged).toBe(run.exchanges.length);
});

test("another key in a base is that of its variable", async () => {
  const { out, shown } = await leavings(["run", "--target", targetAt("${SMALL_PATH}"), "--only", "IH"]);
  expect(holders(shown)).toEqual([]);
  const { exchanges, target } = runIn(out);
  // Lines to copy have it, too.
  expect(target.variables).toMatchObject({ SMALL_PATH: "SMALL_PATH" });
  for (const { sent } of exchanges) expect(pathOf(sent.url)).toBe("/v2/<key:SMALL_PATH>/");
});

test("a key that stands in a base is shown as its role, or as one that isn't declared", async () => {
  const file = targetAt(pathKey);
  for (const [variables, shownAs, says] of [
    [
      environment,
      "undeclared",
      "has a part that looks like a key, which isn't shown. Write a variable in its place: ${SMALL_RPC_KEY}",
    ],
    [
      { ...environment, SMALL_KEY: pathKey },
      "paid",
      "holds the key of SMALL_KEY, which isn't shown. Write a variable in its place: ${SMALL_KEY}",
    ],
  ] as const) {
    const { out, shown } = await leavings(["run", "--target", file, "--only", "IH"], variables);
    expect(holders(shown)).toEqual([]);
    expect(shown[0]?.[1]).toContain(`  bases.rpc ${says}\n`);
    expect(runIn(out).target.bases).toEqual({ rpc: `${served.base}/v2/<key:${shownAs}>/` });
  }
});

test("init writes variables in the place of keys, and says which one to set", async () => {
  const base = `${served.base}/v2/${pathKey}/`;
  const made = async (variables: { readonly [name: string]: string }) => {
    const out = join(emptyFolder(), "acme.yaml");
    const flags = ["--name", "acme", "--rpc", base, "--key", "SMALL_KEY", "--out", out];
    const { stdout, stderr } = await assay(["init", ...flags], variables);
    const written = readFileSync(out, "utf8");
    expect(stdout + stderr + written).not.toContain(pathKey);
    return { stdout, rpc: (parse(written) as { readonly bases: { readonly rpc: string } }).bases.rpc };
  };
  const unset = await made({ SMALL_KEY: vendorKey });
  expect(unset.rpc).toBe(`${served.base}/v2/\${ACME_RPC_KEY}/`);
  expect(unset.stdout).toContain("The file has ${ACME_RPC_KEY} in its place: set that variable before a run");
  for (const [variables, name] of [
    [environment, "SMALL_PATH"],
    [{ SMALL_KEY: pathKey }, "SMALL_KEY"],
  ] as const) {
    const { stdout, rpc } = await made(variables);
    expect(rpc).toBe(`${served.base}/v2/\${${name}}/`);
    expect(stdout).not.toContain("before a run");
  }
});

test("recorded requests of others are found below a base with a variable, and their keys are hidden", async () => {
  const har = join(emptyFolder(), "traffic.har");
  const call = (url: string) => ({
    ...{ method: "POST", url, headers: [["content-type", "application/json"]] as const, at_ms: 0 },
    ...{ body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getIndexerHealth" }), status: 200, answerHeaders: [] },
    text: JSON.stringify({ jsonrpc: "2.0", id: 1, result: `ok at ${url}` }),
  });
  const urls = [`https://rpc.acme.example/v2/${pathKey}`, `https://${pathKey}.node.acme.example/`];
  writeFileSync(har, harOf(urls.map((url) => harEntry(call(url)))));
  for (const base of ["https://rpc.acme.example/v2/${ACME_KEY}", "https://${ACME_KEY}.node.acme.example"]) {
    const { out, shown } = await leavings(["judge", har, "--base", base], environment);
    expect(holders(shown)).toEqual([]);
    expect(runIn(out).recording?.judged).toBe(1);
  }
  const { shown } = await leavings(["judge", har, "--base", urls[0] ?? ""], environment);
  expect(holders(shown)).toEqual([]);
});

test("a load in a cluster gets the variable, and its files hold no key", async () => {
  const base = "https://rpc.acme.example/v2/${SMALL_PATH}";
  const folder = join(emptyFolder(), "cluster");
  const args = ["load", "smoke", "--target", loadTargetFile("allow: [load]", { base }), "--k8s", folder];
  const { code, stdout, stderr } = await assay(args, environment);
  expect(code, stderr).toBe(0);
  const written = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);
  expect(holders([["printed", stdout + stderr], ...written])).toEqual([]);
  const texts = new Map(written);
  expect(texts.get("load.js")).toContain("https://rpc.acme.example/v2/assay-key-of-SMALL_PATH./");
  expect(texts.get("testrun.yaml")).toContain('key: "SMALL_PATH"');
});

test("a command behind the proxy gets its address in clear, and nothing else does", async () => {
  const file = targetAt("${SMALL_KEY}");
  const health = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getIndexerHealth" });
  const sending = `fetch(process.env.ASSAY_RPC + "/", { method: "POST", body: '${health}',
    headers: { "content-type": "application/json" } }).then((answer) => process.exit(answer.ok ? 0 : 9))`;
  const command = ["--", process.execPath, "-e", sending];
  const out = join(emptyFolder(), "run");
  const { code, stdout, stderr } = await assay(["proxy", "--target", file, "--out", out, ...command], {
    SMALL_KEY: pathKey,
  });
  expect(code, stderr).toBe(0);
  const written = readdirSync(out).map((name) => [name, readFileSync(join(out, name), "utf8")] as const);
  expect(holders([["printed", stdout + stderr], ...written])).toEqual([]);
  expect(runIn(out).recording?.judged).toBe(1);
  const unset = await assay(["proxy", "--target", file, ...command], { SMALL_KEY: "" });
  expect([unset.code, unset.stderr]).toEqual([
    2,
    "bases.rpc takes its key from the environment variable SMALL_KEY, which isn't set, so that the command's address " +
      "isn't known. Set it (export SMALL_KEY=…).\n",
  ]);
});

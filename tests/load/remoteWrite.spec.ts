// Tests that k6's metrics are sent on without a key or an address, and that their loss breaks no load
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { runK6 } from "../../load/k6/process.ts";
import { remoteWriteIn } from "../../load/k6/remoteWrite.ts";
import { reads } from "../../load/reads.ts";
import { smoke } from "../../load/shapes/shapes.ts";
import { loadSuite } from "../../load/suite.ts";
import { mixFor } from "../../load/traffic/mix.ts";
import { drive } from "../../load/traffic/traffic.ts";
import { assayRun, emptyFolder, expectCommandLineError, program } from "../support/assay.ts";
import { faulty } from "../support/faultyPlatform.ts";
import { k6, k6That, keyForms } from "../support/k6.ts";
import { loadTarget } from "../support/madeLoads.ts";
import { remoteWrites } from "../support/remoteWrite.ts";
import {
  deadBase,
  smallEnvironment,
  smallTarget,
  targetFile,
  vendor,
  vendorKey,
  vendorProject,
} from "../support/vendor.ts";

const secret = "w0rd-0f-the-remote";
const address = `https://assay:${secret}@prometheus.example/api/v1/write`;
const counts = { iterations: 1, droppedIterations: 0, requests: 1 };
const summary = JSON.stringify({ source: "console", msg: JSON.stringify({ summary: counts }) });
const job = { script: "schedule", orders: {}, within_ms: 10_000, redact: (text: string) => text, onRecord: () => {} };

test("k6's own variables turn it on, with native histograms unless they say otherwise", () => {
  expect(remoteWriteIn({ K6_PROMETHEUS_RW_PASSWORD: secret, K6_OUT: "json" }).settings).toEqual({});
  const given = { K6_PROMETHEUS_RW_SERVER_URL: address, K6_PROMETHEUS_RW_PUSH_INTERVAL: "1s" };
  expect(remoteWriteIn({ ...given, ACME_KEY: "a key", K6_VUS: "9" }).settings).toEqual({
    ...given,
    K6_OUT: "experimental-prometheus-rw",
    K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM: "true",
  });
  const classic = { ...given, K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM: "false" };
  expect(remoteWriteIn(classic).settings).toMatchObject(classic);
});

test("an address that is none is refused before anything is sent or written", async () => {
  for (const wrong of [`ftp://${secret}`, "http://"])
    expect(() => remoteWriteIn({ K6_PROMETHEUS_RW_SERVER_URL: wrong })).toThrow(
      /^K6_PROMETHEUS_RW_SERVER_URL isn't a valid URL\. Write https:[^ ]+, or unset the variable\.$/,
    );
  const out = join(emptyFolder(), "run");
  await expectCommandLineError(["load", "smoke", "--out", out], "SERVER_URL isn't a valid URL", {
    K6_PROMETHEUS_RW_SERVER_URL: "prometheus:9090",
    K6_BIN: program("k6", "echo k6 v2.2.0"),
  });
  expect(existsSync(out)).toBe(false);
});

test("lost metrics are reported apart, and any other error of k6 still counts", async () => {
  const lost = (error: string, level = "error"): string =>
    `echo '${JSON.stringify({ level, msg: "Failed to send", output: "Prometheus remote write", error })}'`;
  const refused = lost(`HTTP POST request failed: Post "${address}": dial tcp 10.0.0.1:9090: connection refused`);
  const stale = `echo '{"level":"error","msg":"Stopping","error":"marking time series as stale failed"}'`;
  const losses: string[] = [];
  const onLoss = (why: string): void => void losses.push(why);
  const lines = [refused, lost("took 6 s", "warning"), stale, `echo '${summary}'`].join("\n");
  expect(await runK6(k6That(lines), { ...job, script: "schedule", onLoss })).toMatchObject({ requests: 1 });
  expect(losses).toEqual([
    "HTTP POST request failed: dial tcp 10.0.0.1:9090: connection refused",
    "marking time series as stale failed",
  ]);
  const failing = `${refused}\necho '{"level":"error","msg":"of the script"}'\necho '${summary}'`;
  await expect(runK6(k6That(failing), { ...job, script: "schedule", onLoss })).rejects.toThrow(
    "k6's script failed: of the script",
  );
});

test("no password, token or header of the remote is shown, whichever variable holds it", () => {
  const variables = {
    K6_PROMETHEUS_RW_SERVER_URL: address,
    K6_PROMETHEUS_RW_PASSWORD: "pass-0f-the-user",
    K6_PROMETHEUS_RW_BEARER_TOKEN: "t0ken-0f-the-user",
    K6_PROMETHEUS_RW_HTTP_HEADERS: "X-Scope:tenant-one,Authorization:Basic aGVhZGVyLTBm",
    K6_PROMETHEUS_RW_HEADERS_COOKIE: "c00kie-0f-the-user",
  };
  const { redact } = remoteWriteIn(variables);
  const hidden = [secret, "pass-0f-the-user", "t0ken-0f-the-user", "tenant-one", "aGVhZGVyLTBm", "c00kie-0f-the-user"];
  for (const one of hidden) expect(redact(`the provided header (${one}) is wrong`)).not.toContain(one);
});

for (const [name, address] of [
  ["is down", deadBase],
  ["never answers", async () => (await vendor(() => undefined)).base],
] as const)
  test(`a Prometheus that ${name} costs no verdict`, { tag: "@slow" }, async () => {
    k6();
    const { port, close } = await faulty({});
    const target = targetFile(smallTarget(`http://127.0.0.1:${port}`));
    const { code, run, stderr } = await assayRun(["load", "smoke", "--duration", "3s", "--target", target], {
      ...smallEnvironment,
      K6_PROMETHEUS_RW_SERVER_URL: await address(),
      K6_PROMETHEUS_RW_STALE_MARKERS: "true",
    });
    await close();
    expect([run.load?.doubt, code]).toEqual([null, 0]);
    expect(stderr).toMatch(/^k6 couldn't send its metrics [^\n]+\n$/);
  });

test("keys in queries and in what k6 says of a malformed answer don't arrive", async () => {
  const [asked, remote] = [[] as string[], await remoteWrites(() => 204)];
  const { base, close } = await vendor((request, response) => {
    asked.push(request.url ?? "");
    // An answer that k6 quotes in its error.
    if (asked.length % 3 === 0) request.socket.end(`HTTP/1.1 ${vendorKey} OK\r\n\r\n`);
    else response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const target = loadTarget("", { base });
  const { shares } = mixFor(target, reads);
  const plan = { phases: smoke.phases(30, 1), shares, seed: 1, script: loadSuite.script };
  await drive(k6(), target, plan, { remoteWrite: remoteWriteIn({ K6_PROMETHEUS_RW_SERVER_URL: remote.address }) });
  await Promise.all([close(), remote.close()]);
  expect(asked.some((url) => url.includes(vendorKey))).toBe(true);
  const all = remote.arrived.join("\n");
  for (const { operation } of shares) expect(all).toContain(operation);
  for (const text of [
    ...keyForms,
    vendorProject,
    new URL(base).host,
    "api-key",
    "5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv",
  ])
    expect(all.includes(text), text).toBe(false);
});

test("what arrives holds no key, project and address, and a Prometheus that fails costs no verdict", {
  tag: "@slow",
}, async () => {
  k6();
  const { port, close } = await faulty({});
  const remote = await remoteWrites((nth) => (nth === 1 ? 204 : 500));
  const target = targetFile(smallTarget(`http://127.0.0.1:${port}`));
  const { code, run, stdout, stderr } = await assayRun(["load", "smoke", "--duration", "2s", "--target", target], {
    ...smallEnvironment,
    K6_PROMETHEUS_RW_SERVER_URL: remote.address.replace("//", `//assay:${secret}@`),
    K6_PROMETHEUS_RW_PUSH_INTERVAL: "1s",
  });
  await Promise.all([close(), remote.close()]);
  expect([run.load?.doubt, code]).toEqual([null, 0]);
  expect(run.load?.dashboard).toBe("k6-smoke.html");
  expect(remote.arrived.length).toBeGreaterThan(1);
  const all = remote.arrived.join("\n");
  for (const text of ["k6_http_req_duration_seconds", "k6_http_reqs_total", "getProjectUsage", "target", "small"])
    expect(all).toContain(text);
  for (const text of [...keyForms, vendorProject, `:${port}`, "api-key", "/v0/admin"])
    expect(all.includes(text), text).toBe(false);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toMatch(
    /^k6 couldn't send its metrics .*\(got status code: 500 .*; \d+ times?\)\. The load still counts/,
  );
  expect(stdout + stderr + JSON.stringify(run)).not.toContain(secret);
});

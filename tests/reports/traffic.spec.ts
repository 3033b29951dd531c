// Traffic of a run: fates by limit and time, peaks, latencies; and kill matrices that are none.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assayRun, emptyFolder, expectCommandLineError } from "../support/assay.ts";
import { refusalBody } from "../support/faultyPlatform.ts";
import { exchanged, instant, made } from "../support/madeRuns.ts";
import { began_ms, harEntry, harOf, host } from "../support/recordings.ts";
import { reported, rowsOf } from "../support/reports.ts";
import { vendorProject } from "../support/vendor.ts";

const throttled = { status: 429, outcome: "throttled" } as const;
/** The page of a run of these exchanges. */
const pageOf = async (...exchanges: readonly Parameters<typeof exchanged>[0][]): Promise<string> =>
  (await reported(made(0, { exchanges: exchanges.map(exchanged) }))).text("index.html");

test("only the rate limit errors of each error table are refusals for a rate (§7.2)", async () => {
  const asked = {
    headers: [["x-api-key", "a"]],
    at_ms: began_ms,
    answerHeaders: [["content-type", "application/json"]],
  } as const;
  const usage = (status: number, text: string) =>
    harEntry({ ...asked, method: "GET", url: `${host}/v0/admin/projects/${vendorProject}/usage`, status, text });
  const call = (method: string, answer: object) =>
    harEntry({
      ...asked,
      method: "POST",
      url: `${host}/`,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method }),
      status: 200,
      text: JSON.stringify(answer),
    });
  const error = (code: number): object => ({ jsonrpc: "2.0", id: 1, error: { code, message: "no" } });
  const file = join(emptyFolder(), "traffic.har");
  const entries = [
    usage(429, refusalBody(429, "ThrottlerException: Too Many Requests", "Too Many Requests")),
    usage(403, refusalBody(403, "Admin API not enabled for this project", "Forbidden")),
    call("getTokenAccounts", error(-32029)),
    call("getTokenAccounts", error(-32005)),
    call("getCompressedBalance", error(-32005)),
    call("sendBundle", error(-32602)),
    call("getIndexerHealth", ["<html>"]),
  ];
  writeFileSync(file, harOf(entries));
  const { run } = await assayRun(["judge", file, "--base", host]);
  expect(run.exchanges.map(({ operation, outcome }) => [operation, outcome === "throttled"])).toEqual([
    ["getProjectUsage", true],
    ["getProjectUsage", false],
    ["getTokenAccounts", true],
    ["getTokenAccounts", false],
    ["getCompressedBalance", true],
    ["sendBundle", false],
    ["getIndexerHealth", false],
  ]);
});

test("a call is refused, accepted or unanswered", async () => {
  const exchanges = [
    exchanged({ outcome: "throttled" }),
    exchanged({ outcome: "refused" }),
    { ...exchanged({ outcome: "failed" }), answer: null },
    exchanged(),
  ];
  const page = (await reported(made(0, { exchanges }))).text("index.html");
  expect(rowsOf(page, "Requests by limit")).toEqual([["0 to 1", "admin", "2", "1", "1"]]);
});

for (const took_s of [0, 59, 61, 3_600, 40_000, 1_000_000])
  test(`a timeline of ${took_s} s keeps every call and never has more than 60 stretches`, async () => {
    const page = await pageOf(
      ...Array.from({ length: 101 }, (_, index) => ({
        ...(index % 4 ? {} : throttled),
        sentAt: instant((index * took_s) / 100),
      })),
    );
    const stretches = rowsOf(page, "Requests by limit") ?? [];
    expect(stretches.length).toBeLessThanOrEqual(60);
    const sumOf = (column: number): number => stretches.reduce((sum, cells) => sum + Number(cells[column]), 0);
    expect([sumOf(2), sumOf(3)]).toEqual([75, 26]);
  });

test("a call stands at the limit of its operation where one is stated, else at that of its API", async () => {
  const calls = [
    { operation: "sendBundle", api: "rpc" },
    { operation: "getBundleStatuses", api: "rpc" },
    { operation: null, api: "admin" },
  ];
  // Few have no timeline.
  const page = await pageOf(...Array.from({ length: 20 }, () => calls).flat());
  const namesBy = (what: string) => rowsOf(page, `Requests by ${what}`)?.map(([, name]) => name);
  expect(namesBy("limit")).toEqual(["admin", "rpc", "sendBundle"]);
  expect(namesBy("feature")).toEqual(["bundles", "other requests"]);
  expect(namesBy("operation")).toEqual(["getBundleStatuses", "other requests", "sendBundle"]);
});

test("a peak counts what any one second holds, its end excluded", async () => {
  const at = (ms: number) => ({ sentAt: instant(ms / 1_000) });
  const peak = (page: string) => /at most (\d+) accepted within one second/.exec(page)?.[1];
  expect(peak(await pageOf(...[400, 0, 999, 1_399, 1_000].map(at)))).toBe("4");
  expect(peak(await pageOf(throttled))).toBe("0");
});

test("latencies leave rate-limited calls out", async () => {
  const took = [1, 2, 3, 4, 100].map((latency_ms) => ({ operation: "getTokenAccounts", latency_ms }));
  const page = await pageOf(...took, { operation: "getTokenAccounts", ...throttled, latency_ms: 900 });
  const [[operation, answers, , , median, , , slowest] = [], ...others] = rowsOf(page, "Latency of accepted") ?? [];
  expect([operation, answers, median, slowest, others]).toEqual(["getTokenAccounts", "5", "3.0", "100", []]);
});

test("an invalid kill matrix ends in one paragraph and exit code 2, and nothing is written", async () => {
  const folder = emptyFolder();
  const file = join(folder, "kills.json");
  for (const text of [
    "{",
    '{"results": []}',
    '{"honest": [], "pending": [], "results": [{"id": "A.b", "result": "odd", "broken": []}]}',
  ]) {
    writeFileSync(file, text);
    await expectCommandLineError(["report", folder, "--kills", file], "npx assay mutants --json");
  }
});

// Traffic of a run: fates by limit and time, peaks, latencies; and kill matrices that are none.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { type OperationId, operationOf, protocolOf } from "../../harness/core/interface.ts";
import type { Json } from "../../harness/core/json.ts";
import { isRateRefusal } from "../../harness/transport/answers.ts";
import { callsOf, latenciesOf, peakOf, timelineOf, timelinesOf } from "../../reports/traffic.ts";
import { emptyFolder, expectCommandLineError } from "../support/assay.ts";
import { exchanged, instant } from "../support/madeRuns.ts";

const throttled = { status: 429, outcome: "throttled" } as const;
const calls = (...made: readonly Parameters<typeof exchanged>[0][]) => callsOf({ exchanges: made.map(exchanged) });

const error = (code: number): Json => ({ jsonrpc: "2.0", id: 1, error: { code, message: "no" } });

test("only the rate limit errors of each error table are refusals for a rate (§7.2)", () => {
  const isRefused = (operation: OperationId, status: number, value: Json): boolean => {
    const { api } = operationOf(dataPlatform, operation) ?? {};
    if (!api) throw new Error(`no operation ${operation}`);
    return isRateRefusal({ protocol: protocolOf(dataPlatform, api, operation), answer: { status, json: { value } } });
  };
  expect([
    isRefused("getProjectUsage", 429, {}),
    isRefused("getProjectUsage", 401, {}),
    isRefused("getTokenAccounts", 200, error(-32029)),
    isRefused("getTokenAccounts", 200, error(-32005)),
    isRefused("getCompressedBalance", 200, error(-32005)),
    isRefused("sendBundle", 200, error(-32602)),
    isRefused("getIndexerHealth", 200, "<html>"),
  ]).toEqual([true, false, true, false, true, false, false]);
});

test("a call is refused, accepted or unanswered", () => {
  const exchanges = [
    exchanged({ outcome: "throttled" }),
    exchanged({ outcome: "refused" }),
    { ...exchanged({ outcome: "failed" }), answer: null },
    exchanged(),
  ];
  expect(callsOf({ exchanges }).map(({ fate }) => fate)).toEqual(["refused", "accepted", "unanswered", "accepted"]);
});

test("a timeline keeps every call and never has more than 60 stretches", () => {
  for (const took_s of [0, 59, 61, 3_600, 40_000, 1_000_000]) {
    const some = calls(
      ...Array.from({ length: 101 }, (_, index) => ({
        ...(index % 4 ? {} : throttled),
        sentAt: instant((index * took_s) / 100),
      })),
    );
    const { stretches } = timelineOf(some, ({ api }) => api);
    expect(stretches.length).toBeLessThanOrEqual(60);
    expect(stretches.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(75);
    expect(stretches.reduce((sum, { refused }) => sum + refused, 0)).toBe(26);
  }
});

test("a call stands at the limit of its operation where one is stated, else at that of its API", () => {
  const some = calls(
    { operation: "sendBundle", api: "rpc" },
    { operation: "getBundleStatuses", api: "rpc" },
    { operation: null, api: "admin" },
  );
  const { byLimit, byFeature, byOperation } = timelinesOf(some, dataPlatform);
  const namesIn = ({ stretches }: typeof byLimit): readonly string[] => stretches.map(({ name }) => name);
  expect(namesIn(byLimit)).toEqual(["admin", "rpc", "sendBundle"]);
  expect(namesIn(byFeature)).toEqual(["bundles", "other requests"]);
  expect(namesIn(byOperation)).toEqual(["getBundleStatuses", "other requests", "sendBundle"]);
});

test("a peak counts what any one second holds, its end excluded", () => {
  expect(peakOf([400, 0, 999, 1_399, 1_000])).toBe(4);
  expect(peakOf([])).toBe(0);
});

test("latencies leave rate-limited calls out", () => {
  const took = [1, 2, 3, 4, 100].map((latency_ms) => ({ operation: "getTokenAccounts", latency_ms }));
  expect(latenciesOf(calls(...took, { operation: "getTokenAccounts", ...throttled, latency_ms: 900 }))).toMatchObject([
    { operation: "getTokenAccounts", answers: 5, p50_ms: 3, max_ms: 100 },
  ]);
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

// Traffic of a run: fates by API and time, peaks, latencies; and kill matrices that are none.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { type OperationId, operationOf, protocolOf } from "../../harness/core/interface.ts";
import type { Json } from "../../harness/core/json.ts";
import type { ExchangeRecord } from "../../harness/record/journal.ts";
import type { Run } from "../../harness/record/run.ts";
import { isRateRefusal } from "../../harness/transport/answers.ts";
import { callsOf, latenciesOf, peakOf, timelineOf } from "../../reports/traffic.ts";
import { assay, emptyFolder } from "../support/assay.ts";

interface Made {
  readonly operation?: string;
  readonly status?: number;
  readonly outcome?: ExchangeRecord["outcome"];
  readonly at_ms?: number;
  readonly latency_ms?: number;
}

const exchange = ({
  operation,
  status = 200,
  outcome = status === 429 ? "throttled" : "served",
  at_ms = 0,
  latency_ms = 1,
}: Made): Run["exchanges"][number] => ({
  number: 1,
  title: "",
  operation: operation ?? null,
  api: "admin",
  curl: "",
  stimulus: "",
  asker: null,
  outcome,
  sent: { method: "POST", url: "https://one.example/", headers: [] },
  answer: status === 0 ? null : { status, headers: [], body: "{}", cutAt_chars: null },
  fault: null,
  sentAt: new Date(Date.UTC(2026, 0, 1) + at_ms).toISOString(),
  latency_ms,
});

const calls = (...made: readonly Made[]) => callsOf({ exchanges: made.map(exchange) });

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
  const some = calls({ outcome: "throttled" }, { outcome: "refused" }, { status: 0, outcome: "failed" }, {});
  expect(some.map(({ fate }) => fate)).toEqual(["refused", "accepted", "unanswered", "accepted"]);
});

test("a timeline keeps every call and never has more than 60 stretches", () => {
  for (const took_s of [0, 59, 61, 3_600, 40_000, 1_000_000]) {
    const some = calls(
      ...Array.from({ length: 101 }, (_, index) => ({
        operation: "getProjectUsage",
        status: index % 4 ? 200 : 429,
        at_ms: index * took_s * 10,
      })),
    );
    const { stretches } = timelineOf(some);
    expect(stretches.length).toBeLessThanOrEqual(60);
    expect(stretches.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(75);
    expect(stretches.reduce((sum, { refused }) => sum + refused, 0)).toBe(26);
  }
});

test("a peak counts what any one second holds, its end excluded", () => {
  expect(peakOf([400, 0, 999, 1_399, 1_000])).toBe(4);
  expect(peakOf([])).toBe(0);
});

test("latencies leave rate-limited calls out", () => {
  const took = [1, 2, 3, 4, 100].map((latency_ms) => ({ operation: "getTokenAccounts", latency_ms }));
  expect(latenciesOf(calls(...took, { operation: "getTokenAccounts", status: 429, latency_ms: 900 }))).toMatchObject([
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
    const { code, stdout, stderr } = await assay(["report", folder, "--kills", file]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(
      stderr
        .trim()
        .split("\n")
        .filter((line) => !line.startsWith("npm")),
    ).toEqual([expect.stringContaining("npx assay mutants --json")]);
  }
});

// Foreign answers: which form is whose, which of a burst can be judged, and how many failures prove something.
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { health, tokenAccounts } from "../../contracts/shared/jsonRpcRequests.ts";
import { ownersUsage } from "../../contracts/shared/requestSpecs.ts";
import { protocolOf } from "../../harness/core/interface.ts";
import { parseJson } from "../../harness/core/json.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { Failures } from "../../harness/engine/failures.ts";
import { judgeableOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { foreignnessOf } from "../../harness/transport/foreign.ts";

let number = 0;
const exchange = (requestSpec: RequestSpec, status: number, text: string, more: Partial<Exchange> = {}): Exchange => ({
  number: (number += 1),
  requestSpec,
  protocol: protocolOf(dataPlatform, requestSpec.api, requestSpec.operation),
  asker: null,
  isOwn: true,
  sent: { method: requestSpec.method, url: "https://vendor.example/", headers: [] },
  answer: { status, headers: [], text, json: parseJson(text), hasBom: false, invalidUtf8: false },
  fault: null,
  sentAt_ms: 0,
  latency_ms: 1,
  ...more,
});
const [usage, page] = [ownersUsage, "<!doctype html><title>Log in</title>"];
const envelope = (id: number): string => JSON.stringify({ jsonrpc: "2.0", id, result: "ok" });

for (const [title, of, what] of [
  ["a page without a type", exchange(usage, 200, page), "an answer without JSON"],
  ["an empty answer", exchange(usage, 200, ""), "an empty answer"],
  ["half of an envelope", exchange(health(), 200, envelope(1).slice(0, -8)), "an answer that ends too early"],
  ["an edge's JSON", exchange(health(), 403, '{"message":"Forbidden"}'), "JSON that isn't in a form of the interface"],
  ["an envelope behind a mark", exchange(health(), 200, `\uFEFF${envelope(1)}`), "JSON among other text"],
  ["an envelope", exchange(health(), 200, envelope(1)), undefined],
  ["a result without an envelope", exchange(tokenAccounts({}), 200, '{"token_accounts":[],"total":0}'), undefined],
  ["an error without a member", exchange(usage, 403, '{"statusCode":403,"error":"Forbidden"}'), undefined],
] as const)
  test(`${title}: ${what ?? "the platform's own form"}`, () => expect(foreignnessOf(of)?.what).toBe(what));

const judgedIn = (burst: readonly Exchange[]): number => judgeableOf(burst).length;
const refusals = (text: string, count: number): readonly Exchange[] =>
  Array.from({ length: count }, () => exchange(usage, 429, text));

test("refusals of a burst count in a foreign form only where all have one, several do, and none is a page", () => {
  const own = exchange(usage, 429, '{"statusCode":429,"message":"x","error":"y"}');
  expect(judgedIn(refusals("slow down", 3))).toBe(3);
  expect(judgedIn(refusals("slow down", 2))).toBe(0);
  expect(judgedIn([...refusals("slow down", 3), own])).toBe(1);
  const pages = refusals(page, 3).map((one) => ({
    ...one,
    answer: one.answer && { ...one.answer, headers: [["content-type", "text/html"]] as const },
  }));
  expect(judgedIn(pages)).toBe(0);
});

test("swapped answers of a burst count where many are", () => {
  const burst = (swapped: number): readonly Exchange[] => {
    const all = Array.from({ length: 12 }, () => exchange(health(), 200, envelope(1)));
    const first = all[0]?.number ?? 0;
    return all.map((one, nth) => (nth > 0 && nth <= swapped ? { ...one, repeats: first } : one));
  };
  expect([judgedIn(burst(2)), judgedIn(burst(3))]).toEqual([10, 12]);
});

test("the more often failures come and go, the more of them must be alike", () => {
  const needed = (share: number): number => {
    const failures = new Failures();
    for (let nth = 1; nth <= 100; nth += 1) {
      failures.note(exchange(usage, 200, "{}"));
      if (nth <= 100 * share) failures.comeAndGone();
    }
    return failures.enough;
  };
  expect([0, 0.01, 0.05, 0.2, 0.5].map(needed)).toEqual([3, 4, 5, 8, 8]);
});

test("a failure of the platform's own isn't confirmed by one corrupt answer that holds it", () => {
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32000, message: "failed" } });
  const own = exchange(health(), 200, text);
  const corrupt: Exchange = { ...own, answer: own.answer && { ...own.answer, invalidUtf8: true } };
  const marked = exchange(health(), 200, `among other text ${text}`);
  const failures = new Failures();
  expect([failures.areAlike(own, corrupt), failures.areAlike(corrupt, corrupt)]).toEqual([false, true]);
  expect(failures.areAlike(own, exchange(health(), 200, text))).toBe(true);
  expect(failures.areAlike(marked, marked)).toBe(true);
});

test("a foreign form is usual for an operation that answers in it three times in a row, whatever others answer", () => {
  const failures = new Failures();
  const noted = (requestSpec: RequestSpec, status: number, text: string) =>
    failures.note(exchange(requestSpec, status, text));
  const own = () => noted(usage, 403, '{"statusCode":403,"message":"x","error":"Forbidden"}');
  const odd = () => noted(usage, 200, page);
  const other = () => noted(health(), 200, envelope(1));
  expect([odd(), odd(), odd(), own()]).toEqual([false, false, false, false]);
  expect([odd(), other(), odd(), odd()]).toEqual([false, false, false, true]);
  expect([own(), odd(), odd(), odd()]).toEqual([false, false, false, true]);
});

// Tests of what the checks of limits send: which calls, by whom, and on which projects
import { expect, test } from "@playwright/test";
import { contractSuite } from "../../contracts/suite.ts";
import type { TimedRequest } from "../../harness/transport/timedRequests.ts";
import { checks as ofBundles } from "../../load/rateLimits/bundles.ts";
import { checks as ofPlans } from "../../load/rateLimits/general.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { asVendor } from "../support/probeSpecs.ts";
import { checkOf, run, triple } from "./limitContext.ts";

const { target } = inProcess(contractSuite);
const vendor = asVendor({ quiet: true })(target);
const [shares, shared] = [checkOf(ofBundles, "RATE-SB-03"), checkOf(ofBundles, "RATE-SB-04")];
const own = checkOf(ofBundles, "RATE-SB-05");

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly id: number;
}
const callsOf = (requests: readonly TimedRequest[] = []) =>
  requests.map(({ requestSpec }) => requestSpec.json as unknown as Call);
const askersOf = (requests: readonly TimedRequest[] = []) =>
  requests.map(({ requestSpec: { carriers } }) => carriers.map(({ key }) => ("keyOf" in key ? key.keyOf : key))[0]);

test("each bundle is another one, sent by callers in turn", async () => {
  const { sent } = await run(shared, vendor);
  const requests = sent.get("bundles by two projects, 10 requests, attempt 0");
  const calls = callsOf(requests);
  expect(calls.map(({ method, id }) => `${method} ${id}`)).toEqual(
    [...Array(10).keys()].map((nth) => `sendBundle ${nth + 1}`),
  );
  expect(new Set(calls.map(({ params }) => JSON.stringify(params[0]))).size).toBe(10);
  expect(calls.every(({ params }) => (params[0] as readonly string[]).length === 1)).toBe(true);
  expect(askersOf(requests)).toEqual([
    "paid",
    "other",
    "paid",
    "other",
    "paid",
    "other",
    "paid",
    "other",
    "paid",
    "other",
  ]);
  const keys = (await run(shares, vendor, { "bundles by two keys": triple(5) })).sent;
  expect(askersOf(keys.get("bundles by two keys, 36 requests, attempt 0")).slice(0, 3)).toEqual([
    "paid",
    "second",
    "paid",
  ]);
});

test("bundles and statuses of one caller take turns", async () => {
  const { sent, made } = await run(own, target);
  const requests = sent.get("bundles beside statuses, 10 requests, attempt 0");
  const calls = callsOf(requests);
  expect(calls.map(({ method }) => method)).toEqual([0, 1, 2, 3, 4].flatMap(() => ["sendBundle", "getBundleStatuses"]));
  expect(calls.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(calls[1]?.params).toEqual([[expect.stringMatching(/^[0-9a-f]{64}$/)]]);
  expect(new Set(askersOf(requests))).toEqual(new Set(["made-1"]));
  expect(made).toHaveLength(1);
});

test("each plan is tried on a project of its own, made with its numbers", async () => {
  const [statuses, simulations] = [checkOf(ofPlans, "RATE-GEN-01"), checkOf(ofPlans, "RATE-GEN-01", 1)];
  const eight = { plan: { general: { perSecond: 8, burst: 8 } } };
  const letters = { "statuses over the plan": "SSSSSSSSR", "simulations over the plan": "SSSSSSSSR" };
  const one = await run(statuses, target, letters);
  expect([one.words, one.made, one.names]).toEqual([
    "held by 8",
    [eight],
    ["statuses over the plan, 20 requests, attempt 0"],
  ]);
  const asked = callsOf([...one.sent.values()][0]);
  expect(asked.map(({ method, id }) => `${method} ${id}`)).toEqual(
    [...Array(20).keys()].map((nth) => `getBundleStatuses ${nth + 1}`),
  );
  expect(asked[0]?.params).toEqual([[expect.stringMatching(/^[0-9a-f]{64}$/)]]);
  const other = await run(simulations, target, letters);
  const [first, second] = callsOf([...other.sent.values()][0]);
  expect([other.words, other.made, first?.method, first?.id, second?.id]).toEqual([
    "held by 8",
    [eight],
    "simulateBundle",
    1,
    2,
  ]);
  // One signature, in base64.
  expect(first?.params).toEqual([[expect.stringMatching(/^A[Q-Za-f][A-Za-z0-9+/]+=*$/)], { encoding: "base64" }]);
  expect(second?.params).toEqual(first?.params);
  expect((await run(statuses, target, { "statuses over the plan": "SSSSR" })).words).toMatch(
    /^broken by 4 at \/error: at least 8/,
  );
  expect((await run(statuses, target)).words).toMatch(/^broken by 19 at \/error: at most 9 served/);
});

test("plans are tried together; each attempt has projects of its own, as a quota stays spent", async () => {
  const { words, sent, made } = await run(checkOf(ofPlans, "RATE-GEN-02"), target);
  expect(words).toMatch(/^broken by \d+ at \/error: at most 9 served/);
  const plans = [
    { perSecond: 8, burst: 8 },
    { perSecond: 8, burst: 24 },
    { perSecond: 20, burst: 8 },
    { perSecond: 20, burst: 20, quota: 10 },
  ].map((general) => ({ plan: { general } }));
  expect(made).toEqual([...plans, ...plans]);
  const requests = sent.get("plans, 130 requests, attempt 3");
  expect(callsOf(requests).map(({ method, id }) => [method, id])[129]).toEqual(["getIndexerHealth", 130]);
  expect([...new Set(askersOf(requests))]).toEqual(["made-5", "made-6", "made-7", "made-8"]);
});

// Repeating: which failures are sent again and how often, what counts of it, and which answers are remembered
import { expect, test } from "@playwright/test";
import { sendBundleRequest, statuses } from "../../contracts/bundles/requests.ts";
import { rawRpc, usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite } from "../../contracts/suite.ts";
import { virtualClock } from "../../harness/core/clock.ts";
import { BudgetSpent, Inconclusive } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { createRetry } from "../../harness/engine/retry.ts";
import { type Check, check } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Transport } from "../../harness/transport/transport.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { answeredUsage } from "../golden/made.ts";
import { asVendor } from "../support/probeSpecs.ts";

const reference = inProcess(contractSuite).target;
const vendor = asVendor()(reference);

const isJson = { "content-type": "application/json" };
const served = answeredUsage(1, 200);
const refused = answeredUsage(1, 401);
const page = answeredUsage(1, 502, "<html>Bad Gateway</html>");
const empty = answeredUsage(1, 200, "", isJson);
/** JSON in no form of the interface. */
const odd = answeredUsage(1, 200, '{"odd":1}', isJson);
/** The platform's own form behind a byte-order mark. */
const marked = answeredUsage(1, 400, '\uFEFF{"statusCode":400,"message":"a","error":"b"}', isJson);
const reset: Exchange = { ...served, answer: null, fault: { kind: "reset", detail: "made" } };
const limited = answeredUsage(1, 429);
const limitedByPage = answeredUsage(1, 429, "<html>Slow down</html>");

const healthy = usageRequest({ as: "owner", again: 99 });
const paid = (again: number): RequestSpec => usageRequest({ as: "paid", keyIn: "header", again });
const [first, second, third] = [paid(1), paid(2), paid(3)];

type Scripted = Exchange | Error;

interface Platform {
  readonly target?: Target;
  /** What requests get in turn; the last one again and again. */
  readonly answers: readonly Scripted[];
  readonly health?: readonly Scripted[] | null;
  readonly mostResends?: number;
}

/** A retry whose exchanges are numbered as they are sent. */
function inquiring({ target = vendor, answers, health = [served], mostResends = 0 }: Platform) {
  const clock = virtualClock(0);
  const seen = {
    sent: [] as number[],
    counted: [] as boolean[],
    healthCounted: [] as boolean[],
    causedBy: [] as (Check | null)[],
    gone: [] as string[],
  };
  const left = { answers: [...answers], health: [...(health ?? [])] };
  let number = 0;
  const next = (from: Scripted[]): Scripted => (from.length > 1 ? from.shift() : from[0]) ?? new Error("no answer");
  const transport = {
    send: (requestSpec: RequestSpec): Promise<Exchange> => {
      const answer = next(requestSpec === healthy ? left.health : left.answers);
      if (requestSpec !== healthy) seen.sent.push((number += 1));
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ ...answer, number, requestSpec });
    },
    pause: () => undefined,
  } as unknown as Transport;
  const { ask, ...rest } = createRetry({
    target,
    clock,
    transport,
    onExchange: ({ requestSpec }, counts, causedBy) => {
      (requestSpec === healthy ? seen.healthCounted : seen.counted).push(counts);
      if (requestSpec !== healthy) seen.causedBy.push(causedBy);
    },
    onIntermittent: (exchange, cause) => seen.gone.push(`${exchange.number}: ${cause}`),
    healthCheck: () => (health === null ? null : healthy),
    fresh: (requestSpec) => requestSpec,
    onOutage: () => undefined,
    mostResends,
  });
  /** The status of the answer, or why there is none that can be judged. */
  const asked = (requestSpec: RequestSpec, by?: Check): Promise<string> =>
    ask(requestSpec, by).then(
      ({ answer }) => String(answer?.status ?? "no answer"),
      (error: unknown) => (error as Error).message,
    );
  return { ...rest, ask, asked, seen, script: (...more: readonly Scripted[]) => (left.answers = [...more]) };
}

/** What becomes of one request. */
async function fate(requestSpec: RequestSpec, platform: Platform) {
  const { asked, seen } = inquiring(platform);
  const result = await asked(requestSpec);
  return { ...seen, result, sent: seen.sent.length };
}

const oneBundle = sendBundleRequest([[]]);
const refusedOnce = 'HTTP 429 "made"; not sent again, as it may have had an effect';
const raw = rawRpc({ json: { jsonrpc: "2.0", id: 1, method: "sendBundle" } });
const priced = (credits: number): Target => ({ ...vendor, prices: { getProjectUsage: credits } });
const withoutKey = usageRequest({ as: "anonymous", of: "paid" });
const mayHaveHadAnEffect = "reset: made; not sent again, as it may have had an effect";
const costsCredits = "a gateway page (HTTP 502, text/html); not sent again, as it costs credits";

const repeats: readonly (readonly [
  what: string,
  requestSpec: RequestSpec,
  platform: Platform,
  sent: number,
  result: string,
])[] = [
  ["what can't be undone, on a vendor", sendBundleRequest([[]]), { answers: [reset] }, 1, mayHaveHadAnEffect],
  ["what can't be undone, in a raw body", raw, { answers: [reset] }, 1, mayHaveHadAnEffect],
  [
    "what can't be undone, on the reference",
    sendBundleRequest([[]]),
    { target: reference, answers: [reset] },
    3,
    "no answer",
  ],
  ["what can't be undone, refused for its rate", oneBundle, { answers: [limited] }, 1, refusedOnce],
  [
    "what can't be undone, where the plan pays twice",
    oneBundle,
    { answers: [limited], mostResends: 2 },
    3,
    refusedOnce,
  ],
  ["any other call", statuses([[]]), { answers: [reset] }, 3, "no answer"],
  ["a call of 100 credits, in a foreign form", first, { target: priced(100), answers: [page] }, 1, costsCredits],
  ["a call of 99 credits, in a foreign form", first, { target: priced(99), answers: [page] }, 3, "502"],
  ["a call without a key, which costs nothing", withoutKey, { target: priced(100), answers: [page] }, 3, "502"],
  ["a call of unknown price, in a foreign form", statuses([[]]), { answers: [page] }, 3, "502"],
  ["a call of 100 credits, without an answer", first, { target: priced(100), answers: [reset] }, 3, "no answer"],
];
for (const [what, requestSpec, platform, sent, result] of repeats)
  test(`of failures is sent ${sent === 1 ? "once" : `${sent} times`}: ${what}`, async () => {
    expect(await fate(requestSpec, platform)).toMatchObject({ sent, result });
  });

test("a failure proves nothing where no healthy request is known", async () => {
  const lone = await fate(first, { answers: [reset], health: null });
  expect(lone).toMatchObject({ sent: 1, counted: [false], healthCounted: [], result: "reset: made" });
});

test("healthy answers count, and those that are no health don't", async () => {
  expect(await fate(first, { answers: [reset] })).toMatchObject({ healthCounted: [true, true, true] });
  expect(await fate(first, { answers: [reset], health: [refused] })).toMatchObject({ healthCounted: [false] });
});

test("a failure whose last health check can't be sent isn't confirmed", async () => {
  const spent = new BudgetSpent("the budget of 3 requests is spent");
  const { result, ...seen } = await fate(first, { answers: [reset], health: [served, served, spent] });
  expect(seen).toMatchObject({ sent: 3, counted: [false, false, false] });
  expect(result).toBe("reset: made; not repeated: the budget of 3 requests is spent");
  const other = await fate(first, { answers: [reset], health: [new Inconclusive("ours")] });
  expect(other).toMatchObject({ sent: 1, result: "ours" });
});

test("a refusal for the rate counts, unless a page says so", async () => {
  expect(await fate(first, { answers: [limited, served] })).toMatchObject({ counted: [true, true] });
  expect(await fate(first, { answers: [limitedByPage, served] })).toMatchObject({ counted: [false, true] });
});

test("the platform's own answer in other text counts at once, and is sent again all the same", async () => {
  expect(await fate(first, { answers: [marked] })).toMatchObject({ sent: 3, counted: [true, false, true] });
});

test("of a failure that comes and goes, what was suspicious is reported with its cause", async () => {
  const cause = "a gateway page (HTTP 502, text/html)";
  const went = await fate(first, { answers: [page, served] });
  expect(went).toMatchObject({ gone: [`1: ${cause}`], result: `${cause}, then an answer (200): not reproducible` });
  const changed = await fate(first, { answers: [page, reset] });
  expect(changed).toMatchObject({ gone: ["2: reset: made"], result: `${cause}, then reset: made: not reproducible` });
});

test("where failures come and go, more of them must be alike", async () => {
  const { asked, script, seen } = inquiring({ answers: [reset, served] });
  await asked(first);
  script(reset);
  expect(await asked(second)).toBe("no answer");
  expect(seen.sent.length).toBe(2 + 8);
});

/** Asks three requests of an operation one after another, which all get the same, after one that was served. */
async function usual(answer: Exchange, target: Target, health: Exchange = served) {
  const { asked, script, seen } = inquiring({ target, answers: [served], health: [health] });
  await asked(paid(0));
  script(answer);
  const results = [];
  for (const requestSpec of [first, second, third]) {
    const before = seen.sent.length;
    results.push(`${await asked(requestSpec)}, sent ${seen.sent.length - before}`);
  }
  return { results, counted: seen.counted };
}

test("JSON in a foreign form is the platform's own way once an operation has answered three times so", async () => {
  const { results, counted } = await usual(odd, vendor);
  expect(results).toEqual(["200, sent 3", "200, sent 3", "200, sent 1"]);
  expect(counted).toEqual([true, false, false, true, false, false, true, true]);
});

test("what isn't JSON is its own way only for dear calls, which aren't sent again", async () => {
  expect((await usual(empty, vendor)).results).toEqual(["200, sent 3", "200, sent 3", "200, sent 3"]);
  const dear = "an empty answer (HTTP 200); not sent again, as it costs credits, sent 1";
  const { results, counted } = await usual(empty, priced(100));
  expect(results).toEqual([dear, dear, "200, sent 1"]);
  expect(counted).toEqual([true, false, false, true]);
});

test("a health check in the same foreign JSON is healthy, on a platform that can answer in its own form", async () => {
  expect((await usual(odd, vendor, odd)).results[0]).toBe("200, sent 3");
  expect((await usual(odd, vendor, empty)).results[0]).toBe(
    "JSON that isn't in a form of the interface (HTTP 200), sent 1",
  );
  expect(await fate(first, { answers: [odd], health: [odd] })).toMatchObject({ sent: 1 });
});

test("equal requests are sent once, and belong to the check that asked first", async () => {
  const by = check("usage", "USG-FLD-01", first);
  const { ask, seen } = inquiring({ answers: [served] });
  const exchanges = await Promise.all([ask(first, by), ask({ ...first }), ask(second)]);
  expect(exchanges.map(({ number }) => number)).toEqual([1, 1, 2]);
  expect(seen).toMatchObject({ sent: [1, 2], causedBy: [by, null] });
});

test("a remembered exchange isn't sent for", async () => {
  const { ask, remember, seen } = inquiring({ answers: [served] });
  remember({ ...served, number: 7, requestSpec: first });
  expect([(await ask(first)).number, (await ask(second)).number, seen.sent]).toEqual([7, 1, [1]]);
});

test("a failure is remembered until failures are forgotten, an answer beyond", async () => {
  const { asked, script, seen, startAnew } = inquiring({ answers: [reset], health: null });
  const lost = [await asked(first), await asked(first), await asked(second)];
  script(served);
  await startAnew();
  const answered = [await asked(first), await asked(second)];
  await startAnew();
  answered.push(await asked(first));
  expect([new Set(lost), new Set(answered)]).toEqual([new Set(["reset: made"]), new Set(["200"])]);
  expect(seen.sent).toEqual([1, 2, 3, 4]);
});

test("a dear call that failed is sent once more when failures are forgotten, and no third time", async () => {
  const { asked, script, seen, startAnew } = inquiring({ target: priced(100), answers: [page] });
  for (let round = 0; round < 2; round += 1) {
    expect(await asked(first)).toBe(costsCredits);
    expect(await asked(first)).toBe(costsCredits);
    await startAnew();
  }
  script(served);
  expect([await asked(first), seen.sent]).toEqual([costsCredits, [1, 2]]);
  const over = inquiring({ target: priced(100), answers: [page] });
  await over.asked(first);
  await over.startAnew();
  over.script(served);
  expect([await over.asked(first), over.seen.sent]).toEqual(["200", [1, 2]]);
});

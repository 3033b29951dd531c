// Retry: how often a request spec is sent until its answer can be judged.

import { expect, test } from "@playwright/test";
import { ownersUsage } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite } from "../../contracts/suite.ts";
import { virtualClock } from "../../harness/core/clock.ts";
import { BudgetSpent } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { createRetry, type Retry } from "../../harness/engine/retry.ts";
import type { Check } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Transport } from "../../harness/transport/transport.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { answeredUsage } from "../golden/made.ts";
import { asVendor } from "../support/probeSpecs.ts";

const target = asVendor()(inProcess(contractSuite).target);
const healthy: RequestSpec = { ...ownersUsage, again: 99 };

const [check] = contractSuite.checks as readonly [Check];
const served = answeredUsage(1, 200);
const refused = answeredUsage(1, 403);
const refusedForRate = answeredUsage(1, 429);
const failed = answeredUsage(1, 502, "<html>Bad Gateway</html>");
const lost: Exchange = { ...served, answer: null, fault: { kind: "reset", detail: "made" } };
const spent = new BudgetSpent("the budget of 3 requests is spent");

/**
 * Asks where these come in turn, then the last again and again; healthy requests get answers of their own.
 * @param next what is done with the answer
 */
async function asked(
  answers: readonly (Exchange | Error)[],
  health: readonly Exchange[] = [served],
  next: (retry: Retry, exchange: Exchange) => Promise<unknown> = () => Promise.resolve(),
  requestSpec: RequestSpec = ownersUsage,
) {
  const clock = virtualClock(0);
  const seen = { sent: 0, counted: [] as boolean[], pauses_ms: [] as number[], gone: [] as string[] };
  let checked = 0;
  const at = <Item>(items: readonly Item[], nth: number): Item => items[Math.min(nth, items.length - 1)] as Item;
  const send = (requestSpec: RequestSpec): Promise<Exchange> => {
    if (requestSpec === healthy) return Promise.resolve({ ...at(health, checked++), requestSpec });
    const answer = at(answers, seen.sent++);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ ...answer, requestSpec });
  };
  const retry = createRetry({
    target,
    clock,
    transport: { send, pause: (_: RequestSpec, ms: number) => seen.pauses_ms.push(ms) } as unknown as Transport,
    onExchange: (exchange, counts) => {
      if (exchange.requestSpec !== healthy) seen.counted.push(counts);
    },
    onIntermittent: (_, cause) => seen.gone.push(cause),
    healthCheck: () => healthy,
    fresh: (requestSpec) => requestSpec,
    onOutage: () => undefined,
    mostResends: 0,
  });
  const judged = async (): Promise<number | string> => {
    const exchange = await retry.ask(requestSpec);
    await next(retry, exchange);
    return exchange.answer?.status ?? "no answer";
  };
  const result = await judged().catch((error: unknown) => (error as Error).message);
  return { ...seen, result, checked, took_ms: clock.now_ms() };
}

test("an answer that can be judged is asked for once", async () => {
  expect(await asked([served])).toMatchObject({ result: 200, sent: 1, counted: [true], checked: 0, took_ms: 0 });
});

test("a refusal for the rate is waited out, longer each time, and given up after four waits", async () => {
  const once = await asked([refusedForRate, served]);
  expect(once).toMatchObject({ result: 200, sent: 2, pauses_ms: [1_100], took_ms: 1_100, counted: [true, true] });
  const always = await asked([refusedForRate]);
  expect(always).toMatchObject({ sent: 5, pauses_ms: [1_100, 2_200, 4_400, 8_800], took_ms: 16_500 });
  expect(always.result).toBe('still rate-limited (HTTP 429 "made") after 4 waits');
});

test("a wait is as long as the answer asks for, up to a minute", async () => {
  const after = (seconds: number): Exchange => answeredUsage(1, 429, undefined, { "retry-after": String(seconds) });
  expect((await asked([after(7), served])).pauses_ms).toEqual([7_000]);
  expect((await asked([after(0), served])).pauses_ms).toEqual([1_100]);
  expect((await asked([after(3_600), served])).pauses_ms).toEqual([60_000]);
});

for (const [name, failure, result] of [
  ["a gateway's page", failed, 502],
  ["a lost connection", lost, "no answer"],
] as const)
  test(`${name} counts where it comes three times between healthy answers`, async () => {
    expect(await asked([failure])).toMatchObject({
      result,
      sent: 3,
      counted: [false, false, true],
      checked: 3,
      gone: [],
    });
  });

test("a failure that doesn't occur again proves nothing, and is told", async () => {
  const { result, ...seen } = await asked([failed, served]);
  expect(seen).toMatchObject({ sent: 2, counted: [false, true], checked: 1 });
  expect(seen.gone).toHaveLength(1);
  expect(result).toMatch(/, then an answer \(200\): not reproducible$/);
  const other = await asked([failed, lost]);
  expect(other).toMatchObject({ sent: 2, counted: [false, false] });
  expect(other.gone[0]).toContain("reset");
});

test("a failure says nothing while healthy requests fail, too, whenever they do", async () => {
  const now = await asked([failed], [failed]);
  expect(now).toMatchObject({ sent: 1, counted: [false], checked: 1, gone: [] });
  const later = await asked([failed], [served, served, lost]);
  expect(later).toMatchObject({ sent: 3, counted: [false, false, false], checked: 3 });
  expect([now.result, later.result]).toEqual([later.result, now.result]);
});

test("a healthy request that is refused isn't healthy", async () => {
  expect(await asked([failed], [answeredUsage(1, 401)])).toMatchObject({ sent: 1, checked: 1 });
});

test("a failure that the budget doesn't let be repeated proves nothing", async () => {
  const { result, sent } = await asked([failed, spent]);
  expect([sent, result]).toEqual([2, expect.stringMatching(/; not repeated: the budget of 3 requests is spent$/)]);
  expect((await asked([new TypeError("ours")])).result).toBe("ours");
});

const confirmed = ({ confirmBreach }: Retry, exchange: Exchange): Promise<void> => confirmBreach(exchange, check);

test("a refusal of access proves a breach where it is given three times between healthy answers", async () => {
  const all = { result: 403, sent: 3, checked: 3, gone: [], counted: [true, true, true] };
  expect(await asked([refused], [served], confirmed)).toMatchObject(all);
  // Several checks may share it.
  const twice = async (...given: Parameters<typeof confirmed>): Promise<void> => {
    await confirmed(...given);
    await confirmed(...given);
  };
  expect(await asked([refused], [served], twice)).toMatchObject(all);
  // A platform may refuse all.
  expect(await asked([refused], [refused], confirmed)).toMatchObject(all);
});

test("a refusal of access that isn't given again proves nothing, and is told", async () => {
  const { result, ...seen } = await asked([refused, served], [served], confirmed);
  expect(result).toBe("a refusal (403), then an answer (200): not reproducible");
  expect(seen).toMatchObject({ sent: 2, counted: [true, true], checked: 1, gone: ["a refusal (403)"] });
  expect((await asked([refused, answeredUsage(1, 401)], [served], confirmed)).result).toContain("then an answer (401)");
  expect((await asked([refused, spent], [served], confirmed)).result).toContain("; not repeated: the budget");
  expect((await asked([refused], [answeredUsage(1, 401)], confirmed)).result).toBe("a refusal (403)");
});

test("a refusal of access that wasn't confirmed is asked for anew", async () => {
  const retried = async (retry: Retry, first: Exchange): Promise<void> => {
    await confirmed(retry, first).catch(() => retry.startAnew());
    await confirmed(retry, await retry.ask(ownersUsage));
  };
  expect(await asked([refused, served, served], [served], retried)).toMatchObject({ result: 403, sent: 3 });
  const again = await asked([refused, served, refused, served], [served], retried);
  expect([again.sent, again.result]).toEqual([4, expect.stringMatching(/not reproducible$/)]);
});

/** The interface shows no form for it. */
const open = (exchange: Exchange): Exchange => ({ ...exchange, protocol: { ...exchange.protocol, forms: null } });

test("a success in a form that is left open proves a breach where it is given three times", async () => {
  expect(await asked([open(served)], [served], confirmed)).toMatchObject({ result: 200, sent: 3, checked: 3 });
  const once = await asked([open(served), open(answeredUsage(1, 400))], [served], confirmed);
  expect(once).toMatchObject({ result: "a success (200), then an answer (400): not reproducible", sent: 2 });
  const damaged = await asked([open(served), open(answeredUsage(1, 200, "<html>"))], [served], confirmed);
  expect(damaged.result).toContain("not reproducible");
});

test("what a breach is compared with is asked again, too, where its form is left open", async () => {
  const comparing = (retry: Retry, exchange: Exchange) => retry.confirmBreach(served, check, [served, exchange]);
  expect(await asked([open(served)], [served], comparing)).toMatchObject({ result: 200, sent: 3 });
  expect(await asked([served], [served], comparing)).toMatchObject({ result: 200, sent: 1 });
  // Control may have changed a project that it made.
  const asker = { isMade: true } as Exchange["asker"];
  expect(await asked([{ ...open(served), asker }], [served], confirmed)).toMatchObject({ result: 200, sent: 1 });
});

test("a refusal is taken as it is where it came at once with others, or asking again may have an effect", async () => {
  const other = (retry: Retry, exchange: Exchange) => confirmed(retry, { ...exchange, number: 2 });
  expect(await asked([refused], [served], other)).toMatchObject({ result: 403, sent: 1, checked: 0 });
  const sending: RequestSpec = { ...ownersUsage, operation: "sendBundle" };
  expect(await asked([refused], [served], confirmed, sending)).toMatchObject({ result: 403, sent: 1, checked: 0 });
});

test("other answers prove a breach as they are", async () => {
  for (const answer of [served, answeredUsage(1, 400)])
    expect(await asked([answer], [served], confirmed)).toMatchObject({
      result: answer.answer?.status,
      sent: 1,
      checked: 0,
    });
});

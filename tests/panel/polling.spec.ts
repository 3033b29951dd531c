// Rounds of a panel: who is asked when, and what ends them.
import { expect, test } from "@playwright/test";
import { steppedClock } from "../../harness/core/clock.ts";
import type { Target } from "../../harness/target/target.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import { type Member, type Poll, rounds } from "../../panel/polling.ts";
import { distinct, namedQuestions, pickedQuestions, type Question, sampleQuestions } from "../../panel/questions.ts";
import { freshWorld } from "../../proof/inProcess.ts";
import { listed } from "../support/recordings.ts";

const owner = "D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w";
const questions: readonly Question[] = namedQuestions([
  { getTokenAccounts: { owner } },
  { getCompressedBalance: { address: owner } },
  { getIndexerHealth: null },
]);
const bundles = namedQuestions([{ getBundleStatuses: [["a"]] }]);

interface Setting {
  readonly paces?: readonly number[];
  readonly change?: (target: Target, vendor: number) => Partial<Target>;
  readonly most?: number;
  readonly seed?: number;
  readonly asked?: readonly Question[];
  /** By how much the first vendor is asked too late. */
  readonly late_ms?: number;
}

/** Asks made-up vendors; gives what was asked, and in which order requests began. */
async function polledBy({
  paces = [100, 100, 100],
  change = () => ({}),
  most = 4,
  seed = 1,
  asked = questions,
  late_ms = 0,
}: Setting) {
  const clock = steppedClock(0);
  const began: { readonly vendor: number; readonly at_ms: number }[] = [];
  const members = paces.map((perSecond, vendor): Member => {
    const { targetAt } = freshWorld("asking");
    const target = { ...targetAt(`http://v${vendor}.example`), perSecond, isReference: false };
    const wire = async () => {
      began.push({ vendor, at_ms: clock.now_ms() });
      await clock.sleep(5);
      return { status: 200, headers: [["content-type", "application/json"]] as const, body: Buffer.from("{}") };
    };
    const whole = { ...target, ...change(target, vendor) };
    const transport = transportTo(whole, wire, clock);
    const send: typeof transport.send = async (...given) => {
      if (vendor === 0 && late_ms > 0) await clock.sleep(late_ms);
      return transport.send(...given);
    };
    return { target: whole, transport: { ...transport, send }, connections: () => began.length };
  });
  const all = await listed<Poll>(rounds(members, asked, { clock, seed, goesOn: (round) => round < most }));
  return { all, began, took_ms: clock.now_ms() };
}

test("a round puts each question once, to all vendors within 50 ms, in an order that the seed gives", async () => {
  const { all } = await polledBy({});
  const orders = [0, 1, 2, 3].map((nth) => all.filter(({ round }) => round === nth).map(({ question }) => question.id));
  for (const order of orders) expect([...order].sort()).toEqual(questions.map(({ id }) => id).sort());
  expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
  expect(all.every(({ isTogether, replies }) => isTogether && replies.length === 3)).toBe(true);
  expect((await polledBy({})).all.map(({ question }) => question.id)).toEqual(orders.flat());
  expect((await polledBy({ seed: 9 })).all.map(({ question }) => question.id)).not.toEqual(orders.flat());
});

for (const most of [2, 24])
  test(`each vendor is asked before each other equally often, in ${most} rounds`, async () => {
    const { began } = await polledBy({ most });
    const polls = Array.from({ length: began.length / 3 }, (_, nth) => began.slice(nth * 3, nth * 3 + 3));
    for (const [one, other] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ]) {
      const placeOf = (ask: typeof began, vendor?: number): number => ask.findIndex((each) => each.vendor === vendor);
      const first = polls.filter((ask) => placeOf(ask, one) < placeOf(ask, other)).length;
      expect(first / polls.length).toBeCloseTo(0.5, 1);
    }
  });

test("rounds begin two seconds apart, and what doesn't begin together is marked", async () => {
  expect((await polledBy({ most: 4 })).took_ms).toBeGreaterThan(6_000);
  expect((await polledBy({ most: 1, late_ms: 60 })).all.map(({ isTogether }) => isTogether)).toEqual([
    false,
    false,
    false,
  ]);
  expect((await polledBy({ most: 1, late_ms: 30 })).all.map(({ isTogether }) => isTogether)).toEqual([
    true,
    true,
    true,
  ]);
});

test("the slowest paces all", async () => {
  const { all, took_ms } = await polledBy({ paces: [100, 100, 0.5], most: 5 });
  expect(all).toHaveLength(15);
  expect(took_ms).toBeGreaterThan(15_000);
  expect(all.every(({ isTogether }) => isTogether)).toBe(true);
});

test("what only one vendor offers isn't asked, nor is anything of one that doesn't offer it", async () => {
  const isFirst = (vendor: number) => vendor === 0;
  const change: Setting["change"] = (_, vendor) => ({
    offers: isFirst(vendor) ? ["tokenAccounts", "bundles"] : ["tokenAccounts"],
  });
  const { all } = await polledBy({ asked: [...questions, ...bundles], change, most: 2 });
  expect(new Set(all.map(({ question }) => question.operation))).toEqual(new Set(["getTokenAccounts"]));
  expect((await polledBy({ asked: bundles, change })).began).toEqual([]);
});

test("one whose budget is spent is asked no more, and it ends with the last two", async () => {
  const left: readonly (readonly [number, number])[] = [
    [0, 4],
    [1, 6],
  ];
  const budgets = new Map(left);
  const { all } = await polledBy({
    most: 10,
    change: (target, vendor) => ({ budget: { ...target.budget, requests: budgets.get(vendor) ?? 100 } }),
  });
  expect(all.map(({ replies }) => replies.length)).toEqual([3, 3, 3, 3, 2, 2, 1]);
});

test("questions come from samples and lists, each once, and one's own come first", () => {
  const { targetAt } = freshWorld("asking");
  const samples = sampleQuestions([targetAt("http://a.example")]);
  expect(new Set(samples.map(({ operation }) => operation))).toEqual(
    new Set([
      "getTokenAccounts",
      "getCompressedBalance",
      "getMultipleNewAddressProofs",
      "getBundleStatuses",
      "getIndexerHealth",
      "getProjectUsage",
    ]),
  );
  const own = namedQuestions([{ getIndexerHealth: null }]);
  const all = distinct([...own, ...samples, ...samples]);
  expect(all).toHaveLength(samples.length);
  expect(all[0]?.operation).toBe("getIndexerHealth");
});

test("accounts are picked from lists by the seed, in any order", () => {
  const accounts = Array.from({ length: 40 }, (_, nth) => ({ owner: `o${nth % 20}`, mint: `m${nth}` }));
  const listOf = (all: readonly object[]) =>
    ({ answer: { json: { value: { result: { token_accounts: all } } } } }) as unknown as Parameters<
      typeof pickedQuestions
    >[0][number];
  const picked = pickedQuestions([listOf(accounts)], 3).map(({ id }) => id);
  expect(picked).toHaveLength(15);
  expect(pickedQuestions([listOf(accounts.slice(20)), listOf(accounts.toReversed())], 3).map(({ id }) => id)).toEqual(
    picked,
  );
  expect(pickedQuestions([listOf(accounts)], 4).map(({ id }) => id)).not.toEqual(picked);
  expect(pickedQuestions([listOf([{ owner: 1 }, {}])], 3)).toEqual([]);
});

// Rounds of a panel: who is asked when, and what ends them.
import { expect, test } from "@playwright/test";
import {
  bundles,
  distinctOf,
  manyQuestions,
  pickedFrom,
  polledBy,
  questions,
  type Setting,
  sampled,
} from "./madeRounds.ts";

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
  const { all, took_ms } = await polledBy({ paces: [100, 100, 0.25], most: 5 });
  expect(all.map(({ replies }) => replies.length)).toEqual(all.map(() => 3));
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
  const { all, panel } = await polledBy({
    most: 10,
    change: (target, vendor) => ({ budget: { ...target.budget, requests: budgets.get(vendor) ?? 100 } }),
  });
  expect(all.map(({ replies }) => replies.length)).toEqual([3, 3, 3, 3, 2, 2, 1]);
  const spent = panel.absences.map(({ vendor, is, to, polls }) => [vendor, is, to, polls]);
  expect([panel.isCutShort, spent]).toEqual([
    true,
    [
      [0, "spent", null, 3],
      [1, "spent", null, 1],
    ],
  ]);
});

/** When a vendor was asked, in s. */
const askedAt = ({ began }: { readonly began: readonly { vendor: number; at_ms: number }[] }, wanted: number) =>
  began.flatMap(({ vendor, at_ms }) => (vendor === wanted ? [at_ms / 1_000] : []));
const gapsIn = (all: readonly number[]): readonly number[] =>
  all.slice(1).map((at, nth) => Math.floor(at - (all[nth] ?? 0)));
const alone = questions.slice(0, 1);
/** A round may be under way when a rest is over. */
const near = (seconds: number): unknown => expect.closeTo(seconds + 1, -0.5);

test("one that hangs is left out after three requests for 30 s, then for twice as long, up to 5 min", async () => {
  const failing: Setting["failing"] = (vendor) => (vendor === 1 ? "timeout" : null);
  const rounds = await polledBy({ asked: alone, failing, for_ms: 1_000_000 });
  // Each of its requests takes 15 s; others are asked every 2 s.
  expect(gapsIn(askedAt(rounds, 1))).toEqual([15, 15, 45, 75, 135, 255, 315].map(near));
  expect(gapsIn(askedAt(rounds, 0)).filter((gap) => gap > 2)).toHaveLength(8);
  const polls = rounds.all.filter(({ replies }) => replies.length === 2).length;
  expect(rounds.panel.absences).toEqual([
    { vendor: 1, is: "silent", from: "1970-01-01T00:00:45.000Z", to: null, polls, why: "timeout: made for this test" },
  ]);
  expect([polls, rounds.panel.isCutShort]).toEqual([rounds.all.length - 8, false]);
});

test("one reply is enough to be back, and then it takes three failures again", async () => {
  const failing: Setting["failing"] = (vendor, at_ms) =>
    vendor === 2 && [20_000, 120_000].some((from_ms) => at_ms > from_ms && at_ms < from_ms + 40_000) ? "reset" : null;
  const rounds = await polledBy({ asked: alone, failing, for_ms: 300_000 });
  // The first failure after a rest makes the next one longer; the first after an answer doesn't.
  expect(gapsIn(askedAt(rounds, 2)).filter((gap) => gap > 2)).toEqual([30, 60, 30, 60].map(near));
  expect(rounds.panel.absences.map(({ from, to, polls }) => [from.slice(14, 19), to?.slice(14, 19), polls])).toEqual([
    ["00:26", "02:00", 45],
    ["02:06", "03:40", 45],
  ]);
});

for (const failure of [429, 503, "oversized", "encoding"] as const)
  test(`one that answers is asked on, whatever it answers: ${failure}`, async () => {
    const failing: Setting["failing"] = (vendor) => (vendor === 1 ? failure : null);
    const rounds = await polledBy({ asked: alone, failing, most: 12 });
    expect([askedAt(rounds, 1).length, rounds.panel.absences]).toEqual([12, []]);
  });

test("two others don't wait for one that refuses at its pace, which is asked less often", async () => {
  const failing: Setting["failing"] = (vendor) => (vendor === 1 ? 429 : null);
  const rounds = await polledBy({ asked: manyQuestions, failing, for_ms: 300_000 });
  const least = (300 / 2) * manyQuestions.length;
  expect([askedAt(rounds, 0).length, askedAt(rounds, 2).length]).toEqual([least, least]);
  // At its own pace of one in five seconds, or at the next round.
  expect([5, 6]).toContain(gapsIn(askedAt(rounds, 1)).at(-1));
  const left = rounds.all.filter(({ replies }) => replies.length === 2).length;
  expect(rounds.panel.absences).toMatchObject([{ vendor: 1, is: "limited", polls: left, why: null }]);
  expect(left).toBeGreaterThan(rounds.all.length / 2);

  const two = await polledBy({ asked: manyQuestions, failing, paces: [100, 100], for_ms: 300_000 });
  expect([two.panel.absences, two.all.every(({ replies }) => replies.length === 2)]).toEqual([[], true]);
});

test("of two, nobody is asked alone: it waits for the other one, but no longer than two rests", async () => {
  const dies: Setting["failing"] = (vendor) => (vendor === 0 ? "dns" : null);
  const dead = await polledBy({ paces: [100, 100], asked: alone, failing: dies, most: 20 });
  expect(gapsIn(askedAt(dead, 1))).toEqual([2, 2, 30, 60]);
  expect(dead.all.every(({ replies }) => replies.length === 2)).toBe(true);
  expect([dead.panel.isCutShort, dead.panel.absences[0]?.polls, dead.all.length]).toEqual([true, 0, 5]);

  const failing: Setting["failing"] = (vendor, at_ms) => (vendor === 0 && at_ms < 50_000 ? "refused" : null);
  const back = await polledBy({ paces: [100, 100], asked: alone, failing, most: 9 });
  expect([back.panel.isCutShort, back.all.length, gapsIn(askedAt(back, 1))]).toEqual([
    false,
    9,
    [2, 2, 30, 60, 2, 2, 2, 2],
  ]);
});

test("a panel that lasts for a time waits as long, and isn't slept past", async () => {
  const failing: Setting["failing"] = (vendor) => (vendor === 0 ? "refused" : null);
  const { took_ms, panel, all } = await polledBy({ paces: [100, 100], asked: alone, failing, for_ms: 700_000 });
  expect([all.length, panel.isCutShort]).toEqual([7, false]);
  expect(Math.floor(took_ms / 2_000)).toBe(350);
});

test("what only one can be asked is left for later, while others are asked the rest", async () => {
  const change: Setting["change"] = (_, vendor) => ({
    offers: vendor === 0 ? ["tokenAccounts"] : ["tokenAccounts", "bundles"],
  });
  const failing: Setting["failing"] = (vendor) => (vendor === 2 ? "refused" : null);
  const { all } = await polledBy({ asked: [...alone, ...bundles], change, failing, most: 8 });
  const counts = ["getTokenAccounts", "getBundleStatuses"].map(
    (id) => all.filter(({ question }) => question.operation === id).length,
  );
  expect(counts).toEqual([8, 1]);
  expect(all.every(({ replies }) => replies.length === 2 || replies.length === 3)).toBe(true);
});

test("a connection is told with the reply that it was made for, unless an earlier request began it", async () => {
  const timesOf = async (isBegunEarlier: boolean): Promise<readonly unknown[]> => {
    const { all } = await polledBy({ asked: alone, most: 1, isBegunEarlier });
    return all.flatMap(({ replies }) => replies.map(({ isCold, connection }) => isCold && connection?.connect_ms));
  };
  expect([await timesOf(false), await timesOf(true)]).toEqual([
    [2, 2, 2],
    [undefined, undefined, undefined],
  ]);
});

const odd = new TypeError("made for this test");
const unreadable = <One extends object>(exchange: One): One =>
  Object.defineProperty({ ...exchange }, "answer", {
    get: () => {
      throw odd;
    },
  });

test("where Assay fails on one reply, that reply is missing, and the rest is compared", async () => {
  const broken: Setting["broken"] = (vendor, nth, exchange) => {
    if (vendor === 1 && (nth === 2 || nth === 4)) throw odd;
    return exchange;
  };
  const { all, panel, found } = await polledBy({ asked: alone, broken });
  expect(all.map(({ replies }) => replies.length)).toEqual([3, 2, 3, 2]);
  const message = expect.stringMatching(/^made for this test at .*polling\.spec\.ts/) as unknown;
  expect([panel.defects, panel.isCutShort]).toEqual([[{ vendor: 1, message, polls: 2 }], false]);
  expect(found.questions.map(({ polls }) => polls)).toEqual([4]);
});

test("where it fails on a poll, that poll isn't compared, and ten in a row end the panel", async () => {
  const broken: NonNullable<Setting["broken"]> = (_, nth, exchange) => (nth > 2 ? unreadable(exchange) : exchange);
  const some = await polledBy({ asked: alone, broken, most: 6 });
  expect([some.panel.defects, some.panel.isCutShort]).toEqual([
    [{ vendor: null, message: expect.stringContaining(odd.message), polls: 4 }],
    false,
  ]);
  expect(some.found.questions.map(({ polls, counts }) => [polls, counts[0]?.refused])).toEqual([[2, 0]]);
  const all = await polledBy({ asked: alone, broken, most: 40 });
  expect([all.began.length, all.panel.isCutShort, all.panel.defects[0]?.polls]).toEqual([3 * 12, true, 10]);
});

test("where it fails between polls, what was found before is reported", async () => {
  const broken: Setting["broken"] = (vendor, nth, exchange) =>
    vendor === 1 && nth === 3
      ? {
          ...exchange,
          get sentAt_ms(): number {
            throw odd;
          },
        }
      : exchange;
  const { panel, found } = await polledBy({ asked: alone, broken });
  expect([panel.defects.map(({ vendor, polls }) => [vendor, polls]), panel.isCutShort]).toEqual([[[null, 0]], true]);
  expect(found.questions.map(({ polls }) => polls)).toEqual([2]);
});

test("questions come from samples and lists, each once, and one's own come first", () => {
  const samples = sampled();
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
  const all = distinctOf([{ getIndexerHealth: null }], ...samples, ...samples);
  expect(all).toHaveLength(samples.length);
  expect(all[0]?.operation).toBe("getIndexerHealth");
});

test("accounts are picked from lists by the seed, in any order", () => {
  const accounts = Array.from({ length: 40 }, (_, nth) => ({ owner: `o${nth % 20}`, mint: `m${nth}` }));
  const picked = pickedFrom(3, accounts);
  expect(picked).toHaveLength(15);
  expect(pickedFrom(3, accounts.slice(20), accounts.toReversed())).toEqual(picked);
  expect(pickedFrom(4, accounts)).not.toEqual(picked);
  expect(pickedFrom(3, [{ owner: 1 }, {}])).toEqual([]);
});

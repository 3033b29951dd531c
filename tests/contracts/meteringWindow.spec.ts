// Charge windows: what calls of several checks show between two settled reads, and when they are measured again
import { expect, test } from "@playwright/test";
import { type ChargedCalls, inEach } from "../../contracts/metering/attempts.ts";
import { chargePaceOf } from "../../contracts/metering/chargePace.ts";
import { charging, sharedAttempt } from "../../contracts/metering/chargeWindow.ts";
import { grewBy } from "../../contracts/metering/reads.ts";
import { settled } from "../../contracts/metering/settlement.ts";
import { balances } from "../../contracts/wallet/requests.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { keyHolder } from "../../harness/core/requestSpec.ts";
import { costs, credits, hasSearched, oneCall, outcomeOf, requests } from "./madeCharges.ts";
import { MadeMeter, type Ways } from "./madeMeter.ts";

type Make = (meter: MadeMeter) => readonly ChargedCalls[];

/** Charged calls of checks that a run has, which share their windows. */
function sharing(ways: Ways, make: Make, prepare: (meter: MadeMeter) => unknown) {
  const runnable = new Set<unknown>();
  const meter = new MadeMeter({ ...ways, runnable: ({ needs }) => runnable.has(needs) });
  prepare(meter);
  const all = make(meter);
  for (const one of all) {
    const options = { requests: [balances({ as: "paid" })], run: () => Promise.resolve([]) };
    runnable.add(charging("MET-WAL-01", one, options).needs);
  }
  return { meter, all };
}

/** What a window of these calls shows of each. */
async function windowOf(ways: Ways, make: Make, prepare: (meter: MadeMeter) => unknown = () => null) {
  const { meter, all } = sharing(ways, make, prepare);
  const found: unknown[] = [];
  for (const one of all)
    found.push(
      await sharedAttempt(meter.context, one).then(
        (shared) =>
          shared && {
            is: shared.judgements.map(outcomeOf),
            isAsRequired: shared.isAsRequired,
            open: shared.open.length,
          },
        (error: unknown) => (error as Error).message,
      ),
    );
  return { found, calls: meter.calls.length, meter, pace: chargePaceOf(meter.context) };
}

const asRequired = { is: ["held", "held"], isAsRequired: true, open: 0 };
const wrong = { is: ["broken", "held"], isAsRequired: false, open: 0 };

test("calls of several checks share one window, each judged by all calls of its project", async () => {
  const { found, calls, pace } = await windowOf(costs(100), (meter) => [
    oneCall(meter),
    oneCall(meter),
    oneCall(meter, { as: "other" }),
  ]);
  expect([found, calls]).toEqual([[asRequired, asRequired, asRequired], 3]);
  expect([...pace.settled]).toEqual(["main", "other"]);
  expect(pace.rested?.askers).toEqual(["paid", "other"]);
});

test("late charges settle in a window, too", async () => {
  const { found, pace, calls } = await windowOf(costs(100, 3_000), (meter) => [oneCall(meter), oneCall(meter)]);
  expect([found, calls]).toEqual([[asRequired, asRequired], 2]);
  expect(pace.isAtOnce).toBe(false);
});

test("the last charge of a window that is as required tells how long charges take", async () => {
  // The calls are sent at 24.3 and 24.4 s; what the second one costs is read at 27.95 s.
  const ways: Ways = { calls: (nth) => ({ [requests]: [1], [credits]: [100, nth === 1 ? 0 : 2_000] }) };
  const { found, pace } = await windowOf(ways, (meter) => [oneCall(meter), oneCall(meter)]);
  expect(found).toEqual([asRequired, asRequired]);
  expect([[...pace.shown_ms], pace.isAtOnce]).toEqual([
    [
      [credits, 3_550],
      [requests, 100],
    ],
    false,
  ]);
});

test("calls that fail leave the others in their window", async () => {
  const { found } = await windowOf(costs(100), (meter) => [
    oneCall(meter),
    oneCall(meter, { send: () => Promise.reject(new Withheld("not served")) }),
  ]);
  expect(found).toEqual([asRequired, "not served"]);
});

test("what a window finds wrong isn't settled", async () => {
  const { found, pace } = await windowOf(costs(50), (meter) => [oneCall(meter), oneCall(meter)]);
  expect(found).toEqual([wrong, wrong]);
  expect([[...pace.settled], pace.rested]).toEqual([[], null]);
});

test("where no charge shows in a window, its counters stay open", async () => {
  const { found } = await windowOf({}, (meter) => [oneCall(meter), oneCall(meter, { as: "other" })]);
  const late = { isAsRequired: false, open: 2 };
  expect(found).toMatchObject([late, late]);
});

test("JSON-RPC calls have a window of their own, and calls that share none have none", async () => {
  const { found, calls } = await windowOf(costs(100), (meter) => [
    oneCall(meter),
    oneCall(meter, { feature: "tokenAccounts" }),
  ]);
  expect([found, calls]).toEqual([[asRequired, asRequired], 2]);
  const meter = new MadeMeter();
  expect(await sharedAttempt(meter.context, oneCall(meter))).toBeUndefined();
});

test("a check of charged calls needs their reads, and a platform that is quiet", () => {
  const meter = new MadeMeter();
  const run = () => Promise.resolve([]);
  const check = charging("MET-WAL-01", oneCall(meter), { requests: [balances({ as: "paid" })], run });
  expect(check).toMatchObject({ ids: ["MET-WAL-01"], feature: "wallet", optional: false, when: "alone", run });
  expect(check.needs.requests.map(({ operation }) => operation)).toEqual(["getProjectUsage", "getWalletBalances"]);
  expect(check.needs.settles).toEqual({ window: "wallet", rounds: 4 });
});

/** The project of the paid key is charged too little; that of the other one, as required. */
const paidWrongly: Ways = {
  calls: (_, requestSpec) => ({ [requests]: [1], [credits]: [keyHolder(requestSpec) === "paid" ? 50 : 100] }),
};

/** Of which calls the figures are searched for those that move without calls, once the window has shown them. */
const searches: readonly (readonly [what: string, ways: Ways, isSearched: boolean, make: Make])[] = [
  ["none wrong", costs(100), false, (meter) => [oneCall(meter), oneCall(meter)]],
  ["half of them wrong", paidWrongly, false, (meter) => [oneCall(meter), oneCall(meter, { as: "other" })]],
  [
    "half of them wrong, as others failed",
    costs(50),
    false,
    (meter) => [oneCall(meter), oneCall(meter, { send: () => Promise.reject(new Withheld("not served")) })],
  ],
  [
    "more than half of them wrong",
    paidWrongly,
    true,
    (meter) => [oneCall(meter), oneCall(meter), oneCall(meter, { as: "other" })],
  ],
  [
    "all wrong, where no charge can be late",
    { ...costs(50), target: { isReference: true } },
    false,
    (meter) => [oneCall(meter), oneCall(meter)],
  ],
];

for (const [what, ways, isSearched, make] of searches)
  test(`restless figures are ${isSearched ? "" : "not "}searched for after a window with ${what}`, async () => {
    const { meter, calls, found } = await windowOf(ways, make);
    expect(hasSearched(meter)).toBe(isSearched);
    expect(calls).toBe(found.includes("not served") ? 1 : found.length);
  });

const slow = ({ context }: MadeMeter): void => chargePaceOf(context).note(credits, 5_000, false);

test("where charges are late, a window of mostly wrong ones is measured again: it may hold earlier ones", async () => {
  const make: Make = (meter) => [oneCall(meter), oneCall(meter)];
  const once: Ways = { calls: (nth) => ({ [requests]: [1], [credits]: [nth === 1 ? 350 : 100] }) };
  const late = await windowOf(once, make, slow);
  expect([late.found, late.calls, hasSearched(late.meter)]).toEqual([[asRequired, asRequired], 4, false]);
  const soon = await windowOf(once, make);
  expect([soon.found, soon.calls, hasSearched(soon.meter)]).toEqual([[wrong, wrong], 2, true]);
});

test("so is one in which a figure moved that turns out to move without calls", async () => {
  const moving = { ...costs(100), byItself: { [credits]: 40_000 } };
  // The pause of 24 s before the calls ends at 39.9 s, and the first of them is sent at 40 s.
  const { found, calls, pace } = await windowOf(
    moving,
    (meter) => [oneCall(meter), oneCall(meter)],
    (meter) => meter.pass(15_700),
  );
  const why = `${credits} moves without calls of this run: others use the project`;
  expect([...pace.restless]).toEqual([`paid ${credits}`, `second ${credits}`, `other ${credits}`, `free ${credits}`]);
  expect([found, calls]).toMatchObject([[{ is: [why, "held"] }, { is: [why, "held"] }], 4]);
});

/** While a window's two calls settle: how long after the last read usage is read, from the one that shows them. */
const rounds: readonly (readonly [
  what: string,
  ways: Ways,
  prepare: (meter: MadeMeter) => unknown,
  waits_ms: readonly number[],
])[] = [
  ["charged wrongly, at once", costs(50), () => null, [350, 3_100, 6_100]],
  ["charged as required, at once", costs(100), () => null, [350]],
  ["charged wrongly, on the reference", { ...costs(50), target: { isReference: true } }, () => null, [350]],
  // The calls took 300 ms, from the last read before them to the first one after them.
  ["charged wrongly, where charges take 5 s", costs(50), slow, [350, 550, 350, 7_600]],
  ["charged as required, where charges take 5 s", costs(100), slow, [350, 550]],
  ["not charged", {}, () => null, [350, 550]],
];

for (const [what, ways, prepare, expected] of rounds)
  test(`a window of calls that are ${what} stands still after ${expected.join(", ")} ms`, async () => {
    const { meter, all } = sharing(ways, (own) => [oneCall(own), oneCall(own)], prepare);
    await sharedAttempt(meter.context, all[0] as ChargedCalls);
    const reads = meter.reads.filter((one) => typeof one === "number");
    const isCharged = ways.calls !== undefined;
    // Three reads come before the calls, and one shows them; where none does, the last ones count.
    const from = isCharged ? 3 : reads.length - expected.length - 1;
    const waits = reads.slice(from, from + 1 + expected.length).map((one, nth, some) => one - (some[nth - 1] ?? 0));
    expect(waits.slice(1)).toEqual(expected);
  });

test("what calls of another feature are known to have added isn't charged for these", async () => {
  const counted = "/requests/compression";
  const ways: Ways = {
    calls: (_, requestSpec): { readonly [at: string]: readonly [number] } =>
      keyHolder(requestSpec) === "second" ? { [counted]: [1] } : { [requests]: [1], [credits]: [100] },
  };
  const judge = inEach(
    (growth) => grewBy(growth, requests, 2),
    (growth) => grewBy(growth, counted, growth.calls === 3 ? 3 : 0),
  );
  const { found } = await windowOf(ways, (meter) => [
    oneCall(meter, { feature: "tokenAccounts", judge, send: () => meter.call("paid", 2) }),
    oneCall(meter, { feature: "compression", judge, send: () => meter.call("second", 3) }),
  ]);
  expect(found).toEqual([asRequired, asRequired]);
});

test("calls whose own counters are open aren't as required; those of other projects may be", async () => {
  const ways: Ways = {
    calls: (_, requestSpec): { readonly [at: string]: readonly [number] } =>
      keyHolder(requestSpec) === "paid" ? { [requests]: [1], [credits]: [100] } : {},
  };
  const { found } = await windowOf(ways, (meter) => [oneCall(meter), oneCall(meter, { as: "other" })]);
  expect(found).toMatchObject([
    { is: ["held", "held"], isAsRequired: true, open: 0 },
    { isAsRequired: false, open: 2 },
  ]);
});

test("where no counter moves, nothing is as required, whatever the calls are judged by", async () => {
  const judge = inEach((growth) => grewBy(growth, "/credits/das", 0));
  const { found } = await windowOf({}, (meter) => [oneCall(meter, { judge })]);
  expect(found).toEqual([{ is: ["held"], isAsRequired: false, open: 2 }]);
});

/** How many calls are sent for two checks: one each in their window, and what settles them afterwards. */
const settling: readonly (readonly [what: string, ways: Ways, calls: number, found: readonly string[]])[] = [
  ["charged as required", costs(100), 2, ["held", "held"]],
  ["charged wrongly, which each confirms by its call alone", costs(50), 4, ["broken", "held"]],
];

for (const [what, ways, calls, found] of settling)
  test(`a window's calls are ${what}`, async () => {
    const { meter, all } = sharing(
      ways,
      (own) => [oneCall(own), oneCall(own)],
      () => null,
    );
    for (const one of all) expect((await settled(meter.context, one)).map(outcomeOf)).toEqual(found);
    expect(meter.calls).toHaveLength(calls);
  });

test("a counter that shows nothing in a window is waited for in one more attempt, with two later calls", async () => {
  const { meter, all } = sharing(
    { calls: () => ({ [requests]: [1] }) },
    (own) => [oneCall(own)],
    () => null,
  );
  const [found] = await Promise.all(all.map((one) => settled(meter.context, one)));
  expect(found?.map(outcomeOf)).toEqual([expect.stringMatching(/^unsettled: /), "held"]);
  expect(meter.calls).toHaveLength(4);
});

test("where nothing shows in a window, no further calls are sent, and the counters lapse", async () => {
  const { meter, all } = sharing(
    {},
    (own) => [oneCall(own), oneCall(own)],
    () => null,
  );
  const [first, second] = all as [ChargedCalls, ChargedCalls];
  const why = /^unsettled: no charge showed within/;
  expect((await settled(meter.context, first)).map(outcomeOf)).toEqual([
    expect.stringMatching(why),
    expect.stringMatching(why),
  ]);
  await expect(settled(meter.context, second)).rejects.toThrow(why);
  expect(meter.calls).toHaveLength(2);
});

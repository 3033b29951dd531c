// Settlement of charged calls: how often they are sent until what they cost is judged, alone and in a shared window
import { expect, test } from "@playwright/test";
import { type ChargedCalls, inEach, type Judgement } from "../../contracts/metering/attempts.ts";
import { paceOf } from "../../contracts/metering/chargePace.ts";
import { charging, sharedAttempt } from "../../contracts/metering/chargeWindow.ts";
import { grewBy } from "../../contracts/metering/reads.ts";
import { judgeSettled, settled } from "../../contracts/metering/settlement.ts";
import { balances } from "../../contracts/wallet/requests.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker } from "../../harness/core/stimulus.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { MadeMeter, type Ways } from "./madeMeter.ts";

const [requests, credits] = ["/requests/walletApi", "/credits/walletApi"] as const;
const costs = (price: number, lag_ms = 0): Ways => ({
  calls: () => ({ [requests]: [1, lag_ms], [credits]: [price, lag_ms] }),
});

interface Sending extends Partial<Pick<ChargedCalls, "send" | "sendLater">> {
  readonly as?: Asker;
  readonly feature?: Feature;
}

/** One call that must cost 100 credits and count once. */
const oneCall = (meter: MadeMeter, { as = "paid", feature = "wallet", ...rest }: Sending = {}): ChargedCalls => ({
  askers: [as],
  counters: [[credits], [requests]],
  feature,
  send: () => meter.call(as),
  sendLater: () => meter.call(as),
  judge: inEach(
    (growth) => grewBy(growth, credits, 100 * growth.calls),
    (growth) => grewBy(growth, requests, growth.calls),
  ),
  ...rest,
});

const outcomeOf = (judgement: Judgement): string => {
  try {
    return judgement().finding.outcome;
  } catch (error) {
    return (error as Error).message;
  }
};

const callsOf = ({ context }: MadeMeter): number =>
  context.exchanges().filter(({ stimulus }) => stimulus.operation !== "getProjectUsage").length;

/** What is found of one call on a platform that charges so, and how many were sent for it. */
async function judged(ways: Ways, prepare: (meter: MadeMeter) => unknown = () => null) {
  const meter = new MadeMeter(ways);
  prepare(meter);
  const found = await settled(meter.context, oneCall(meter)).then(
    (judgements) => judgements.map(outcomeOf),
    (error: unknown) => (error as Error).message,
  );
  const { doubts, confirmed, settled: projects } = paceOf(meter.context);
  return { found, calls: callsOf(meter), doubts, confirmed, settled: [...projects] };
}

const slow = ({ context }: MadeMeter): void => paceOf(context).note(credits, 5_000, false);

test("what is charged as required is settled by one call", async () => {
  const right = { found: ["held", "held"], calls: 1, doubts: 0, confirmed: 0, settled: ["main"] };
  expect(await judged(costs(100))).toEqual(right);
  expect(await judged(costs(100, 1_000))).toEqual(right);
  expect(await judged(costs(100, 5_000), slow)).toEqual(right);
});

test("what is charged wrongly is measured again, and counts once that confirms it", async () => {
  const found = await judged(costs(50));
  expect(found).toMatchObject({ found: ["broken", "held"], doubts: 1, confirmed: 1, settled: [] });
  expect(found.calls).toBe(6);
});

test("what only the first calls show isn't judged: it may be an earlier charge", async () => {
  const once: Ways = { calls: (nth) => ({ [requests]: [1], [credits]: [nth === 1 ? 350 : 100] }) };
  expect(await judged(once)).toMatchObject({ found: ["held", "held"], doubts: 1, confirmed: 0, settled: ["main"] });
});

test("where findings were confirmed, or no charge can be late, fewer calls are sent", async () => {
  const confirmed = await judged(costs(50), ({ context }) => {
    slow({ context } as MadeMeter);
    paceOf(context).confirmed = 2;
  });
  expect(confirmed).toMatchObject({ found: ["broken", "held"], calls: 1, confirmed: 3 });
});

test("where no charge shows, the counters aren't awaited any more in this run", async () => {
  const meter = new MadeMeter();
  await expect(judgeSettled(meter.context, oneCall(meter))).rejects.toThrow(/^unsettled: no charge showed within/);
  expect([...paceOf(meter.context).lapses.keys()]).toEqual([`paid ${credits}`, `paid ${requests}`]);
  const calls = callsOf(meter);
  await expect(settled(meter.context, oneCall(meter))).rejects.toThrow(/^unsettled: no charge showed within/);
  expect(callsOf(meter)).toBe(calls);
});

/** Why calls aren't sent; null where they are. */
const refusals: readonly (readonly [what: string, why: string | null, prepare: (meter: MadeMeter) => unknown])[] = [
  ["20 minutes waited", null, ({ context }) => (paceOf(context).waited_ms = 1_200_000)],
  [
    "a moment longer",
    "unsettled: charges take 0.0 s to show; this run waited 1200 s for them",
    ({ context }) => (paceOf(context).waited_ms = 1_200_001),
  ],
  [
    "any lapse, where no charge ever showed",
    "made",
    ({ context }) => paceOf(context).lapses.set("paid /credits/das", new Withheld("made")),
  ],
  [
    "one counter lapsed, where others show",
    null,
    (meter) => {
      slow(meter);
      paceOf(meter.context).lapses.set(`paid ${credits}`, new Withheld("made"));
    },
  ],
  [
    "all counters lapsed",
    "first",
    (meter) => {
      slow(meter);
      paceOf(meter.context).lapses.set(`paid ${credits}`, new Withheld("first"));
      paceOf(meter.context).lapses.set(`paid ${requests}`, new Withheld("second"));
    },
  ],
];

for (const [what, why, prepare] of refusals)
  test(`calls are ${why === null ? "sent" : "not sent"} after ${what}`, async () => {
    const { found, calls } = await judged(costs(100), prepare);
    if (why === null) expect(calls).toBe(1);
    else expect([found, calls]).toEqual([why.replace("0.0", "0"), 0]);
  });

test("on the reference, where no charge is late, nothing is refused", async () => {
  const ways = { ...costs(100), target: { isReference: true } };
  const found = await judged(ways, ({ context }) => (paceOf(context).waited_ms = 1_200_001));
  expect(found).toMatchObject({ found: ["held", "held"], calls: 1 });
});

test("the same calls are judged once in a run, and again only after a fault", async () => {
  const meter = new MadeMeter(costs(100));
  const charged = oneCall(meter);
  const [first, second] = [await settled(meter.context, charged), await settled(meter.context, charged)];
  expect([second === first, callsOf(meter)]).toEqual([true, 1]);
  let sent = 0;
  const failing = (error: Error): ChargedCalls =>
    oneCall(meter, {
      send: () => {
        sent += 1;
        return Promise.reject(error);
      },
    });
  for (const [error, times] of [
    [new Withheld("not tested"), 1],
    [new TypeError("ours"), 2],
  ] as const) {
    const faulty = failing(error);
    sent = 0;
    for (const _ of [1, 2]) await expect(settled(meter.context, faulty)).rejects.toBe(error);
    expect(sent).toBe(times);
  }
});

test("all figures together hold where each does", async () => {
  const right = new MadeMeter(costs(100));
  expect((await judgeSettled(right.context, oneCall(right))).map(({ finding }) => finding.outcome)).toEqual([
    "held",
    "held",
  ]);
  const wrong = new MadeMeter(costs(50));
  expect((await judgeSettled(wrong.context, oneCall(wrong))).map(({ finding }) => finding.outcome)).toEqual([
    "broken",
    "held",
  ]);
});

/** What a window of these calls shows of each; the checks that are run are those of the calls. */
async function windowOf(ways: Ways, make: (meter: MadeMeter) => readonly ChargedCalls[]) {
  const runnable = new Set<unknown>();
  const meter = new MadeMeter({ ...ways, runnable: ({ needs }) => runnable.has(needs) });
  const all = make(meter);
  for (const one of all)
    runnable.add(
      charging("MET-WAL-01", one, { requests: [balances({ as: "paid" })], run: () => Promise.resolve([]) }).needs,
    );
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
  return { found, calls: callsOf(meter), reads: meter.reads, pace: paceOf(meter.context) };
}

const asRequired = { is: ["held", "held"], isAsRequired: true, open: 0 };

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
  const { found, pace } = await windowOf(costs(100, 3_000), (meter) => [oneCall(meter), oneCall(meter)]);
  expect(found).toEqual([asRequired, asRequired]);
  expect(pace.isAtOnce).toBe(false);
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
  const wrong = { is: ["broken", "held"], isAsRequired: false, open: 0 };
  expect(found).toEqual([wrong, wrong]);
  expect([...pace.settled]).toEqual([]);
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

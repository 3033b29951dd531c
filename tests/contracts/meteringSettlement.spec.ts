// Settlement of charged calls: how often they are sent until what they cost is judged
import { expect, test } from "@playwright/test";
import { type ChargedCalls, inEach } from "../../contracts/metering/attempts.ts";
import { chargePaceOf } from "../../contracts/metering/chargePace.ts";
import { grewBy } from "../../contracts/metering/reads.ts";
import { judgeSettled, settled } from "../../contracts/metering/settlement.ts";
import { balances } from "../../contracts/wallet/requests.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { costs, credits, hasSearched, oneCall, outcomeOf, requests, type Sending } from "./madeCharges.ts";
import { MadeMeter, type Ways } from "./madeMeter.ts";

/** What is found of one call on a platform that charges so, and how many were sent for it. */
async function judged(ways: Ways, prepare: (meter: MadeMeter) => unknown = () => null, sending: Sending = {}) {
  const meter = new MadeMeter(ways);
  prepare(meter);
  const found = await settled(meter.context, oneCall(meter, sending)).then(
    (judgements) => judgements.map(outcomeOf),
    (error: unknown) => (error as Error).message,
  );
  const { doubts, confirmed, settled: projects } = chargePaceOf(meter.context);
  return { found, calls: meter.calls.length, doubts, confirmed, settled: [...projects] };
}

const slow = ({ context }: MadeMeter): void => chargePaceOf(context).note(credits, 5_000, false);

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
    chargePaceOf(context).confirmed = 2;
  });
  expect(confirmed).toMatchObject({ found: ["broken", "held"], calls: 1, confirmed: 3 });
});

test("where no charge shows, the counters aren't awaited any more in this run", async () => {
  const meter = new MadeMeter();
  await expect(judgeSettled(meter.context, oneCall(meter))).rejects.toThrow(/^unsettled: no charge showed within/);
  expect([...chargePaceOf(meter.context).lapses.keys()]).toEqual([`paid ${credits}`, `paid ${requests}`]);
  const { length } = meter.calls;
  await expect(settled(meter.context, oneCall(meter))).rejects.toThrow(/^unsettled: no charge showed within/);
  expect(meter.calls).toHaveLength(length);
});

/** Why calls aren't sent; null where they are. */
const refusals: readonly (readonly [what: string, why: string | null, prepare: (meter: MadeMeter) => unknown])[] = [
  ["20 minutes waited", null, ({ context }) => (chargePaceOf(context).waited_ms = 1_200_000)],
  [
    "a moment longer",
    "unsettled: charges take 0.0 s to show; this run waited 1200 s for them",
    ({ context }) => (chargePaceOf(context).waited_ms = 1_200_001),
  ],
  [
    "any lapse, where no charge ever showed",
    "made",
    ({ context }) => chargePaceOf(context).lapses.set("paid /credits/das", new Withheld("made")),
  ],
  [
    "one counter lapsed, where others show",
    null,
    (meter) => {
      slow(meter);
      chargePaceOf(meter.context).lapses.set(`paid ${credits}`, new Withheld("made"));
    },
  ],
  [
    "all counters lapsed",
    "first",
    (meter) => {
      slow(meter);
      chargePaceOf(meter.context).lapses.set(`paid ${credits}`, new Withheld("first"));
      chargePaceOf(meter.context).lapses.set(`paid ${requests}`, new Withheld("second"));
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
  const found = await judged(ways, ({ context }) => (chargePaceOf(context).waited_ms = 1_200_001));
  expect(found).toMatchObject({ found: ["held", "held"], calls: 1 });
});

test("the same calls are judged once in a run, and again only after a fault", async () => {
  const meter = new MadeMeter(costs(100));
  const charged = oneCall(meter);
  const [first, second] = [await settled(meter.context, charged), await settled(meter.context, charged)];
  expect([second === first, meter.calls.length]).toEqual([true, 1]);
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

/** As many credits as the nth call costs, all shown so late. */
const priced = (of: (nth: number) => number, lag_ms = 0): Ways => ({
  calls: (nth) => ({ [requests]: [1, lag_ms], [credits]: [of(nth), lag_ms] }),
});

test("restless figures are searched for after two findings that a second attempt didn't confirm", async () => {
  // Each first attempt sends one call and two later ones.
  const meter = new MadeMeter(priced((nth) => (nth % 4 === 1 ? 350 : 100)));
  for (const hasFound of [false, true]) {
    expect((await settled(meter.context, oneCall(meter))).map(outcomeOf)).toEqual(["held", "held"]);
    expect(hasSearched(meter)).toBe(hasFound);
  }
  expect([meter.calls.length, chargePaceOf(meter.context).doubts]).toEqual([8, 2]);
});

test("and wherever a finding is confirmed", async () => {
  const meter = new MadeMeter(costs(50));
  await settled(meter.context, oneCall(meter));
  expect(hasSearched(meter)).toBe(true);
});

test("what a second attempt alone finds is measured once more", async () => {
  // Charges of 10 s: the pause of 24 s before the first attempt leaves it open whether an earlier one showed in it.
  const found = await judged(priced((nth) => (nth === 2 ? 350 : 100), 10_000));
  expect(found).toMatchObject({ found: ["held", "held"], calls: 5, confirmed: 0, settled: ["main"] });
});

test("what grew as required may be an earlier charge where charges take more than a third of the pause", async () => {
  const callsOf = async (took_ms: number): Promise<number> => {
    const meter = new MadeMeter(costs(100, took_ms));
    const send = async (): Promise<number> => {
      await meter.call();
      meter.pass(took_ms - 100);
      return 1;
    };
    await settled(meter.context, oneCall(meter, { send }));
    return meter.calls.length;
  };
  // Before its calls it pauses for 24 s.
  expect([await callsOf(8_000), await callsOf(8_001)]).toEqual([1, 2]);
});

/** Calls that are right by what they are judged by, and how many are sent, though counters show nothing. */
const silent: readonly (readonly [what: string, ways: Ways, at: string, amount: number, calls: number])[] = [
  ["one counter shows nothing", { calls: () => ({ [requests]: [1] }) }, requests, 1, 1],
  // Two later calls are to show how late charges are.
  ["none does, where no charge can be late", { target: { isReference: true } }, "/credits/das", 0, 3],
];

for (const [what, ways, at, amount, calls] of silent)
  test(`what grew as required is settled by one attempt, though ${what}`, async () => {
    const judge = inEach((growth) => grewBy(growth, at, amount));
    expect(await judged(ways, () => null, { judge })).toMatchObject({ found: ["held"], calls });
  });

test("a finding isn't judged where more was sent than the calls, as a repeated request is", async () => {
  const meter = new MadeMeter(costs(100));
  const send: ChargedCalls["send"] = async (context) => {
    await meter.call();
    await context.ask(context.fresh(balances({ as: "paid" })));
    return 1;
  };
  await expect(settled(meter.context, oneCall(meter, { send }))).rejects.toThrow(
    /^not tested: a request was repeated, so more was charged$/,
  );
  expect(chargePaceOf(meter.context).confirmed).toBe(0);
});

test("what is broken is told, though other figures of the calls aren't settled; else those withhold all", async () => {
  const moving = (price: number): Promise<readonly string[]> => {
    const meter = new MadeMeter(costs(price));
    chargePaceOf(meter.context).restless.add(`paid ${requests}`);
    return judgeSettled(meter.context, oneCall(meter)).then((all) => all.map(({ finding }) => finding.outcome));
  };
  expect(await moving(50)).toEqual(["broken"]);
  await expect(moving(100)).rejects.toThrow(`${requests} moves without calls of this run: others use the project`);
});

// The charge experiment: how often calls are sent until what they cost is judged, and what is learnt of their pace
import { expect, test } from "@playwright/test";
import { type ChargedCalls, inEach } from "../../contracts/metering/chargedCalls.ts";
import { judgeSettled, settled } from "../../contracts/metering/chargeExperiment.ts";
import {
  type ChargePace,
  chargePaceOf,
  isTooSlow,
  lapseOf,
  learnLag,
  learnPace,
  learnRestless,
  longestWait_ms,
  patience_ms,
  probeWait_ms,
  quiet_ms,
  waitFor_ms,
} from "../../contracts/metering/chargePace.ts";
import { growthBy } from "../../contracts/metering/growth.ts";
import { grewBy } from "../../contracts/metering/meterRounds.ts";
import { balances } from "../../contracts/wallet/requests.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { keyHolder } from "../../harness/core/requestSpec.ts";
import { costs, credits, hasSearched, judged, type Make, oneCall, outcomesOf, requests } from "./madeCharges.ts";
import { MadeMeter, type Ways } from "./madeMeter.ts";

const two: Make = (meter) => [oneCall(meter), oneCall(meter)];
const right = ["held", "held"];
const wrong = ["broken", "held"];
const late = ({ context }: MadeMeter): void => learnLag(context, credits, 5_000, false);

test("calls of several checks are sent once, together, and each is judged by all calls of its project", async () => {
  for (const lag_ms of [0, 3_000, 7_000]) {
    const found = await judged(costs(100, lag_ms), (meter) => [...two(meter), oneCall(meter, { as: "other" })]);
    expect([found.found, found.calls]).toEqual([[right, right, right], 3]);
    expect([...found.pace.lags_ms.keys()].sort()).toEqual([credits, requests]);
    expect(Math.max(...found.pace.lags_ms.values())).toBeLessThan(1.3 * lag_ms + 2_000);
    expect(found.pace.isAtOnce).toBe(lag_ms === 0);
    expect(found.pace.rested?.askers).toEqual(["paid", "other"]);
  }
});

test("what shows last is learnt to be as late as it was, though something has shown before", async () => {
  const lagOf = (nth: number): number => (nth === 1 ? 7_000 : 9_000);
  const ways: Ways = { calls: (nth) => ({ [requests]: [1, lagOf(nth)], [credits]: [100, lagOf(nth)] }) };
  const { found, pace } = await judged(ways, two);
  expect(found).toEqual([right, right]);
  expect(Math.max(...pace.lags_ms.values())).toBeLessThan(1.3 * 9_000);
});

test("what is charged wrongly is confirmed by each of the calls alone, and no third time", async () => {
  const { found, calls, meter, pace } = await judged(costs(50), two);
  expect([found, calls]).toEqual([[wrong, wrong], 4]);
  expect([hasSearched(meter), pace.rested]).toEqual([true, null]);
});

test("where one of the calls is charged wrongly, the others hold alone", async () => {
  // The first of the three that are sent together, and of those that are sent alone.
  const ways: Ways = { calls: (nth) => ({ [requests]: [1], [credits]: [nth === 1 || nth === 4 ? 50 : 100] }) };
  const { found, calls } = await judged(ways, (meter) => [...two(meter), oneCall(meter)]);
  expect([found, calls]).toEqual([[wrong, right, right], 6]);
});

test("what only the calls together show may be earlier charges", async () => {
  const once: Ways = { calls: (nth) => ({ [requests]: [1], [credits]: [nth === 1 ? 350 : 100] }) };
  const soon = await judged(once, two);
  expect([soon.found, soon.calls]).toEqual([[right, right], 4]);
  // Where charges are late, all are sent together once more.
  const again = await judged(once, two, late);
  expect([again.found, again.calls, hasSearched(again.meter)]).toEqual([[right, right], 4, false]);
});

test("where no charge can be late, nothing is searched for, and what shows no charge is wrong", async () => {
  const target = { isReference: true } as const;
  const { found, calls, meter } = await judged({ ...costs(50), target }, two);
  expect([found, calls, hasSearched(meter)]).toEqual([[wrong, wrong], 4, false]);
  const uncharged = await judged({ target }, (made) => [oneCall(made)]);
  expect(uncharged.found).toEqual([["broken", "broken"]]);
});

test("figures that move without calls aren't judged", async () => {
  const moving = { ...costs(100), byItself: { [credits]: 40_000 } };
  const { found, pace } = await judged(moving, two, (meter) => meter.pass(55_700));
  const why = `${credits} moves without calls of this run: others use the project`;
  expect(found).toEqual([
    [why, "held"],
    [why, "held"],
  ]);
  expect(pace.restless.has(`paid ${credits}`)).toBe(true);
});

test("what reads of usage move is no sign of other calls", async () => {
  const ways: Ways = { ...costs(100), reads: { "/requests/other": [1, 1_500] } };
  const judge = inEach(
    (growth) => grewBy(growth, credits, 100 * growth.calls),
    (growth) => grewBy(growth, requests, growth.moved().length - 1),
  );
  const { found } = await judged(ways, (meter) => [oneCall(meter, { judge })]);
  expect(found).toEqual([right]);
});

test("calls that fail leave the others as they are", async () => {
  const { found } = await judged(costs(100), (meter) => [
    oneCall(meter),
    oneCall(meter, { send: () => Promise.reject(new Withheld("not served")) }),
  ]);
  expect(found).toEqual([right, "not served"]);
});

test("JSON-RPC calls are sent apart, and what those of other features are known to add is left out", async () => {
  const counted = "/requests/compression";
  const ways: Ways = {
    calls: (_, requestSpec): { readonly [at: string]: readonly [number] } =>
      keyHolder(requestSpec) === "second" ? { [counted]: [1] } : { [requests]: [1], [credits]: [100] },
  };
  const judge = inEach(
    (growth) => grewBy(growth, requests, 2),
    (growth) => grewBy(growth, counted, growth.calls === 3 ? 3 : 0),
  );
  const { found, calls } = await judged(ways, (meter) => [
    oneCall(meter, { feature: "tokenAccounts", judge, send: () => meter.call("paid", 2) }),
    oneCall(meter, { feature: "compression", judge, send: () => meter.call("second", 3) }),
    oneCall(meter),
  ]);
  expect([found, calls]).toEqual([[right, right, right], 6]);
});

test("a project that isn't charged is told once that waiting shows nothing, while others show charges", async () => {
  const ways: Ways = {
    calls: (_, requestSpec): { readonly [at: string]: readonly [number] } =>
      keyHolder(requestSpec) === "paid" ? { [requests]: [1], [credits]: [100] } : {},
  };
  const { found, calls } = await judged(ways, (meter) => [oneCall(meter), oneCall(meter, { as: "other" })]);
  const never = expect.stringMatching(/^not charged within 6\d s, while other charges showed after 0\.\d s$/);
  expect([found, calls]).toEqual([[right, never], 2]);
});

test("where no charge shows at all, nothing else is sent", async () => {
  const { found, meter, pace } = await judged({}, two);
  const late = expect.stringMatching(/^no charge showed within \d+ s; it may show later$/);
  expect(found).toEqual([[late, late], late]);
  // Two together, and one of another feature that might have shown how late charges are.
  expect(meter.calls.length).toBeLessThanOrEqual(3);
  expect([...pace.lapses.keys()]).toEqual([`paid ${credits}`, `paid ${requests}`]);
});

test("an endpoint that isn't charged is found by a later call of another", async () => {
  const free: Ways = { calls: (nth) => ({ [requests]: [1], [credits]: [nth === 1 || nth === 3 ? 0 : 100] }) };
  const { found, calls } = await judged(free, (meter) => [oneCall(meter), oneCall(meter)]);
  // Alone, the first shows no credits until another call follows it.
  expect([found, calls]).toEqual([[wrong, right], 5]);
});

test("the same calls are judged once in a run, and again only after a fault", async () => {
  const meter = new MadeMeter(costs(100));
  const charged = oneCall(meter);
  expect(await settled(meter.context, charged)).toBe(await settled(meter.context, charged));
  expect(meter.calls).toHaveLength(1);
  for (const [error, times] of [
    [new Withheld("not tested"), 1],
    [new TypeError("ours"), 2],
  ] as const) {
    let sent = 0;
    const send = (): Promise<never> => {
      sent += 1;
      return Promise.reject(error);
    };
    const { context } = new MadeMeter(costs(100));
    const faulty = oneCall(meter, { send });
    for (const _ of [1, 2]) await expect(settled(context, faulty)).rejects.toBe(error);
    expect(sent).toBe(times);
  }
});

test("a finding isn't judged where more was sent than the calls, as a repeated request is", async () => {
  const meter = new MadeMeter(costs(100));
  const send: ChargedCalls["send"] = async (context) => {
    await meter.call();
    await context.ask(context.fresh(balances({ as: "paid" })));
    return 1;
  };
  await expect(settled(meter.context, oneCall(meter, { send }))).rejects.toThrow(
    /^a request was repeated, so more was charged$/,
  );
});

test("what is broken is told, though other figures of the calls aren't settled; else those withhold all", async () => {
  const moving = (price: number): Promise<readonly string[]> => {
    const meter = new MadeMeter(costs(price));
    learnRestless(meter.context, [`paid ${requests}`]);
    return judgeSettled(meter.context, oneCall(meter)).then((all) => all.map(({ finding }) => finding.outcome));
  };
  expect(await moving(50)).toEqual(["broken"]);
  await expect(moving(100)).rejects.toThrow(`${requests} moves without calls of this run: others use the project`);
});

/** Why calls aren't sent; null where they are. */
const refusals: readonly (readonly [what: string, why: string | null, learnt: Partial<ChargePace>])[] = [
  ["20 minutes waited", null, { waited_ms: 1_200_000 }],
  ["a moment longer", "charges take 0 s to show; this run waited 1200 s for them", { waited_ms: 1_200_001 }],
  [
    "any lapse, where no charge ever showed",
    "made",
    { lapses: new Map([["paid /credits/das", new Withheld("made")]]) },
  ],
  [
    "one counter lapsed, where others show",
    null,
    { lapses: new Map([[`paid ${credits}`, new Withheld("made")]]), lags_ms: new Map([[credits, 5_000]]) },
  ],
  [
    "charges that take too long",
    "charges take 71 s to show",
    {
      lags_ms: new Map([
        [credits, 71_000],
        [requests, 71_000],
      ]),
    },
  ],
];

for (const [what, why, learnt] of refusals)
  test(`calls are ${why === null ? "sent" : "not sent"} after ${what}`, async () => {
    const meter = new MadeMeter(costs(100));
    learnPace(meter.context, learnt);
    const found = await outcomesOf(meter, oneCall(meter));
    if (why === null) expect(meter.calls).toHaveLength(1);
    else expect([found, meter.calls.length]).toEqual([why, 0]);
  });

test("how long is waited follows from the longest time that charges took, of the same kind if there is any", () => {
  const { context } = new MadeMeter();
  const pace = (): ChargePace => chargePaceOf(context);
  expect([waitFor_ms(pace(), credits), longestWait_ms(pace()), probeWait_ms(pace())]).toEqual([
    patience_ms,
    patience_ms,
    patience_ms,
  ]);
  learnLag(context, credits, 1_000, true);
  learnLag(context, credits, 500, true);
  expect([...pace().lags_ms]).toEqual([[credits, 1_000]]);
  expect(["/credits/das", credits, requests].map((counter) => waitFor_ms(pace(), counter))).toEqual([
    25_000,
    12_000,
    patience_ms,
  ]);
  learnLag(context, requests, 20_000, false);
  expect([waitFor_ms(pace(), requests), longestWait_ms(pace()), probeWait_ms(pace())]).toEqual([
    61_000, 61_000, 31_000,
  ]);
  expect([quiet_ms(pace(), 0), quiet_ms(pace(), 6_000), quiet_ms(pace(), 40_000)]).toEqual([0, 30_000, 40_000]);
  const awaited = { counter: credits, name: `paid ${credits}`, figures: [] };
  expect([isTooSlow(pace()), lapseOf(pace(), awaited)]).toEqual([false, null]);
  learnLag(context, credits, 80_000, false);
  expect([isTooSlow(pace()), lapseOf(pace(), awaited)?.message]).toEqual([true, "charges take 80 s to show"]);
});

test("growth by calls waits for late charges, and as long as the slowest took where none shows", async () => {
  const meter = new MadeMeter(costs(100, 5_000));
  const first = await growthBy(meter.context, "paid", () => meter.call("paid", 2));
  expect([first.sent, Number(first.of(credits)), first.moved()]).toEqual([2, 200, [credits, requests]]);
  const began_ms = meter.now_ms;
  const none = await growthBy(meter.context, "paid", () => Promise.resolve("nothing"), { wait_ms: probeWait_ms });
  expect([none.sent, none.moved()]).toEqual(["nothing", []]);
  expect(meter.now_ms - began_ms).toBeGreaterThan(7_500);
  expect(meter.now_ms - began_ms).toBeLessThan(12_000);
});

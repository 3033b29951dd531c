// What is left open about what calls are charged: how late it shows, which refusals cost, and what JSON-RPC calls cost under which product? (§1.5, §2.1, §4.2, §8)
import Big from "big.js";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import { experiment, type Probe, type ProbeContext, readingOf, type Seen } from "../../harness/model/probe.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { bundle, mayNotSend, simulate, transactions } from "../bundles/requests.ts";
import { type BaselineRequest, baselineRequests } from "../jsonrpc/baselineRequests.ts";
import { describeEnvelope } from "../jsonrpc/describeEnvelope.ts";
import { seenAs, unjudged } from "../shared/describeCalls.ts";
import { figureAt } from "../shared/figures.ts";
import { balance, health, owner, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { carriersOf, rawRpc, usage } from "../shared/stimuli.ts";
import { batch, identity, unknownAddresses, wallet, walletBaseline } from "../wallet/requests.ts";
import { type Growth, growthBy, Measurement, notQuiet, paceOf, patience_ms, quiet_ms } from "./usageMeasurement.ts";

const onRpc: readonly Feature[] = ["usage", "tokenAccounts", "compression", "bundles"];

const call = (as: Asker, again = 0): Stimulus => walletBaseline("getWalletBalances").ask({ as, again });

const answeredIn = ({ exchange }: Growth): Answered => {
  if (!exchange.answer) throw new Withheld("no usage was told");
  return { ...exchange, answer: exchange.answer };
};

/** Growth between figures that stand. */
async function grownBy(context: ProbeContext, as: Asker, ask: () => Promise<unknown>): Promise<Growth> {
  await learnPace(context);
  return growthBy(context, as, ask, stand_ms(context));
}

/** How long a charge takes must be known before one is missed; where checks have charged nothing, one call shows it. */
const lesson = call("paid", 100);
async function learnPace(context: ProbeContext): Promise<void> {
  if (paceOf(context).slowest_ms === null && context.canAsk(lesson))
    await growthBy(context, "paid", () => context.ask(context.fresh(lesson)), stand_ms(context));
}

/** What others asked may still be on its way. */
const unknownStands_ms = 3_000;
/** A platform whose charges were never slower shows all at once. */
const atOnce_ms = 2_000;
function stand_ms(context: ProbeContext): number {
  const { target } = context;
  const pace = paceOf(context);
  return quiet_ms(
    pace,
    target.isReference && (pace.slowest_ms ?? unknownStands_ms) <= atOnce_ms ? 0 : unknownStands_ms,
  );
}

const requestsIn = (growth: Growth): readonly string[] => growth.moved.filter((at) => at.startsWith("/requests/"));
const countOf = (growth: Growth): Big =>
  requestsIn(growth).reduce((total, at) => total.plus(growth.of(at)), new Big(0));
const productsOf = (growth: Growth): string => {
  const rose = requestsIn(growth).length ? requestsIn(growth) : growth.moved.filter((at) => at.startsWith("/credits/"));
  return rose.map((at) => at.split("/").at(-1)).join(", ") || "none";
};
/** `1 requests, 100 credits`; `nothing`. */
const costOf = (growth: Growth): string =>
  growth.moved.length === 0
    ? "nothing"
    : `${countOf(growth).toFixed()} requests, ${growth.of("/creditsUsed").toFixed()} credits`;

/** Calls that are refused, and in whose figures it would show. */
const refused: { readonly [name: string]: readonly [as: "paid" | "free", ask: Stimulus] } = {
  "a wallet call with an unknown key": ["paid", walletBaseline("getWalletBalances").ask({ as: "unknownKey" })],
  "a wallet call that the free plan lacks": ["free", identity(wallet(0), { as: "free" })],
  "what is no wallet": ["paid", { ...call("paid"), operation: null, path: ["/v1/wallet/", "abc", "/balances"] }],
  "an unknown wallet endpoint": [
    "paid",
    { ...call("paid"), operation: null, path: ["/v1/wallet/", wallet(0), "/nothing"] },
  ],
  "a batch of 101": ["paid", unjudged(batch(unknownAddresses(101), { as: "paid" }))],
  "bad params of getTokenAccounts": ["paid", unjudged(tokenAccounts({ owner, limit: 2, mint: 1 }, { as: "paid" }))],
  "bad params of getCompressedBalance": ["paid", unjudged(balance({ address: 5 }, { as: "paid" }))],
  "a JSON-RPC call with an unknown key": ["paid", health(undefined, { as: "unknownKey" })],
};

type Refused = readonly (readonly [name: string, ask: Stimulus])[];

/** How some were refused, and what that has moved in all. */
async function movedBy(context: ProbeContext, as: Asker, some: Refused): Promise<readonly Seen[]> {
  const outcomes: (readonly [name: string, outcome: string])[] = [];
  const growth = await grownBy(context, as, async () => {
    for (const [name, ask] of some) outcomes.push([name, outcomeOf(await context.ask(context.fresh(ask)))]);
  });
  // Where something moved, each is looked at alone.
  if (growth.moved.length > 0 && some.length > 1)
    return (await inTurn(some, (one) => movedBy(context, as, [one]))).flat();
  return outcomes.map(([name, outcome]) => seenAs(name, answeredIn(growth), `${outcome}: ${costOf(growth)}`));
}

async function inTurn<One, Other>(all: readonly One[], then: (one: One) => Promise<Other>): Promise<readonly Other[]> {
  const others: Other[] = [];
  for (const one of all) others.push(await then(one));
  return others;
}

async function refusals(context: ProbeContext): Promise<readonly Seen[]> {
  const asked = Object.entries(refused).filter(([, [, ask]]) => context.canAsk(ask));
  const seen = await inTurn(["paid", "free"] as const, async (payer) => {
    const some = asked.flatMap(([name, [as, ask]]) => (as === payer ? [[name, ask] as const] : []));
    return some.length > 0 ? movedBy(context, payer, some) : [];
  });
  return seen.flat();
}

type Method = Pick<BaselineRequest, "method" | "ask">;
const simulation: Method = { method: "simulateBundle", ask: (options) => unjudged(simulate([[]], options)) };

/** Enough for a price to show to the twentieth of a credit. */
const calls = 20;
const priced: readonly Method[] = baselineRequests;
const unshown: readonly Method[] = [
  ...baselineRequests.filter(({ errorTable }) => errorTable !== "compression"),
  simulation,
];
const asksOf = ({ ask }: Method, count: number): readonly Stimulus[] =>
  Array.from({ length: count }, (_, nth) => ask({ as: "paid", again: nth }));

/** What so many calls of a method move; how they are refused where they aren't served. */
async function chargesOf(
  context: ProbeContext,
  methods: readonly Method[],
  count: number,
  summary: (growth: Growth) => string,
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (const one of methods) {
    const stimuli = asksOf(one, count);
    if (!stimuli.every((stimulus) => context.canAsk(stimulus))) continue;
    let refusal = "";
    const growth = await grownBy(context, "paid", async () => {
      for (const stimulus of stimuli) {
        const answered = await context.ask(context.fresh(stimulus));
        if (!isServed(answered)) refusal = `${outcomeOf(answered)}: `;
      }
    });
    seen.push(seenAs(one.method, answeredIn(growth), `${refusal}${summary(growth)}`));
  }
  return seen;
}

/** Both reads are rounded, so that the price lies within one credit in all of the calls. */
const priceOf = (growth: Growth): string =>
  `${growth.of("/creditsUsed").div(calls).toFixed()} ± ${new Big(1).div(calls).toFixed()} credits, ${productsOf(growth)}`;

/** Where nothing is real, a bundle is sent for it. */
async function bundleCharge(context: ProbeContext): Promise<readonly Seen[]> {
  const { target } = context;
  if (!target.control || mayNotSend(target) !== null) return [];
  const { asker } = await context.project();
  const growth = await grownBy(context, asker, () =>
    context.ask(bundle(transactions(target, { tip: "all" }), { as: asker })),
  );
  return [seenAs("sendBundle", answeredIn(growth), productsOf(growth))];
}

/** In one body, of a method that any of the features offers. */
const three = baselineRequests.map(({ ask }) => ask({ as: "paid" }));
const together = ({ json = null }: Stimulus): Stimulus =>
  rawRpc({ json: [json, json, json] }, { carriers: carriersOf("paid", "query") });

async function batchCount(context: ProbeContext): Promise<readonly Seen[]> {
  const one = three.find((stimulus) => context.canAsk(stimulus));
  if (!one) throw new Withheld("no method that could be asked");
  let how = "";
  const growth = await grownBy(context, "paid", async () => {
    how = describeEnvelope(await context.ask(context.fresh(together(one))));
  });
  return [seenAs("a batch of 3", answeredIn(growth), `${how}: ${countOf(growth).toFixed()} requests`)];
}

/** One wallet call, and what is read from then on. */
interface Watched {
  readonly last: Answered;
  /** From the call, in ms; null: never. */
  readonly first_ms: number | null;
  readonly complete_ms: number | null;
  readonly changes: number;
  readonly fell: boolean;
}

const forLag = call("paid", 1);
const forFreshness = call("paid", 3);
const watchedPlaces = ["/creditsUsed", "/creditsRemaining", "/credits/walletApi", "/requests/walletApi"];
/** So many reads alike, and it counts as complete. */
const alike = 5;

async function watched(context: ProbeContext, asked: Stimulus): Promise<Watched> {
  const pace = paceOf(context);
  const read = (): Promise<Answered> => context.ask(context.fresh(usage({ as: "paid" })));
  await learnPace(context);
  await Measurement.begin(context, ["paid"], () => stand_ms(context));
  const before = await read();
  await context.ask(context.fresh(asked));
  let [last, since, changes, fell]: [Answered, number, number, boolean] = [before, 0, 0, false];
  let [first_ms, complete_ms]: [number | null, number | null] = [null, null];
  for (let waited_ms = 0; waited_ms <= patience_ms && (changes === 0 || since < alike); waited_ms += 1_000) {
    const next = await read();
    const isOther = watchedPlaces.some((at) => !isSameAt(next, last, at));
    fell ||= (figureAt(next, "/creditsUsed") ?? new Big(0)).lt(figureAt(last, "/creditsUsed") ?? 0);
    if (isOther) complete_ms = next.sentAt_ms - before.sentAt_ms;
    if (isOther) first_ms ??= complete_ms;
    [last, changes, since] = [next, changes + Number(isOther), isOther ? 0 : since + 1];
    // The reference follows its clock, and nothing more shows by waiting.
    await context.wait(context.target.isReference ? 250 : 1_000);
  }
  if (first_ms !== null) pace.slowest_ms = Math.max(pace.slowest_ms ?? 0, first_ms);
  return { last, first_ms, complete_ms, changes, fell };
}

const isSameAt = (some: Answered, other: Answered, at: string): boolean =>
  (figureAt(some, at) ?? new Big(-1)).eq(figureAt(other, at) ?? -1);

/** As coarsely as it stays the same from call to call. */
const bands_s = [2, 10, 30, 60] as const;
const bandOf = (duration_ms: number | null): string => {
  const band_s = duration_ms === null ? undefined : bands_s.find((one) => duration_ms <= one * 1000);
  return band_s === undefined ? "not within a minute" : `within ${band_s} s`;
};

async function lag(context: ProbeContext): Promise<readonly Seen[]> {
  const { last, complete_ms, changes } = await watched(context, forLag);
  return [
    seenAs("one wallet call", last, { complete: bandOf(complete_ms), "partial states": changes > 1 ? "seen" : "none" }),
  ];
}

async function freshness(context: ProbeContext): Promise<readonly Seen[]> {
  const { last, first_ms, fell } = await watched(context, forFreshness);
  return [
    seenAs("one wallet call", last, {
      "first change": bandOf(first_ms),
      "reads older than the one before": fell ? "seen" : "none",
    }),
  ];
}

const pools = ["/creditsRemaining", "/prepaidCreditsRemaining"] as const;
const describePools = (growth: Growth): string =>
  `${growth.of("/creditsRemaining").neg().toFixed()} from the plan, ${growth.of("/prepaidCreditsUsed").toFixed()} prepaid`;

async function spentFirst(context: ProbeContext): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const growth = await grownBy(context, "paid", () => context.ask(context.fresh(call("paid"))));
  const { answer } = growth.before;
  if (answer && pools.every((at) => figureAt({ ...growth.before, answer }, at)?.gt(0)))
    seen.push(seenAs("credits in both pools", answeredIn(growth), describePools(growth)));
  if (context.target.control) {
    const { asker, consume } = await context.project({ plan: { creditsLimit: 1_000 }, prepaid: "1000" });
    await consume("rpc", "950", { pool: "regular" });
    const split = await grownBy(context, asker, () => context.ask(context.fresh(call(asker))));
    seen.push(seenAs("less than the price left in the plan", answeredIn(split), describePools(split)));
  }
  if (seen.length === 0) throw new Withheld("no project has credits in both pools");
  return seen;
}

const metering = (
  id: Probe["id"],
  feature: readonly Feature[],
  requests: readonly Stimulus[],
  look: (context: ProbeContext) => Promise<readonly Seen[]>,
  { informs, isOwn = false }: { readonly informs?: Probe["informs"]; readonly isOwn?: boolean } = {},
): Probe =>
  experiment(id, requests, async (context) => readingOf(await look(context)), {
    feature,
    suffices: "any",
    unless: notQuiet,
    ...(informs ? { informs } : {}),
    ...(isOwn ? {} : { when: "isolated" }),
  });

const onWallet: readonly Feature[] = ["usage", "wallet"];

export const probes: readonly Probe[] = [
  // Nothing else takes time meanwhile.
  metering("OBS-MET-LAG", onWallet, [lesson, forLag], lag, { isOwn: true }),
  metering("OBS-USG-FRESH", onWallet, [forFreshness], freshness, { isOwn: true }),
  // Which pool is drawn on first shows where both hold something: that is said of the target's own.
  metering("OBS-CRD-ORDER", onWallet, [call("paid", 2)], spentFirst, { isOwn: true }),
  metering(
    "OBS-MET-FAIL",
    [...onWallet, ...onRpc],
    Object.values(refused).map(([, ask]) => ask),
    refusals,
  ),
  metering(
    "OBS-MET-COST",
    onRpc,
    priced.flatMap((one) => asksOf(one, calls)),
    (context) => chargesOf(context, priced, calls, priceOf),
  ),
  metering(
    "OBS-MET-PRODUCT",
    onRpc,
    unshown.flatMap((one) => asksOf(one, 1)),
    async (context) => [...(await chargesOf(context, unshown, 1, productsOf)), ...(await bundleCharge(context))],
    { informs: ["MET-OTH-01"] },
  ),
  metering("OBS-MET-RPCBATCH", onRpc, three.map(together), batchCount),
];

// Probes of charges for refused calls, and of prices and products of JSON-RPC calls (§1.5, §2.1, §8).
import Big from "big.js";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { sum } from "../../harness/model/law.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { bundle, mayNotSend, simulate, transactions } from "../bundles/requests.ts";
import { type BaselineRequest, baselineRequests } from "../jsonrpc/baselineRequests.ts";
import { seenAs, unjudged } from "../shared/describeCalls.ts";
import { describeEnvelope } from "../shared/describeEnvelope.ts";
import { inTurn } from "../shared/inTurn.ts";
import { balance, health, owner, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { carriersOf, rawRpc, usage } from "../shared/stimuli.ts";
import { figure } from "../usage/usageReader.ts";
import { balances, batch, identity, unknownAddresses, wallet } from "../wallet/requests.ts";
import { call, grownBy, meteringProbe, onWallet, pauseFor } from "./chargeProbes.ts";
import { growthInSteps, growthsBy } from "./growth.ts";
import { type Growth, requestsIn } from "./reads.ts";

const onRpc: readonly Feature[] = ["usage", "tokenAccounts", "compression", "bundles"];

const countOf = (growth: Growth): Big => sum(requestsIn(growth).map((at) => growth.of(at)));
const productsOf = (growth: Growth): string => {
  const rose = requestsIn(growth).length
    ? requestsIn(growth)
    : growth.moved().filter((at) => at.startsWith("/credits/"));
  return rose.map((at) => at.split("/").at(-1)).join(", ") || "none";
};
/** `1 requests, 100 credits`; `nothing`. */
const costOf = (growth: Growth): string =>
  growth.moved().length === 0
    ? "nothing"
    : `${countOf(growth).toFixed()} requests, ${growth.of("/creditsUsed").toFixed()} credits`;

const onPath = (...path: Stimulus["path"]): Stimulus => unjudged({ ...call("paid"), path: ["/v1/wallet/", ...path] });

/** Refused calls, and the role whose figures would show a charge. */
const refused: { readonly [name: string]: readonly [as: "paid" | "free", ask: Stimulus] } = {
  "a wallet call with an unknown key": ["paid", balances({ as: "unknownKey" })],
  "a wallet call that the free plan lacks": ["free", identity(wallet(0), { as: "free" })],
  "what is not a wallet": ["paid", onPath("abc", "/balances")],
  "an unknown wallet endpoint": ["paid", onPath(wallet(0), "/nothing")],
  "a batch of 101": ["paid", unjudged(batch(unknownAddresses(101), { as: "paid" }))],
  "bad params of getTokenAccounts": ["paid", unjudged(tokenAccounts({ owner, limit: 2, mint: 1 }, { as: "paid" }))],
  "bad params of getCompressedBalance": ["paid", unjudged(balance({ address: 5 }, { as: "paid" }))],
  "a JSON-RPC call with an unknown key": ["paid", health(undefined, { as: "unknownKey" })],
};

type Refused = readonly (readonly [name: string, call: (typeof refused)[string]])[];

/** How some calls were refused, and what they moved together. */
async function movedBy(context: ProbeContext, some: Refused): Promise<readonly Seen[]> {
  const payers = [...new Set(some.map(([, [as]]) => as))];
  const send = () =>
    inTurn(some, async ([name, [as, ask]]) => [name, as, outcomeOf(await context.ask(context.fresh(ask)))] as const);
  const growths = await growthsBy(context, payers, send, await pauseFor(context));
  // If something moved, each call is sent alone.
  if (growths.some((growth) => growth.moved().length > 0) && some.length > 1)
    return (await inTurn(some, (one) => movedBy(context, [one]))).flat();
  return growths.flatMap((growth, nth) =>
    growth.sent.flatMap(([name, as, outcome]) =>
      as === payers[nth] ? [seenAs(name, growth.exchange, `${outcome}: ${costOf(growth)}`)] : [],
    ),
  );
}

const refusals = (context: ProbeContext): Promise<readonly Seen[]> => {
  const possible = Object.entries(refused).filter(
    ([, [as, ask]]) => context.canAsk(ask) && context.canAsk(usage({ as })),
  );
  return possible.length > 0 ? movedBy(context, possible) : Promise.resolve([]);
};

type Method = Pick<BaselineRequest, "method" | "ask">;
const simulation: Method = { method: "simulateBundle", ask: (options) => unjudged(simulate([[]], options)) };

/** Enough to find a price to a twentieth of a credit. */
const calls = 20;
/** Methods whose product isn't documented. */
const unassigned: readonly Method[] = [
  ...baselineRequests.filter(({ errorTable }) => errorTable !== "compression"),
  simulation,
];
const asksOf = ({ ask }: Method, count: number): readonly Stimulus[] =>
  Array.from({ length: count }, (_, nth) => ask({ as: "paid", again: nth }));

/** The growth by the calls of each method, in both passes; by one measurement, where that distinguishes them. */
const measuredIn = ({ once }: ProbeContext): Map<string, Growth> =>
  once("growth by method and pass", () => new Map<string, Growth>());

/** What `count` calls of each method move, with their outcome where they aren't served. */
async function chargesOf(
  context: ProbeContext,
  methods: readonly Method[],
  count: number,
  summary: (growth: Growth) => string,
): Promise<readonly Seen[]> {
  const possible = methods.filter((one) => asksOf(one, count).every((stimulus) => context.canAsk(stimulus)));
  const measured = measuredIn(context);
  const open = possible.filter(({ method }) => !measured.has(`${method} ${context.pass}`));
  if (open.length > 1 && context.pass === 0) {
    const groups = [0, 1].flatMap((pass) =>
      open.map((one) => ({ name: `${one.method} ${pass}`, calls: asksOf(one, count) })),
    );
    const pause_ms = await pauseFor(context);
    const growths = await growthInSteps(
      context,
      "paid",
      groups.map(({ calls }) => calls),
      pause_ms,
    );
    for (const [nth, growth] of growths.entries()) if (growth) measured.set(groups[nth]?.name ?? "", growth);
  }
  return inTurn(possible, async (one) => {
    const known = measured.get(`${one.method} ${context.pass}`);
    if (known) return seenAs(one.method, known.exchange, summary(known));
    const growth = await grownBy(context, "paid", () =>
      inTurn(asksOf(one, count), (stimulus) => context.ask(context.fresh(stimulus))),
    );
    const refused = growth.sent.filter((answered) => !isServed(answered)).at(-1);
    return seenAs(one.method, growth.exchange, `${refused ? `${outcomeOf(refused)}: ` : ""}${summary(growth)}`);
  });
}

/** Both reads are rounded, so the total is known to within one credit. */
const error = new Big(1).div(calls).toFixed();
const priceOf = (growth: Growth): string =>
  `${growth.of("/creditsUsed").div(calls).toFixed()} ± ${error} credits, ${productsOf(growth)}`;

/** Only where bundles aren't real, one is sent. */
async function bundleCharge(context: ProbeContext): Promise<readonly Seen[]> {
  const { target } = context;
  if (!target.control || mayNotSend(target) !== null) return [];
  const { asker } = await context.project();
  const growth = await grownBy(context, asker, () =>
    context.ask(bundle(transactions(target, { tip: "all" }), { as: asker })),
  );
  return [seenAs("sendBundle", growth.exchange, productsOf(growth))];
}

/** One of these is sent three times in one body. */
const batchable = baselineRequests.map(({ ask }) => ask({ as: "paid" }));
const threeOf = ({ json = null }: Stimulus): Stimulus =>
  rawRpc({ json: [json, json, json] }, { carriers: carriersOf("paid", "query") });

async function batchCount(context: ProbeContext): Promise<readonly Seen[]> {
  const one = batchable.find((stimulus) => context.canAsk(stimulus));
  if (!one) throw new Withheld("the target offers no method for it");
  const growth = await grownBy(context, "paid", () => context.ask(context.fresh(threeOf(one))));
  const summary = `${describeEnvelope(growth.sent)}: ${countOf(growth).toFixed()} requests`;
  return [seenAs("a batch of 3", growth.exchange, summary)];
}

const pools = ["/creditsRemaining", "/prepaidCreditsRemaining"] as const;
const describePools = ({ of }: Growth): string =>
  `${of("/creditsRemaining").neg().toFixed()} from the plan, ${of("/prepaidCreditsUsed").toFixed()} prepaid`;

async function spentFirst(context: ProbeContext): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const growth = await grownBy(context, "paid", () => context.ask(context.fresh(call("paid"))));
  if (pools.every((at) => figure(growth.before, at)?.gt(0)))
    seen.push(seenAs("credits in both pools", growth.exchange, describePools(growth)));
  if (context.target.control) {
    const { asker, consume } = await context.project({ plan: { creditsLimit: 1_000 }, prepaid: "1000" });
    await consume("rpc", "950", { pool: "regular" });
    const split = await grownBy(context, asker, () => context.ask(context.fresh(call(asker))));
    seen.push(seenAs("less than the price left in the plan", split.exchange, describePools(split)));
  }
  if (seen.length === 0) throw new Withheld("no project has credits in both pools");
  return seen;
}

export const probes: readonly Probe[] = [
  // A made project rarely has credits in both pools.
  meteringProbe("OBS-CRD-ORDER", onWallet, [call("paid", 3)], spentFirst, { onTargetsOwn: true }),
  meteringProbe(
    "OBS-MET-FAIL",
    [...onWallet, ...onRpc],
    Object.values(refused).map(([, ask]) => ask),
    refusals,
  ),
  meteringProbe(
    "OBS-MET-COST",
    onRpc,
    baselineRequests.flatMap((one) => asksOf(one, calls)),
    (context) => chargesOf(context, baselineRequests, calls, priceOf),
  ),
  meteringProbe(
    "OBS-MET-PRODUCT",
    onRpc,
    unassigned.flatMap((one) => asksOf(one, 1)),
    async (context) => [...(await chargesOf(context, unassigned, 1, productsOf)), ...(await bundleCharge(context))],
    { informs: ["MET-OTH-01"] },
  ),
  meteringProbe("OBS-MET-RPCBATCH", onRpc, batchable.map(threeOf), batchCount),
];

// Probes of charges for refused calls, and of prices and products of JSON-RPC calls (§1.5, §2.1, §8).
import Big from "big.js";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import { sum } from "../../harness/model/law.ts";
import type { Probe, ProbeContext, Seen } from "../../harness/model/probe.ts";
import { describeOutcome, isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { bundle, mayNotSend, simulate, transactions } from "../bundles/requests.ts";
import { type BaselineRequest, baselineRequests } from "../jsonrpc/baselineRequests.ts";
import { asUndescribed, seenAs } from "../shared/describeCalls.ts";
import { describeEnvelope } from "../shared/describeEnvelope.ts";
import { inTurn } from "../shared/inTurn.ts";
import { balance, health, owner, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { carriersOf, rawRpc, usageRequest } from "../shared/requestSpecs.ts";
import { balances, batch, identity, sampleWallet, unknownAddresses } from "../wallet/requests.ts";
import { call, grownBy, growthOf, meteringProbe, onWallet, payer } from "./chargeProbes.ts";
import type { GrowthBy, Step } from "./growth.ts";
import { type Growth, requestsIn } from "./meterRounds.ts";

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

const onPath = (...path: RequestSpec["path"]): RequestSpec =>
  asUndescribed({ ...call(payer), path: ["/v1/wallet/", ...path] });

/** Refused calls, by whose figures would show a charge. */
const refused: { readonly [R in typeof payer | "free"]: { readonly [name: string]: RequestSpec } } = {
  [payer]: {
    "a wallet call with an unknown key": balances({ as: "unknownKey" }),
    "what is not a wallet": onPath("abc", "/balances"),
    "an unknown wallet endpoint": onPath(sampleWallet(0), "/nothing"),
    "a batch of 101": asUndescribed(batch(unknownAddresses(101), { as: payer })),
    "bad params of getTokenAccounts": asUndescribed(tokenAccounts({ owner, limit: 2, mint: 1 }, { as: payer })),
    "bad params of getCompressedBalance": asUndescribed(balance({ address: 5 }, { as: payer })),
    "a JSON-RPC call with an unknown key": health(undefined, { as: "unknownKey" }),
  },
  free: { "a wallet call that the free plan lacks": identity(sampleWallet(0), { as: "free" }) },
};
const uncounted = (name: string, calls: readonly RequestSpec[]): Step => ({ name, calls, isCounted: false });
const refusals = uncounted("refused calls", Object.values(refused[payer]));

/** How calls were refused, and what they moved; each is sent alone if together they moved anything. */
async function movedBy(context: ProbeContext, as: keyof typeof refused): Promise<readonly Seen[]> {
  const calls = Object.entries(refused[as]).filter(([, ask]) => context.canAsk(ask));
  if (calls.length === 0 || !context.canAsk(usageRequest({ as }))) return [];
  const alone = (some: typeof calls) =>
    grownBy(context, as, () => inTurn(some, ([, ask]) => context.ask(context.fresh(ask))));
  const seenBy = (some: typeof calls, growth: GrowthBy<readonly Exchange[]>): readonly Seen[] =>
    some.map(([name], nth) => {
      const sent = growth.sent[nth];
      return seenAs(name, growth.exchange, `${sent && describeOutcome(sent)}: ${costOf(growth)}`);
    });
  const together = (as === payer ? await growthOf(context, refusals) : undefined) ?? (await alone(calls));
  if (together.moved().length === 0 || calls.length === 1) return seenBy(calls, together);
  return (await inTurn(calls, async (one) => seenBy([one], await alone([one])))).flat();
}

type Method = Pick<BaselineRequest, "method" | "ask">;
const simulation: Method = { method: "simulateBundle", ask: (options) => asUndescribed(simulate([[]], options)) };

/** Enough to find a price to a twentieth of a credit. */
const calls = 20;
const stepOf = ({ method, ask }: Method, count: number): Step => ({
  name: method,
  calls: Array.from({ length: count }, (_, nth) => ask({ as: payer, again: nth })),
  // Its parameters aren't shown, so that it may be refused.
  isCounted: method !== simulation.method,
});
const priced = baselineRequests.map((one) => stepOf(one, calls));
/** Methods whose product isn't documented. */
const unassigned = [...baselineRequests.filter(({ errorTable }) => errorTable !== "compression"), simulation].map(
  (one) => stepOf(one, 1),
);

/** What the calls of each step move, with their outcome where they aren't served. */
const chargesOf = async (
  context: ProbeContext,
  steps: readonly Step[],
  summary: (growth: Growth) => string,
): Promise<readonly Seen[]> =>
  (
    await inTurn(steps, async (step) => {
      const growth = await growthOf(context, step);
      if (!growth) return [];
      const unserved = growth.sent.filter((answered) => !isServed(answered)).at(-1);
      return [
        seenAs(step.name, growth.exchange, `${unserved ? `${describeOutcome(unserved)}: ` : ""}${summary(growth)}`),
      ];
    })
  ).flat();

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
    transactions(context, { tip: "all" }).then((signed) => context.ask(bundle(signed, { as: asker }))),
  );
  return [seenAs("sendBundle", growth.exchange, productsOf(growth))];
}

/** The first of these that can be sent is sent three times in one body. */
const batchable = baselineRequests.map(({ ask }) => ask({ as: payer }));
const threeOf = ({ json = null }: RequestSpec): RequestSpec =>
  rawRpc({ json: [json, json, json] }, { carriers: carriersOf(payer, "query") });

const batches = batchable.map((one) => uncounted("a batch of 3", [threeOf(one)]));

async function batchCount(context: ProbeContext): Promise<readonly Seen[]> {
  for (const step of batches) {
    const growth = await growthOf(context, step);
    const summary = growth?.sent[0] && `${describeEnvelope(growth.sent[0])}: ${countOf(growth).toFixed()} requests`;
    if (summary) return [seenAs(step.name, growth.exchange, summary)];
  }
  throw new Withheld("the target offers no method for it");
}

export const probes: readonly Probe[] = [
  meteringProbe("OBS-MET-FAIL", [...onWallet, ...onRpc], Object.values(refused).flatMap(Object.values<RequestSpec>), {
    observe: async (context) => [
      ...(await movedBy(context, payer)),
      // Both repeats read one, as it has a measurement of its own.
      ...(await context.once("refused calls of the free plan", () => movedBy(context, "free"))),
    ],
    steps: [refusals],
  }),
  meteringProbe(
    "OBS-MET-COST",
    onRpc,
    priced.flatMap((one) => one.calls),
    { observe: (context) => chargesOf(context, priced, priceOf), steps: priced },
  ),
  meteringProbe(
    "OBS-MET-PRODUCT",
    onRpc,
    unassigned.flatMap((one) => one.calls),
    {
      observe: async (context) => [
        ...(await chargesOf(context, unassigned, productsOf)),
        ...(await bundleCharge(context)),
      ],
      steps: unassigned,
      informs: ["MET-OTH-01"],
    },
  ),
  meteringProbe("OBS-MET-RPCBATCH", onRpc, batchable.map(threeOf), { observe: batchCount, steps: batches }),
];

// Checks of wallet endpoints: who is served, keys, plans, domains, batches, moments (§4.2, §5.2, §5.7, §8)

import { broken, held } from "../../harness/core/finding.ts";
import { canonical, type Json, valueAt } from "../../harness/core/json.ts";
import { leftOpen } from "../../harness/core/outcomes.ts";
import { otherNeed, type UnmetNeed } from "../../harness/core/reason.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Check, CheckContext, Oracle } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { asUndescribed } from "../shared/describeCalls.ts";
import { forFeature } from "../shared/forFeature.ts";
import { notTested, onlyServed } from "../shared/masked.ts";
import { isRefusedBeside } from "../shared/oracles.ts";
import {
  answersJson,
  isClosedTo,
  isMalformedThere,
  isOpenTo,
  knownLike,
  walletServedLike,
  walletTakesKey,
} from "./oracles.ts";
import type { WalletBaseline, WalletOperation } from "./requests.ts";
import {
  askForBalanceAt,
  balances,
  batch,
  domain,
  identity,
  moment,
  sampleWallet,
  unknownAddresses,
  walletBaseline,
  walletBaselines,
} from "./requests.ts";

const { check, onlyObserved, verifiedBySelfTest } = forFeature("wallet");

/** What an endpoint's answer proves, and how a free plan is answered. */
const idsOf: { readonly [O in WalletOperation]: readonly [answer: RequirementId, onFree: RequirementId] } = {
  getWalletIdentity: ["WAL-ID-01", "WAL-FREE-01"],
  batchWalletIdentity: ["WAL-BATCH-01", "WAL-FREE-02"],
  getWalletFundedBy: ["WAL-FUND-01", "WAL-FREE-03"],
  getWalletBalances: ["WAL-BAL-01", "WAL-FREE-04"],
  getWalletBalanceAt: ["WAL-BALAT-01", "WAL-FREE-05"],
  getWalletHistory: ["WAL-HIST-01", "WAL-FREE-06"],
  getWalletTransfers: ["WAL-XFER-01", "WAL-FREE-07"],
};

const malformed = ["", "not a key", "k".repeat(300)];

/** Judged beside a positive control, which differs in the one thing that is proved. */
const beside = (
  id: RequirementId,
  requestSpec: RequestSpec,
  positiveControl: RequestSpec,
  oracle: (positiveControl: RequestSpec) => Oracle,
  optional = false,
): Check => check(id, requestSpec, oracle(positiveControl), { positiveControl, optional });

const closedTo = (id: RequirementId, ask: WalletBaseline["ask"], keyIn: "header" | "query"): Check =>
  beside(id, ask({ as: "free", keyIn }), ask({ keyIn }), (positiveControl) =>
    isClosedTo(positiveControl, balances({ as: "free", keyIn })),
  );

function checksOf({ operation, isPaid, ask }: WalletBaseline): readonly Check[] {
  const [answer, onFree] = idsOf[operation];
  const baseline = ask();
  const byQuery = ask({ keyIn: "query" });
  return [
    check(answer, baseline, answersJson),
    check(["GEN-JSON-01", "GEN-JSON-03"], baseline),
    beside("AUTH-WAL-HDR-01", baseline, byQuery, walletTakesKey),
    beside("AUTH-WAL-QRY-01", byQuery, baseline, walletTakesKey),
    ...(isPaid
      ? [
          check("WAL-PAID-01", baseline, isOpenTo),
          check("WAL-PAID-01", ask({ as: "other" }), isOpenTo, { optional: true }),
          closedTo(onFree, ask, "header"),
          closedTo(onFree, ask, "query"),
        ]
      : [check(onFree, ask({ as: "free" }), isOpenTo)]),
    beside("AUTH-WAL-MISS-01", ask({ as: "unknownKey", keyIn: "query" }), byQuery, isRefusedBeside),
    ...(["anonymous", "unknownKey"] as const).flatMap((as) => [
      beside("AUTH-WAL-MISS-01", ask({ as }), baseline, isRefusedBeside),
      beside("AUTH-ALL-01", ask({ as }), baseline, isRefusedBeside),
    ]),
    ...malformed.map((key) => beside("AUTH-WAL-MISS-01", ask({ as: { key } }), baseline, isRefusedBeside)),
  ];
}

const takesJson: Oracle = (exchange) => {
  if (exchange.answer?.status === 415) return broken("status", "a body labelled application/json accepted", 415);
  onlyServed(exchange);
  return held;
};

const pair = walletBaseline("batchWalletIdentity").ask();
/** Two known wallets: where unknown entries are left out, none is left out here. */
const knownOnes = batch([sampleWallet(0), sampleWallet(1)]);
const hundred = batch([sampleWallet(0), ...unknownAddresses(99)]);
const mixed = batch([domain(0), sampleWallet(0), ...unknownAddresses(98)]);

/** Payloads aren't shown: only those of the reference are judged. */
const ofReference = ({ isReference }: Target): UnmetNeed | null =>
  isReference ? null : otherNeed("payloads aren't shown: they are judged on the reference only");

const ofUsedWallet = (target: Target): UnmetNeed | null =>
  target.assumptions?.some(({ at, isMade }) => isMade && at === "/samples/wallets/0")
    ? otherNeed("a wallet that the run made has the same balance at any moment")
    : ofReference(target);

/** @throws Withheld where it isn't JSON */
function bodyOf({ answer }: Exchange): Json {
  if (!answer?.json) throw notTested("a body is not JSON");
  return answer.json.value;
}

/** The bodies of this answer and of another. @throws Withheld where one of them isn't served */
const bodies = async (
  exchange: Exchange,
  { ask }: CheckContext,
  other: RequestSpec,
): Promise<readonly [Json, Json]> => [
  bodyOf(onlyServed(exchange)),
  bodyOf(onlyServed(await ask(other), "the request that it is compared with")),
];

const addressIn = (body: Json): Json | undefined => valueAt(body, "/address");

/** By its domain the same owner answers as by the address. */
const sameOwner: Oracle = async (exchange, context) => {
  const byDomain = addressIn(bodyOf(exchange));
  if (typeof byDomain !== "string") throw notTested("the identity has no address");
  const [one, other] = await bodies(exchange, context, identity(domain(1)));
  return addressIn(one) === addressIn(other)
    ? broken("/address", "another owner than that of another domain", byDomain)
    : held;
};

const allLookedUp: Oracle = (exchange) => {
  const body = bodyOf(onlyServed(exchange, "the batch"));
  const records = Array.isArray(body) ? body : valueAt(body, "/identities");
  return Array.isArray(records) && records.length === 2
    ? held
    : broken("/identities", "2 records", Array.isArray(records) ? records.length : undefined);
};

/** The same request with another time. */
const atTime = (requestSpec: RequestSpec, time: string): RequestSpec => ({
  ...requestSpec,
  query: requestSpec.query?.map(([name, value]) => [name, value === moment.time ? time : value] as const) ?? [],
});

/** Another balance at another moment. */
const heedsMoment: Oracle = async (exchange, context) => {
  const [then, now] = await bodies(exchange, context, atTime(exchange.requestSpec, "1767225600"));
  return canonical(valueAt(then, "/balance") ?? null) === canonical(valueAt(now, "/balance") ?? null)
    ? broken("/balance", "the balance of that moment", valueAt(then, "/balance"))
    : held;
};

/** The unit of a timestamp isn't shown. */
const inSomeUnit =
  (positiveControl: RequestSpec): Oracle =>
  async (exchange, context) => {
    if (isMalformedThere(exchange) && isServed(await context.ask(atTime(exchange.requestSpec, `${moment.time}000`))))
      throw leftOpen("timestamps are in milliseconds there, and the interface shows no unit");
    return walletServedLike(positiveControl)(exchange, context);
  };

export const checks: readonly Check[] = [
  ...walletBaselines.flatMap(checksOf),
  check("VER-WAL-01", balances(), answersJson),
  // How such a refusal looks is unspecified, so that no law judges it.
  beside("AUTH-IP-01", asUndescribed(balances({ as: "ipBlocked" })), balances(), isRefusedBeside, true),
  check("GEN-JSON-02", pair, takesJson),
  beside("WAL-ID-02", identity(domain(0)), identity(sampleWallet(0)), knownLike),
  { ...closedTo("WAL-FREE-01", (options) => identity(domain(0), options), "header"), optional: true },
  check("WAL-ID-02", identity(domain(0)), sameOwner, {
    positiveControl: identity(domain(1)),
    unless: ofReference,
    optional: true,
  }),
  check("WAL-BATCH-01", knownOnes, allLookedUp, { unless: ofReference, optional: true }),
  beside("WAL-BATCH-02", hundred, pair, walletServedLike),
  beside("WAL-BATCH-03", batch(unknownAddresses(101)), hundred, isRefusedBeside),
  beside("WAL-BATCH-04", mixed, hundred, walletServedLike),
  beside("WAL-BATCH-04", batch([domain(0), ...unknownAddresses(100)]), mixed, isRefusedBeside),
  beside("WAL-BALAT-01", askForBalanceAt("datetime"), askForBalanceAt("time"), walletServedLike),
  beside("WAL-BALAT-01", askForBalanceAt("slot"), askForBalanceAt("time"), walletServedLike),
  beside("WAL-BALAT-01", askForBalanceAt("time"), askForBalanceAt("datetime"), inSomeUnit),
  check("WAL-BALAT-01", askForBalanceAt("time"), heedsMoment, { unless: ofUsedWallet, optional: true }),
  verifiedBySelfTest("AUTH-WAL-REC-01", "tests/reference/wallet.spec.ts"),
  onlyObserved("WAL-BETA-01", "OBS-WAL-SHAPE-BALANCES"),
  onlyObserved("WAL-SEM-01", "OBS-WAL-SHAPE-HISTORY"),
];

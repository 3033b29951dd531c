// Do the wallet endpoints answer, to whom they should? Payloads aren't shown, so that nothing is said of them. (§4.2, §5.2, §5.7, §8)

import { broken, held } from "../../harness/core/finding.ts";
import { canonical, type Json, valueAt } from "../../harness/core/json.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import {
  type Bench,
  type Check,
  check,
  keptByUs,
  type Oracle,
  onlyObserved,
  Withheld,
} from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { isServed, outcomeOf } from "../../harness/transport/jsonRpc.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import {
  answersJson,
  isClosedTo,
  isMalformedThere,
  isOpenTo,
  isRefusedBeside,
  knownLike,
  servedLike,
  takesKey,
} from "./oracles.ts";
import {
  balanceAt,
  batch,
  domain,
  type GoodWallet,
  goodWallet,
  goodWallets,
  identity,
  moment,
  part,
  strangers,
  type WalletOperation,
  wallet,
} from "./requests.ts";

const answering: { readonly [O in WalletOperation]: RequirementId } = {
  getWalletIdentity: "WAL-ID-01",
  batchWalletIdentity: "WAL-BATCH-01",
  getWalletBalances: "WAL-BAL-01",
  getWalletBalanceAt: "WAL-BALAT-01",
  getWalletHistory: "WAL-HIST-01",
  getWalletTransfers: "WAL-XFER-01",
  getWalletFundedBy: "WAL-FUND-01",
};

const onFree: { readonly [O in WalletOperation]: RequirementId } = {
  getWalletIdentity: "WAL-FREE-01",
  batchWalletIdentity: "WAL-FREE-02",
  getWalletFundedBy: "WAL-FREE-03",
  getWalletBalances: "WAL-FREE-04",
  getWalletBalanceAt: "WAL-FREE-05",
  getWalletHistory: "WAL-FREE-06",
  getWalletTransfers: "WAL-FREE-07",
};

const malformed = ["", "not a key", "k".repeat(300)];

const carriers = ["header", "query"] as const;

/** A free plan is refused, whichever carrier its key takes. */
function closedTo(id: RequirementId, ask: GoodWallet["ask"], keyIn: "header" | "query"): Check {
  const [free, twin, open] = [
    ask({ as: "free", keyIn }),
    ask({ keyIn }),
    goodWallet("getWalletBalances").ask({ as: "free", keyIn }),
  ];
  return check(id, free, isClosedTo(twin, open), { part, twin });
}

function checksOf({ operation, isPaid, ask }: GoodWallet): readonly Check[] {
  const [good, byQuery, strangersByQuery] = [ask(), ask({ keyIn: "query" }), ask({ as: "stranger", keyIn: "query" })];
  return [
    check(answering[operation], good, answersJson, { part }),
    check(["GEN-JSON-01", "GEN-JSON-03"], good, undefined, { part }),
    check("AUTH-WAL-HDR-01", good, takesKey(byQuery), { part, twin: byQuery }),
    check("AUTH-WAL-QRY-01", byQuery, takesKey(good), { part, twin: good }),
    ...(isPaid
      ? [
          check("WAL-PAID-01", good, isOpenTo, { part }),
          check("WAL-PAID-01", ask({ as: "other" }), isOpenTo, { part, optional: true }),
        ]
      : []),
    ...(isPaid
      ? carriers.map((keyIn) => closedTo(onFree[operation], ask, keyIn))
      : [check(onFree[operation], ask({ as: "free" }), isOpenTo, { part })]),
    check("AUTH-WAL-MISS-01", strangersByQuery, isRefusedBeside(byQuery), { part, twin: byQuery }),
    ...(["nobody", "stranger"] as const).flatMap((as) => [
      check("AUTH-WAL-MISS-01", ask({ as }), isRefusedBeside(good), { part, twin: good }),
      check("AUTH-ALL-01", ask({ as }), isRefusedBeside(good), { part, twin: good }),
    ]),
    ...malformed.map((key) =>
      check("AUTH-WAL-MISS-01", ask({ as: { key } }), isRefusedBeside(good), { part, twin: good }),
    ),
  ];
}

const takesJson: Oracle = (exchange) => {
  if (exchange.answer?.status === 415) return broken("status", "a body labelled application/json accepted", 415);
  if (!isServed(exchange)) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
  return held;
};

const pair = goodWallet("batchWalletIdentity").ask();
/** Whoever leaves out those that nobody is known by has none to leave out. */
const knownOnes = batch([wallet(0), wallet(1)]);
const hundred = batch([wallet(0), ...strangers(99)]);
const mixed = batch([domain(0), wallet(0), ...strangers(98)]);

/** Payloads aren't shown, so that only those of the reference are looked into. */
const ofReference = ({ isReference }: Target): string | null =>
  isReference ? null : "payloads aren't shown: looked into on the reference only";

/** @throws Withheld where it is no JSON */
function bodyOf({ answer }: Exchange): Json {
  if (!answer?.json) throw new Withheld("hidden: a body is no JSON");
  return answer.json.value;
}

/** Both served, or there is nothing to compare. */
async function bodies(
  exchange: Exchange,
  { ask }: Bench,
  other: Parameters<Bench["ask"]>[0],
): Promise<readonly [Json, Json]> {
  const second = await ask(other);
  if (!isServed(exchange) || !isServed(second)) throw new Withheld("hidden: one of the two isn't served");
  return [bodyOf(exchange), bodyOf(second)];
}

const addressIn = (body: Json): Json | undefined => valueAt(body, "/address");

/** By its domain the same owner answers as by the address. */
const sameOwner: Oracle = async (exchange, bench) => {
  const byDomain = addressIn(bodyOf(exchange));
  if (typeof byDomain !== "string") throw new Withheld("hidden: there is no address in it");
  const [one, other] = await bodies(exchange, bench, identity(domain(1)));
  return addressIn(one) === addressIn(other)
    ? broken("/address", "another owner than that of another domain", byDomain)
    : held;
};

/** As many records as entries. */
const allLookedUp: Oracle = (exchange) => {
  if (!isServed(exchange)) throw new Withheld("hidden: the batch isn't served");
  const body = bodyOf(exchange);
  const records = Array.isArray(body) ? body : valueAt(body, "/identities");
  return Array.isArray(records) && records.length === 2
    ? held
    : broken("/identities", "2 records", Array.isArray(records) ? records.length : undefined);
};

/** The same at another time. */
const atTime = (stimulus: Stimulus, time: string): Stimulus => ({
  ...stimulus,
  query: stimulus.query?.map(([name, value]) => [name, value === moment.time ? time : value] as const) ?? [],
});

/** At another moment another balance. */
const heedsMoment: Oracle = async (exchange, bench) => {
  const [then, now] = await bodies(exchange, bench, atTime(exchange.stimulus, "1767225600"));
  return canonical(valueAt(then, "/balance") ?? null) === canonical(valueAt(now, "/balance") ?? null)
    ? broken("/balance", "the balance of that moment", valueAt(then, "/balance"))
    : held;
};

/** The unit of a timestamp isn't shown. */
const inSomeUnit: Oracle = async (exchange, bench) => {
  if (isMalformedThere(exchange) && isServed(await bench.ask(atTime(exchange.stimulus, `${moment.time}000`))))
    throw new Withheld("its timestamps are in milliseconds: the unit isn't shown");
  return servedLike(balanceAt("datetime"))(exchange, bench);
};

const forms: readonly Check[] = (["datetime", "slot"] as const).flatMap((form) => [
  check("WAL-BALAT-01", balanceAt(form), servedLike(balanceAt("time")), { part, twin: balanceAt("time") }),
]);

export const checks: readonly Check[] = [
  ...goodWallets.flatMap(checksOf),
  check("VER-WAL-01", goodWallet("getWalletBalances").ask(), answersJson, { part }),
  // How such a refusal looks is open, so that no law judges it.
  check(
    "AUTH-IP-01",
    { ...goodWallet("getWalletBalances").ask({ as: "ipBlocked" }), operation: null },
    isRefusedBeside(goodWallet("getWalletBalances").ask()),
    {
      part,
      optional: true,
      twin: goodWallet("getWalletBalances").ask(),
    },
  ),
  check("GEN-JSON-02", pair, takesJson, { part }),
  check("WAL-ID-02", identity(domain(0)), knownLike(identity(wallet(0))), { part, twin: identity(wallet(0)) }),
  { ...closedTo("WAL-FREE-01", (options) => identity(domain(0), options), "header"), optional: true },
  check("WAL-ID-02", identity(domain(0)), sameOwner, { part, unless: ofReference, optional: true }),
  check("WAL-BATCH-01", knownOnes, allLookedUp, { part, unless: ofReference, optional: true }),
  check("WAL-BATCH-02", hundred, servedLike(pair), { part, twin: pair }),
  check("WAL-BATCH-03", batch(strangers(101)), isRefusedBeside(hundred), { part, twin: hundred }),
  check("WAL-BATCH-04", mixed, servedLike(hundred), { part, twin: hundred }),
  check("WAL-BATCH-04", batch([domain(0), ...strangers(100)]), isRefusedBeside(mixed), { part, twin: mixed }),
  ...forms,
  check("WAL-BALAT-01", balanceAt("time"), inSomeUnit, { part, twin: balanceAt("datetime") }),
  check("WAL-BALAT-01", balanceAt("time"), heedsMoment, { part, unless: ofReference, optional: true }),
  keptByUs("AUTH-WAL-REC-01", "tests/reference/wallet.spec.ts", part),
  onlyObserved("WAL-BETA-01", "OBS-WAL-SHAPE-BALANCES", part),
  onlyObserved("WAL-SEM-01", "OBS-WAL-SHAPE-HISTORY", part),
];

// Checks that a wallet call costs 100 credits and counts once, on its key's project (§4.2, §5.1, §8).
import { broken, type Finding, held, must, near, onlyWarning } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Asker, keyHolder, type RequestSpec } from "../../harness/core/requestSpec.ts";
import { type Check, type CheckContext, type Shown, scenario } from "../../harness/model/check.ts";
import { keyOf, type Target } from "../../harness/targets/target.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { controlOf } from "../shared/control.ts";
import { walletPrice } from "../shared/figures.ts";
import { notTested } from "../shared/masked.ts";
import { figureAt } from "../usage/usageReader.ts";
import type { WalletOperation } from "../wallet/requests.ts";
import {
  balances,
  batch,
  domain,
  identity,
  sampleWallet,
  unknownAddresses,
  walletBaseline,
  walletBaselines,
} from "../wallet/requests.ts";
import { SomeLimited, sendAtOnce } from "./callsAtOnce.ts";
import { type ChargedCalls, chargeNeeds, inEach, inGrowth, type Judge, NotServed, sendServed } from "./chargedCalls.ts";
import { charging, judgeSettled, settled } from "./chargeExperiment.ts";
import { type Counter, type Growth, grewBy } from "./meterRounds.ts";
import { NeverCharged } from "./neverCharged.ts";

const openToAll: readonly WalletOperation[] = ["getWalletHistory", "getWalletTransfers", "getWalletBalances"];
const openToPaid: readonly WalletOperation[] = [...openToAll, "getWalletFundedBy", "getWalletIdentity"];

/** A call of another endpoint: an endpoint that is never charged can't show that charges are settled. */
function laterCall({ target }: CheckContext, requestSpecs: readonly RequestSpec[], as: Asker): RequestSpec {
  const open = keyOf(target, as)?.project.plan === "free" ? openToAll : openToPaid;
  const others = open.filter((operation) => requestSpecs.every((one) => one.operation !== operation));
  return walletBaseline(others[0] ?? "getWalletBalances").ask({ as });
}

/** What a wallet call moves. */
const counters: readonly Counter[] = [
  ["/credits/walletApi"],
  ["/requests/walletApi"],
  ["/creditsUsed"],
  ["/creditsRemaining", "/prepaidCreditsUsed"],
];

/** The same number of calls for each project whose figures are read. */
const chargedCalls = (
  askers: readonly Asker[],
  requestSpecs: readonly RequestSpec[],
  calls: number,
  judge: ChargedCalls["judge"],
): ChargedCalls => ({
  askers,
  counters,
  feature: "wallet",
  send: async (context) => {
    await sendServed(context, requestSpecs);
    return calls;
  },
  sendLater: (context) =>
    sendServed(
      context,
      askers.map((as) => laterCall(context, requestSpecs, as)),
    ),
  judge,
});

/** Calls of one key, measured together. */
interface Calls {
  readonly requestSpecs: readonly RequestSpec[];
  /** Nothing is withheld where the target doesn't know them or the platform doesn't serve them. */
  readonly isExtra?: boolean;
}

/** Baseline requests, which other checks send as well; calls that might have other prices; those of a free plan. */
const calls: readonly Calls[] = [
  { requestSpecs: [balances()] },
  ...walletBaselines
    .filter(({ operation }) => operation !== "getWalletBalances")
    .map(({ ask }) => ({ requestSpecs: [ask()] })),
  { requestSpecs: [batch([sampleWallet(0), ...unknownAddresses(99)])] },
  { requestSpecs: [balances({ keyIn: "query" })], isExtra: true },
  { requestSpecs: [identity(domain(0))], isExtra: true },
  { requestSpecs: openToAll.map((operation) => walletBaseline(operation).ask({ as: "free" })), isExtra: true },
  { requestSpecs: [walletBaseline("getWalletBalanceAt").ask({ as: "free" })], isExtra: true },
];

const payerOf = ([first]: readonly RequestSpec[]): Asker => (first && keyHolder(first)) ?? "owner";

/** All rows of some calls, which are sent once for all of them. */
function bill({ requestSpecs, isExtra = false }: Calls): readonly Check[] {
  const judge = inEach(...rows.map(([, , one]) => one));
  const charged = chargedCalls([payerOf(requestSpecs)], requestSpecs, requestSpecs.length, judge);
  return rows.map(([id, at], row) => {
    const run = async (context: CheckContext) => {
      try {
        return (await settled(context, charged)).slice(row, row + 1).map((judgement) => judgement());
      } catch (error) {
        if (isExtra && error instanceof NotServed) return [{ exchange: error.exchange, finding: held }];
        if (error instanceof NeverCharged && at !== null)
          return [{ exchange: error.exchange, finding: neverCharged(at, error, context.target) }];
        throw error;
      }
    };
    return charging(id, charged, { requests: requestSpecs, run, optional: isExtra || id === "CRD-PRE-01" });
  });
}

/** Only warned of, unless the target says by when charges show (amendment 19). */
const neverCharged = (at: string, { how }: NeverCharged, { settlesWithin_s }: Target): Finding => {
  const finding = broken(at, `a charge for the call: ${how}`, 0);
  return settlesWithin_s === undefined ? onlyWarning(finding) : finding;
};

/** Each credit comes from one pool; the plan's remainder stops at 0. */
const fromOnePool = inGrowth((growth) => {
  const amount = growth.calls * walletPrice;
  const regular = growth.of("/creditsRemaining").neg();
  const prepaid = growth.of("/prepaidCreditsUsed");
  const left = growth.of("/prepaidCreditsRemaining");
  const paid = regular.plus(prepaid);
  // By the last read; where it isn't shown, nothing counts as left.
  const isUsedUp = figureAt(growth.exchange, "/creditsRemaining")?.eq(0) ?? true;
  // Overage needn't come from any pool.
  const isOver = isUsedUp && regular.gte(0) && prepaid.gte(0) && paid.lt(amount);
  return must(
    (paid.eq(amount) || isOver) && left.eq(prepaid.neg()),
    "/creditsRemaining",
    `${amount} from the plan or from prepaid credits, once`,
    `${regular.toFixed()} from the plan, ${prepaid.toFixed()} prepaid, prepaid left ${left.toFixed()}`,
  );
});

const own = [...counters.flat(), "/prepaidCreditsRemaining"];

/** None of these figures has grown. */
const asBefore = ({ of }: Growth, [at]: readonly string[], expected = "as before"): Finding =>
  at === undefined ? held : broken(at, expected, `${of(at).toFixed()} more`);

const nothingElse = inGrowth((growth) => {
  if (growth.moved().length === 0) throw notTested("no charge shows");
  return asBefore(
    growth,
    growth.moved().filter((at) => !own.includes(at)),
  );
});
/** The product, beside its own, that grew by the whole charge, as the total did: the charge has shown, elsewhere. */
function chargedTo(growth: Growth, amount: number): string | undefined {
  if (!growth.of("/creditsUsed").eq(amount)) return undefined;
  return growth.moved().find((at) => at.startsWith("/credits/") && !own.includes(at) && growth.of(at).eq(amount));
}

/** A charge that shows under another product won't show under its own any more: it isn't late. */
const credited: Judge = (growth) => {
  const at = "/credits/walletApi";
  const amount = growth.calls * walletPrice;
  try {
    return grewBy(growth, at, amount);
  } catch (error) {
    const other = error instanceof NeverCharged ? chargedTo(growth, amount) : undefined;
    if (other === undefined) throw error;
    const got = `nothing: ${amount} more in ${other}, and as many in creditsUsed`;
    return { exchange: growth.exchange, finding: broken(at, `${amount} more`, got) };
  }
};
const counted: Judge = (growth) => grewBy(growth, "/requests/walletApi", growth.calls);
const totalled: Judge = (growth) => grewBy(growth, "/creditsUsed", growth.calls * walletPrice);
const moves = inGrowth(({ of }) =>
  must(of("/creditsUsed").gt(0), "/creditsUsed", "more than before", of("/creditsUsed")),
);

/** Bought credits, or ones that expired, would show as more. */
const prepaidMoves = inGrowth(({ of }) => {
  const used = of("/prepaidCreditsUsed");
  const left = of("/prepaidCreditsRemaining");
  if (used.lte(0) && left.gte(0)) throw new Withheld("the calls used no prepaid credits");
  if (left.gt(0)) throw new Withheld("prepaid credits were bought meanwhile");
  return near("/prepaidCreditsRemaining", left, used.neg(), { within: 1 });
});

/** What is judged of each call, and the figure that lacks a charge that never comes. */
type Row = readonly [id: RequirementId, at: string | null, judge: Judge];
const rows: readonly Row[] = [
  ["MET-CRED-01", "/creditsUsed", moves],
  ["MET-WAL-01", "/credits/walletApi", credited],
  ["MET-WAL-02", "/requests/walletApi", counted],
  ["MET-WAL-03", "/creditsUsed", totalled],
  ["MET-WAL-04", "/creditsRemaining", fromOnePool],
  ["MET-WAL-05", null, nothingElse],
  ["CRD-PRE-01", null, prepaidMoves],
];

/** Every project is charged for the same number of calls. */
const eachCharged = inEach(credited, counted);
const creditsOnly = inEach(credited);

/** Two projects in turn over one connection, which exposes a platform that remembers the last caller. */
const byTurns: readonly (readonly [as: Asker, keyIn: "header" | "query"])[] = [
  ["paid", "header"],
  ["other", "query"],
  ["paid", "query"],
  ["other", "header"],
];
const turns = byTurns.map(([as, keyIn], nth) => balances({ as, keyIn, again: nth }));
const othersCalls = [0, 1].map((again) => balances({ as: "other", again }));
const bothKeys = (["paid", "second"] as const).map((as) => balances({ as }));

/** A total that moves by itself, or not at all, is another requirement's matter. */
const movedInTotal: Judge = (growth) =>
  growth.moved().includes("/creditsUsed") ? totalled(growth) : { exchange: growth.exchange, finding: held };

/** Beside other calls, its own of each project and no more. */
const onlyOthers: ChargedCalls["judge"] = ([payers, others]) => {
  if (!payers || !others) throw new Error("two projects are read");
  if (payers.calls > 0) return inEach(credited, counted, movedInTotal, nothingElse)([payers, others]);
  return [
    () => {
      if (payers.moved().length === 0 && others.moved().length === 0) {
        others.of("/credits/walletApi");
        throw notTested("the other project's calls aren't charged to it");
      }
      const finding = asBefore(payers, payers.moved(), "as before: another project's calls");
      return { exchange: payers.exchange, finding };
    },
  ];
};

/** Identical calls at once. */
const parallel: readonly RequestSpec[] = Array.from({ length: 10 }, (_, again) => balances({ again }));
const concurrent = (calls: readonly RequestSpec[]): ChargedCalls => ({
  ...chargedCalls(["owner"], calls, calls.length, eachCharged),
  send: (context) => sendAtOnce(context, calls),
});
const { when: _, ...concurrentNeeds } = chargeNeeds("wallet", parallel, ["owner"]);

/** As many as are served at once, which the first attempt finds out. */
async function judgeConcurrent(context: CheckContext): Promise<readonly Shown[]> {
  try {
    return await judgeSettled(context, concurrent(parallel));
  } catch (error) {
    if (!(error instanceof SomeLimited) || error.served < 2) throw error;
    return judgeSettled(context, concurrent(parallel.slice(0, error.served)));
  }
}

/** No discount after many calls. */
const many = 1_000;
const toTheLast = scenario(
  "MET-WAL-06",
  { ...chargeNeeds("wallet", [balances()], ["owner"]), control: { reads: 4, of: controlOf.billing } },
  async (context) => {
    const { asker, consume } = await context.project();
    await consume("walletApi", String(walletPrice), { times: many });
    return judgeSettled(context, chargedCalls([asker], [balances({ as: asker })], 1, creditsOnly));
  },
);

/** Judges all figures of some projects together. @param change what differs from one more call for each of them */
function together(
  id: RequirementId,
  askers: readonly Asker[],
  requests: readonly RequestSpec[],
  calls: number,
  { judge = eachCharged, ...change }: Partial<ChargedCalls> = {},
): Check {
  const charged = { ...chargedCalls(askers, requests, calls, judge), ...change };
  return charging(id, charged, { requests, run: (context) => judgeSettled(context, charged) });
}

export const checks: readonly Check[] = [
  { ...toTheLast, optional: true },
  ...calls.flatMap(bill),
  together("AUTH-ALL-02", ["paid", "other"], turns, 2),
  together("MET-SCOPE-01", ["paid", "other"], othersCalls, 2, {
    judge: onlyOthers,
    payers: ["other"],
    sendLater: (context) => sendServed(context, [balances({ as: "other" })]),
  }),
  together("MET-SCOPE-02", ["paid", "second"], bothKeys, 2, {
    sendLater: (context) => sendServed(context, [balances({ as: "paid" })]),
  }),
  scenario("MET-CONC-01", { ...concurrentNeeds, consent: "throttle" }, judgeConcurrent),
];

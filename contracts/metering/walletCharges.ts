// Checks that a wallet call costs 100 credits and counts once, on its key's project (§4.2, §5.1, §8).
import { broken, type Finding, held, must } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Asker, nameOf, type Stimulus } from "../../harness/core/stimulus.ts";
import { type Check, type CheckContext, type Shown, scenario } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { masked } from "../shared/masked.ts";
import { figure } from "../usage/usageReader.ts";
import type { WalletOperation } from "../wallet/requests.ts";
import {
  balances,
  batch,
  domain,
  identity,
  unknownAddresses,
  wallet,
  walletBaseline,
  walletBaselines,
} from "../wallet/requests.ts";
import { allHold, type ChargedCalls, chargeNeeds, judgeSettled, NotServed, sendServed } from "./settlement.ts";
import { type Growth, grewBy } from "./usageMeasurement.ts";

/** Credits per call (§8). */
const price = 100;

const openToAll: readonly WalletOperation[] = ["getWalletHistory", "getWalletTransfers", "getWalletBalances"];
const openToPaid: readonly WalletOperation[] = [...openToAll, "getWalletFundedBy", "getWalletIdentity"];

/** A call of another endpoint, in turn: an endpoint that is never charged can't show that charges are settled. */
function laterCall(stimuli: readonly Stimulus[], as: Asker, nth: number): Stimulus {
  const others = (as === "free" ? openToAll : openToPaid).filter((operation) =>
    stimuli.every((one) => one.operation !== operation),
  );
  return walletBaseline(others[nth % others.length] ?? "getWalletBalances").ask({ as });
}

/** The same number of calls for each project whose figures are read. */
const chargedCalls = <Found>(
  askers: readonly Asker[],
  stimuli: readonly Stimulus[],
  calls: number,
  judge: ChargedCalls<Found>["judge"],
  isAsRequired: ChargedCalls<Found>["isAsRequired"],
): ChargedCalls<Found> => ({
  askers,
  feature: "wallet",
  send: async (context) => {
    await sendServed(context, stimuli);
    return calls;
  },
  sendLater: (context, nth) => {
    const later = askers.map((as) => laterCall(stimuli, as, nth));
    return sendServed(context, later);
  },
  judge,
  isAsRequired,
});

interface Call {
  readonly stimulus: Stimulus;
  /** Nothing is withheld where the target doesn't know it or the platform doesn't serve it. */
  readonly isExtra?: boolean;
}

/** Each endpoint's baseline request, which other checks send as well, and calls that might have other prices. */
const calls: readonly Call[] = [
  { stimulus: balances({ as: "paid" }) },
  ...walletBaselines
    .filter(({ operation }) => operation !== "getWalletBalances")
    .map(({ ask }) => ({ stimulus: ask() })),
  { stimulus: batch([wallet(0), ...unknownAddresses(99)]) },
  { stimulus: balances({ keyIn: "query" }), isExtra: true },
  { stimulus: identity(domain(0)), isExtra: true },
];

/** The growth by one call, and by the later ones that settled it; how many they were. */
type Bill = readonly [growth: Growth, calls: number];
type Judge = (...bill: Bill) => Shown;

function billOf(context: CheckContext, stimulus: Stimulus): Promise<Bill> {
  const bills = context.once("bills of wallet calls", () => new Map<string, Promise<Bill>>());
  const name = nameOf(stimulus);
  const judge = ([growth]: readonly Growth[], count: number): Bill => [growth as Growth, count];
  const found =
    bills.get(name) ??
    judgeSettled(
      context,
      chargedCalls(["paid"], [stimulus], 1, judge, (bill) => allHold(judges.map((one) => one(...bill)))),
    );
  bills.set(name, found);
  // After a fault another check may try again.
  found.catch((error: unknown) => error instanceof Withheld || bills.delete(name));
  return found;
}

const each = (id: RequirementId, judge: Judge): readonly Check[] =>
  calls.map(({ stimulus, isExtra = false }) => {
    const one = scenario(id, chargeNeeds("wallet", [stimulus]), async (context) => {
      try {
        return [judge(...(await billOf(context, stimulus)))];
      } catch (error) {
        if (isExtra && error instanceof NotServed) return [{ exchange: error.exchange, finding: held }];
        throw error;
      }
    });
    return { ...one, optional: isExtra };
  });

const inGrowth =
  (judge: (growth: Growth, calls: number) => Finding): Judge =>
  (growth, count) => ({ exchange: growth.exchange, finding: judge(growth, count) });

/** Each credit comes from one pool; the plan's remainder stops at 0. */
const fromOnePool = inGrowth((growth, count) => {
  const amount = count * price;
  const [regular, prepaid, left] = [
    growth.of("/creditsRemaining").neg(),
    growth.of("/prepaidCreditsUsed"),
    growth.of("/prepaidCreditsRemaining"),
  ];
  const paid = regular.plus(prepaid);
  // By the last read; where it isn't shown, nothing counts as left.
  const isUsedUp = figure(growth.exchange, "/creditsRemaining")?.eq(0) ?? true;
  // Overage needn't come from any pool.
  const isOver =
    isUsedUp && regular.gte(0) && prepaid.gte(0) && paid.lt(amount) && growth.of("/creditsUsed").eq(amount);
  return must(
    (paid.eq(amount) || isOver) && left.eq(prepaid.neg()),
    "/creditsRemaining",
    `${amount} from the plan or from prepaid credits, once`,
    `${regular.toFixed()} from the plan, ${prepaid.toFixed()} prepaid, prepaid left ${left.toFixed()}`,
  );
});

const own = [
  "/creditsUsed",
  "/creditsRemaining",
  "/prepaidCreditsUsed",
  "/prepaidCreditsRemaining",
  "/credits/walletApi",
  "/requests/walletApi",
];

/** None of these figures has grown. */
const asBefore = ({ of }: Growth, [at]: readonly string[], expected = "as before"): Finding =>
  at === undefined ? held : broken(at, expected, `${of(at).toFixed()} more`);

const nothingElse = inGrowth((growth) =>
  asBefore(
    growth,
    growth.moved.filter((at) => !own.includes(at)),
  ),
);
const credited: Judge = (growth, count) => grewBy(growth, "/credits/walletApi", count * price);
const counted: Judge = (growth, count) => grewBy(growth, "/requests/walletApi", count);
const totalled: Judge = (growth, count) => grewBy(growth, "/creditsUsed", count * price);
const moves = inGrowth(({ of }) =>
  must(of("/creditsUsed").gt(0), "/creditsUsed", "more than before", of("/creditsUsed")),
);
const judges: readonly Judge[] = [moves, credited, counted, totalled, fromOnePool, nothingElse];

type Charged = ChargedCalls<readonly Shown[]>;

/** Every project is charged for `count` calls. */
const eachCharged: Charged["judge"] = (growths, count) =>
  growths.flatMap((growth) => [credited(growth, count), counted(growth, count)]);
const creditsOnly: Charged["judge"] = (growths, count) => growths.map((growth) => credited(growth, count));

/** Judges what some projects are charged for calls. @param change what differs from one more call for each of them */
const charging = (
  id: RequirementId,
  askers: readonly Asker[],
  stimuli: readonly Stimulus[],
  judge: Charged["judge"],
  { calls: count = stimuli.length, ...change }: Partial<Charged> & { readonly calls?: number } = {},
): Check =>
  scenario(id, chargeNeeds("wallet", stimuli, askers), (context) =>
    judgeSettled(context, { ...chargedCalls(askers, stimuli, count, judge, allHold), ...change }),
  );

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

const onlyOthers: Charged["judge"] = ([payers, others]) => {
  if (!payers || !others?.moved.length) throw masked("the other project's calls aren't charged to it");
  return [{ exchange: payers.exchange, finding: asBefore(payers, payers.moved, "as before: another project's calls") }];
};

/** Identical calls at once. */
const parallel: readonly Stimulus[] = Array.from({ length: 10 }, (_, again) => balances({ as: "paid", again }));
const sendAtOnce: Charged["send"] = async ({ atOnce, fresh }) => {
  const count = (await atOnce(parallel.map(fresh))).filter(isServed).length;
  if (count < 2) throw new Withheld(`only ${count} of ${parallel.length} calls at once were served`);
  return count;
};
const concurrent = charging("MET-CONC-01", ["paid"], parallel, eachCharged, { send: sendAtOnce });

/** No discount after many calls. */
const many = 1_000;
const toTheLast = scenario(
  "MET-WAL-06",
  { ...chargeNeeds("wallet", [balances({ as: "paid" })]), control: { reads: 4 } },
  async (context) => {
    const { asker, consume } = await context.project();
    await consume("walletApi", String(price), { times: many });
    return judgeSettled(context, chargedCalls([asker], [balances({ as: asker })], 1, creditsOnly, allHold));
  },
);

export const checks: readonly Check[] = [
  // The first call of a project that no other check calls before.
  { ...charging("MET-WAL-01", ["free"], [balances({ as: "free" })], creditsOnly, { isFirst: true }), optional: true },
  { ...toTheLast, optional: true },
  ...each("MET-CRED-01", moves),
  ...each("MET-WAL-01", credited),
  ...each("MET-WAL-02", counted),
  ...each("MET-WAL-03", totalled),
  ...each("MET-WAL-04", fromOnePool),
  ...each("MET-WAL-05", nothingElse),
  charging("AUTH-ALL-02", ["paid", "other"], turns, eachCharged, { calls: 2 }),
  charging("MET-SCOPE-01", ["paid", "other"], othersCalls, onlyOthers, {
    payers: ["other"],
    sendLater: (context) => sendServed(context, [balances({ as: "other" })]),
  }),
  charging("MET-SCOPE-02", ["paid", "second"], bothKeys, eachCharged, {
    sendLater: (context) => sendServed(context, [balances({ as: "paid" })]),
  }),
  { ...concurrent, needs: { ...concurrent.needs, consent: "throttle" }, when: "last" },
];

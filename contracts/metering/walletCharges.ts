// Checks that a wallet call costs 100 credits and counts once, on its key's project (§4.2, §5.1, §8).
import Big from "big.js";
import { broken, held, must, near } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Asker, nameOf, type Stimulus } from "../../harness/core/stimulus.ts";
import { type Check, type CheckContext, type Shown, scenario } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { usage } from "../shared/stimuli.ts";
import { figure } from "../usage/usageReader.ts";
import {
  batch,
  domain,
  feature,
  identity,
  unknownAddresses,
  type WalletOperation,
  type WalletRequest,
  wallet,
  walletBaseline,
  walletBaselines,
} from "../wallet/requests.ts";
import { allHold, type ChargedCalls, judgeSettled } from "./settlement.ts";
import { type Growth, notQuiet } from "./usageMeasurement.ts";

/** Credits per call (§8). */
const price = 100;

const needs = (requests: readonly Stimulus[]) =>
  ({ feature, requests: [usage({ as: "paid" }), ...requests], unless: notQuiet, when: "alone" }) as const;

/** Whether a refused call is charged is unspecified. */
class NotServed extends Withheld {
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    super(`masked: the request returned ${outcomeOf(exchange)}`);
    this.exchange = exchange;
  }
}

async function served(context: CheckContext, stimuli: readonly Stimulus[]): Promise<void> {
  for (const stimulus of stimuli) {
    const exchange = await context.ask(context.fresh(stimulus));
    if (!isServed(exchange)) throw new NotServed(exchange);
  }
}

const balances = (options: WalletRequest = {}): Stimulus =>
  walletBaseline("getWalletBalances").ask({ as: "paid", ...options });

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
  rest: Pick<ChargedCalls<Found>, "judge" | "isAsRequired" | "isFirst">,
): ChargedCalls<Found> => ({
  askers,
  feature,
  send: async (context) => {
    await served(context, stimuli);
    return calls;
  },
  sendLater: (context, nth) =>
    served(
      context,
      askers.map((as) => laterCall(stimuli, as, nth)),
    ),
  ...rest,
});

interface Call {
  readonly stimulus: Stimulus;
  /** Nothing is withheld where the target doesn't know it or the platform doesn't serve it. */
  readonly isExtra?: boolean;
}

/** Each endpoint's baseline request, which other checks send as well, and calls that might have other prices. */
const calls: readonly Call[] = [
  { stimulus: balances() },
  ...walletBaselines
    .filter(({ operation }) => operation !== "getWalletBalances")
    .map(({ ask }) => ({ stimulus: ask() })),
  { stimulus: batch([wallet(0), ...unknownAddresses(99)]) },
  { stimulus: walletBaseline("getWalletBalances").ask({ keyIn: "query" }), isExtra: true },
  { stimulus: identity(domain(0)), isExtra: true },
];

/** The growth by one call, and by the later ones that settled it. */
interface Bill {
  readonly growth: Growth;
  readonly calls: number;
}

function billOf(context: CheckContext, stimulus: Stimulus): Promise<Bill> {
  const bills = context.once("bills of wallet calls", () => new Map<string, Promise<Bill>>());
  const name = nameOf(stimulus);
  const judge = ([growth]: readonly Growth[], count: number): Bill => ({ growth: growth as Growth, calls: count });
  const found =
    bills.get(name) ?? judgeSettled(context, chargedCalls(["paid"], [stimulus], 1, { judge, isAsRequired }));
  bills.set(name, found);
  // After a fault another check may try again.
  found.catch((error: unknown) => error instanceof Withheld || bills.delete(name));
  return found;
}

const isAsRequired = (bill: Bill): boolean => judges.every((judge) => judge(bill).outcome !== "broken");

type Judge = (bill: Bill) => Shown["finding"];

const each = (id: RequirementId, judge: Judge): readonly Check[] =>
  calls.map(({ stimulus, isExtra = false }) => {
    const one = scenario(id, needs([stimulus]), async (context) => {
      try {
        const bill = await billOf(context, stimulus);
        return [{ exchange: bill.growth.exchange, finding: judge(bill) }];
      } catch (error) {
        if (isExtra && error instanceof NotServed) return [{ exchange: error.exchange, finding: held }];
        throw error;
      }
    });
    return { ...one, optional: isExtra };
  });

const by = (growth: Growth, at: string, amount: number) => near(at, growth.of(at), new Big(amount), { within: 0 });

/** What the plan has left by the last read; 0 where that isn't shown. */
const leftOf = ({ exchange }: Growth): number => figure(exchange, "/creditsRemaining")?.toNumber() ?? 0;

/** Each credit comes from one pool; the plan's remainder stops at 0. */
function fromOnePool({ growth, calls: count }: Bill): Shown["finding"] {
  const amount = count * price;
  const [regular, prepaid, left] = [
    growth.of("/creditsRemaining").neg(),
    growth.of("/prepaidCreditsUsed"),
    growth.of("/prepaidCreditsRemaining"),
  ];
  const paid = regular.plus(prepaid);
  // Overage needn't come from any pool.
  const isOver =
    leftOf(growth) === 0 && regular.gte(0) && prepaid.gte(0) && paid.lt(amount) && growth.of("/creditsUsed").eq(amount);
  return must(
    (paid.eq(amount) || isOver) && left.eq(prepaid.neg()),
    "/creditsRemaining",
    `${amount} from the plan or from prepaid credits, once`,
    `${regular.toFixed()} from the plan, ${prepaid.toFixed()} prepaid, prepaid left ${left.toFixed()}`,
  );
}

const own = [
  "/creditsUsed",
  "/creditsRemaining",
  "/prepaidCreditsUsed",
  "/prepaidCreditsRemaining",
  "/credits/walletApi",
  "/requests/walletApi",
];

function nothingElse({ growth: { moved, of } }: Bill): Shown["finding"] {
  const other = moved.find((at) => !own.includes(at));
  return other === undefined ? held : broken(other, "as before", `${of(other).toFixed()} more`);
}

const credited: Judge = ({ growth, calls: count }) => by(growth, "/credits/walletApi", count * price);
const counted: Judge = ({ growth, calls: count }) => by(growth, "/requests/walletApi", count);
const totalled: Judge = ({ growth, calls: count }) => by(growth, "/creditsUsed", count * price);
const moves: Judge = ({ growth }) =>
  must(growth.of("/creditsUsed").gt(0), "/creditsUsed", "more than before", growth.of("/creditsUsed"));
const judges: readonly Judge[] = [moves, credited, counted, totalled, fromOnePool, nothingElse];

const creditedAndCounted = (growth: Growth, count: number): readonly Shown[] => [
  { exchange: growth.exchange, finding: by(growth, "/credits/walletApi", count * price) },
  { exchange: growth.exchange, finding: by(growth, "/requests/walletApi", count) },
];

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

/** Every project is charged for `count` calls. */
const eachCharged = (growths: readonly Growth[], count: number): readonly Shown[] =>
  growths.flatMap((growth) => creditedAndCounted(growth, count));

const attributed = scenario("AUTH-ALL-02", needs([usage({ as: "other" }), ...turns]), (context) =>
  judgeSettled(context, chargedCalls(["paid", "other"], turns, 2, { judge: eachCharged, isAsRequired: allHold })),
);

const apartFrom = scenario("MET-SCOPE-01", needs([usage({ as: "other" }), ...othersCalls]), async (context) => {
  const judge = ([payers, others]: readonly Growth[]): readonly Shown[] => {
    if (!payers || !others?.moved.length) throw new Withheld("masked: the other project's calls aren't charged to it");
    const [first] = payers.moved;
    return [
      {
        exchange: payers.exchange,
        finding:
          first === undefined
            ? held
            : broken(first, "as before: another project's calls", `${payers.of(first).toFixed()} more`),
      },
    ];
  };
  const sendLater: ChargedCalls<unknown>["sendLater"] = () => served(context, [balances({ as: "other" })]);
  return judgeSettled(context, {
    ...chargedCalls(["paid", "other"], othersCalls, othersCalls.length, { judge, isAsRequired: allHold }),
    payers: ["other"],
    sendLater,
  });
});

const together = scenario("MET-SCOPE-02", needs([usage({ as: "second" }), ...bothKeys]), (context) => {
  const sendLater: ChargedCalls<unknown>["sendLater"] = () => served(context, [balances()]);
  return judgeSettled(context, {
    ...chargedCalls(["paid", "second"], bothKeys, bothKeys.length, { judge: eachCharged, isAsRequired: allHold }),
    sendLater,
  });
});

/** Identical calls at once. */
const parallel: readonly Stimulus[] = Array.from({ length: 10 }, (_, again) => balances({ again }));

const { when: _, ...besideOthers } = needs(parallel);

const concurrent = scenario("MET-CONC-01", { ...besideOthers, consent: "throttle" }, (context) => {
  const send = async (): Promise<number> => {
    const count = (await context.atOnce(parallel.map(context.fresh))).filter(isServed).length;
    if (count < 2) throw new Withheld(`only ${count} of ${parallel.length} calls at once were served`);
    return count;
  };
  return judgeSettled(context, {
    ...chargedCalls(["paid"], parallel, parallel.length, { judge: eachCharged, isAsRequired: allHold }),
    send,
  });
});

const creditsOnly = ([growth]: readonly Growth[], count: number): readonly Shown[] =>
  growth ? [{ exchange: growth.exchange, finding: by(growth, "/credits/walletApi", count * price) }] : [];

/** The first call of a project that no other check calls before. */
const firstCall = balances({ as: "free" });
const fromTheFirst = scenario("MET-WAL-01", needs([usage({ as: "free" }), firstCall]), (context) =>
  judgeSettled(
    context,
    chargedCalls(["free"], [firstCall], 1, { judge: creditsOnly, isAsRequired: allHold, isFirst: true }),
  ),
);

/** No discount after many calls. */
const many = 1_000;
const toTheLast = scenario("MET-WAL-06", { ...needs([balances()]), control: { reads: 4 } }, async (context) => {
  const project = await context.project();
  await project.consume("walletApi", String(price), { times: many });
  return judgeSettled(
    context,
    chargedCalls([project.asker], [balances({ as: project.asker })], 1, { judge: creditsOnly, isAsRequired: allHold }),
  );
});

export const checks: readonly Check[] = [
  { ...fromTheFirst, optional: true },
  { ...toTheLast, optional: true },
  ...each("MET-CRED-01", moves),
  ...each("MET-WAL-01", credited),
  ...each("MET-WAL-02", counted),
  ...each("MET-WAL-03", totalled),
  ...each("MET-WAL-04", fromOnePool),
  ...each("MET-WAL-05", nothingElse),
  attributed,
  apartFrom,
  together,
  concurrent,
];

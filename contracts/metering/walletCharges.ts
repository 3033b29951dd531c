// Is every wallet call charged 100 credits and counted once, to the project of its key, and is nothing else? (§4.2, §5.1, §8; register §1.5)
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
  type Asking,
  batch,
  domain,
  feature,
  identity,
  unknownAddresses,
  type WalletOperation,
  wallet,
  walletBaseline,
  walletBaselines,
} from "../wallet/requests.ts";
import { holds, type Metered, settled } from "./settlement.ts";
import { type Growth, notQuiet } from "./usageMeasurement.ts";

/** Credits per call (§8). */
const price = 100;

const needs = (requests: readonly Stimulus[]) =>
  ({ feature, requests: [usage({ as: "paid" }), ...requests], unless: notQuiet, when: "alone" }) as const;

/** What isn't served may be charged or not. */
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

const balances = (options: Asking = {}): Stimulus =>
  walletBaseline("getWalletBalances").ask({ as: "paid", ...options });

const openToAll: readonly WalletOperation[] = ["getWalletHistory", "getWalletTransfers", "getWalletBalances"];
const openToPaid: readonly WalletOperation[] = [...openToAll, "getWalletFundedBy", "getWalletIdentity"];

/** By turns of endpoints that aren't in question: what isn't charged itself, or not when repeated, shows nothing behind others. */
function laterThan(stimuli: readonly Stimulus[], as: Asker, nth: number): Stimulus {
  const others = (as === "free" ? openToAll : openToPaid).filter((operation) =>
    stimuli.every((one) => one.operation !== operation),
  );
  return walletBaseline(others[nth % others.length] ?? "getWalletBalances").ask({ as });
}

/** Calls of each project whose figures are read, and one later call of each. */
const charging = <Found>(
  askers: readonly Asker[],
  stimuli: readonly Stimulus[],
  calls: number,
  rest: Pick<Metered<Found>, "judge" | "isAsPromised" | "isFirst">,
): Metered<Found> => ({
  askers,
  feature,
  ask: async (context) => {
    await served(context, stimuli);
    return calls;
  },
  later: (context, nth) =>
    served(
      context,
      askers.map((as) => laterThan(stimuli, as, nth)),
    ),
  ...rest,
});

interface Call {
  readonly stimulus: Stimulus;
  /** What the target may not know, or the platform not serve, without anything being withheld for it. */
  readonly isExtra?: boolean;
}

/** One call of each endpoint, which others ask for as well (the owner is whoever pays), and what might be priced otherwise: a full batch, a key in the query, a domain. */
const calls: readonly Call[] = [
  { stimulus: balances() },
  ...walletBaselines
    .filter(({ operation }) => operation !== "getWalletBalances")
    .map(({ ask }) => ({ stimulus: ask() })),
  { stimulus: batch([wallet(0), ...unknownAddresses(99)]) },
  { stimulus: walletBaseline("getWalletBalances").ask({ keyIn: "query" }), isExtra: true },
  { stimulus: identity(domain(0)), isExtra: true },
];

/** The growth by one call, and by later ones where they were needed to settle it. */
interface Bill {
  readonly growth: Growth;
  readonly calls: number;
}

function billOf(context: CheckContext, stimulus: Stimulus): Promise<Bill> {
  // By the name of the call, whoever asks first.
  const bills = context.once("bills of wallet calls", () => new Map<string, Promise<Bill>>());
  const name = nameOf(stimulus);
  const judge = ([growth]: readonly Growth[], count: number): Bill => ({ growth: growth as Growth, calls: count });
  const found = bills.get(name) ?? settled(context, charging(["paid"], [stimulus], 1, { judge, isAsPromised }));
  bills.set(name, found);
  // What got no answer may be tried again.
  found.catch((error: unknown) => error instanceof Withheld || bills.delete(name));
  return found;
}

const isAsPromised = (bill: Bill): boolean => promises.every((judge) => judge(bill).outcome !== "broken");

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

/** What the plan has left, by the last read; none where it says nothing. */
const leftOf = ({ exchange }: Growth): number => figure(exchange, "/creditsRemaining")?.toNumber() ?? 0;

/** Each credit comes from one pool; what the plan has left can't fall below 0. */
function fromOnePool({ growth, calls: count }: Bill): Shown["finding"] {
  const amount = count * price;
  const [regular, prepaid, left] = [
    growth.of("/creditsRemaining").neg(),
    growth.of("/prepaidCreditsUsed"),
    growth.of("/prepaidCreditsRemaining"),
  ];
  const paid = regular.plus(prepaid);
  // Overage, whoever pays for it: no pool has to.
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
  const strange = moved.find((at) => !own.includes(at));
  return strange === undefined ? held : broken(strange, "as before", `${of(strange).toFixed()} more`);
}

const credited: Judge = ({ growth, calls: count }) => by(growth, "/credits/walletApi", count * price);
const counted: Judge = ({ growth, calls: count }) => by(growth, "/requests/walletApi", count);
const totalled: Judge = ({ growth, calls: count }) => by(growth, "/creditsUsed", count * price);
const moves: Judge = ({ growth }) =>
  must(growth.of("/creditsUsed").gt(0), "/creditsUsed", "more than before", growth.of("/creditsUsed"));
const promises: readonly Judge[] = [moves, credited, counted, totalled, fromOnePool, nothingElse];

const told = (growth: Growth, count: number): readonly Shown[] => [
  { exchange: growth.exchange, finding: by(growth, "/credits/walletApi", count * price) },
  { exchange: growth.exchange, finding: by(growth, "/requests/walletApi", count) },
];

/** By turns over one connection, so that whoever remembers the last caller is found out. */
const byTurns: readonly (readonly [as: Asker, keyIn: "header" | "query"])[] = [
  ["paid", "header"],
  ["other", "query"],
  ["paid", "query"],
  ["other", "header"],
];

const turns = byTurns.map(([as, keyIn], nth) => balances({ as, keyIn, again: nth }));
const unknownKeyCalls = [0, 1].map((again) => balances({ as: "other", again }));
const bothKeys = (["paid", "second"] as const).map((as) => balances({ as }));

/** Each of the askers is told of so many calls. */
const describeEach = (growths: readonly Growth[], count: number): readonly Shown[] =>
  growths.flatMap((growth) => told(growth, count));

const attributed = scenario("AUTH-ALL-02", needs([usage({ as: "other" }), ...turns]), (context) =>
  settled(context, charging(["paid", "other"], turns, 2, { judge: describeEach, isAsPromised: holds })),
);

const apartFrom = scenario("MET-SCOPE-01", needs([usage({ as: "other" }), ...unknownKeyCalls]), async (context) => {
  const judge = ([payers, others]: readonly Growth[]): readonly Shown[] => {
    if (!payers || !others?.moved.length)
      throw new Withheld("hidden: the calls of the other project aren't charged to it");
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
  const later: Metered<unknown>["later"] = () => served(context, [balances({ as: "other" })]);
  return settled(context, {
    ...charging(["paid", "other"], unknownKeyCalls, unknownKeyCalls.length, { judge, isAsPromised: holds }),
    payers: ["other"],
    later,
  });
});

const together = scenario("MET-SCOPE-02", needs([usage({ as: "second" }), ...bothKeys]), (context) => {
  const later: Metered<unknown>["later"] = () => served(context, [balances()]);
  return settled(context, {
    ...charging(["paid", "second"], bothKeys, bothKeys.length, { judge: describeEach, isAsPromised: holds }),
    later,
  });
});

/** Identical calls at once. */
const parallel: readonly Stimulus[] = Array.from({ length: 10 }, (_, again) => balances({ again }));

const { when: _, ...besideOthers } = needs(parallel);

const concurrent = scenario("MET-CONC-01", { ...besideOthers, consent: "throttle" }, (context) => {
  const ask = async (): Promise<number> => {
    const count = (await context.atOnce(parallel.map(context.fresh))).filter(isServed).length;
    if (count < 2) throw new Withheld(`only ${count} of ${parallel.length} calls at once were served`);
    return count;
  };
  return settled(context, {
    ...charging(["paid"], parallel, parallel.length, { judge: describeEach, isAsPromised: holds }),
    ask,
  });
});

const creditsOnly = ([growth]: readonly Growth[], count: number): readonly Shown[] =>
  growth ? [{ exchange: growth.exchange, finding: by(growth, "/credits/walletApi", count * price) }] : [];

/** Of a project for which nothing else has been asked yet. */
const firstCall = balances({ as: "free" });
const fromTheFirst = scenario("MET-WAL-01", needs([usage({ as: "free" }), firstCall]), (context) =>
  settled(context, charging(["free"], [firstCall], 1, { judge: creditsOnly, isAsPromised: holds, isFirst: true })),
);

/** No discount, however many came before. */
const many = 1_000;
const toTheLast = scenario("MET-WAL-06", { ...needs([balances()]), control: { reads: 4 } }, async (context) => {
  const project = await context.project();
  await project.consume("walletApi", String(price), { times: many });
  return settled(
    context,
    charging([project.asker], [balances({ as: project.asker })], 1, { judge: creditsOnly, isAsPromised: holds }),
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

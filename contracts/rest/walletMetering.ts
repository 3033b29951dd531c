// Is every wallet call charged 100 credits and counted once, to the project of its key, and is nothing else? (§4.2, §5.1, §8; register §1.5)
import Big from "big.js";
import { type Bench, type Check, type Shown, scenario, Withheld } from "../../harness/check.ts";
import { broken, held, must, near } from "../../harness/finding.ts";
import { isServed, outcomeOf } from "../../harness/rpc.ts";
import { type Asker, afresh, type Stimulus } from "../../harness/stimulus.ts";
import type { Target } from "../../harness/target.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { usage } from "../stimuli.ts";
import { type Growth, notQuiet } from "./metered.ts";
import { holds, type Metered, settled } from "./settled.ts";
import { type Asking, batch, goodWallet, goodWallets, part, strangers, wallet } from "./walletRequests.ts";

/** Credits per call (§8). */
const price = 100;

const needs = (asks: readonly Stimulus[]) => ({ part, asks: [usage({ as: "paid" }), ...asks], unless: notQuiet, first: true }) as const;

/** Numbers that nothing else asks by. */
const apart = 1_000;

async function served(bench: Bench, stimuli: readonly Stimulus[], go: number): Promise<void> {
  for (const stimulus of stimuli) {
    const exchange = await bench.ask(afresh(stimulus, go * apart));
    if (!isServed(exchange)) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
  }
}

/** Balances once more, as the contrast may have asked for them before. */
const again = 900;
const balances = (options: Asking = {}): Stimulus => goodWallet("getWalletBalances").ask({ as: "paid", again, ...options });

/** Calls of each project whose figures are read, and one later call of each. */
const charging = <Found>(
  askers: readonly Asker[],
  stimuli: readonly Stimulus[],
  calls: number,
  rest: Pick<Metered<Found>, "judge" | "isAsPromised" | "isFirst">,
): Metered<Found> => ({
  askers,
  part,
  ask: async (bench, go) => {
    await served(bench, stimuli, go);
    return calls;
  },
  later: (bench, go) =>
    served(
      bench,
      askers.map((as) => balances({ as })),
      go,
    ),
  ...rest,
});

/** One call of each endpoint, and a batch of a hundred, each between settled reads. */
const calls: readonly Stimulus[] = [
  balances(),
  ...goodWallets.filter(({ operation }) => operation !== "getWalletBalances").map(({ ask }) => ask({ as: "paid" })),
  batch([wallet(0), ...strangers(99)]),
];

/** The growth by one call, and by later ones where they were needed to settle it. */
interface Bill {
  readonly growth: Growth;
  readonly calls: number;
}

/** Of one run, whoever asks first. */
const known = new WeakMap<Target, Promise<readonly Bill[]>>();

function bills(bench: Bench): Promise<readonly Bill[]> {
  const found = known.get(bench.target) ?? measured(bench);
  known.set(bench.target, found);
  // What couldn't be measured may be tried again.
  found.catch(() => known.delete(bench.target));
  return found;
}

async function measured(bench: Bench): Promise<readonly Bill[]> {
  const all: Bill[] = [];
  for (const stimulus of calls) {
    const judge = ([growth]: readonly Growth[], count: number): Bill => ({ growth: growth as Growth, calls: count });
    all.push(await settled(bench, charging(["paid"], [stimulus], 1, { judge, isAsPromised })));
  }
  return all;
}

const isAsPromised = (bill: Bill): boolean => promises.every((judge) => judge(bill)?.outcome !== "broken");

type Judge = (bill: Bill) => Shown["finding"] | undefined;

const each = (id: RequirementId, judge: Judge): Check =>
  scenario(id, needs(calls), async (bench) =>
    (await bills(bench)).flatMap((bill) => {
      const finding = judge(bill);
      return finding ? [{ exchange: bill.growth.exchange, finding }] : [];
    }),
  );

const by = (growth: Growth, at: string, amount: number) => near(at, growth.of(at), new Big(amount), { within: 0 });

/** Each credit comes from one pool; what the plan has left can't fall below 0. */
function fromOnePool({ growth, calls: count }: Bill): Shown["finding"] | undefined {
  const amount = count * price;
  const [regular, prepaid, left] = [growth.of("/creditsRemaining").neg(), growth.of("/prepaidCreditsUsed"), growth.of("/prepaidCreditsRemaining")];
  if (regular.eq(0) && prepaid.eq(0) && growth.of("/creditsUsed").eq(amount)) {
    const remaining = growth.exchange.answer?.json ? Number((growth.exchange.answer.json.value as { readonly creditsRemaining?: unknown }).creditsRemaining) : 0;
    // Overage: whoever pays for it, no pool has to.
    if (remaining === 0) return undefined;
  }
  const isOnce = regular.plus(prepaid).eq(amount) && left.eq(prepaid.neg());
  return must(
    isOnce,
    "/creditsRemaining",
    `${amount} from the plan or from prepaid credits, once`,
    `${regular.toFixed()} from the plan, ${prepaid.toFixed()} prepaid, prepaid left ${left.toFixed()}`,
  );
}

const own = ["/creditsUsed", "/creditsRemaining", "/prepaidCreditsUsed", "/prepaidCreditsRemaining", "/credits/walletApi", "/requests/walletApi"];

function nothingElse({ growth: { moved, of } }: Bill): Shown["finding"] {
  const strange = moved.find((at) => !own.includes(at));
  return strange === undefined ? held : broken(strange, "as before", `${of(strange).toFixed()} more`);
}

const credited: Judge = ({ growth, calls: count }) => by(growth, "/credits/walletApi", count * price);
const counted: Judge = ({ growth, calls: count }) => by(growth, "/requests/walletApi", count);
const totalled: Judge = ({ growth, calls: count }) => by(growth, "/creditsUsed", count * price);
const moves: Judge = ({ growth }) => must(growth.of("/creditsUsed").gt(0), "/creditsUsed", "more than before", growth.of("/creditsUsed"));
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

const turns = byTurns.map(([as, keyIn], nth) => balances({ as, keyIn, again: again + 1 + nth }));
const strangersCalls = [0, 1].map((nth) => balances({ as: "other", again: again + 10 + nth }));
const bothKeys = (["paid", "second"] as const).map((as) => balances({ as, again: again + 20 }));

/** Each of the askers is told of so many calls. */
const toldEach = (growths: readonly Growth[], count: number): readonly Shown[] => growths.flatMap((growth) => told(growth, count));

const attributed = scenario("AUTH-ALL-02", needs([usage({ as: "other" }), ...turns]), (bench) =>
  settled(bench, charging(["paid", "other"], turns, 2, { judge: toldEach, isAsPromised: holds })),
);

const apartFrom = scenario("MET-SCOPE-01", needs([usage({ as: "other" }), ...strangersCalls]), async (bench) => {
  const judge = ([payers, others]: readonly Growth[]): readonly Shown[] => {
    if (!payers || !others?.moved.length) throw new Withheld("hidden: the calls of the other project aren't charged to it");
    const [first] = payers.moved;
    return [{ exchange: payers.exchange, finding: first === undefined ? held : broken(first, "as before: another project's calls", `${payers.of(first).toFixed()} more`) }];
  };
  const later: Metered<unknown>["later"] = (_, go) => served(bench, [balances({ as: "other" })], go);
  return settled(bench, { ...charging(["paid", "other"], strangersCalls, strangersCalls.length, { judge, isAsPromised: holds }), payers: ["other"], later });
});

const together = scenario("MET-SCOPE-02", needs([usage({ as: "second" }), ...bothKeys]), (bench) => {
  const later: Metered<unknown>["later"] = (_, go) => served(bench, [balances()], go);
  return settled(bench, { ...charging(["paid", "second"], bothKeys, bothKeys.length, { judge: toldEach, isAsPromised: holds }), later });
});

/** Identical calls at once. */
const parallel: readonly Stimulus[] = Array.from({ length: 10 }, (_, nth) => balances({ again: again + 100 + nth }));

const concurrent = scenario("MET-CONC-01", { ...needs(parallel), first: false, consent: "throttle" }, (bench) => {
  const ask = async (_: Bench, go: number): Promise<number> => {
    const count = (await bench.atOnce(parallel.map((one) => afresh(one, go * apart)))).filter(isServed).length;
    if (count < 2) throw new Withheld(`only ${count} of ${parallel.length} calls at once were served`);
    return count;
  };
  return settled(bench, { ...charging(["paid"], parallel, parallel.length, { judge: toldEach, isAsPromised: holds }), ask });
});

const creditsOnly = ([growth]: readonly Growth[], count: number): readonly Shown[] =>
  growth ? [{ exchange: growth.exchange, finding: by(growth, "/credits/walletApi", count * price) }] : [];

/** Of a project for which nothing else has been asked yet. */
const firstCall = balances({ as: "free" });
const fromTheFirst = scenario("MET-WAL-01", needs([usage({ as: "free" }), firstCall]), (bench) =>
  settled(bench, charging(["free"], [firstCall], 1, { judge: creditsOnly, isAsPromised: holds, isFirst: true })),
);

/** No discount, however many came before. */
const many = 1_000;
const toTheLast = scenario("MET-WAL-06", { ...needs([balances()]), control: { reads: 4 } }, async (bench) => {
  const project = await bench.project();
  await project.consume("walletApi", String(price), { times: many });
  return settled(bench, charging([project.asker], [balances({ as: project.asker })], 1, { judge: creditsOnly, isAsPromised: holds }));
});

export const checks: readonly Check[] = [
  { ...fromTheFirst, optional: true },
  { ...toTheLast, optional: true },
  each("MET-CRED-01", moves),
  each("MET-WAL-01", credited),
  each("MET-WAL-02", counted),
  each("MET-WAL-03", totalled),
  each("MET-WAL-04", fromOnePool),
  each("MET-WAL-05", nothingElse),
  attributed,
  apartFrom,
  together,
  concurrent,
];

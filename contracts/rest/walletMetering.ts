// Is every wallet call charged 100 credits and counted once, to the project of its key, and is nothing else? (§4.2, §5.1, §8; register §1.5)
import Big from "big.js";
import { type Bench, type Check, type Shown, scenario, Withheld } from "../../harness/check.ts";
import type { Exchange } from "../../harness/exchange.ts";
import { broken, held, must, near } from "../../harness/finding.ts";
import { isServed, outcomeOf } from "../../harness/rpc.ts";
import { type Asker, afresh, nameOf, type Stimulus } from "../../harness/stimulus.ts";
import type { Target } from "../../harness/target.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { usage } from "../stimuli.ts";
import { figure } from "./desk.ts";
import { type Growth, growthBy, isSteady, notQuiet } from "./metered.ts";
import { type Asking, batch, domain, goodWallet, goodWallets, identity, part, strangers, wallet } from "./walletRequests.ts";

/** Credits per call (§8). */
const price = 100;

const needs = (asks: readonly Stimulus[]) => ({ part, asks: [usage({ as: "paid" }), ...asks], unless: notQuiet, first: true }) as const;

async function served(bench: Bench, stimulus: Stimulus): Promise<void> {
  const exchange = await bench.ask(stimulus);
  if (!isServed(exchange)) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
}

/** Balances once more, as the contrast may have asked for them before. */
const again = 900;
const balances = (options: Asking = {}): Stimulus => goodWallet("getWalletBalances").ask({ as: "paid", again, ...options });

interface Call {
  readonly stimulus: Stimulus;
  /** What the target may not know, or the platform not serve, without anything being withheld for it. */
  readonly isExtra?: boolean;
}

/** One call of each endpoint, which others ask for as well (the owner is whoever pays), and what might be priced otherwise: a full batch, a key in the query, a domain. Each between settled reads. */
const calls: readonly Call[] = [
  { stimulus: balances() },
  ...goodWallets.filter(({ operation }) => operation !== "getWalletBalances").map(({ ask }) => ({ stimulus: ask() })),
  { stimulus: batch([wallet(0), ...strangers(99)]) },
  { stimulus: goodWallet("getWalletBalances").ask({ keyIn: "query" }), isExtra: true },
  { stimulus: identity(domain(0)), isExtra: true },
];

/** Two of two endpoints, not asked for before: one charge alone might be that of an earlier call. */
const laterCalls = (as: Asker): readonly Stimulus[] =>
  (["getWalletHistory", "getWalletTransfers"] as const).map((operation) => goodWallet(operation).ask(as === "paid" ? { as, again: again + 200 } : { as }));

/** After how long later charges show, which settles what came before (register, amendment 5). @throws Withheld where they don't either */
async function settledBy(bench: Bench, as: Asker): Promise<number> {
  const { of, shown_ms } = await growthBy(bench, as, () => askAll(bench, laterCalls(as)));
  const areBoth = of("/requests/walletApi").gte(2) || of("/credits/walletApi").gte(2 * price);
  if (shown_ms === null || !areBoth) throw new Withheld("no charge showed in half a minute: it may come later");
  return shown_ms;
}

interface Measured extends Growth {
  readonly call: Exchange;
}

/** What is learnt in one run, whoever asks first. */
interface Learnt {
  readonly growths: Map<string, Promise<Measured>>;
  shows_ms?: number;
  /** Why nothing can be measured there. */
  vain?: Withheld;
  isSteady?: boolean;
  failures: number;
}
const known = new WeakMap<Target, Learnt>();

function learntOn(target: Target): Learnt {
  const learnt = known.get(target) ?? { growths: new Map(), failures: 0 };
  known.set(target, learnt);
  return learnt;
}

function growthOf(bench: Bench, stimulus: Stimulus): Promise<Measured> {
  const learnt = learntOn(bench.target);
  const name = nameOf(stimulus);
  const found = learnt.growths.get(name) ?? measured(bench, afresh(stimulus, 10_000 * learnt.failures), learnt);
  learnt.growths.set(name, found);
  found.catch((error: unknown) => {
    if (error instanceof Withheld) return;
    // What drew no answer may be tried again, by a call of its own: one that is remembered is charged no more.
    learnt.growths.delete(name);
    learnt.failures += 1;
  });
  return found;
}

async function measured(bench: Bench, stimulus: Stimulus, learnt: Learnt): Promise<Measured> {
  if (learnt.vain) throw learnt.vain;
  try {
    const { shows_ms } = learnt;
    let asked: Promise<Exchange> | undefined;
    // A refused call may be charged too: its charge is waited for, lest it be taken for that of the next.
    const growth = await growthBy(bench, "paid", () => (asked = bench.ask(stimulus)), shows_ms === undefined ? {} : { shows_ms });
    if (growth.shown_ms !== null) learnt.shows_ms = Math.max(shows_ms ?? 0, growth.shown_ms);
    else if (shows_ms === undefined && !bench.target.isReference) learnt.shows_ms = await settledBy(bench, "paid");
    return { ...growth, call: await (asked ?? bench.ask(stimulus)) };
  } catch (error) {
    if (error instanceof Withheld) learnt.vain = error;
    throw error;
  }
}

/** Figures that move by themselves, as where a read costs a fraction, say nothing of a call. */
async function judged(bench: Bench, growth: Growth, finding: Shown["finding"]): Promise<Shown> {
  const learnt = learntOn(bench.target);
  if (finding.outcome === "broken" && !(learnt.isSteady ??= await isSteady(bench, "paid"))) throw new Withheld("its figures move although nothing is asked");
  return { exchange: growth.exchange, finding };
}

const each = (id: RequirementId, judge: (growth: Growth) => Shown["finding"]): readonly Check[] =>
  calls.map(({ stimulus, isExtra = false }, nth) => {
    const asks = nth === 0 ? [stimulus, ...laterCalls("paid")] : [stimulus];
    const one = scenario(id, needs(asks), async (bench) => {
      const growth = await growthOf(bench, stimulus);
      const { call, before } = growth;
      if (!isServed(call)) {
        if (isExtra) return [{ exchange: call, finding: held }];
        throw new Withheld(`hidden: it drew ${outcomeOf(call)}`);
      }
      const finding = judge(growth);
      // A suspicious answer is asked for again, beside healthy calls that cost as well.
      if (finding.outcome === "broken" && call.number !== before.number + 1) throw new Withheld("hidden: it had to be asked for again");
      return [await judged(bench, growth, finding)];
    });
    return { ...one, optional: isExtra };
  });

const by = (growth: Growth, at: string, amount: number) => near(at, growth.of(at), new Big(amount), { within: 0 });

/** What the plan has left, by the last read; none where it says nothing. */
const leftOf = ({ exchange }: Growth): number => figure(exchange, "/creditsRemaining")?.toNumber() ?? 0;

/** Each credit comes from one pool; what the plan has left can't fall below 0. */
function fromOnePool(growth: Growth): Shown["finding"] {
  const [regular, prepaid, left] = [growth.of("/creditsRemaining").neg(), growth.of("/prepaidCreditsUsed"), growth.of("/prepaidCreditsRemaining")];
  const paid = regular.plus(prepaid);
  // Overage, whoever pays for it: no pool has to.
  const isOver = leftOf(growth) === 0 && regular.gte(0) && prepaid.gte(0) && paid.lt(price) && growth.of("/creditsUsed").eq(price);
  return must(
    (paid.eq(price) || isOver) && left.eq(prepaid.neg()),
    "/creditsRemaining",
    `${price} from the plan or from prepaid credits, once`,
    `${regular.toFixed()} from the plan, ${prepaid.toFixed()} prepaid, prepaid left ${left.toFixed()}`,
  );
}

const own = ["/creditsUsed", "/creditsRemaining", "/prepaidCreditsUsed", "/prepaidCreditsRemaining", "/credits/walletApi", "/requests/walletApi"];

function nothingElse({ moved, of }: Growth): Shown["finding"] {
  const strange = moved.find((at) => !own.includes(at));
  return strange === undefined ? held : broken(strange, "as before", `${of(strange).toFixed()} more`);
}

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

const askAll = async (bench: Bench, stimuli: readonly Stimulus[]): Promise<void> => {
  for (const stimulus of stimuli) await served(bench, stimulus);
};

const attributed = scenario("AUTH-ALL-02", needs([usage({ as: "other" }), ...turns]), async (bench) => {
  let others: Growth | undefined;
  const payers = await growthBy(bench, "paid", async () => {
    others = await growthBy(bench, "other", () => askAll(bench, turns));
  });
  return [...told(payers, 2), ...(others ? told(others, 2) : [])];
});

const apart = scenario("MET-SCOPE-01", needs([usage({ as: "other" }), ...strangersCalls]), async (bench) => {
  let others: Growth | undefined;
  const payers = await growthBy(
    bench,
    "paid",
    async () => {
      others = await growthBy(bench, "other", () => askAll(bench, strangersCalls));
    },
    { shows_ms: 0 },
  );
  if (!others?.moved.length) throw new Withheld("hidden: the calls of the other project aren't charged to it");
  const [first] = payers.moved;
  return [await judged(bench, payers, first === undefined ? held : broken(first, "as before: another project's calls", `${payers.of(first).toFixed()} more`))];
});

const together = scenario("MET-SCOPE-02", needs([usage({ as: "second" }), ...bothKeys]), async (bench) => [
  ...told(await growthBy(bench, "paid", () => askAll(bench, bothKeys)), 2),
  ...told(
    await growthBy(bench, "second", () =>
      askAll(
        bench,
        bothKeys.map((one) => ({ ...one, again: again + 21 })),
      ),
    ),
    2,
  ),
]);

/** Identical calls at once. */
const parallel: readonly Stimulus[] = Array.from({ length: 10 }, (_, nth) => balances({ again: again + 100 + nth }));

const concurrent = scenario("MET-CONC-01", { ...needs(parallel), first: false, consent: "throttle" }, async (bench) => {
  let count = 0;
  const growth = await growthBy(bench, "paid", async () => {
    count = (await bench.atOnce(parallel)).filter(isServed).length;
  });
  if (count < 2) throw new Withheld(`only ${count} of ${parallel.length} calls at once were served`);
  return told(growth, count);
});

/** Of a project for which nothing else has been asked yet. */
const firstCall = balances({ as: "free" });
const fromTheFirst = scenario("MET-WAL-01", needs([usage({ as: "free" }), firstCall, ...laterCalls("free")]), async (bench) => {
  const growth = await growthBy(bench, "free", () => served(bench, firstCall));
  if (growth.shown_ms === null && !bench.target.isReference) await settledBy(bench, "free");
  return [{ exchange: growth.exchange, finding: by(growth, "/credits/walletApi", price) }];
});

/** No discount, however many came before. */
const many = 1_000;
const toTheLast = scenario("MET-WAL-06", { ...needs([balances()]), control: { reads: 4 } }, async (bench) => {
  const project = await bench.project();
  await project.consume("walletApi", String(price), { times: many });
  const growth = await growthBy(bench, project.asker, () => served(bench, balances({ as: project.asker })));
  return [{ exchange: growth.exchange, finding: by(growth, "/credits/walletApi", price) }];
});

export const checks: readonly Check[] = [
  { ...fromTheFirst, optional: true },
  { ...toTheLast, optional: true },
  ...each("MET-CRED-01", (growth) => must(growth.of("/creditsUsed").gt(0), "/creditsUsed", "more than before", growth.of("/creditsUsed"))),
  ...each("MET-WAL-01", (growth) => by(growth, "/credits/walletApi", price)),
  ...each("MET-WAL-02", (growth) => by(growth, "/requests/walletApi", 1)),
  ...each("MET-WAL-03", (growth) => by(growth, "/creditsUsed", price)),
  ...each("MET-WAL-04", fromOnePool),
  ...each("MET-WAL-05", nothingElse),
  attributed,
  apart,
  together,
  concurrent,
];

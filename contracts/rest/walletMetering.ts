// Is every wallet call charged 100 credits and counted once, to the project of its key, and is nothing else? (§4.2, §5.1, §8; register §1.5)
import Big from "big.js";
import { type Bench, type Check, type Shown, scenario, Withheld } from "../../harness/check.ts";
import { broken, held, must, near } from "../../harness/finding.ts";
import { isServed, outcomeOf } from "../../harness/rpc.ts";
import type { Asker, Stimulus } from "../../harness/stimulus.ts";
import type { Target } from "../../harness/target.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { usage } from "../stimuli.ts";
import { type Growth, growthBy, notQuiet } from "./metered.ts";
import { type Asking, batch, goodWallet, goodWallets, part, strangers, wallet } from "./walletRequests.ts";

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

/** One call of each endpoint, and a batch of a hundred, each between settled reads. */
const calls: readonly Stimulus[] = [
  balances(),
  ...goodWallets.filter(({ operation }) => operation !== "getWalletBalances").map(({ ask }) => ask({ as: "paid" })),
  batch([wallet(0), ...strangers(99)]),
];

/** Of one run, whoever asks first. */
const known = new WeakMap<Target, Promise<readonly Growth[]>>();

function growths(bench: Bench): Promise<readonly Growth[]> {
  const found = known.get(bench.target) ?? measured(bench);
  known.set(bench.target, found);
  // What couldn't be measured may be tried again.
  found.catch(() => known.delete(bench.target));
  return found;
}

async function measured(bench: Bench): Promise<readonly Growth[]> {
  const all: Growth[] = [];
  let shows_ms: number | undefined;
  for (const stimulus of calls) {
    const growth = await growthBy(bench, "paid", () => served(bench, stimulus), shows_ms === undefined ? {} : { shows_ms });
    if (growth.shown_ms === null && shows_ms === undefined && !bench.target.isReference) throw new Withheld("no charge showed in half a minute: it may come later");
    if (growth.shown_ms !== null) shows_ms = Math.max(shows_ms ?? 0, growth.shown_ms);
    all.push(growth);
  }
  return all;
}

const each = (id: RequirementId, judge: (growth: Growth) => Shown["finding"] | undefined): Check =>
  scenario(id, needs(calls), async (bench) =>
    (await growths(bench)).flatMap((growth) => {
      const finding = judge(growth);
      return finding ? [{ exchange: growth.exchange, finding }] : [];
    }),
  );

const by = (growth: Growth, at: string, amount: number) => near(at, growth.of(at), new Big(amount), { within: 0 });

/** Each credit comes from one pool; what the plan has left can't fall below 0. */
function fromOnePool(growth: Growth): Shown["finding"] | undefined {
  const [regular, prepaid, left] = [growth.of("/creditsRemaining").neg(), growth.of("/prepaidCreditsUsed"), growth.of("/prepaidCreditsRemaining")];
  if (regular.eq(0) && prepaid.eq(0) && growth.of("/creditsUsed").eq(price)) {
    const remaining = growth.exchange.answer?.json ? Number((growth.exchange.answer.json.value as { readonly creditsRemaining?: unknown }).creditsRemaining) : 0;
    // Overage: whoever pays for it, no pool has to.
    if (remaining === 0) return undefined;
  }
  const isOnce = regular.plus(prepaid).eq(price) && left.eq(prepaid.neg());
  return must(
    isOnce,
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
  return [{ exchange: payers.exchange, finding: first === undefined ? held : broken(first, "as before: another project's calls", `${payers.of(first).toFixed()} more`) }];
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
const fromTheFirst = scenario("MET-WAL-01", needs([usage({ as: "free" }), firstCall]), async (bench) => {
  const growth = await growthBy(bench, "free", () => served(bench, firstCall));
  if (growth.shown_ms === null && !bench.target.isReference) throw new Withheld("no charge showed in half a minute: it may come later");
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
  each("MET-CRED-01", (growth) => must(growth.of("/creditsUsed").gt(0), "/creditsUsed", "more than before", growth.of("/creditsUsed"))),
  each("MET-WAL-01", (growth) => by(growth, "/credits/walletApi", price)),
  each("MET-WAL-02", (growth) => by(growth, "/requests/walletApi", 1)),
  each("MET-WAL-03", (growth) => by(growth, "/creditsUsed", price)),
  each("MET-WAL-04", fromOnePool),
  each("MET-WAL-05", nothingElse),
  attributed,
  apart,
  together,
  concurrent,
];

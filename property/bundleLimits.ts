// Limits on bundles, status lists and wallet batches: up to the limit served, beyond it refused (§8)
import fc from "fast-check";
import { recentBlockhash } from "../contracts/bundles/blockhashes.ts";
import { idsLike } from "../contracts/bundles/bundleIds.ts";
import { payerFor } from "../contracts/bundles/payer.ts";
import { bundle, feature, landedId, mayNotSend, signedWith, statuses } from "../contracts/bundles/requests.ts";
import type { Signed } from "../contracts/bundles/transactions.ts";
import { notTested, onlyServed } from "../contracts/shared/masked.ts";
import { batch, domain, sampleWallet, unknownAddresses } from "../contracts/wallet/requests.ts";
import { broken, held } from "../harness/core/finding.ts";
import { leftOpen } from "../harness/core/outcomes.ts";
import { noConsent, otherNeed, type UnmetNeed } from "../harness/core/reason.ts";
import type { Asker, RequestSpec } from "../harness/core/requestSpec.ts";
import { type Given, givenAt, pointerOf } from "../harness/core/template.ts";
import type { Check, CheckContext, Shown } from "../harness/model/check.ts";
import type { Target } from "../harness/targets/target.ts";
import { describeOutcome, isServed } from "../harness/transport/answers.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import { differentBundles, type SomeBundle } from "./arbitraries/bundleIdLists.ts";
import type { Of } from "./arbitraries/lists.ts";
import { anEncoding, someTransactions } from "./arbitraries/transactions.ts";
import { property } from "./property.ts";

/** Transactions of a bundle, and ids of a status call (§8). */
const most = 5;

/** A project per case where control makes one, so that earlier requests don't count against its limit. */
export const senderOfBundles = async (context: CheckContext): Promise<Asker> =>
  context.target.control ? (await context.project()).asker : "owner";

const servedOrBroken = (exchange: Exchange, expected: string): Shown => ({
  exchange,
  finding: isServed(exchange) ? held : broken("/error", expected, describeOutcome(exchange)),
});

/** A refusal counts only beside its positive control, which differs in the number alone. */
async function refusedBeside(exchange: Exchange, ask: () => Promise<Exchange>): Promise<Shown> {
  if (isServed(exchange)) return { exchange, finding: broken("/result", "a refusal", "served") };
  onlyServed(await ask(), "the valid request it is compared with");
  return { exchange, finding: held };
}

const bundleOf = (min: number, max: number) => ({
  transactions: someTransactions(min, max),
  /** Which of them tips, modulo their number. */
  tips: fc.nat({ max: most - 1 }),
  encoding: anEncoding,
});

type Generated<Arbitraries> = { readonly [Name in keyof Arbitraries]: Of<Arbitraries[Name]> };
type SomeBundleOf = Generated<ReturnType<typeof bundleOf>>;

async function signedBy(context: CheckContext, { transactions: wanted, tips }: SomeBundleOf) {
  const { target } = context;
  const blockhash = await recentBlockhash(context);
  const payer = payerFor(target);
  return wanted.flatMap(({ version, transfers }, nth): readonly Signed[] => {
    // To the payer itself: others may not live, and nothing need move.
    const own = Array.from({ length: transfers }, (_, more) => ({
      from: payer,
      to: payer.publicKey,
      lamports: BigInt(more + 1),
    }));
    const tip = tips % wanted.length === nth ? "all" : "none";
    return signedWith(target, blockhash, { version, transfers: [own], tip });
  });
}

/** Generated bundles are sent to the reference only, where they cost nothing. */
export const notReal = (target: Target): UnmetNeed | null =>
  target.isReference ? mayNotSend(target) : otherNeed("generated bundles are sent to the reference only");
const ofBundles = { feature, unless: notReal, cases: { few: 0 } } as const;
const sending = (each: number) => ({ calls: 12 * each, payments: 12 * each });

const taken = property(
  "BND-LIM-01",
  bundleOf(1, most),
  async (generated, context) => {
    const signed = await signedBy(context, generated);
    const how = { as: await senderOfBundles(context), encoding: generated.encoding };
    return servedOrBroken(await context.ask(bundle(signed, how)), "a bundle id");
  },
  { ...ofBundles, name: "bundlesTaken", sends: sending(1) },
);

/** The positive control within the limit, still with its tip. */
const fewer = (generated: SomeBundleOf): SomeBundleOf => ({
  ...generated,
  transactions: generated.transactions.slice(0, most),
  tips: generated.tips % most,
});

const refused = property(
  "BND-LIM-02",
  bundleOf(most + 1, most + 3),
  async (generated, context) => {
    const how = { as: await senderOfBundles(context), encoding: generated.encoding };
    const exchange = await context.ask(bundle(await signedBy(context, generated), how));
    const positiveControl = async () => context.ask(bundle(await signedBy(context, fewer(generated)), how));
    return refusedBeside(exchange, positiveControl);
  },
  { ...ofBundles, name: "bundlesRefused", sends: sending(2), cases: { ...ofBundles.cases, many: 100 } },
);

/** The n-th unknown id in the form of the first sample. @throws Withheld for an unknown form */
export function unknownId({ samples }: Target, nth: number): string {
  const [sample] = (samples["landedBundles"] ?? []) as readonly string[];
  const id = sample === undefined ? undefined : idsLike(sample, nth + 1)?.[nth];
  if (id === undefined) throw leftOpen("no other id can be made, as the form of the sample is unknown");
  return id;
}

export const idsOf = ({ target }: CheckContext, bundles: readonly SomeBundle[]): readonly (string | Given)[] =>
  bundles.map((one) => ("known" in one ? landedId(one.known) : unknownId(target, one.unknown)));

const lookUp = (ids: readonly (string | Given)[]): RequestSpec => statuses([ids]);
const ofStatuses = { feature, cases: { some: 12, few: 3 } } as const;
const bothSamples = lookUp([landedId(0), landedId(1)]);

const lookedUp = property(
  "BST-LIM-01",
  { bundles: differentBundles(1, most) },
  async ({ bundles }, context) => {
    const exchange = await context.ask(lookUp(idsOf(context, bundles)));
    const alone = await Promise.all(idsOf(context, bundles).map((id) => context.ask(lookUp([id]))));
    if (!alone.every(isServed)) throw notTested("one id alone isn't served");
    return servedOrBroken(exchange, `${bundles.length} ids accepted`);
  },
  {
    ...ofStatuses,
    name: "idsTaken",
    each: [bothSamples, ...Array.from({ length: most }, () => lookUp([landedId(0)]))],
  },
);

const tooMany = property(
  "BST-LIM-02",
  { bundles: differentBundles(most + 1, 2 * most) },
  async ({ bundles }, context) => {
    const ids = idsOf(context, bundles);
    return refusedBeside(await context.ask(lookUp(ids)), () => context.ask(lookUp(ids.slice(0, most))));
  },
  { ...ofStatuses, name: "idsRefused", each: [bothSamples, bothSamples] },
);

/** Entries of a batch (§8). */
const largest = 100;

const batchOf = (min: number, max: number) => ({
  wallets: fc.nat({ max: 2 }),
  domains: fc.nat({ max: 2 }),
  /** Of all entries. */
  size: fc.integer({ min, max }),
  /** By how many places the entries are rotated. */
  turn: fc.nat({ max }),
});

type SomeBatch = Generated<ReturnType<typeof batchOf>>;

const entriesOf = ({ wallets, domains, size, turn }: SomeBatch, target: Target): readonly (string | Given)[] => {
  const known = [...[0, 1].slice(0, wallets).map(sampleWallet), ...[0, 1].slice(0, domains).map(domain)]
    .filter((placeholder) => givenAt(target, pointerOf(placeholder)) !== undefined)
    .slice(0, size);
  const all = [...known, ...unknownAddresses(size - known.length)];
  return [...all.slice(turn % size), ...all.slice(0, turn % size)];
};

const pair = batch([sampleWallet(0), domain(0)]);
/** Each costs 100 credits, so that on a vendor they need consent. */
export const paid = ({ isReference, allow }: Target): UnmetNeed | null =>
  isReference || allow.includes("paidProbes") ? null : noConsent("paidProbes");
const ofBatches = { feature: "wallet", each: [pair, pair], unless: paid, cases: { some: 8, few: 2 } } as const;

const batchesTaken = property(
  "WAL-BATCH-04",
  batchOf(1, largest),
  async (generated, context) => {
    const exchange = await context.ask(batch(entriesOf(generated, context.target)));
    if (!isServed(exchange) && !isServed(await context.ask(pair))) throw notTested("a batch of two isn't served");
    return servedOrBroken(exchange, `a batch of ${generated.size} served`);
  },
  { ...ofBatches, name: "batchesTaken" },
);

const batchesRefused = property(
  "WAL-BATCH-03",
  batchOf(largest + 1, largest + 5),
  async (generated, context) =>
    refusedBeside(await context.ask(batch(entriesOf(generated, context.target))), () =>
      context.ask(batch(entriesOf({ ...generated, size: largest }, context.target))),
    ),
  { ...ofBatches, name: "batchesRefused" },
);

export const properties: readonly Check[] = [taken, refused, lookedUp, tooMany, batchesTaken, batchesRefused];

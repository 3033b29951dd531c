// Requests about bundles, made of real transactions that the target's payer signs (§4.3)
import { createHash } from "node:crypto";
import { unlike } from "../../harness/core/quoting.ts";
import { noConsent, otherNeed, type UnmetNeed } from "../../harness/core/reason.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import { sample, type Template } from "../../harness/core/template.ts";
import type { Check, CheckContext, Needs, Sends, Shown } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { returnedBy } from "../../harness/transport/fates.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { base58Bytes, base58Text } from "../shared/base58.ts";
import { forFeature } from "../shared/forFeature.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { maskedBy, notTested } from "../shared/masked.ts";
import { jsonRpcRequest } from "../shared/requestSpecs.ts";
import { recentBlockhash } from "./blockhashes.ts";
import type { BundleContext } from "./chainRpc.ts";
import { payerFor } from "./payer.ts";
import { payerNamed, type Signed, type Transfer, transaction } from "./transactions.ts";

export const feature = "bundles";
export const { check, experiment, observeAll, scenario } = forFeature(feature);
export const sendBundleRequest = jsonRpcRequest("sendBundle");
export const statuses = jsonRpcRequest("getBundleStatuses");
export const simulate = jsonRpcRequest("simulateBundle");

export const landedId = (nth: number) => sample(`landedBundles/${nth}`);

const unsent = createHash("sha256").update("a bundle that nobody sent").digest();

/** Ids of no bundle, in the forms that most platforms use. */
export const unknownBundleIds: readonly string[] = [unsent.toString("hex"), base58Text(unsent)];

/** A served status: of the target's sample, else of an unknown id. @throws Withheld where none is served */
export async function servedStatus({ ask, target }: CheckContext): Promise<Exchange> {
  const known = target.samples["landedBundles"] === undefined ? [] : [landedId(0)];
  const outcomes: string[] = [];
  for (const id of [...known, ...unknownBundleIds]) {
    const exchange = await ask(statuses([[id]]));
    if (isServed(exchange)) return exchange;
    outcomes.push(returnedBy(exchange));
  }
  throw notTested(`the status of a bundle got ${unlike(outcomes).join(", ")}`);
}

/** Longer than a slot takes. */
export const slots_ms = 2_000;

export type Shared = NonNullable<Sends["shared"]>[number];

/** Why no bundles may be sent; null where they may. */
export const mayNotSend = ({ allow, isReference, bundles }: Target): UnmetNeed | null => {
  const payer = { at: "/bundles/payer" };
  const money = bundles ? [payer] : [payer, { at: "/bundles/tipAccount" }];
  if (!allow.includes("sendBundle")) return noConsent("sendBundle", isReference ? [] : money);
  if (!bundles) return otherNeed("the target names no `bundles.tipAccount`", money);
  return bundles.payer || isReference ? null : otherNeed("the target names no `bundles.payer`", money);
};

/** A plain bundle in the plan's cost. */
export const plainly = (count = 1, encoding: Encoding = "base58"): Shared => ({
  name: `plain ${encoding} ${count}`,
  calls: 1,
  payments: count,
  signatures: count,
});

/** What a check needs that sends these bundles, besides those that it shares with others. */
export const sending = (
  all: readonly WantedBundle[],
  shared: readonly Shared[] = [plainly()],
  more: Partial<Needs> = {},
): Needs => ({ requests: [], unless: mayNotSend, sends: { ...costsOf(all), shared }, ...more });

/** A scenario of an isolated project, which sends bundles of these sizes. */
export const inProject = (
  id: RequirementId,
  sizes: readonly number[],
  reads: number,
  run: (project: MadeProject, context: CheckContext) => Promise<readonly Shown[]>,
): Check => {
  const bundles = sizes.map((count) => ({ count }));
  return scenario(id, sending(bundles, [], { control: { reads } }), async (context) =>
    run(await context.project(), context),
  );
};

/** A bundle's tips in multiples of the target's tip. */
const tipsOf = ({ count = 1, tip = count - 1 }: WantedBundle): number => (tip === "none" ? 0 : count);

/** @param all those that differ; the same bytes land once */
const costsOf = (all: readonly WantedBundle[]) => ({
  calls: all.length,
  payments: all.reduce((total, wanted) => total + tipsOf(wanted), 0),
  signatures: all.reduce((total, { count = 1, transfers = [] }) => total + count + transfers.flat().length, 0),
});

const nonSigner = payerNamed("who doesn't sign");

/** Which transactions tip: all, or one with as much as all would. `elsewhere`: to the payer, no tip account. */
type Tip = "all" | "none" | "elsewhere" | number;

/** The missing signature: of the first or last transaction, or of one of two signers; `forged`: a wrong one. */
type Unsigned = "first" | "last" | "one of two" | "forged";

export interface WantedBundle {
  readonly count?: number;
  readonly tip?: Tip;
  readonly version?: "legacy" | 0;
  readonly unsigned?: Unsigned;
  /** Makes bundles differ whose content is the same. */
  readonly nonce?: number;
  readonly transfers?: readonly (readonly Transfer[])[];
}

/** Nonces per bundle, one for each transaction. */
const numbersApart = 16;
let made = 0;

/** With one wrong bit in the first signature. */
function forged(signed: Signed): Signed {
  const bytes = Uint8Array.from(signed.bytes);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  return { ...signed, bytes };
}

/** Signed transactions with a recent blockhash; the last one tips by default. @throws Withheld as `recentBlockhash` */
export const transactions = async (context: BundleContext, wanted: WantedBundle): Promise<readonly Signed[]> =>
  signedWith(context.target, await recentBlockhash(context), wanted);

/** The same for a blockhash of its 32 bytes. */
export function signedWith(target: Target, blockhash: Uint8Array, wantedBundle: WantedBundle): readonly Signed[] {
  const { count = 1, tip = count - 1, version = "legacy", unsigned, nonce, transfers = [] } = wantedBundle;
  const payer = payerFor(target);
  const tipAccount = base58Bytes(target.bundles?.tipAccount ?? "") ?? payer.publicKey;
  const lamports = BigInt((target.bundles?.tipLamports ?? 0) * (typeof tip === "number" ? count : 1));
  made += 1;
  const start = (nonce ?? made) * numbersApart;
  return Array.from({ length: count }, (_, nth) => {
    const to = tip === "elsewhere" ? payer.publicKey : tip === "all" || tip === nth ? tipAccount : null;
    const own = transfers[nth] ?? [{ from: payer, to: payer.publicKey, lamports: 1n }];
    const isPayerMissing = nth === (unsigned === "first" ? 0 : unsigned === "last" ? count - 1 : -1);
    const signed = transaction({
      payer,
      transfers: [...own, ...(to ? [{ from: payer, to, lamports }] : [])],
      nonce: start + nth,
      blockhash,
      version,
      unsigned: [...(isPayerMissing ? [payer] : []), ...(unsigned === "one of two" && nth === 0 ? [nonSigner] : [])],
    });
    return unsigned === "forged" && nth === 0 ? forged(signed) : signed;
  });
}

export type Encoding = "base58" | "base64";

export const encodedTransaction = ({ bytes }: Signed, encoding: Encoding): string =>
  encoding === "base64" ? Buffer.from(bytes).toString("base64") : base58Text(bytes);

export interface BundleSending {
  readonly as?: Asker | "anonymous" | "unknownKey";
  readonly id?: number;
  readonly encoding?: Encoding;
  /** params[1]; by default the encoding that is used. */
  readonly options?: Template;
  readonly isBare?: true;
  readonly query?: RequestSpec["query"];
  readonly headers?: RequestSpec["headers"];
}

export const inRegion = (region: string): BundleSending => ({ headers: [["engine-region", region]] });
export const protecting = (value: string): BundleSending => ({ query: [["mev-protect", value]] });

export function bundle(signed: readonly Signed[], bundleSending: BundleSending = {}): RequestSpec {
  const {
    as = "owner",
    id = 1,
    encoding = "base58",
    options = { encoding },
    isBare,
    query,
    headers = [],
  } = bundleSending;
  const params: Template = [signed.map((one) => encodedTransaction(one, encoding)), ...(isBare ? [] : [options])];
  const requestSpec = sendBundleRequest(params, { as, id });
  return { ...requestSpec, ...(query ? { query } : {}), headers: [...(requestSpec.headers ?? []), ...headers] };
}

export const sent = async (context: CheckContext, wanted: WantedBundle, how: BundleSending = {}): Promise<Exchange> =>
  context.ask(bundle(await transactions(context, wanted), how));

/** The plain bundle of that size, each of whose transactions tips; the same for all checks of a run. */
export const plainBundle = (
  context: BundleContext,
  count = 1,
  encoding: Encoding = "base58",
): Promise<readonly Signed[]> =>
  context.once(`plain bundle of ${count} in ${encoding}`, () => transactions(context, { count, tip: "all" }));

/** Sends a plain bundle, once per run and for all checks, as the positive control of what is refused. */
export const sendPlain = async (context: CheckContext, count = 1, encoding: Encoding = "base58"): Promise<Exchange> =>
  context.ask(bundle(await plainBundle(context, count, encoding), { encoding }));

/** The id of an accepted bundle. @throws Withheld where it wasn't accepted: nothing can be compared with it */
export function accepted(exchange: Exchange): string {
  const id = resultOf(exchange);
  if (!isServed(exchange) || typeof id !== "string") throw maskedBy(exchange, "a plain bundle");
  return id;
}

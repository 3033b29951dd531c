// Wallet reads as questions (§4.2): each costs 100 credits, and what they answer isn't shown, so it isn't compared.
import { askForBalanceAt, batch, type WalletBaseline, walletBaselines } from "../contracts/wallet/requests.ts";
import { type Json, listOf, valueAt } from "../harness/core/json.ts";
import type { PathPart, RequestSpec } from "../harness/core/requestSpec.ts";
import { isGiven } from "../harness/core/template.ts";
import { keyOf, type Target } from "../harness/targets/target.ts";

/** Of the wallet that `wallet` names, with the query of `query`. */
type WalletParams = {
  readonly wallet: string;
  readonly query?: { readonly [name: string]: string | number | boolean };
};

const ownAsk = ({ operation, ask }: WalletBaseline): RequestSpec =>
  operation === "getWalletBalanceAt" ? askForBalanceAt("time", { ofToken: false }) : ask({ as: "owner" });

/** With the owner's key, as all that a panel asks. */
const readOf =
  (baseline: WalletBaseline) =>
  (params: Json): RequestSpec => {
    const { wallet, query } = params as WalletParams;
    const { path, ...requestSpec } = ownAsk(baseline);
    const named = (part: PathPart): PathPart => (typeof part === "object" && isGiven(part) ? { id: wallet } : part);
    const pairs = query && Object.entries(query).map(([name, value]) => [name, String(value)] as const);
    return { ...requestSpec, path: path.map(named), ...(pairs ? { query: pairs } : {}) };
  };

/** By operation, of its params: a wallet and a query, or a batch's list. */
export const walletRequests: { readonly [operation: string]: (params: Json) => RequestSpec } = Object.fromEntries(
  walletBaselines.map((baseline) => [
    baseline.operation,
    baseline.operation === "batchWalletIdentity"
      ? (params: Json) => batch(listOf(params), { as: "owner" })
      : readOf(baseline),
  ]),
);

export const isWalletRead = (operation: string): boolean => Object.hasOwn(walletRequests, operation);

/** Why a plan doesn't serve a wallet read (§5.7); null where it does. */
export function planRefuses(operation: string, target: Target): string | null {
  const isPaid = walletBaselines.some((baseline) => baseline.operation === operation && baseline.isPaid);
  const isFree = keyOf(target, "owner")?.project.plan !== "paid";
  return isPaid && isFree ? `it needs a paid plan, and ${target.name}'s key is of a free one` : null;
}

/** The params of each read about a wallet of the targets' samples, or else an owner of token accounts. */
export function walletParams(targets: readonly Target[]): readonly (readonly [operation: string, params: Json])[] {
  const wallets = targets.flatMap(({ samples }) => [...listOf(samples["wallets"]), valueAt(samples, "/owner") ?? null]);
  const wallet = wallets.find((one) => typeof one === "string");
  if (wallet === undefined) return [];
  return Object.keys(walletRequests).map((operation) => [
    operation,
    operation === "batchWalletIdentity" ? [wallet] : { wallet },
  ]);
}

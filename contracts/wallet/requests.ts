// Wallet requests; names that the interface doesn't show come from the target file (§4.2)
import { createHash } from "node:crypto";
import type { PathPart, RequestSpec } from "../../harness/core/requestSpec.ts";
import { type Given, sample, type Template } from "../../harness/core/template.ts";
import type { OperationId } from "../../specs/generated/operations.ts";
import { base58Text } from "../shared/base58.ts";
import { keyObjectOf, publicKeyOf } from "../shared/privateKey.ts";
import { type As, carriersOf, type UsageRequest } from "../shared/requestSpecs.ts";

export type WalletOperation = Extract<OperationId, `${string}Wallet${string}`>;

export type WalletRequest = Partial<Pick<UsageRequest, "as" | "keyIn" | "again">>;

interface Request {
  readonly path: readonly PathPart[];
  readonly query?: RequestSpec["query"];
  readonly json?: Template;
}

/** The header is the recommended carrier here (§5.2). */
const walletCall =
  (operation: WalletOperation, { path, query, json }: Request, ownAs: As = "owner") =>
  ({ as = ownAs, keyIn = "header", again }: WalletRequest = {}): RequestSpec => ({
    operation,
    api: "api",
    method: json === undefined ? "GET" : "POST",
    path: ["/v1/wallet/", ...path],
    carriers: carriersOf(as, keyIn),
    ...(query ? { query } : {}),
    ...(json === undefined ? {} : { json, headers: [["content-type", "application/json"]] }),
    ...(again === undefined ? {} : { again }),
  });

export const sampleWallet = (nth: number): Given => sample(`wallets/${nth}`);
export const domain = (nth: number): Given => sample(`domains/${nth}`);

export const identity = (of: Given, options?: WalletRequest): RequestSpec =>
  walletCall("getWalletIdentity", { path: [of, "/identity"] }, "paid")(options);

/** The target names the member that holds the entries. */
export const batch = (entries: readonly Template[], options?: WalletRequest): RequestSpec => {
  const json = { "$name:batchIdentity": entries };
  return walletCall("batchWalletIdentity", { path: ["batch-identity"], json }, "paid")(options);
};

export const unknownAddresses = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, nth) =>
    base58Text(new Uint8Array(createHash("sha256").update(`nobody holds wallet ${nth}`).digest())),
  );

const unusedAddress = (name: string): string =>
  base58Text(publicKeyOf(keyObjectOf(createHash("sha256").update(name).digest())));

/** A wallet, and an owner without token accounts, of which only a run knows, where the target names none. */
export const unusedAddresses = (seed: number) => ({
  "/samples/wallets/0": unusedAddress(`wallet of run ${seed}`),
  "/samples/owner": unusedAddress(`owner of run ${seed}`),
});

/** One moment in three forms. */
export const moment = { time: "1709251200", datetime: "2024-03-01T00:00:00Z", slot: "251000000" } as const;
type Form = keyof typeof moment;

/** Of the sample mint, or with `ofToken: false` of the chain's own coin. */
export const askForBalanceAt = (
  form: Form,
  { ofToken = true, ...options }: WalletRequest & { readonly ofToken?: boolean } = {},
): RequestSpec => {
  const token = [{ $name: "balanceAt/mint" }, sample("mint")] as const;
  const query = [...(ofToken ? [token] : []), [{ $name: `balanceAt/${form}` }, moment[form]] as const];
  return walletCall("getWalletBalanceAt", { path: [sampleWallet(0), "/balance-at"], query })(options);
};

export interface WalletBaseline {
  readonly operation: WalletOperation;
  /** Refused with 403 on a free plan (§4.2, §5.7). */
  readonly isPaid: boolean;
  readonly ask: (options?: WalletRequest) => RequestSpec;
}

const baselineOf = (operation: WalletOperation, step: string, isPaid: boolean): WalletBaseline => ({
  operation,
  isPaid,
  ask: walletCall(operation, { path: [sampleWallet(0), step] }, isPaid ? "paid" : "owner"),
});

const batchOfTwo: WalletBaseline["ask"] = (options) => batch([sampleWallet(0), ...unknownAddresses(1)], options);

export const walletBaselines: readonly WalletBaseline[] = [
  baselineOf("getWalletIdentity", "/identity", true),
  { operation: "batchWalletIdentity", isPaid: true, ask: batchOfTwo },
  baselineOf("getWalletBalances", "/balances", false),
  { operation: "getWalletBalanceAt", isPaid: false, ask: (options) => askForBalanceAt("time", options) },
  baselineOf("getWalletHistory", "/history", false),
  baselineOf("getWalletTransfers", "/transfers", false),
  baselineOf("getWalletFundedBy", "/funded-by", true),
];

export const walletBaseline = (operation: WalletOperation): WalletBaseline => {
  const found = walletBaselines.find((one) => one.operation === operation);
  if (!found) throw new Error(`no baseline request of ${operation}`);
  return found;
};

export const { ask: balances } = walletBaseline("getWalletBalances");

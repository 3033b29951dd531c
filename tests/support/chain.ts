// A chain in this process for bundles to run on: the runtime itself, blockhashes of 150 slots, fees, rent, balances
import { createHash } from "node:crypto";
import {
  type Address,
  address,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  isFullySignedTransaction,
  lamports,
} from "@solana/kit";
import type { LiteSVM as Svm } from "litesvm";
import type { WireAnswer, WireRequest } from "../../harness/transport/wire.ts";
import type { Bank } from "../../reference/bundles/bank.ts";
import type { Transaction } from "../../reference/bundles/transactions.ts";
import { slotAt } from "../../reference/platform/chain.ts";
import { tipAccounts } from "../../reference/rpc/sendBundle.ts";
import { notOnWindows } from "./assay.ts";
import { payerAddress } from "./bundles.ts";
import { outcomeOf, type Trial } from "./probeSpecs.ts";
import { enveloped, payer, payingVendor } from "./vendorsInProcess.ts";

/**
 * What a platform does with a bundle whose blockhash isn't recent: `refuse` it at once, or `drop` it later.
 * `one of 3`: refuses those, and of all others two of three lose their auction.
 */
export type Habit = "refuse" | "drop" | "one of 3";

/** It is built for Linux and macOS. */
const { FailedTransactionMetadata, LiteSVM } =
  process.platform === "win32" ? ({} as typeof import("litesvm")) : await import("litesvm");

const sol = 1_000_000_000n;
const systemProgram = address("11111111111111111111111111111111");
/** A blockhash is taken so many slots long. */
const lastingSlots = 150;

const [decodeMessage, decodeTransaction] = [getCompiledTransactionMessageDecoder(), getTransactionDecoder()];

const blockhashAt = (slot: number): string =>
  getBase58Decoder().decode(createHash("sha256").update(`the block of slot ${slot}`).digest());

class Runtime implements Bank {
  readonly habit: Habit;
  #svm: Svm;
  #tried = 0;
  /** Slots by their blockhash, of those that were given out. */
  readonly #slots: Map<string, number>;

  constructor(habit: Habit, svm: Svm, slots = new Map<string, number>()) {
    [this.habit, this.#svm, this.#slots] = [habit, svm.withBlockhashCheck(false).withTransactionHistory(0n), slots];
  }

  seed(account: string, amount: bigint): void {
    this.#svm.setAccount({
      address: account as Address,
      lamports: lamports(amount),
      data: new Uint8Array(),
      executable: false,
      programAddress: systemProgram,
      space: 0n,
    });
  }

  balanceOf(account: string): bigint | undefined {
    return this.#svm.getBalance(account as Address) ?? undefined;
  }

  copy(): Runtime {
    return new Runtime(this.habit, LiteSVM.fromBytes(this.#svm.toBytes()), this.#slots);
  }

  execute(transaction: Transaction, now_ms: number): boolean {
    const decoded = decodeTransaction.decode(transaction.bytes);
    if (!this.#isRecent(transaction, now_ms) || !isFullySignedTransaction(decoded)) return false;
    return !(this.#svm.sendTransaction(decoded) instanceof FailedTransactionMetadata);
  }

  take(copy: Runtime): void {
    this.#svm = copy.#svm;
  }

  refusalOf(transactions: readonly Transaction[], now_ms: number): string | null {
    const areRecent = transactions.every((one) => this.#isRecent(one, now_ms));
    return this.habit === "drop" || areRecent ? null : "Blockhash not found";
  }

  wins(): boolean {
    this.#tried += 1;
    return this.habit !== "one of 3" || this.#tried % 3 === 0;
  }

  latestBlockhash(now_ms: number): string {
    const hash = blockhashAt(slotAt(now_ms));
    this.#slots.set(hash, slotAt(now_ms));
    return hash;
  }

  #isRecent({ message }: Transaction, now_ms: number): boolean {
    const { lifetimeToken } = decodeMessage.decode(message);
    const slot = this.#slots.get(lifetimeToken);
    return slot !== undefined && slotAt(now_ms) - slot <= lastingSlots;
  }
}

export interface ChainOptions {
  readonly habit: Habit;
  /** Lamports by address, besides the tip accounts, which hold 1 SOL each. */
  readonly funds: { readonly [address: string]: bigint };
}

export function chainWith({ habit, funds }: ChainOptions) {
  const runtime = new Runtime(habit, new LiteSVM());
  for (const account of tipAccounts) runtime.seed(account, sol);
  for (const [account, amount] of Object.entries(funds)) runtime.seed(account, amount);
  const methods: { readonly [method: string]: (params: readonly unknown[], now_ms: number) => unknown } = {
    getLatestBlockhash: (_, now_ms) => ({
      blockhash: runtime.latestBlockhash(now_ms),
      lastValidBlockHeight: slotAt(now_ms) + lastingSlots,
    }),
    getBalance: ([account]) => Number(runtime.balanceOf(String(account)) ?? 0n),
  };
  return {
    bank: runtime,
    /** What a node of the chain answers, beside the platform's own methods; null for those. */
    answerTo: (request: Pick<WireRequest, "body">, now_ms: number): WireAnswer | null => {
      const { method = "", params = [] } = callIn(request);
      const value = methods[method]?.(params, now_ms);
      return value === undefined ? null : enveloped(request as WireRequest, { result: contextual(value, now_ms) });
    },
  };
}

const contextual = (value: unknown, now_ms: number) => ({ context: { slot: slotAt(now_ms) }, value });

function callIn({ body = "" }: Pick<WireRequest, "body">): { readonly method?: string; readonly params?: unknown[] } {
  try {
    return JSON.parse(body) as { readonly method?: string };
  } catch {
    // What isn't JSON is the platform's to refuse.
    return {};
  }
}

/** Of the account that pays for bundles of vendors, and those of checks that the reference runs. */
const payers = [payer, payerAddress("anybody"), payerAddress("who tips")];
const wealth = Object.fromEntries(payers.map((one) => [one, 10n * sol]));

const anyStatus = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getBundleStatuses", params: [["0".repeat(64)]] });

/** The methods that a platform's node of the chain serves. */
const everyMethod = ["getLatestBlockhash", "getBalance"];

export interface OnChain extends Omit<Trial, "bank" | "between"> {
  readonly habit?: Habit;
  readonly funds?: ChainOptions["funds"];
  /** Those that the platform serves itself; all by default. */
  readonly serves?: readonly string[];
}

/** An address of the chain's own node, which no platform has. */
export const node = "http://chain.example/?api-key=of-the-node";

/** One run on a platform whose bundles really run; `calls` tells what was asked of the chain, and where. */
export async function judgedOnChain({ habit = "refuse", funds = wealth, serves = everyMethod, ...trial }: OnChain) {
  notOnWindows("build of litesvm");
  const chain = chainWith({ habit, funds });
  const calls: { readonly method: string; readonly url: string }[] = [];
  let toPlatform: WireRequest | undefined;
  const outcome = await outcomeOf({
    observe: [],
    impliedFails: true,
    target: payingVendor({ allow: ["sendBundle"] }),
    ...trial,
    bank: chain.bank,
    between: (wire, clock) => async (request, signal) => {
      const { method = "" } = callIn(request);
      const isAsked = everyMethod.includes(method) && (request.url === node || serves.includes(method));
      if (method === "sendBundle") toPlatform = request;
      if (!isAsked) return wire(request, signal);
      calls.push({ method, url: request.url });
      // The platform runs its bundles when a status is asked for.
      if (toPlatform) await wire({ ...toPlatform, body: anyStatus }, signal);
      return chain.answerTo(request, clock.now_ms()) ?? wire(request, signal);
    },
  });
  const spent = Object.fromEntries(
    Object.entries(funds).map(([one, amount]) => [one, amount - (chain.bank.balanceOf(one) ?? 0n)]),
  );
  return { ...outcome, calls, spent };
}

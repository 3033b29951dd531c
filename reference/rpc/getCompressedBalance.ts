// getCompressedBalance: by address or hash (§4.3)
import { is32Bytes } from "../platform/base58.ts";
import type { CompressedAccount } from "../platform/chain.ts";
import type { BalanceChoices } from "../platform/rpcChoices.ts";
import type { BalanceRules } from "../platform/rpcRules.ts";
import { isDocValue, type Value } from "../platform/wire.ts";
import { pass } from "./causes.ts";
import { indexedSlot, type RpcContext, type ServedMethod } from "./method.ts";
import { needs, Refused } from "./refusals.ts";

interface Wanted {
  readonly address: string | null;
  readonly hash: string | null;
}

/** @throws Refused for anything but base58 of 32 bytes; null counts as absent. */
function wantedOf(params: Value | undefined, { params: container, nulls, neither }: BalanceRules): Wanted {
  if (container === "an array") {
    needs(Array.isArray(params) && typeof params[0] === "string");
    return { address: params[0], hash: null };
  }
  needs(isDocValue(params));
  const { address, hash } = params;
  needs(!(nulls === "address refused" && address === null) && !(nulls === "hash refused" && hash === null));
  for (const value of [address, hash]) needs(value === undefined || value === null || is32Bytes(value));
  needs(neither === "nothing" || typeof address === "string" || typeof hash === "string");
  return { address: typeof address === "string" ? address : null, hash: typeof hash === "string" ? hash : null };
}

function balanceOf(account: CompressedAccount | undefined, byHash: boolean, rules: BalanceRules): bigint {
  if (!account) return 0n;
  if (byHash && rules.byHash === "before the last change") return account.formerLamports;
  return byHash && rules.byHash === "in whole coins" ? account.lamports / 1_000_000_000n : account.lamports;
}

/** Of address and hash, the one that counts. @throws Refused */
function deciding({ address, hash }: Wanted, { bothGiven }: BalanceChoices): Wanted {
  if (address === null || hash === null || bothGiven === "must agree") return { address, hash };
  needs(bothGiven !== "refused");
  return bothGiven === "the address counts" ? { address, hash: null } : { address: null, hash };
}

function lookUp({ chain, rules: { balance: rules, choices } }: RpcContext, wanted: Wanted): bigint {
  const { address, hash } = deciding(wanted, choices.balance);
  pass(address, hash);
  const { compressed } = chain;
  const isKnown = (address: string | null): boolean =>
    address === null || compressed.some((account) => account.address === address || account.hash === address);
  needs(choices.balance.unknownAccounts === "worth 0" || (isKnown(address) && isKnown(hash)));
  // With both, the hash decides: it names one state of the account.
  if (hash !== null) {
    needs(rules.byHash !== "refused");
    const account = compressed.find((one) => (rules.byHash === "as an address" ? one.address : one.hash) === hash);
    needs(!account || address === null || account.address === address);
    return balanceOf(account, true, rules);
  }
  return balanceOf(
    rules.byAddress === "always the first" ? compressed[0] : compressed.find((one) => one.address === address),
    false,
    rules,
  );
}

function handle(context: RpcContext): Value {
  const { rules } = context;
  const slot = indexedSlot(context);
  try {
    const value = lookUp(context, wantedOf(context.params, rules.balance));
    return { context: { slot }, value: rules.choices.balance.bigBalances === "exact" ? value : Number(value) };
  } catch (error) {
    if (error instanceof Refused && error.rpcCause === "params" && rules.balance.badInput === "valued null")
      return { context: { slot }, value: null };
    throw error;
  }
}

export const getCompressedBalance: ServedMethod = { errorTable: "compression", handle };

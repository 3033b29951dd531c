// getTotalCompressedBalance: what several compressed accounts hold together (§4.3)
import { is32Bytes } from "../platform/base58.ts";
import type { Value } from "../platform/wire.ts";
import { indexedSlot, type RpcContext, type ServedMethod } from "./method.ts";
import { needs } from "./refusals.ts";

/** An unknown account holds nothing. @throws Refused for anything but a list of addresses */
function handle(context: RpcContext): Value {
  const { params, chain } = context;
  needs(Array.isArray(params) && params.every(is32Bytes));
  const value = chain.compressed
    .filter(({ address }) => params.includes(address))
    .reduce((total, { lamports }) => total + lamports, 0n);
  return { context: { slot: indexedSlot(context) }, value };
}

export const getTotalCompressedBalance: ServedMethod = { errorTable: "compression", handle };

// getTotalCompressedBalance: what several compressed accounts hold together (§4.3)
import { bytesOf } from "../platform/base58.ts";
import type { Value } from "../platform/wire.ts";
import { indexedSlot, type Method, type RpcContext } from "./method.ts";
import { needs } from "./refusals.ts";

const isAddress = (value: Value): boolean => typeof value === "string" && bytesOf(value)?.length === 32;

/** An unknown account holds nothing. @throws Refused for anything but a list of addresses */
function handle(context: RpcContext): Value {
  const { params, chain } = context;
  needs(Array.isArray(params) && params.every(isAddress));
  const value = chain.compressed
    .filter(({ address }) => params.includes(address))
    .reduce((total, { lamports }) => total + lamports, 0n);
  return { context: { slot: indexedSlot(context) }, value };
}

export const getTotalCompressedBalance: Method = { errorTable: "compression", handle };

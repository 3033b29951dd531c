// A reference platform on a clock that a test moves, and bundles to send there
import { createHash } from "node:crypto";
import { payerNamed, type Signed, type Transfer, transaction } from "../../contracts/bundles/transactions.ts";
import { base58Bytes, base58Text } from "../../contracts/shared/base58.ts";
import { tipAccounts } from "../../reference/rpc/sendBundle.ts";
import { asJson, platform as ownPlatform } from "./wallets.ts";

export const payer = payerNamed("payer");
export const tip: Transfer = {
  from: payer,
  to: base58Bytes(tipAccounts[3] ?? "") ?? new Uint8Array(),
  lamports: 1000n,
};

export type Answer = { readonly id: unknown; readonly result?: unknown; readonly error?: { readonly code: number } };

/** A platform of its own, on a clock that a test moves. */
export function platform() {
  const { clock, keys, ids, send, control } = ownPlatform();
  return {
    clock,
    keys,
    call: async (method: string, params: unknown, { key = keys.paid, query = "", headers = {} } = {}) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });
      const sent = { path: `/?api-key=${key}${query}`, method: "POST", headers: { ...asJson, ...headers }, body };
      return (await send(sent, null)).body as Answer;
    },
    power: (command: object) => control({ project: ids.paid, ...command }) as Promise<Record<string, unknown>>,
  };
}

/** Of a payer of a name. */
export const payerAddress = (name: string): string => payerNamed(name).address;
export const transfer = (from: string, to: string, lamports: number): Transfer => ({
  from: payerNamed(from),
  to: payerNamed(to).publicKey,
  lamports: BigInt(lamports),
});

export const made = (
  nonce: number,
  transfers: readonly Transfer[] = [tip],
  more: Partial<Parameters<typeof transaction>[0]> = {},
): Signed => transaction({ payer, transfers, nonce, ...more });
/** It lacks the signature of somebody else. */
export const unsigned = (): Signed => made(1, [own, tip], { unsigned: [payerNamed("another signer")] });
export const own: Transfer = { from: payer, to: payer.publicKey, lamports: 1n };
/** `count` transactions, the tip in one of them. */
export const some = (count: number, tipAt = count - 1): readonly Signed[] =>
  Array.from({ length: count }, (_, nth) => made(nth, nth === tipAt ? [own, tip] : [own]));
export const in64 = (signed: readonly Signed[]): readonly [readonly string[], object] => [
  signed.map(({ bytes }) => Buffer.from(bytes).toString("base64")),
  { encoding: "base64" },
];
export const in58 = (signed: readonly Signed[]): readonly string[] => signed.map(({ bytes }) => base58Text(bytes));
export const idOf = (signed: readonly Signed[]): string =>
  createHash("sha256")
    .update(signed.map(({ signature }) => signature).join(","))
    .digest("hex");

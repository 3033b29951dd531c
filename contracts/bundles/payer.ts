// Who signs and pays for bundles
import type { Secret } from "../../harness/core/secret.ts";
import type { Target } from "../../harness/targets/target.ts";
import { privateKeyOf } from "../shared/privateKey.ts";
import { payerNamed, payerOf, type TransactionPayer } from "./transactions.ts";

/** The reference accepts any payer. */
const anybody = payerNamed("anybody");

/** Deriving a key takes longer than signing with it. */
const known = new WeakMap<Secret, TransactionPayer>();

export function payerFor({ bundles }: Target): TransactionPayer {
  if (!bundles?.payer) return anybody;
  const payer = known.get(bundles.payer) ?? payerOf(privateKeyOf(bundles.payer.open()) ?? new Uint8Array(32));
  known.set(bundles.payer, payer);
  return payer;
}

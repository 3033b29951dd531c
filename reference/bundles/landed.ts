// Bundles that landed before the start, named in target files: their statuses can be read without sending
import { createHash } from "node:crypto";
import { base58 } from "../platform/base58.ts";
import { type BundleRules, honestBundles } from "../platform/bundleRules.ts";
import type { BookedBundle } from "./book.ts";
import { bundleIdOf } from "./bundleId.ts";
import type { Transaction } from "./transactions.ts";

const digest = (text: string): Buffer => createHash("sha256").update(`assay ${text}`).digest();

function transaction(name: string): Transaction {
  const signature = base58(
    new Uint8Array(Buffer.concat([digest(`${name} signature`), digest(`${name} signature, second half`)])),
  );
  return {
    signature,
    transfers: [],
    isSigned: true,
    isPartlySigned: true,
    isFilled: true,
    message: new Uint8Array(digest(name)),
    bytes: new Uint8Array(),
  };
}

const sentAt_ms = Date.parse("2025-12-01T00:00:00Z");

/** One of one transaction and one of three, minutes apart; their ids follow the rules given. */
export const honestLandedBundles = (project: string, rules: BundleRules = honestBundles): readonly BookedBundle[] =>
  [1, 3].map((count) => {
    const transactions = Array.from({ length: count }, (_, nth) =>
      transaction(`landed bundle of ${count}, transaction ${nth}`),
    );
    const route = { region: "fra", isPinned: false, avoidsFlagged: false };
    return {
      id: bundleIdOf(transactions, rules, sentAt_ms),
      project,
      transactions,
      route,
      sentAt_ms: sentAt_ms + count * 60_000,
      wasBefore: true,
    };
  });

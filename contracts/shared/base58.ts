// Base58 for judging, apart from the reference's own, so that no mistake can hide on both sides.
import { base58 } from "@scure/base";
import { type Finding, must } from "../../harness/core/finding.ts";
import type { Json } from "../../harness/core/json.ts";

/** Null where the text isn't base58; a text too long for any key, hash or signature isn't decoded. */
export function base58Bytes(text: string): Uint8Array | null {
  if (text.length === 0 || text.length > 120) return null;
  try {
    return base58.decode(text);
  } catch {
    return null;
  }
}

/** Whether a text has so many bytes; undefined where it isn't base58. */
export function hasLength(length: number, at: string, text: Json | undefined): Finding | undefined {
  const got = typeof text === "string" ? base58Bytes(text)?.length : undefined;
  if (got === undefined) return undefined;
  return must(got === length, at, `${length} bytes in base58`, `${JSON.stringify(text)}: ${got} bytes`);
}

export const base58Text = (bytes: Uint8Array): string => base58.encode(bytes);

/** Big-endian. */
export const numberFromBytes = (bytes: Uint8Array): bigint =>
  bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n);

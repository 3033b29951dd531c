// Base58 to bytes and back
import bs58 from "bs58";

export const base58 = (bytes: Uint8Array): string => bs58.encode(bytes);

/** Whether a value is the text of a public key or hash. */
export const is32Bytes = (value: unknown): boolean => typeof value === "string" && decodeBase58(value)?.length === 32;

/** The bytes that a text stands for; null where it isn't base58. */
export function decodeBase58(text: string): Uint8Array | null {
  // Longer texts stand for no key, hash or signature, and decoding takes time with the square of the length.
  return text.length > 0 && text.length <= 100 ? (bs58.decodeUnsafe(text) ?? null) : null;
}

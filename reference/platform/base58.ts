// Base58 to bytes and back
import { getBase58Decoder, getBase58Encoder } from "@solana/codecs-strings";

const [toText, toBytes] = [getBase58Decoder(), getBase58Encoder()];

export const base58 = (bytes: Uint8Array): string => toText.decode(bytes);

/** The bytes that a text stands for; null where it isn't base58. */
export function bytesOf(text: string): Uint8Array | null {
  // Longer texts stand for no key, hash or signature, and decoding takes time with the square of the length.
  if (!/^[1-9A-HJ-NP-Za-km-z]{1,100}$/.test(text)) return null;
  return new Uint8Array(toBytes.encode(text));
}

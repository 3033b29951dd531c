// In which forms do people keep a key that signs?
import { base58 } from "@scure/base";

const inBase58 = (text: string): Uint8Array | null => {
  try {
    return base58.decode(text);
  } catch {
    return null;
  }
};

function listed(text: string): Uint8Array | null {
  try {
    const list: unknown = JSON.parse(text);
    const isBytes = Array.isArray(list) && list.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
    return isBytes ? Uint8Array.from(list as readonly number[]) : null;
  } catch {
    return null;
  }
}

/** The 32 bytes of an ed25519 private key from its base58, alone or followed by the public key, or from the JSON list of a keypair file; null for other texts. */
export function privateKeyOf(text: string): Uint8Array | null {
  const bytes = text.startsWith("[") ? listed(text) : inBase58(text);
  return bytes && (bytes.length === 32 || bytes.length === 64) ? bytes.slice(0, 32) : null;
}

// Private keys in the forms in which people keep them: base58, or the list of a keypair file
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { jsonOrNull } from "../../harness/core/json.ts";
import { base58Bytes } from "./base58.ts";

function listed(text: string): Uint8Array | null {
  const list = jsonOrNull(text);
  const isBytes = Array.isArray(list) && list.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  return isBytes ? Uint8Array.from(list as readonly number[]) : null;
}

/**
 * The 32 bytes of an ed25519 private key, from base58, alone or followed by the public key, or from the JSON list of a
 * keypair file; null for other texts.
 */
export function privateKeyOf(text: string): Uint8Array | null {
  const bytes = text.startsWith("[") ? listed(text) : base58Bytes(text);
  const seed = bytes?.slice(0, 32);
  if (!bytes || seed?.length !== 32) return null;
  // Another public key behind it: one of the two is somebody else's.
  return bytes.length === 32 ||
    (bytes.length === 64 && Buffer.compare(bytes.subarray(32), publicKeyOf(keyObjectOf(seed))) === 0)
    ? seed
    : null;
}

/** PKCS #8 of an ed25519 key, up to its 32 bytes (RFC 8410 §7). */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param seed the 32 bytes of an ed25519 private key */
export const keyObjectOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" });

export function publicKeyOf(key: KeyObject): Uint8Array {
  const der = createPublicKey(key).export({ format: "der", type: "spki" });
  return new Uint8Array(der.subarray(der.length - 32));
}

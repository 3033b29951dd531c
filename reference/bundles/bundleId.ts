// Bundle ids: a SHA-256 hash of the transactions' signatures (§2.5); how they are joined is a choice
import { createHash, randomUUID } from "node:crypto";
import { base58, decodeBase58 } from "../platform/base58.ts";
import type { BundleRules } from "../platform/bundleRules.ts";
import type { Transaction } from "./transactions.ts";

const sha = (name: "sha256" | "sha1" | "md5" | "sha512", text: string | Uint8Array): Uint8Array =>
  new Uint8Array(createHash(name).update(text).digest());

const raw = (signature: string): Uint8Array => decodeBase58(signature) ?? new Uint8Array();

function digestOf(transactions: readonly Transaction[], rule: BundleRules["id"], now_ms: number): Uint8Array {
  const signatures = transactions.map(({ signature }) => signature);
  const joined = signatures.join(",");
  const digests: { readonly [R in BundleRules["id"]]: () => Uint8Array } = {
    "commas, SHA-256": () => sha("sha256", joined),
    salted: () => sha("sha256", `${joined} ${now_ms} ${randomUUID()}`),
    "of the first": () => sha("sha256", signatures[0] ?? ""),
    sorted: () => sha("sha256", [...signatures].sort().join(",")),
    sha1: () => sha("sha1", joined),
    md5: () => sha("md5", joined),
    sha512: () => sha("sha512", joined),
    uuid: () => new Uint8Array(Buffer.from(randomUUID().replaceAll("-", ""), "hex")),
    "of messages": () => sha("sha256", Buffer.concat(transactions.map(({ message }) => message))),
    "signatures run together": () => sha("sha256", signatures.join("")),
    "raw bytes": () => sha("sha256", Buffer.concat(signatures.map(raw))),
    "raw bytes behind their count": () =>
      sha("sha256", Buffer.concat([Uint8Array.of(signatures.length), ...signatures.map(raw)])),
  };
  return digests[rule]();
}

export function bundleIdOf(
  transactions: readonly Transaction[],
  { id, idForm }: Pick<BundleRules, "id" | "idForm">,
  now_ms: number,
): string {
  return written(Buffer.from(digestOf(transactions, id, now_ms)), idForm);
}

const written = (digest: Buffer, form: BundleRules["idForm"]): string =>
  ({
    hex: digest.toString("hex"),
    base64: digest.toString("base64"),
    base64url: digest.toString("base64url"),
    HEX: digest.toString("hex").toUpperCase(),
    "0x hex": `0x${digest.toString("hex")}`,
    base58: base58(digest),
  })[form];

const bytes = 32;

/** Whether a text could be an id: whether it is how its value is written. */
export function isBundleId(text: string, form: BundleRules["idForm"]): boolean {
  const coding = form === "base64" || form === "base64url" ? form : "hex";
  const value =
    form === "base58" ? decodeBase58(text) : Buffer.from(form === "0x hex" ? text.slice("0x".length) : text, coding);
  return value?.length === bytes && written(Buffer.from(value), form) === text;
}

// Bundle ids: a SHA-256 hash of the transactions' signatures (§2.5); how they are joined is a choice
import { createHash, randomUUID } from "node:crypto";
import { base58, bytesOf } from "../platform/base58.ts";
import type { BundleRules } from "../platform/bundleRules.ts";
import type { Transaction } from "./transactions.ts";

type Rule = BundleRules["id"];

const sha = (name: "sha256" | "sha1" | "md5" | "sha512", text: string | Uint8Array): Uint8Array =>
  new Uint8Array(createHash(name).update(text).digest());

const raw = (signature: string): Uint8Array => bytesOf(signature) ?? new Uint8Array();

function digestOf(transactions: readonly Transaction[], rule: Rule, now_ms: number): Uint8Array {
  const signatures = transactions.map(({ signature }) => signature);
  const joined = signatures.join(",");
  switch (rule) {
    case "commas, SHA-256":
      return sha("sha256", joined);
    case "salted":
      return sha("sha256", `${joined} ${now_ms} ${randomUUID()}`);
    case "of the first":
      return sha("sha256", signatures[0] ?? "");
    case "sorted":
      return sha("sha256", [...signatures].sort().join(","));
    case "sha1":
    case "md5":
    case "sha512":
      return sha(rule, joined);
    case "uuid":
      return new Uint8Array(Buffer.from(randomUUID().replaceAll("-", ""), "hex"));
    case "of messages":
      return sha("sha256", Buffer.concat(transactions.map(({ message }) => message)));
    case "signatures run together":
      return sha("sha256", signatures.join(""));
    case "raw bytes":
      return sha("sha256", Buffer.concat(signatures.map(raw)));
    case "raw bytes behind their count":
      return sha("sha256", Buffer.concat([Uint8Array.of(signatures.length), ...signatures.map(raw)]));
  }
}

export function bundleIdOf(
  transactions: readonly Transaction[],
  { id, idForm }: Pick<BundleRules, "id" | "idForm">,
  now_ms: number,
): string {
  return written(Buffer.from(digestOf(transactions, id, now_ms)), idForm);
}

function written(digest: Buffer, form: BundleRules["idForm"]): string {
  switch (form) {
    case "hex":
    case "base64":
    case "base64url":
      return digest.toString(form);
    case "HEX":
      return digest.toString("hex").toUpperCase();
    case "0x hex":
      return `0x${digest.toString("hex")}`;
    case "base58":
      return base58(digest);
  }
}

const bytes = 32;

/** Whether a text could be an id: whether it is how its value is written. */
export function isId(text: string, form: BundleRules["idForm"]): boolean {
  const value =
    form === "base58"
      ? bytesOf(text)
      : Buffer.from(text.replace(/^0x/, ""), form === "base64" || form === "base64url" ? form : "hex");
  return value?.length === bytes && written(Buffer.from(value), form) === text;
}

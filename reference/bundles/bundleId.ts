// What is the id of a bundle? A SHA-256 hash of its transactions' signatures (§2.5); how they are joined is this platform's choice.
import { createHash, randomUUID } from "node:crypto";
import { base58, bytesOf } from "../base58.ts";
import type { BundleRules } from "./rules.ts";
import type { Transaction } from "./transactions.ts";

type Rule = BundleRules["id"];

const sha = (name: "sha256" | "sha1" | "md5" | "sha512", text: string | Uint8Array): Uint8Array => new Uint8Array(createHash(name).update(text).digest());

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
      return sha("sha256", Buffer.concat(signatures.map((signature) => bytesOf(signature) ?? new Uint8Array())));
  }
}

export function bundleIdOf(transactions: readonly Transaction[], { id, idForm }: Pick<BundleRules, "id" | "idForm">, now_ms: number): string {
  const digest = digestOf(transactions, id, now_ms);
  if (idForm === "base58") return base58(digest);
  if (idForm === "base64") return Buffer.from(digest).toString("base64");
  const hex = Buffer.from(digest).toString("hex");
  return idForm === "HEX" ? hex.toUpperCase() : hex;
}

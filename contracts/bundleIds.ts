// By which rule is the id of a bundle made? SHA-256 of its transactions' signatures (§2.5); how they are joined and written isn't shown.
import { createHash } from "node:crypto";
import { bytesOf, textOf } from "./base58.ts";
import type { Signed } from "./transactions.ts";

type Bytes = Uint8Array | string;
type Joining = readonly [name: string, join: (signed: readonly Signed[]) => Bytes];

const rawSignature = ({ signature }: Signed): Uint8Array => bytesOf(signature) ?? new Uint8Array();

/** Ways to make one text of the signatures. */
const ofSignatures: readonly Joining[] = [
  ["base58 signatures joined by commas", (signed) => signed.map(({ signature }) => signature).join(",")],
  ["base58 signatures run together", (signed) => signed.map(({ signature }) => signature).join("")],
  ["base58 signatures on lines", (signed) => signed.map(({ signature }) => signature).join("\n")],
  ["base58 signatures as a JSON list", (signed) => JSON.stringify(signed.map(({ signature }) => signature))],
  ["raw signatures run together", (signed) => Buffer.concat(signed.map(rawSignature))],
  ["hex signatures run together", (signed) => signed.map((one) => Buffer.from(rawSignature(one)).toString("hex")).join("")],
];

/** What else of a transaction could be hashed, and must not be. */
const ofOther: readonly Joining[] = [
  ["messages", (signed) => Buffer.concat(signed.map(({ message }) => message))],
  ["whole transactions", (signed) => Buffer.concat(signed.map(({ bytes }) => bytes))],
  ["whole transactions in base58, joined by commas", (signed) => signed.map(({ bytes }) => textOf(bytes)).join(",")],
  ["whole transactions in base64, joined by commas", (signed) => signed.map(({ bytes }) => Buffer.from(bytes).toString("base64")).join(",")],
];

const writtenAs: readonly (readonly [form: string, write: (digest: Buffer) => string])[] = [
  ["hex", (digest) => digest.toString("hex")],
  ["HEX", (digest) => digest.toString("hex").toUpperCase()],
  ["base58", (digest) => textOf(digest)],
  ["base64", (digest) => digest.toString("base64")],
  ["base64url", (digest) => digest.toString("base64url")],
];

export interface IdRule {
  readonly of: "signatures" | "something else";
  readonly joined: string;
  readonly form: string;
}

const ruleIn = (joinings: readonly Joining[], of: IdRule["of"], algorithms: readonly string[], id: string, signed: readonly Signed[]): IdRule | null => {
  for (const [joined, join] of joinings)
    for (const algorithm of algorithms)
      for (const [form, write] of writtenAs)
        if (write(createHash(algorithm).update(join(signed)).digest()) === id) return { of, joined: algorithm === "sha256" ? joined : `${joined}, ${algorithm}`, form };
  return null;
};

/** The same, of signatures alone: all that a status tells. */
export const ruleOfSignatures = (id: string, signatures: readonly string[]): IdRule | null =>
  ruleIn(
    ofSignatures,
    "signatures",
    ["sha256"],
    id,
    signatures.map((signature) => ({ signature, message: new Uint8Array(), bytes: new Uint8Array() })),
  );

/** The rule that gives this id for these transactions; null where none that we know does. */
export const ruleOf = (id: string, signed: readonly Signed[]): IdRule | null =>
  ruleIn(ofSignatures, "signatures", ["sha256"], id, signed) ??
  ruleIn(ofOther, "something else", ["sha256"], id, signed) ??
  ruleIn([...ofSignatures, ...ofOther], "something else", ["sha1"], id, signed);

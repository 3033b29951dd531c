// Rules by which bundle ids may be made: SHA-256 of the signatures, joined and written in any known way (§2.5)
import { createHash } from "node:crypto";
import { bytesOf, textOf } from "../shared/base58.ts";
import type { Signed } from "./transactions.ts";

type Bytes = Uint8Array | string;
type Algorithm = readonly [name: string, digest: (bytes: Bytes) => Buffer];
type Joining = readonly [name: string, join: (signed: readonly Signed[]) => Bytes];

const rawSignature = ({ signature }: Signed): Uint8Array => bytesOf(signature) ?? new Uint8Array();

/** Ways to make one text of the signatures. */
const ofSignatures: readonly Joining[] = [
  ["base58 signatures joined by commas", (signed) => signed.map(({ signature }) => signature).join(",")],
  ["base58 signatures run together", (signed) => signed.map(({ signature }) => signature).join("")],
  [
    "base58 signatures, sorted and joined by commas",
    (signed) =>
      signed
        .map(({ signature }) => signature)
        .sort()
        .join(","),
  ],
  ["base58 signatures on lines", (signed) => signed.map(({ signature }) => signature).join("\n")],
  ["base58 signatures as a JSON list", (signed) => JSON.stringify(signed.map(({ signature }) => signature))],
  ["raw signatures run together", (signed) => Buffer.concat(signed.map(rawSignature))],
  [
    "raw signatures, sorted and run together",
    (signed) => Buffer.concat(signed.map(rawSignature).sort((a, b) => Buffer.compare(a, b))),
  ],
  [
    "hex signatures run together",
    (signed) => signed.map((one) => Buffer.from(rawSignature(one)).toString("hex")).join(""),
  ],
];

/** What must not be hashed instead. */
const ofOther: readonly Joining[] = [
  ["messages", (signed) => Buffer.concat(signed.map(({ message }) => message))],
  ["whole transactions", (signed) => Buffer.concat(signed.map(({ bytes }) => bytes))],
  ["whole transactions in base58, joined by commas", (signed) => signed.map(({ bytes }) => textOf(bytes)).join(",")],
  [
    "whole transactions in base64, joined by commas",
    (signed) => signed.map(({ bytes }) => Buffer.from(bytes).toString("base64")).join(","),
  ],
];

const writtenAs: readonly (readonly [form: string, write: (digest: Buffer) => string])[] = [
  ["0x and hex", (digest) => `0x${digest.toString("hex")}`],
  ["hex", (digest) => digest.toString("hex")],
  ["HEX", (digest) => digest.toString("hex").toUpperCase()],
  ["base58", (digest) => textOf(digest)],
  ["base64", (digest) => digest.toString("base64")],
  ["base64url", (digest) => digest.toString("base64url")],
];

/** The bytes that a text may encode, form by form; as lenient as Node's decoders. */
const readAs: readonly (readonly [form: string, read: (text: string) => Uint8Array])[] = [
  ["0x and hex", (text) => Buffer.from(text.slice(2), "hex")],
  ["hex", (text) => Buffer.from(text, "hex")],
  ["HEX", (text) => Buffer.from(text, "hex")],
  ["base58", (text) => bytesOf(text) ?? new Uint8Array()],
  ["base64", (text) => Buffer.from(text, "base64")],
  ["base64url", (text) => Buffer.from(text, "base64url")],
];

/**
 * Unknown ids in the form of a known one.
 * @returns null where the form isn't known to us
 */
export function idsLike(id: string, count: number): readonly string[] | null {
  for (const [form, write] of writtenAs) {
    const digest = Buffer.from(readAs.find(([name]) => name === form)?.[1](id) ?? []);
    if (digest.length !== 32 || write(digest) !== id) continue;
    return Array.from({ length: count }, (_, nth) =>
      write(createHash("sha256").update(digest).update(`unknown ${nth}`).digest()),
    );
  }
  return null;
}

export interface IdRule {
  readonly of: "signatures" | "something else";
  readonly joined: string;
  readonly form: string;
}

const hashed = (algorithm: string, bytes: Bytes): Buffer => createHash(algorithm).update(bytes).digest();

/** SHA-256, and what could be mistaken for it. */
const sha256: Algorithm = ["SHA-256", (bytes) => hashed("sha256", bytes)];
const lookalikes: readonly Algorithm[] = [
  ...["sha1", "sha3-256", "sha512-256", "blake2s256"].map((name): Algorithm => [name, (bytes) => hashed(name, bytes)]),
  ["sha512, cut", (bytes) => hashed("sha512", bytes).subarray(0, 32)],
  ["SHA-256 twice", (bytes) => hashed("sha256", hashed("sha256", bytes))],
];

function rulesIn(
  joinings: readonly Joining[],
  of: IdRule["of"],
  algorithms: readonly Algorithm[],
  id: string,
  signed: readonly Signed[],
): readonly IdRule[] {
  const ruleBy = ([joined, join]: Joining, [name, digest]: Algorithm): readonly IdRule[] => {
    const value = digest(join(signed));
    return writtenAs.flatMap(([form, write]) =>
      write(value) === id ? [{ of, joined: name === sha256[0] ? joined : `${joined}, ${name}`, form }] : [],
    );
  };
  return joinings.flatMap((joining) => algorithms.flatMap((algorithm) => ruleBy(joining, algorithm)));
}

const unsigned = (signature: string): Signed => ({ signature, message: new Uint8Array(), bytes: new Uint8Array() });

/** Joinings that keep the order. */
const inOrder = ofSignatures.filter(([name]) => !name.includes("sorted"));

/** The known rule that gives this id for signatures in this order; null where none does. */
export const ruleOfSignatures = (id: string, signatures: readonly string[]): IdRule | null =>
  rulesIn(inOrder, "signatures", [sha256], id, signatures.map(unsigned))[0] ?? null;

/** Every rule that gives this id for these transactions; for a single transaction several do. */
export const rulesOf = (id: string, signed: readonly Signed[]): readonly IdRule[] => [
  ...rulesIn(ofSignatures, "signatures", [sha256], id, signed),
  ...rulesIn(ofOther, "something else", [sha256], id, signed),
  ...rulesIn([...ofSignatures, ...ofOther], "something else", lookalikes, id, signed),
];

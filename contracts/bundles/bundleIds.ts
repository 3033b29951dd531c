// Rules by which bundle ids may be made: SHA-256 of the signatures, joined and written in any known way (§2.5)
import { createHash } from "node:crypto";
import { base58Bytes, base58Text } from "../shared/base58.ts";
import type { Signed } from "./transactions.ts";

type Bytes = Uint8Array | string;
type Algorithm = readonly [name: string, digest: (bytes: Bytes) => Buffer];
type Joining = readonly [name: string, join: (signed: readonly Signed[]) => Bytes, order?: "sorted"];

const textsOf = (signed: readonly Signed[]): string[] => signed.map(({ signature }) => signature);
const bytesIn = (signed: readonly Signed[]): Uint8Array[] =>
  signed.map(({ signature }) => base58Bytes(signature) ?? new Uint8Array());

const ofSignatures: readonly Joining[] = [
  ["base58 signatures joined by commas", (signed) => textsOf(signed).join(",")],
  ["base58 signatures run together", (signed) => textsOf(signed).join("")],
  ["base58 signatures, sorted and joined by commas", (signed) => textsOf(signed).sort().join(","), "sorted"],
  ["base58 signatures on lines", (signed) => textsOf(signed).join("\n")],
  ["base58 signatures as a JSON list", (signed) => JSON.stringify(textsOf(signed))],
  ["raw signatures run together", (signed) => Buffer.concat(bytesIn(signed))],
  [
    "raw signatures, sorted and run together",
    (signed) => Buffer.concat(bytesIn(signed).sort(Buffer.compare)),
    "sorted",
  ],
  ["hex signatures run together", (signed) => Buffer.concat(bytesIn(signed)).toString("hex")],
];

/** What must not be hashed instead. */
const ofOther: readonly Joining[] = [
  ["messages", (signed) => Buffer.concat(signed.map(({ message }) => message))],
  ["whole transactions", (signed) => Buffer.concat(signed.map(({ bytes }) => bytes))],
  [
    "whole transactions in base58, joined by commas",
    (signed) => signed.map(({ bytes }) => base58Text(bytes)).join(","),
  ],
  [
    "whole transactions in base64, joined by commas",
    (signed) => signed.map(({ bytes }) => Buffer.from(bytes).toString("base64")).join(","),
  ],
];

interface Form {
  readonly write: (digest: Buffer) => string;
  /** The bytes that a text may encode; as lenient as Node's decoders. */
  readonly read: (text: string) => Uint8Array;
}

const forms: readonly Form[] = [
  { write: (digest) => `0x${digest.toString("hex")}`, read: (text) => Buffer.from(text.slice(2), "hex") },
  { write: (digest) => digest.toString("hex").toUpperCase(), read: (text) => Buffer.from(text, "hex") },
  { write: base58Text, read: (text) => base58Bytes(text) ?? new Uint8Array() },
  ...(["hex", "base64", "base64url"] as const).map((form) => ({
    write: (digest: Buffer) => digest.toString(form),
    read: (text: string) => Buffer.from(text, form),
  })),
];

/**
 * Unknown ids in the form of a known one.
 * @returns null where it has no form that we know, or may have two: some base64url texts are base58 as well
 */
export function idsLike(id: string, count: number): readonly string[] | null {
  const fitting = forms.flatMap(({ write, read }) => {
    const digest = Buffer.from(read(id));
    return digest.length === 32 && write(digest) === id ? [{ digest, write }] : [];
  });
  const [form] = fitting;
  if (!form || fitting.length > 1) return null;
  return Array.from({ length: count }, (_, nth) =>
    form.write(createHash("sha256").update(form.digest).update(`unknown ${nth}`).digest()),
  );
}

export interface IdRule {
  readonly of: "signatures" | "something else";
  readonly joined: string;
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
    const rule = { of, joined: name === sha256[0] ? joined : `${joined}, ${name}` };
    return forms.some(({ write }) => write(value) === id) ? [rule] : [];
  };
  return joinings.flatMap((joining) => algorithms.flatMap((algorithm) => ruleBy(joining, algorithm)));
}

const unsigned = (signature: string): Signed => ({ signature, message: new Uint8Array(), bytes: new Uint8Array() });

const inOrder = ofSignatures.filter(([, , order]) => order !== "sorted");

/** The known rule that gives this id for signatures in this order; null where none does. */
export const ruleOfSignatures = (id: string, signatures: readonly string[]): IdRule | null =>
  rulesIn(inOrder, "signatures", [sha256], id, signatures.map(unsigned))[0] ?? null;

/** Every rule that gives this id for these transactions; for a single transaction several do. */
export const rulesOf = (id: string, signed: readonly Signed[]): readonly IdRule[] => [
  ...rulesIn(ofSignatures, "signatures", [sha256], id, signed),
  ...rulesIn(ofOther, "something else", [sha256], id, signed),
  ...rulesIn([...ofSignatures, ...ofOther], "something else", lookalikes, id, signed),
];

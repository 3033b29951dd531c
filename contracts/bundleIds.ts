// By which rule is the id of a bundle made? SHA-256 of its transactions' signatures (§2.5); how they are joined and written isn't shown.
import { createHash } from "node:crypto";
import { bytesOf, textOf } from "./base58.ts";
import type { Signed } from "./transactions.ts";

type Bytes = Uint8Array | string;
type Algorithm = readonly [name: string, digest: (bytes: Bytes) => Buffer];
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
  ["0x and hex", (digest) => `0x${digest.toString("hex")}`],
  ["hex", (digest) => digest.toString("hex")],
  ["HEX", (digest) => digest.toString("hex").toUpperCase()],
  ["base58", (digest) => textOf(digest)],
  ["base64", (digest) => digest.toString("base64")],
  ["base64url", (digest) => digest.toString("base64url")],
];

/** Values that a text may stand for, by the forms in which ids are written; whoever decodes is as lenient as Node. */
const readAs: readonly (readonly [form: string, read: (text: string) => Uint8Array])[] = [
  ["0x and hex", (text) => Buffer.from(text.slice(2), "hex")],
  ["hex", (text) => Buffer.from(text, "hex")],
  ["HEX", (text) => Buffer.from(text, "hex")],
  ["base58", (text) => bytesOf(text) ?? new Uint8Array()],
  ["base64", (text) => Buffer.from(text, "base64")],
  ["base64url", (text) => Buffer.from(text, "base64url")],
];

/**
 * Ids of nobody's bundles, in the form of one that somebody has.
 * @returns null for a form that we don't know
 */
export function idsLike(id: string, count: number): readonly string[] | null {
  for (const [form, write] of writtenAs) {
    const digest = Buffer.from(readAs.find(([name]) => name === form)?.[1](id) ?? []);
    if (digest.length !== 32 || write(digest) !== id) continue;
    return Array.from({ length: count }, (_, nth) => write(createHash("sha256").update(digest).update(`unknown ${nth}`).digest()));
  }
  return null;
}

export interface IdRule {
  readonly of: "signatures" | "something else";
  readonly joined: string;
  readonly form: string;
}

const hashed = (algorithm: string, bytes: Bytes): Buffer => createHash(algorithm).update(bytes).digest();

/** SHA-256 under its own name, and what could be taken for it. */
const sha256: Algorithm = ["SHA-256", (bytes) => hashed("sha256", bytes)];
const lookalikes: readonly Algorithm[] = [
  ...["sha1", "sha3-256", "sha512-256", "blake2s256"].map((name): Algorithm => [name, (bytes) => hashed(name, bytes)]),
  ["sha512, cut", (bytes) => hashed("sha512", bytes).subarray(0, 32)],
  ["SHA-256 twice", (bytes) => hashed("sha256", hashed("sha256", bytes))],
];

function ruleIn(joinings: readonly Joining[], of: IdRule["of"], algorithms: readonly Algorithm[], id: string, signed: readonly Signed[]): IdRule | null {
  for (const [joined, join] of joinings)
    for (const [name, digest] of algorithms)
      for (const [form, write] of writtenAs) if (write(digest(join(signed))) === id) return { of, joined: name === sha256[0] ? joined : `${joined}, ${name}`, form };
  return null;
}

/** The same, of signatures alone: all that a status tells. */
export const ruleOfSignatures = (id: string, signatures: readonly string[]): IdRule | null =>
  ruleIn(
    ofSignatures,
    "signatures",
    [sha256],
    id,
    signatures.map((signature) => ({ signature, message: new Uint8Array(), bytes: new Uint8Array() })),
  );

/** The rule that gives this id for these transactions; null where none that we know does. */
export const ruleOf = (id: string, signed: readonly Signed[]): IdRule | null =>
  ruleIn(ofSignatures, "signatures", [sha256], id, signed) ??
  ruleIn(ofOther, "something else", [sha256], id, signed) ??
  ruleIn([...ofSignatures, ...ofOther], "something else", lookalikes, id, signed);

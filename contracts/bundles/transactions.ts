// Real transactions, encoded here and signed by node:crypto, independently of the reference (§2.5)
import { createHash, type KeyObject, sign } from "node:crypto";
import { base58Bytes, base58Text } from "../shared/base58.ts";
import { keyObjectOf, publicKeyOf } from "../shared/privateKey.ts";

/** An account whose key we hold. */
export interface TransactionPayer {
  readonly address: string;
  readonly publicKey: Uint8Array;
  readonly key: KeyObject;
}

/** @param seed the 32 bytes of an ed25519 private key */
export function payerOf(seed: Uint8Array): TransactionPayer {
  const key = keyObjectOf(seed);
  const publicKey = publicKeyOf(key);
  return { address: base58Text(publicKey), publicKey, key };
}

export const payerNamed = (name: string): TransactionPayer =>
  payerOf(createHash("sha256").update(`assay payer ${name}`).digest());

export interface Transfer {
  readonly from: TransactionPayer;
  readonly to: Uint8Array;
  readonly lamports: bigint;
}

interface Wanted {
  readonly payer: TransactionPayer;
  readonly transfers: readonly Transfer[];
  /** Makes transactions differ whose content is the same. */
  readonly nonce: number;
  /** Its 32 bytes. A chain takes one of its last 150 slots; by default one that no chain ever had. */
  readonly blockhash?: Uint8Array;
  readonly version?: "legacy" | 0;
  /** Required signers, whose signatures are left empty. */
  readonly unsigned?: readonly TransactionPayer[];
}

export interface Signed {
  /** In base58: the first signature, which names the transaction. */
  readonly signature: string;
  readonly message: Uint8Array;
  readonly bytes: Uint8Array;
}

/** A length in the chain's compact form: 7 bits a byte, lowest first. */
function compact(length: number): number[] {
  return length < 128 ? [length] : [(length & 127) | 128, ...compact(length >> 7)];
}

const systemProgram = new Uint8Array(32);
const computeBudget = base58Bytes("ComputeBudget111111111111111111111111111111") ?? systemProgram;

function transferData(lamports: bigint): number[] {
  const data = new DataView(new ArrayBuffer(12));
  data.setUint32(0, 2, true);
  data.setBigUint64(4, lamports, true);
  return [...new Uint8Array(data.buffer)];
}

/** Enough for each instruction here, which takes 150 compute units. */
const leastUnits = 3_000;
/** Limits of compute units that differ; a transaction may ask for at most 1,400,000. */
const differentLimits = 1_000_000;

/** SetComputeUnitLimit: transactions of one blockhash differ by it, which costs nothing. */
function limitData(nonce: number): number[] {
  const data = new DataView(new ArrayBuffer(5));
  data.setUint8(0, 2);
  data.setUint32(1, leastUnits + (nonce % differentLimits), true);
  return [...new Uint8Array(data.buffer)];
}

const noBlockhash = createHash("sha256").update("assay blockhash").digest();

/** The message in the chain's wire format: signers first, then accounts that only receive, then the programs. */
function messageOf(wanted: Wanted): { readonly message: Uint8Array; readonly signers: readonly TransactionPayer[] } {
  const { payer, transfers, nonce, blockhash = noBlockhash, version = "legacy", unsigned = [] } = wanted;
  const payers = [payer, ...transfers.map(({ from }) => from), ...unsigned];
  const signers = payers.filter((one, index) => payers.findIndex(({ address }) => address === one.address) === index);
  const all = [...signers.map(({ publicKey }) => publicKey), ...transfers.map(({ to }) => to)];
  const placeIn = (keys: readonly Uint8Array[], key: Uint8Array): number =>
    keys.findIndex((one) => Buffer.compare(one, key) === 0);
  const programs = [systemProgram, computeBudget];
  const keys = [...all.filter((key, index) => placeIn(all, key) === index), ...programs];
  const at = (key: Uint8Array): number => placeIn(keys, key);
  const instruction = (program: Uint8Array, accounts: readonly Uint8Array[], data: readonly number[]): number[] => [
    at(program),
    ...compact(accounts.length),
    ...accounts.map(at),
    ...compact(data.length),
    ...data,
  ];
  const instructions = [
    instruction(computeBudget, [], limitData(nonce)),
    ...transfers.map(({ from, to, lamports }) =>
      instruction(systemProgram, [from.publicKey, to], transferData(lamports)),
    ),
  ];
  const body = [
    signers.length,
    0,
    programs.length,
    ...compact(keys.length),
    ...keys.flatMap((key) => [...key]),
    ...blockhash,
    ...compact(instructions.length),
    ...instructions.flat(),
  ];
  // A versioned message begins with its number and the top bit set, and ends with its address tables.
  return { message: Uint8Array.from(version === 0 ? [128, ...body, 0] : body), signers };
}

const empty = new Uint8Array(64);

/** A fully signed transaction but for those named in `unsigned`. */
export function transaction(wanted: Wanted): Signed {
  const { message, signers } = messageOf(wanted);
  const unsigned = wanted.unsigned?.map(({ address }) => address) ?? [];
  const signatures = signers.map(({ address, key }) =>
    unsigned.includes(address) ? empty : new Uint8Array(sign(null, message, key)),
  );
  return {
    signature: base58Text(signatures[0] ?? empty),
    message,
    bytes: Uint8Array.from([...compact(signatures.length), ...signatures.flatMap((one) => [...one]), ...message]),
  };
}

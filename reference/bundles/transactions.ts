// Transactions of a bundle, decoded and their signatures verified with the field's own library (§4.3)
import {
  type Address,
  getBase58Decoder,
  getBase58Encoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  type SignatureBytes,
  verifySignature,
} from "@solana/kit";

export interface DecodedTransfer {
  readonly from: string;
  readonly to: string;
  readonly lamports: bigint;
}

export interface Transaction {
  /** The signature of the fee payer, in base58: the transaction's name. */
  readonly signature: string;
  /** In the order of its instructions. */
  readonly transfers: readonly DecodedTransfer[];
  /** Every required signature is there and fits the message. */
  readonly isSigned: boolean;
  /** At least one is. */
  readonly isPartlySigned: boolean;
  /** Every required signature is there, whether it fits or not: none is zero. */
  readonly isFilled: boolean;
  readonly message: Uint8Array;
  readonly bytes: Uint8Array;
}

export type TransactionEncoding = "base58" | "base64";

const systemProgram = "11111111111111111111111111111111";
/** Number of the transfer among the System program's instructions, and the length of its data. */
const transferInstruction = { number: 2, bytes: 12 };

const decodeTransaction = getTransactionDecoder();
const decodeMessage = getCompiledTransactionMessageDecoder();
const toBase58 = getBase58Decoder();

/** The largest transaction that fits a packet of the chain. */
const largest_bytes = 1232;
/** Longer texts can't be one, and decoding base58 takes time with the square of the length. */
const longestText = 2_000;

/** The bytes of a text; null where it isn't in that encoding or stands for nothing that could be a transaction. */
function bytesOf(text: string, encoding: TransactionEncoding): Uint8Array | null {
  const isText =
    encoding === "base64"
      ? /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
      : /^[1-9A-HJ-NP-Za-km-z]+$/.test(text);
  if (!isText || text.length === 0 || text.length > longestText) return null;
  const bytes = new Uint8Array((encoding === "base64" ? getBase64Encoder() : getBase58Encoder()).encode(text));
  return bytes.length <= largest_bytes ? bytes : null;
}

/** Null where a text is no transaction, or more than one. */
export async function readTransaction(text: string, encoding: TransactionEncoding): Promise<Transaction | null> {
  const bytes = bytesOf(text, encoding);
  if (!bytes) return null;
  try {
    const [{ messageBytes, signatures }, end] = decodeTransaction.read(bytes, 0);
    const [message, messageEnd] = decodeMessage.read(messageBytes, 0);
    if (end !== bytes.length || messageEnd !== messageBytes.length) return null;
    const [first] = Object.values(signatures);
    return {
      signature: first ? toBase58.decode(first) : "",
      transfers: transfersOf(message),
      ...(await signing(signatures, messageBytes)),
      message: Uint8Array.from(messageBytes),
      bytes,
    };
  } catch {
    // The decoders throw one of many errors for bytes that are no transaction.
    return null;
  }
}

async function signing(
  signatures: Readonly<Record<string, SignatureBytes | null>>,
  message: Parameters<typeof verifySignature>[2],
): Promise<Pick<Transaction, "isSigned" | "isPartlySigned" | "isFilled">> {
  const fits = await Promise.all(
    Object.entries(signatures).map(
      async ([address, signature]) =>
        signature !== null && verifySignature(await getPublicKeyFromAddress(address as Address), signature, message),
    ),
  );
  return {
    isSigned: fits.length > 0 && fits.every(Boolean),
    isPartlySigned: fits.some(Boolean),
    isFilled: Object.values(signatures).every((signature) => signature !== null),
  };
}

interface CompiledMessage {
  readonly staticAccounts: readonly string[];
  readonly instructions?: readonly {
    readonly programAddressIndex: number;
    readonly accountIndices?: readonly number[];
    readonly data?: { readonly [index: number]: number; readonly length: number };
  }[];
}

/** System transfers between accounts that the message names itself; other instructions move nothing here. */
function transfersOf(message: unknown): readonly DecodedTransfer[] {
  const { staticAccounts, instructions = [] } = message as CompiledMessage;
  return instructions.flatMap(({ programAddressIndex, accountIndices = [], data }): DecodedTransfer[] => {
    const [from, to] = accountIndices.map((index) => staticAccounts[index]);
    if (
      staticAccounts[programAddressIndex] !== systemProgram ||
      !data ||
      data.length !== transferInstruction.bytes ||
      !from ||
      !to
    )
      return [];
    const view = new DataView(Uint8Array.from({ length: data.length }, (_, index) => data[index] ?? 0).buffer);
    return view.getUint32(0, true) === transferInstruction.number
      ? [{ from, to, lamports: view.getBigUint64(4, true) }]
      : [];
  });
}

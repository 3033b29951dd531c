// getMultipleNewAddressProofs: proofs that addresses are free (§4.3, §2.4)
import { OutOfRange } from "../compression/address.ts";
import type { AddressProof, AddressTree } from "../compression/addressTree.ts";
import { base58, decodeBase58 } from "../platform/base58.ts";
import { treeAddress } from "../platform/chain.ts";
import type { ProofChoices } from "../platform/rpcChoices.ts";
import type { Value } from "../platform/wire.ts";
import { pass } from "./causes.ts";
import { indexedSlot, type RpcContext, type ServedMethod } from "./method.ts";
import { needs } from "./refusals.ts";

const length = 32;

const isAddress = (text: Value, { shortAddresses }: ProofChoices): text is string => {
  const bytes = typeof text === "string" ? decodeBase58(text) : null;
  return (
    bytes !== null &&
    (shortAddresses === "filled up" ? bytes.length > 0 && bytes.length <= length : bytes.length === length)
  );
};

/** With leading zeros where it is short. */
const fullBytesOf = (address: string): Uint8Array => {
  const bytes = decodeBase58(address) ?? new Uint8Array();
  const full = new Uint8Array(length);
  full.set(bytes, length - bytes.length);
  return full;
};

/** The next address; an existing one is its lower neighbour. */
function following(address: Uint8Array): Uint8Array {
  const next = Uint8Array.from(address);
  const last = next.findLastIndex((byte) => byte < 255);
  next.fill(0, last + 1);
  next[last] = (next[last] ?? 0) + 1;
  return next;
}

/** @throws Refused where an address exists already or lies outside the tree's range */
function proofOf(tree: AddressTree, address: string, { existing, canopy }: ProofChoices): Value {
  const bytes = fullBytesOf(address);
  const found = freeIn(tree, bytes) ?? (existing === "refused" ? null : freeIn(tree, following(bytes)));
  needs(found !== null);
  return {
    address,
    higherRangeAddress: base58(found.higherRange),
    lowerRangeAddress: base58(found.lowerRange),
    lowElementLeafIndex: found.lowElementLeafIndex,
    merkleTree: treeAddress,
    nextIndex: found.nextIndex,
    proof: found.proof.slice(0, found.proof.length - canopy).map(base58),
    root: base58(found.root),
    rootSeq: found.rootSequence,
  };
}

function freeIn(tree: AddressTree, address: Uint8Array): AddressProof | null {
  try {
    return tree.proofFor(address);
  } catch (error) {
    if (error instanceof OutOfRange) return null;
    throw error;
  }
}

/** @throws Refused for a duplicate where duplicates are refused */
function arranged(wanted: readonly string[], { duplicates, order }: ProofChoices): string[] {
  const once = [...new Set(wanted)];
  needs(duplicates !== "refused" || once.length === wanted.length);
  const proved = duplicates === "proved once" ? once : [...wanted];
  return order === "as asked" ? proved : proved.sort();
}

function handle(context: RpcContext): Value {
  const { params, chain, rules } = context;
  const { params: container, reads, invalid, most } = rules.proofs;
  const choices = rules.choices.proofs;
  const isGood = (one: Value): one is string => isAddress(one, choices);
  needs(Array.isArray(params));
  const listed = container === "nested" ? params[0] : params;
  needs(Array.isArray(listed) && (listed.length > 0 || choices.noAddresses === "no proofs") && listed.length <= most);
  const wanted = listed
    .filter((one) => invalid === "refused" || isGood(one))
    .slice(0, reads === "the first" ? 1 : most);
  needs(wanted.every(isGood));
  pass(...wanted);
  return {
    context: { slot: indexedSlot(context) },
    value: arranged(wanted, choices).map((address) => proofOf(chain.addresses, address, choices)),
  };
}

export const getMultipleNewAddressProofs: ServedMethod = { errorTable: "compression", handle };

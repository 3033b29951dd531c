// The root to which the path of an address proof leads, by a hash of our own (§2.4)
import { grainGenConstants, poseidon } from "@noble/curves/abstract/poseidon.js";
import { bn254_Fr as Fp } from "@noble/curves/bn254.js";

type Hash = (...values: readonly bigint[]) => bigint;

/**
 * Poseidon over BN254 as in circom. Constants take long, so that they are computed when needed; hashes are remembered,
 * as paths share their upper part.
 */
function poseidonOf(inputs: number, roundsPartial: number): Hash {
  const shape = { Fp, t: inputs + 1, roundsFull: 8, roundsPartial, sboxPower: 5 };
  const known = new Map<string, bigint>();
  let permute: ((values: bigint[]) => bigint[]) | null = null;
  return (...values) => {
    const name = values.join(" ");
    permute ??= poseidon({ ...shape, ...grainGenConstants(shape) });
    const hash = known.get(name) ?? permute([0n, ...values])[0] ?? 0n;
    known.set(name, hash);
    return hash;
  };
}

export const pairHash: Hash = poseidonOf(2, 57);
export const elementHash: Hash = poseidonOf(3, 56);

/** Levels of a tree of addresses; shorter paths leave out levels that the tree's account stores. */
export const treeHeight = 26;

/** Big-endian values of 32 bytes. */
export interface PathOfProof {
  readonly lowerRange: bigint;
  readonly higherRange: bigint;
  readonly lowElementLeafIndex: number;
  readonly nextIndex: number;
  /** Siblings from the low element's upwards. */
  readonly proof: readonly bigint[];
}

/** The root to which a low element's path leads. */
export const rootOf = (pathOfProof: PathOfProof): bigint => {
  const { lowerRange, higherRange, lowElementLeafIndex, nextIndex, proof } = pathOfProof;
  return proof.reduce(
    (hash, beside, level) =>
      Math.floor(lowElementLeafIndex / 2 ** level) % 2 === 0 ? pairHash(hash, beside) : pairHash(beside, hash),
    elementHash(lowerRange, BigInt(nextIndex), higherRange),
  );
};

// A binary Merkle tree of height 26 in which an empty leaf is 0
import { hashPair } from "./poseidon.ts";

/** Immutable: a tree with other leaves has new nodes on their paths and shares all others. */
export interface Tree {
  readonly hash: bigint;
  readonly height: number;
  /** Left and right; null at a leaf. */
  readonly halves: readonly [Tree, Tree] | null;
}

export interface Leaf {
  readonly index: number;
  readonly hash: bigint;
}

export const height = 26;

const leafOf = (hash: bigint): Tree => ({ hash, height: 0, halves: null });
const over = (left: Tree, right: Tree): Tree => ({
  hash: hashPair(left.hash, right.hash),
  height: left.height + 1,
  halves: [left, right],
});

export const emptyTree = (): Tree =>
  Array.from({ length: height }).reduce<Tree>((half) => over(half, half), leafOf(0n));

/** The tree with these leaves set. Many at once cost less than one by one: shared ancestors are hashed once. */
export function withLeaves(tree: Tree, leaves: readonly Leaf[]): Tree {
  const [first] = leaves;
  if (first === undefined) return tree;
  if (tree.halves === null) return leafOf(first.hash);
  const [left, right] = tree.halves;
  const width = 2 ** left.height;
  return over(
    withLeaves(
      left,
      leaves.filter(({ index }) => index < width),
    ),
    withLeaves(
      right,
      leaves.filter(({ index }) => index >= width).map(({ index, hash }) => ({ index: index - width, hash })),
    ),
  );
}

/** The hashes beside the way from a leaf to the root, the leaf's neighbour first. */
export function pathFrom(index: number, tree: Tree): readonly bigint[] {
  if (tree.halves === null) return [];
  const [left, right] = tree.halves;
  const width = 2 ** left.height;
  return index < width ? [...pathFrom(index, left), right.hash] : [...pathFrom(index - width, right), left.hash];
}

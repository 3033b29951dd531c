// The address tree, an indexed Merkle tree as in Light Protocol, and its proofs (§2.4)
import { addressValue, highestAddressValue, seededAddress, Taken } from "./address.ts";
import { emptyTree, type Leaf, pathFrom, type Tree, withLeaves } from "./merkleTree.ts";
import { hashElement, toBytes, toValue } from "./poseidon.ts";

/**
 * Proves that no element lies between two neighbours: hashing the low element up the path gives the root.
 * All byte arrays are 32 bytes, big-endian.
 */
export interface AddressProof {
  /** Value of the low element, the highest one below the address. */
  readonly lowerRange: Uint8Array;
  /** Value of the element after it, the lowest one above the address. */
  readonly higherRange: Uint8Array;
  readonly lowElementLeafIndex: number;
  /** The leaf of `higherRange`, not the next free leaf; the low element's hash contains it. */
  readonly nextIndex: number;
  /** From the low element's neighbour up, 26 hashes. */
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
  readonly rootSequence: number;
}

/** What an element's next one is isn't stored: it is the one after it in the order of values. */
interface Element {
  readonly index: number;
  readonly value: bigint;
}

const initial: readonly Element[] = [
  { index: 0, value: 0n },
  { index: 1, value: highestAddressValue },
];

const byValue = (element: Element, other: Element): number =>
  Number(element.value > other.value) - Number(element.value < other.value);

/** The leaf of an element that stands before `next`. The last one points back to 0, as the protocol has it. */
const leafOf = ({ index, value }: Element, next: Element | undefined): Leaf => ({
  index,
  hash: hashElement(value, next?.index ?? 0, next?.value ?? 0n),
});

const initialTree = (): Tree =>
  withLeaves(
    emptyTree(),
    initial.map((element, position) => leafOf(element, initial[position + 1])),
  );

/** Everything it holds is immutable and replaced by an insertion, so copies share all that they don't change. */
export class AddressTree {
  static readonly #seeded = new Map<string, AddressTree>();
  /** Its hashes take time, which only who asks for a tree should spend. */
  static #initial: Tree | undefined;
  /** In the order of their values. */
  #elements = initial;
  #tree = (AddressTree.#initial ??= initialTree());

  /** A tree with the first `elements` seeded addresses beside its two initial ones. Made once, then copied. */
  static seeded(seed: string, elements: number): AddressTree {
    const name = `${seed} ${elements}`;
    const tree = AddressTree.#seeded.get(name) ?? new AddressTree();
    if (!AddressTree.#seeded.has(name))
      tree.insert(...Array.from({ length: elements }, (_, number) => seededAddress(seed, number)));
    AddressTree.#seeded.set(name, tree);
    return tree.copy();
  }

  copy(): AddressTree {
    const copy = new AddressTree();
    copy.#elements = this.#elements;
    copy.#tree = this.#tree;
    return copy;
  }

  /**
   * Inserts all addresses in the order given, or none. Many at once cost less than one by one.
   * @throws {OutOfRange | Taken}
   */
  insert(...addresses: readonly Uint8Array[]): void {
    const added = addresses.map((address, number) => ({
      index: this.nextIndex + number,
      value: addressValue(address),
    }));
    const elements = [...this.#elements, ...added].sort(byValue);
    const leaves = elements.flatMap((element, position) => {
      const next = elements[position + 1];
      if (element.value === next?.value) throw new Taken(element.value);
      // An element's hash changes where it is new, or where the one after it is.
      return Math.max(element.index, next?.index ?? 0) >= this.nextIndex ? [leafOf(element, next)] : [];
    });
    this.#tree = withLeaves(this.#tree, leaves);
    this.#elements = elements;
  }

  /** Null where the address is taken, 0 included: nothing then proves that it is free. @throws {OutOfRange} */
  proofFor(address: Uint8Array): AddressProof | null {
    const value = addressValue(address);
    const position = this.#positionBelow(value);
    const [low, next] = this.#elements.slice(position, position + 2);
    if (low === undefined || next === undefined || low.value === value) return null;
    return {
      lowerRange: toBytes(low.value),
      higherRange: toBytes(next.value),
      lowElementLeafIndex: low.index,
      nextIndex: next.index,
      proof: pathFrom(low.index, this.#tree).map(toBytes),
      root: this.root,
      rootSequence: this.sequence,
    };
  }

  /** Whether an address is taken. Bytes that can't be an address aren't. */
  has(address: Uint8Array): boolean {
    if (address.length !== 32) return false;
    const value = toValue(address);
    return this.#elements[this.#positionBelow(value)]?.value === value;
  }

  get root(): Uint8Array {
    return toBytes(this.#tree.hash);
  }

  /** The leaf that the next address takes. */
  get nextIndex(): number {
    return this.#elements.length;
  }

  /**
   * Leaves written so far, as the protocol counts: two per element, its own and the one before it; one for the first.
   */
  get sequence(): number {
    return 2 * this.#elements.length - 1;
  }

  /** Where the highest element that isn't above a value stands. There always is one: element 0 holds 0. */
  #positionBelow(value: bigint): number {
    let from = 0;
    let until = this.#elements.length;
    while (until - from > 1) {
      const middle = (from + until) >> 1;
      if ((this.#elements[middle]?.value ?? highestAddressValue) <= value) from = middle;
      else until = middle;
    }
    return from;
  }
}

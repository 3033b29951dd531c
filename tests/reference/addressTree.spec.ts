// The address tree's proofs, against published values and a second implementation of its hash
import { bn254_Fr as Fp } from "@noble/curves/bn254.js";
import { expect, test } from "@playwright/test";
import { rootOf, elementHash as secondElement, pairHash as secondPair } from "../../property/merklePath.ts";
import { OutOfRange, seededAddress, Taken } from "../../reference/compression/address.ts";
import { type AddressProof, AddressTree } from "../../reference/compression/addressTree.ts";
import { hashElement, hashPair } from "../../reference/compression/poseidon.ts";

/** From the protocol's own constants, where they stand as bytes. */
const published = {
  firstZero: 0x2098f5fb9e239eab3ceac3f27b81e481dc3124d55ffed523a839ee8446b64864n,
  lastZero: 0x2ff6650540f629fd5711a0bc74fc0d28dcb230b9392583e5f8d59696dde6ae21n,
  initialRoot: 0x218538b88ea66ea1048ca9f773210fb54c59307e3a56cc511079b94d4b982b0fn,
  highest: 452312848583266388373324160190187140051835877600158453279131187530910662655n,
};

const bytes = (value: bigint): Uint8Array => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, "0"), "hex"));
const number = (address: Uint8Array): bigint => BigInt(`0x${Buffer.from(address).toString("hex")}`);
const fresh = (name: string, count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => seededAddress(name, index));

/** Where a proof leads, by the second implementation. */
const climbed = ({ lowerRange, higherRange, proof, ...indices }: AddressProof): bigint =>
  rootOf({ ...indices, lowerRange: number(lowerRange), higherRange: number(higherRange), proof: proof.map(number) });

function proofIn(tree: AddressTree, address: Uint8Array): AddressProof {
  const proof = tree.proofFor(address);
  if (proof === null) throw new Error("the address is taken");
  return proof;
}

test("both implementations hash 1, 2 and 1, 2, 3 to the values that circom publishes", () => {
  const ofTwo = 7853200120776062878684798364095072458815029376092732009249414926327459813530n;
  const ofThree = 6542985608222806190361240322586112750744169038454362455181422643027100751666n;
  expect([hashPair(1n, 2n), secondPair(1n, 2n)]).toEqual([ofTwo, ofTwo]);
  expect([hashElement(1n, 2, 3n), secondElement(1n, 2n, 3n)]).toEqual([ofThree, ofThree]);
});

test("a tree without addresses has the root that the protocol publishes for height 26", () => {
  const tree = AddressTree.seeded("empty", 0);
  expect(number(tree.root)).toBe(published.initialRoot);
  expect({ next: tree.nextIndex, sequence: tree.sequence }).toEqual({ next: 2, sequence: 3 });
});

test("subtrees without leaves have the hashes that the protocol publishes", () => {
  const path = proofIn(AddressTree.seeded("empty", 0), bytes(1n)).proof.map(number);
  expect(path).toHaveLength(26);
  expect([path[1], path[25]]).toEqual([published.firstZero, published.lastZero]);
});

test("each proof leads from the low element to the root", () => {
  const tree = AddressTree.seeded("proofs", 45);
  const beside = number(seededAddress("proofs", 7));
  const edges = [1n, published.highest - 1n, beside - 1n, beside + 1n].map(bytes);
  for (const address of [...fresh("others", 25), ...edges]) {
    const proof = proofIn(tree, address);
    expect(climbed(proof)).toBe(number(tree.root));
    expect(proof.root).toEqual(tree.root);
    expect(climbed({ ...proof, nextIndex: proof.nextIndex + 1 })).not.toBe(number(tree.root));
  }
});

test("the ranges are the nearest elements around an address", () => {
  const tree = AddressTree.seeded("ranges", 30);
  const values = [0n, published.highest, ...fresh("ranges", 30).map(number)];
  for (const address of fresh("others", 20)) {
    const { lowerRange, higherRange, lowElementLeafIndex, nextIndex } = proofIn(tree, address);
    const sorted = [...values, number(address)].sort((one, other) => Number(one - other));
    const position = sorted.indexOf(number(address));
    expect([number(lowerRange), number(higherRange)]).toEqual([sorted[position - 1], sorted[position + 1]]);
    expect([values[lowElementLeafIndex], values[nextIndex]]).toEqual([sorted[position - 1], sorted[position + 1]]);
  }
});

test("an insertion takes the next leaf, two steps of the sequence and the gap it lies in", () => {
  const tree = AddressTree.seeded("empty", 0);
  const before = tree.root;
  tree.insert(bytes(30n));
  expect({ next: tree.nextIndex, sequence: tree.sequence }).toEqual({ next: 3, sequence: 5 });
  expect(tree.root).not.toEqual(before);
  const [below, above] = [proofIn(tree, bytes(10n)), proofIn(tree, bytes(31n))];
  expect(below).toMatchObject({
    lowerRange: bytes(0n),
    higherRange: bytes(30n),
    lowElementLeafIndex: 0,
    nextIndex: 2,
    root: tree.root,
    rootSequence: 5,
  });
  expect(above).toMatchObject({
    lowerRange: bytes(30n),
    higherRange: bytes(published.highest),
    lowElementLeafIndex: 2,
    nextIndex: 1,
  });
  expect([climbed(below), climbed(above)]).toEqual([number(tree.root), number(tree.root)]);
});

test("addresses inserted at once or one by one make the same tree", () => {
  const [atOnce, oneByOne] = [AddressTree.seeded("order", 12), AddressTree.seeded("empty", 0)];
  for (const address of fresh("order", 12)) oneByOne.insert(address);
  expect([atOnce.root, atOnce.sequence]).toEqual([oneByOne.root, oneByOne.sequence]);
});

test("an address in the tree has no proof and isn't inserted again", () => {
  const tree = AddressTree.seeded("taken", 5);
  const [taken = bytes(0n)] = fresh("taken", 1);
  const before = tree.root;
  expect([tree.has(taken), tree.proofFor(taken), tree.proofFor(bytes(0n))]).toEqual([true, null, null]);
  expect(() => tree.insert(seededAddress("other", 0), taken)).toThrow(Taken);
  expect([tree.has(seededAddress("other", 0)), tree.root]).toEqual([false, before]);
});

test("copies don't see each other's insertions, and a seeded tree starts afresh", () => {
  const tree = AddressTree.seeded("copies", 5);
  const [copy, address, before] = [tree.copy(), seededAddress("other", 0), tree.root];
  copy.insert(address);
  expect(copy.has(address)).toBe(true);
  for (const one of [tree, AddressTree.seeded("copies", 5)])
    expect([one.has(address), one.root, proofIn(one, address).root]).toEqual([false, before, before]);
});

test("what a caller does to a proof's bytes doesn't reach the tree", () => {
  const tree = AddressTree.seeded("copies", 5);
  const [address, root] = [seededAddress("other", 0), tree.root];
  const proof = proofIn(tree, address);
  for (const bytesGiven of [proof.root, proof.lowerRange, ...proof.proof]) bytesGiven.fill(1);
  expect(climbed(proofIn(tree, address))).toBe(number(root));
});

test("an address at or above the highest element, or of another length, is out of range", () => {
  const tree = AddressTree.seeded("empty", 0);
  const lengths = [31, 33, 0].map((length) => new Uint8Array(length));
  for (const address of [bytes(published.highest), bytes(Fp.ORDER), new Uint8Array(32).fill(255), ...lengths]) {
    expect(() => tree.proofFor(address)).toThrow(OutOfRange);
    expect(() => tree.insert(address)).toThrow(OutOfRange);
  }
  expect(tree.has(new Uint8Array(31))).toBe(false);
  expect(tree.proofFor(bytes(published.highest - 1n))).not.toBeNull();
});

test("a refusal names the address in base58", () => {
  const tokenProgram = Uint8Array.from(
    Buffer.from("06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9", "hex"),
  );
  expect(() => AddressTree.seeded("empty", 0).proofFor(tokenProgram)).toThrow(
    "The address TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA isn't",
  );
});

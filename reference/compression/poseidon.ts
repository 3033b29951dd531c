// Poseidon hashes over BN254 with circom's parameters, and numbers as 32 bytes, big-endian
import { poseidon2 } from "poseidon-lite/poseidon2";
import { poseidon3 } from "poseidon-lite/poseidon3";

export const hashPair = (left: bigint, right: bigint): bigint => poseidon2([left, right]);

/** An element of an address tree: its value, and leaf and value of the next one, which bound the gap between them. */
export const hashElement = (value: bigint, nextIndex: number, nextValue: bigint): bigint =>
  poseidon3([value, nextIndex, nextValue]);

/** 32 bytes, in an array of its own: who gets it may change it. */
export const toBytes = (value: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, "0"), "hex"));

export const toValue = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

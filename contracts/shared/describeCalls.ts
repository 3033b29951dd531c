// What is told of the answer to a call that the interface leaves open?
import { createHash } from "node:crypto";
import Big from "big.js";
import { type Json, literalAt } from "../../harness/core/json.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { type Answered, fingerprintOf } from "../../harness/model/fingerprint.ts";
import type { Seen } from "../../harness/model/probe.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import { textOf } from "./base58.ts";

/** A call with something about it that the interface leaves open, so that no law judges the answer. */
export const unjudged = (call: Stimulus): Stimulus => ({ ...call, operation: null });

/** What is seen in a result; of anything else, how it came out: `error -32602`. */
export const describeResult =
  <Told extends Json>(sees: (answered: Answered) => Told) =>
  (answered: Answered): Told | string =>
    isServed(answered) ? sees(answered) : outcomeOf(answered);

export const seenAs = (name: string, answered: Answered, summary: Json): Seen => ({
  fingerprint: fingerprintOf(answered, { case: name }),
  summary,
});

/** The digits of a number as they were sent; what stands in its place where there is none. */
export function describeLiteral({ answer }: Answered, at: string): string {
  return (answer.json ? literalAt(answer.json, at) : undefined) ?? "no number";
}

/** The same accounts, in whatever order. */
export const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((address) => others.includes(address));

/** Whether digits are those that a double is printed with: a figure that went through one can't have others. */
export function isOfDouble(digits: string): boolean {
  const double = Number(digits);
  return digits === BigInt(double).toString() || digits === new Big(String(double)).toFixed();
}

/** A digest by chance: the address, key or hash of nobody. The first byte is zero, as addresses of compressed accounts have it. */
export const unknownDigest = (what: string, length = 32): string =>
  textOf(Uint8Array.of(0, ...digest(what), ...digest(`${what}, more`)).slice(0, length));

const digest = (text: string): Uint8Array => createHash("sha256").update(`nobody's ${text}`).digest();

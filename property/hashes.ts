// Hashes of a wrong length and texts of another alphabet are refused (§2.4, §4.3)
import fc from "fast-check";
import { refusedFor } from "../contracts/shared/jsonRpcOracles.ts";
import { balance, compressed, freshAddress, proofs } from "../contracts/shared/jsonRpcRequests.ts";
import type { RequestSpec } from "../harness/core/requestSpec.ts";
import type { Check, CheckContext, Shown } from "../harness/model/check.ts";
import { wrongAlphabet, wrongLength } from "./arbitraries/base58.ts";
import { judgeAnswer, property } from "./property.ts";

const feature = "compression";

/** Refused with the documented code for params, beside a positive control that is served. */
const refused = (context: CheckContext, bad: RequestSpec, positiveControl: RequestSpec): Promise<Shown> =>
  judgeAnswer(context, bad, refusedFor(feature, "params", positiveControl));

const baseline = {
  address: balance({ address: compressed(0, "address") }),
  hash: balance({ hash: compressed(0, "hash") }),
  proof: proofs([freshAddress(0)]),
};
const cases = { some: 6, few: 3 } as const;

export const properties: readonly Check[] = [
  property(
    "CB-BAD-01",
    { hash: wrongLength },
    ({ hash }, context) => refused(context, balance({ hash }), baseline.hash),
    { name: "hashesOfAnotherLength", feature, each: [baseline.hash, baseline.hash], cases },
  ),
  property(
    "CB-BAD-01",
    { member: fc.constantFrom("address", "hash"), text: wrongAlphabet },
    ({ member, text }, context) => refused(context, balance({ [member]: text }), baseline[member]),
    { name: "balancesOfStrangeLetters", feature, each: [baseline.address, baseline.hash], cases },
  ),
  property(
    "NAP-BAD-01",
    { text: wrongAlphabet, isFirst: fc.boolean() },
    ({ text, isFirst }, context) =>
      refused(context, proofs(isFirst ? [text, freshAddress(0)] : [freshAddress(0), text]), baseline.proof),
    { name: "proofsOfStrangeLetters", feature, each: [baseline.proof, baseline.proof], cases },
  ),
];

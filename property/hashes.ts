// Is no hash of another length looked up, and no text of another alphabet taken for an address? (§2.4, §4.3)
import fc from "fast-check";
import { refusedFor } from "../contracts/shared/jsonRpcOracles.ts";
import { balance, compressed, freshAddress, proofs } from "../contracts/shared/jsonRpcRequests.ts";
import type { Stimulus } from "../harness/core/stimulus.ts";
import type { Check, CheckContext, Shown } from "../harness/model/check.ts";
import { wrongAlphabet, wrongLength } from "./arbitraries/base58.ts";
import { property } from "./property.ts";

const feature = "compression";

/** Refused with the code that is documented for params, beside what is served. */
async function refused(context: CheckContext, bad: Stimulus, good: Stimulus): Promise<Shown> {
  const exchange = await context.ask(bad);
  return { exchange, finding: await refusedFor(feature, "params", good)(exchange, context) };
}

const good = {
  address: balance({ address: compressed(0, "address") }),
  hash: balance({ hash: compressed(0, "hash") }),
  proof: proofs([freshAddress(0)]),
};
const cases = { some: 6, few: 3 } as const;

export const properties: readonly Check[] = [
  property("CB-BAD-01", { hash: wrongLength }, ({ hash }, context) => refused(context, balance({ hash }), good.hash), {
    name: "hashesOfAnotherLength",
    feature,
    each: [good.hash, good.hash],
    cases,
  }),
  property(
    "CB-BAD-01",
    { member: fc.constantFrom("address" as const, "hash" as const), text: wrongAlphabet },
    ({ member, text }, context) => refused(context, balance({ [member]: text }), good[member]),
    { name: "balancesOfStrangeLetters", feature, each: [good.address, good.hash], cases },
  ),
  property(
    "NAP-BAD-01",
    { text: wrongAlphabet, isFirst: fc.boolean() },
    ({ text, isFirst }, context) =>
      refused(context, proofs(isFirst ? [text, freshAddress(0)] : [freshAddress(0), text]), good.proof),
    { name: "proofsOfStrangeLetters", feature, each: [good.proof, good.proof], cases },
  ),
];

// Each new address has one proof, between its neighbours and up to the root (§2.4, §4.3)

import fc from "fast-check";
import { baseline } from "../contracts/compression/getMultipleNewAddressProofs.ts";
import { base58Bytes, numberFromBytes } from "../contracts/shared/base58.ts";
import { freshAddress, proofs } from "../contracts/shared/jsonRpcRequests.ts";
import { notTested } from "../contracts/shared/masked.ts";
import { broken, type Finding, held, must, worstOf } from "../harness/core/finding.ts";
import { type Json, valueAt } from "../harness/core/json.ts";
import { otherNeed, type UnmetNeed } from "../harness/core/reason.ts";
import type { Check } from "../harness/model/check.ts";
import type { Target } from "../harness/targets/target.ts";
import { newAddress } from "./arbitraries/newAddresses.ts";
import { rootOf, treeHeight } from "./merklePath.ts";
import { listAt, property } from "./property.ts";

const feature = "compression";

/** Only the target's sample addresses: a tree's range and the length of a list are unspecified. */
const given = [0, 1, 2];

const inCompany = property(
  "NAP-MAP-01",
  { addresses: fc.shuffledSubarray(given, { minLength: 1 }) },
  async ({ addresses }, context) => {
    const exchange = await context.ask(proofs(addresses.map(freshAddress)));
    const wanted = valueAt(exchange.sent.json, "/params") as readonly string[];
    const got = listAt(exchange, "/value").map((one) => valueAt(one, "/address"));
    const isWhole = got.length === wanted.length && wanted.every((address) => got.includes(address));
    return { exchange, finding: must(isWhole, "/result/value", `one proof for each of ${wanted.join(", ")}`, got) };
  },
  { name: "proofForEach", feature, each: [proofs(given.map(freshAddress))], cases: { many: 30, some: 8, few: 3 } },
);

const numberAt = (proof: Json, at: string): bigint => {
  const text = valueAt(proof, at);
  const bytes = typeof text === "string" ? base58Bytes(text) : null;
  if (bytes?.length !== 32) throw notTested(`${at} isn't 32 bytes in base58`);
  return numberFromBytes(bytes);
};

const indexAt = (proof: Json, at: string): number => {
  const index = valueAt(proof, at);
  if (typeof index !== "number") throw notTested(`${at} isn't a number`);
  return index;
};

/**
 * Whether a proof shows that its address is free. @throws Withheld for a path of another length than the tree's height
 */
function proved(proof: Json, at: string): Finding {
  const lowerRange = numberAt(proof, "/lowerRangeAddress");
  const higherRange = numberAt(proof, "/higherRangeAddress");
  const address = numberAt(proof, "/address");
  if (lowerRange >= address || address >= higherRange) {
    const expected = "an address between lowerRangeAddress and higherRangeAddress";
    return broken(`${at}/address`, expected, valueAt(proof, "/address"));
  }
  const path = valueAt(proof, "/proof");
  if (!Array.isArray(path) || path.length !== treeHeight)
    throw notTested("the length of a path isn't the height of the tree");
  const root = rootOf({
    lowerRange,
    higherRange,
    lowElementLeafIndex: indexAt(proof, "/lowElementLeafIndex"),
    nextIndex: indexAt(proof, "/nextIndex"),
    proof: path.map((_, level) => numberAt(proof, `/proof/${level}`)),
  });
  const isRoot = root === numberAt(proof, "/root");
  return must(isRoot, `${at}/root`, "the root to which its path leads", valueAt(proof, "/root"));
}

/** The hash of a tree is unspecified: paths are followed where it is known. */
const hashUnknown = ({ isReference }: Target): UnmetNeed | null =>
  isReference ? null : otherNeed("the hash of the address tree is unknown");

const upToTheRoot = property(
  "EXT-SOL-03",
  { addresses: fc.uniqueArray(newAddress, { minLength: 1, maxLength: 6 }) },
  async ({ addresses }, context) => {
    const exchange = await context.ask(proofs(addresses));
    const findings = listAt(exchange, "/value").map((proof, nth) => proved(proof, `/result/value/${nth}`));
    return { exchange, finding: worstOf(findings) ?? held };
  },
  { name: "provedUpToTheRoot", feature, each: [baseline()], unless: hashUnknown, cases: { many: 60, some: 6, few: 0 } },
);

export const properties: readonly Check[] = [inCompany, upToTheRoot];

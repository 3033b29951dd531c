// Is each address that isn't created yet proved once, in any company and order? (§2.4, §4.3 getMultipleNewAddressProofs)
import fc from "fast-check";
import { freshAddress, proofs } from "../contracts/rpc/requests.ts";
import { resultOf } from "../contracts/rpcOracles.ts";
import { type Check, Withheld } from "../harness/check.ts";
import { broken, held } from "../harness/finding.ts";
import { type Json, valueAt } from "../harness/json.ts";
import { isServed, outcomeOf } from "../harness/rpc.ts";
import { property } from "./property.ts";

/** Which addresses a tree has room for isn't shown, and how many may be asked for at once is open: those of the target, and no more than examples ask for. */
const given = [0, 1, 2];

export const properties: readonly Check[] = [
  property(
    "NAP-MAP-01",
    { addresses: fc.shuffledSubarray(given, { minLength: 1 }) },
    async ({ addresses }, bench) => {
      const exchange = await bench.ask(proofs(addresses.map(freshAddress)));
      const wanted = valueAt(exchange.sent.json, "/params") as readonly string[];
      const value = resultOf(exchange, "/value");
      if (!isServed(exchange) || !Array.isArray(value)) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
      const got = (value as readonly Json[]).map((one) => valueAt(one, "/address"));
      const isWhole = got.length === wanted.length && wanted.every((address) => got.includes(address));
      return { exchange, finding: isWhole ? held : broken("/result/value", `one proof for each of ${wanted.join(", ")}`, got) };
    },
    { name: "proofForEach", part: "compression", each: [proofs(given.map(freshAddress))], cases: { many: 30, some: 8, few: 3 } },
  ),
];

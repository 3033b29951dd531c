// Is every address that can be created proved, and no other? (§2.4, §4.3)

import { broken, held } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { type Check, type CheckContext, check, scenario } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { resultOf, takesParams } from "../shared/jsonRpcOracles.ts";
import { freshAddress, proofs } from "../shared/jsonRpcRequests.ts";
import type { Ask } from "../shared/stimuli.ts";

const feature = "compression";
const one = proofs([freshAddress(0)]);
const two = proofs([freshAddress(0), freshAddress(1)], { id: 12 });
const three = proofs([freshAddress(0), freshAddress(1), freshAddress(2)], { id: 12 });

/** As many addresses at once as are taken, of those that we try: how many may be is open (OBS-NAP-MAX). */
async function mostTaken(context: CheckContext): Promise<{ readonly exchange: Exchange; readonly asked: number }> {
  for (const [index, stimulus] of [three, two].entries()) {
    const exchange = await context.ask(stimulus);
    if (isServed(exchange)) return { exchange, asked: 3 - index };
  }
  const exchange = await context.ask(one);
  if (!isServed(exchange)) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
  return { exchange, asked: 1 };
}

/** Whatever is proved: more than the first element of params was read. */
const readsAll = scenario("NAP-PAR-01", { feature, requests: [one] }, async (context) => {
  const { exchange, asked } = await mostTaken(context);
  const proved = resultOf(exchange, "/value");
  const isCut = asked > 1 && Array.isArray(proved) && proved.length === 1;
  return [
    {
      exchange,
      finding: isCut
        ? broken("/result/value", "more than the first address read", `1 proof for ${asked} addresses`)
        : held,
    },
  ];
});

const shape = [
  "NAP-ELT-01",
  "NAP-ELT-02",
  "NAP-ELT-03",
  "NAP-ELT-04",
  "NAP-ELT-05",
  "NAP-ELT-06",
  "NAP-ELT-07",
  "NAP-ELT-08",
  "NAP-ELT-09",
] as const;

export const baseline: Ask = (options) => proofs([freshAddress(0)], options);

export const checks: readonly Check[] = [
  check("NAP-PAR-01", one, takesParams, { feature }),
  readsAll,
  check(["NAP-RES-01", "NAP-MAP-01"], one, undefined, { feature }),
  scenario(
    [],
    { feature, requests: [one], shows: ["NAP-RES-01", "NAP-MAP-01", ...shape, "EXT-SOL-01", "EXT-SOL-03"] },
    async (context) => {
      await mostTaken(context);
      return [];
    },
  ),
];

// Checks of getMultipleNewAddressProofs: all addresses are read, proofs have their shape (§2.4, §4.3)
import { must } from "../../harness/core/finding.ts";
import type { Check, CheckContext } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { forFeature } from "../shared/forFeature.ts";
import { listIn, takesParams } from "../shared/jsonRpcOracles.ts";
import { freshAddress, proofs } from "../shared/jsonRpcRequests.ts";
import { onlyServed } from "../shared/masked.ts";
import type { Ask } from "../shared/requestSpecs.ts";

const { check, scenario } = forFeature("compression");
const oneProof = proofs([freshAddress(0)]);
const two = proofs([freshAddress(0), freshAddress(1)], { id: 12 });
const three = proofs([freshAddress(0), freshAddress(1), freshAddress(2)], { id: 12 });

const first = freshAddress(0);
const second = freshAddress(1);
/** No more than two different ones, which are accepted; the repeated one stands before, around and behind the other. */
const repeatedOnes = [
  [first, first, second],
  [first, second, first],
  [second, first, first],
];

/** Three addresses, two or one: the first that are accepted. How many may be sent is unspecified (OBS-NAP-MAX). */
async function mostAccepted(context: CheckContext): Promise<{ readonly exchange: Exchange; readonly sent: number }> {
  for (const [index, requestSpec] of [three, two].entries()) {
    const exchange = await context.ask(requestSpec);
    if (isServed(exchange)) return { exchange, sent: 3 - index };
  }
  return { exchange: onlyServed(await context.ask(oneProof)), sent: 1 };
}

/** More than the first element of params is read. */
const readsAll = scenario("NAP-PAR-01", { requests: [oneProof], repeats: 2 }, async (context) => {
  const { exchange, sent } = await mostAccepted(context);
  const isCut = sent > 1 && listIn(exchange, "/value").length === 1;
  const got = `1 proof for ${sent} addresses`;
  return [{ exchange, finding: must(!isCut, "/result/value", "more than the first address read", got) }];
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
  check("NAP-PAR-01", oneProof, takesParams),
  readsAll,
  check(["NAP-RES-01", "NAP-MAP-01"], oneProof),
  scenario(
    [],
    {
      requests: [oneProof],
      repeats: 2 + repeatedOnes.length,
      shows: ["NAP-RES-01", "NAP-MAP-01", ...shape, "EXT-SOL-01", "EXT-SOL-03"],
    },
    async (context) => {
      const { sent } = await mostAccepted(context);
      // A platform may refuse an address that comes twice, or fail at it (OBS-NAP-DUP).
      if (sent > 1) for (const addresses of repeatedOnes) await context.ask(proofs(addresses)).catch(() => undefined);
      return [];
    },
  ),
];

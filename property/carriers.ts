// Keys by header and by query give the same usage; the header's name has no case (§5.2; RFC 9110 §5.1)

import { controlOf } from "../contracts/shared/control.ts";
import { documentedPlaces } from "../contracts/shared/figures.ts";
import { notTested } from "../contracts/shared/masked.ts";
import { answers } from "../contracts/shared/oracles.ts";
import { usageRequest } from "../contracts/shared/requestSpecs.ts";
import { usageReaderOf, valueIn } from "../contracts/usage/usageReader.ts";
import { walletServedLike } from "../contracts/wallet/oracles.ts";
import { walletBaseline } from "../contracts/wallet/requests.ts";
import { equals, held, worstOf } from "../harness/core/finding.ts";
import type { RequestSpec } from "../harness/core/requestSpec.ts";
import type { Check, Oracle } from "../harness/model/check.ts";
import { keyHeader } from "./arbitraries/carriers.ts";
import { someIncrements } from "./arbitraries/increments.ts";
import { paid } from "./bundleLimits.ts";
import { judgeAnswer, type PropertyOptions, property } from "./property.ts";

/** The request with the header's name in another case, beside its documented positive control. */
const inAnyCase = (
  positiveControl: RequestSpec,
  oracle: Oracle,
  options: Pick<PropertyOptions, "name" | "feature" | "unless">,
): Check =>
  property(
    "EXT-HTTP-04",
    { header: keyHeader },
    ({ header }, context) => {
      const carriers = positiveControl.carriers.map((carrier) => ({ ...carrier, name: header }));
      return judgeAnswer(context, { ...positiveControl, carriers }, oracle);
    },
    { ...options, each: [positiveControl, positiveControl], cases: { many: 100, some: 6, few: 3 } },
  );

const usageByHeader = usageRequest({ as: "owner", keyIn: "header" });
const walletByHeader = walletBaseline("getWalletBalances").ask({ keyIn: "header" });

export const properties: readonly Check[] = [
  inAnyCase(usageByHeader, answers(200, usageByHeader), { name: "usageKeyInAnyCase", feature: "usage" }),
  inAnyCase(walletByHeader, walletServedLike(walletByHeader), {
    name: "walletKeyInAnyCase",
    feature: "wallet",
    unless: paid,
  }),
  property(
    "AUTH-ADM-EQ-01",
    { increments: someIncrements },
    async ({ increments }, context) => {
      const { project } = await usageReaderOf(context, { prepaid: "1000000" });
      // The project's clock stands still, so that both reads see the same.
      for (const { product, credits, pool } of increments) await project.consume(product, credits, { pool });
      const header = await context.ask(usageRequest({ as: project.asker, keyIn: "header" }));
      const query = await context.ask(usageRequest({ as: project.asker, keyIn: "query" }));
      if (header.answer?.status !== 200 || query.answer?.status !== 200)
        throw notTested(`the reads got ${header.answer?.status} and ${query.answer?.status}`);
      const findings = documentedPlaces.map((at) => equals(at, valueIn(query, at), valueIn(header, at) ?? null));
      return { exchange: query, finding: worstOf(findings) ?? held };
    },
    {
      name: "sameByEitherCarrier",
      feature: "usage",
      control: { reads: 2, of: controlOf.billing },
      cases: { some: 3, few: 0 },
    },
  ),
];

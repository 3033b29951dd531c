// Checks that credits accumulate unrounded and are rounded once (§2.1 rule 2).
import type { Check, Shown } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { products } from "../shared/figures.ts";
import { rounded, totalIs, withProject } from "./usageReader.ts";

const fractions = products.map((product, whole) => [product, `${whole}.4999`] as const);

/** Just below half a credit in every product, on a leap day: any rounding but one at the end, to the nearest, shows. */
const onLeapDay = (id: RequirementId, judge: (exchange: Exchange) => readonly Shown[]): Check =>
  withProject(id, 1, { billingAnchor: "2023-06-15", standsAt: "2024-02-29T12:00:00Z" }, async ({ project, read }) => {
    for (const [product, credits] of fractions) await project.consume(product, credits, { pool: "regular" });
    return judge(await read());
  });

const allRounded = (exchange: Exchange, exact: { readonly [product: string]: string }): readonly Shown[] =>
  Object.entries(exact).map(([product, credits]) => rounded(exchange, `/credits/${product}`, credits));

export const checks: readonly Check[] = [
  withProject("CRD-ROUND-01", 1, {}, async ({ project, read }) => {
    await project.consume("rpc", "0.3", { times: 10 });
    await project.consume("das", "0.6", { times: 10 });
    await project.consume("archival", "0.7", { times: 3 });
    for (const day of [20, 21, 22, 23, 24]) {
      await project.moveClock(`2025-03-${day}T12:00:00Z`);
      await project.consume("compression", "0.4");
    }
    const exchange = await read();
    const exact = { rpc: "3", das: "6", archival: "2.1", compression: "2" };
    return [...allRounded(exchange, exact), totalIs(exchange, "/creditsUsed", "13.1")];
  }),

  withProject("CRD-ROUND-02", 1, {}, async ({ project, read }) => {
    await project.consume("rpc", "2.9");
    await project.consume("das", "2.1");
    await project.consume("other", "2.5");
    const exchange = await read();
    const exact = { rpc: "2.9", das: "2.1", other: "2.5" };
    return [...allRounded(exchange, exact), totalIs(exchange, "/creditsUsed", "7.5")];
  }),

  onLeapDay("CRD-ROUND-02", (exchange) => allRounded(exchange, Object.fromEntries(fractions))),
  // The total derives from the accumulated amounts, not from rounded products.
  onLeapDay("CRD-USE-02", (exchange) => [totalIs(exchange, "/creditsUsed", "60.4989")]),

  withProject("CRD-ROUND-03", 6, {}, async ({ project, read }) => {
    for (let increment = 0; increment < 5; increment += 1) {
      await project.consume("rpc", "0.4");
      await read();
    }
    return allRounded(await read(), { rpc: "2" });
  }),
];

// Checks that credit figures follow the ledger of a test project (§2.1; register §1).

import Big from "big.js";
import { near } from "../../harness/core/finding.ts";
import { otherNeed } from "../../harness/core/reason.ts";
import type { Check, Shown } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { forFeature } from "../shared/forFeature.ts";
import { inTurn } from "../shared/inTurn.ts";
import { notTested } from "../shared/masked.ts";
import { ownersUsage, usageRequest } from "../shared/requestSpecs.ts";
import { amountAt, nothingFell, numberIs, numbersAre, totalIs, withProject } from "./usageReader.ts";

const { check, scenario, verifiedBySelfTest } = forFeature("usage");

/** Prepaid credits moved from remaining to used, by this amount in both figures. */
const movedEqually = (before: Exchange, after: Exchange, by: number): readonly Shown[] => {
  const [remaining, used] = ["/prepaidCreditsRemaining", "/prepaidCreditsUsed"] as const;
  const moved = (at: string): Big => amountAt(after, at).minus(amountAt(before, at));
  return [
    { exchange: after, finding: near(remaining, moved(remaining), moved(used).times(-1), { within: 0 }) },
    { exchange: after, finding: near(used, moved(used), new Big(by), { within: 0 }) },
  ];
};

const creditsLimit = 120_000;

export const checks: readonly Check[] = [
  check(["CRD-REM-01", "CRD-REM-03", "CRD-SUM-01", "CRD-REM-02"], ownersUsage),
  check("CRD-USE-01", usageRequest({ as: "paid" })),
  check("CRD-LIM-01", usageRequest({ as: "paid" }), undefined, {
    unless: ({ keys }) => {
      const key = keys.get("paid");
      if (key?.project.creditsLimit !== undefined) return null;
      const remedy = key && [{ at: `/projects/${key.projectName}/creditsLimit` }];
      return otherNeed("the target gives no creditsLimit of the paid project", remedy);
    },
  }),
  verifiedBySelfTest(["CRD-REM-04", "CRD-SUM-02"], "tests/proof/mutants.spec.ts"),
  verifiedBySelfTest("CRD-ROUND-04", "no test: no billing interface is in scope"),

  withProject("CRD-REM-02", 4, { plan: { creditsLimit: 1000 } }, async ({ project, read }) => {
    // One is left, then none, however much more is used.
    return inTurn(["999", "1", "1", "99"], async (credits, nth) => {
      await project.consume("rpc", credits);
      return numberIs(await read(), "/creditsRemaining", nth === 0 ? 1 : 0);
    });
  }),

  withProject(["CRD-REM-01", "CRD-USE-01"], 1, { prepaid: "100000" }, async ({ project, read }) => {
    await project.consume("rpc", "219004", { pool: "regular" });
    await project.consume("das", "40000", { pool: "prepaid" });
    const expected = { "/creditsRemaining": 780_996, "/creditsUsed": 259_004, "/prepaidCreditsUsed": 40_000 };
    return numbersAre(await read(), expected);
  }),

  withProject("CRD-USE-02", 1, { prepaid: "9000", standsAt: "2025-03-10T08:00:00Z" }, async ({ project, read }) => {
    await project.consume("rpc", "700.5", { pool: "regular" });
    await project.consume("das", "80.25", { pool: "prepaid" });
    await project.moveClock("2025-03-20T12:10:00Z");
    await project.consume("compression", "120.75", { times: 3, pool: "regular" });
    await project.consume("archival", "33.5", { pool: "prepaid" });
    await project.moveClock("2025-03-20T12:40:00Z");
    const { used, prepaidUsed, prepaidRemaining } = await project.ledger();
    const left = new Big(1_000_000).minus(new Big(used).minus(prepaidUsed));
    const exchange = await read();
    return [
      totalIs(exchange, "/creditsUsed", used),
      totalIs(exchange, "/prepaidCreditsUsed", prepaidUsed),
      totalIs(exchange, "/prepaidCreditsRemaining", prepaidRemaining),
      totalIs(exchange, "/creditsRemaining", left),
      totalIs(exchange, "/creditsUsed", "395.75"),
    ];
  }),

  // Optional, as wallet calls may show the same without control.
  ...[
    withProject("CRD-PRE-01", 2, { plan: { creditsLimit: 1000 }, prepaid: "5000" }, async ({ project, read }) => {
      await project.consume("rpc", "1000", { pool: "regular" });
      const before = await read();
      await project.consume("rpc", "250", { pool: "prepaid" });
      return movedEqually(before, await read(), 250);
    }),

    // Overage that isn't paid from the prepaid pool doesn't count as prepaid, even with credits left in the pool.
    withProject("CRD-PRE-01", 2, { plan: { creditsLimit: 1000 }, prepaid: "100" }, async ({ project, read }) => {
      await project.consume("rpc", "1000", { pool: "regular" });
      await project.consume("rpc", "60", { pool: "prepaid" });
      const before = await read();
      await project.consume("rpc", "400", { pool: "regular" });
      return movedEqually(before, await read(), 0);
    }),
  ].map((one) => ({ ...one, optional: true })),

  withProject(
    "CRD-LIM-01",
    2,
    { invoicing: "yearly", prepaid: "5000", plan: { creditsLimit } },
    async ({ project, read }) => {
      const before = await read();
      await project.consume("rpc", "4321");
      const reads = [before, await read()];
      return reads.map((exchange) => numberIs(exchange, "/subscriptionDetails/creditsLimit", creditsLimit));
    },
  ),

  withProject("CRD-MONO-01", 5, { standsAt: "2025-03-20T23:50:00Z" }, async ({ project, read }) => {
    await project.consume("rpc", "40");
    await project.consume("das", "50");
    const reads = [await read(), await read()];
    await project.consume("rpc", "10");
    reads.push(await read());
    await project.moveClock("2025-03-21T00:10:00Z");
    reads.push(await read(), await read());
    return reads.slice(1).map((after, index) => nothingFell(reads[index] ?? after, after));
  }),

  scenario(
    "CRD-MONO-01",
    { requests: [0, 1].map((again) => usageRequest({ as: "owner", again })) },
    async ({ ask, fresh }) => {
      const before = await ask(fresh(ownersUsage));
      await ask(usageRequest({ as: "owner", of: { id: "c1a2e3f4-5b6c-4d7e-8f90-a1b2c3d4e5f6" } }));
      const after = await ask(fresh(ownersUsage));
      if (before.answer?.status !== 200 || after.answer?.status !== 200)
        throw notTested("the owner's usage isn't served");
      return [nothingFell(before, after)];
    },
  ),
];

// What remains of a plan ends at 0, wherever use is around its limit (§2.1)
import Big from "big.js";
import { controlOf } from "../contracts/shared/control.ts";
import { numberIs, totalIs, usageReaderOf } from "../contracts/usage/usageReader.ts";
import type { Check, CheckContext, Shown } from "../harness/model/check.ts";
import { aroundLimit, type SomeUse } from "./arbitraries/limits.ts";
import { property } from "./property.ts";

/** More than any case uses. */
const purchased = "1000";

/** Totals may be rounded before they are subtracted: a credit either way, except for whole figures and far beyond. */
function within({ creditsLimit, regular, prepaid }: SomeUse): number {
  const isWhole = [regular, prepaid].every((credits) => Number.isInteger(Number(credits)));
  return isWhole || new Big(regular).gte(creditsLimit + 1) ? 0 : 1;
}

async function remaining(use: SomeUse, context: CheckContext): Promise<Shown> {
  const { creditsLimit, regular, prepaid } = use;
  const { project, read } = await usageReaderOf(context, { plan: { creditsLimit }, prepaid: purchased });
  await project.consume("rpc", regular, { pool: "regular" });
  if (new Big(prepaid).gt(0)) await project.consume("das", prepaid, { pool: "prepaid" });
  const exchange = await read();
  const left = new Big(creditsLimit).minus(regular);
  const shown = [
    numberIs(exchange, "/creditsRemaining", left.gt(0) ? left : 0, within(use)),
    totalIs(exchange, "/creditsUsed", new Big(regular).plus(prepaid)),
    totalIs(exchange, "/prepaidCreditsUsed", prepaid),
  ];
  return shown.find(({ finding }) => finding.outcome === "broken") ?? { exchange, finding: { outcome: "held" } };
}

export const properties: readonly Check[] = [
  property("CRD-REM-01", { use: aroundLimit }, ({ use }, context) => remaining(use, context), {
    name: "remainsAroundLimits",
    feature: "usage",
    control: { reads: 4, of: controlOf.billing },
    cases: { some: 4, few: 0 },
  }),
];

// Checks of a change of plan: what stays, and what follows the new plan (§2.1).
import Big from "big.js";
import { equals, near } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Check, CheckContext } from "../../harness/model/check.ts";
import type { ProjectWish } from "../../harness/transport/control.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { forFeature } from "../shared/forFeature.ts";
import { usage } from "../shared/stimuli.ts";
import { nothingFell, numberAt, usageReaderOf, valueIn } from "./usageReader.ts";

const { scenario } = forFeature("usage");

const needs = { requests: [usage({ as: "owner" })], control: { reads: 2 } };

/** The usage of a project with 300 regular and 40 prepaid credits used, before and after a change of its plan. */
async function changed(
  context: CheckContext,
  plan: { readonly name: string; readonly kind: "paid" | "free"; readonly creditsLimit: number },
): Promise<{ before: Exchange; after: Exchange }> {
  const wish: ProjectWish = { plan: { creditsLimit: 1000 }, prepaid: "500" };
  const { project, read } = await usageReaderOf(context, wish);
  await project.consume("rpc", "300", { pool: "regular" });
  await project.consume("das", "40", { pool: "prepaid" });
  const before = await read();
  await project.changePlan(plan);
  // The target describes the made project by its first plan, so that no law may judge this answer.
  const after = await context.ask(context.fresh({ ...usage({ as: project.asker }), operation: null }));
  if (after.answer?.status !== 200)
    throw new Withheld(`masked: usage returned ${after.answer?.status} after a change of plan`);
  return { before, after };
}

const larger = { name: "larger", kind: "paid", creditsLimit: 5000 } as const;
const free = { name: "free of charge", kind: "free", creditsLimit: 5000 } as const;

export const checks: readonly Check[] = [
  // Whether a new cycle begins is unspecified (OBS-CYC-PLANCHG); within one cycle nothing falls.
  scenario("CRD-MONO-01", needs, async (context) => {
    const { before, after } = await changed(context, larger);
    return [nothingFell(before, after)];
  }),

  // Whichever plan's limit is shown, the other figures follow from it.
  scenario("CRD-REM-01", needs, async (context) => {
    const { after } = await changed(context, larger);
    const left = numberAt(after, "/subscriptionDetails/creditsLimit").minus(
      numberAt(after, "/creditsUsed").minus(numberAt(after, "/prepaidCreditsUsed")),
    );
    return [
      {
        exchange: after,
        finding: near("/creditsRemaining", numberAt(after, "/creditsRemaining"), left.lt(0) ? new Big(0) : left, {
          within: 1,
        }),
      },
    ];
  }),

  scenario("CYC-BILL-01", needs, async (context) => {
    const { after } = await changed(context, free);
    if (valueIn(after, "/subscriptionDetails/plan") !== free.name)
      throw new Withheld("the change of plan isn't in effect yet");
    return [
      {
        exchange: after,
        finding: equals("/subscriptionDetails/billingCycle", valueIn(after, "/subscriptionDetails/billingCycle"), null),
      },
    ];
  }),
];

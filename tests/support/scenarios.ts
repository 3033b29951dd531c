// Scenarios of a test's own: a first look at a platform, and reads of usage between calls
import { readAll } from "../../contracts/metering/meterRounds.ts";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite } from "../../contracts/suite.ts";
import { survey, unseen } from "../../contracts/survey.ts";
import { balances } from "../../contracts/wallet/requests.ts";
import { type Check, scenario } from "../../harness/model/check.ts";
import { asVendor, changeIn, keysOf, outcomeOf, type TargetChange, type Trial } from "./probeSpecs.ts";

const { auditor: _, ...rest } = contractSuite;
const alone = (check: Check) => ({ suite: { ...rest, checks: [check], probes: [] }, observe: [] });

/** What is seen with one key; the target names only what is given. */
export async function surveyed(given: TargetChange, choice?: Trial["choice"]) {
  let seen = unseen();
  const looking = scenario([], { requests: [], feature: "usage" }, async (context) => {
    seen = await survey(context, ["paid"], "all", contractSuite.finders);
    return [];
  });
  const trial = alone(looking);
  const known = { samples: {}, names: {}, allow: [] };
  await outcomeOf({
    ...trial,
    suite: { ...trial.suite, laws: [], authSanityChecks: [] },
    target: asVendor((target) => ({ ...known, keys: keysOf(target, "paid"), ...changeIn(target, given) })),
    choice,
  });
  return seen;
}

/** Numbers of the exchanges that reads of one project are taken from; before each one calls, or nobody does. */
export async function readsAfter(
  calls: readonly ("other" | "second" | null)[],
  target?: Trial["target"],
): Promise<readonly number[]> {
  const numbers: number[] = [];
  const needs = { requests: [usageRequest({ as: "paid" }), balances({ as: "paid" })], feature: "usage" } as const;
  const reading = scenario("USG-HTTP-01", needs, async (context) => {
    await readAll(context, ["paid", "other"]);
    for (const as of calls) {
      if (as) await context.ask(context.fresh(balances({ as })));
      const { exchanges } = await readAll(context, ["paid"], false);
      numbers.push(...exchanges.map(({ number }) => number));
    }
    return [];
  });
  await outcomeOf({ ...alone(reading), target });
  return numbers;
}

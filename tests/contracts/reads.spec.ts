// Reads of usage: one serves several measurements until something is called that its project pays for
import { expect, test } from "@playwright/test";
import { readAll } from "../../contracts/metering/reads.ts";
import { usage } from "../../contracts/shared/stimuli.ts";
import { suite } from "../../contracts/suite.ts";
import { balances } from "../../contracts/wallet/requests.ts";
import type { Asker } from "../../harness/core/stimulus.ts";
import { scenario } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import { asVendor, outcomeOf } from "../support/probeSpecs.ts";

/** Numbers of the exchanges that four reads of one project are taken from. */
async function readsOn(target: (given: Target) => Target): Promise<readonly number[]> {
  const numbers: number[] = [];
  const reading = scenario(
    "USG-HTTP-01",
    { requests: [usage({ as: "paid" }), balances({ as: "paid" })], feature: "usage" },
    async (context) => {
      const read = async (): Promise<void> => {
        const { exchanges } = await readAll(context, ["paid"], false);
        numbers.push(...exchanges.map(({ number }) => number));
      };
      const call = (as: Asker) => context.ask(context.fresh(balances({ as })));
      await readAll(context, ["paid", "other"]);
      await read();
      await call("other");
      await read();
      // Of the same project.
      await call("second");
      await read();
      await read();
      return [];
    },
  );
  const { auditor: _, ...rest } = suite;
  await outcomeOf({ suite: { ...rest, checks: [reading], probes: [] }, observe: [], target });
  return numbers;
}

test("what was read is read again only after a call that its project pays for", async () => {
  const [first, beside, after, again] = await readsOn(asVendor({ offers: ["usage", "wallet"] }));
  expect(beside).toBe(first);
  expect(after).toBeGreaterThan(first ?? 0);
  expect(again).toBe(after);
});

test("where projects can be made, which may stand in for others, each read is sent", async () => {
  const numbers = await readsOn((given) => given);
  expect(new Set(numbers).size).toBe(4);
});

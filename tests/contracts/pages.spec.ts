// Accounts that move to another page: once is inconclusive, with each read it is broken.
import { expect, test } from "@playwright/test";
import { accountsShown } from "../support/choices.ts";
import { outcomeOf } from "../support/probeSpecs.ts";

/** The first account of page 1 stands on page 2 as well, in so many reads of it. */
function moving(reads: number) {
  let [read, first]: [number, readonly object[]] = [0, []];
  return accountsShown((served, { page }) => {
    const { token_accounts: accounts } = served;
    if (page === 1) first = accounts.slice(0, 1);
    if (page !== 2 || (read += 1) > reads) return served;
    return { ...served, token_accounts: [...first, ...accounts.slice(1)] };
  });
}

for (const [how, reads, verdict, reason] of [
  ["once", 1, "inconclusive", "accounts changed between two reads"],
  ["with each read", Number.POSITIVE_INFINITY, "broken", null],
] as const)
  test(`an account that moves to another page ${how} is ${verdict}`, async () => {
    const { verdicts } = await outcomeOf({ only: ["TA-PAGE-01"], observe: [], choice: moving(reads) });
    expect(verdicts).toMatchObject([{ id: "TA-PAGE-01", verdict, reason }]);
  });

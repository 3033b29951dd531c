// Accounts that move to another page: once is inconclusive, with each read it is broken.
import { expect, test } from "@playwright/test";
import { suite } from "../../contracts/suite.ts";
import { resultDoc } from "../../reference/platform/mutant.ts";
import { isObject, type Value } from "../../reference/platform/wire.ts";
import { outcomeOf } from "../support/probeSpecs.ts";

/** The first account of page 1 stands on page 2 as well, in so many reads of it. */
function moving(reads: number) {
  let [read, first]: [number, Value] = [0, null];
  return resultDoc("getTokenAccounts", (served, { params }) => {
    const [page, accounts] = [isObject(params) ? params["page"] : undefined, served["token_accounts"] as Value[]];
    if (page === 1) first = accounts[0] ?? null;
    if (page !== 2 || (read += 1) > reads) return served;
    return { ...served, token_accounts: [first, ...accounts.slice(1)] };
  });
}

for (const [how, reads, verdict, reason] of [
  ["once", 1, "inconclusive", "accounts changed between two reads"],
  ["with each read", Number.POSITIVE_INFINITY, "broken", null],
] as const)
  test(`an account that moves to another page ${how} is ${verdict}`, async () => {
    const trial = { suite, only: ["TA-PAGE-01"], observe: [], choice: { answer: moving(reads) } } as const;
    const { verdicts } = await outcomeOf(trial);
    expect(verdicts).toMatchObject([{ id: "TA-PAGE-01", verdict, reason }]);
  });

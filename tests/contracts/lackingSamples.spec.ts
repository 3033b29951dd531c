// Tests that a check asks for nothing that its needs don't name: each sample, name and key is taken out in turn.
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { suite } from "../../cli/suite.ts";
import { askersOf, givensIn } from "../../harness/core/stimulus.ts";
import type { Check } from "../../harness/model/check.ts";
import { lacking, type Member, members } from "../../proof/lawful/members.ts";
import { asVendor, outcomeOf } from "../support/probeSpecs.ts";

test.describe.configure({ mode: "parallel" });

/** Whether a check asks for anything in the list or object that a member is in. */
function mentions({ needs }: Check, member: Member): boolean {
  const stimuli = [...needs.requests, ...(needs.generates?.each ?? [])];
  const [, part, name] = member.split("/");
  if (part !== "keys")
    return stimuli.flatMap(givensIn).some((pointer) => `${pointer}/`.startsWith(`/${part}/${name}/`));
  const owners: readonly (string | undefined)[] = ["paid", "other", "free"];
  return stimuli.flatMap(askersOf).some((asker) => asker === name || (asker === "owner" && owners.includes(name)));
}

/** What goes wrong of our making in those checks that mention one of the members. */
async function flawsWithout(lacks: readonly Member[], isVendor: boolean): Promise<readonly string[]> {
  const asked = suite.checks.filter((check) => lacks.some((member) => mentions(check, member)));
  const { verdicts } = await outcomeOf({
    suite: { ...suite, checks: asked },
    observe: [],
    hasSchedules: !isVendor,
    target: (target) => lacks.reduce(lacking, isVendor ? asVendor()(target) : target),
  });
  return verdicts.flatMap(({ id, verdict, reason }) =>
    verdict === "broken" || verdict === "inconclusive" ? [`${id} is ${verdict}: ${reason}`] : [],
  );
}

/** Most checks need one of these; of a list its first item and the whole are enough. */
const isCostly = (member: Member): boolean =>
  member.split("/").length > 4 ||
  /\/[1-9]$/.test(member) ||
  ["/keys/other", "/keys/free", "/samples/wallets/0"].includes(member);

for (const member of members) {
  test(`without ${member} no check of a vendor fails or finds anything`, {
    tag: isCostly(member) ? "@slow" : [],
  }, async () => {
    expect(await flawsWithout([member], true)).toEqual([]);
  });

  test(`without ${member} no check with control fails or finds anything`, { tag: "@slow" }, async () => {
    expect(await flawsWithout([member], false)).toEqual([]);
  });
}

const pairs = fc.sample(fc.uniqueArray(fc.constantFrom(...members), { minLength: 2, maxLength: 2 }), {
  seed: 17,
  numRuns: 30,
});
for (const [nth, pair] of pairs.entries())
  test(`without ${pair.join(" and ")} no check fails or finds anything`, { tag: "@slow" }, async () => {
    expect(await flawsWithout(pair, nth % 3 > 0)).toEqual([]);
  });

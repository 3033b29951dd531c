// Tests that a check asks for nothing that its needs don't name: each sample, name and key is taken out in turn.
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { givenMembers, mentions, without } from "../support/platforms.ts";
import { asVendor, outcomeOf } from "../support/probeSpecs.ts";

test.describe.configure({ mode: "parallel" });

/** What goes wrong of our making in those checks that ask for one of the members. */
async function flawsWithout(lacks: readonly string[], isVendor: boolean): Promise<readonly string[]> {
  const { verdicts } = await outcomeOf({
    suite: "everything",
    checks: (check) => lacks.some((member) => mentions(check, member)),
    observe: [],
    hasSchedules: !isVendor,
    target: (target) => without(lacks)(isVendor ? asVendor()(target) : target),
  });
  return verdicts.flatMap(({ id, verdict, reason }) =>
    verdict === "broken" || verdict === "inconclusive" ? [`${id} is ${verdict}: ${reason}`] : [],
  );
}

/** Most checks need one of these; of a list its first item and the whole are enough. */
const isCostly = (member: string): boolean =>
  member.split("/").length > 4 ||
  /\/[1-9]$/.test(member) ||
  ["/keys/other", "/keys/free", "/samples/wallets/0"].includes(member);

for (const member of givenMembers) {
  test(`without ${member} no check of a vendor fails or finds anything`, {
    tag: isCostly(member) ? "@slow" : [],
  }, async () => {
    expect(await flawsWithout([member], true)).toEqual([]);
  });

  test(`without ${member} no check with control fails or finds anything`, { tag: "@slow" }, async () => {
    expect(await flawsWithout([member], false)).toEqual([]);
  });
}

const pairs = fc.sample(fc.uniqueArray(fc.constantFrom(...givenMembers), { minLength: 2, maxLength: 2 }), {
  seed: 17,
  numRuns: 30,
});
for (const [nth, pair] of pairs.entries())
  test(`without ${pair.join(" and ")} no check fails or finds anything`, { tag: "@slow" }, async () => {
    expect(await flawsWithout(pair, nth % 3 > 0)).toEqual([]);
  });

// Tests that a check asks for nothing that its needs don't name: each sample, name and key is taken out in turn.
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { suite } from "../../cli/suite.ts";
import type { Json } from "../../harness/core/json.ts";
import { askersOf, givensIn, roles } from "../../harness/core/stimulus.ts";
import type { Check } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { asVendor, keysOf, outcomeOf } from "../support/probeSpecs.ts";

test.describe.configure({ mode: "parallel" });

/** What can be taken out of a target file: `/samples/wallets/0`, `/names/balanceAt`, `/keys/free`. */
type Member = string;

const full = inProcess(suite).target;

/** Every member of a value and of its members, by pointer. */
function membersOf(value: Json, at: string): readonly Member[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value as { readonly [name: string]: Json }).flatMap(([name, one]) => [
    `${at}/${name}`,
    ...membersOf(one, `${at}/${name}`),
  ]);
}

const [samples, names] = [membersOf(full.samples, "/samples"), membersOf(full.names, "/names")];
const keys = roles.filter((role) => full.keys.has(role)).map((role) => `/keys/${role}`);

function without(value: Json, [name = "", ...rest]: readonly string[]): Json {
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value as { readonly [name: string]: Json }).flatMap(([own, one]) =>
    own !== name ? [[own, one] as const] : rest.length > 0 ? [[own, without(one, rest)] as const] : [],
  );
  return Array.isArray(value) ? kept.map(([, one]) => one) : Object.fromEntries(kept);
}

function lacking(target: Target, member: Member): Target {
  const [, part, ...steps] = member.split("/");
  if (part === "keys") return { ...target, keys: keysOf(target, ...roles.filter((role) => role !== steps[0])) };
  const changed = part === "names" ? { names: target.names } : { samples: target.samples };
  return { ...target, ...(without(changed, [part ?? "", ...steps]) as Partial<Target>) };
}

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
async function flawsWithout(members: readonly Member[], isVendor: boolean): Promise<readonly string[]> {
  const asked = suite.checks.filter((check) => members.some((member) => mentions(check, member)));
  const { verdicts } = await outcomeOf({
    suite: { ...suite, checks: asked },
    observe: [],
    hasSchedules: !isVendor,
    target: (target) => members.reduce(lacking, isVendor ? asVendor()(target) : target),
  });
  return verdicts.flatMap(({ id, verdict, reason }) =>
    verdict === "broken" || verdict === "inconclusive" ? [`${id} is ${verdict}: ${reason}`] : [],
  );
}

const all = [...samples, ...names, ...keys];
/** Most checks need one of these keys. */
const isCostly = (member: Member): boolean =>
  member.split("/").length > 4 || ["/keys/other", "/keys/free"].includes(member);

for (const member of all) {
  test(`without ${member} no check of a vendor fails or finds anything`, {
    tag: isCostly(member) ? "@slow" : [],
  }, async () => {
    expect(await flawsWithout([member], true)).toEqual([]);
  });

  test(`without ${member} no check with control fails or finds anything`, { tag: "@slow" }, async () => {
    expect(await flawsWithout([member], false)).toEqual([]);
  });
}

const pairs = fc.sample(fc.uniqueArray(fc.constantFrom(...all), { minLength: 2, maxLength: 2 }), {
  seed: 17,
  numRuns: 30,
});
for (const [nth, pair] of pairs.entries())
  test(`without ${pair.join(" and ")} no check fails or finds anything`, { tag: "@slow" }, async () => {
    expect(await flawsWithout(pair, nth % 3 > 0)).toEqual([]);
  });

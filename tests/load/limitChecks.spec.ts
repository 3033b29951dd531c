// Tests of the checks of limits: what each plans and sends, and what it makes of the answers
import { expect, test } from "@playwright/test";
import { contractSuite } from "../../contracts/suite.ts";
import type { Check } from "../../harness/model/check.ts";
import { checks as ofBundles } from "../../load/rateLimits/bundles.ts";
import { checks as ofPlans } from "../../load/rateLimits/general.ts";
import { checks as ofUsage } from "../../load/rateLimits/usage.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { asVendor } from "../support/probeSpecs.ts";
import { checkOf, run, triple } from "./limitContext.ts";

const { target } = inProcess(contractSuite);
const vendor = asVendor({ quiet: true })(target);
const noisy = asVendor({ quiet: false })(target);

const planOf = ({ ids, when, shows, needs }: Check) => ({
  ids,
  when,
  shows,
  consent: needs.consent,
  schedules: needs.schedules?.map(({ name, calls, seconds }) => `${name}: ${calls.length} in ${seconds} s`),
  calls: [...new Set(needs.schedules?.flatMap(({ calls }) => calls))],
});

test("usage is read in bursts, in a pair, steadily and too fast", () => {
  const plan = { when: "last", shows: [], consent: "throttle", calls: ["getProjectUsage"] };
  const bursts = { ...plan, schedules: ["usage bursts: 37 in 13 s"] };
  expect(ofUsage.map(planOf)).toEqual([
    { ...bursts, ids: ["RATE-ADM-01"] },
    { ...plan, ids: ["RATE-ADM-01"], schedules: ["usage pair: 10 in 6 s"] },
    { ...bursts, ids: ["RATE-ADM-02"] },
    { ...plan, ids: ["RATE-ADM-02"], when: "beside", schedules: ["usage overload: 240 in 23 s"] },
    { ...bursts, ids: ["RATE-ADM-03"], shows: ["ERR-ADM-429-01"] },
    { ...bursts, ids: ["RATE-ADM-04"] },
    { ...plan, ids: ["RATE-ADM-05"], when: "beside", schedules: ["usage steadily: 180 in 63 s"] },
  ]);
  for (const { feature, needs } of ofUsage) {
    expect(feature).toBe("usage");
    expect(needs.requests).toMatchObject([
      { operation: "getProjectUsage", carriers: [{ key: { keyOf: "bystander" } }] },
    ]);
  }
});

test("bundles are planned with all that a second attempt would send", () => {
  const plan = { when: "last", shows: [], consent: "throttle" };
  const inBursts = "bundle bursts: 0 in 13 s";
  const [two, twice] = ["bundles by two projects: 0 in 3 s", "bundles by two keys: 0 in 10 s"];
  const rows = ofBundles.map((check) => {
    const { calls, ...rest } = planOf(check);
    const roles = check.needs.requests.flatMap(({ carriers }) => carriers.map(({ key }) => key));
    const shared = check.needs.sends?.shared?.map((one) => `${one.name}: ${one.calls} pay ${one.payments}`);
    expect([check.needs.sends?.calls, check.needs.sends?.payments, check.feature]).toEqual([0, 0, "bundles"]);
    expect(new Set(check.needs.requests.map(({ operation }) => operation)).size).toBeLessThan(2);
    return { ...rest, calls, roles: roles.map((key) => ("keyOf" in key ? key.keyOf : key)), shared };
  });
  const bursts = "bundle bursts: 74 pay 74";
  const side = "bundles by two projects: 20 pay 20";
  const row = (id: string, roles: readonly string[], schedules: readonly string[], shared: readonly string[]) => ({
    ...{ ...plan, ids: [id], roles, schedules, shared, calls: [] as string[] },
  });
  expect(rows).toEqual([
    row("RATE-SB-01", [], [inBursts], [bursts]),
    row("RATE-SB-01", [], ["bundle pair: 0 in 6 s"], ["bundle pair: 20 pay 20"]),
    row("RATE-SB-02", [], [inBursts], [bursts]),
    row("RATE-SB-03", ["paid", "second"], [twice, two, inBursts], ["bundles by two keys: 72 pay 72", side, bursts]),
    row("RATE-SB-04", ["paid", "other"], [two, inBursts], [side, bursts]),
    {
      ...row("RATE-SB-05", [], ["bundles beside statuses: 5 in 3 s", inBursts], []),
      calls: ["getBundleStatuses"],
      shared: ["bundles beside statuses: 10 pay 10", bursts],
    },
  ]);
  const asked = checkOf(ofBundles, "RATE-SB-04").needs.requests;
  expect(asked.map(({ operation }) => operation)).toEqual(["getBundleStatuses", "getBundleStatuses"]);
});

test("plans are planned with control only", () => {
  expect(ofPlans.map((check) => ({ ...planOf(check), reads: check.needs.control?.reads }))).toEqual([
    ...["statuses over the plan: 20 in 3 s", "simulations over the plan: 20 in 3 s"].map((schedule, nth) => ({
      ...{ ids: ["RATE-GEN-01"], when: "last", shows: [], consent: "throttle", schedules: [schedule], reads: 0 },
      calls: [nth === 0 ? "getBundleStatuses" : "simulateBundle"],
    })),
    {
      ...{ ids: ["RATE-GEN-02"], when: "last", shows: [], consent: "throttle", schedules: ["plans: 130 in 7 s"] },
      calls: ["getIndexerHealth"],
      reads: 0,
    },
  ]);
});

/** After the bursts, and again after another rest. */
const twiceRefused = { "usage bursts, 1 requests": "R", "usage bursts": triple(5, "R", "R") };

const verdicts: readonly (readonly [
  checks: readonly Check[],
  id: string,
  nth: number,
  letters: { readonly [schedule: string]: string },
  words: RegExp,
])[] = [
  [ofUsage, "RATE-ADM-01", 0, { "usage bursts": triple(5) }, /^held by 28$/],
  [ofUsage, "RATE-ADM-01", 0, { "usage bursts": triple(4) }, /^broken by 4 at status: at least 5 served in each/],
  [ofUsage, "RATE-ADM-01", 1, { "usage pair": "SSSSSSSR" }, /^broken by 7 at status: all 10 served/],
  [ofUsage, "RATE-ADM-02", 0, { "usage bursts": triple(6) }, /^broken by 5 at status: at most 5 served/],
  [ofUsage, "RATE-ADM-02", 1, { "usage overload": "S" }, /^broken by 239 at status: at most 105 served/],
  [ofUsage, "RATE-ADM-03", 0, { "usage bursts": triple(5, "T") }, /^held by 5$/],
  [ofUsage, "RATE-ADM-03", 0, { "usage bursts": triple(5) }, /^Withheld: ERR-ADM-429-01/],
  [ofUsage, "RATE-ADM-03", 0, { "usage bursts": triple(5, "U") }, /^broken by 5 at status: .*another refusal/],
  [ofUsage, "RATE-ADM-04", 0, twiceRefused, /^broken by 0 at status: served after 3 s/],
  [ofUsage, "RATE-ADM-05", 0, { "usage steadily": "SSR" }, /^broken by 2 at status: all 180 served/],
  [ofBundles, "RATE-SB-01", 0, { "bundle bursts": triple(4) }, /^broken by 4 at \/error: at least 5 served/],
  [ofBundles, "RATE-SB-01", 1, { "bundle pair": "SSSSSSSR" }, /^broken by 7 at \/error: all 10 served/],
  [ofBundles, "RATE-SB-02", 0, { "bundle bursts": triple(6) }, /^broken by 5 at \/error: at most 5 served/],
  [ofBundles, "RATE-SB-03", 0, { "bundles by two keys": triple(5) }, /^held by 5$/],
];
for (const [checks, id, nth, letters, words] of verdicts)
  test(`${id}: ${JSON.stringify(letters).slice(0, 40)}: ${words.source.slice(0, 40)}`, async () => {
    expect((await run(checkOf(checks, id, nth), vendor, letters)).words).toMatch(words);
  });

test("what others may have used up is no breach, and what is too much is one all the same", async () => {
  const low: readonly (readonly [readonly Check[], string, number, { readonly [schedule: string]: string }])[] = [
    [ofUsage, "RATE-ADM-01", 0, { "usage bursts": triple(4) }],
    [ofUsage, "RATE-ADM-01", 1, { "usage pair": "SSSSSSSR" }],
    [ofUsage, "RATE-ADM-04", 0, twiceRefused],
    [ofUsage, "RATE-ADM-05", 0, { "usage steadily": "SSR" }],
    [ofBundles, "RATE-SB-01", 0, { "bundle bursts": triple(4) }],
    [ofBundles, "RATE-SB-01", 1, { "bundle pair": "SSSSSSSR" }],
    [ofBundles, "RATE-SB-04", 0, { "bundles by two projects": "SSSSSSSR", "bundle bursts": triple(5) }],
    [ofBundles, "RATE-SB-05", 0, { "bundles beside statuses": "RS", "bundle bursts": triple(5) }],
  ];
  for (const [checks, id, nth, letters] of low)
    expect((await run(checkOf(checks, id, nth), noisy, letters)).words).toMatch(/^Withheld: .*others may use/);
  const over = { "usage bursts": triple(6), "bundle bursts": triple(6) };
  expect((await run(checkOf(ofUsage, "RATE-ADM-02"), noisy, over)).words).toMatch(/^broken/);
  expect((await run(checkOf(ofBundles, "RATE-SB-02"), noisy, over)).words).toMatch(/^broken/);
});

const [shares, shared] = [checkOf(ofBundles, "RATE-SB-03"), checkOf(ofBundles, "RATE-SB-04")];
const own = checkOf(ofBundles, "RATE-SB-05");
const refusing = "SSSSSSSSSR";

test("two keys that don't share a limit are a breach unless one key alone has none", async () => {
  const apart = { "bundles by two keys": triple(6), "bundle bursts": triple(5) };
  expect((await run(shares, vendor, apart)).words).toMatch(/^broken by 5 at \/error: at most 5 served/);
  const { words, names } = await run(shares, vendor, { ...apart, "bundle bursts": triple(6) });
  expect(words).toBe("Withheld: a single key already breaks RATE-SB-02");
  expect(names).toEqual([
    ...[0, 3].map((attempt) => `bundles by two keys, 36 requests, attempt ${attempt}`),
    ...[0, 3].map((attempt) => `bundle bursts, 37 requests, attempt ${attempt}`),
  ]);
});

test("two keys show a limit of the project where another project doesn't share it", async () => {
  const letters = { "bundles by two keys": triple(5), "bundle bursts": triple(5) };
  const honest = await run(shares, vendor, letters);
  expect([honest.words, honest.names.length]).toEqual(["held by 5", 2]);
  const all = { ...letters, "bundles by two projects": refusing };
  expect((await run(shares, vendor, all)).words).toBe(
    "broken by 9 at /error: a limit of the project: two keys share it, and another project doesn't, " +
      'but {"value":"another project shares it: 1 refused"}',
  );
  expect((await run(shares, noisy, all)).words).toBe("held by 5");
  const keys = new Map([...vendor.keys].filter(([role]) => role !== "other"));
  const alone = await run(shares, { ...vendor, keys }, all);
  expect([alone.words, alone.names.length]).toEqual(["held by 5", 1]);
  expect((await run(shares, vendor, { "bundles by two keys": "F" })).words).toMatch(/^Withheld: nothing was served/);
});

test("projects share no limit, unless a single key is already refused too early", async () => {
  expect((await run(shared, vendor)).words).toBe("held by 9");
  const letters = { "bundles by two projects": refusing, "bundle bursts": triple(5) };
  expect((await run(shared, vendor, letters)).words).toMatch(/^broken by 9 at \/error: all 10 served/);
  const { words } = await run(shared, vendor, { ...letters, "bundle bursts": triple(4) });
  expect(words).toBe("Withheld: a single key already breaks RATE-SB-01");
});

test("statuses don't use up the limit of bundles, nor fall under it", async () => {
  expect((await run(own, vendor)).words).toBe("held by 9");
  const bundleRefused = { "bundles beside statuses": "SSSSRSSSSS", "bundle bursts": triple(5) };
  expect((await run(own, vendor, bundleRefused)).words).toMatch(/^broken by 4 at \/error: all 10 served/);
  expect((await run(own, vendor, { ...bundleRefused, "bundle bursts": triple(4) })).words).toBe(
    "Withheld: a single key already breaks RATE-SB-01",
  );
  const statusRefused = { "bundles beside statuses": refusing, "bundle bursts": triple(5) };
  expect((await run(own, vendor, statusRefused)).words).toBe(
    "Withheld: a status was refused, and the plan's limit isn't known",
  );
  expect((await run(own, target, statusRefused)).words).toMatch(/^broken by 9 at \/error/);
});

test("slow bursts are sent once to a vendor, who is paid for each, and three times to the reference", async () => {
  for (const [check, name] of [
    [checkOf(ofBundles, "RATE-SB-02"), "bundle bursts"],
    [shares, "bundles by two keys"],
  ] as const) {
    expect((await run(check, vendor, { [name]: triple(5) }, 250)).words).toMatch(/^Withheld: after 1 attempt: /);
    expect((await run(check, target, { [name]: triple(5) }, 250)).words).toMatch(/^Withheld: after 3 attempts: /);
  }
});

// Verdicts, from findings, enforcement and known deviations.

import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { requirementOf } from "../../harness/core/interface.ts";
import type { Json } from "../../harness/core/json.ts";
import type { CheckOutcome, OutcomeOn } from "../../harness/model/narrowing.ts";
import {
  type Evidence,
  enforcementOf,
  exitCodeOf,
  isFixed,
  type Verdict,
  verdictOf,
} from "../../harness/model/verdict.ts";
import type { Deviation } from "../../harness/targets/deviations.ts";
import { breach as anyBreach } from "../support/madeRuns.ts";
import { inWords, sentenceOf } from "../support/reasons.ts";

const breach = { ...anyBreach, at: "/error" };
const deviation: Deviation = {
  requirement: "ERR-ADM-SHAPE-01",
  expect: [{ at: "/error", is: "absent" }],
  reason: "the framework leaves it out",
  owner: "platform",
  until: "2027-03-31",
  entry: { file: "acme.deviations.yaml", line: 7 },
};

const evidence = (change: Partial<Evidence>): Evidence => ({
  requirement: requirementOf(dataPlatform, "ERR-ADM-SHAPE-01"),
  enforced: "fail",
  outcomes: [{ is: "held" }],
  breaches: [],
  exchanges: [1],
  deviation: undefined,
  ran: () => true,
  today: "2026-11-21",
  ...change,
});
const judged = (change: Partial<Evidence>): string => verdictOf(evidence(change)).verdict;
const withheld: CheckOutcome = { is: "withheld", reason: inWords("no key") };
const inconclusive: CheckOutcome = { is: "inconclusive", reason: inWords("reset") };

test("optional checks that are withheld count only where no other stands for the same", () => {
  const optional = { ...withheld, optional: true };
  const other: OutcomeOn = { is: "withheld", reason: inWords("no sample"), optional: true };
  const reasonFor = (...outcomes: readonly OutcomeOn[]) => sentenceOf(verdictOf(evidence({ outcomes })));
  expect(judged({ outcomes: [{ is: "held" }, optional] })).toBe("holds");
  expect(judged({ outcomes: [{ is: "held", optional: true }, other] })).toBe("holds");
  expect([reasonFor(optional, other), reasonFor(withheld, other)]).toEqual(["no key; no sample", "no key"]);
  const scope = { operation: "getProjectUsage", key: "free", carrier: "header", feature: "usage", api: "admin" };
  const overKeys = { ...requirementOf(dataPlatform, "ERR-ADM-SHAPE-01"), coverage: { over: "key" } } as const;
  const outcomes: readonly OutcomeOn[] = [
    { is: "held", scope: { ...scope, key: "paid" } },
    { ...other, scope },
    { ...optional, scope: { ...scope, key: "paid" } },
  ];
  expect(sentenceOf(verdictOf(evidence({ requirement: overKeys, outcomes })))).toBe(
    "1 of 2 keys; not tried: free: no sample",
  );
  const generated = outcomes.map((one, nth) => (nth === 1 ? { ...one, generated: true } : one));
  expect(sentenceOf(verdictOf(evidence({ requirement: overKeys, outcomes: generated })))).toBeNull();
});

test("a requirement holds where each of its checks held", () => {
  expect(judged({})).toBe("holds");
  expect(judged({ outcomes: [{ is: "held" }, withheld] })).toBe("withheld");
  expect(judged({ outcomes: [{ is: "held" }, inconclusive] })).toBe("inconclusive");
  expect(judged({ outcomes: [] })).toBe("withheld");
});

test("one breach breaks, whatever else held or was withheld", () => {
  expect(judged({ breaches: [breach], outcomes: [{ is: "held" }, withheld, inconclusive] })).toBe("broken");
});

test("the expected failure of a known deviation deviates", () => {
  expect(judged({ breaches: [breach], deviation })).toBe("deviates");
});

const outdated: readonly [title: string, change: Partial<Evidence>][] = [
  ["another failure than the one that is known", { breaches: [{ ...breach, at: "/message" }], deviation }],
  ["the known failure and a further one", { breaches: [breach, { ...breach, at: "/message" }], deviation }],
  ["another value at the known place", { breaches: [{ ...breach, got: { value: 7 } }], deviation }],
  ["a deviation that has expired", { breaches: [breach], deviation, today: "2027-04-01" }],
];
for (const [title, change] of outdated) {
  test(`${title} fails, even where the requirement only warns, and names the line to edit`, () => {
    const verdict = verdictOf(evidence({ ...change, enforced: "warn" }));
    expect(verdict.verdict).toBe("broken");
    expect(sentenceOf(verdict)).toMatch(/, acme\.deviations\.yaml:7$/);
    expect(verdict.entry).toEqual({ file: "acme.deviations.yaml", line: 7 });
    expect(exitCodeOf([verdict], true)).toBe(1);
  });
}

test("a deviation that is gone is fixed, which fails only where that is wanted", () => {
  const fixed = verdictOf(evidence({ deviation }));
  expect([isFixed(fixed), exitCodeOf([fixed], true), sentenceOf(fixed)]).toEqual([
    true,
    0,
    expect.stringMatching(/^remove acme\.deviations\.yaml:7 /),
  ]);
  expect(exitCodeOf([verdictOf(evidence({ deviation, fixedFails: true }))], true)).toBe(1);
  expect(isFixed(verdictOf(evidence({})))).toBe(false);
});

test("a deviation is judged only where its check ran", () => {
  expect(judged({ outcomes: [withheld], deviation })).toBe("withheld");
});

test("a deviation that other checks show is gone only where those ran", () => {
  const shown = { ...deviation, shownBy: ["USG-HTTP-01" as const] };
  const isGone = (change: Partial<Evidence>): boolean => isFixed(verdictOf(evidence(change)));
  expect(isGone({ deviation: shown, ran: (id) => id === "USG-HTTP-01" })).toBe(true);
  expect(isGone({ deviation: shown, ran: () => false })).toBe(false);
  expect(isGone({ deviation: { ...deviation, shownBy: [] } })).toBe(false);
});

const got = (value: Json) => ({ ...breach, at: "/items/4/amount", got: { value } });
const at = "/items/4/amount";
for (const [title, expect_, value, fits] of [
  ["of the kind that is expected, at any index", { at: "/items/*/amount", is: "string" }, "7", true],
  ["of another kind", { at: "/items/*/amount", is: "string" }, 7, false],
  ["null where a number is expected", { at: "/items/*/amount", is: "number" }, null, false],
  ["a list where an object is expected", { at: "/items/*/amount", is: "object" }, [], false],
  ["the very value", { at, value: { b: 1, a: [] } }, { a: [], b: 1 }, true],
  ["another value", { at, value: 7 }, 8, false],
  ["null as the very value", { at, value: null }, null, true],
  ["anything, where no kind is named", { at }, false, true],
  ["at another index than the one that is named", { at: "/items/3/amount" }, 7, false],
] as const) {
  test(`a breach that is ${title} ${fits ? "deviates" : "is another failure"}`, () => {
    const known: Deviation = { ...deviation, expect: [{ at: "/error", is: "absent" }, expect_] };
    expect(judged({ breaches: [got(value)], deviation: known })).toBe(fits ? "deviates" : "broken");
  });
}

test("a deviation that doesn't show in a part that was tried may be untried, and doesn't fail", () => {
  const requirement = { ...requirementOf(dataPlatform, "RPC-ENV-01"), id: "ERR-ADM-SHAPE-01" as const };
  const scope = (operation: string) => ({ operation, key: "paid", carrier: "query", feature: "bundles", api: "rpc" });
  const outcomes = [
    { is: "held", scope: scope("getOrder") },
    { ...withheld, scope: scope("getBundle") },
  ] as const;
  const verdict = verdictOf(evidence({ requirement, outcomes, deviation }));
  expect([verdict.verdict, sentenceOf(verdict)]).toEqual(["holds", "1 of 2 operations; not tried: getBundle: no key"]);
  expect(exitCodeOf([verdict], true)).toBe(0);
  expect(exitCodeOf([verdict], true, true)).toBe(3);
  expect(judged({ requirement, outcomes, deviation, breaches: [{ ...breach, at: "/message" }] })).toBe("broken");
});

test("an intermittent deviation need not show", () => {
  expect(judged({ deviation: { ...deviation, intermittent: true } })).toBe("holds");
});

test("implied requirements warn on a vendor, and fail on the reference or with impliedFails", () => {
  const implied = requirementOf(dataPlatform, "USG-NNEG-01");
  expect(enforcementOf(implied, { isReference: false }, false)).toBe("warn");
  expect(enforcementOf(implied, { isReference: false }, true)).toBe("fail");
  expect(enforcementOf(implied, { isReference: true }, false)).toBe("fail");
});

test("entailed requirements fail on a vendor, but for breaches that a lawful platform could show", () => {
  const entailed = requirementOf(dataPlatform, "CYC-NOW-01");
  const [strong, weak] = [{}, { warnsOnVendors: true }] as const;
  const enforced = (
    breaches: readonly { readonly warnsOnVendors?: true }[],
    isReference = false,
    impliedFails = false,
  ) => enforcementOf(entailed, { isReference }, impliedFails, breaches);
  expect(enforced([])).toBe("fail");
  expect(enforced([weak, strong])).toBe("fail");
  expect(enforced([weak, weak])).toBe("warn");
  expect(enforced([weak], true)).toBe("fail");
  expect(enforced([weak], false, true)).toBe("fail");
});

test("external requirements never fail; onVendors only warns on a vendor", () => {
  expect(enforcementOf(requirementOf(dataPlatform, "EXT-HTTP-01"), { isReference: true }, true)).toBe("warn");
  expect(enforcementOf(requirementOf(dataPlatform, "AUTH-ADM-EQ-01"), { isReference: false }, true)).toBe("warn");
  expect(enforcementOf(requirementOf(dataPlatform, "USG-FLD-01"), { isReference: false }, false)).toBe("fail");
});

test("exit codes", () => {
  const verdict = (change: Partial<Verdict>): Verdict => ({ ...verdictOf(evidence({})), ...change });
  expect(exitCodeOf([verdict({})], true)).toBe(0);
  expect(exitCodeOf([verdict({}), verdict({ verdict: "broken" })], true)).toBe(1);
  expect(exitCodeOf([verdict({}), verdict({ verdict: "broken" }), verdict({ verdict: "inconclusive" })], true)).toBe(1);
  expect(exitCodeOf([verdict({}), verdict({ verdict: "broken", enforced: "warn" })], true)).toBe(0);
  expect(exitCodeOf([verdict({}), verdict({ verdict: "inconclusive" })], true)).toBe(3);
  expect(exitCodeOf([verdict({})], false)).toBe(3);
  expect(exitCodeOf([verdict({ verdict: "withheld" })], true)).toBe(3);
  expect(exitCodeOf([verdict({ verdict: "deviates" })], true)).toBe(0);
  expect(exitCodeOf([], true)).toBe(3);
});

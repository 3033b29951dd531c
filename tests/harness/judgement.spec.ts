// Judgement: what follows from the outcomes of a requirement's checks, in full

import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { requirementOf } from "../../harness/core/interface.ts";
import type { Outcomes } from "../../harness/engine/verdicts.ts";
import { type Check, check, scenario } from "../../harness/model/check.ts";
import type { CheckOutcome } from "../../harness/model/narrowing.ts";
import { shownVerdict } from "../../harness/model/shown.ts";
import { type Evidence, triedOf, type Verdict, verdictOf } from "../../harness/model/verdict.ts";
import { breach } from "../support/madeRuns.ts";
import { inWords, sentenceOf } from "../support/reasons.ts";

const id = "USG-FLD-01";
const held: CheckOutcome = { is: "held" };
const withheld = (text: string): CheckOutcome => ({ is: "withheld", reason: inWords(text) });
const inconclusive = (text: string): CheckOutcome => ({ is: "inconclusive", reason: inWords(text) });
const inPart = (...untried: readonly string[]): CheckOutcome => ({ is: "held", untried });

const judged = (outcomes: readonly CheckOutcome[], change: Partial<Evidence> = {}): Verdict => {
  const { coverage: _, ...requirement } = requirementOf(dataPlatform, id);
  return verdictOf({
    requirement,
    enforced: "warn",
    outcomes,
    breaches: [],
    exchanges: [4, 7],
    deviation: undefined,
    ran: () => true,
    today: "2026-11-26",
    ...change,
  });
};

const whole: Verdict = { id, verdict: "holds", enforced: "warn", reasons: [], breaches: [], exchanges: [4, 7] };

const judgements: readonly (readonly [
  outcomes: readonly CheckOutcome[],
  verdict: Verdict["verdict"],
  reason: string | null,
])[] = [
  [[], "withheld", "no check"],
  [[held], "holds", null],
  [[held, held], "holds", null],
  [[inPart()], "holds", null],
  [[held, inPart("pages beyond the 40th")], "holds", "not tried: pages beyond the 40th"],
  [[held, withheld("no key")], "withheld", "no key"],
  [[withheld("no key"), withheld("no key"), withheld("no sample")], "withheld", "no key; no sample"],
  [[held, inconclusive("reset"), withheld("no key")], "inconclusive", "reset"],
  [[inconclusive("reset"), inconclusive("timeout"), inconclusive("reset")], "inconclusive", "reset; timeout"],
  // A verdict rests on what the outcome is, not on a text.
  [[held, withheld("")], "withheld", ""],
  [[held, inconclusive("")], "inconclusive", ""],
];

test("inconclusive counts before withheld, and withheld before held; each reason is given once", () => {
  const found = judgements.map(([outcomes]) => {
    const { verdict, reason } = shownVerdict(judged(outcomes));
    return [outcomes, verdict, reason];
  });
  expect(found).toEqual(judgements);
});

test("a verdict has no more members than it needs", () => {
  expect(judged([held])).toStrictEqual(whole);
  expect(judged([withheld("no key")])).toStrictEqual({ ...whole, verdict: "withheld", reasons: [inWords("no key")] });
  expect(judged([held], { breaches: [breach] })).toStrictEqual({ ...whole, verdict: "broken", breaches: [breach] });
  const untried = [{ member: "the rest", reasons: [], inPart: false }];
  expect(judged([inPart("the rest")])).toStrictEqual({ ...whole, narrowed: { axis: null, tried: [], untried } });
});

test("a verdict names the first defect of ours by which a check of it failed", () => {
  const defect = { message: "no figure", at: "at a/check.ts:1:2" };
  const failed = { is: "inconclusive", reason: inWords("the check itself failed"), defect } as const;
  const other: CheckOutcome = { ...failed, defect: { ...defect, message: "another" } };
  expect(judged([inconclusive("reset"), failed, other]).defect).toEqual(defect);
});

const renamed = [{ documented: "X-Api-Key", name: "X-Token" }] as const;
const reason = "renamed: X-Token instead of X-Api-Key";

test("what would hold deviates where what it names is renamed, and other verdicts name that, too", () => {
  const of = (outcomes: readonly CheckOutcome[], change: Partial<Evidence> = {}) =>
    judged(outcomes, { renamed, ...change });
  expect(of([held])).toStrictEqual({ ...whole, verdict: "deviates", renamed });
  const two = [...renamed, { documented: "a", name: "b" }];
  expect(sentenceOf(of([held], { renamed: two }))).toBe(`${reason}, b instead of a`);
  expect(sentenceOf(of([inPart("the rest")]))).toBe(`${reason}; not tried: the rest`);
  const lacking = { ...whole, verdict: "withheld", reasons: [inWords("no key")], renamed };
  expect(of([withheld("no key")])).toStrictEqual(lacking);
  expect(sentenceOf(of([withheld("no key")]))).toBe(`${reason}; no key`);
  const broken = { ...whole, verdict: "broken", breaches: [breach], renamed };
  expect(of([held], { breaches: [breach] })).toStrictEqual(broken);
  expect(judged([held], { renamed: [] })).toStrictEqual(whole);
});

test("what is renamed fails where that is asked for, whatever the enforcement", () => {
  const failed = { ...whole, verdict: "broken", enforced: "fail", renamed };
  expect(judged([held], { renamed, renamedFails: true })).toStrictEqual(failed);
  expect(judged([withheld("no key")], { renamed, renamedFails: true }).verdict).toBe("withheld");
});

test("of each check that ran, the titles of its first requests are kept, and what became of it", () => {
  const by = (...roles: readonly ("paid" | "free" | "other" | "second")[]) =>
    roles.map((as) => usageRequest({ as, keyIn: "header" }));
  const many = scenario(id, { feature: "usage", requests: by("paid", "paid", "free", "other", "second") }, () =>
    Promise.resolve([]),
  );
  const one = check("usage", id, usageRequest({ as: "paid", keyIn: "query" }));
  const unrun = check("usage", id, usageRequest({ as: "free" }));
  const other = check("usage", "CYC-PRES-01", usageRequest({ as: "free" }));
  const all = new Map<Check, Outcomes>([
    [many, new Map([[id, held]])],
    [one, new Map([[id, withheld("no key")]])],
    [other, new Map([["CYC-PRES-01", held]])],
  ]);
  const path = "GET /v0/admin/projects/{id}/usage as";
  expect(triedOf(id, [many, one, unrun, other], all, dataPlatform)).toEqual([
    { requests: [`${path} paid (header)`, `${path} free (header)`, `${path} other (header)`], is: "held" },
    { requests: [`${path} paid (query)`], is: "withheld" },
  ]);
});

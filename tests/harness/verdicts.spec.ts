// Verdicts of a run: what is recorded of each check, and what follows so far for each requirement

import { expect, test } from "@playwright/test";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite } from "../../contracts/suite.ts";
import { virtualClock } from "../../harness/core/clock.ts";
import { broken } from "../../harness/core/finding.ts";
import type { RequirementId } from "../../harness/core/interface.ts";
import { BudgetSpent, Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { type BudgetReason, type Reason } from "../../harness/core/reason.ts";
import { Ledger } from "../../harness/engine/ledger.ts";
import {
  cutShortBy,
  outcomeOfError,
  outcomesFor,
  Verdicts,
  type VerdictsOptions,
} from "../../harness/engine/verdicts.ts";
import { type Check, check, citedBy, scenario } from "../../harness/model/check.ts";
import type { CheckOutcome } from "../../harness/model/narrowing.ts";
import { shownVerdict } from "../../harness/model/shown.ts";
import { isFixed, type Verdict } from "../../harness/model/verdict.ts";
import type { Deviation } from "../../harness/targets/deviations.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { answeredUsage } from "../golden/made.ts";
import { asVendor } from "../support/probeSpecs.ts";
import { inWords, sentenceOf } from "../support/reasons.ts";

const redact = (text: string): string => text.replaceAll("secret", "<key>");
const vendor = asVendor({ redact })(inProcess(contractSuite).target);

const [first, second, third] = ["USG-FLD-01", "CYC-PRES-01", "USG-HTTP-01"] as const;
const held: CheckOutcome = { is: "held" };
const isBroken: CheckOutcome = { is: "broken" };
const withheld: CheckOutcome = { is: "withheld", reason: inWords("no key") };
const inconclusive: CheckOutcome = { is: "inconclusive", reason: inWords("reset") };

const checkOf = (...ids: readonly RequirementId[]): Check => check("usage", ids, usageRequest({ as: "paid" }));
const counting = (...ids: readonly RequirementId[]): Check =>
  scenario(ids, { feature: "usage", requests: [], when: "alone" }, () => Promise.resolve([]));

/** The verdicts of a run that planned these checks. */
function planned(checks: readonly Check[], change: Partial<VerdictsOptions> = {}) {
  const ledger = new Ledger([], redact);
  const verdicts = new Verdicts(
    checks.map((one) => ({ check: one, unmetNeed: null })),
    {
      target: vendor,
      clock: virtualClock(Date.parse("2026-11-26T12:00:00Z")),
      impliedFails: false,
      renamedFails: false,
      fixedFails: false,
      ledger,
      isSelected: () => true,
      doubtOn: () => null,
      ...change,
    },
  );
  const record = (one: Check, outcome: CheckOutcome) => verdicts.record(one, outcomesFor(one, outcome));
  const breakIt = (id: RequirementId, number = 1) =>
    ledger.find(id, { finding: broken("/a", "a number", "x"), exchange: answeredUsage(number, 200) });
  return { verdicts, ledger, record, breakIt };
}

test("what a check throws is its outcome; what nothing should throw is a defect of ours", () => {
  const of = (error: unknown) => outcomeOfError(error, redact);
  expect(of(new Withheld("no key"))).toEqual(withheld);
  expect(of(new BudgetSpent("spent"))).toEqual({ is: "withheld", reason: inWords("spent") });
  expect(of(new Inconclusive("reset"))).toEqual(inconclusive);
  const defect = { message: "no <key>", at: expect.stringMatching(/^at /) };
  const failed = { is: "inconclusive", reason: { kind: "checkFailed", of: "check", message: "no <key>" }, defect };
  expect(of(new TypeError("no secret"))).toEqual(failed);
});

test("the requirements of a plan come in its order, once each", () => {
  expect(planned([checkOf(second, first), checkOf(first), checkOf(third)]).verdicts.ids).toEqual([
    second,
    first,
    third,
  ]);
});

test("the outcome of a check is recorded for all that it cites, without keys in what it quotes", () => {
  const one = check("usage", first, usageRequest({ as: "paid" }), () => ({ outcome: "held" }), { shows: [second] });
  const { verdicts } = planned([one]);
  const recorded = (outcome: CheckOutcome) => {
    verdicts.record(one, outcomesFor(one, outcome));
    return [...(verdicts.outcomesOf(one) ?? [])];
  };
  const each = (outcome: CheckOutcome) => [
    [first, outcome],
    [second, outcome],
  ];
  expect(verdicts.outcomesOf(one)).toBeUndefined();
  for (const outcome of [held, isBroken, withheld]) expect(recorded(outcome)).toEqual(each(outcome));
  expect(recorded({ is: "withheld", reason: inWords("got secret") })).toEqual(
    each({ is: "withheld", reason: inWords("got <key>") }),
  );
  expect(recorded({ is: "held", untried: ["a", "secret"] })).toEqual(each({ is: "held", untried: ["a", "<key>"] }));
});

test("a requirement is done when all its checks have run", () => {
  const [one, other] = [checkOf(first), checkOf(first, second)];
  const { verdicts, record } = planned([one, other]);
  const done = () => [first, second].filter((id) => verdicts.isDone(id));
  expect(done()).toEqual([]);
  record(one, held);
  expect(done()).toEqual([]);
  record(other, withheld);
  expect(done()).toEqual([first, second]);
});

test("a check is open where an outcome of it is inconclusive", () => {
  const one = checkOf(first, second);
  const { verdicts } = planned([one]);
  const isOpen = (...outcomes: readonly CheckOutcome[]) => {
    verdicts.record(one, new Map(outcomes.map((outcome, nth) => [citedBy(one)[nth] ?? first, outcome])));
    return verdicts.isOpen(one);
  };
  expect(verdicts.isOpen(one)).toBe(false);
  expect([isOpen(held, held), isOpen(withheld, isBroken)]).toEqual([false, false]);
  expect([isOpen(held, inconclusive), isOpen(inconclusive, held)]).toEqual([true, true]);
});

test("a verdict has the exchanges of all its checks once, each check that ran, and every breach", () => {
  const [one, other, unrun] = [checkOf(first), checkOf(first), checkOf(first)];
  const { verdicts, ledger, record, breakIt } = planned([one, other, unrun, checkOf(second)]);
  for (const [of, numbers] of [
    [one, [3, 4]],
    [other, [4, 9]],
  ] as const) {
    ledger.begin(of);
    for (const number of numbers) ledger.note(of, answeredUsage(number, 200));
  }
  record(one, held);
  record(other, held);
  const { exchanges, checks, verdict, enforced } = verdicts.of(first);
  expect([exchanges, checks?.map(({ is }) => is), verdict]).toEqual([[3, 4, 9], ["held", "held"], "holds"]);
  expect([verdicts.of(second).exchanges, sentenceOf(verdicts.of(second))]).toEqual([[], "no check"]);
  breakIt(first, 3);
  breakIt(first, 9);
  const after = verdicts.of(first);
  expect([after.verdict, enforced, after.breaches.map(({ exchange }) => exchange)]).toEqual(["broken", "fail", [3, 9]]);
});

test("a requirement that only other checks' exchanges break has no checks of its own", () => {
  const { verdicts, breakIt } = planned([checkOf(first)]);
  breakIt(third);
  expect(verdicts.of(third)).toMatchObject({ verdict: "broken", exchanges: [], checks: [] });
});

test("what breaks others than the selected requirements is a note", () => {
  const { verdicts, record, breakIt } = planned([checkOf(first), checkOf(second)], {
    isSelected: (id) => id === first,
  });
  for (const id of [first, second]) breakIt(id);
  record(checkOf(first), isBroken);
  expect(verdicts.of(first)).toMatchObject({ verdict: "broken", enforced: "fail" });
  expect(verdicts.of(first)).not.toHaveProperty("unselected");
  expect(verdicts.of(second)).toMatchObject({ verdict: "broken", enforced: "note", unselected: true });
});

test("where callers of a feature aren't distinguished, what held of it is withheld, and nothing else", () => {
  const one = checkOf(first);
  const alike = planned([one], { doubtOn: (feature) => (feature === "usage" ? inWords("callers were alike") : null) });
  const of = (outcome: CheckOutcome) => {
    alike.record(one, outcome);
    const { verdict, reason } = shownVerdict(alike.verdicts.of(first));
    return [verdict, reason];
  };
  expect(of(held)).toEqual(["withheld", "callers were alike"]);
  expect([of(withheld), of(inconclusive)]).toEqual([
    ["withheld", "no key"],
    ["inconclusive", "reset"],
  ]);
  const other = planned([one], { doubtOn: (feature) => (feature === "wallet" ? inWords("callers were alike") : null) });
  other.record(one, held);
  expect(other.verdicts.of(first)).toMatchObject({ verdict: "holds", reasons: [] });
});

const deviation: Deviation = {
  requirement: first,
  expect: [{ at: "/a" }],
  reason: "known",
  until: "2027-03-31",
  entry: { file: "acme.yaml", line: 3 },
};
const knowing = (change: Partial<Deviation> = {}) => ({
  target: {
    ...vendor,
    deviations: [
      { ...deviation, requirement: second },
      { ...deviation, ...change },
    ],
  },
});

test("a requirement has the deviation that the target lists for it, accepted to the end of its last day in UTC", () => {
  const on = (instant: string, id: RequirementId) => {
    const { verdicts, breakIt } = planned([], { ...knowing(), clock: virtualClock(Date.parse(instant)) });
    breakIt(id);
    return verdicts.of(id).verdict;
  };
  expect(on("2027-03-31T23:59:59.999Z", first)).toBe("deviates");
  expect(on("2027-04-01T00:00:00.000Z", first)).toBe("broken");
  expect(on("2027-03-31T23:59:59.999Z", third)).toBe("broken");
});

const shownBy: readonly (readonly [what: string, outcomes: readonly CheckOutcome[], isGone: boolean])[] = [
  ["held", [held], true],
  ["broke", [isBroken], true],
  ["held beside another that was withheld", [withheld, held], true],
  ["was withheld", [withheld], false],
  ["was inconclusive", [inconclusive], false],
  ["didn't run", [], false],
];
for (const [what, outcomes, isGone] of shownBy)
  test(`a deviation that another's checks show is ${isGone ? "" : "not "}gone: one ${what}`, () => {
    const [own, others] = [checkOf(first), [checkOf(third), checkOf(third)]];
    const { verdicts, record } = planned([own, ...others], knowing({ shownBy: [third] }));
    record(own, held);
    for (const [nth, outcome] of outcomes.entries()) record(others[nth] ?? own, outcome);
    expect(isFixed(verdicts.of(first))).toBe(isGone);
  });

test("what was found by counting calls is withheld where others were counted with them", () => {
  const [found, alsoFound, fine, plain] = [counting(first, second), counting(third), counting(third), checkOf(third)];
  const run = (...projects: readonly string[]) => {
    const { verdicts, ledger, record } = planned([found, alsoFound, fine, plain]);
    const finding = broken("/a", "1", "2");
    for (const one of [found, alsoFound, plain]) {
      ledger.begin(one);
      verdicts.record(one, ledger.conclude(one, [{ finding, exchange: answeredUsage(1, 200), about: [first, third] }]));
    }
    record(plain, isBroken);
    record(fine, held);
    verdicts.withdrawCounted(projects);
    return {
      verdicts,
      ledger,
      outcomes: [found, alsoFound, fine, plain].map((one) => [...(verdicts.outcomesOf(one) ?? [])]),
    };
  };
  const before = run();
  expect(before.ledger.brokenIds).toEqual([first, third]);
  expect(before.verdicts.outcomesOf(found)?.get(first)).toEqual(isBroken);
  const { ledger, outcomes } = run("main", "free");
  const lost: CheckOutcome = { is: "withheld", reason: { kind: "usedByOthers", projects: ["main", "free"] } };
  expect(ledger.brokenIds).toEqual([]);
  expect(outcomes).toEqual([
    [
      [first, lost],
      [second, lost],
    ],
    [[third, lost]],
    [[third, held]],
    [[third, isBroken]],
  ]);
});

const spent = [
  { kind: "budgetSpent", of: "requests", most: 3 },
  { kind: "budgetSpent", of: "credits", most: 9, spending: { soFar: 8, operation: "getOrder", price: 2 } },
] as const satisfies readonly BudgetReason[];
const ofCredits = "the budget of 9 credits is spent (8 so far, getOrder costs 2)";
const ofRequests = "the budget of 3 requests is spent";
const because = (reasons: readonly Reason[], verdict: Verdict["verdict"] = "withheld"): Verdict => ({
  ...{ id: first, verdict, enforced: "fail", reasons, breaches: [], exchanges: [] },
});
const notFound: Reason = { kind: "notFound", at: "/samples/owner", why: spent[1] };
const cuts: readonly (readonly [what: string, verdicts: readonly Verdict[], sentence: string | null])[] = [
  ["nothing was withheld", [], null],
  ["something was withheld for another reason, or none", [because([inWords("no key")]), because([])], null],
  ["it was withheld for the budget", [because([inWords("no key")]), because([spent[1]])], ofCredits],
  ["the budget ended what would have found a sample", [because([notFound])], ofCredits],
  ["for two of them: the first refusal", [because([spent[1]]), because([spent[0]])], ofRequests],
  ["for two of them in one verdict", [because([spent[1], spent[0]])], ofRequests],
  ["it is inconclusive", [because([spent[0]], "inconclusive")], null],
];
test("a run is cut short by the first refusal of the budget for which a requirement was withheld", () => {
  expect(cuts.map(([what, verdicts]) => [what, verdicts, cutShortBy(spent, verdicts)])).toEqual(cuts);
  expect(cutShortBy([], [because([spent[0]])])).toBeNull();
});

// The ledger: findings of laws and checks on exchanges, and the outcome of each check.
import { expect, test } from "@playwright/test";
import { ownersUsage } from "../../contracts/shared/requestSpecs.ts";
import { broken, type Finding, held, heldInPart } from "../../harness/core/finding.ts";
import type { RequirementId } from "../../harness/core/interface.ts";
import { Ledger } from "../../harness/engine/ledger.ts";
import { type Check, check } from "../../harness/model/check.ts";
import type { Law } from "../../harness/model/law.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { answeredUsage } from "../golden/made.ts";

const id = "USG-FLD-01";
const other = "CYC-PRES-01";

const wrong = broken("/a", "a number", "text");

/** Finds by the number of the exchange. */
const finding = (of: RequirementId, byNumber: { readonly [number: number]: Finding }): Law => ({
  operation: "getProjectUsage",
  ids: [of],
  judge: ({ number }) => new Map(byNumber[number] ? [[of, byNumber[number]]] : []),
});

/** A ledger that has entered so many exchanges of a check, each of which counts. */
function entered(one: Check, laws: readonly Law[], exchanges: readonly Exchange[]): Ledger {
  const ledger = new Ledger(laws, (text) => text);
  ledger.begin(one);
  for (const exchange of exchanges) {
    ledger.enter(exchange, true, one);
    ledger.note(one, exchange);
  }
  return ledger;
}

const byLaws = check("usage", [id, other], ownersUsage);
const proving = check("usage", id, ownersUsage, () => held, { shows: [other] });
const first = answeredUsage(1, 200);

test("what laws find on the exchanges of a check is its outcome", () => {
  const outcomeOf = (...laws: readonly Law[]) => entered(byLaws, laws, [first]).conclude(byLaws, []).get(id);
  expect(outcomeOf(finding(id, { 1: held }))).toEqual({ is: "held" });
  expect(outcomeOf(finding(id, { 1: heldInPart("the rest") }))).toEqual({ is: "held", untried: ["the rest"] });
  expect(outcomeOf(finding(id, { 1: wrong }))).toEqual({ is: "broken" });
  expect(outcomeOf(finding(id, { 1: wrong }), finding(id, { 1: held }))).toEqual({ is: "broken" });
  expect(outcomeOf(finding(id, { 1: held }), finding(id, { 1: wrong }))).toEqual({ is: "broken" });
  expect(outcomeOf(finding(id, { 2: wrong }))).toEqual({
    is: "withheld",
    reason: { kind: "notContained", returned: ["200"] },
  });
});

test("what no answer contained is named, the outermost member alone", () => {
  const lacking = (...places: readonly string[]): Law => ({ ...finding(id, {}), lackedIn: () => places });
  const laws = [lacking("/creditCycle", "/creditCycle/end"), lacking("/plan", "/message")];
  expect(entered(byLaws, laws, [first]).conclude(byLaws, []).get(id)).toEqual({
    is: "withheld",
    reason: { kind: "notContained", returned: ["200"], lacked: ["/creditCycle", "/plan"] },
  });
});

test("laws judge only what counts, and each breach names its exchange and who caused it", () => {
  const ledger = new Ledger([finding(id, { 1: wrong, 2: wrong, 3: wrong })], (text) => text);
  ledger.begin(byLaws);
  for (const [number, counts] of [
    [1, false],
    [2, true],
    [3, true],
  ] as const) {
    ledger.enter(answeredUsage(number, 200), counts, number === 2 ? byLaws : null);
    ledger.note(byLaws, answeredUsage(number, 200));
  }
  expect(ledger.breachesOf(id).map(({ exchange, causedBy }) => [exchange, causedBy])).toEqual([
    [2, [id]],
    [3, []],
  ]);
  expect([ledger.brokenIds, ledger.breachesOf(other)]).toEqual([[id], []]);
  const numbersOf = (check: Check): readonly number[] => ledger.exchangesOf(check).map(({ number }) => number);
  expect([numbersOf(byLaws), numbersOf(proving)]).toEqual([[1, 2, 3], []]);
  expect(ledger.exchanges.map(({ number }) => number)).toEqual([1, 2, 3]);
  ledger.begin(byLaws);
  expect(ledger.exchangesOf(byLaws)).toEqual([]);
});

test("what a check finds itself proves its own requirements, and a breach leaves the others untested", () => {
  const conclude = (some: readonly Finding[], laws: readonly Law[] = []) =>
    Object.fromEntries(
      entered(proving, laws, [first]).conclude(
        proving,
        some.map((one) => ({ finding: one, exchange: first })),
      ),
    );
  const seen = finding(other, { 1: held });
  expect(conclude([held], [seen])).toEqual({ [id]: { is: "held" }, [other]: { is: "held" } });
  expect(conclude([heldInPart("a"), held, heldInPart("b")], [seen])[id]).toEqual({ is: "held", untried: ["a", "b"] });
  expect(conclude([held, wrong], [seen])).toEqual({
    [id]: { is: "broken" },
    [other]: { is: "withheld", reason: { kind: "hidden", by: [id] } },
  });
  expect(conclude([], [seen])).toEqual({
    [id]: { is: "withheld", reason: { kind: "nothingJudged" } },
    [other]: { is: "held" },
  });
  expect(conclude([], [finding(id, { 1: held })])[id]).toEqual({ is: "withheld", reason: { kind: "nothingJudged" } });
});

test("a check that only failed is inconclusive", () => {
  const failed = { ...first, answer: null, fault: { kind: "reset", detail: "made" } } as const;
  const ledger = entered(byLaws, [], [failed]);
  expect(ledger.conclude(byLaws, []).get(id)).toMatchObject({ is: "inconclusive" });
});

test("what was found by counting can be taken back, what laws found can't", () => {
  const ledger = entered(proving, [finding(other, { 1: wrong })], [first]);
  ledger.conclude(proving, [{ finding: wrong, exchange: answeredUsage(2, 200) }]);
  expect(ledger.brokenIds).toEqual([other, id]);
  ledger.withdraw(proving);
  expect([ledger.brokenIds, ledger.breachesOf(id)]).toEqual([[other], []]);
});

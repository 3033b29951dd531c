// Findings in the ledger: which requirements they are about, whose refusals prove something, what is recorded
import { expect, test } from "@playwright/test";
import { absent, broken, type Finding, held, heldInPart } from "../../harness/core/finding.ts";
import type { RequirementId } from "../../harness/core/interface.ts";
import { Ledger } from "../../harness/engine/ledger.ts";
import { type Check, type Shown, scenario } from "../../harness/model/check.ts";
import type { Law } from "../../harness/model/law.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { exchangeOf } from "../golden/build.ts";
import { answeredUsage } from "../golden/made.ts";

const [first, second, shown] = ["USG-FLD-01", "CYC-PRES-01", "USG-HTTP-01"] as const;
const wrong = broken("/a", "a number", "text");
const scenarioOf = (...ids: readonly RequirementId[]): Check =>
  scenario(ids, { feature: "usage", requests: [], shows: [shown] }, () => Promise.resolve([]));
const both = scenarioOf(first, second);
const served = answeredUsage(1, 200);

/** Finds the same in the exchanges of these numbers. */
const law = (id: RequirementId, finding: Finding, ...numbers: readonly number[]): Law => ({
  operation: "getProjectUsage",
  ids: [id],
  judge: ({ number }) => new Map(numbers.includes(number) ? [[id, finding]] : []),
});

interface Case {
  readonly laws?: readonly Law[];
  readonly exchanges?: readonly Exchange[];
  readonly of?: Check;
}

/** A ledger in which the check has caused these exchanges. */
function ledgerOf({ laws = [], exchanges = [served], of = both }: Case = {}): Ledger {
  const ledger = new Ledger(laws, (text) => text.replaceAll("secret", "<key>"));
  ledger.begin(of);
  for (const exchange of exchanges) {
    ledger.enter(exchange, true, of);
    ledger.note(of, exchange);
  }
  return ledger;
}

const concluded = (found: readonly Shown[], { of = both, ...rest }: Case = {}) =>
  Object.fromEntries(ledgerOf({ of, ...rest }).conclude(of, found));

const notShown = { is: "withheld", reason: { kind: "notContained", returned: ["200"] } } as const;
const notJudged = { is: "withheld", reason: { kind: "nothingJudged" } } as const;
const masked = (...by: readonly string[]) => ({ is: "withheld", reason: { kind: "hidden", by } }) as const;
const [isHeld, isBroken] = [{ is: "held" }, { is: "broken" }] as const;

const about = (finding: Finding, ...ids: readonly RequirementId[]): Shown => ({
  finding,
  exchange: served,
  about: ids,
});

const conclusions: readonly (readonly [
  what: string,
  found: readonly Shown[],
  outcomes: { readonly [Id in RequirementId]?: unknown },
])[] = [
  ["all by default", [{ finding: held, exchange: served }], { [first]: isHeld, [second]: isHeld, [shown]: notShown }],
  ["one of them", [about(held, second)], { [first]: notJudged, [second]: isHeld, [shown]: notShown }],
  ["no other than the check's", [about(held, shown)], { [first]: notJudged, [second]: notJudged, [shown]: notShown }],
  [
    "one that is broken, which leaves the rest untested",
    [about(wrong, first), about(held, second)],
    { [first]: isBroken, [second]: masked(first), [shown]: masked(first) },
  ],
  [
    "two that are broken",
    [about(wrong, second), about(wrong, first)],
    { [first]: isBroken, [second]: isBroken, [shown]: masked(second, first) },
  ],
];
for (const [what, found, outcomes] of conclusions)
  test(`a finding of a check is about its requirements: ${what}`, () => {
    expect(concluded(found)).toEqual(outcomes);
  });

test("what laws show on several exchanges holds unless one of them breaks it", () => {
  const exchanges = [1, 2, 3].map((number) => answeredUsage(number, 200));
  const of = (...laws: readonly Law[]) => concluded([], { exchanges, laws })[shown];
  expect(of(law(shown, held, 1, 2))).toEqual(isHeld);
  expect(of(law(shown, held, 1), law(shown, wrong, 3))).toEqual(isBroken);
  expect(of(law(shown, wrong, 1), law(shown, held, 3))).toEqual(isBroken);
  expect(of(law(shown, heldInPart("the rest"), 2), law(shown, held, 1))).toEqual({ is: "held", untried: ["the rest"] });
  expect(of(law(shown, wrong, 4))).toEqual(notShown);
});

test("what laws find of a check's own requirement breaks it, and can't prove it", () => {
  expect(concluded([], { laws: [law(first, held, 1)] })[first]).toEqual(notJudged);
  const outcomes = concluded([{ finding: held, exchange: served }], { laws: [law(first, wrong, 1)] });
  expect(outcomes).toEqual({ [first]: isBroken, [second]: isHeld, [shown]: notShown });
});

const lostBy = (number: number, kind: "reset" | "timeout"): Exchange => ({
  ...answeredUsage(number, 200),
  answer: null,
  fault: { kind, detail: "made" },
});

test("what no answer contained is withheld with the statuses that came, inconclusive where a request failed", () => {
  const of = (...exchanges: readonly Exchange[]) => concluded([], { exchanges })[shown];
  const answers = [200, 404, 200].map((status, nth) => answeredUsage(nth + 1, status));
  expect(of(...answers)).toEqual({
    is: "withheld",
    reason: { kind: "notContained", returned: ["200", 'HTTP 404 "made"'] },
  });
  const failures = [served, lostBy(2, "timeout"), lostBy(3, "reset")];
  expect(of(...failures)).toEqual({ is: "inconclusive", reason: { kind: "masked", detail: "timeout: made" } });
});

/** A refusal of access whose form the interface leaves open. */
const refusal = (number: number, member = "message"): Exchange =>
  exchangeOf(
    {
      ...{ title: "made", clause: "§4.2", holds: [], broken: [], notExercised: [], warns: [], headers: {} },
      request: { role: "free", key: "header", endpoint: "identity", of: "a wallet" },
      status: 403,
      body: { [member]: "no" },
    },
    number,
  );
const doubt = {
  is: "inconclusive",
  reason: { kind: "doubtful", outcome: "HTTP 403 in a form that other refusals don't have, as by a proxy" },
} as const;

test("a refusal that may be another's proves no breach, and nothing of it is recorded", () => {
  const ledger = ledgerOf({ exchanges: [refusal(1)], laws: [law(shown, held, 1)] });
  const outcomes = ledger.conclude(both, [{ finding: wrong, exchange: refusal(1) }]);
  expect(Object.fromEntries(outcomes)).toEqual({ [first]: doubt, [second]: doubt, [shown]: isHeld });
  expect(ledger.brokenIds).toEqual([]);
});

test("what such a refusal shows to hold, holds, and beside it a sure breach counts", () => {
  const one = { exchanges: [refusal(1)] };
  expect(concluded([{ finding: held, exchange: refusal(1) }], one)).toMatchObject({ [first]: isHeld });
  const found = [{ finding: wrong, exchange: refusal(1) }, about(wrong, first)];
  expect(concluded(found, one)).toMatchObject({ [first]: isBroken, [second]: doubt });
});

test("a refusal counts as the platform's once its form was seen often enough, or nothing more will be known", () => {
  const breaks = (ledger: Ledger) => ledger.conclude(both, [{ finding: wrong, exchange: refusal(1) }]).get(first)?.is;
  const seen = (count: number) => ledgerOf({ exchanges: Array.from({ length: count }, (_, nth) => refusal(nth + 1)) });
  expect([1, 2, 3].map((count) => breaks(seen(count)))).toEqual(["inconclusive", "inconclusive", "broken"]);
  const settled = seen(1);
  settled.settle();
  expect(breaks(settled)).toBe("broken");
});

test("refusals that don't count say nothing of the platform's form", () => {
  const ledger = new Ledger([], (text) => text);
  for (let nth = 1; nth <= 5; nth += 1) ledger.enter(refusal(nth), false, both);
  expect(ledger.conclude(both, [{ finding: wrong, exchange: refusal(1) }]).get(first)).toEqual(doubt);
});

test("a check that hasn't begun has no exchanges", () => {
  const ledger = new Ledger([law(shown, held, 1)], (text) => text);
  ledger.enter(served, true, null);
  ledger.note(both, served);
  expect(ledger.exchangesOf(both)).toEqual([]);
  expect(ledger.conclude(both, []).get(shown)?.is).toBe("withheld");
});

test("a breach is recorded once for its place in an exchange, without keys, for the first id of its check", () => {
  const exchanges = [served, answeredUsage(2, 200)];
  const finding = broken("/secret", "no secret", undefined);
  const ledger = ledgerOf({
    exchanges,
    laws: [law(first, finding, 1, 2), law(first, finding, 1), law(first, wrong, 1)],
  });
  const shared = { outcome: "broken", causedBy: [first] };
  const keyless = { ...shared, at: "/<key>", expected: "no <key>", got: absent };
  expect(ledger.breachesOf(first)).toEqual([
    { ...keyless, exchange: 1 },
    { ...shared, at: "/a", expected: "a number", got: { value: "text" }, exchange: 1 },
    { ...keyless, exchange: 2 },
  ]);
  ledger.find(second, { finding: wrong, exchange: served });
  expect(ledger.breachesOf(second).map(({ causedBy }) => causedBy)).toEqual([[]]);
  ledger.find(shown, { finding: held, exchange: served });
  expect(ledger.brokenIds).toEqual([first, second]);
});

test("what a check found itself is taken back wholly, and what laws or other checks found stays", () => {
  const [counting, other] = [scenarioOf(first, second), scenarioOf(second)];
  const ledger = ledgerOf({ of: counting, laws: [law(second, broken("/b", "a number", 1), 1)] });
  const find = (by: Check, exchange: Exchange) => ledger.conclude(by, [{ finding: wrong, exchange }]);
  find(counting, served);
  // When it is run again, what it found before counts still.
  find(counting, answeredUsage(2, 200));
  find(other, answeredUsage(3, 200));
  const left = () => ledger.breachesOf(second).map(({ exchange, at }) => `${exchange} ${at}`);
  expect(ledger.brokenIds).toEqual([second, first]);
  expect([left(), ledger.breachesOf(first).length]).toEqual([["1 /b", "1 /a", "2 /a", "3 /a"], 2]);
  ledger.withdraw(counting);
  expect([ledger.brokenIds, left(), ledger.breachesOf(first)]).toEqual([[second], ["1 /b", "3 /a"], []]);
});

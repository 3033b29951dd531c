// Known deviations: until when one counts, what is reported of it, and when it is gone

import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { requirementOf } from "../../harness/core/interface.ts";
import { shownVerdict } from "../../harness/model/shown.ts";
import { type Evidence, type Verdict, verdictOf } from "../../harness/model/verdict.ts";
import type { Deviation } from "../../harness/targets/deviations.ts";
import { breach } from "../support/madeRuns.ts";
import { inWords } from "../support/reasons.ts";

const id = "USG-FLD-01";
const known: Deviation = {
  requirement: id,
  expect: [{ at: "/creditCycle", is: "absent" }],
  reason: "the framework leaves it out",
  until: "2027-03-31",
  entry: { file: "acme.deviations.yaml", line: 7 },
};
const elsewhere = { ...breach, at: "/message" };

const verdictWith = (deviation: Partial<Deviation>, change: Partial<Evidence> = {}): Verdict =>
  verdictOf({
    requirement: requirementOf(dataPlatform, id),
    enforced: "warn",
    outcomes: [{ is: "held" }],
    breaches: [breach],
    exchanges: [1],
    deviation: { ...known, ...deviation },
    ran: () => true,
    today: "2026-11-26",
    ...change,
  });

/** As it is shown, without its reasons as data. */
const judged = (...given: Parameters<typeof verdictWith>) => {
  const { reasons: _, ...shown } = shownVerdict(verdictWith(...given));
  return shown;
};

const place = "acme.deviations.yaml:7";
const fits = { id, verdict: "deviates", enforced: "warn", breaches: [breach], exchanges: [1], entry: known.entry };
const fitsNoMore = { ...fits, verdict: "broken", enforced: "fail" };

const terms: readonly (readonly [terms: Partial<Deviation>, reason: string])[] = [
  [{}, `the framework leaves it out; until 2027-03-31, ${place}`],
  [{ owner: "platform" }, `the framework leaves it out; platform, until 2027-03-31, ${place}`],
  [{ link: "https://a.example/7" }, `the framework leaves it out; until 2027-03-31, https://a.example/7, ${place}`],
];
for (const [some, reason] of terms)
  test(`a breach as it is known deviates, and its terms are reported: ${reason}`, () => {
    expect(judged(some)).toStrictEqual({ ...fits, reason });
  });

test("a deviation is accepted to the end of its last day", () => {
  const verdictOn = (today: string) => judged({}, { today }).verdict;
  expect(["2027-03-30", "2027-03-31", "2027-04-01"].map(verdictOn)).toEqual(["deviates", "deviates", "broken"]);
  expect(judged({}, { today: "2027-04-01" })).toStrictEqual({
    ...fitsNoMore,
    reason: `the known issue was accepted until 2027-03-31 (${known.reason}): renew or remove its entry, ${place}`,
  });
});

test("each breach must be a known one", () => {
  const other = `fails differently than the known issue (${known.reason}): fix it, or update its entry, ${place}`;
  for (const breaches of [[elsewhere], [breach, elsewhere], [elsewhere, breach]])
    expect(judged({}, { breaches })).toStrictEqual({ ...fitsNoMore, breaches, reason: other });
  expect(judged({}, { breaches: [breach, { ...breach, exchange: 2 }] }).verdict).toBe("deviates");
  // An expired entry doesn't hide what is new.
  expect(judged({}, { breaches: [elsewhere], today: "2027-04-01" }).reason).toBe(other);
});

const gone = `remove ${place} (${known.reason})`;
const ran = (...ids: readonly string[]) => ({ breaches: [], ran: (one: string) => ids.includes(one) });
const [shows, alsoShows] = ["USG-HTTP-01", "CYC-PRES-01"] as const;

const goneOrNot: readonly (readonly [what: string, terms: Partial<Deviation>, change: Partial<Evidence>, boolean])[] = [
  ["its own checks show it", {}, ran(), true],
  ["it is intermittent", { intermittent: true }, ran(), false],
  ["it isn't intermittent", { intermittent: false }, ran(), true],
  ["checks of another show it, which ran", { shownBy: [shows] }, ran(shows), true],
  ["checks of another show it, which didn't run", { shownBy: [shows] }, ran(alsoShows), false],
  ["one of several that show it ran", { shownBy: [shows, alsoShows] }, ran(alsoShows), true],
  ["no checks show it", { shownBy: [] }, ran(shows), false],
  ["it is intermittent, and what shows it ran", { intermittent: true, shownBy: [shows] }, ran(shows), false],
];
for (const [what, some, change, isGone] of goneOrNot)
  test(`a deviation that doesn't show ${isGone ? "is gone" : "may be there still"} where ${what}`, () => {
    const { entry: _, ...holds } = { ...fits, verdict: "holds", breaches: [], reason: null };
    const fixed = { ...fitsNoMore, verdict: "holds", breaches: [], reason: gone };
    expect(judged(some, change)).toStrictEqual(isGone ? { ...fixed, enforced: "note" } : holds);
    expect(judged(some, { ...change, fixedFails: true })).toStrictEqual(isGone ? fixed : holds);
  });

test("where nothing was judged, a deviation is neither kept nor gone", () => {
  for (const is of ["withheld", "inconclusive"] as const) {
    const verdict = judged({}, { breaches: [], outcomes: [{ is: "held" }, { is, reason: inWords("why") }] });
    expect([verdict.verdict, verdict.reason, verdict.entry]).toEqual([is, "why", undefined]);
  }
});

test("a deviation that doesn't show in the part that was tried may be there in the rest", () => {
  const { verdict, entry } = judged({}, { breaches: [], outcomes: [{ is: "held", untried: ["the rest"] }] });
  expect([verdict, entry]).toEqual(["holds", undefined]);
});

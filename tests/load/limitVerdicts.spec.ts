// Tests of verdicts on limits: what is words of bursts, rates and plans, and which request shows it
import { expect, test } from "@playwright/test";
import {
  type Bursts,
  burstsOf,
  groupsOf,
  recovers,
  refusesAsDocumented,
  refusesExcess,
  servesLimit,
  tooSlow,
} from "../../load/rateLimits/bursts.ts";
import { acrossPlans, type Experiment } from "../../load/rateLimits/experiments.ts";
import { type LimitVerdict, limitBroken, limitHeld, secondsText } from "../../load/rateLimits/limitVerdict.ts";
import { plansApart } from "../../load/rateLimits/planLimits.ts";
import { mostWithinWindow, overTwoWindows } from "../../load/rateLimits/proofs.ts";
import type { Sample, SampleOutcome } from "../../load/rateLimits/samples.ts";

const outcomes = { S: "served", R: "refused", U: "undocumented", F: "failed" } as const satisfies {
  readonly [letter: string]: SampleOutcome;
};

interface Named extends Sample {
  readonly name: string;
}

/** `5S7R`: five served, then seven refused; each is named by where it stands, from 0. */
const samples = (text: string, sent_ms: number, took_ms: number, prefix = ""): readonly Named[] =>
  [...text.matchAll(/(\d+)([SRUF])/g)]
    .flatMap(([, count, letter]) => Array.from({ length: Number(count) }, () => outcomes[letter as "S"]))
    .map((outcome, nth) => ({ sent_ms, received_ms: sent_ms + took_ms, outcome, name: `${prefix}${nth}` }));

/** Bursts 3.3 s apart, and a request after them where there is one; `1.7` is the eighth request of the second. */
const bursts = (texts: readonly string[], after: SampleOutcome | null = "served", took_ms = 10): Bursts<Named> => ({
  bursts: texts.map((text, nth) => samples(text, nth * 3_310, took_ms, `${nth}.`)),
  after: after === null ? undefined : { sent_ms: 13_000, received_ms: 13_010, outcome: after, name: "after" },
});

/** What a verdict says, and by which request. */
const words = (verdict: LimitVerdict<Named>): string =>
  verdict.is === "held"
    ? `held by ${verdict.shownBy.name}`
    : verdict.is === "broken"
      ? `broken by ${verdict.shownBy.name}: ${verdict.expected}, but ${verdict.got}`
      : `${verdict.is}: ${verdict.why}`;

const five = "5S7R";
const nothing = "withheld: nothing was served at all";
const slowly = "too long to distinguish 5 from 6";
type Row = readonly [texts: readonly string[], words: string, after?: SampleOutcome | null, took_ms?: number];

/** The rows as they are judged. */
const judgedRows = (rows: readonly Row[], judge: (seen: Bursts<Named>) => LimitVerdict<Named>): readonly Row[] =>
  rows.map(([texts, _, ...seen]) => [texts, words(judge(bursts(texts, ...seen))), ...seen]);

const low: readonly Row[] = [
  [[five, five, five], "held by 2.4"],
  [["12S", five, "4R8S"], "held by 2.11"],
  [[five, "4S8R", "3S9R"], "broken by 1.4: at least 5 served in each burst, but 5, 4, 3 of 12 served"],
  [["0S12R", five, five], "broken by 0.0: at least 5 served in each burst, but 0, 5, 5 of 12 served"],
  [["4S1F7R", five, five], "inconclusive: 1 of 12 failed in a burst"],
  [[five, "4S1F7R", "3S2F7R"], "inconclusive: 1 of 12 failed in a burst"],
  [["4S1F7R", "4S8R", five], "broken by 1.4: at least 5 served in each burst, but 4, 4, 5 of 12 served"],
  [["3S1F8R", five, five], "broken by 0.3: at least 5 served in each burst, but 3, 5, 5 of 12 served"],
  [["12R", "12R", "12R"], nothing],
  [["12F", "12F", "12F"], nothing],
  [["4S8R", five, five], "withheld: the platform didn't recover from exceeding the limit", "refused"],
  [[five, five, five], "withheld: the platform didn't recover from exceeding the limit", "failed"],
  [[five, "4S8R", five], "broken by 1.4: at least 5 served in each burst, but 5, 4, 5 of 12 served", null],
];
test("each burst is served at least five", () => expect(judgedRows(low, servesLimit)).toEqual(low));

const tooMany = "at most 5 served in two of three bursts, 10 in each";
const high: readonly Row[] = [
  [[five, five, five], "held by 0.5"],
  [[five, "10S2R", five], "held by 0.5"],
  [["6S6R", five, "6S6R"], `broken by 0.5: ${tooMany}, but 6, 5, 6 of 12 served`],
  [["6S6R", "6S6R", "7S5R"], `broken by 0.5: ${tooMany}, but 6, 6, 7 of 12 served`],
  [[five, "12S", "11S1R"], "broken by 1.11: at most 10 served within any second, but 12 served within 0.01 s"],
  [["12R", "12R", "12R"], nothing],
  [["5S7F", "5S7F", "5S7F"], "withheld: requests beyond the limit fail instead of being refused"],
  [["5S7F", "5S6F1R", "5S7F"], "inconclusive: 20 of 36 failed"],
  [["5S7F", "5S6F1U", "5S7F"], "inconclusive: 20 of 36 failed"],
  [["5S6F1R", "5S6F1R", "5S6F1U"], "inconclusive: 18 of 36 failed"],
  [["5S7F", "4S8F", "5S7F"], "inconclusive: 22 of 36 failed"],
  [["5S7F", "12S", "5S7F"], "broken by 1.11: at most 10 served within any second, but 12 served within 0.01 s"],
  [["5S6R1F", five, five], "inconclusive: 1 of 36 failed"],
  [["6S6R", five, "5S6R1F"], "inconclusive: 1 of 36 failed"],
  [[five, five, five], `withheld: a burst took 0.19 s, ${slowly} (5, 5, 5 of 12 were served)`, "served", 190],
  [["6S6R", "6S6R", "6S6R"], `withheld: a burst took 0.20 s, ${slowly} (6, 6, 6 of 12 were served)`, "served", 200],
  [["6S6R", five, "6S6R"], `broken by 0.5: ${tooMany}, but 6, 5, 6 of 12 served`, "served", 189],
  [["6S6R", five, "6S6R"], `broken by 0.5: ${tooMany}, but 6, 5, 6 of 12 served`, "served", 0],
];
test("no burst is served more than the limit", () => expect(judgedRows(high, refusesExcess)).toEqual(high));

test("a burst is too slow from 190 ms on", () => {
  expect(tooSlow(bursts([five, five, five], "served", 189))).toBeNull();
  const [first, ...others] = bursts([five, five, "4S8R"]).bursts;
  const late = first?.map((one, nth) => (nth === 11 ? { ...one, received_ms: 190 } : one)) ?? [];
  expect(tooSlow({ bursts: [late, ...others], after: undefined })).toBe(
    `a burst took 0.19 s, ${slowly} (5, 5, 4 of 12 were served)`,
  );
});

const documented = "requests beyond the limit refused as documented";
const wording: readonly Row[] = [
  [[five, five, five], "held by 0.5"],
  [["12S", five, five], "held by 1.5"],
  [["5S5R2U", "5S7U", five], `broken by 0.10: ${documented}, but another refusal`],
  [["12U", "12U", "12U"], nothing],
  [["5S7F", "5S7F", "5S7F"], `broken by 0.5: ${documented}, but a failure in each of three bursts`],
  [["11S1F", "11S1F", "11S1F"], `broken by 0.11: ${documented}, but a failure in each of three bursts`],
  [["5S7F", "5S7R", "5S7F"], "inconclusive: 14 of 36 failed"],
  [["5S7R", "11S1F", five], "inconclusive: 1 of 36 failed"],
  [["5S7F", "12S", "5S7F"], "inconclusive: 14 of 36 failed"],
  [["12S", "12S", "12S"], "withheld: none of 12 at once was refused"],
];
test("what goes beyond the limit is refused as documented", () =>
  expect(judgedRows(wording, refusesAsDocumented)).toEqual(wording));

test("requests that take 700 ms longer than a single one, in each burst, were queued", () => {
  const all = bursts(["12S", "12S", "12S"]);
  const late = (by_ms: number, groups: readonly number[], spread_ms = 0): Bursts<Named> => ({
    ...all,
    bursts: all.bursts.map((burst, group) =>
      burst.map((one, nth) => ({
        ...one,
        sent_ms: one.sent_ms + (nth === 0 ? 0 : spread_ms),
        received_ms: one.received_ms + spread_ms + (nth > 4 && groups.includes(group) ? by_ms : 0),
      })),
    ),
  });
  const verdicts = (some: Bursts<Named>): string => words(refusesAsDocumented(some));
  const none = "withheld: none of 12 at once was refused";
  expect(verdicts(late(701, [0, 1, 2]))).toBe(`broken by 0.5: ${documented}, but served 0.71 s late`);
  expect(verdicts(late(700, [0, 1, 2]))).toBe(none);
  expect(verdicts(late(701, [0, 1]))).toBe(none);
  expect(verdicts(late(701, [0, 1, 2], 189))).toBe(`broken by 0.5: ${documented}, but served 0.71 s late`);
  expect(verdicts(late(701, [0, 1, 2], 190))).toBe(none);
  const [first = [], ...others] = late(701, [0, 1, 2]).bursts;
  expect(verdicts({ ...all, bursts: [late(701, [0], 190).bursts[0] ?? [], ...others] })).toBe(none);
  expect(verdicts({ ...all, bursts: [first, ...others] })).toMatch(/^broken/);
  expect(verdicts({ ...late(701, [0, 1, 2]), after: undefined })).toBe(none);
});

const recovery: readonly Row[] = [
  [[five, five, five], "held by after"],
  [[five, five, five], "broken by after: served after 3 s without a request, but refused", "refused"],
  [[five, five, five], "broken by after: served after 3 s without a request, but refused", "undocumented"],
  [[five, five, five], "inconclusive: the request after the bursts failed", "failed"],
  [[five, five, five], "inconclusive: the request after the bursts failed", null],
  [["12S", "12S", "12S"], "withheld: the limit wasn't exceeded: nothing was refused"],
  [["12S", "12S", "12S"], "withheld: the limit wasn't exceeded: nothing was refused", "refused"],
  [["12R", "12R", "12R"], nothing],
  [["1S11R", "12R", "12R"], "held by after"],
];
test("a request after the bursts is served", () => expect(judgedRows(recovery, recovers)).toEqual(recovery));

test("samples are distinguished by the groups of their experiment; what wasn't sent is left out", () => {
  const experiment: Experiment = [0, 0, 1, 3, 3].map((group) => ({ at_ms: 0, connection: 0, group, caller: 0 }));
  const seen = samples("5S", 0, 1);
  const names = (some: readonly Named[] | undefined) => some?.map(({ name }) => name);
  expect([...groupsOf(experiment, seen)].map(([group, some]) => [group, names(some)])).toEqual([
    [0, ["0", "1"]],
    [1, ["2"]],
    [3, ["3", "4"]],
  ]);
  const { bursts: grouped, after } = burstsOf(experiment, seen);
  expect([grouped.map(names), after?.name]).toEqual([[["0", "1"], ["2"]], "3"]);
  expect(burstsOf(experiment, seen.slice(0, 3)).after).toBeUndefined();
  expect([...groupsOf(experiment, seen.slice(0, 1)).keys()]).toEqual([0]);
});

test("a verdict needs a request that shows it", () => {
  const [one] = samples("1S", 0, 1);
  expect(limitBroken(one, "this", "that")).toEqual({ is: "broken", expected: "this", got: "that", shownBy: one });
  expect(limitHeld(one)).toEqual({ is: "held", shownBy: one });
  const unsent = { is: "inconclusive", why: "nothing was sent" };
  expect([limitBroken(undefined, "this", "that"), limitHeld(undefined)]).toEqual([unsent, unsent]);
  expect([secondsText(124), secondsText(1_996)]).toEqual(["0.12 s", "2.00 s"]);
});

test("within a window is what was sent and answered within less than its length", () => {
  const at = (sent_ms: number, received_ms: number, name: string, outcome: SampleOutcome = "served"): Named => ({
    ...{ sent_ms, received_ms, outcome, name },
  });
  const seen = [at(0, 1_000, "slow"), at(10, 500, "b"), at(20, 400, "a"), at(30, 40, "no", "refused")];
  expect(mostWithinWindow(seen)).toEqual({ served: 2, within_ms: 490, last: seen[1] });
  expect(mostWithinWindow([at(0, 999, "slow"), ...seen.slice(1)])).toMatchObject({ served: 3, within_ms: 999 });
  // Of equal ones the first counts.
  expect(mostWithinWindow([at(5_000, 5_010, "later"), at(0, 10, "first")])?.last.name).toBe("first");
  expect(mostWithinWindow(seen, 400)).toEqual({ served: 1, within_ms: 380, last: seen[2] });
  expect(mostWithinWindow([])).toBeNull();
  const eleven = samples("11S", 0, 1);
  expect(overTwoWindows(eleven)?.served).toBe(11);
  expect([overTwoWindows(eleven.slice(1)), overTwoWindows(eleven, 6), overTwoWindows([])]).toEqual([null, null, null]);
  expect(overTwoWindows(samples("5S", 0, 1), 2)?.served).toBe(5);
});

/** A burst of 40 on the plain plan, one on the larger, 30 steadily, a quota of 10 exceeded by 15 and later by 5. */
const plansSeen = (texts: readonly string[]): LimitVerdict<Named> =>
  plansApart(
    texts.flatMap((text, group) => {
      const times = acrossPlans.filter((one) => one.group === group);
      return samples(text, 0, 20, `${group}.`).map((one, nth) => {
        const sent_ms = times[nth]?.at_ms ?? 0;
        return { ...one, sent_ms, received_ms: sent_ms + 20 };
      });
    }),
  );
const [plain, larger, steadily, within, after] = ["8S32R", "24S16R", "30S", "10S5R", "5R"] as const;
const spent = "nothing served beyond the quota of the cycle";
const plansJudged: readonly (readonly [texts: readonly string[], words: string])[] = [
  [[plain, larger, steadily, within, after], "held by 4.0"],
  [["9S31R", "25S15R", steadily, within, after], "held by 4.0"],
  [["10S30R", larger, steadily, within, after], "broken by 0.9: at most 9 served in 0.02 s, but 10 of 40 served"],
  [["7S33R", larger, steadily, within, after], "broken by 0.7: at least 8 served, but 7 of 40 served"],
  [[plain, "23S17R", steadily, within, after], "broken by 1.23: at least 24 served, but 23 of 40 served"],
  [[plain, "26S14R", steadily, within, after], "broken by 1.25: at most 25 served in 0.02 s, but 26 of 40 served"],
  [[plain, larger, "29S1R", within, after], "broken by 2.29: all 30 served, but 1 refused"],
  [[plain, larger, "29S1F", within, after], "inconclusive: 1 of 30 failed"],
  [[plain, larger, steadily, "11S4R", after], "broken by 3.10: at most 10 served in 0.02 s, but 11 of 15 served"],
  [[plain, larger, steadily, "9S6R", after], "broken by 3.9: at least 10 served, but 9 of 15 served"],
  [[plain, larger, steadily, within, "3R2S"], `broken by 4.3: ${spent}, but 2 of 5 served`],
  [["7S1F32R", larger, "29S1F", within, "4R1S"], `broken by 4.4: ${spent}, but 1 of 5 served`],
  [["7S1F32R", larger, "29S1F", within, after], "inconclusive: 1 of 40 failed"],
  [["7S33R", "23S17R", steadily, within, after], "broken by 0.7: at least 8 served, but 7 of 40 served"],
  [[plain, larger, steadily, within, "4F1R"], "held by 4.0"],
  [[plain, larger, steadily, within, "5F"], "withheld: nothing was refused beyond the quota"],
];
test("plans are served as each says", () => {
  expect(plansJudged.map(([texts]) => [texts, words(plansSeen(texts))])).toEqual(plansJudged);
});

// Tests of verdicts on rates and of their attempts: the bounds of each, and what is sent a second time
import { expect, test } from "@playwright/test";
import {
  afterRest,
  burstTriple,
  type Experiment,
  overload,
  pair,
  sideBySide,
  steady,
  tripleAndRecovery,
} from "../../load/rateLimits/experiments.ts";
import {
  excessRefused,
  type Fire,
  limitApart,
  limitServed,
  limitShared,
  overloadBounded,
  pairServed,
  recovered,
  refusedAsDocumented,
  steadyServed,
} from "../../load/rateLimits/gate.ts";
import type { LimitVerdict } from "../../load/rateLimits/limitVerdict.ts";
import { allServed, servesBetween, withinWindows } from "../../load/rateLimits/rates.ts";
import type { Sample, SampleOutcome } from "../../load/rateLimits/samples.ts";

const outcomes = { S: "served", R: "refused", U: "undocumented", F: "failed" } as const satisfies {
  readonly [letter: string]: SampleOutcome;
};

const sample = (sent_ms: number, took_ms: number, letter: string): Sample => ({
  sent_ms,
  received_ms: sent_ms + took_ms,
  outcome: outcomes[letter as "S"],
});

/** A letter for each request, sent so long after the one before. */
const every = (apart_ms: number, letters: string, took_ms = 10): readonly Sample[] =>
  [...letters].map((letter, nth) => sample(nth * apart_ms, took_ms, letter));

/** What a verdict says, and which request shows it, counted from 0. */
const words = (verdict: LimitVerdict, seen: readonly Sample[]): string =>
  verdict.is === "held"
    ? `held by ${seen.indexOf(verdict.shownBy)}`
    : verdict.is === "broken"
      ? `broken by ${seen.indexOf(verdict.shownBy)}: ${verdict.expected}, but ${verdict.got}`
      : `${verdict.is}: ${verdict.why}`;

const nothing = "withheld: nothing was served at all";

const below: readonly (readonly [title: string, seen: readonly Sample[], words: string])[] = [
  ["all are served", every(400, "SSSS"), "held by 3"],
  ["nothing was sent", [], "inconclusive: nothing was sent"],
  ["one is refused", every(400, "SSRS"), "broken by 2: all 4 served, but 1 refused"],
  ["two are refused, one in another way", every(400, "SUSR"), "broken by 1: all 4 served, but 2 refused"],
  ["one failed", every(400, "SSFS"), "inconclusive: 1 of 4 failed"],
  ["one is refused, and another failed", every(400, "SFRS"), "broken by 2: all 4 served, but 1 refused"],
  ["all are refused", every(400, "RRR"), nothing],
  ["none is served, and one is refused in another way", every(400, "FUF"), nothing],
  ["five may have arrived within a second", every(200, "SSSSRSSSS", 0), "broken by 4: all 9 served, but 1 refused"],
  ["six in one", every(199, "SSSSSRSSSSS", 0), "inconclusive: requests may have arrived in bunches of 6"],
];
test("traffic within the limit is served", () => {
  expect(below.map(([title, seen]) => [title, seen, words(allServed(seen), seen)])).toEqual(below);
});

test("requests are near that may have arrived within one window of another", () => {
  /** A refusal sent at 2 s and answered at 2.1 s, and one that was on its way between the two. */
  const near = (sent_ms: number, received_ms: number): string =>
    allServed([sample(2_000, 100, "R"), { sent_ms, received_ms, outcome: "served" }], 1).is;
  expect(near(0, 1_000)).toBe("broken");
  expect(near(0, 1_001)).toBe("inconclusive");
  expect(near(2_100, 2_200)).toBe("inconclusive");
  expect(near(2_101, 2_200)).toBe("broken");
});

test("as many as the limit may be near a refusal, and one more may not", () => {
  const bunch = (count: number): LimitVerdict => allServed(every(0, `${"S".repeat(count - 1)}R`));
  expect(bunch(5).is).toBe("broken");
  expect(bunch(6)).toEqual({ is: "inconclusive", why: "requests may have arrived in bunches of 6" });
  // One bunch is enough, wherever another refusal stands.
  const alone = sample(9_000, 10, "R");
  expect(allServed([...every(0, "SSSSSR"), alone]).is).toBe("inconclusive");
  expect(allServed([alone, ...every(0, "SSSSSR")]).is).toBe("inconclusive");
});

/** Over 1.9 s, so that full windows serve at most 15. */
const over = (letters: string): readonly Sample[] => [
  ...every(100, letters.slice(0, -1), 0),
  sample(1_890, 10, letters.slice(-1)),
];
const repeated = (letter: string, count: number): string => letter.repeat(count);
const above: readonly (readonly [letters: string, words: string])[] = [
  [`${repeated("S", 15)}RRR`, "held by 15"],
  [`${repeated("S", 16)}RR`, "broken by 15: at most 15 served in 1.90 s, but 16 served"],
  [`R${repeated("S", 15)}FR`, "inconclusive: 1 of 18 failed"],
  [`R${repeated("S", 14)}FR`, "held by 0"],
  [`F${repeated("S", 14)}RUR`, "held by 15"],
  [`S${repeated("U", 10)}`, "held by 1"],
  [repeated("R", 18), nothing],
  [repeated("F", 18), nothing],
  [repeated("S", 15), "withheld: nothing was refused"],
  [`${repeated("S", 14)}F`, "withheld: nothing was refused"],
];
test("overload is served no more than full windows", () => {
  const judged = (seen: readonly Sample[]): string => words(withinWindows(seen), seen);
  expect(above.map(([letters]) => [letters, judged(over(letters))])).toEqual(above);
});

test("full windows are one more than there are whole seconds, begun ones included", () => {
  const lasting = (lasted_ms: number, served: number): LimitVerdict =>
    withinWindows([...every(0, "S".repeat(served - 1), 0), sample(lasted_ms - 10, 10, "S"), sample(0, 0, "R")]);
  expect([lasting(1_000, 10).is, lasting(1_000, 11).is]).toEqual(["held", "broken"]);
  expect([lasting(1_001, 15).is, lasting(1_001, 16).is]).toEqual(["held", "broken"]);
});

const known: readonly (readonly [letters: string, took_ms: number, words: string])[] = [
  ["SSSSRRRR", 500, "held by 4"],
  ["SSSSSSRR", 500, "held by 6"],
  ["SSSSSSSR", 500, "broken by 6: at most 6 served in 0.50 s, but 7 of 8 served"],
  ["SSSSSSRR", 500.1, "held by 6"],
  ["SSSSSSSR", 500.1, "held by 7"],
  ["SSSRRRRR", 500, "broken by 3: at least 4 served, but 3 of 8 served"],
  ["SSUUUUUU", 500, "broken by 2: at least 4 served, but 2 of 8 served"],
  ["SSSFRRRR", 500, "inconclusive: 1 of 8 failed"],
  ["SSFRRRRR", 500, "broken by 2: at least 4 served, but 2 of 8 served"],
  ["SSSSFRRR", 500, "inconclusive: 1 of 8 failed"],
  ["RRRRRRRR", 500, nothing],
  ["FFFFFFFF", 500, nothing],
  ["SSSSSSRR", 1_000, "inconclusive: a burst took 1.00 s, too long to exceed the limit"],
  ["SSSSSSSR", 750, "held by 7"],
  ["SSSSSSSS", 751, "inconclusive: a burst took 0.75 s, too long to exceed the limit"],
];
test("a limit of 4 at once and 4 per second", () => {
  const judged = (seen: readonly Sample[]): string => words(servesBetween(seen, { least: 4, perSecond: 4 }), seen);
  expect(known.map(([letters, took_ms]) => [letters, took_ms, judged(every(0, letters, took_ms))])).toEqual(known);
});

interface Sent {
  readonly experiment: Experiment;
  readonly attempt: number;
}

/** Answers each experiment with the letters of its attempt, the last again and again; a bar stands between groups. */
const answering = (letters: readonly string[], took_ms: number | readonly number[] = 10) => {
  const sent: Sent[] = [];
  const fire: Fire<Sample> = (experiment, attempt) => {
    const text = letters[Math.min(sent.length, letters.length - 1)] ?? "";
    const each_ms = typeof took_ms === "number" ? took_ms : (took_ms[Math.min(sent.length, took_ms.length - 1)] ?? 0);
    sent.push({ experiment, attempt });
    return Promise.resolve(
      [...text].flatMap((letter, nth) => sample(experiment[nth]?.at_ms ?? 0, each_ms, letter)).slice(),
    );
  };
  return { fire, sent, attempts: () => sent.map(({ attempt }) => attempt) };
};
const bursts = (served: number, after = "S"): string =>
  `${`${"S".repeat(served)}${"R".repeat(12 - served)}`.repeat(3)}${after}`;

type Gate = (fire: Fire<Sample>) => Promise<LimitVerdict>;
const gates: readonly (readonly [
  title: string,
  gate: Gate,
  experiment: Experiment,
  right: string,
  wrong: string,
  expected: string,
])[] = [
  ["five are served at once", limitServed, tripleAndRecovery, bursts(5), bursts(4), "at least 5 served in each burst"],
  [
    "more are refused",
    excessRefused,
    tripleAndRecovery,
    bursts(5),
    bursts(6),
    "at most 5 served in two of three bursts, 10 in each",
  ],
  [
    "as documented",
    refusedAsDocumented,
    tripleAndRecovery,
    bursts(5),
    bursts(5).replaceAll("R", "U"),
    "requests beyond the limit refused as documented",
  ],
  [
    "two callers share a limit",
    limitShared,
    burstTriple(2),
    bursts(5, ""),
    bursts(6, ""),
    "at most 5 served in two of three bursts, 10 in each",
  ],
  ["a pair of groups is served", pairServed, pair(2_200), "S".repeat(10), "SSSSSRSSSS", "all 10 served"],
  ["3 per second are served", steadyServed, steady, "S".repeat(180), `R${"S".repeat(179)}`, "all 180 served"],
  [
    "12 per second aren't",
    overloadBounded,
    overload,
    "SSSSSRRRRRRR".repeat(20),
    "S".repeat(240),
    "at most 105 served in 19.93 s",
  ],
  ["two callers at once", limitApart, sideBySide(2), "S".repeat(10), "SSSSSSSSSR", "all 10 served"],
];
for (const [title, gate, experiment, right, wrong, expected] of gates) {
  test(`a breach must show in a second attempt: ${title}`, async () => {
    const [honest, defective, once] = [answering([right]), answering([wrong]), answering([wrong, right])];
    expect((await gate(honest.fire)).is).toBe("held");
    expect(honest.sent).toEqual([{ experiment, attempt: 0 }]);
    expect(await gate(defective.fire)).toMatchObject({ is: "broken", expected });
    expect(defective.sent).toEqual([
      { experiment, attempt: 0 },
      { experiment, attempt: 3 },
    ]);
    expect(await gate(once.fire)).toMatchObject({
      is: "inconclusive",
      why: expect.stringMatching(/^not reproducible: .+ at the first attempt, not at the second$/),
    });
  });
}

test("bursts that are too slow are sent three times, or as often as requests may cost", async () => {
  const slow = answering([bursts(5)], 190);
  const why = "a burst took 0.19 s, too long to distinguish 5 from 6 (5, 5, 5 of 12 were served)";
  expect(await excessRefused(slow.fire)).toEqual({ is: "withheld", why: `after 3 attempts: ${why}` });
  expect(slow.attempts()).toEqual([0, 1, 2]);
  const once = answering([bursts(5)], 190);
  expect(await excessRefused(once.fire, 1)).toEqual({ is: "withheld", why: `after 1 attempt: ${why}` });
  expect(once.attempts()).toEqual([0]);
  const shared = answering([bursts(5, "")], 190);
  expect((await limitShared(shared.fire, 2)).is).toBe("withheld");
  expect(shared.attempts()).toEqual([0, 1]);
});

test("the last of slow attempts is told, and the first that is quick is judged", async () => {
  const slower = answering([bursts(5), bursts(6), bursts(7)], [190, 200, 210]);
  expect(await excessRefused(slower.fire)).toMatchObject({
    why: expect.stringMatching(/a burst took 0\.21 s.*7, 7, 7/),
  });
  const quick = answering([bursts(6), bursts(5)], [200, 10]);
  expect((await excessRefused(quick.fire)).is).toBe("held");
  expect(quick.attempts()).toEqual([0, 1]);
});

test("a slow burst that is served eleven times is a breach all the same", async () => {
  const many = answering([bursts(11)], 900);
  expect((await excessRefused(many.fire)).is).toBe("broken");
  expect(many.attempts()).toEqual([0, 3]);
});

test("who is refused after a rest is asked once more, alone", async () => {
  const got = async (letters: readonly string[]) => {
    const { fire, sent } = answering(letters);
    const verdict = await recovered(fire);
    return [verdict, sent] as const;
  };
  const second = { experiment: afterRest, attempt: 3 };
  for (const letter of ["R", "U"]) {
    const [verdict, sent] = await got([bursts(5, "R"), letter]);
    expect(verdict).toEqual({
      is: "broken",
      expected: "served after 3 s without a request, or after another 3 s",
      got: "refused",
      shownBy: sample(3_000, 10, letter),
    });
    expect(sent).toEqual([{ experiment: tripleAndRecovery, attempt: 0 }, second]);
  }
  for (const letter of ["S", "F", ""])
    expect((await got([bursts(5, "R"), letter]))[0]).toEqual({
      is: "inconclusive",
      why: "not reproducible: refused once after 3 s without a request, not a second time",
    });
  const [held, sent] = await got([bursts(5)]);
  expect([held.is, sent.length]).toEqual(["held", 1]);
});

test("a pair of groups proves nothing where five requests took a second", async () => {
  const took = async (took_ms: number) => pairServed(answering(["SSSSSRSSSS"], took_ms).fire);
  // Sent within 160 ms.
  expect((await took(839)).is).toBe("broken");
  expect(await took(840)).toEqual({ is: "withheld", why: "five requests took 1.00 s" });
  const oneSlow = await pairServed((experiment) =>
    Promise.resolve(experiment.map(({ at_ms, group }) => sample(at_ms, group === 0 ? 10 : 840, "S"))),
  );
  expect(oneSlow.is).toBe("withheld");
});

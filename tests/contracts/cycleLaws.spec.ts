// Laws of cycle dates, case by case: which days are real, in order, current and due on the plan (§2.1)
import { expect, test } from "@playwright/test";
import { laws } from "../../contracts/usage/cycles.laws.ts";
import { type Change, type MadeRead, madeRead, says } from "./madeUsage.ts";

const saysOf = (id: string, read: MadeRead): string => says(laws, id, madeRead(read));

const [start, end] = ["/creditCycle/start", "/creditCycle/end"] as const;
const window = "/subscriptionDetails/billingCycle";
const [billed, due] = [`${window}/start`, `${window}/end`] as const;

const noDays = ["2025-02-30", "2025-02-29", "2025-13-01", "2025-3-01", "2025-03-1", "20250301", "", "03/01/2025"];
const otherForms = ["2025-03-01T00:00:00Z", "2025-03-01 ", " 2025-03-01", "+002025-03-01", "+012025-03", "12025-03-01"];

for (const at of [start, end, billed, due])
  test(`CYC-DATE-01: what is no real day in ${at}`, () => {
    for (const text of [...noDays, ...otherForms])
      expect(saysOf("CYC-DATE-01", { change: { [at]: text } })).toBe(`${at}: a real calendar day, YYYY-MM-DD`);
  });

const days: readonly (readonly [what: string, change: Change, expected: string])[] = [
  ["four real days", {}, "held"],
  ["29 February of a leap year", { [start]: "2024-02-29" }, "held"],
  ["the day on which clocks begin", { [start]: "1970-01-01" }, "held"],
  ["a number, which is another breach", { [start]: 20250301 }, "-"],
  ["a number in the last place", { [due]: 20250301 }, "-"],
  ["a number beside a day that isn't real", { [start]: 5, [due]: "no" }, `${due}: a real calendar day, YYYY-MM-DD`],
  ["two that aren't real", { [end]: "x", [due]: "y" }, `${end}: a real calendar day, YYYY-MM-DD`],
  ["no billing cycle", { [window]: null }, "held"],
  ["a billing cycle in words", { [window]: "monthly" }, "held"],
  ["no cycle", { "/creditCycle": undefined }, "-"],
];

for (const [what, change, expected] of days)
  test(`CYC-DATE-01: ${what}: ${expected}`, () => {
    expect(saysOf("CYC-DATE-01", { change })).toBe(expected);
  });

const orders: readonly (readonly [what: string, change: Change, expected: string])[] = [
  ["a start before its end", {}, "held"],
  ["one day", { [start]: "2025-03-05", [end]: "2025-03-05" }, "held"],
  ["an end before its start", { [start]: "2025-03-06", [end]: "2025-03-05" }, `${start}: no later than 2025-03-05`],
  ["the same of billing", { [billed]: "2025-03-28" }, `${billed}: no later than 2025-03-27`],
  ["both", { [start]: "2025-03-28", [billed]: "2025-03-29" }, `${start}: no later than 2025-03-27`],
  ["a start that is no day", { [start]: "x" }, "-"],
  ["an end that is no day", { [end]: "x" }, "-"],
  ["an end of billing that is no day", { [due]: "x" }, "-"],
  ["no billing cycle", { [window]: null }, "held"],
];

for (const [what, change, expected] of orders)
  test(`CYC-ORD-01: ${what}: ${expected}`, () => {
    expect(saysOf("CYC-ORD-01", { change })).toBe(expected);
  });

const today = "2025-03-05";

/** Answers of 5 March at noon, by our clock. */
const current: readonly (readonly [what: string, change: Change, now: string, billing: string])[] = [
  ["all days around today", {}, "held", "held"],
  ["today alone", { [start]: today, [end]: today, [billed]: today, [due]: today }, "held", "held"],
  [
    "ended yesterday",
    { [end]: "2025-03-04", [due]: "2025-03-04" },
    `${end}: no earlier than today, ${today}, a warning`,
    "held",
  ],
  [
    "ended the day before",
    { [end]: "2025-03-03", [due]: "2025-03-03" },
    `${end}: no earlier than today, ${today}`,
    `${due}: no earlier than today, ${today}`,
  ],
  [
    "begins tomorrow",
    { [start]: "2025-03-06", [billed]: "2025-03-06" },
    `${start}: no later than today, ${today}, a warning`,
    "held",
  ],
  [
    "begins the day after",
    { [start]: "2025-03-07", [billed]: "2025-03-07" },
    `${start}: no later than today, ${today}`,
    `${billed}: no later than today, ${today}`,
  ],
  ["starts that are no days", { [start]: "x", [billed]: "x" }, "-", "-"],
  ["ends that are no days", { [end]: 5, [due]: 5 }, "-", "-"],
  ["no billing cycle", { [window]: null }, "held", "-"],
];

for (const [what, change, now, billing] of current)
  test(`CYC-NOW-01 and CYC-BILL-05: ${what}`, () => {
    expect([saysOf("CYC-NOW-01", { change }), saysOf("CYC-BILL-05", { change })]).toEqual([now, billing]);
  });

const ended = { [end]: "2025-03-04" };
const begins = { [start]: "2025-03-06" };
const [tooEarly, tooLate] = [`${end}: no earlier than today`, `${start}: no later than today`];
const longAgo = { [start]: "2019-12-20", [end]: "2020-01-05" };
const shown = (date: string): Pick<MadeRead, "headers"> => ({ headers: { date } });

/** A cycle that ended on 4 March, or one that begins on 6 March; clocks may differ by two minutes. */
const clocks: readonly (readonly [what: string, read: MadeRead, expected: string])[] = [
  ["just before two minutes past midnight", { change: ended, at: "2025-03-05T00:01:59.999Z" }, "held"],
  [
    "two minutes past midnight",
    { change: ended, at: "2025-03-05T00:02:00.000Z" },
    `${tooEarly}, 2025-03-05, a warning`,
  ],
  [
    "40 ms before two minutes to midnight, answered after 40 ms",
    { change: begins, at: "2025-03-05T23:57:59.960Z", latency_ms: 40 },
    "held",
  ],
  [
    "the same, answered after 39 ms",
    { change: begins, at: "2025-03-05T23:57:59.960Z", latency_ms: 39 },
    `${tooLate}, 2025-03-05, a warning`,
  ],
  [
    "two minutes past midnight by the server's clock, which shows the end of 40 ms",
    { change: ended, latency_ms: 40, ...shown("Wed, 05 Mar 2025 00:02:00 GMT") },
    "held",
  ],
  [
    "the same, answered at once",
    { change: ended, latency_ms: 0, ...shown("Wed, 05 Mar 2025 00:02:00 GMT") },
    `${tooEarly}, 2025-03-05, a warning`,
  ],
  [
    "two minutes to midnight by the server's clock",
    { change: begins, ...shown("Wed, 05 Mar 2025 23:58:00 GMT") },
    "held",
  ],
  [
    "a second less, answered after 5 s",
    { change: begins, latency_ms: 5_000, ...shown("Wed, 05 Mar 2025 23:57:59 GMT") },
    `${tooLate}, 2025-03-05, a warning`,
  ],
  ["the oldest clock that counts", { change: longAgo, ...shown("Wed, 01 Jan 2020 00:00:00 GMT") }, "held"],
  [
    "a server's clock that was never set, so that ours counts",
    { change: longAgo, ...shown("Tue, 31 Dec 2019 23:59:59 GMT") },
    `${tooEarly}, 2025-03-05`,
  ],
  ["a server's clock in words", { change: {}, ...shown("soon") }, "held"],
];

for (const [what, read, expected] of clocks)
  test(`CYC-NOW-01: ${what}: ${expected}`, () => {
    expect(saysOf("CYC-NOW-01", read)).toBe(expected);
  });

const unowned = { isOwn: false } as const;

const plans: readonly (readonly [what: string, read: MadeRead, free: string, paid: string])[] = [
  ["null on a free plan", { role: "free", change: { [window]: null } }, "held", "-"],
  ["a window on a free plan", { role: "free" }, `${window}: null on a free plan`, "-"],
  ["nothing on a free plan", { role: "free", change: { [window]: undefined } }, `${window}: null on a free plan`, "-"],
  ["no subscription on a free plan", { role: "free", change: { "/subscriptionDetails": undefined } }, "-", "-"],
  ["a window on a paid plan", {}, "-", "held"],
  ["null on a paid plan", { change: { [window]: null } }, "-", `${window}: an object on a paid plan`],
  ["a list on a paid plan", { change: { [window]: [] } }, "-", `${window}: an object on a paid plan`],
  ["words on a paid plan", { change: { [window]: "monthly" } }, "-", `${window}: an object on a paid plan`],
  ["nothing on a paid plan, which is another breach", { change: { [window]: undefined } }, "-", "-"],
  ["another's paid project", { ...unowned, change: { [window]: null } }, "-", "-"],
  ["another's free project", { ...unowned, role: "free" }, "-", "-"],
];

for (const [what, read, free, paid] of plans)
  test(`CYC-BILL-01 and CYC-BILL-02: ${what}`, () => {
    expect([saysOf("CYC-BILL-01", read), saysOf("CYC-BILL-02", read)]).toEqual([free, paid]);
  });

test("days of another's project aren't judged", () => {
  const wrong = { ...unowned, change: { [start]: "2025-02-30", [end]: "2025-01-01" } };
  for (const id of ["CYC-DATE-01", "CYC-ORD-01", "CYC-NOW-01", "CYC-BILL-05"]) expect(saysOf(id, wrong)).toBe("-");
});

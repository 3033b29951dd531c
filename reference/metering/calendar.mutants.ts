// Mutants of cycles and dates (§2.1)
import { benignVariant, both, getAt, mutant, onPlan, replaced, usageDoc, without } from "../platform/mutant.ts";
import type { ResponseMutation, Value } from "../platform/wire.ts";
import { plusDays } from "./calendar.ts";

const dates = [
  "/creditCycle/start",
  "/creditCycle/end",
  "/subscriptionDetails/billingCycle/start",
  "/subscriptionDetails/billingCycle/end",
];
const everyDate = (change: (day: string) => string): ResponseMutation =>
  dates.map((pointer) => replaced(pointer, (day) => change(String(day)))).reduce(both);

const swapped = (cycle: Value): Value => {
  const { start = null, end = null } = cycle as { [member: string]: Value };
  return { start: end, end: start };
};

export const mutants = [
  mutant("CYC-PRES-01.omit-on-free", { answer: onPlan("free", without("/creditCycle")) }, "USG-FLD-05"),
  mutant(
    "CYC-PRES-01.null-on-free",
    {
      answer: onPlan(
        "free",
        replaced("/creditCycle", () => null),
      ),
    },
    "USG-FLD-05",
  ),
  mutant(
    "CYC-PRES-01.copies-billing",
    { answer: replaced("/creditCycle", (_, doc) => getAt(doc, "/subscriptionDetails/billingCycle") ?? null) },
    "USG-FLD-05",
  ),
  mutant("CYC-DATE-01.feb-30", { answer: everyDate((day) => day.replace("-02-28", "-02-30")) }),
  mutant(
    "CYC-DATE-01.unpadded",
    { answer: everyDate((day) => day.replace("-0", "-")) },
    "USG-FLD-06",
    "USG-FLD-07",
    "USG-FLD-10",
    "USG-FLD-11",
  ),
  mutant(
    "CYC-DATE-01.two-digit-year",
    { answer: everyDate((day) => day.slice(2)) },
    "USG-FLD-06",
    "USG-FLD-07",
    "USG-FLD-10",
    "USG-FLD-11",
  ),
  mutant(
    "CYC-ORD-01.swapped",
    { answer: replaced("/creditCycle", swapped) },
    "CYC-NOW-01",
    "CYC-UTC-01",
    "CYC-ANCH-01",
  ),
  mutant(
    "CYC-ORD-01.zero-length",
    {
      answer: usageDoc((doc, { now_ms }) => {
        const start = String(getAt(doc, "/creditCycle/start"));
        const isFirstDay = start === new Date(now_ms).toISOString().slice(0, 10);
        return isFirstDay ? { ...doc, creditCycle: { start, end: plusDays(start, -1) } } : doc;
      }),
    },
    "CYC-NOW-01",
  ),
  mutant(
    "CYC-NOW-01.previous-cycle",
    { rules: { creditCycle: "previous", billingCycle: "as creditCycle" } },
    "CYC-BILL-05",
    "CYC-UTC-01",
    "CYC-ANCH-01",
  ),
  mutant("CYC-NOW-01.next-cycle", { rules: { creditCycle: "next on the last day" } }, "CYC-UTC-01", "CYC-ANCH-01"),
  mutant(
    "CYC-NOW-01.never-rolls",
    { rules: { creditCycle: "of the signup" } },
    "CYC-BILL-05",
    "CYC-UTC-01",
    "CYC-ANCH-01",
  ),
  mutant("CYC-UTC-01.server-local", { rules: { dateOffset_h: -5 } }, "CYC-"),
  mutant("CYC-UTC-01.client-tz", { rules: { dateHint: "followed" } }, "CYC-NOW-01"),
  mutant("CYC-ANCH-01.calendar-month", { rules: { creditCycle: "calendar month" } }, "CYC-"),
  mutant("CYC-ANCH-01.rolling-30", { rules: { creditCycle: "rolling 30 days" } }, "CYC-"),
  mutant("CYC-ANCH-01.signup-time", { rules: { creditCycle: "by the project's creation" } }),
  mutant("CYC-BILL-01.object-on-free", {
    answer: onPlan(
      "free",
      replaced("/subscriptionDetails/billingCycle", (_, doc) => getAt(doc, "/creditCycle") ?? null),
    ),
  }),
  mutant(
    "CYC-BILL-01.absent-on-free",
    { answer: onPlan("free", without("/subscriptionDetails/billingCycle")) },
    "USG-FLD-09",
  ),
  mutant("CYC-BILL-02.null-on-paid", {
    answer: onPlan(
      "paid",
      replaced("/subscriptionDetails/billingCycle", () => null),
    ),
  }),
  mutant("CYC-BILL-03.always-off", { rules: { billingCycle: "shifted by a day" } }),
  mutant("CYC-BILL-05.last-invoice", { rules: { billingCycle: "previous" } }),
  mutant("CYC-BILL-05.next-invoice", { rules: { billingCycle: "next" } }),
];

export const benignVariants = [benignVariant("CYC-BILL-03.ok-annual", { rules: { billingCycle: "annual" } })];

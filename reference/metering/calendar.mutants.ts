// Mutants of cycles and dates (§2.1)
import { benignVariantsOf, getAt, mutantsOf, onFree, onPaid, replaced, usageDoc, without } from "../platform/mutant.ts";
import { everyCycleDate } from "../platform/usageParts.ts";
import type { Doc, Value } from "../platform/wire.ts";
import { plusDays } from "./calendar.ts";

const swapped = (cycle: Value): Value => {
  const { start = null, end = null } = cycle as Doc;
  return { start: end, end: start };
};

/** Requirements of the form of dates. */
const dateFields = ["USG-FLD-06", "USG-FLD-07", "USG-FLD-10", "USG-FLD-11"];

export const mutants = mutantsOf({
  "CYC-PRES-01.omit-on-free": [onFree(without("/creditCycle")), "USG-FLD-05"],
  "CYC-PRES-01.null-on-free": [onFree(replaced("/creditCycle", () => null)), "USG-FLD-05"],
  "CYC-PRES-01.copies-billing": [
    replaced("/creditCycle", (_, doc) => getAt(doc, "/subscriptionDetails/billingCycle") ?? null),
    "USG-FLD-05",
  ],
  "CYC-DATE-01.feb-30": everyCycleDate((day) => day.replace("-02-28", "-02-30")),
  "CYC-DATE-01.unpadded": [everyCycleDate((day) => day.replace("-0", "-")), ...dateFields],
  "CYC-DATE-01.two-digit-year": [everyCycleDate((day) => day.slice(2)), ...dateFields],
  "CYC-ORD-01.swapped": [replaced("/creditCycle", swapped), "CYC-NOW-01", "CYC-UTC-01", "CYC-ANCH-01"],
  "CYC-ORD-01.zero-length": [
    usageDoc((doc, { now_ms }) => {
      const start = String(getAt(doc, "/creditCycle/start"));
      const isFirstDay = start === new Date(now_ms).toISOString().slice(0, 10);
      return isFirstDay ? { ...doc, creditCycle: { start, end: plusDays(start, -1) } } : doc;
    }),
    "CYC-NOW-01",
  ],
  "CYC-NOW-01.previous-cycle": [
    { rules: { creditCycle: "previous", billingCycle: "as creditCycle" } },
    "CYC-BILL-05",
    "CYC-UTC-01",
    "CYC-ANCH-01",
  ],
  "CYC-NOW-01.next-cycle": [{ rules: { creditCycle: "next on the last day" } }, "CYC-UTC-01", "CYC-ANCH-01"],
  "CYC-NOW-01.never-rolls": [{ rules: { creditCycle: "of the signup" } }, "CYC-BILL-05", "CYC-UTC-01", "CYC-ANCH-01"],
  "CYC-UTC-01.server-local": { rules: { dateOffset_h: -5 } },
  "CYC-UTC-01.client-tz": { rules: { dateHint: "followed" } },
  "CYC-ANCH-01.calendar-month": [{ rules: { creditCycle: "calendar month" } }, "CYC-"],
  "CYC-ANCH-01.rolling-30": [{ rules: { creditCycle: "rolling 30 days" } }, "CYC-"],
  "CYC-ANCH-01.signup-time": { rules: { creditCycle: "by the project's creation" } },
  "CYC-BILL-01.object-on-free": onFree(
    replaced("/subscriptionDetails/billingCycle", (_, doc) => getAt(doc, "/creditCycle") ?? null),
  ),
  "CYC-BILL-01.absent-on-free": [onFree(without("/subscriptionDetails/billingCycle")), "USG-FLD-09"],
  "CYC-BILL-02.null-on-paid": onPaid(replaced("/subscriptionDetails/billingCycle", () => null)),
  "CYC-BILL-03.always-off": { rules: { billingCycle: "shifted by a day" } },
  "CYC-BILL-05.last-invoice": { rules: { billingCycle: "previous" } },
  "CYC-BILL-05.next-invoice": { rules: { billingCycle: "next" } },
});

export const benignVariants = benignVariantsOf({ "CYC-BILL-03.ok-annual": { rules: { billingCycle: "annual" } } });

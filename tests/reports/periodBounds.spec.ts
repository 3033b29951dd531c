// The report on a period: bounds of the target file that loads exceeded.
import { expect, test } from "@playwright/test";
import { assay } from "../support/assay.ts";
import { historyFile, madeNight } from "../support/madeNights.ts";
import { edition } from "../support/madeRuns.ts";

test("a bound of the target file that loads exceeded is an incident of its own", async () => {
  const bound = { operation: "getTransfers" as never, bound_ms: 150, p95_ms: 182, isKept: false } as const;
  const loads = [false, true, true, false].map((isExceeded, nth) => {
    const load = { shape: "smoke" as const, phases: [], dropped: 0, knee_perSecond: null };
    const exceeded = isExceeded ? { exceeded: [bound, { ...bound, operation: "getA" as never }] } : {};
    return madeNight(nth, {}, { interface: edition, kind: "smoke", load: { ...load, ...exceeded } });
  });
  const november = ["--from", "2025-11-01", "--to", "2025-11-30", "--markdown"];
  const { code, stdout: text } = await assay(["history", "report", historyFile(loads), ...november]);
  expect(code).toBe(0);
  expect(text).toContain("; 2 incidents; ");
  expect(text).toContain("a load exceeded a bound of the target file");
  expect(text).toMatch(
    /2025-11-27 to 2025-11-28: `getTransfers` p95 under load within the bound of the target file: broken on 2 judged/,
  );
});

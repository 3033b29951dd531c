// The moving line of a run: what it counts, and what it says once only observations are left.
import { expect, test } from "@playwright/test";
import { progressOn } from "../../cli/progress.ts";
import type { Observed } from "../../harness/model/probe.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import { nothingSpent } from "../../harness/targets/budget.ts";
import { invocation } from "../support/assay.ts";

/** The last line after these verdicts. */
function lineAfter(verdicts: readonly (readonly [id: string, verdict: Verdict["verdict"]])[]): string {
  let line = "";
  const stdout = { isTTY: true, write: (text: string) => void (line = text) };
  const progress = progressOn({ ...invocation, stdout }, { isQuiet: false, seconds: 10 });
  progress.begin([], ["USG-FLD-01", "USG-FLD-02", "USG-HTTP-01"], () => null);
  for (const [id, verdict] of verdicts) {
    const event = {
      event: "verdict",
      verdict: { id, verdict, breaches: [], reasons: [] } as unknown as Verdict,
    } as const;
    progress.note({ ...event, spent: nothingSpent }, 7);
  }
  progress.note({ event: "observation", observation: { state: "withheld" } as Observed }, 7);
  const shown = line;
  progress.end();
  return shown;
}

test("what can't be shown, wasn't planned, or was only tried counts neither as judged nor as observed", () => {
  const planned = ["USG-FLD-01", "holds"] as const;
  expect(lineAfter([planned, planned, ["CYC-PRES-01", "holds"]])).toContain("1 of 3 judged · 7 requests");
  expect(lineAfter([planned, ["USG-FLD-02", "withheld"]])).toContain("1 of 2 judged");
  expect(lineAfter([planned, ["USG-HTTP-01", "inconclusive"]])).toContain("1 of 3 judged");
});

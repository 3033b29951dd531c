// The end of a run before all is tried: what is judged then is right, and the rest is withheld for want of time.
import { expect, test } from "@playwright/test";
import { contractSuite } from "../../contracts/suite.ts";
import { asVendor, outcomeOf } from "../support/probeSpecs.ts";

const perSecond = 25;
const target = asVendor({ quiet: true, allow: ["throttle"], perSecond, apiPerSecond: { admin: 4.9 } });

for (const most_s of [3, 5, 20, 60])
  test(`after ${most_s} s nothing more is tried, and nothing is half judged`, {
    tag: most_s === 5 || most_s === 60 ? "@slow" : [],
  }, async () => {
    const { verdicts, observed, held, broken, inconclusive, took_s } = await outcomeOf({
      suite: contractSuite,
      target,
      most_s,
      hasSchedules: true,
    });
    expect({ broken, inconclusive }).toEqual({ broken: [], inconclusive: [] });
    expect(took_s).toBeLessThanOrEqual(most_s + 1);
    const late = `not started within ${most_s} s`;
    const reasons = [...verdicts, ...observed].map(({ reason }) => reason ?? "");
    expect(reasons.filter((reason) => reason.includes(late)).length).toBeGreaterThan(10);
    expect(observed.filter(({ defect }) => defect)).toEqual([]);
    expect(held.length).toBeGreaterThan(most_s === 3 ? 0 : 50);
  });

// Loads made by hand, with only what a test is about.
import type { LoadReport } from "../../harness/record/load.ts";
import { smoke } from "../../load/shapes/smoke.ts";
import { emptyReport, type LoadPlan } from "../../load/traffic/load.ts";

export const madePlan: LoadPlan = {
  shape: smoke,
  mix: { shares: [], left: [] },
  phases: smoke.phases(5, 20),
  seed: 1,
  cost: { requests: 102, credits: 0, unpriced: 101 },
  byK6: { requests: 100, credits: 0, unpriced: 100 },
};

export const madeLoad = (more: Partial<LoadReport> = {}): LoadReport => ({
  ...emptyReport(madePlan, "k6 2.2.0", {}),
  ...more,
});

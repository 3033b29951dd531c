// Loads made by hand, of which only what a test is about is said.
import type { LoadReport } from "../../harness/load.ts";
import { emptyReport, type LoadPlan } from "../../load/load.ts";
import { smoke } from "../../load/smoke.ts";

export const madePlan: LoadPlan = {
  shape: smoke,
  mix: { shares: [], left: [] },
  phases: smoke.phases(5, 20),
  seed: 1,
  cost: { requests: 102, credits: 0, unpriced: 101 },
  byK6: { requests: 100, credits: 0, unpriced: 100 },
};

export const madeLoad = (more: Partial<LoadReport> = {}): LoadReport => ({ ...emptyReport(madePlan, "k6 2.2.0", {}), ...more });

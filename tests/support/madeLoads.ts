// Loads made by hand, with only what a test is about.
import { targetForm } from "../../contracts/targets.ts";
import type { LoadReport } from "../../harness/record/load.ts";
import type { Target } from "../../harness/targets/target.ts";
import { readTarget } from "../../harness/targets/targetFile.ts";
import { smoke } from "../../load/shapes/shapes.ts";
import type { LoadPlan } from "../../load/traffic/plan.ts";
import { emptyReport } from "../../load/traffic/report.ts";
import { type LoadedAt, loadTargetFile, vendorKey } from "./vendor.ts";

/** A target that offers everything. @param more lines of its file */
export const loadTarget = (more = "", at: LoadedAt = {}): Target =>
  readTarget(targetForm, loadTargetFile(more, at), { SMALL_KEY: vendorKey });

export const madePlan: LoadPlan = {
  shape: smoke,
  mix: { shares: [], left: [] },
  phases: smoke.phases(5, 20),
  seed: 1,
  cost: { requests: 102, credits: 0, unpriced: 101 },
  byK6: { requests: 100, credits: 0, unpriced: 100 },
  preflight: {},
};

export const madeLoad = (more: Partial<LoadReport> = {}): LoadReport => ({
  ...emptyReport(madePlan, "k6 2.2.0"),
  ...more,
});

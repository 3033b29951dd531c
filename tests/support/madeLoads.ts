// Loads made by hand, with only what a test is about.
import { targetForm } from "../../contracts/targets.ts";
import type { LoadReport } from "../../harness/record/load.ts";
import type { Target } from "../../harness/target/target.ts";
import { readTarget } from "../../harness/target/targetFile.ts";
import { smoke } from "../../load/shapes/shapes.ts";
import { emptyReport } from "../../load/traffic/load.ts";
import type { LoadPlan } from "../../load/traffic/plan.ts";
import { targetFile, vendorKey, vendorProject } from "./vendor.ts";

/** A target that offers everything. @param more lines of its file */
export const loadTarget = (more = "", { base = "http://127.0.0.1:9", project = "plan: paid" } = {}): Target =>
  readTarget(
    targetForm,
    targetFile(`
name: acme
bases: { admin: "${base}", api: "${base}", rpc: "${base}" }
projects: { main: { id: ${vendorProject}, ${project} } }
keys: { paid: { project: main, env: SMALL_KEY } }
samples:
  wallets: [5esGTe7gDxMcXo97WWuPRha9NDjvoVvf3bXkZeLRyUzv]
  owner: D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w
pace: { perSecond: 12, usagePerSecond: 4.9 }
${more}
`),
    { SMALL_KEY: vendorKey },
  );

export const madePlan: LoadPlan = {
  shape: smoke,
  mix: { shares: [], left: [] },
  phases: smoke.phases(5, 20),
  seed: 1,
  cost: { requests: 102, credits: 0, unpriced: 101 },
  byK6: { requests: 100, credits: 0, unpriced: 100 },
};

export const madeLoad = (more: Partial<LoadReport> = {}): LoadReport => ({
  ...emptyReport(madePlan, "k6 2.2.0"),
  ...more,
});

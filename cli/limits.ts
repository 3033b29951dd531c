// The requirements on rates over time, which `assay load limits` judges.
import type { RequirementId } from "../harness/core/interface.ts";
import { citedBy } from "../harness/model/check.ts";
import { suite } from "./suite.ts";

/** Those of the register's area RATE that a check cites. */
export const limitIds: readonly RequirementId[] = [...new Set(suite.checks.flatMap(citedBy))].filter((id) =>
  id.startsWith("RATE-"),
);

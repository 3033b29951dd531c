// Checks of the usage document, mostly by laws (§2.1, §4.1, §9).
import { otherNeed } from "../../harness/core/reason.ts";
import type { Check, Needs } from "../../harness/model/check.ts";
import { forFeature } from "../shared/forFeature.ts";
import { answers, servedUnless } from "../shared/oracles.ts";
import { ownersUsage, usageRequest } from "../shared/requestSpecs.ts";

const { check, onlyObserved, onlyRequest, verifiedBySelfTest } = forFeature("usage");

const planUnnamed =
  (role: "paid" | "free"): NonNullable<Needs["unless"]> =>
  ({ keys }) => {
    const key = keys.get(role);
    return key && key.project.planName === undefined
      ? otherNeed(`the target gives no planName for the project \`${key.projectName}\``, [
          { at: `/projects/${key.projectName}/planName` },
        ])
      : null;
  };

export const checks: readonly Check[] = [
  check("USG-HTTP-01", ownersUsage, answers(200)),
  check(["VER-ADM-01", "GEN-BASE-01"], ownersUsage, servedUnless(404)),
  check("USG-HTTP-02", ownersUsage, servedUnless(400, 411, 415, 422)),
  check(["GEN-JSON-01", "GEN-JSON-03", "EXT-JSON-01", "USG-HTTP-03"], ownersUsage),
  check(["USG-FLD-01", "USG-FLD-02", "USG-FLD-03", "USG-FLD-04", "CRD-REM-02"], ownersUsage),
  check(["USG-FLD-05", "USG-FLD-06", "USG-FLD-07", "USG-FLD-08", "USG-FLD-09"], ownersUsage),
  check(["USG-FLD-12", "USG-FLD-13", "USG-FLD-14", "USG-FLD-15", "USG-FLD-16"], ownersUsage),
  check(
    ["USG-KEYS-01", "USG-KEYS-02", "USG-KEYS-03", "USG-KEYS-04", "USG-KEYS-05", "USG-KEYS-06", "USG-KEYS-07"],
    ownersUsage,
  ),
  check(["USG-INT-01", "USG-INT-02", "USG-INT-03", "USG-NNEG-01", "GEN-NNEG-01"], ownersUsage),
  check(["CYC-DATE-01", "CYC-ORD-01", "CYC-NOW-01"], ownersUsage),
  check(["USG-FLD-10", "USG-FLD-11", "CYC-BILL-02", "CYC-BILL-05"], usageRequest({ as: "paid" })),
  check(["CYC-PRES-01", "CYC-BILL-01"], usageRequest({ as: "free" })),
  check("CYC-PRES-01", usageRequest({ as: "paid" })),
  ...(["paid", "free"] as const).map((as) =>
    check("USG-PLAN-01", usageRequest({ as }), undefined, { unless: planUnnamed(as) }),
  ),
  verifiedBySelfTest(["VER-ADM-02", "EXT-SPEC-01"], "tests/specs/specs.spec.ts"),
  onlyObserved("CYC-BILL-03", "OBS-CYC-BILL"),
  verifiedBySelfTest("CYC-BILL-04", "tests/proof/faithful.spec.ts"),
  verifiedBySelfTest("AUTH-KEY-01", "tests/cli/canary.spec.ts"),
  ...(["other", "free"] as const).map((as) =>
    check("USG-HTTP-01", usageRequest({ as }), answers(200), { optional: true }),
  ),
  onlyRequest(usageRequest({ as: "second" })),
];

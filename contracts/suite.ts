// Everything that judges, gathered: checks, laws, and the contrast that each surface must show.
import type { Suite } from "../harness/engine.ts";
import { adminErrorNames, adminErrorShape, adminErrorWords } from "./laws/adminErrors.ts";
import { creditArithmetic, knownLimit } from "./laws/creditArithmetic.ts";
import { cycles, freeWindows, paidWindows } from "./laws/cycles.ts";
import { challenges, ownersDocuments, rateFields, refusalsUncached, retryAfter } from "./laws/headers.ts";
import { jsonBodies } from "./laws/json.ts";
import { schemaLaws } from "./laws/schema.ts";
import { usageDocument, usageFloor, usagePlan, usageProducts, usageStatuses } from "./laws/usage.ts";
import { probes } from "./probes/all.ts";
import { checks as usageChecks } from "./rest/usage.ts";
import { checks as accessChecks } from "./rest/usageAccess.ts";
import { checks as creditChecks } from "./rest/usageCredits.ts";
import { checks as cycleChecks } from "./rest/usageCycles.ts";
import { checks as failureChecks } from "./rest/usageFailures.ts";
import { checks as roundingChecks } from "./rest/usageRounding.ts";
import { checks as standardChecks } from "./rest/usageStandards.ts";
import { usage } from "./stimuli.ts";

export const suite: Suite = {
  checks: [...usageChecks, ...accessChecks, ...failureChecks, ...creditChecks, ...roundingChecks, ...cycleChecks, ...standardChecks],
  laws: [
    ...schemaLaws,
    jsonBodies,
    adminErrorShape,
    adminErrorNames,
    ...adminErrorWords,
    usageStatuses,
    usageDocument,
    usageFloor,
    creditArithmetic,
    knownLimit,
    usageProducts,
    usagePlan,
    cycles,
    freeWindows,
    paidWindows,
    challenges,
    retryAfter,
    refusalsUncached,
    ownersDocuments,
    rateFields,
  ],
  probes,
  contrasts: [{ surface: "admin", parts: ["usage"], owner: usage({ as: "owner" }), stranger: usage({ as: "nobody" }) }],
};

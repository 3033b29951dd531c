// Restless figures: those that move without calls of this run (OBS-MET-SELF, amendment 5).
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { usageRequest } from "../shared/requestSpecs.ts";
import { chargePaceOf, doubtedPause_ms, isPrompt } from "./chargePace.ts";
import { moving_ms } from "./settledStart.ts";
import { Measurement } from "./usageMeasurement.ts";

/** Whose projects are called. */
const callers = ["paid", "second", "other", "free"] as const;

/** What moves without calls, as late counts of reads do, is judged no more; found out once in a run. */
export const findRestless = (context: CheckContext): Promise<void> =>
  context.once("figures without calls", () => {
    const askers = callers.filter((as) => unmetNeedOf(usageRequest({ as }), context.target) === null);
    const pause_ms = chargePaceOf(context).quiet_ms(doubtedPause_ms);
    // Whatever moves is found, so that nothing needs to settle first.
    const measured = { askers, counters: [] };
    return isPrompt(context)
      ? Measurement.idle(context, measured, 0, 0)
      : Measurement.idle(context, measured, pause_ms, moving_ms);
  });

// Stateful test of rate limits: bursts and rests among other commands, in virtual time (§8)
import type { Check } from "../../harness/model/check.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { propertyOf } from "../property.ts";
import { ChargeWait } from "./chargeWait.ts";
import { isPossibleAtLimits, type LimitCommand, type LimitState, limitCommands, rested } from "./limitModel.ts";
import { LimitRunner } from "./limitRunner.ts";
import { statefulTest } from "./statefulTest.ts";
import { notAll, ids as useIds } from "./statefulUse.ts";
import { UseRunner } from "./useRunner.ts";

const ofUsage: readonly RequirementId[] = ["RATE-ADM-01", "RATE-ADM-02", "RATE-ADM-04"];
const ofBundles: readonly RequirementId[] = ["RATE-SB-01", "RATE-SB-02", "RATE-SB-04"];

const longest = 60;
/** Besides those of bursts. */
const mostBundles = 6;

export const properties: readonly Check[] = [
  propertyOf(
    [...ofUsage, ...ofBundles, ...useIds],
    ({ generation }) => {
      const chargeWait = new ChargeWait(generation.scale);
      return statefulTest<LimitCommand, LimitState>({
        commands: limitCommands,
        longest,
        begun: rested,
        isPossible: (command, limitState) => isPossibleAtLimits(command, limitState, mostBundles),
        runnerOn: (context) => new LimitRunner(context, new UseRunner(context, chargeWait)),
      });
    },
    {
      name: "statefulLimits",
      feature: "usage",
      control: { reads: 0 },
      consent: "throttle",
      unless: notAll,
      sends: { calls: 0, payments: 0 },
      // On a port and on a vendor `assay load limits` tests limits.
      cases: { many: 75, some: 0, few: 0 },
    },
  ),
];

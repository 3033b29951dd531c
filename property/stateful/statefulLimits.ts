// Are limits over time kept in the midst of everything else? Journeys with bursts and rests in them, where waiting takes no time. (§8)
import type { Check } from "../../harness/model/check.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { propertyOf } from "../property.ts";
import { Patience } from "./chargeWait.ts";
import { mayStrain, type Strain, type Straining, someStraining, unstrained } from "./limitModel.ts";
import { StrainedJourney } from "./limitRunner.ts";
import { sequencesOf } from "./statefulTest.ts";
import { notAll, ids as onJourneys } from "./statefulUse.ts";
import { Journey } from "./useRunner.ts";

/** A sequence may break these as well as all that a journey may. */
const ids: readonly RequirementId[] = [
  "RATE-ADM-01",
  "RATE-ADM-02",
  "RATE-ADM-04",
  "RATE-SB-01",
  "RATE-SB-02",
  "RATE-SB-04",
  ...onJourneys,
];

const longest = 60;
/** Besides those of bursts. */
const mostBundles = 6;

export const properties: readonly Check[] = [
  propertyOf(
    ids,
    ({ generation }) => {
      const patience = new Patience(generation.scale);
      return sequencesOf<Straining, Strain>({
        commands: someStraining,
        longest,
        begun: unstrained,
        isPossible: (command, strain) => mayStrain(command, strain, mostBundles),
        runnerOn: (context) => new StrainedJourney(context, new Journey(context, patience)),
      });
    },
    {
      name: "overruns",
      feature: "usage",
      each: [],
      control: { reads: 0 },
      consent: "throttle",
      unless: notAll,
      sends: { bundles: 0, tips: 0 },
      // On a port and on a vendor bursts are the load's.
      cases: { many: 75, some: 0, few: 0 },
    },
  ),
];

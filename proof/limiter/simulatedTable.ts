// Simulated runs of the verdicts on limits
import type { ProofTable } from "../table.ts";
import { answersOf } from "./judged.ts";
import { simulated } from "./simulatedPlatform.ts";
import {
  accuracyTable,
  countAnswers,
  limiterSeed,
  mostJitter_ms,
  numberOrNone,
  runsOf,
  wronglyJudged,
} from "./tables.ts";

export async function simulatedTable(runCount = 500): Promise<ProofTable> {
  const { tallies, runs } = runsOf(runCount);
  for (const { tally, ...how } of runs)
    countAnswers(tally, await answersOf(simulated(tally.row.make, how.seed, how.jitter_ms)));
  const network = `requests take 0 to ${mostJitter_ms} ms each way`;
  const wrong = numberOrNone(wronglyJudged(tallies));
  const summary = `${runs.length} runs from seed ${limiterSeed}, ${network}; ${wrong} judged wrongly.`;
  return accuracyTable("Verdicts on limits, in virtual time", summary, tallies);
}

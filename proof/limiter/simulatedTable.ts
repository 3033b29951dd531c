// 500 simulated runs of the verdicts on limits; run it to write their table into docs/rateLimitAccuracy.md
import { answersOf } from "./judged.ts";
import { simulated } from "./simulatedPlatform.ts";
import { accuracyDocument, count, mostJitter_ms, numberOrNone, runsOf, tableOf, wronglyJudged } from "./tables.ts";

const script = "proof/limiter/simulatedTable.ts";

export async function simulate() {
  const { seed, tallies, runs } = runsOf(500);
  for (const { tally, ...how } of runs)
    count(tally, await answersOf(simulated(tally.row.make, how.seed, how.jitter_ms)));
  const wrong = wronglyJudged(tallies);
  const network = `requests take 0 to ${mostJitter_ms} ms each way`;
  const summary = `${runs.length} runs from seed ${seed}, ${network}; ${numberOrNone(wrong)} judged wrongly.`;
  return { tallies, wrong, table: tableOf(script, summary, tallies) };
}

if (process.argv[1] === import.meta.filename) accuracyDocument.publish((await simulate()).table);

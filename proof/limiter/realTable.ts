// 60 runs of the verdicts on limits by real k6; run it to write their table (some 25 minutes)
import { availableParallelism } from "node:os";
import type { Generator } from "../../harness/transport/timedRequests.ts";
import { ensureK6 } from "../../load/k6/ensure.ts";
import { k6Generator } from "../../load/k6/generator.ts";
import { type Answers, answersOf } from "./judged.ts";
import { realPlatform } from "./realPlatform.ts";
import {
  accuracyDocument,
  breachesIn,
  count,
  mostJitter_ms,
  numberOrNone,
  type Run,
  runsOf,
  tableOf,
  wronglyJudged,
} from "./tables.ts";

export const script = "proof/limiter/realTable.ts";
export const realRuns = 60;

/** k6 mostly waits, so that runs can share a core; memory limits how many run at once. */
const perCore = 4;
const mostAtOnce = 16;

/** How the summary begins, which names the seed. */
export const summaryFrom = (seed: number): string => `${realRuns} runs from seed ${seed} by real k6`;

const nameOf = ({ tally, jitter_ms }: Run): string => `${tally.row.title}, ${jitter_ms.toFixed(0)} ms`;

/** Why a run is undecided; null where it is decided. */
function doubtOn({ tally: { row } }: Run, answers: Answers): string | null {
  if (breachesIn(answers).length > 0) return null;
  for (const verdict of answers.values()) {
    // A withheld verdict accuses nobody, but may miss the breach of a wrong limiter.
    if (verdict.is === "inconclusive" || (verdict.is === "withheld" && row.is === "wrong")) return verdict.why;
  }
  return null;
}

/**
 * Judges real platforms, several at once; undecided runs are repeated one by one.
 * @param onRun is called with a line for each run that ends
 * @returns with undecided runs, each with the reason
 */
export async function judgeRealRuns(generator: Generator, onRun: (line: string) => void = () => {}) {
  const { seed, tallies, runs } = runsOf(realRuns);
  const judged = new Map<Run, Answers>();
  const judge = async (run: Run): Promise<void> => {
    const answers = await judgedBy(run, generator);
    judged.set(run, answers);
    const result = doubtOn(run, answers) ?? (breachesIn(answers).join(" · ") || "held");
    onRun(`${judged.size} of ${realRuns}  ${nameOf(run)}: ${result}`);
  };
  const undecidedRuns = (): readonly (readonly [Run, string])[] =>
    runs.flatMap((run) => {
      const doubt = doubtOn(run, judged.get(run) ?? new Map());
      return doubt === null ? [] : [[run, doubt] as const];
    });
  await inLanes(runs, Math.min(mostAtOnce, perCore * availableParallelism()), judge);
  for (const [run] of undecidedRuns()) await judge(run);
  for (const run of runs) count(run.tally, judged.get(run) ?? new Map());
  const undecided = undecidedRuns().map(([run, doubt]) => {
    run.tally.undecided += 1;
    return `${nameOf(run)}: ${doubt}`;
  });
  const wrong = wronglyJudged(tallies);
  const summary = [
    `${summaryFrom(seed)} over loopback sockets, requests take 0 to ${mostJitter_ms} ms more each way`,
    `${numberOrNone(wrong)} judged ` +
      `wrongly, ${[numberOrNone(undecided.length), "undecided", ...undecided.map((one) => `(${one})`)].join(" ")}.`,
  ].join("; ");
  return { tallies, wrong, undecided, table: tableOf(script, summary, tallies) };
}

async function judgedBy({ tally, ...how }: Run, generator: Generator): Promise<Answers> {
  const { close, ...platform } = await realPlatform({ make: tally.row.make, ...how }, generator);
  try {
    return await answersOf(platform);
  } finally {
    await close();
  }
}

/** Each lane takes the next as soon as it is done. */
async function inLanes<One>(all: readonly One[], lanes: number, work: (one: One) => Promise<void>): Promise<void> {
  const left = [...all];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

if (process.argv[1] === import.meta.filename) {
  const k6 = await ensureK6({ onProgress: console.error });
  const { table } = await judgeRealRuns(k6Generator(k6, { redact: (text) => text }), console.error);
  accuracyDocument.publish(table);
}

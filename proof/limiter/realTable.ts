// Runs of the verdicts on limits by real k6 over loopback, in some 25 minutes
import { availableParallelism } from "node:os";
import type { Generator } from "../../harness/transport/timedRequests.ts";
import { ensureK6 } from "../../load/k6/ensure.ts";
import { k6Generator } from "../../load/k6/generator.ts";
import type { ProofTable } from "../table.ts";
import { type Answers, answersOf } from "./judged.ts";
import { realPlatform } from "./realPlatform.ts";
import {
  accuracyTable,
  breachesIn,
  countAnswers,
  type LimiterRun,
  limiterSeed,
  mostJitter_ms,
  numberOrNone,
  runsOf,
  wronglyJudged,
} from "./tables.ts";

/** k6 mostly waits, so that runs can share a core; memory limits how many run at once. */
const perCore = 4;
const mostAtOnce = 16;

const nameOf = ({ tally, jitter_ms }: LimiterRun): string => `${tally.row.title}, ${jitter_ms.toFixed(0)} ms`;

/** Why a run is undecided; null where it is decided. */
function doubtOn({ tally: { row } }: LimiterRun, answers: Answers): string | null {
  if (breachesIn(answers).length > 0) return null;
  for (const verdict of answers.values()) {
    // A withheld verdict accuses nobody, but may miss the breach of a wrong limiter.
    if (verdict.is === "inconclusive" || (verdict.is === "withheld" && row.is === "wrong")) return verdict.why;
  }
  return null;
}

/** More undecided runs than one in so many are too many: they show nothing. */
const decidedPerUndecided = 10;

interface RealRuns {
  readonly runCount?: number;
  /** Is told a line for each run that ends. */
  readonly onRun?: (line: string) => void;
}

/** Judges real platforms, several at once; undecided runs are repeated one by one. */
export async function judgeRealRuns(generator: Generator, { runCount = 60, onRun = () => {} }: RealRuns = {}) {
  const { tallies, runs } = runsOf(runCount);
  const judged = new Map<LimiterRun, Answers>();
  const judge = async (run: LimiterRun): Promise<void> => {
    const answers = await judgedBy(run, generator);
    judged.set(run, answers);
    const result = doubtOn(run, answers) ?? (breachesIn(answers).join(" · ") || "held");
    onRun(`${judged.size} of ${runCount}  ${nameOf(run)}: ${result}`);
  };
  const undecidedRuns = (): readonly (readonly [LimiterRun, string])[] =>
    runs.flatMap((run) => {
      const doubt = doubtOn(run, judged.get(run) ?? new Map());
      return doubt === null ? [] : [[run, doubt] as const];
    });
  await inParallel(runs, Math.min(mostAtOnce, perCore * availableParallelism()), judge);
  for (const [run] of undecidedRuns()) await judge(run);
  for (const run of runs) countAnswers(run.tally, judged.get(run) ?? new Map());
  const undecided = undecidedRuns().map(([run, doubt]) => {
    run.tally.undecided += 1;
    return `${nameOf(run)}: ${doubt}`;
  });
  const wrong = wronglyJudged(tallies);
  const summary = [
    `${runCount} runs from seed ${limiterSeed} by real k6 over loopback sockets, requests take 0 to ` +
      `${mostJitter_ms} ms more each way`,
    `${numberOrNone(wrong)} judged ` +
      `wrongly, ${[numberOrNone(undecided.length), "undecided", ...undecided.map((one) => `(${one})`)].join(" ")}.`,
  ].join("; ");
  const table = accuracyTable("Verdicts on limits, by real k6", summary, tallies);
  const tooMany = decidedPerUndecided * undecided.length > runCount ? undecided.map((run) => `Undecided: ${run}.`) : [];
  return { tallies, table: { ...table, wrong: [...table.wrong, ...tooMany] } };
}

async function judgedBy({ tally, ...how }: LimiterRun, generator: Generator): Promise<Answers> {
  const { close, ...platform } = await realPlatform({ make: tally.row.make, ...how }, generator);
  try {
    return await answersOf(platform);
  } finally {
    await close();
  }
}

/** Each worker takes the next as soon as it is done. */
async function inParallel<Item>(
  all: readonly Item[],
  workers: number,
  execute: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...all];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await execute(next);
  };
  await Promise.all(Array.from({ length: workers }, work));
}

export async function realTable(): Promise<ProofTable> {
  const k6 = await ensureK6({ onProgress: console.error });
  const generator = k6Generator(k6, { redact: (text) => text });
  const { table } = await judgeRealRuns(generator, { onRun: console.error });
  return table;
}

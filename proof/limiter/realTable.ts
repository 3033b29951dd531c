// 60 runs of the gate in real time: k6 asks the same limiters over sockets, several runs side by side. Run it to write their table into the README; it takes some 25 minutes.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Generator } from "../../harness/transport/timedRequests.ts";
import { ensureK6 } from "../../load/k6/ensure.ts";
import { k6Generator } from "../../load/k6/generator.ts";
import { type Judged, judged } from "./judged.ts";
import { realPlatform } from "./realPlatform.ts";
import { randomFrom } from "./simulatedPlatform.ts";
import {
  breachesIn,
  emptyTallies,
  mostJitter_ms,
  note,
  numberOrNone,
  seedOfModel,
  type Tally,
  tableOf,
  writeTable,
  wronglyJudged,
} from "./tables.ts";

export const runs = 60;

/** k6 sends little and waits much: so many runs share a core, and no more go side by side than memory has room for anywhere. */
const perCore = 4;
const mostAtOnce = 16;

interface Run {
  readonly tally: Tally;
  readonly seed: number;
  readonly jitter_ms: number;
}

export interface Reality {
  readonly tallies: readonly Tally[];
  readonly wrong: number;
  /** Runs that weren't decided, each with what it was that didn't decide it. */
  readonly undecided: readonly string[];
  readonly table: string;
}

/** All that is said before the runs are told; the seed stands in it. */
export const headOf = (seed: number): string => `${runs} runs from seed ${seed} by real k6`;

const nameOf = ({ tally, jitter_ms }: Run): string => `${tally.row.title}, ${jitter_ms.toFixed(0)} ms`;

/** What kept a run from being decided; null where it was. */
function doubtOn({ tally: { row } }: Run, answers: Judged): string | null {
  if (breachesIn(answers).length > 0) return null;
  for (const verdict of answers.values()) {
    // What is hidden accuses nobody; it hides a breach where there is one.
    if (verdict.is === "unclear" || (verdict.is === "hidden" && row.is === "wrong")) return verdict.why;
  }
  return null;
}

/**
 * Runs that weren't decided are tried once more alone, so that none disturbs it.
 * @param tell hears of each run as it ends
 */
export async function reality(generator: Generator, tell: (line: string) => void = () => {}): Promise<Reality> {
  const seed = seedOfModel();
  const random = randomFrom(seed);
  const tallies = emptyTallies();
  const all = Array.from({ length: runs }, (_, nth) => tallies[nth % tallies.length]).flatMap(
    (tally): readonly Run[] =>
      tally ? [{ tally, seed: Math.floor(random() * 2 ** 32), jitter_ms: random() * mostJitter_ms }] : [],
  );
  const told = new Map<Run, Judged>();
  const judge = async (run: Run): Promise<void> => {
    const answers = await judgedBy(run, generator);
    told.set(run, answers);
    tell(
      `${told.size} of ${runs}  ${nameOf(run)}: ${doubtOn(run, answers) ?? (breachesIn(answers).join(" · ") || "held")}`,
    );
  };
  const doubts = (): readonly (readonly [Run, string])[] =>
    all.flatMap((run) => {
      const doubt = doubtOn(run, told.get(run) ?? new Map());
      return doubt === null ? [] : [[run, doubt] as const];
    });
  await sideBySide(all, Math.min(mostAtOnce, perCore * availableParallelism()), judge);
  await sideBySide(
    doubts().map(([run]) => run),
    1,
    judge,
  );
  for (const run of all) note(run.tally, told.get(run) ?? new Map());
  const undecided = doubts();
  for (const [{ tally }] of undecided) tally.undecided += 1;
  return toldOf(
    tallies,
    undecided.map(([run, doubt]) => `${nameOf(run)}: ${doubt}`),
    seed,
  );
}

function toldOf(tallies: readonly Tally[], undecided: readonly string[], seed: number): Reality {
  const wrong = wronglyJudged(tallies);
  const says = `${headOf(seed)} against sockets of loopback, each way takes 0 to ${mostJitter_ms} ms more; ${numberOrNone(wrong)} judged wrongly, ${numberOrNone(undecided.length)} undecided${undecided.map((one) => ` (${one})`).join("")}.`;
  return { tallies, wrong, undecided, table: tableOf({ by: "proof/limiter/realTable.ts", says, tallies }) };
}

async function judgedBy({ tally, ...how }: Run, generator: Generator): Promise<Judged> {
  const { close, ...platform } = await realPlatform({ make: tally.row.make, ...how }, generator);
  try {
    return await judged(platform);
  } finally {
    await close();
  }
}

/** So many at once, each lane taking the next as soon as it is done. */
async function sideBySide<One>(all: readonly One[], lanes: number, work: (one: One) => Promise<void>): Promise<void> {
  const left = [...all];
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const k6 = await ensureK6({ tell: console.error });
  writeTable((await reality(k6Generator(k6, { redact: (text) => text }), console.error)).table);
}

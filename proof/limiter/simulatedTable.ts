// 500 simulated runs of the gate. Run it to write their table into the README.
import { fileURLToPath } from "node:url";
import { judged } from "./judged.ts";
import { randomFrom, simulated } from "./simulatedPlatform.ts";
import {
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

const runs = 500;

interface Simulation {
  readonly tallies: readonly Tally[];
  readonly wrong: number;
  readonly table: string;
}

export async function simulate(): Promise<Simulation> {
  const seed = seedOfModel();
  const random = randomFrom(seed);
  const tallies = emptyTallies();
  for (let run = 0; run < runs; run += 1) {
    const tally = tallies[run % tallies.length];
    if (tally)
      note(tally, await judged(simulated(tally.row.make, Math.floor(random() * 2 ** 32), random() * mostJitter_ms)));
  }
  const wrong = wronglyJudged(tallies);
  const says = `${runs} runs from seed ${seed}, each way of the network takes 0 to ${mostJitter_ms} ms; ${numberOrNone(wrong)} judged wrongly.`;
  return { tallies, wrong, table: tableOf({ by: "proof/limiter/simulatedTable.ts", says, tallies }) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeTable((await simulate()).table);

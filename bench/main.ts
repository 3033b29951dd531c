// The benchmarks: `npm run bench` runs all, `npm run bench judging` one; exit code 1 beyond a bound
import { NoK6 } from "../load/k6/ensure.ts";
import { measureMemory } from "./answerMemory.ts";
import { measureJudging } from "./judging.ts";
import { measureDropped, measureReading, measureSampling } from "./load.ts";
import { measurePace, measureRun } from "./properties.ts";
import { type Figure, figureLine, isWithinBound, lineOf, type Ratio } from "./ratio.ts";
import { measureHealth, measureUsage } from "./requests.ts";
import { measureStreamMemory } from "./streamMemory.ts";

const benches: { readonly [name: string]: () => Promise<readonly (Ratio | Figure)[]> } = {
  requests: async () => [await measureHealth(), await measureUsage()],
  judging: async () => [await measureJudging()],
  memory: async () => [await measureMemory()],
  properties: async () => [...(await measurePace()), await measureRun()],
  listening: async () => [await measureStreamMemory()],
  sampling: async () => [await measureSampling()],
  dropped: async () => [await measureDropped()],
  reading: () => measureReading(),
};

/** Skips benchmarks that need k6 where there is none. */
async function measured(name: string): Promise<readonly (Ratio | Figure)[]> {
  try {
    return (await benches[name]?.()) ?? [];
  } catch (error) {
    if (!(error instanceof NoK6)) throw error;
    console.log(`skipped  ${name}: ${error.message}`);
    return [];
  }
}

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}. There are ${Object.keys(benches).join(", ")}.`);
  process.exitCode = 2;
} else {
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    for (const one of await measured(name)) {
      console.log("bound" in one ? lineOf(one) : figureLine(one));
      if ("bound" in one && !isWithinBound(one)) process.exitCode = 1;
    }
  }
}

// The benchmarks: `npm run bench` runs all, `npm run bench judging` one; exit code 1 beyond a bound
import { parseArgs } from "node:util";
import { NoK6 } from "../load/k6/ensure.ts";
import { bestOf, type Figure, figureLine, isWithin, lineOf, type Ratio } from "./ratio.ts";

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "0.5" } },
});

/** Only what a benchmark needs is loaded: what else is in memory would count. */
const benches: { readonly [name: string]: () => Promise<readonly (Ratio | Figure)[]> } = {
  requests: async () => {
    const { measureHealth, measureUsage } = await import("./requests.ts");
    return [await measureHealth(), await measureUsage()];
  },
  seconds: async () => [await (await import("./seconds.ts")).measureSeconds()],
  judging: async () => [await (await import("./judging.ts")).measureJudging()],
  redaction: async () => (await import("./redaction.ts")).measureRedaction(),
  reports: async () => (await import("./reports.ts")).measureReports(),
  starting: async () => [(await import("./starting.ts")).measureStarting()],
  ending: async () => [await (await import("./ending.ts")).measureEnding()],
  bodies: async () => [await (await import("./bodies.ts")).measureBodies()],
  run: async () => (await import("./runMemory.ts")).measureRunMemory(),
  memory: async () => [await (await import("./answerMemory.ts")).measureMemory()],
  properties: async () => {
    const { measurePace, measureRun } = await import("./properties.ts");
    return [...(await measurePace()), await measureRun()];
  },
  listening: async () => [await (await import("./streamMemory.ts")).measureStreamMemory()],
  sampling: async () => [await (await import("./load.ts")).measureSampling()],
  dropped: async () => [await (await import("./load.ts")).measureDropped()],
  proxy: async () => (await import("./proxy.ts")).measureProxy({ minutes: Number(values.minutes) }),
  reading: async () => (await import("./load.ts")).measureReading(),
};

/** Skips benchmarks that need k6 where there is none. */
async function measured(name: string): Promise<readonly (Ratio | Figure)[]> {
  try {
    return await bestOf(benches[name] ?? (() => Promise.resolve([])));
  } catch (error) {
    if (!(error instanceof NoK6)) throw error;
    console.log(`skipped  ${name}: ${error.message}`);
    return [];
  }
}

const unknown = names.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}. There are ${Object.keys(benches).join(", ")}.`);
  process.exitCode = 2;
} else {
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    const figures = await measured(name);
    for (const figure of figures) console.log("bound" in figure ? lineOf(figure) : figureLine(figure));
    if (!isWithin(figures)) process.exitCode = 1;
  }
}

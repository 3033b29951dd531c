// How fast is it? `npm run bench` measures everything, `npm run bench judging` one thing; exits 1 beyond a bound.
import { measureJudging } from "./judging.ts";
import { measureMemory } from "./memory.ts";
import { measurePace, measureRun } from "./properties.ts";
import { type Figure, figureLine, isKept, lineOf, type Ratio } from "./ratio.ts";
import { measureHealth, measureUsage } from "./requests.ts";

const benches: { readonly [name: string]: () => Promise<readonly (Ratio | Figure)[]> } = {
  requests: async () => [await measureHealth(), await measureUsage()],
  judging: async () => [await measureJudging()],
  memory: async () => [await measureMemory()],
  properties: async () => [...(await measurePace()), await measureRun()],
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`There is no bench ${unknown}. There are ${Object.keys(benches).join(", ")}.`);
  process.exitCode = 2;
} else {
  for (const name of names.length > 0 ? names : Object.keys(benches)) {
    for (const measured of (await benches[name]?.()) ?? []) {
      console.log("bound" in measured ? lineOf(measured) : figureLine(measured));
      if ("bound" in measured && !isKept(measured)) process.exitCode = 1;
    }
  }
}

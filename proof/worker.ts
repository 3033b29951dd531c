// A worker process that judges mutants: takes tasks as messages and returns results (workerPool.ts)
import { suite } from "../load/suite.ts";
import { brokenUnder, selectById, tryControl, tryMutant } from "./mutants.ts";
import { tryOneByK6 } from "./mutantsByK6.ts";
import type { Task, Tried } from "./workerPool.ts";

process.on("message", (task) => {
  void trying(task as Task).then((tried) => process.send?.(tried));
});

async function trying(task: Task): Promise<Tried> {
  if ("byProperties" in task) {
    // Loaded only where needed, since it compiles hundreds of schemas.
    const { foundByProperties } = await import("./mutantsByProperties.ts");
    return { ...nothing, foundBy: [await foundByProperties(task.byProperties)] };
  }
  if ("byK6" in task) return { ...nothing, triedByK6: [await tryOneByK6(suite, task.byK6, task.k6)] };
  if ("honestOn" in task)
    return { ...nothing, honest: (await brokenUnder(suite, undefined, task.honestOn)).map(({ id }) => id) };
  const { mutants, benignVariants } = selectById([task.mutant]);
  const results = [];
  for (const mutant of mutants) results.push(await tryMutant(suite, mutant));
  for (const variant of benignVariants) results.push(await tryControl(suite, variant));
  return { ...nothing, results };
}

const nothing: Tried = { honest: [], results: [], foundBy: [], triedByK6: [] };

// A worker process that judges mutants: takes tasks as messages and returns results (workerPool.ts)
import { loadSuite } from "../load/suite.ts";
import { brokenUnder, selectById, tryControl, tryMutant } from "./mutants.ts";
import { tryOneByK6 } from "./mutantsByK6.ts";
import type { Task } from "./workerPool.ts";

process.on("message", (task) => {
  void resultOf(task as Task).then((result) => process.send?.(result));
});

async function resultOf(task: Task) {
  if ("byProperties" in task) {
    // Loaded only where needed, since it compiles hundreds of schemas.
    const { foundByProperties } = await import("./mutantsByProperties.ts");
    return foundByProperties(task.byProperties);
  }
  if ("byK6" in task) return tryOneByK6(loadSuite, task.byK6, task.k6);
  if ("honestOn" in task) return (await brokenUnder(loadSuite, undefined, task.honestOn)).map(({ id }) => id);
  const { mutants, benignVariants } = selectById([task.mutant]);
  const [variant] = benignVariants;
  if (variant) return tryControl(loadSuite, variant);
  const [mutant] = mutants;
  return mutant && tryMutant(loadSuite, mutant);
}

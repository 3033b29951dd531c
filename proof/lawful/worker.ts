// A worker process that judges lawful platforms: takes combinations as messages and returns what came of them
import { type Combination, judgeCombination } from "./combinations.ts";

process.on("message", (combination) => {
  void judgeCombination(combination as Combination).then((outcome) => process.send?.(outcome));
});

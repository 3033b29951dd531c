// A worker process that tries rare defects: takes ids of mutants as messages and returns what was found
import { tryRarity } from "./finding.ts";

process.on("message", (id) => {
  void tryRarity(id as string).then((result) => process.send?.(result));
});

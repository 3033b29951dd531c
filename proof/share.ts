// One process's share of the lies: names come in, results go out. Forked by sideBySide.ts.
import { suite } from "../contracts/suite.ts";
import { brokenUnder, selectById, tryControl, tryMutant } from "./mutants.ts";
import type { Share, Tried } from "./sideBySide.ts";

process.once("message", (task) => {
  void trying(task as Share).then((tried) => process.send?.(tried, () => process.disconnect()));
});

async function trying({ ids, honestToo }: Share): Promise<Tried> {
  const { mutants, controls } = selectById(ids);
  const honest = honestToo ? (await brokenUnder(suite)).map(({ id }) => id) : [];
  const results = [];
  for (const lie of mutants) results.push(await tryMutant(suite, lie));
  for (const lie of controls) results.push(await tryControl(suite, lie));
  return { honest, results };
}

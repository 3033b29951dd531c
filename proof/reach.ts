// What one key can verify, and what needs no control, derived from what checks need
import type { RequirementId } from "../harness/core/interface.ts";
import { planFor } from "../harness/engine/plan.ts";
import type { Target } from "../harness/targets/target.ts";
import { loadSuite } from "../load/suite.ts";
import { inProcess } from "./inProcess.ts";
import { type ProofTable, percent } from "./table.ts";
import { oneKey, withoutControl } from "./targets.ts";

const own = inProcess(loadSuite).target;
const all = own.interface.requirements.map(({ id }) => id);

/** Requirements of which a check can run on such a target. */
const triedOn = (target: Target): readonly RequirementId[] => planFor(target, loadSuite, { only: null }).tried;

const full = withoutControl(own);
const { samples, names } = full;

/** Samples are given beside one key, too, so that one that a run doesn't find is a miss. */
export const reachable = { oneKey: triedOn({ ...oneKey(full), samples, names }), withoutControl: triedOn(full) };

export function reachTable(): ProofTable {
  const reaches: readonly (readonly [needs: string, ids: readonly RequirementId[]])[] = [
    ["one key", reachable.oneKey],
    ["further keys, or consents", reachable.withoutControl],
    ["control", triedOn(own)],
    ["nothing that a target can give", all],
  ];
  return {
    title: "What can be verified with how much",
    summary:
      `One key reaches ${percent(reachable.oneKey.length, all.length)} requirements, ` +
      `a full target without control ${percent(reachable.withoutControl.length, all.length)}.`,
    columns: ["needs", "requirements", "which"],
    rows: reaches.map(([needs, ids], nth) => {
      const before = reaches.slice(0, nth).flatMap(([, ids]) => ids);
      const these = all.filter((id) => ids.includes(id) && !before.includes(id));
      return [needs, these.length, these.join(" ")];
    }),
    wrong: [],
  };
}

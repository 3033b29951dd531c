// What one key can verify, and what needs no control: the table of docs/reach.md, derived from what checks need
import type { RequirementId } from "../harness/core/interface.ts";
import { Secret } from "../harness/core/secret.ts";
import { planFor } from "../harness/engine/plan.ts";
import type { Target } from "../harness/target/target.ts";
import { suite } from "../load/suite.ts";
import { inProcess } from "./inProcess.ts";
import { PublishedDocument, percent, type Table } from "./publishedTable.ts";

export const script = "proof/reach.ts";
export const reachDocument = new PublishedDocument("reach.md");

/** All that a file can give of a platform without control. */
function fullTarget({ control: _, bundles, ...target }: Target): Target {
  const payer = new Secret("payer", "a payer signs nothing in a plan");
  return { ...target, ...(bundles ? { bundles: { ...bundles, payer } } : {}), isReference: false };
}

/** One paid key, its project's id and no consent; samples are given, so that one that a run doesn't find is a miss. */
function oneKey(target: Target): Target {
  const { bundles: _, ...rest } = fullTarget(target);
  return { ...rest, keys: new Map([...target.keys].filter(([role]) => role === "paid")), allow: [], quiet: false };
}

const own = inProcess(suite).target;
const all = own.interface.requirements.map(({ id }) => id);

/** Requirements of which a check can run on such a target. */
const triedOn = (target: Target): readonly RequirementId[] => planFor(target, suite, { only: null }).tried;

export const reachable = { oneKey: triedOn(oneKey(own)), withoutControl: triedOn(fullTarget(own)) };

export function reachTable(): Table {
  const reaches: readonly (readonly [needs: string, ids: readonly RequirementId[]])[] = [
    ["one key", reachable.oneKey],
    ["further keys, or consents", reachable.withoutControl],
    ["control", triedOn(own)],
    ["nothing that a target can give", all],
  ];
  return {
    by: script,
    summary:
      `One key reaches ${percent(reachable.oneKey.length, all.length)} requirements, ` +
      `a full target without control ${percent(reachable.withoutControl.length, all.length)}.`,
    columns: ["needs", "requirements", "which"],
    rows: reaches.map(([needs, ids], nth) => {
      const before = reaches.slice(0, nth).flatMap(([, some]) => some);
      const these = all.filter((id) => ids.includes(id) && !before.includes(id));
      return [needs, these.length, these.join(" ")];
    }),
  };
}

if (process.argv[1] === import.meta.filename) reachDocument.publish(reachTable());

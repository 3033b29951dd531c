// The latest runs of several targets, compared.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { plainValueIn } from "../harness/core/json.ts";
import { isThere, memberOf } from "../harness/core/memberFile.ts";
import { beginningOf } from "../harness/core/yamlFile.ts";
import { journalName, type RunStart } from "../harness/record/journal.ts";
import { runFormat } from "../harness/record/run.ts";
import type { Target } from "../harness/targets/target.ts";
import { compareRuns, whyNotComparable } from "../reports/compare/compare.ts";
import type { Comparison } from "../reports/compare/comparison.ts";
import type { Described } from "../reports/described.ts";
import { runAt } from "./runAt.ts";
import { version } from "./version.ts";

/** More than the first line of a journal has, with a thousand requirements of a config. */
const longestStart_bytes = 1_000_000;

/** How a folder's run began; null where it holds none that has ended, or only a load or a recording. */
function startIn(folder: string): RunStart | null {
  const file = memberOf(folder, journalName);
  if (file === null || !isThere(join(folder, "run.json"))) return null;
  const [line = ""] = beginningOf(file, longestStart_bytes).toString().split("\n", 1);
  const start = plainValueIn(line) as Partial<RunStart> | null | undefined;
  if (start?.format !== runFormat || !start.planned?.length || !start.plan?.requests) return null;
  return start as RunStart;
}

/** Null where fewer than two of them have a run in a folder of runs, or one of another interface. */
export function latestRunsCompared(
  described: Described,
  targets: readonly Pick<Target, "name">[],
  folder = "runs",
): Comparison | null {
  const starts = (existsSync(folder) ? readdirSync(folder) : [])
    .map((name) => ({ file: join(folder, name, "run.json"), ...startIn(join(folder, name)) }))
    .sort((a, b) => ((a.startedAt ?? "") < (b.startedAt ?? "") ? -1 : 1));
  const runs = targets.flatMap(({ name }) => {
    const latest = starts.findLast(({ target }) => target === name);
    return latest === undefined ? [] : [runAt(latest.file, described.tables)];
  });
  return runs.length > 1 && whyNotComparable(runs) === null ? compareRuns(runs, version, described) : null;
}

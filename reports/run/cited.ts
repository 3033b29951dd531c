// The line of the specs, or of a deviations file, that a broken requirement leads to.
import { starred } from "../../harness/core/json.ts";
import type { Breach } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { type Line, rowOf, type SpecLines } from "../described.ts";
import { groupedBy } from "../lists.ts";

/** A requirement's breaches at one line; none where the verdict has no breach. */
export interface Cited extends Line {
  /** Files of the specs are relative to Assay's own folder, a target's to where the run was started. */
  readonly of: "specs" | "target";
  readonly breaches: readonly Breach[];
}

/**
 * The lines of the specs that a requirement's breaches break, each once, in the order of the breaches.
 * Where a known deviation no longer fits, the line of its entry: that is what has to be edited.
 */
export function linesCitedBy(
  { id, verdict, breaches, entry }: JudgedRequirement,
  operationOf: (exchange: number) => string | null,
  lines: SpecLines,
): readonly Cited[] {
  if (entry && verdict === "broken") return [{ ...entry, of: "target", breaches }];
  if (breaches.length === 0) return [{ ...rowOf(lines, id), of: "specs", breaches }];
  const placed = breaches.map((breach) => ({ breach, line: lineOf(id, breach, operationOf(breach.exchange), lines) }));
  return [...groupedBy(placed, ({ line }) => `${line.file}:${line.line}`).values()].map((group) => ({
    ...group[0].line,
    of: "specs",
    breaches: group.map(({ breach }) => breach),
  }));
}

/** For `citedBy`. */
export function operationsIn({ exchanges }: Pick<Run, "exchanges">): (exchange: number) => string | null {
  const operations = new Map(exchanges.map(({ number, operation }) => [number, operation]));
  return (exchange) => operations.get(exchange) ?? null;
}

/** The schema's keyword; else where the operation or an error table cites the requirement; else its row. */
function lineOf(id: JudgedRequirement["id"], { at, got }: Breach, operation: string | null, lines: SpecLines): Line {
  const sites = (operation === null ? [] : (lines.sites[operation] ?? [])).filter(
    (site) => site.id === id && site.at === starred(at),
  );
  const isAbsent = "is" in got;
  const site = sites.find(({ keyword }) => (keyword === "present") === isAbsent) ?? sites[0];
  const cited =
    site ??
    lines.citations.find(
      (citation) => citation.id === id && (citation.operation === null || citation.operation === operation),
    ) ??
    rowOf(lines, id);
  return { file: cited.file, line: cited.line };
}

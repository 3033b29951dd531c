// Which line should somebody look at who wants to know what was broken?
import { starred } from "../harness/core/json.ts";
import type { Breach } from "../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../harness/record/run.ts";
import { type Line, rowOf, type SpecLines } from "./described.ts";

/** A requirement's breaches at one line, or a line without any: of a verdict that no breach shows. */
export interface Cited extends Line {
  /** The specs' files are below Assay's own folder, a target's are where the run was started. */
  readonly of: "specs" | "target";
  readonly breaches: readonly Breach[];
}

/**
 * The lines of the specs that a requirement's breaches break, each once, in the order in which they were seen.
 * Where a known deviation no longer fits, the line is that of its entry: it is what has to be edited.
 */
export function citedBy(
  { id, verdict, breaches, entry }: JudgedRequirement,
  operationOf: (exchange: number) => string | null,
  lines: SpecLines,
): readonly Cited[] {
  if (entry && verdict === "broken") return [{ ...entry, of: "target", breaches }];
  const found = new Map<string, Cited & { readonly breaches: Breach[] }>();
  for (const breach of breaches) {
    const line = lineOf(id, breach, operationOf(breach.exchange), lines);
    const name = `${line.file}:${line.line}`;
    const known = found.get(name);
    if (known) known.breaches.push(breach);
    else found.set(name, { ...line, of: "specs", breaches: [breach] });
  }
  return found.size ? [...found.values()] : [{ ...rowOf(lines, id), of: "specs", breaches }];
}

/** For `citedBy`. */
export function operationsIn({ exchanges }: Pick<Run, "exchanges">): (exchange: number) => string | null {
  const operations = new Map(exchanges.map(({ number, operation }) => [number, operation]));
  return (exchange) => operations.get(exchange) ?? null;
}

/** The keyword of the schema; else where the operation cites the requirement, or an error table does; else its row in the register. */
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

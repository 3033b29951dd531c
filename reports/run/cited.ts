// The line that a requirement leads to, in the user's own files where there are some.
import { existsSync } from "node:fs";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import { operationOf } from "../../harness/core/interface.ts";
import { starred } from "../../harness/core/json.ts";
import { foldersAbove } from "../../harness/core/paths.ts";
import type { Breach } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { type Described, type Line, rowOf, type SpecLines } from "../described.ts";
import { groupedBy } from "../lists.ts";

/** A requirement's breaches at one line; none where the verdict has no breach. */
export interface Cited extends Line {
  /** `specs`: from Assay's own folder · `user`: from the root of the user's repository */
  readonly of: "specs" | "user";
  readonly breaches: readonly Breach[];
}

type CitedBy = (requirement: JudgedRequirement) => readonly Cited[];

/**
 * What leads a reader to the lines of a run's requirements: the entry of a known deviation; the row of a config; what
 * the target file says of the feature whose answer breaks it. The embedded reference without a file is judged by those
 * who work on Assay: there the lines of its specs that are broken, each once, in the order of the breaches.
 */
export function citedIn(run: Run, { lines, tables }: Pick<Described, "lines" | "tables">): CitedBy {
  const operations = new Map(run.exchanges.map(({ number, operation }) => [number, operation]));
  const { file, lines: targetLines = {} } = run.target;
  const featureOf = ({ breaches: [breach], exchanges: [first] }: JudgedRequirement): string => {
    const operation = operations.get(breach?.exchange ?? first ?? 0);
    return (operation && operationOf(tables, operation)?.feature) || "";
  };
  return (requirement) => {
    const { id, breaches, entry } = requirement;
    const own =
      entry ??
      lines.config?.[id] ??
      (file === undefined ? null : { file, line: targetLines[featureOf(requirement)] ?? 1 });
    if (own) return [{ file: fromRepository(own.file), line: own.line, of: "user", breaches }];
    if (breaches.length === 0) return [{ ...rowOf(lines, id), of: "specs", breaches }];
    const placed = breaches.map((breach) => ({
      breach,
      line: lineOf(id, breach, operations.get(breach.exchange) ?? null, lines),
    }));
    return [...groupedBy(placed, ({ line }) => `${line.file}:${line.line}`).values()].map((group) => ({
      ...group[0].line,
      of: "specs",
      breaches: group.map(({ breach }) => breach),
    }));
  };
}

/** What tells a finding from others in the next run, too, whatever lines were inserted above. */
export const findingKey = ({ target }: Pick<Run, "target">, { file, of }: Cited): string =>
  of === "specs" ? file : target.name;

/** The repository that a command is started in: the folder that has a `.git`, else where it is started. */
const repositoryRoot = (): string =>
  foldersAbove(process.cwd()).find((folder) => existsSync(join(folder, ".git"))) ?? process.cwd();

/** From the root of the repository, as servers match files; of a file elsewhere its name alone, without a machine's. */
function fromRepository(file: string): string {
  const steps = relative(repositoryRoot(), resolve(file)).split(sep);
  return steps[0] === ".." || isAbsolute(steps.join(sep)) ? basename(file) : steps.join("/");
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

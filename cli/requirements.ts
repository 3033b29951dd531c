// assay requirements: the register, with each requirement's verdict in a run.
import { Command } from "commander";
import { customMutants } from "../custom/proof.ts";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import type { JudgedRequirement } from "../harness/record/run.ts";
import { mutants } from "../reference/generated/mutants.ts";
import { areaName, areaOf, type Described, describedBy } from "../reports/described.ts";
import { groupedBy } from "../reports/lists.ts";
import { kindOf, kinds, nameOf } from "../reports/words.ts";
import { jsonOption, printForPrograms } from "./forPrograms.ts";
import type { Invocation, InvokedProject } from "./invocation.ts";
import { runOfJournal } from "./runAt.ts";
import { judgesOf } from "./suite.ts";

type Row = ReturnType<typeof rowsOf>[number];

/** Breaches of all severities are broken. */
function stateOf(judged: JudgedRequirement): string {
  const kind = kindOf(judged);
  return kind === "warned" || kind === "noted" ? "broken" : kind;
}

/** The word that reports have for a state. */
const stateWord = (state: string): string => {
  const kind = kinds.find((name) => name === state);
  return kind ? nameOf(kind) : state === "unchecked" ? "no check" : state;
};

/** Every row of the register, in its order; of a run's, too, whose config isn't loaded. */
function rowsOf(
  project: InvokedProject,
  { requirements }: Described["tables"],
  judged: ReadonlyMap<string, JudgedRequirement> | null,
) {
  const { custom } = project;
  const { checkedIds } = judgesOf(project);
  const implementedMutants: ReadonlySet<string> = new Set([
    ...mutants.map(({ id }) => id),
    ...(custom ? customMutants(custom) : []),
  ]);
  return requirements.map(({ id, level, sentence, mutants: named = {} }) => {
    const verdict = judged?.get(id);
    const slugs = Object.keys(named);
    return {
      id,
      area: areaOf(id),
      level,
      sentence,
      /**
       * A verdict, or `renamed`, `fixed`, `untestable`, or `narrowed` where it holds in part; `planned` without a run,
       * `unjudged` where the run didn't plan it, `unchecked` where no check cites it.
       */
      state: (verdict && stateOf(verdict)) ?? (!checkedIds.has(id) ? "unchecked" : judged ? "unjudged" : "planned"),
      reason: verdict?.reason ?? null,
      /** How many the register names, and how many of them the reference implements: rows may come before mutants. */
      mutants: slugs.length,
      implemented: slugs.filter((slug) => implementedMutants.has(`${id}.${slug}`)).length,
    };
  });
}

/** One line per area, and one for all. */
function tableOf(rows: readonly Row[], described: Described): readonly string[] {
  const states = [...new Set(rows.map(({ state }) => state))].sort();
  const cellsOf = (name: string, rows: readonly Row[]): readonly string[] => [
    name,
    String(rows.length),
    ...states.map((state) => String(rows.filter((row) => row.state === state).length)),
    String(rows.reduce((total, row) => total + row.mutants, 0)),
    String(rows.reduce((total, { implemented }) => total + implemented, 0)),
  ];
  const lines = [
    ["area", "rows", ...states.map(stateWord), "mutants", "implemented"],
    ...[...groupedBy(rows, ({ area }) => area)].map(([area, rows]) => cellsOf(areaName(described, area), rows)),
    cellsOf("all", rows),
  ];
  const widthOf = (column: number): number => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  return lines.map((line) =>
    line
      .map((text, column) => (column === 0 ? text.padEnd(widthOf(column)) : text.padStart(widthOf(column))))
      .join("  "),
  );
}

function lineOf(row: Row): string {
  const { id, level, state, sentence, reason, mutants: named, implemented } = row;
  const missing = implemented < named ? ` · ${named - implemented} of ${named} mutants not implemented` : "";
  const title = `${level === "must" ? "" : `(${level}) `}${sentence}`;
  return `${stateWord(state).padEnd(16)} ${id.padEnd(20)} ${title}${reason ? `: ${reason}` : ""}${missing}`;
}

interface Options {
  readonly area?: string;
  readonly json?: boolean;
}

function chosenBy({ area }: Options, rows: readonly Row[]): readonly Row[] {
  if (area === undefined) return rows;
  const areas = [...new Set(rows.map((row) => row.area))];
  const wanted = area.toUpperCase();
  if (!areas.includes(wanted))
    throw new CommandLineError(
      `There is no area ${area}${suggestion(wanted, areas)}. Name one of ${areas.join(", ")}.`,
    );
  return rows.filter((row) => row.area === wanted);
}

export const requirementsCommand = (invocation: Invocation): Command =>
  new Command("requirements")
    .description("List all requirements: their verdicts in a run, and which have no check or no mutant yet.")
    .argument("[folder]", "folder of a run (default: what would be judged)")
    .option("--area <area>", "only this area, e.g. BND")
    .option(...jsonOption("requirements"))
    .addHelpText("after", "\nExample:\n  npx assay requirements runs/2026-11-21T10-40-12Z-reference --area CYC")
    .action((folder: string | undefined, options: Options) => {
      const { project } = invocation;
      const { described } = project;
      const { run, tables } =
        folder === undefined ? { ...described, run: null } : runOfJournal(folder, described.tables);
      const judged = run && new Map(run.requirements.map((one) => [one.id as string, one]));
      const rows = chosenBy(options, rowsOf(project, tables, judged));
      if (options.json) printForPrograms(invocation, { run: run?.id ?? null, requirements: rows });
      else
        for (const line of [...rows.map(lineOf), "", ...tableOf(rows, describedBy(tables, described))])
          invocation.print(line);
    });

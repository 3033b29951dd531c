// assay requirements: the whole register, what became of each row in a run, and what no check or mutant speaks of yet.
import { existsSync } from "node:fs";
import { Command } from "commander";
import { CommandLineError, suggestion } from "../harness/core/commandLineError.ts";
import { citedBy } from "../harness/model/check.ts";
import type { JudgedRequirement } from "../harness/record/run.ts";
import { mutants } from "../reference/generated/mutants.ts";
import { described } from "./described.ts";
import { readRun } from "./runFolder.ts";
import { suite } from "./suite.ts";

export interface Row {
  readonly id: string;
  readonly area: string;
  readonly level: string;
  readonly sentence: string;
  /** `holds`, `broken`, … as the run has it; `planned` without a run, `unjudged` where the run didn't plan it, `no check` where none speaks of it. */
  readonly state: string;
  readonly reason: string | null;
  /** Lies that the register names, and how many of them the reference can tell. */
  readonly mutants: number;
  readonly told: number;
}

const checked: ReadonlySet<string> = new Set(suite.checks.flatMap(citedBy));
const implementedMutants: ReadonlySet<string> = new Set(mutants.map(({ id }) => id));

/** Every row of the register, in its order. */
export function rowsOf(judged: ReadonlyMap<string, JudgedRequirement> | null): readonly Row[] {
  return described.tables.requirements.map(({ id, level, sentence, mutants = {} }) => {
    const verdict = judged?.get(id);
    const state = verdict?.verdict ?? (!checked.has(id) ? "no check" : judged ? "unjudged" : "planned");
    const named = Object.keys(mutants).map((slug) => `${id}.${slug}`);
    return {
      id,
      area: id.slice(0, id.indexOf("-")),
      level,
      sentence,
      state,
      reason: verdict?.reason ?? null,
      mutants: named.length,
      told: named.filter((mutant) => implementedMutants.has(mutant)).length,
    };
  });
}

/** One line for each area, and one for all. */
export function tableOf(rows: readonly Row[]): readonly string[] {
  const states = [...new Set(rows.map(({ state }) => state))].sort();
  const columns = ["area", "rows", ...states, "lies", "told"];
  const areas = [...new Set(rows.map(({ area }) => area))];
  const lineOf = (name: string, some: readonly Row[]): readonly string[] => [
    name,
    String(some.length),
    ...states.map((state) => String(some.filter((row) => row.state === state).length)),
    String(some.reduce((total, { mutants }) => total + mutants, 0)),
    String(some.reduce((total, { told }) => total + told, 0)),
  ];
  const lines = [
    columns,
    ...areas.map((area) =>
      lineOf(
        area,
        rows.filter((row) => row.area === area),
      ),
    ),
    lineOf("all", rows),
  ];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}

const lineOf = ({ id, level, state, sentence, reason, mutants, told }: Row): string =>
  `${state.padEnd(12)} ${id.padEnd(20)} ${level === "must" ? "" : `(${level}) `}${sentence}${reason ? `: ${reason}` : ""}${told < mutants ? ` · ${mutants - told} of ${mutants} lies aren't told` : ""}`;

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

export const requirementsCommand = (): Command =>
  new Command("requirements")
    .description(
      "Print the register: what became of each requirement in a run, and what has no check or no mutant yet.",
    )
    .argument("[folder]", "folder of a run; without one, what would be judged")
    .option("--area <area>", "only this area, e.g. BND")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  npx assay requirements runs/2026-11-21T10-40-12Z-reference --area CYC")
    .action((folder: string | undefined, options: Options) => {
      if (folder !== undefined && !existsSync(folder))
        throw new CommandLineError(`There is no folder ${folder}. Name the folder of a run; they are under runs/.`);
      const judged =
        folder === undefined
          ? null
          : new Map(readRun(folder, described.tables).requirements.map((one) => [one.id as string, one]));
      const rows = chosenBy(options, rowsOf(judged));
      if (options.json) console.log(JSON.stringify(rows, null, 1));
      else for (const line of [...rows.map(lineOf), "", ...tableOf(rows)]) console.log(line);
    });

// `npm run proof`: makes the tables of what is proved, all of them or those that are named, in test-results/proof/
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandLineError, suggestion } from "../../harness/core/commandLineError.ts";
import { type ProofTable, proofTableMarkdown } from "../table.ts";

/** What makes each table, loaded when it is asked for. */
export type TableMakers = { readonly [name: string]: () => Promise<ProofTable> };

export const tableMakers: TableMakers = {
  mutants: async () => (await import("../killMatrix.ts")).killMatrixTable(),
  properties: async () => (await import("../propertyFindings.ts")).propertyTable(),
  rare: async () => (await import("../rare/table.ts")).rareTable(),
  faults: async () => (await import("../faults/table.ts")).faultTable(),
  lawful: async () => (await import("../lawful/table.ts")).lawfulTable(),
  reach: async () => (await import("../reach.ts")).reachTable(),
  limits: async () => (await import("../limiter/simulatedTable.ts")).simulatedTable(),
  statements: async () => (await import("../limiter/recognitionTable.ts")).statementTable(),
  scopes: async () => (await import("../limiter/scopeTable.ts")).scopeTable(),
  // Last, as it needs a k6, and waits for half an hour.
  limitsByK6: async () => (await import("../limiter/realTable.ts")).realTable(),
};

interface Writing {
  readonly makers?: TableMakers;
  readonly folder?: string;
  /** Is told a line for each table. */
  readonly onTable?: (line: string) => void;
}

/**
 * Writes each named table into a file of its own, or all of them; gives the exit code.
 * @throws CommandLineError for a name that no table has
 */
export async function writeTables(
  names: readonly string[],
  { makers = tableMakers, folder = ownFolder, onTable = console.log }: Writing = {},
): Promise<0 | 1> {
  const known = Object.keys(makers);
  for (const name of names)
    if (!known.includes(name))
      throw new CommandLineError(
        `There is no table ${name}${suggestion(name, known)}. Name some of ${known.join(", ")}, or none for all.`,
      );
  mkdirSync(folder, { recursive: true });
  let exitCode: 0 | 1 = 0;
  for (const [name, make] of Object.entries(makers)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const table = await make();
    const file = join(folder, `${name}.md`);
    writeFileSync(file, proofTableMarkdown(table));
    onTable(`${name}: ${table.summary} (${file})`);
    for (const sentence of table.wrong) onTable(`WRONG  ${sentence}`);
    if (table.wrong.length > 0) exitCode = 1;
  }
  return exitCode;
}

const ownFolder = fileURLToPath(new URL("../../test-results/proof", import.meta.url));

if (process.argv[1] === import.meta.filename)
  try {
    process.exitCode = await writeTables(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }

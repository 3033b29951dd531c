// A table of what is proved, as Markdown

export interface ProofTable {
  readonly title: string;
  /** The sentence above it. */
  readonly summary: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** False alarms, misses and wrong verdicts, each in a sentence; the command fails where there is one. */
  readonly wrong: readonly string[];
}

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

export const proofTableMarkdown = (proofTable: ProofTable): string => {
  const { title, summary, columns, rows, wrong } = proofTable;
  return [
    `# ${title}`,
    "",
    summary,
    ...wrong.map((sentence) => `\n**Wrong:** ${sentence}`),
    "",
    line(columns),
    line(columns.map(() => "---")),
    ...rows.map(line),
    "",
  ].join("\n");
};

/** Some of all, as tables have it. */
export const percent = (part: number, all: number): string =>
  `${part} of ${all} (${all === 0 ? 0 : Math.round((100 * part) / all)} %)`;

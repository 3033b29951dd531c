// Generated tables in documents: Markdown between two comments, the first of which names the script
import { readFileSync, writeFileSync } from "node:fs";

export interface Table {
  /** The script that makes it, from the root of the repository. */
  readonly by: string;
  /** The sentence above it. */
  readonly summary: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

const begin = (by: string): string => `<!-- made by ${by} -->`;
const end = "<!-- until here -->";

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

export const markdownOf = ({ by, summary, columns, rows }: Table): string =>
  [begin(by), summary, "", line(columns), line(columns.map(() => "---")), ...rows.map(line), end].join("\n");

/** The table of a script in a text; empty where there is none. */
export function tableIn(text: string, by: string): string {
  const [, rest] = text.split(`${begin(by)}\n`);
  return rest === undefined ? "" : `${begin(by)}\n${rest.slice(0, rest.indexOf(end) + end.length)}`;
}

/** Some of all, as tables have it. */
export const percent = (some: number, all: number): string =>
  `${some} of ${all} (${all === 0 ? 0 : Math.round((100 * some) / all)} %)`;

/** A document below docs/. */
export class PublishedDocument {
  readonly #file: URL;

  constructor(name: string) {
    this.#file = new URL(`../docs/${name}`, import.meta.url);
  }

  tableBy(script: string): string {
    return tableIn(readFileSync(this.#file, "utf8"), script);
  }

  /** Puts a table in the place of the one that the same script made before. */
  publish(table: Table): void {
    const text = readFileSync(this.#file, "utf8");
    writeFileSync(
      this.#file,
      text.replace(tableIn(text, table.by), () => markdownOf(table)),
    );
  }
}

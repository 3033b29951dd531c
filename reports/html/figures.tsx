/** @jsxImportSource hono/jsx */
// How do figures stand on the page? A picture, and a table that says the same in numbers.
import { raw } from "hono/html";

interface FiguresProps {
  /** Names the table. */
  readonly caption: string;
  /** Markup of a chart of ours; null where the table alone is shown. */
  readonly svg: string | null;
  readonly heads: readonly string[];
  /** The first of each row names it; numbers are written out for people already. */
  readonly rows: readonly (readonly string[])[];
}

export function Figures({ caption, svg, heads, rows }: FiguresProps) {
  const table = <Table caption={caption} heads={heads} rows={rows} />;
  if (svg === null) return table;
  return (
    <>
      <div class="wide" role="group" aria-label={caption} tabindex={0}>
        {raw(svg)}
      </div>
      <details>
        <summary>The same as a table</summary>
        {table}
      </details>
    </>
  );
}

function Table({ caption, heads, rows }: Omit<FiguresProps, "svg">) {
  return (
    <div class="wide" role="group" aria-label={`${caption}, as a table`} tabindex={0}>
      <table class="figures">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr>
              <th scope="row">{name}</th>
              {cells.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** For people; nothing where there is none, so that what matters stands out. */
export const figure = (count: number): string => (count === 0 ? "" : count.toLocaleString("en-GB"));

/** @jsxImportSource hono/jsx */
// Sections, terms, tables, charts with a table of the same numbers, and folded details.
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { numberText } from "../numbers.ts";
import type { Kind } from "../words.ts";
import type { TextTable } from "./document.ts";

interface TermsProps {
  readonly kind: "facts" | "breach";
  readonly entries: readonly (readonly [term: Child, text: Child])[];
}

export const TermList = ({ kind, entries }: TermsProps) => (
  <dl class={kind}>
    {entries.map(([term, text]) => (
      <>
        <dt>{term}</dt>
        <dd>{text}</dd>
      </>
    ))}
  </dl>
);

export interface TableProps {
  /** Names the table; shown unless a heading beside it does. */
  readonly caption: string;
  readonly isCaptionShown?: boolean;
  /** As `TextTable` has it. */
  readonly kind?: TextTable["kind"];
  readonly heads: readonly Child[];
  /** The first cell of each row names it. */
  readonly rows: readonly (readonly Child[])[];
}

export const TableElement = (tableProps: TableProps) => {
  const { caption, isCaptionShown = true, kind = "figures", heads, rows } = tableProps;
  const isStacked = kind === "few" || kind === "chips";
  return (
    <div class="wide" role="group" aria-label={`${caption}, as a table`} tabindex={0}>
      <table class={isStacked ? `matrix ${kind}` : kind}>
        {isCaptionShown ? <caption>{caption}</caption> : null}
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
              {cells.map((cell, nth) => (isStacked ? <td data-head={heads[nth + 1]}>{cell}</td> : <td>{cell}</td>))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface FiguresProps extends TableProps {
  /** Our own chart, as markup or elements; null where the table alone is shown. */
  readonly svg: Child;
  readonly summary?: string;
}

/** A chart with its numbers folded away below it. */
export function FigureBlock({ svg, summary = "The same as a table", ...table }: FiguresProps) {
  if (svg === null) return <TableElement {...table} />;
  return (
    <>
      <div class="wide" role="group" aria-label={table.caption} tabindex={0}>
        {typeof svg === "string" ? raw(svg) : svg}
      </div>
      <Folded summary={summary}>
        <TableElement {...table} />
      </Folded>
    </>
  );
}

interface FoldedProps {
  readonly summary: Child;
  /** What a link names: it leads into it, as browsers open what they scroll to. */
  readonly id?: string | undefined;
  readonly children: Child;
}

export const Folded = ({ summary, id, children }: FoldedProps) => (
  <details data-open="false">
    <summary>{summary}</summary>
    {id === undefined ? children : <div id={id}>{children}</div>}
  </details>
);

interface GroupProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly summary: Child;
  readonly children: Child;
}

/** Rows that a filter opens, and that return to their first state when it is emptied. */
export const Group = ({ name, isOpen, summary, children }: GroupProps) => (
  <details class={name} open={isOpen} data-open={String(isOpen)}>
    <summary>{summary}</summary>
    {children}
  </details>
);

interface BarProps {
  /** In their order from the left. */
  readonly counts: readonly (readonly [kind: Kind | "absent", count: number])[];
  /** What the whole width stands for. */
  readonly of: number;
}

/** Parts of a whole, in the colours of their verdicts; figures beside it say the same. */
export function Bar({ counts, of }: BarProps) {
  let from = 0;
  return (
    <svg class="bar" viewBox={`0 0 ${of} 1`} preserveAspectRatio="none" aria-hidden="true">
      {counts.map(([kind, count]) => {
        from += count;
        return count > 0 ? <rect class={kind} x={from - count} y="0" width={count} height="1" /> : null;
      })}
    </svg>
  );
}

/** Nothing for zero, so that what matters stands out. */
export const figure = (count: number): string => (count === 0 ? "" : numberText(count));

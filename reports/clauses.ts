// Anchors of the clauses that a report cites; links once Assay has an address.
import type { Described } from "./described.ts";

type Clauses = Described["clauses"];

/** The address below which this repository's files can be read. Null: there is none, and anchors are text. */
export const ownRepository: string | null = null;

/** `docs/INTERFACE.md#s2.1`, for the first clause that a citation names; null where it names none. */
export function anchorOf({ file, anchors }: Clauses, citation: string): string | null {
  const [anchor] = Object.hasOwn(anchors, citation) ? (anchors[citation] ?? []) : [];
  return anchor === undefined ? null : `${file}#${anchor}`;
}

/** The absolute address of what a citation names; null where it has none. */
export function linkOf(clauses: Clauses, citation: string, base: string | null = ownRepository): string | null {
  const anchor = anchorOf(clauses, citation);
  return base === null || anchor === null ? null : `${base.replace(/\/$/, "")}/${anchor}`;
}

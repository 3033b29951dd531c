// Anchors in docs/INTERFACE.md of the clauses that a report cites; links once Assay has an address.
import { clauseAnchors } from "../specs/generated/clauses.ts";

/** The address below which this repository's files can be read. Null: there is none, and anchors are text. */
const repository: string | null = null;

/** `docs/INTERFACE.md#s2.1`, for the first clause that a citation names; null where it names none. */
export function anchorOf(citation: string): string | null {
  const [anchor] = Object.hasOwn(clauseAnchors, citation) ? (clauseAnchors[citation] ?? []) : [];
  return anchor === undefined ? null : `docs/INTERFACE.md#${anchor}`;
}

/** The absolute address of what a citation names; null where it has none. */
export function linkOf(citation: string, base: string | null = repository): string | null {
  const anchor = anchorOf(citation);
  return base === null || anchor === null ? null : `${base.replace(/\/$/, "")}/${anchor}`;
}

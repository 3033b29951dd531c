// An interface as reports describe it: its tables, the titles of its areas, and the lines of its specs.
import type { Interface, OperationId, RequirementId } from "../harness/core/interface.ts";

/** A path from Assay's own folder, and the line from 1. */
export interface Line {
  readonly file: string;
  readonly line: number;
}

/** A keyword of an operation's answers that carries a requirement. */
export interface CitedSite extends Line {
  readonly id: RequirementId;
  /** JSON pointer into the answer, `*` for any index. */
  readonly at: string;
  readonly keyword: string;
}

/** Where requirements are cited outside of answers; no operation where it isn't one that promises it. */
export interface Citation extends Line {
  readonly id: RequirementId;
  readonly operation: OperationId | null;
}

export interface SpecLines {
  /** By requirement: its row in the register. */
  readonly rows: { readonly [id: string]: Line };
  /** By requirement of a user's config: its line there, from where the run was started. */
  readonly config?: { readonly [id: string]: Line };
  /** By operation. */
  readonly sites: { readonly [operation: string]: readonly CitedSite[] };
  readonly citations: readonly Citation[];
}

export interface Described {
  readonly tables: Interface;
  /** By code; an area without a title is shown by its code. */
  readonly areas: { readonly [area: string]: string };
  readonly lines: SpecLines;
  /** The file that has its clauses, from Assay's own folder, and the anchors there by citation. */
  readonly clauses: { readonly file: string; readonly anchors: { readonly [citation: string]: readonly string[] } };
  /** JSON pointers of figures by which an answer says how new it is: at one moment they are alike everywhere. */
  readonly newest: { readonly [figure: string]: string };
}

/** As it is described with the requirements of a user's config among its tables. */
export function describedBy(tables: Interface, described: Described): Described {
  const own = tables.requirements.flatMap(({ id, definedAt }) => (definedAt ? [[id, definedAt] as const] : []));
  if (own.length === 0) return { ...described, tables };
  const { areas, lines } = described;
  const titles = Object.fromEntries(own.map(([id]) => [areaOf(id), "Custom checks"]));
  const config: SpecLines["rows"] = Object.fromEntries(own);
  return {
    ...described,
    tables,
    areas: { ...areas, ...titles },
    lines: { ...lines, rows: { ...lines.rows, ...config }, config },
  };
}

/** `creditCycle.start: pattern`, of the keyword that an answer must satisfy there. */
export const siteText = ({ at, keyword }: CitedSite): string =>
  `${at === "" ? "the answer" : `\`${at}\``}: ${keyword === "present" ? "is present" : keyword}`;

/** The area of a requirement: `AUTH` of AUTH-ALL-01. */
export const areaOf = (id: string): string => id.slice(0, id.indexOf("-"));

/** `AUTH`: "API keys, and who may call what". */
export const areaTitle = ({ areas }: Pick<Described, "areas">, area: string): string => areas[area] ?? area;

/** With its code, which commands take: `AUTH · API keys, and who may call what`. */
export const areaName = ({ areas }: Pick<Described, "areas">, area: string): string =>
  areas[area] === undefined ? area : `${area} · ${areas[area]}`;

/** @throws Error for a requirement without a line */
export function rowOf({ rows }: SpecLines, id: string): Line {
  const row = rows[id];
  if (!row) throw new Error(`no line has ${id}`);
  return row;
}

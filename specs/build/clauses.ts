// Clauses of the interface: how they are cited, and the anchor in docs/INTERFACE.md that each citation leads to.
import { type MethodFile, methodFiles } from "./catalogue.ts";
import { readYaml } from "./load.ts";

/** One clause of the interface. */
export interface Clause {
  /** As it is cited: `§2.1`, `§2.1 rule 1`, `§4.3 sendBundle`. */
  readonly clause: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

/** A standard or convention that the interface doesn't name. */
export interface ClauseSource {
  /** As it is cited, without its own section numbers: `RFC 9110`. */
  readonly source: string;
  readonly title: string;
  readonly url?: string;
}

export interface InterfaceText {
  readonly title: string;
  readonly clauses: readonly Clause[];
  readonly sources: readonly ClauseSource[];
}

/**
 * The clauses with those of new methods, each behind the last clause of its section.
 * A method whose clause isn't listed brings it: the file's `clause`, with `summary` as text.
 */
export function withMethods(
  clauses: readonly Clause[],
  methods: readonly Pick<MethodFile, "method" | "clause" | "summary">[],
): readonly Clause[] {
  return methods.reduce<readonly Clause[]>((all, { method, clause, summary }) => {
    if (all.some((one) => one.clause === clause)) return all;
    const [section = ""] = clause.split(" ");
    const last = all.findLastIndex((one) => one.clause.split(" ")[0] === section);
    const own: Clause = { clause, title: method, text: `${summary}\n` };
    return last < 0 ? [...all, own] : all.toSpliced(last + 1, 0, own);
  }, clauses);
}

export function readInterface(): InterfaceText {
  const listed = readYaml("clauses.yaml") as InterfaceText;
  return { ...listed, clauses: withMethods(listed.clauses, methodFiles()) };
}

/**
 * The clauses and sources that a citation names: `§2.1, §4.2 (derived)` gives `§2.1` and `§4.2`, `§5 rule 6` gives
 * `§5.6`,
 * `RFC 8259 §8.1, §4; RFC 7493` gives `RFC 8259` and `RFC 7493`. What it can't read is given as it stands, and has no
 * anchor.
 */
export const clausesIn = (citation: string): readonly string[] =>
  citation
    .replaceAll(/\([^()]*\)/g, "")
    .split(";")
    .map((part) => part.trim())
    .flatMap((part) => (part.startsWith("§") ? part.split(/, ?| vs /) : (part.split(" §")[0] ?? "")))
    .map((one) => one.trim().replace(/^(§\d+) rule (\d+)$/, "$1.$2"));

/** The anchor of one clause or source: `s2.1`, `s2.1-rule-1`, `s4.3-sendBundle`, `rfc-9110`. */
export const clauseAnchor = (clause: string): string =>
  clause.startsWith("§")
    ? `s${clause.slice(1).replaceAll(" ", "-")}`
    : clause.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-");

/** Every anchor that docs/INTERFACE.md has for a clause or a source. */
export const anchorsIn = ({ clauses, sources }: InterfaceText): ReadonlySet<string> =>
  new Set([...clauses.map(({ clause }) => clause), ...sources.map(({ source }) => source)].map(clauseAnchor));

/** What a citation names that has no anchor. */
export const unresolvedIn = (citation: string, anchors: ReadonlySet<string>): readonly string[] =>
  clausesIn(citation).filter((clause) => !anchors.has(clauseAnchor(clause)));

/** The generated module: the anchors that each citation of the register leads to. */
export function clausesFile(citations: readonly string[]): string {
  const table = Object.fromEntries(
    [...new Set(citations)].sort().map((one) => [one, clausesIn(one).map(clauseAnchor)]),
  );
  return `
/** By citation, spelled as \`clause\` of a requirement or an observation: where docs/INTERFACE.md says it. */
export const clauseAnchors: { readonly [citation: string]: readonly string[] } = ${JSON.stringify(table, null, 1)};
`;
}

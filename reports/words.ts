// Words and signs for what a run found, the same in every report.
import { isRenamed, type JudgedRequirement, type Totals } from "../harness/record/run.ts";
import { counted } from "./numbers.ts";

/** A verdict with the severity of its breach. */
export type Kind = keyof Totals;

interface Words {
  /** Distinguishes kinds without colour. */
  readonly sign: string;
  /** One requirement … */
  readonly one: string;
  /** Several requirements … */
  readonly many: string;
  readonly means: string;
}

const wordsFor = (sign: string, one: string, means: string, many = one): Words => ({ sign, one, many, means });

export const words: { readonly [kind in Kind]: Words } = {
  broken: wordsFor("✗", "broken", "The platform breaks the requirement."),
  warned: wordsFor("▲", "warned", "Broken; reported as a warning, because the requirement is implied or advisory."),
  noted: wordsFor("●", "noted", "Broken; recorded as an observation."),
  inconclusive: wordsFor("?", "inconclusive", "Could not be judged."),
  renamed: wordsFor("↔", "renamed", "Passed under the name that the target file gives, not the documented one."),
  deviates: wordsFor("≈", "known issue", "Broken as the list of known deviations says.", "known issues"),
  withheld: wordsFor("–", "not tested", "Something that a test needs is missing, or another breach hides it."),
  narrowed: wordsFor("◐", "verified in part", "Passed where it was tried; some of what it is about wasn't tried."),
  holds: wordsFor("✓", "passed", "All its checks ran and passed."),
};

/** Worst first. */
export const kinds = Object.keys(words) as readonly Kind[]; // Keys of a literal whose type names them.

/** @param judged as an engine yields it, or as a run records it */
export function kindOf(
  judged: Pick<JudgedRequirement, "verdict" | "enforced" | "renamed" | "entry"> & { readonly narrowed?: object },
): Kind {
  const { verdict, enforced, narrowed } = judged;
  if (isRenamed(judged)) return "renamed";
  if (verdict === "holds") return narrowed ? "narrowed" : verdict;
  if (verdict !== "broken") return verdict;
  return ({ fail: "broken", warn: "warned", note: "noted" } as const)[enforced];
}

/** How many requirements are of a kind: each is of one. */
export const countOfKind = (totals: Totals, kind: Kind): number =>
  totals[kind] - (kind === "holds" ? totals.narrowed : kind === "deviates" ? totals.renamed : 0);

/** Kinds that occur, in the order of reports: what passed, even if nothing did, in part, then the worst first. */
export const presentIn = (totals: Totals): readonly Kind[] =>
  [...new Set<Kind>(["holds", "narrowed", ...kinds])].filter(
    (kind) => kind === "holds" || countOfKind(totals, kind) > 0,
  );

/** A kind's name and sign; `absent`: of a run that didn't plan the requirement. */
export const nameOf = (kind: Kind | "absent"): string => (kind === "absent" ? "not planned" : words[kind].one);
export const signOf = (kind: Kind | "absent"): string => (kind === "absent" ? "·" : words[kind].sign);

/** `3 broken`, `1 known issue`. */
export const countedKind = (count: number, kind: Kind): string => counted(count, words[kind].one, words[kind].many);

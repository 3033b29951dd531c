// Words and signs for what a run found, the same in every report.
import { isBeyondTarget, isFixed, isInPart } from "../harness/model/verdict.ts";
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
  fixed: wordsFor("★", "fixed", "Passed, though the list of known deviations says that it is broken."),
  withheld: wordsFor("–", "not tested", "Something that a test needs is missing, or another breach hides it."),
  untestable: wordsFor("○", "not testable here", "About Assay itself, not offered, or not testable from outside."),
  narrowed: wordsFor("◐", "verified in part", "Passed where it was tried; some of what it is about wasn't tried."),
  holds: wordsFor("✓", "passed", "All its checks ran and passed."),
};

/** Worst first. */
export const kinds = Object.keys(words) as readonly Kind[]; // Keys of a literal whose type names them.

/** @param judged as an engine yields it, or as a run records it */
export function kindOf(
  judged: Pick<JudgedRequirement, "verdict" | "enforced" | "renamed" | "entry"> &
    Parameters<typeof isInPart>[0] &
    Parameters<typeof isBeyondTarget>[0],
): Kind {
  const { verdict, enforced } = judged;
  if (isRenamed(judged)) return "renamed";
  if (isFixed(judged)) return "fixed";
  if (isBeyondTarget(judged)) return "untestable";
  if (verdict === "holds") return isInPart(judged) ? "narrowed" : verdict;
  if (verdict !== "broken") return verdict;
  return ({ fail: "broken", warn: "warned", note: "noted" } as const)[enforced];
}

/** Totals that count other kinds, too. */
const wholes: { readonly [kind in Kind]?: readonly Kind[] } = {
  holds: ["narrowed", "fixed"],
  deviates: ["renamed"],
  withheld: ["untestable"],
};

/** How many requirements are of a kind: each is of one. */
export const countOfKind = (totals: Totals, kind: Kind): number =>
  totals[kind] - (wholes[kind] ?? []).reduce((count, part) => count + totals[part], 0);

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

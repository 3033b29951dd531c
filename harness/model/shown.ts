// Verdicts and observations as they are recorded and shown: with their reasons in a sentence, too.
import { describeReason, type Reason } from "../core/reason.ts";
import { describeRenamed } from "../targets/renaming.ts";
import type { Narrowed, Untried } from "./narrowing.ts";
import type { Observed } from "./probe.ts";
import type { Verdict } from "./verdict.ts";

/** What older versions recorded has the sentence alone. */
interface WithSentence {
  readonly reason: string | null;
  readonly reasons?: readonly Reason[];
}

interface ShownUntried extends Omit<Untried, "reasons">, WithSentence {}

export interface ShownNarrowed extends Omit<Narrowed, "untried"> {
  readonly untried: readonly ShownUntried[];
}

export interface ShownVerdict extends Omit<Verdict, "reasons" | "narrowed">, WithSentence {
  readonly narrowed?: ShownNarrowed;
}

export interface ShownObserved extends Omit<Observed, "reasons">, WithSentence {}

const joined = (reasons: readonly Reason[], by: string): string | null =>
  reasons.length === 0 ? null : reasons.map(describeReason).join(by);

/** For people, e.g. `not tried: getOrder: no order given`. */
export function describeUntried({ untried }: Pick<ShownNarrowed, "untried">): string {
  const listed = (name: string, isInPart: boolean): readonly string[] => {
    const some = untried.filter(({ inPart }) => inPart === isInPart);
    const texts = some.map(({ member, reason }) => (reason === null ? member : `${member}: ${reason}`));
    return some.length === 0 ? [] : [`${name}: ${texts.join(", ")}`];
  };
  return [...listed("not tried", false), ...listed("tried in part", true)].join("; ");
}

/** For people, e.g. `12 of 14 operations; not tried: getOrder: no order given`. */
function describeNarrowed({ axis, tried, untried }: ShownNarrowed): string {
  const all = tried.length + untried.filter(({ inPart, reason }) => !inPart && reason !== null).length;
  const share = axis === null ? [] : [`${tried.length} of ${all} ${axis}${all === 1 ? "" : "s"}`];
  return [...share, describeUntried({ untried })].join("; ");
}

const shownNarrowed = ({ untried, ...narrowed }: Narrowed): ShownNarrowed => ({
  ...narrowed,
  untried: untried.map((one) => ({ ...one, reason: joined(one.reasons, " and ") })),
});

/** A verdict with one sentence: what is renamed, how far it holds, or why it is withheld, inconclusive or deviates. */
export function shownVerdict({ narrowed, ...verdict }: Verdict): ShownVerdict {
  const shown = narrowed && shownNarrowed(narrowed);
  const { renamed, reasons } = verdict;
  const parts = [
    ...(renamed ? [`renamed: ${describeRenamed(renamed)}`] : []),
    ...(shown ? [describeNarrowed(shown)] : []),
    ...reasons.map(describeReason),
  ];
  return { ...verdict, reason: parts.length === 0 ? null : parts.join("; "), ...(shown ? { narrowed: shown } : {}) };
}

export const shownObserved = (observed: Observed): ShownObserved => ({
  ...observed,
  reason: joined(observed.reasons, "; "),
});

// The verdict on one requirement from all findings: laws break, checks hold.
import type { Broken } from "../core/finding.ts";
import type { Interface, Requirement, RequirementId } from "../core/interface.ts";
import type { Defect } from "../core/outcomes.ts";
import { isUntestable, type Reason, unlikeReasons } from "../core/reason.ts";
import { type Deviation, type DeviationEntry, isExpected } from "../targets/deviations.ts";
import type { Renamed } from "../targets/renaming.ts";
import type { Target } from "../targets/target.ts";
import { requestTitle } from "../transport/rendering.ts";
import type { Check } from "./check.ts";
import { type CheckOutcome, countingOf, type Narrowed, narrowedBy, type OutcomeOn } from "./narrowing.ts";

/** One breach, with the exchange that shows it. */
export interface Breach extends Broken {
  readonly exchange: number;
  /** The requirement by which the check that caused the exchange can be replayed; empty where no check did. */
  readonly causedBy: readonly RequirementId[];
}

export type VerdictName = "holds" | "broken" | "deviates" | "withheld" | "inconclusive";

/** What a breach leads to: `fail` exit code 1, `warn` a warning, `note` an observation. */
export type Enforced = "fail" | "warn" | "note";

/** A check of a requirement that ran: what it sends, and its outcome. */
export interface TriedCheck {
  /** Titles of its first requests. */
  readonly requests: readonly string[];
  readonly is: CheckOutcome["is"];
}

export interface Verdict {
  readonly id: RequirementId;
  readonly verdict: VerdictName;
  readonly enforced: Enforced;
  /** Why it is withheld or inconclusive, or how a known deviation fits or no longer does. */
  readonly reasons: readonly Reason[];
  readonly breaches: readonly Breach[];
  /** Numbers of the exchanges that its checks judged. */
  readonly exchanges: readonly number[];
  /** The place of the known deviation by which it deviates, or which no longer fits: if it holds, that is fixed. */
  readonly entry?: DeviationEntry;
  /** Those of its checks that ran; missing in older journals. */
  readonly checks?: readonly TriedCheck[];
  /** Set where it holds in part only. */
  readonly narrowed?: Narrowed;
  /** What it names, where the target renames it; judged under the new name, so that it deviates if it would hold. */
  readonly renamed?: readonly Renamed[];
  /** The error that a check of it threw. */
  readonly defect?: Defect;
  /** Set where the run is about others, whose answers broke it: a note. */
  readonly unselected?: true;
}

/**
 * An implied requirement only warns on a vendor, an external one never fails (amendment 1). An entailed one fails, but
 * for breaches that a lawful platform could show (amendment 12).
 */
export function enforcementOf(
  requirement: Requirement,
  target: Pick<Target, "isReference">,
  impliedFails: boolean,
  breaches: readonly Pick<Broken, "warnsOnVendors">[] = [],
): Enforced {
  if (requirement.enforce !== "fail") return requirement.enforce;
  if (requirement.basis === "external") return "warn";
  const isWeak = breaches.length > 0 && breaches.every(({ warnsOnVendors = false }) => warnsOnVendors);
  const isImplied = (requirement.basis === "implied" || isWeak) && !impliedFails;
  if (!target.isReference && (requirement.onVendors === "warn" || isImplied)) return "warn";
  return "fail";
}

export interface Evidence {
  readonly requirement: Requirement;
  readonly enforced: Enforced;
  readonly outcomes: readonly OutcomeOn[];
  readonly breaches: readonly Breach[];
  readonly exchanges: readonly number[];
  readonly deviation: Deviation | undefined;
  /** Whether a check of that requirement held or broke. */
  readonly ran: (id: RequirementId) => boolean;
  /** YYYY-MM-DD, for the expiry of deviations. */
  readonly today: string;
  readonly renamed?: readonly Renamed[];
  readonly renamedFails?: boolean;
  readonly fixedFails?: boolean;
}

/** The exchanges themselves show more. */
const mostTitles = 3;

const titlesOf = ({ needs }: Check, tables: Interface): readonly string[] =>
  [...new Set(needs.requests.map((one) => requestTitle(one, tables)))].slice(0, mostTitles);

export const triedOf = (
  id: RequirementId,
  checks: readonly Check[],
  all: ReadonlyMap<Check, ReadonlyMap<RequirementId, CheckOutcome>>,
  tables: Interface,
): readonly TriedCheck[] =>
  checks.flatMap((check) => {
    const outcome = all.get(check)?.get(id);
    return outcome ? [{ requests: titlesOf(check, tables), is: outcome.is }] : [];
  });

export function verdictOf(evidence: Evidence): Verdict {
  const { requirement, breaches, exchanges } = evidence;
  const { enforced = evidence.enforced, ...judgement } = judge(evidence);
  const { renamed = [], renamedFails = false } = evidence;
  const [defect] = evidence.outcomes.flatMap((outcome) => ("reason" in outcome && outcome.defect) || []);
  const own = { ...judgement, ...(defect ? { defect } : {}) };
  const verdict: Verdict = { id: requirement.id, enforced, breaches, exchanges, ...own };
  if (renamed.length === 0) return verdict;
  if (verdict.verdict !== "holds") return { ...verdict, renamed };
  return { ...verdict, renamed, ...(renamedFails ? failed : { verdict: "deviates" }) };
}

const failed = { verdict: "broken", enforced: "fail" } as const;

/** A deviation that fits no longer fails whatever the enforcement; one that is fixed only if that is wanted. */
interface Judgement extends Pick<Verdict, "verdict" | "reasons" | "entry" | "narrowed"> {
  readonly enforced?: "fail" | "note";
}

function judge(evidence: Evidence): Judgement {
  const { deviation, fixedFails = false } = evidence;
  const plain = judgePlainly(evidence);
  if (!deviation || plain.verdict === "withheld" || plain.verdict === "inconclusive") return plain;
  const judgedAs = (verdict: VerdictName, state: DeviationState): Judgement => ({
    verdict,
    entry: deviation.entry,
    reasons: [reasonOfDeviation(deviation, state)],
  });
  const outdated = (state: "different" | "expired"): Judgement => ({ ...judgedAs("broken", state), enforced: "fail" });
  // In part: the deviation may only be untried.
  if (plain.verdict === "holds" && (plain.narrowed || mayBeGone(deviation, evidence))) return plain;
  if (plain.verdict === "holds") return { ...judgedAs("holds", "gone"), enforced: fixedFails ? "fail" : "note" };
  if (!evidence.breaches.every((breach) => isExpected(deviation, breach))) return outdated("different");
  if (evidence.today > deviation.until) return outdated("expired");
  return judgedAs("deviates", "expected");
}

type DeviationState = "expected" | "gone" | "different" | "expired";

function reasonOfDeviation(deviation: Deviation, state: DeviationState): Reason {
  const { reason: accepted, owner, until, link, entry } = deviation;
  const who = owner === undefined ? {} : { owner };
  return { kind: "deviation", state, accepted, ...who, until, ...(link === undefined ? {} : { link }), entry };
}

/** Whether the deviation is intermittent, or shows only in exchanges that this run didn't make. */
const mayBeGone = ({ intermittent = false, shownBy }: Deviation, { ran }: Evidence): boolean =>
  intermittent || (shownBy !== undefined && !shownBy.some(ran));

function judgePlainly({ requirement, outcomes: all, breaches }: Evidence): Judgement {
  if (breaches.length > 0) return { verdict: "broken", reasons: [] };
  const outcomes = countingOf(requirement, all, (one) => one.is === "withheld");
  const reasonsOf = (wanted: "withheld" | "inconclusive"): readonly Reason[] =>
    unlikeReasons(outcomes.flatMap((outcome) => (outcome.is === wanted ? [outcome.reason] : [])));
  const inconclusive = reasonsOf("inconclusive");
  if (inconclusive.length > 0) return { verdict: "inconclusive", reasons: inconclusive };
  const withheld = reasonsOf("withheld");
  if (withheld.length === 0 && outcomes.every((one) => one.is !== "held" || !one.untried?.length))
    return outcomes.length
      ? { verdict: "holds", reasons: [] }
      : { verdict: "withheld", reasons: [{ kind: "noCheck" }] };
  const narrowed = narrowedBy(requirement, outcomes);
  return narrowed ? { verdict: "holds", reasons: [], narrowed } : { verdict: "withheld", reasons: withheld };
}

/** What a verdict leads to, however its reasons are kept. */
interface Judged extends Pick<Verdict, "verdict" | "enforced" | "unselected" | "entry"> {
  readonly narrowed?: NarrowedReasons;
}

interface NarrowedReasons {
  readonly untried: readonly { readonly reasons?: readonly Reason[] }[];
}

/** Whether it is broken in no way any more that the list of known deviations says. */
export const isFixed = ({ verdict, entry }: Pick<Verdict, "verdict" | "entry">): boolean =>
  verdict === "holds" && entry !== undefined;

/** Whether something wasn't tried that this target could show. */
export const isInPart = ({ narrowed }: { readonly narrowed?: NarrowedReasons }): boolean =>
  narrowed?.untried.some(({ reasons = [] }) => reasons.length === 0 || !reasons.every(isUntestable)) ?? false;

/** Whether this target can't show it, with whatever keys, samples or consents. */
export const isBeyondTarget = (judged: Pick<Verdict, "verdict"> & { readonly reasons?: readonly Reason[] }): boolean =>
  judged.verdict === "withheld" &&
  judged.reasons !== undefined &&
  judged.reasons.length > 0 &&
  judged.reasons.every(isUntestable);

/**
 * 0: something judged as it should be, nothing broken · 1: one broken, or fixed where that fails · 3: inconclusive, cut
 * short, or nothing judged.
 * @param isStrict whether what holds in part only is 3 too
 */
export function exitCodeOf(all: readonly Judged[], complete: boolean, isStrict = false): 0 | 1 | 3 {
  const verdicts = all.filter(({ unselected }) => !unselected);
  if (verdicts.some((one) => (one.verdict === "broken" || isFixed(one)) && one.enforced === "fail")) return 1;
  if (!complete || verdicts.some(({ verdict }) => verdict === "inconclusive")) return 3;
  if (isStrict && verdicts.some(isInPart)) return 3;
  return verdicts.some(({ verdict }) => verdict === "holds" || verdict === "deviates") ? 0 : 3;
}

export const unjudgedVerdict = (id: RequirementId, reason: Reason = { kind: "notReached" }): Verdict => ({
  id,
  verdict: "withheld",
  enforced: "fail",
  reasons: [reason],
  breaches: [],
  exchanges: [],
});

const ranks = { note: 1, warn: 2, fail: 3 };
const rankOf = ({ verdict, enforced }: Verdict): number => (verdict === "broken" ? ranks[enforced] : 0);

/** What some answers break is broken, whatever others show: the graver verdict, with the breaches of both. */
export function verdictTogether(own: Verdict, other: Verdict): Verdict {
  const isGraver = own.breaches.length === 0 || rankOf(other) > rankOf(own);
  return {
    ...(other.breaches.length > 0 && isGraver ? other : own),
    breaches: [...own.breaches, ...other.breaches],
    exchanges: [...own.exchanges, ...other.exchanges],
    ...(own.checks ? { checks: own.checks } : {}),
  };
}

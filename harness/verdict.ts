// What follows from all findings on one requirement? Laws break, checks hold.
import type { Requirement, RequirementId } from "../specs/generated/requirements.ts";
import type { Check } from "./check.ts";
import type { Broken } from "./finding.ts";
import { canonical } from "./json.ts";
import { titleOf } from "./rendering.ts";
import type { Deviation, Target } from "./target.ts";

/** What one check says of one requirement. */
export type CheckOutcome =
  | { readonly is: "held" }
  | { readonly is: "broken" }
  | { readonly is: "withheld"; readonly reason: string }
  | { readonly is: "inconclusive"; readonly reason: string };

/** One breach, with the exchange that shows it. */
export interface Breach extends Broken {
  readonly exchange: number;
  /** Requirements of the check that drew the exchange; with them the breach can be replayed. */
  readonly drawnBy: readonly RequirementId[];
}

export type VerdictName = "holds" | "broken" | "deviates" | "withheld" | "inconclusive";

/** Severity of a breach once enforcement is applied: `fail` is red, `warn` is told, `note` is an observation. */
export type Enforced = "fail" | "warn" | "note";

/** One check of a requirement: what it sends, and what came of it. */
export interface Tried {
  /** What is sent, as titles of requests: the first few. */
  readonly asks: readonly string[];
  readonly is: CheckOutcome["is"];
}

export interface Verdict {
  readonly id: RequirementId;
  readonly verdict: VerdictName;
  readonly enforced: Enforced;
  /** Why it was withheld, is inconclusive, or deviates. */
  readonly reason: string | null;
  readonly breaches: readonly Breach[];
  /** Numbers of the exchanges that its checks looked at. */
  readonly exchanges: readonly number[];
  /** Those of its checks that were tried; older journals don't tell. */
  readonly checks?: readonly Tried[];
}

/** An implied requirement warns on a platform that we can't account for, external ones never fail (register, amendment 1). */
export function enforcementOf(requirement: Requirement, target: Pick<Target, "isReference">, impliedFails: boolean): Enforced {
  if (requirement.enforce !== "fail") return requirement.enforce;
  if (requirement.basis === "external") return "warn";
  const alwaysWarns = requirement.id === "CRD-MONO-01" || requirement.id === "AUTH-ADM-EQ-01";
  if (!target.isReference && (alwaysWarns || (requirement.basis === "implied" && !impliedFails))) return "warn";
  return "fail";
}

export interface Evidence {
  readonly requirement: Requirement;
  readonly enforced: Enforced;
  readonly outcomes: readonly CheckOutcome[];
  readonly breaches: readonly Breach[];
  readonly exchanges: readonly number[];
  readonly deviation: Deviation | undefined;
  /** YYYY-MM-DD, for the expiry of deviations. */
  readonly today: string;
  /** Why nothing on this surface counts as verified; null where owner and stranger were told apart. */
  readonly doubt: string | null;
}

/** What examples have shown isn't withheld for want of generated cases. */
export function countingOutcomes(id: RequirementId, checks: readonly Check[], all: ReadonlyMap<Check, ReadonlyMap<RequirementId, CheckOutcome>>): readonly CheckOutcome[] {
  const outcomes = (some: readonly Check[]): readonly CheckOutcome[] => some.flatMap((check) => all.get(check)?.get(id) ?? []);
  const counting = checks.filter((check) => !check.needs.generates || all.get(check)?.get(id)?.is !== "withheld");
  return counting.length ? outcomes(counting) : outcomes(checks);
}

/** More is told by the exchanges themselves. */
const mostAsks = 3;

/** What became of each check of a requirement that was tried. */
export const triedOf = (id: RequirementId, checks: readonly Check[], all: ReadonlyMap<Check, ReadonlyMap<RequirementId, CheckOutcome>>): readonly Tried[] =>
  checks.flatMap((check) => {
    const outcome = all.get(check)?.get(id);
    return outcome ? [{ asks: [...new Set(check.needs.asks.map(titleOf))].slice(0, mostAsks), is: outcome.is }] : [];
  });

export function verdictOf(evidence: Evidence): Verdict {
  const { requirement, breaches, exchanges } = evidence;
  const { verdict, reason, enforced = evidence.enforced } = judge(evidence);
  return { id: requirement.id, verdict, enforced, reason, breaches, exchanges };
}

/** A deviation that no longer fits is red whatever the requirement's enforcement: the list must not rot. */
type Judgement = { readonly verdict: VerdictName; readonly reason: string | null; readonly enforced?: "fail" };

function judge(evidence: Evidence): Judgement {
  const { deviation } = evidence;
  const plain = judgePlainly(evidence);
  if (!deviation || plain.verdict === "withheld" || plain.verdict === "inconclusive") return plain;
  if (plain.verdict === "holds") {
    return deviation.intermittent ? plain : { verdict: "broken", enforced: "fail", reason: `the known deviation is gone (${deviation.reason}): take it out of the target` };
  }
  const known = evidence.breaches.filter((breach) => isExpected(deviation, breach));
  if (known.length < evidence.breaches.length) return { verdict: "broken", enforced: "fail", reason: `fails in another way than the known deviation (${deviation.reason})` };
  if (evidence.today > deviation.until) return { verdict: "broken", enforced: "fail", reason: `the known deviation expired on ${deviation.until} (${deviation.reason})` };
  return { verdict: "deviates", reason: `${deviation.reason}; ${deviation.owner}, until ${deviation.until}${deviation.link ? `, ${deviation.link}` : ""}` };
}

const isExpected = ({ expect }: Deviation, { at, got }: Broken): boolean =>
  expect.at === at && (expect.is === "absent" ? "is" in got : expect.value === undefined || ("value" in got && canonical(got.value) === canonical(expect.value)));

function judgePlainly({ outcomes, breaches, doubt }: Evidence): Judgement {
  if (breaches.length > 0) return { verdict: "broken", reason: null };
  const reasons = (wanted: "withheld" | "inconclusive"): string | null => {
    const said = outcomes.flatMap((outcome) => (outcome.is === wanted ? [outcome.reason] : []));
    return said.length ? [...new Set(said)].join("; ") : null;
  };
  const unsure = reasons("inconclusive");
  if (unsure) return { verdict: "inconclusive", reason: unsure };
  const untried = reasons("withheld");
  if (untried) return { verdict: "withheld", reason: untried };
  if (outcomes.length === 0) return { verdict: "withheld", reason: "no check" };
  return doubt ? { verdict: "withheld", reason: doubt } : { verdict: "holds", reason: null };
}

/** 0 nothing broken and something verified · 1 a promise is broken · 3 inconclusive, incomplete, or nothing verified. */
export function exitCodeOf(verdicts: readonly Verdict[], complete: boolean): 0 | 1 | 3 {
  if (verdicts.some(({ verdict, enforced }) => verdict === "broken" && enforced === "fail")) return 1;
  if (!complete || verdicts.some(({ verdict }) => verdict === "inconclusive")) return 3;
  return verdicts.some(({ verdict }) => verdict === "holds") ? 0 : 3;
}

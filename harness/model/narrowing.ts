// Narrowing: on which part of its coverage scope a requirement was tried, and on which it wasn't.
import { operationOf, type Requirement, type ScopeDimension } from "../core/interface.ts";
import type { Defect } from "../core/outcomes.ts";
import { type Reason, unlikeReasons } from "../core/reason.ts";
import { calledBy, keyHolder, type RequestSpec } from "../core/requestSpec.ts";
import { keyOf, type Target } from "../targets/target.ts";
import type { Check } from "./check.ts";

/** What a check covers of the scopes of its requirements. */
export interface CoverageScope extends Readonly<Record<ScopeDimension, string>> {
  readonly feature: string;
  readonly api: string;
}

export type CheckOutcome =
  | { readonly is: "broken" }
  /** `untried`: what its findings say that they left out. */
  | { readonly is: "held"; readonly untried?: readonly string[] }
  | { readonly is: "withheld" | "inconclusive"; readonly reason: Reason; readonly defect?: Defect };

/** How much the outcome of a check counts beside those of others. */
export interface CheckCoverage {
  readonly scope?: CoverageScope;
  readonly optional?: boolean;
  /** Whether it sends generated cases, beside which examples prove the same. */
  readonly generated?: boolean;
}

export const checkCoverageOf = (check: Check, target: Target): CheckCoverage => ({
  scope: coverageScopeOf(check, target),
  optional: check.optional,
  generated: check.needs.generates !== undefined,
});

export type OutcomeOn = CheckOutcome & CheckCoverage;

/** Set where a requirement holds in part only. */
export interface Narrowed {
  /** Null where a finding alone says what wasn't tried. */
  readonly axis: ScopeDimension | null;
  /** Members of which at least one check held. */
  readonly tried: readonly string[];
  readonly untried: readonly Untried[];
}

export interface Untried {
  /** A member of the scope, or what a finding says that it left out. */
  readonly member: string;
  /** None where the member says it all. */
  readonly reasons: readonly Reason[];
  /** Whether other checks of this member held. */
  readonly inPart: boolean;
}

/** That of the first request that isn't only read to measure the others. */
export function coverageScopeOf({ needs, feature }: Check, target: Target): CoverageScope {
  const { operations, meter } = target.interface;
  const called = (requestSpec: RequestSpec) => operationOf(target.interface, calledBy(requestSpec, target.interface));
  const requests = [...needs.requests, ...(needs.generates?.each ?? [])];
  const first =
    requests.find((one) => (called(one)?.feature ?? meter) !== meter) ?? requests.find(called) ?? requests[0];
  const described =
    (first && called(first)) ?? operations.find((one) => one.feature === feature && (!needs.sends || one.irreversible));
  const carriers = first?.carriers.map((one) => (one.in === "either" ? "header or query" : one.in)) ?? [];
  return {
    operation: described?.id ?? feature,
    key: needs.control ? "a test project" : keyNameOf(first, target),
    carrier: carriers.join(" and ") || "no carrier",
    feature: described?.feature ?? feature,
    api: described?.api ?? "",
  };
}

/**
 * Optional checks that are withheld count only where no other stands for their member of the scope; those of generated
 * cases only where no other counts.
 */
export function countingOf<One extends CheckCoverage>(
  { coverage }: Pick<Requirement, "coverage">,
  all: readonly One[],
  isWithheld: (one: One) => boolean,
): readonly One[] {
  const memberOf = ({ scope }: One) => coverage && scope?.[coverage.over];
  const isSpare = (one: One): boolean => one.optional === true && isWithheld(one);
  const covered = new Set(all.filter((one) => !isSpare(one)).map(memberOf));
  const isCovered = (one: One): boolean => (one.generated ? covered.size > 0 : covered.has(memberOf(one)));
  return all.filter((one) => !isSpare(one) || !isCovered(one));
}

function keyNameOf(requestSpec: RequestSpec | undefined, target: Target): string {
  const holder = requestSpec ? keyHolder(requestSpec) : null;
  if (holder !== null) return keyOf(target, holder)?.role ?? holder;
  return requestSpec?.carriers.length ? "unknown key" : "anonymous";
}

/**
 * How far a requirement holds of which some checks were withheld, or held in part; null where it doesn't: where none
 * held, where it declares no coverage, or where what must be covered at least wasn't tried.
 * @param outcomes none broken, none inconclusive
 */
export function narrowedBy(
  { coverage }: Pick<Requirement, "coverage">,
  outcomes: readonly OutcomeOn[],
): Narrowed | null {
  const held = outcomes.filter((one) => one.is === "held");
  const withheld = outcomes.filter((one) => "reason" in one);
  if (held.length === 0) return null;
  const leftOut = [...new Set(held.flatMap(({ untried = [] }) => untried))].map(
    (member): Untried => ({ member, reasons: [], inPart: false }),
  );
  if (withheld.length === 0) return { axis: null, tried: [], untried: leftOut };
  if (coverage === undefined) return null;
  const { over, atLeast = [] } = coverage;
  const bears = (name: string) => (one: OutcomeOn) => Object.values(one.scope ?? {}).includes(name);
  if (atLeast.some((name) => withheld.some(bears(name)) && !held.some(bears(name)))) return null;
  const tried = new Set(held.flatMap(({ scope }) => scope?.[over] ?? []));
  const reasons = new Map<string, readonly Reason[]>();
  for (const { scope, reason } of withheld) {
    if (!scope) return null;
    reasons.set(scope[over], [...(reasons.get(scope[over]) ?? []), reason]);
  }
  const untried = [...reasons].map(
    ([member, some]): Untried => ({ member, reasons: unlikeReasons(some), inPart: tried.has(member) }),
  );
  return { axis: over, tried: [...tried], untried: [...untried, ...leftOut] };
}

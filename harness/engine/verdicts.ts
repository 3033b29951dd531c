// The verdicts of a run: what each check found, and what follows so far for each requirement.
import type { Clock } from "../core/clock.ts";
import { type Feature, type RequirementId, requirementOf } from "../core/interface.ts";
import { canonical } from "../core/json.ts";
import { BudgetSpent, defectOf, Inconclusive, Withheld } from "../core/outcomes.ts";
import { type BudgetReason, causesOf, describeReason, type Reason } from "../core/reason.ts";
import { type Redactor, redactedIn } from "../core/secret.ts";
import { type Check, citedBy } from "../model/check.ts";
import { type CheckOutcome, checkCoverageOf, type OutcomeOn } from "../model/narrowing.ts";
import { type Outage, reasonOfOutage } from "../model/outage.ts";
import { enforcementOf, triedOf, type Verdict, verdictOf } from "../model/verdict.ts";
import { renamedIn } from "../targets/renaming.ts";
import type { Target } from "../targets/target.ts";
import type { PlannedCheck } from "./jobs.ts";
import type { Ledger } from "./ledger.ts";

/** By each requirement that a check cites. */
export type Outcomes = ReadonlyMap<RequirementId, CheckOutcome>;

/** The outcome of a check that threw. */
export function outcomeOfError(error: unknown, redact: Redactor): CheckOutcome {
  if (error instanceof Withheld || error instanceof BudgetSpent) return { is: "withheld", reason: error.reason };
  if (error instanceof Inconclusive) return { is: "inconclusive", reason: error.reason };
  const defect = defectOf(error, redact);
  const message = defect.isCustom ? `${defect.message} (${defect.at})` : defect.message;
  return { is: "inconclusive", reason: { kind: "checkFailed", of: "check", message }, defect };
}

/** The same outcome for all that a check cites. */
export const outcomesFor = (check: Check, outcome: CheckOutcome): Outcomes =>
  new Map(citedBy(check).map((id) => [id, outcome]));

/** The first refusal of the budget for which requirements were left out, in a sentence; null where none was. */
export function cutShortBy(
  refusals: readonly BudgetReason[],
  verdicts: readonly Pick<Verdict, "verdict" | "reasons">[],
): string | null {
  const withheld = verdicts.filter(({ verdict }) => verdict === "withheld");
  const causes = new Set(withheld.flatMap(({ reasons }) => reasons.flatMap(causesOf)).map(canonical));
  const refusal = refusals.find((one) => causes.has(canonical(one)));
  return refusal ? describeReason(refusal) : null;
}

export interface VerdictsOptions {
  readonly target: Target;
  readonly clock: Clock;
  /** Whether implied requirements fail on vendors too. */
  readonly impliedFails: boolean;
  /** Whether what holds only under another name than the documented one fails. */
  readonly renamedFails: boolean;
  /** Whether a known deviation that is gone fails. */
  readonly fixedFails: boolean;
  readonly ledger: Ledger;
  /** Others that the same answers break are a note. */
  readonly isSelected: (id: RequirementId) => boolean;
  /** Why nothing of a feature counts as verified; null where nothing speaks against it so far. */
  readonly doubtOn: (feature: Feature) => Reason | null;
}

export class Verdicts {
  readonly #options: VerdictsOptions;
  /** The planned checks that cite each requirement, in the order of the plan. */
  readonly #checksOf = new Map<RequirementId, Check[]>();
  readonly #outcomes = new Map<Check, Outcomes>();

  constructor(planned: readonly PlannedCheck[], options: VerdictsOptions) {
    this.#options = options;
    for (const { check } of planned)
      for (const id of citedBy(check)) this.#checksOf.set(id, [...(this.#checksOf.get(id) ?? []), check]);
  }

  get ids(): readonly RequirementId[] {
    return [...this.#checksOf.keys()];
  }

  /** Reasons may quote answers. */
  record(check: Check, outcomes: Outcomes): void {
    const { redact } = this.#options.target;
    this.#outcomes.set(check, new Map([...outcomes].map(([id, one]) => [id, redactedIn(one, redact)])));
  }

  /** Nothing that was found by counting calls holds against the platform where others were counted with them. */
  withdrawCounted(projects: readonly string[]): void {
    if (projects.length === 0) return;
    const outcome: CheckOutcome = { is: "withheld", reason: { kind: "usedByOthers", projects } };
    for (const [check, outcomes] of this.#outcomes) {
      if (check.when !== "alone" || ![...outcomes.values()].some(({ is }) => is === "broken")) continue;
      this.#options.ledger.withdraw(check);
      this.record(check, outcomesFor(check, outcome));
    }
  }

  /** Nothing that rests on an answer of an outage is verified, or holds against the platform. Gives the outage. */
  withdrawMet(outage: Outage, numbers: readonly number[]): Outage {
    const { ledger } = this.#options;
    for (const check of this.#outcomes.keys()) {
      if (this.isOpen(check) || !ledger.exchangesOf(check).some(({ number }) => numbers.includes(number))) continue;
      ledger.withdraw(check);
      this.record(check, outcomesFor(check, { is: "inconclusive", reason: reasonOfOutage(outage) }));
    }
    return outage;
  }

  outcomesOf(check: Check): Outcomes | undefined {
    return this.#outcomes.get(check);
  }

  /** Whether an outcome of the check is inconclusive. */
  isOpen(check: Check): boolean {
    return [...(this.#outcomes.get(check)?.values() ?? [])].some(({ is }) => is === "inconclusive");
  }

  isDone(id: RequirementId): boolean {
    return this.#checks(id).every((check) => this.#outcomes.has(check));
  }

  /** So far: later exchanges may still break the requirement, whatever check causes them. */
  of(id: RequirementId): Verdict {
    const { target, clock, impliedFails, renamedFails, fixedFails, ledger } = this.#options;
    const requirement = requirementOf(target.interface, id);
    const checks = this.#checks(id);
    const breaches = ledger.breachesOf(id);
    const verdict = verdictOf({
      requirement,
      enforced: enforcementOf(requirement, target, impliedFails, breaches),
      outcomes: checks.flatMap((check) => this.#outcomeOn(check, id)),
      breaches,
      exchanges: [...new Set(checks.flatMap((check) => ledger.exchangesOf(check).map(({ number }) => number)))],
      deviation: target.deviations.find(({ requirement: known }) => known === id),
      ran: (other) => this.#wasJudged(other),
      renamed: renamedIn(target, id),
      renamedFails,
      fixedFails,
      today: new Date(clock.now_ms()).toISOString().slice(0, 10),
    });
    const tried = { ...verdict, checks: triedOf(id, checks, this.#outcomes, target.interface) };
    return this.#options.isSelected(id) ? tried : { ...tried, enforced: "note", unselected: true };
  }

  /** What held is withheld where callers of the feature aren't distinguished. */
  #outcomeOn(check: Check, id: RequirementId): readonly OutcomeOn[] {
    const { target, doubtOn } = this.#options;
    const outcome = this.#outcomes.get(check)?.get(id);
    if (!outcome) return [];
    const reason = outcome.is === "held" ? doubtOn(check.feature) : null;
    const counted: CheckOutcome = reason === null ? outcome : { is: "withheld", reason };
    return [{ ...counted, ...checkCoverageOf(check, target) }];
  }

  #wasJudged(id: RequirementId): boolean {
    return this.#checks(id).some((check) => {
      const is = this.#outcomes.get(check)?.get(id)?.is;
      return is === "held" || is === "broken";
    });
  }

  #checks(id: RequirementId): readonly Check[] {
    return this.#checksOf.get(id) ?? [];
  }
}

// The verdicts of a run: what each check found, and what follows so far for each requirement.
import type { Clock } from "../core/clock.ts";
import { type Feature, type RequirementId, requirementOf } from "../core/interface.ts";
import { type Check, citedBy } from "../model/check.ts";
import {
  type CheckOutcome,
  countingOutcomes,
  enforcementOf,
  triedOf,
  type Verdict,
  verdictOf,
} from "../model/verdict.ts";
import type { Target } from "../target/target.ts";
import type { Ledger } from "./ledger.ts";

/** By each requirement that a check cites. */
export type Outcomes = ReadonlyMap<RequirementId, CheckOutcome>;

export interface VerdictsOptions {
  readonly target: Target;
  readonly clock: Clock;
  /** Whether implied requirements fail on vendors too. */
  readonly impliedFails: boolean;
  readonly ledger: Ledger;
  /** Why nothing of a feature counts as verified; null where nothing speaks against it so far. */
  readonly doubtOn: (feature: Feature) => string | null;
}

export class Verdicts {
  readonly #options: VerdictsOptions;
  /** The planned checks that cite each requirement, in the order of the plan. */
  readonly #checksOf = new Map<RequirementId, Check[]>();
  readonly #outcomes = new Map<Check, Outcomes>();

  constructor(checks: readonly Check[], options: VerdictsOptions) {
    this.#options = options;
    for (const check of checks)
      for (const id of citedBy(check)) this.#checksOf.set(id, [...(this.#checksOf.get(id) ?? []), check]);
  }

  get ids(): readonly RequirementId[] {
    return [...this.#checksOf.keys()];
  }

  record(check: Check, outcomes: Outcomes): void {
    this.#outcomes.set(check, outcomes);
  }

  outcomesOf(check: Check): Outcomes | undefined {
    return this.#outcomes.get(check);
  }

  isDone(id: RequirementId): boolean {
    return this.#checks(id).every((check) => this.#outcomes.has(check));
  }

  /** So far: later exchanges may still break the requirement, whatever check causes them. */
  of(id: RequirementId): Verdict {
    const { target, clock, impliedFails, ledger, doubtOn } = this.#options;
    const [requirement, checks] = [requirementOf(target.interface, id), this.#checks(id)];
    const breaches = ledger.breachesOf(id);
    const verdict = verdictOf({
      requirement,
      enforced: enforcementOf(requirement, target, impliedFails, breaches),
      outcomes: countingOutcomes(id, checks, this.#outcomes),
      breaches,
      exchanges: [...new Set(checks.flatMap((check) => ledger.exchangesOf(check)))],
      deviation: target.deviations.find(({ requirement: known }) => known === id),
      ran: (other) => this.#wasJudged(other),
      today: new Date(clock.now_ms()).toISOString().slice(0, 10),
      doubt: checks.map(({ feature }) => doubtOn(feature)).find((doubt) => doubt !== null) ?? null,
    });
    return { ...verdict, checks: triedOf(id, checks, this.#outcomes, target.interface) };
  }

  #wasJudged(id: RequirementId): boolean {
    return this.#checks(id).some((check) =>
      ["held", "broken"].includes(this.#outcomes.get(check)?.get(id)?.is ?? "withheld"),
    );
  }

  #checks(id: RequirementId): readonly Check[] {
    return this.#checksOf.get(id) ?? [];
  }
}

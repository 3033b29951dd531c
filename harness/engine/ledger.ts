// The ledger: findings of all laws on every exchange, and the outcomes of checks.
import type { Finding } from "../core/finding.ts";
import type { RequirementId } from "../core/interface.ts";
import { type Check, citedBy, type Shown } from "../model/check.ts";
import type { Law } from "../model/law.ts";
import type { CheckOutcome } from "../model/narrowing.ts";
import type { Breach } from "../model/verdict.ts";
import { suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";

export class Ledger {
  readonly #laws: readonly Law[];
  readonly #findings = new Map<number, Map<RequirementId, Finding>>();
  readonly #breaches = new Map<RequirementId, Map<string, Breach>>();
  readonly #exchanges = new Map<Check, Exchange[]>();
  readonly #all: Exchange[] = [];
  /** The breaches that each check found itself. */
  readonly #shownBy = new Map<Check, readonly (readonly [RequirementId, string])[]>();

  constructor(laws: readonly Law[]) {
    this.#laws = laws;
  }

  /**
   * Judges an exchange by all laws; each exchange is entered once.
   * @param counts false where it is suspicious and unconfirmed: no law judges it then
   */
  enter(exchange: Exchange, counts: boolean, causedBy: Check | null): void {
    const found = new Map<RequirementId, Finding>();
    this.#findings.set(exchange.number, found);
    this.#all.push(exchange);
    if (!counts) return;
    for (const law of this.#laws) {
      for (const [id, finding] of law.judge(exchange)) {
        if (found.get(id)?.outcome !== "broken") found.set(id, finding);
        this.#record(id, finding, exchange, causedBy);
      }
    }
  }

  /** Forgets the exchanges of an earlier run of the check. */
  begin(check: Check): void {
    this.#exchanges.set(check, []);
  }

  get exchanges(): readonly Exchange[] {
    return this.#all;
  }

  note(check: Check, exchange: Exchange): void {
    this.#exchanges.get(check)?.push(exchange);
  }

  exchangesOf(check: Check): readonly number[] {
    return (this.#exchanges.get(check) ?? []).map(({ number }) => number);
  }

  breachesOf(id: RequirementId): readonly Breach[] {
    return [...(this.#breaches.get(id)?.values() ?? [])];
  }

  get brokenIds(): readonly RequirementId[] {
    return [...this.#breaches.keys()];
  }

  /** Adds a finding of the charge audit, which is no check. */
  find(id: RequirementId, { finding, exchange }: Shown): void {
    this.#record(id, finding, exchange, null);
  }

  /** Takes back what a check found by counting, since others were counted with it; laws' findings stay. */
  withdraw(check: Check): void {
    for (const [id, name] of this.#shownBy.get(check) ?? []) {
      const breaches = this.#breaches.get(id);
      breaches?.delete(name);
      if (breaches?.size === 0) this.#breaches.delete(id);
    }
  }

  /** The outcomes of a check, by requirement, from its own findings and those of laws on its exchanges. */
  conclude(check: Check, shown: readonly Shown[]): ReadonlyMap<RequirementId, CheckOutcome> {
    const isAbout = ({ about }: Shown, id: RequirementId): boolean => about?.includes(id) ?? true;
    const recorded = shown.flatMap((one) =>
      check.ids
        .filter((cited) => isAbout(one, cited))
        .map((id) => [id, this.#record(id, one.finding, one.exchange, check)] as const),
    );
    this.#shownBy.set(check, recorded);
    const brokeFor = (one: Shown): readonly RequirementId[] =>
      one.finding.outcome === "broken" ? check.ids.filter((id) => isAbout(one, id)) : [];
    const brokenIds = new Set(shown.flatMap(brokeFor));
    return new Map(
      citedBy(check).map((id) => {
        const seen = (this.#exchanges.get(check) ?? []).flatMap(
          ({ number }) => this.#findings.get(number)?.get(id) ?? [],
        );
        return [
          id,
          check.ids.includes(id) ? proved(id, shown, seen, brokenIds) : this.#exercised(check, seen, brokenIds),
        ] as const;
      }),
    );
  }

  #exercised(check: Check, seen: readonly Finding[], brokenIds: ReadonlySet<RequirementId>): CheckOutcome {
    if (seen.some(({ outcome }) => outcome === "broken")) return { is: "broken" };
    if (brokenIds.size > 0) return maskedBy(brokenIds);
    const failed = (this.#exchanges.get(check) ?? []).map(suspicion).find((cause) => cause !== null);
    if (seen.length === 0 && failed) return { is: "inconclusive", reason: `not exercised: ${failed}` };
    const statuses = (this.#exchanges.get(check) ?? []).map(({ answer }) => answer?.status ?? "no answer");
    return seen.length > 0
      ? heldBy(seen)
      : { is: "withheld", reason: `not exercised (answered ${[...new Set(statuses)].join(", ")})` };
  }

  /** Returns the name of the breach. */
  #record(id: RequirementId, finding: Finding, exchange: Exchange, check: Check | null): string {
    if (finding.outcome !== "broken") return "";
    const breaches = this.#breaches.get(id) ?? new Map<string, Breach>();
    this.#breaches.set(id, breaches);
    const causedBy = check ? citedBy(check).slice(0, 1) : [];
    const name = `${exchange.number} ${finding.at}`;
    breaches.set(name, { ...finding, exchange: exchange.number, causedBy });
    return name;
  }
}

const maskedBy = (ids: ReadonlySet<RequirementId>): CheckOutcome => ({
  is: "withheld",
  reason: `masked: ${[...ids].join(", ")} is broken`,
});

function proved(
  id: RequirementId,
  shown: readonly Shown[],
  seen: readonly Finding[],
  brokenIds: ReadonlySet<RequirementId>,
): CheckOutcome {
  if (brokenIds.has(id) || seen.some(({ outcome }) => outcome === "broken")) return { is: "broken" };
  if (brokenIds.size > 0) return maskedBy(brokenIds);
  return shown.length > 0
    ? heldBy(shown.map(({ finding }) => finding))
    : { is: "withheld", reason: "nothing was judged" };
}

/** Held, with what the findings left out. */
function heldBy(findings: readonly Finding[]): CheckOutcome {
  const untried = findings.flatMap((one) => (one.outcome === "held" ? (one.untried ?? []) : []));
  return { is: "held", ...(untried.length > 0 ? { untried } : {}) };
}

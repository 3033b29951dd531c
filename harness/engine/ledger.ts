// The ledger: findings of all laws on every exchange, and the outcomes of checks.
import { type Finding, shownBroken } from "../core/finding.ts";
import type { RequirementId } from "../core/interface.ts";
import { valueAt } from "../core/json.ts";
import { unlike } from "../core/quoting.ts";
import type { Redactor } from "../core/secret.ts";
import { type Check, citedBy, type Shown } from "../model/check.ts";
import type { Law } from "../model/law.ts";
import type { CheckOutcome } from "../model/narrowing.ts";
import type { Breach } from "../model/verdict.ts";
import { hindranceOf, isServed, suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { returnedBy } from "../transport/fates.ts";
import { RepeatedRefusals } from "./refusals.ts";

interface Recorded {
  readonly breach: Breach;
  /** The check that found it itself; null where a law or the charge audit did. */
  readonly foundBy: Check | null;
}

/** Of a requirement that is about many members, a few tell what is missing. */
const mostLacked = 3;

export class Ledger {
  readonly #laws: readonly Law[];
  readonly #redact: Redactor;
  readonly #findings = new Map<number, Map<RequirementId, Finding>>();
  /** By requirement, exchange and place. */
  readonly #breaches = new Map<RequirementId, Map<string, Recorded>>();
  readonly #exchanges = new Map<Check, Exchange[]>();
  readonly #all: Exchange[] = [];
  readonly #refusals = new RepeatedRefusals();

  constructor(laws: readonly Law[], redact: Redactor) {
    this.#laws = laws;
    this.#redact = redact;
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
    this.#refusals.note(exchange);
    for (const law of this.#laws) {
      for (const [id, finding] of law.judge(exchange)) {
        if (found.get(id)?.outcome !== "broken") found.set(id, finding);
        this.#record(id, { finding, exchange }, causedBy);
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

  exchangesOf(check: Check): readonly Exchange[] {
    return this.#exchanges.get(check) ?? [];
  }

  breachesOf(id: RequirementId): readonly Breach[] {
    return [...(this.#breaches.get(id)?.values() ?? [])].map(({ breach }) => breach);
  }

  get brokenIds(): readonly RequirementId[] {
    return [...this.#breaches.keys()];
  }

  /** Adds a finding of the charge audit, which isn't a check. */
  find(id: RequirementId, shown: Shown): void {
    this.#record(id, shown, null);
  }

  /** Lets the form of most refusals decide whose they are, once all checks have run. */
  settle(): void {
    this.#refusals.settle();
  }

  /** Takes back what a check found by counting, since others were counted with it; laws' findings stay. */
  withdraw(check: Check): void {
    for (const [id, breaches] of this.#breaches) {
      for (const [name, { foundBy }] of breaches) if (foundBy === check) breaches.delete(name);
      if (breaches.size === 0) this.#breaches.delete(id);
    }
  }

  /** The outcomes of a check, by requirement, from its own findings and those of laws on its exchanges. */
  conclude(check: Check, found: readonly Shown[]): ReadonlyMap<RequirementId, CheckOutcome> {
    const doubtOn = ({ finding, exchange }: Shown): string | null =>
      finding.outcome === "broken" ? this.#refusals.doubtOn(exchange) : null;
    const [outcome] = found.flatMap((one) => doubtOn(one) ?? []);
    const shown = found.filter((one) => doubtOn(one) === null);
    const idsOf = ({ about }: Shown): readonly RequirementId[] =>
      about ? check.ids.filter((id) => about.includes(id)) : check.ids;
    for (const one of shown) for (const id of idsOf(one)) this.#record(id, one, check, check);
    const brokenIds = new Set(shown.flatMap((one) => (one.finding.outcome === "broken" ? idsOf(one) : [])));
    const shownOf = (id: RequirementId) => shown.filter((one) => idsOf(one).includes(id));
    return new Map(
      citedBy(check).map((id) => [
        id,
        outcome !== undefined && check.ids.includes(id) && !brokenIds.has(id)
          ? { is: "inconclusive", reason: { kind: "doubtful", outcome } }
          : this.#outcomeOf(check, id, shownOf(id), brokenIds),
      ]),
    );
  }

  #outcomeOf(
    check: Check,
    id: RequirementId,
    shown: readonly Shown[],
    brokenIds: ReadonlySet<RequirementId>,
  ): CheckOutcome {
    const exchanges = this.exchangesOf(check);
    const seen = exchanges.flatMap(({ number }) => this.#findings.get(number)?.get(id) ?? []);
    if (brokenIds.has(id) || seen.some(({ outcome }) => outcome === "broken")) return { is: "broken" };
    if (brokenIds.size > 0) return { is: "withheld", reason: { kind: "hidden", by: [...brokenIds] } };
    const isProved = check.ids.includes(id);
    const findings = isProved ? shown.map(({ finding }) => finding) : seen;
    if (findings.length > 0) return heldBy(findings);
    if (isProved) return { is: "withheld", reason: { kind: "nothingJudged" } };
    const failed = exchanges.map(suspicion).find((cause) => cause !== null);
    if (failed) return { is: "inconclusive", reason: { kind: "masked", detail: failed } };
    const lag = exchanges.find((exchange) => hindranceOf(exchange) === "lag");
    if (lag) return { is: "withheld", reason: { kind: "behind", returned: returnedBy(lag) } };
    const returned = exchanges.map((one) => (isServed(one) ? String(one.answer?.status) : returnedBy(one)));
    const lacked = this.#lackedIn(exchanges, id);
    const reason = { kind: "notContained", returned: unlike(returned), ...(lacked.length > 0 && { lacked }) } as const;
    return { is: "withheld", reason };
  }

  /** The outermost members that a requirement is about, and that no such answer has. */
  #lackedIn(exchanges: readonly Exchange[], id: RequirementId): readonly string[] {
    const all = exchanges.flatMap((exchange) => this.#laws.flatMap((law) => law.lackedIn?.(exchange, id) ?? []));
    const isContained = (at: string): boolean =>
      exchanges.some(({ answer }) => valueAt(answer?.json?.value, at.replaceAll("*", "0")) !== undefined);
    const lacked = [...new Set(all)].filter((at) => !isContained(at));
    return lacked.filter((at) => !lacked.some((other) => at.startsWith(`${other}/`))).slice(0, mostLacked);
  }

  #record(id: RequirementId, { finding, exchange }: Shown, check: Check | null, foundBy: Check | null = null): void {
    if (finding.outcome !== "broken") return;
    const breaches = this.#breaches.get(id) ?? new Map<string, Recorded>();
    this.#breaches.set(id, breaches);
    const causedBy = check ? citedBy(check).slice(0, 1) : [];
    const breach = { ...shownBroken(finding, this.#redact), exchange: exchange.number, causedBy };
    breaches.set(`${exchange.number} ${finding.at}`, { breach, foundBy });
  }
}

/** Held, with what the findings left out. */
function heldBy(findings: readonly Finding[]): CheckOutcome {
  const untried = findings.flatMap((one) => one.untried ?? []);
  return { is: "held", ...(untried.length > 0 ? { untried } : {}) };
}

// Assumptions: a breach that rests alone on a sample that may not exist there is withheld.
import { Withheld } from "../core/outcomes.ts";
import type { Reason } from "../core/reason.ts";
import { calledBy } from "../core/requestSpec.ts";
import { dottedPath } from "../core/template.ts";
import type { Shown } from "../model/check.ts";
import type { Assumption, Target } from "../targets/target.ts";
import { isServed } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";

export class Assumptions {
  readonly #target: Pick<Target, "assumptions" | "interface">;
  /** By operation: what one knows another needn't. */
  readonly #confirmed = new Set<string>();

  constructor(target: Pick<Target, "assumptions" | "interface">) {
    this.#target = target;
  }

  /** A served request confirms the assumptions that it rests on, for its operation. */
  note(exchange: Exchange): void {
    if (isServed(exchange)) for (const name of this.#restsOn(exchange).keys()) this.#confirmed.add(name);
  }

  /** Why a refusal proves no breach: nothing confirms the assumption that it rests on. Else null. */
  unsettledIn(exchange: Exchange): Reason | null {
    if (isServed(exchange)) return null;
    const [, assumption] = [...this.#restsOn(exchange)].find(([name]) => !this.#confirmed.has(name)) ?? [];
    if (!assumption) return null;
    const { at, value, source } = assumption;
    return { kind: "assumption", at: dottedPath(at), value, source, member: dottedPath(at.replace(/\/\d+$/, "")) };
  }

  /** Findings that rest on no unsettled assumption. @throws Withheld where all that speaks against the platform does */
  settledOf(shown: readonly Shown[]): readonly Shown[] {
    const unsettled = shown.map((one) => (one.finding.outcome === "broken" ? this.unsettledIn(one.exchange) : null));
    const others = shown.filter((_, nth) => unsettled[nth] === null);
    const reason = unsettled.find((one) => one !== null);
    if (reason && others.every(({ finding }) => finding.outcome === "held")) throw new Withheld(reason);
    return others;
  }

  #restsOn({ requestSpec, sent }: Exchange): ReadonlyMap<string, Assumption> {
    const { assumptions = [], interface: tables } = this.#target;
    if (assumptions.length === 0) return new Map();
    const operation = calledBy(requestSpec, tables);
    const isIn = ({ value, restsIn }: Assumption): boolean =>
      restsIn === operation || sent.url.includes(value) || (sent.body?.includes(value) ?? false);
    return new Map(assumptions.filter(isIn).map((assumption) => [`${operation} ${assumption.at}`, assumption]));
  }
}

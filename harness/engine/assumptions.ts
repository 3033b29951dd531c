// Public facts in a run: a breach that rests on one alone, which may be false there, is a question.
import { Withheld } from "../core/outcomes.ts";
import { calledBy } from "../core/stimulus.ts";
import { dottedPath } from "../core/template.ts";
import type { Shown } from "../model/check.ts";
import type { Fact, Target } from "../target/target.ts";
import { isServed } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";

export class Facts {
  readonly #target: Pick<Target, "facts" | "interface">;
  /** By operation: what one knows another needn't. */
  readonly #confirmed = new Set<string>();

  constructor(target: Pick<Target, "facts" | "interface">) {
    this.#target = target;
  }

  /** A served request confirms the facts that it rests on, for its operation. */
  note(exchange: Exchange): void {
    if (isServed(exchange)) for (const name of this.#restsOn(exchange).keys()) this.#confirmed.add(name);
  }

  /** Why a refusal is a question, not a breach: nothing confirms the public fact that it rests on. Else null. */
  questionOf(exchange: Exchange): string | null {
    if (isServed(exchange)) return null;
    const [, fact] = [...this.#restsOn(exchange)].find(([name]) => !this.#confirmed.has(name)) ?? [];
    if (!fact) return null;
    const [place, member] = [dottedPath(fact.at), dottedPath(fact.at.replace(/\/\d+$/, ""))];
    return `\`${place}\` ${fact.value} (${fact.source}) may be unknown there: give \`${member}\``;
  }

  /** Findings without questions. @throws Withheld where nothing but a question speaks against the platform */
  answered(shown: readonly Shown[]): readonly Shown[] {
    const questions = shown.map((one) => (one.finding.outcome === "broken" ? this.questionOf(one.exchange) : null));
    const others = shown.filter((_, nth) => questions[nth] === null);
    const question = questions.find((one) => one !== null);
    if (question && others.every(({ finding }) => finding.outcome === "held")) throw new Withheld(question);
    return others;
  }

  #restsOn({ stimulus, sent }: Exchange): ReadonlyMap<string, Fact> {
    const { facts = [], interface: tables } = this.#target;
    if (facts.length === 0) return new Map();
    const operation = calledBy(stimulus, tables);
    const isIn = ({ value, restsIn }: Fact): boolean =>
      restsIn === operation || sent.url.includes(value) || (sent.body?.includes(value) ?? false);
    return new Map(facts.filter(isIn).map((fact) => [`${operation} ${fact.at}`, fact]));
  }
}

// What do answers say of limits, how much was served within a second, and how often were we refused for our rate?
import type { Run } from "../../harness/run.ts";
import type { LimitChange, LimitMet } from "./comparison.ts";
import { type Answer, plainAnswers } from "./questions.ts";

/** Fields that state a limit; what remains of it, and until when, changes with each answer. */
const stating = /^(x-)?ratelimit-(limit|policy)(-[a-z]+)?$/i;

/** By who asked: `x-ratelimit-limit: 5`. */
function statedIn(answers: readonly Answer[]): ReadonlyMap<string, ReadonlySet<string>> {
  const stated = new Map<string, Set<string>>();
  for (const { asker, answer } of answers) {
    const texts = answer.headers.flatMap(([name, value]) => (stating.test(name) ? [`${name.toLowerCase()}: ${value}`] : []));
    stated.set(asker ?? "nobody", new Set([...(stated.get(asker ?? "nobody") ?? []), ...texts]));
  }
  return stated;
}

const window_ms = 1_000;

function metIn(answers: readonly Answer[]): LimitMet {
  const served_ms = answers.filter(({ outcome }) => outcome === "served").map(({ sentAt }) => Date.parse(sentAt));
  served_ms.sort((a, b) => a - b);
  let [mostServed, first] = [0, 0];
  for (const [last, at_ms] of served_ms.entries()) {
    while (at_ms - (served_ms[first] ?? 0) >= window_ms) first += 1;
    mostServed = Math.max(mostServed, last - first + 1);
  }
  return { mostServed, throttled: answers.filter(({ outcome }) => outcome === "throttled").length };
}

const byOperation = (run: Run): ReadonlyMap<string, readonly Answer[]> => {
  const groups = new Map<string, Answer[]>();
  for (const answer of plainAnswers(run)) groups.set(answer.operation, [...(groups.get(answer.operation) ?? []), answer]);
  return groups;
};

/** Operations that both runs asked; limits are compared asker by asker, as plans have their own. */
export function limitChangesBetween(base: Run, head: Run): readonly LimitChange[] {
  const before = byOperation(base);
  return [...byOperation(head)].flatMap(([operation, answers]): LimitChange[] => {
    const then = before.get(operation);
    if (!then) return [];
    const [was, is] = [statedIn(then), statedIn(answers)];
    const askers = [...is.keys()].filter((asker) => was.has(asker));
    const of = (stated: ReadonlyMap<string, ReadonlySet<string>>): string[] => [...new Set(askers.flatMap((asker) => [...(stated.get(asker) ?? [])]))].sort();
    const isOther = (asker: string): boolean => {
      const [some, others] = [was.get(asker) ?? new Set<string>(), is.get(asker) ?? new Set<string>()];
      return some.size + others.size > 0 && ![...others].some((text) => some.has(text));
    };
    return [{ operation, stated: { was: of(was), is: of(is) }, wasMet: metIn(then), isMet: metIn(answers), isTold: askers.some(isOther) }];
  });
}

// What do answers say of limits, how much was served within a second, and how often were we refused for our rate?
import type { Run } from "../../harness/record/run.ts";
import type { LimitChange, LimitMet } from "./comparison.ts";
import { type Answer, answeredInBoth, plainAnswers } from "./questions.ts";

/** Fields that state a limit; what remains of it, and until when, changes with each answer. */
const stating = /^(x-)?ratelimit-(limit|policy)(-[a-z]+)?$/i;

/** By who asked: `x-ratelimit-limit: 5`. */
function statedIn(answers: readonly Answer[]): ReadonlyMap<string, ReadonlySet<string>> {
  const stated = new Map<string, Set<string>>();
  for (const { asker, answer } of answers) {
    const texts = answer.headers.flatMap(([name, value]) =>
      stating.test(name) ? [`${name.toLowerCase()}: ${value}`] : [],
    );
    stated.set(asker ?? "anonymous", new Set([...(stated.get(asker ?? "anonymous") ?? []), ...texts]));
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

const everything = (): boolean => true;

/** Operations that both runs asked; limits are compared asker by asker, as plans have their own, and in answers to the same questions. */
export function limitChangesBetween(base: Run, head: Run): readonly LimitChange[] {
  const groups = answeredInBoth(base, head, everything, ({ operation }) => operation);
  return [...groups].map(([operation, both]): LimitChange => {
    const [was, is] = [statedIn(both.flatMap((one) => one.was)), statedIn(both.flatMap((one) => one.is))];
    const of = (stated: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
      [...new Set([...stated.values()].flatMap((texts) => [...texts]))].sort();
    const isOther = (asker: string): boolean => {
      const [some, others] = [was.get(asker), is.get(asker)];
      return (
        some !== undefined &&
        others !== undefined &&
        some.size + others.size > 0 &&
        ![...others].some((text) => some.has(text))
      );
    };
    const met = (run: Run): LimitMet => metIn(plainAnswers(run).filter((answer) => answer.operation === operation));
    return {
      operation,
      stated: { was: of(was), is: of(is) },
      wasMet: met(base),
      isMet: met(head),
      isReported: [...is.keys()].some(isOther),
    };
  });
}

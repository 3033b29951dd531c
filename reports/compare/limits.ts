// Changes of rate limits: stated by answers, and met by requests.
import type { Run } from "../../harness/record/run.ts";
import { groupedBy } from "../lists.ts";
import { peakOf } from "../traffic.ts";
import type { LimitChange, LimitMet } from "./comparison.ts";
import { type AnsweredRecord, answeredInBoth, plainAnswers } from "./questions.ts";

/** Headers that state a limit; the remaining amount and the reset time change with each answer. */
const stating = /^(x-)?ratelimit-(limit|policy)(-[a-z]+)?$/i;

/** By role, or `null` without a key: `x-ratelimit-limit: 5`. */
function statedIn(answers: readonly AnsweredRecord[]): ReadonlyMap<string, ReadonlySet<string>> {
  const textsIn = ({ answer }: AnsweredRecord): readonly string[] =>
    answer.headers.flatMap(([name, value]) => (stating.test(name) ? [`${name.toLowerCase()}: ${value}`] : []));
  const byRole = groupedBy(answers, ({ asker }) => String(asker));
  return new Map([...byRole].map(([role, group]) => [role, new Set(group.flatMap(textsIn))]));
}

const metIn = (answers: readonly AnsweredRecord[]): LimitMet => ({
  mostServed: peakOf(answers.filter(({ outcome }) => outcome === "served").map(({ sentAt }) => Date.parse(sentAt))),
  throttled: answers.filter(({ outcome }) => outcome === "throttled").length,
});

/** Stated limits are compared role by role, because plans have their own, and in answers to the same requests. */
export function limitChangesBetween(base: Run, head: Run): readonly LimitChange[] {
  const groups = answeredInBoth(
    base,
    head,
    () => true,
    ({ operation }) => operation,
  );
  return [...groups].map(([operation, both]): LimitChange => {
    const was = statedIn(both.flatMap((one) => one.was));
    const is = statedIn(both.flatMap((one) => one.is));
    const of = (stated: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
      [...new Set([...stated.values()].flatMap((texts) => [...texts]))].sort();
    const isChanged = (role: string): boolean => {
      const some = was.get(role);
      const others = is.get(role);
      if (!some || !others || some.size + others.size === 0) return false;
      return ![...others].some((text) => some.has(text));
    };
    const met = (run: Run): LimitMet => metIn(plainAnswers(run).filter((answer) => answer.operation === operation));
    return {
      operation,
      stated: { was: of(was), is: of(is) },
      wasMet: met(base),
      isMet: met(head),
      isReported: [...is.keys()].some(isChanged),
    };
  });
}

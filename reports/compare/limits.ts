// Changes of rate limits: stated by answers, and met by requests.
import { type MeasuredLimit, measuredLimitText } from "../../harness/model/measuredLimit.ts";
import type { Run } from "../../harness/record/run.ts";
import { groupedBy } from "../lists.ts";
import { peakOf } from "../traffic.ts";
import type { Both, LimitChange, LimitMet } from "./comparedFigures.ts";
import { type AnsweredRecord, answeredInBoth, plainAnswers } from "./questions.ts";

/** Headers that state a limit; the remaining amount and the reset time change with each answer. */
const stating = /^(x-)?ratelimit-(limit|policy)(-[a-z]+)?$/i;

/**
 * What plain answers of a run state: `5 in 1 s`, or the header where none names a period; with its requests per second.
 */
export function limitsStatedIn(run: Run): ReadonlyMap<string, number | null> {
  const texts = [...statedIn(plainAnswers(run)).values()].flatMap((some) => [...some]).sort();
  const policies = texts.flatMap((text) => policyIn(text) ?? []);
  return policies.length > 0
    ? new Map(policies.map((policy) => [measuredLimitText(policy), policy.most / policy.window_s]))
    : new Map(texts.map((text) => [text, null]));
}

/** By role, or `null` without a key: `x-ratelimit-limit: 5`. */
function statedIn(answers: readonly AnsweredRecord[]): ReadonlyMap<string, ReadonlySet<string>> {
  const textsIn = ({ answer }: AnsweredRecord): readonly string[] =>
    answer.headers.flatMap(([name, value]) => (stating.test(name) ? [`${name.toLowerCase()}: ${value}`] : []));
  const byRole = groupedBy(answers, ({ asker }) => String(asker));
  return new Map([...byRole].map(([role, group]) => [role, new Set(group.flatMap(textsIn))]));
}

/**
 * A policy that names its period: `5;w=1`, or `"a";q=5;w=1`
 * (draft-ietf-httpapi-ratelimit-headers); null where it doesn't.
 */
function policyIn(text: string): MeasuredLimit | null {
  const [, count, alone, seconds] = /^ratelimit-policy: (?:[^;,]*;q=(\d+)|(\d+));w=(\d+)$/.exec(text) ?? [];
  return Number(seconds) > 0 ? { most: Number(count ?? alone), window_s: Number(seconds) } : null;
}

function rateIn(text: string): number | null {
  const policy = policyIn(text);
  return policy && policy.most / policy.window_s;
}

/** Which allows more to every role whose limits changed; null where one doesn't, or a period isn't known. */
function higherOf(roles: readonly Both<ReadonlySet<string>>[]): "was" | "is" | null {
  const rateOf = (texts: ReadonlySet<string>): number | null => {
    const rates = [...texts].flatMap((text) => rateIn(text) ?? []);
    return rates.length === 1 ? (rates[0] ?? null) : null;
  };
  const sides = roles.map(({ was: before, is: after }) => {
    const [was, is] = [rateOf(before), rateOf(after)];
    return was === null || is === null || was === is ? null : was > is ? "was" : "is";
  });
  const [first = null] = sides;
  return sides.every((side) => side === first) ? first : null;
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
    const changed = [...is].flatMap(([role, others]) => {
      const some = was.get(role);
      if (!some || some.size + others.size === 0 || [...others].some((text) => some.has(text))) return [];
      return [{ was: some, is: others }];
    });
    const higher = higherOf(changed);
    const met = (run: Run): LimitMet => metIn(plainAnswers(run).filter((answer) => answer.operation === operation));
    return {
      operation,
      stated: { was: of(was), is: of(is) },
      wasMet: met(base),
      isMet: met(head),
      isReported: changed.length > 0,
      ...(higher === null ? {} : { higher }),
    };
  });
}

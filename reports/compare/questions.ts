// Which answers can be compared? Those to questions that both runs asked, of projects that were left as they are.
import type { ExchangeRecord } from "../../harness/record/journal.ts";
import type { Run } from "../../harness/record/run.ts";

/** An exchange with a documented operation that was answered. */
export type Answer = ExchangeRecord & {
  readonly operation: string;
  readonly answer: NonNullable<ExchangeRecord["answer"]>;
};

/** What a made project shows is the doing of its scenario. */
const isPlain = (one: ExchangeRecord): one is Answer =>
  one.operation !== null && one.answer !== null && one.asker?.startsWith("made-") !== true;

/** What both runs were told alike in kind, group by group: under one name the answers of the one and of the other. */
export interface Both {
  readonly was: readonly Answer[];
  readonly is: readonly Answer[];
}

const gathered = (
  answers: readonly Answer[],
  nameOf: (answer: Answer) => string,
): ReadonlyMap<string, readonly Answer[]> => {
  const groups = new Map<string, Answer[]>();
  for (const answer of answers) groups.set(nameOf(answer), [...(groups.get(nameOf(answer)) ?? []), answer]);
  return groups;
};

/**
 * The same questions, answered with the same status and outcome in both runs, e.g. by operation.
 * @param isWanted which answers count
 * @param groupOf the group that an answer belongs to
 */
export function answeredInBoth(
  base: Run,
  head: Run,
  isWanted: (answer: Answer) => boolean,
  groupOf: (answer: Answer) => string,
): ReadonlyMap<string, readonly Both[]> {
  const questionOf = (answer: Answer): string =>
    `${groupOf(answer)} ${answer.stimulus} ${answer.answer.status} ${answer.outcome}`;
  const answersIn = ({ exchanges }: Run) => gathered(exchanges.filter(isPlain).filter(isWanted), questionOf);
  const [before, after] = [answersIn(base), answersIn(head)];
  const groups = new Map<string, Both[]>();
  for (const [question, is] of after) {
    const was = before.get(question);
    const group = is[0] && groupOf(is[0]);
    if (was && group !== undefined) groups.set(group, [...(groups.get(group) ?? []), { was, is }]);
  }
  return groups;
}

/** Every plain answer of one run. */
export const plainAnswers = ({ exchanges }: Run): readonly Answer[] => exchanges.filter(isPlain);

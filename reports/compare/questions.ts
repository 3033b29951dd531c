// Comparable answers: to requests that both runs sent, of projects that no scenario changed.
import type { ExchangeRecord } from "../../harness/record/journal.ts";
import type { Run } from "../../harness/record/run.ts";
import { groupedBy } from "../lists.ts";
import type { Both } from "./comparedFigures.ts";

/** An answered exchange of a documented operation. */
export type AnsweredRecord = ExchangeRecord & {
  readonly operation: string;
  readonly answer: NonNullable<ExchangeRecord["answer"]>;
};

/** Answers of an isolated project depend on its scenario. */
const isPlain = (one: ExchangeRecord): one is AnsweredRecord =>
  one.operation !== null && one.answer !== null && one.asker?.startsWith("made-") !== true;

/** Answers of both runs to one request, with the same status and outcome. */
export type BothAnswers = Both<readonly [AnsweredRecord, ...AnsweredRecord[]]>;

/**
 * The same requests, answered with the same status and outcome in both runs, e.g. by operation.
 * @param isWanted which answers count
 * @param groupOf the group that an answer belongs to
 */
export function answeredInBoth(
  base: Run,
  head: Run,
  isWanted: (answer: AnsweredRecord) => boolean,
  groupOf: (answer: AnsweredRecord) => string,
): ReadonlyMap<string, readonly [BothAnswers, ...BothAnswers[]]> {
  const requestOf = (answer: AnsweredRecord): string =>
    `${groupOf(answer)} ${answer.stimulus} ${answer.answer.status} ${answer.outcome}`;
  const answersIn = (run: Run) => groupedBy(plainAnswers(run).filter(isWanted), requestOf);
  const before = answersIn(base);
  const after = answersIn(head);
  const both = [...after].flatMap(([request, is]) => {
    const was = before.get(request);
    return was ? [{ was, is }] : [];
  });
  return groupedBy(both, ({ is }) => groupOf(is[0]));
}

/** Every plain answer of one run. */
export const plainAnswers = ({ exchanges }: Run): readonly AnsweredRecord[] => exchanges.filter(isPlain);

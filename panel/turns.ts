// The order of polls, round by round.
import { weightedTurns } from "../harness/core/roundRobin.ts";
import { type PolledQuestion, picked } from "./questions.ts";

/** Enough that a round shows most of a workload, and few enough that rounds begin two seconds apart. */
const fewestPolls = 20;

/** Of a workload. @param questions how many there are */
export const pollsInRound = (questions: number): number => Math.max(fewestPolls, questions);

/** Polls in proportion to shares: of operations, and within each of its questions. */
function shareTurns(questions: readonly PolledQuestion[]): () => readonly PolledQuestion[] {
  const sharesOf = (all: readonly PolledQuestion[]): number[] => all.map(({ share = 0 }) => share);
  const operations = [...new Set(questions.map(({ operation }) => operation))].map((id) => {
    const own = questions.filter(({ operation }) => operation === id);
    return { own, share: sharesOf(own).reduce((total, share) => total + share, 0), next: weightedTurns(sharesOf(own)) };
  });
  const next = weightedTurns(operations.map(({ share }) => share));
  const nextPoll = (): readonly PolledQuestion[] => {
    const turn = operations[next()];
    const question = turn?.own[turn.next()];
    return question ? [question] : [];
  };
  return () => Array.from({ length: pollsInRound(questions.length) }, nextPoll).flat();
}

/**
 * The polls of one round after the other, each in an order that the seed gives: each question once, or a workload's by
 * their shares. What is rare comes in a later round: shares hold over all rounds.
 */
export function turnsOf(questions: readonly PolledQuestion[], seed: number): (round: number) => typeof questions {
  const isWorkload = questions.some(({ share }) => share !== undefined);
  const pollsOf = isWorkload ? shareTurns(questions) : () => questions;
  return (round) => {
    const polls = pollsOf();
    return picked(polls, polls.length, seed + round);
  };
}

// The order of polls, round by round.
import { sum } from "simple-statistics";
import { weightedTurns } from "../harness/core/roundRobin.ts";
import { type PolledQuestion, picked } from "./questions.ts";

/** Enough that a round shows most of a workload, and few enough that rounds begin two seconds apart. */
const fewestPolls = 20;

/** Of a workload. @param questions how many there are */
const pollsInRound = (questions: number): number => Math.max(fewestPolls, questions);

/** Whether they are a workload's, which has shares. */
const haveShares = (questions: readonly PolledQuestion[]): boolean =>
  questions.some(({ share }) => share !== undefined);

/** How often an operation is called in so many rounds, at most: turns never exceed a share by a whole call. */
export function mostCallsIn(questions: readonly PolledQuestion[], operation: string, rounds: number): number {
  const own = questions.filter((question) => question.operation === operation);
  const inRound = haveShares(questions)
    ? pollsInRound(questions.length) * sum(own.map(({ share = 0 }) => share))
    : own.length;
  // Shares are added up in floating point.
  return Math.ceil(rounds * inRound - 1e-6);
}

/** Polls in proportion to shares: of operations, and within each of its questions. */
function shareTurns(questions: readonly PolledQuestion[]): () => readonly PolledQuestion[] {
  const sharesOf = (all: readonly PolledQuestion[]): number[] => all.map(({ share = 0 }) => share);
  const operations = [...new Set(questions.map(({ operation }) => operation))].map((id) => {
    const own = questions.filter(({ operation }) => operation === id);
    return { own, share: sum(sharesOf(own)), next: weightedTurns(sharesOf(own)) };
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
  const pollsOf = haveShares(questions) ? shareTurns(questions) : () => questions;
  return (round) => {
    const polls = pollsOf();
    return picked(polls, polls.length, seed + round);
  };
}

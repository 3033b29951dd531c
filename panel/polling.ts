// Rounds of polls: each puts one question to all vendors at the same time, as fast as the slowest allows.
import type { Clock } from "../harness/core/clock.ts";
import { BudgetSpent, Inconclusive } from "../harness/core/outcomes.ts";
import { unmetNeedToObserve } from "../harness/engine/unmetNeeds.ts";
import type { Target } from "../harness/targets/target.ts";
import type { ConnectionTimes } from "../harness/transport/connectionTimes.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import type { Transport } from "../harness/transport/transport.ts";
import { Attendance } from "./attendance.ts";
import type { PolledQuestion } from "./questions.ts";
import { turnsOf } from "./turns.ts";

/** A vendor of the panel. */
export interface PanelMember {
  readonly target: Target;
  readonly transport: Transport;
  /** How many connections were made so far. */
  readonly connections: () => number;
  /** How long the latest took; null where nothing is known of it. */
  readonly latestConnection?: () => ConnectionTimes | null;
}

export interface Reply {
  /** The vendor's place in the panel. */
  readonly vendor: number;
  readonly exchange: Exchange;
  /** Unix time in ms. */
  readonly received_ms: number;
  /** Whether a connection was made for it. */
  readonly isCold: boolean;
  /** Of the connection that was made for it; null where none was, or nothing is known of it. */
  readonly connection: ConnectionTimes | null;
}

/** One question asked once. */
export interface Poll {
  readonly question: PolledQuestion;
  readonly round: number;
  readonly replies: readonly Reply[];
  /** Whether all were asked within 50 ms. */
  readonly isTogether: boolean;
}

const together_ms = 50;
/** Sooner, answers would show nothing new. */
const betweenRounds_ms = 2_000;

/** Others don't wait longer for a vendor that refuses requests at its own pace. */
const longestWait_ms = 250;

/** A signal, or the end of the time, isn't slept past for longer. */
const longestSleep_ms = 2_000;

export interface Rounds {
  readonly clock: Clock;
  readonly seed: number;
  /** Whether another round begins, and the present one goes on. */
  readonly goesOn: (round: number) => boolean;
  /** Whether it lasts for a time: all of that it waits for vendors that are left out. */
  readonly isTimed?: boolean;
  readonly attendance?: Attendance<PanelMember>;
  /** Hears what a vendor's reply threw, which is missing then; without it, that ends the rounds. */
  readonly onDefect?: ((error: unknown, vendor: number) => void) | undefined;
}

/** Whether a target offers what is asked, and has all that the request needs. */
const canAnswer = ({ target }: PanelMember, { requestSpec }: PolledQuestion): boolean =>
  unmetNeedToObserve(requestSpec, target) === null;

/**
 * Vendors that have spent their budget are asked no more; it ends where fewer than two are left. While others give no
 * answer, so that nothing can be put to two, it waits for them.
 */
export async function* rounds(
  members: readonly PanelMember[],
  questions: readonly PolledQuestion[],
  { clock, seed, goesOn, isTimed = false, attendance = new Attendance(clock), onDefect }: Rounds,
): AsyncGenerator<Poll> {
  const spent = new Set<PanelMember>();
  const offering = (question: PolledQuestion) => members.filter((member) => canAnswer(member, question));
  const shared = questions.filter((question) => offering(question).length > 1);
  const isAskable = (question: PolledQuestion): boolean =>
    offering(question).filter((member) => !spent.has(member) && !attendance.isResting(member)).length > 1;
  const turns = turnsOf(shared, seed);
  let next_ms = 0;
  for (let round = 0; shared.length > 0 && goesOn(round); round += 1) {
    await clock.sleep(next_ms - clock.now_ms());
    next_ms = clock.now_ms() + betweenRounds_ms;
    const polls = turns(round);
    for (const [nth, question] of polls.entries()) {
      if (!goesOn(round)) return;
      attendance.isGivenUp = members.length - spent.size < 2;
      if (attendance.isGivenUp) return;
      while (!shared.some(isAskable) && members.some((member) => attendance.isResting(member))) {
        const return_ms = attendance.nextReturn_ms(isTimed);
        attendance.isGivenUp = return_ms === null;
        if (return_ms === null) return;
        await clock.sleep(Math.min(longestSleep_ms, return_ms - clock.now_ms()));
        next_ms = clock.now_ms() + betweenRounds_ms;
        if (!goesOn(round)) return;
      }
      if (!isAskable(question)) continue;
      const turn = round * polls.length + nth;
      const size = members.length;
      const rotated = [...members.keys()].map((at) => (at + turn) % size);
      // The first to be asked is answered first: of two, each is so equally often, in a few polls already.
      const order = Math.floor(turn / size) % 2 === 0 ? rotated : rotated.reverse();
      const resting = offering(question).filter((member) => attendance.isResting(member));
      for (const member of resting) attendance.missed(member);
      const present = order.filter((vendor) => resting.every((member) => member !== members[vendor]));
      const replies = await repliesTo(question, members, clock, { spent, order: present, attendance, onDefect });
      const sent_ms = replies.map(({ exchange }) => exchange.sentAt_ms);
      yield { question, round, replies, isTogether: Math.max(...sent_ms) - Math.min(...sent_ms) <= together_ms };
    }
  }
}

interface PollOptions extends Pick<Rounds, "attendance" | "onDefect"> {
  /** Hears of vendors whose budget is spent. */
  readonly spent?: Set<PanelMember>;
  /** In which requests begin, by vendors' places; those without one aren't asked. */
  readonly order?: readonly number[];
}

/**
 * Of all vendors that can answer, and have a budget for it; they are asked once the slowest may be. One that refused
 * requests at the target's pace slows itself down: where two others are left, they don't wait for it.
 */
export async function repliesTo(
  question: PolledQuestion,
  members: readonly PanelMember[],
  clock: Clock,
  { spent, order = [...members.keys()], attendance, onDefect }: PollOptions = {},
): Promise<readonly Reply[]> {
  const { requestSpec } = question;
  const offering = order.flatMap((vendor) => {
    const member = members[vendor];
    if (!member || !canAnswer(member, question)) return [];
    return [{ vendor, member, turn_ms: member.transport.availableAt_ms(requestSpec) }];
  });
  const last_ms = Math.min(...offering.map(({ turn_ms }) => turn_ms)) + longestWait_ms;
  const late = offering.filter(({ member, turn_ms }) => member.transport.isRefused && turn_ms > last_ms);
  const asked = offering.length - late.length < 2 ? offering : offering.filter((one) => !late.includes(one));
  if (asked !== offering) for (const { member } of late) attendance?.leftOut(member, "limited");
  await clock.sleep(Math.max(...asked.map(({ turn_ms }) => turn_ms)) - clock.now_ms());
  const replies = asked.map(async ({ vendor, member }): Promise<Reply | null> => {
    const before = member.connections();
    const asked_ms = performance.now();
    try {
      const exchange = await member.transport.send(requestSpec);
      attendance?.heard(member, exchange.fault);
      const isCold = member.connections() > before;
      const latest = member.latestConnection?.() ?? null;
      // One that an earlier request began says nothing about the time that this one took.
      const connection = isCold && latest !== null && latest.began_ms >= asked_ms ? latest : null;
      return { vendor, exchange, received_ms: clock.now_ms(), isCold, connection };
    } catch (error) {
      if (error instanceof BudgetSpent) {
        spent?.add(member);
        attendance?.leftOut(member, "spent");
      } else if (!(error instanceof Inconclusive)) {
        if (onDefect === undefined) throw error;
        onDefect(error, vendor);
      }
      return null;
    }
  });
  return (await Promise.all(replies)).filter((reply) => reply !== null).sort((a, b) => a.vendor - b.vendor);
}

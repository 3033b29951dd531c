// Rounds of polls: each puts one question to all vendors at the same time, as fast as the slowest allows.
import type { Clock } from "../harness/core/clock.ts";
import { BudgetSpent, Inconclusive } from "../harness/core/outcomes.ts";
import type { Target } from "../harness/targets/target.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import type { Transport } from "../harness/transport/transport.ts";
import { type PolledQuestion, picked } from "./questions.ts";

/** A vendor of the panel. */
export interface PanelMember {
  readonly target: Target;
  readonly transport: Transport;
  /** How many connections were made so far. */
  readonly connections: () => number;
}

export interface Reply {
  /** The vendor's place in the panel. */
  readonly vendor: number;
  readonly exchange: Exchange;
  /** Unix time in ms. */
  readonly received_ms: number;
  /** Whether a connection was made for it. */
  readonly isCold: boolean;
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

/** `goesOn`: whether another round begins. */
type Rounds = { readonly clock: Clock; readonly seed: number; readonly goesOn: (round: number) => boolean };

const doesOffer = ({ target: { interface: tables, offers } }: PanelMember, operation: string): boolean =>
  tables.operations.some(({ id, feature }) => id === operation && offers.includes(feature));

/** Vendors that have spent their budget are asked no more; it ends where fewer than two are left. */
export async function* rounds(
  members: readonly PanelMember[],
  questions: readonly PolledQuestion[],
  { clock, seed, goesOn }: Rounds,
): AsyncGenerator<Poll> {
  const spent = new Set<PanelMember>();
  const shared = questions.filter(({ operation }) => members.filter((one) => doesOffer(one, operation)).length > 1);
  let next_ms = 0;
  for (let round = 0; shared.length > 0 && goesOn(round); round += 1) {
    await clock.sleep(next_ms - clock.now_ms());
    next_ms = clock.now_ms() + betweenRounds_ms;
    for (const [nth, question] of picked(shared, shared.length, seed + round).entries()) {
      if (members.length - spent.size < 2 || !goesOn(round)) return;
      const turn = round * shared.length + nth;
      const size = members.length;
      const rotated = [...members.keys()].map((at) => (at + turn) % size);
      // The first to be asked is answered first: of two, each is so equally often, in a few polls already.
      const order = Math.floor(turn / size) % 2 === 0 ? rotated : rotated.reverse();
      const replies = await repliesTo(question, members, clock, { spent, order });
      const sent_ms = replies.map(({ exchange }) => exchange.sentAt_ms);
      yield { question, round, replies, isTogether: Math.max(...sent_ms) - Math.min(...sent_ms) <= together_ms };
    }
  }
}

/**
 * Of all vendors that offer what is asked, and have a budget for it; they are asked once the slowest may be.
 * @param order in which their requests begin, by their places
 */
export async function repliesTo(
  { operation, requestSpec }: PolledQuestion,
  members: readonly PanelMember[],
  clock: Clock,
  { spent = new Set<PanelMember>(), order = [...members.keys()] } = {},
): Promise<readonly Reply[]> {
  const offering = order.flatMap((vendor) => {
    const member = members[vendor];
    return member && doesOffer(member, operation) ? [{ vendor, member }] : [];
  });
  const turns_ms = offering.map(({ member }) => member.transport.availableAt_ms(requestSpec));
  await clock.sleep(Math.max(...turns_ms) - clock.now_ms());
  const replies = offering.map(async ({ vendor, member }): Promise<Reply | null> => {
    const before = member.connections();
    try {
      const exchange = await member.transport.send(requestSpec);
      return { vendor, exchange, received_ms: clock.now_ms(), isCold: member.connections() > before };
    } catch (error) {
      if (error instanceof BudgetSpent) spent.add(member);
      else if (!(error instanceof Inconclusive)) throw error;
      return null;
    }
  });
  return (await Promise.all(replies)).filter((reply) => reply !== null).sort((a, b) => a.vendor - b.vendor);
}

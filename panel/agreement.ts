// Who is right where vendors differ: each vote on one question, judged by what the panel agreed on before and after it.

import { reached } from "./freshness.ts";
import type { Split, Standing } from "./panelReport.ts";

/** What one vendor answered to a question, where the answer says when. */
export interface Vote {
  /** Its place in the panel. */
  readonly vendor: number;
  /** A lower bound: the answer may know more (§2.3). */
  readonly slot: number;
  /** Equal where answers mean the same. */
  readonly value: string;
}

/** The votes of one poll: all vendors were asked at once. */
export type Votes = readonly Vote[];

/** What a vote can be. */
type VoteStanding = Extract<Standing, "agrees" | "stale" | "fresher" | "wrong" | "unsettled">;

/** Two vendors may share one source of data, so that two against one prove nothing. */
const majority = 3;
/** Neighbouring slots overtake each other within one poll. */
const behind_slots = 2;
/** About a minute: a vendor may claim any slot, and others aren't waited for longer. */
export const farthest_slots = 150;
/** Data may be as much newer than its slot: the slot that is final, with data that isn't yet. */
export const finality_slots = 40;
const timesAlike = 3;
const timesAtAll = 10;

/** The slot that so many votes have reached: a poll has none, or two and more (`votesOf`). */
const reachedBy = (count: number, votes: Votes): number =>
  reached(
    count,
    votes.map(({ slot }) => slot),
  );

const groupsOf = (poll: Votes): readonly Votes[] =>
  [...new Set(poll.map(({ value }) => value))]
    .map((value) => poll.filter((vote) => vote.value === value))
    .sort((a, b) => b.length - a.length);

/**
 * @param polls of one question, in order of time
 * @param vendors how many there are in the panel
 * @param reference whom to trust instead of a majority
 * @returns standings poll by poll and vote by vote, where the panel is divided for good, and poll by poll what the
 *   panel agreed on and the slot that two vendors have reached
 */
export function agreementIn(polls: readonly Votes[], vendors: number, reference: number | null) {
  const enough = reference === null ? Math.min(majority, vendors) : 1;
  const isTrusted = (group: Votes, poll: Votes): boolean =>
    reference === null
      ? group.length >= enough && group.length * 2 > poll.length
      : group.some(({ vendor }) => vendor === reference);
  const trusted = polls.map((poll) => groupsOf(poll).find((group) => isTrusted(group, poll)) ?? null);
  const agreed = trusted.map((group) => group?.[0]?.value ?? null);
  const heads = polls.map((poll) => reachedBy(2, poll));
  /** The panel's answers by the first poll that agreed on them. */
  const firstAgreed = new Map(agreed.map((value, nth) => [value, nth] as const).toReversed());
  /** The panel's answer at each poll, or the next one. */
  const next = [...agreed];
  for (let nth = next.length - 2; nth >= 0; nth -= 1) next[nth] ??= next[nth + 1] ?? null;
  /** The first poll since which the panel gives that answer, as far as two vendors or the reference show. */
  const began: number[] = [];
  for (const [nth, poll] of polls.entries()) {
    const before = next[nth] === next[nth - 1] ? (began[nth - 1] ?? nth) : nth;
    const givers = poll.filter(({ value }) => value === next[nth]).length;
    began.push(before < nth || givers >= Math.min(2, enough) ? before : nth + 1);
  }

  /** `alone`: nobody else gave that answer until they had reached the same slot. */
  const standingIn = (nth: number, vote: Vote): VoteStanding | "alone" => {
    const { value, slot } = vote;
    const poll = polls[nth] ?? [];
    const head = heads[nth] ?? 0;
    if (next[nth] === value || poll.every((other) => other.value === value)) return "agrees";
    const wanted = Math.max(head, Math.min(slot, head + farthest_slots));
    let hasChanged = false;
    for (let later = nth; later < polls.length; later += 1) {
      if (agreed[later] === value) return "fresher";
      hasChanged ||= agreed[later] !== null && agreed[later] !== next[nth];
      const group = trusted[later];
      if (later === nth || !group || reachedBy(enough, group) < wanted) continue;
      const first = Math.min(nth, began[nth] ?? nth);
      const began_slot = heads[first] ?? 0;
      // The panel had agreed on it before, and had moved on at least two slots ago.
      if ((firstAgreed.get(value) ?? nth) < first && head - began_slot >= behind_slots) return "stale";
      // Neither what was right before the panel's present answer is known, nor what it would have agreed on.
      const isOpen = slot < began_slot || (heads.at(-1) ?? 0) < wanted + finality_slots;
      return agreed[nth] === null || hasChanged || isOpen ? "unsettled" : "alone";
    }
    return "unsettled";
  };

  const found = polls.map((poll, nth) => poll.map((vote) => standingIn(nth, vote)));
  const isWrong = wrongIn(polls, found, agreed, reference === null ? majority : Number.POSITIVE_INFINITY);
  const standings = polls.map((poll, nth) =>
    poll.map((vote, at): VoteStanding => {
      const standing = found[nth]?.[at] ?? "alone";
      return standing !== "alone" ? standing : isWrong(nth, vote) ? "wrong" : "unsettled";
    }),
  );
  // An earlier or later answer of the panel differs only in time.
  const open = polls.filter((poll, nth) => agreed[nth] === null && !poll.some(({ value }) => firstAgreed.has(value)));
  return { standings, splits: splitsIn(open), agreed, heads };
}

/** Whether a lone vote was repeated often enough, and fewer than three vendors ever gave that answer. */
function wrongIn(
  polls: readonly Votes[],
  standings: readonly (readonly string[])[],
  agreed: readonly (string | null)[],
  tooMany: number,
): (nth: number, vote: Vote) => boolean {
  const givers = new Map<string, Set<number>>();
  for (const { value, vendor } of polls.flat()) givers.set(value, (givers.get(value) ?? new Set()).add(vendor));
  const against = (nth: number, { vendor }: Vote): string => `${vendor} ${agreed[nth]}`;
  const alone = polls.flatMap((poll, nth) =>
    poll.filter((_, at) => standings[nth]?.[at] === "alone").map((vote) => [against(nth, vote), vote.value] as const),
  );
  const atAll = tallyOf(alone.map(([key]) => key));
  const alike = tallyOf(alone.map(([key, value]) => `${key} ${value}`));
  return (nth, vote) => {
    if ((givers.get(vote.value)?.size ?? 0) >= tooMany) return false;
    const key = against(nth, vote);
    return (alike.get(`${key} ${vote.value}`) ?? 0) >= timesAlike || (atAll.get(key) ?? 0) >= timesAtAll;
  };
}

/** The same division again and again, of the same answers. */
function splitsIn(polls: readonly Votes[]): readonly Split[] {
  const divided = polls.map(groupsOf).filter((groups) => groups.length > 1);
  const nameOf = (groups: readonly Votes[]): string => JSON.stringify(groups.map((one) => one.map(saidBy)));
  const times = tallyOf(divided.map(nameOf));
  const lasting = divided.filter((groups) => (times.get(nameOf(groups)) ?? 0) >= timesAlike);
  const places = lasting.map((groups) => JSON.stringify(groups.map((one) => one.map(({ vendor }) => vendor))));
  return [...tallyOf(places)].map(([text, times]) => ({ groups: JSON.parse(text) as Split["groups"], polls: times }));
}

const saidBy = ({ vendor, value }: Vote): string => `${vendor} ${value}`;

function tallyOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

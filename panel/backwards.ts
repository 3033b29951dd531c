// How often a vendor's answers go back: they know less than an earlier one of its own, as where a replica lags.
import { isObject, listOf, valueAt } from "../harness/core/json.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import { type agreementIn, farthest_slots, finality_slots, type Vote, type Votes } from "./agreement.ts";
import { reached } from "./freshness.ts";
import { slotIn } from "./meaning.ts";
import type { Backwards } from "./panelReport.ts";
import type { Reply } from "./polling.ts";

/** In the order in which a bundle passes through them (§3). */
const bundleStatuses = ["processed", "confirmed", "finalized"];
/** A fork may drop what was only processed. */
const lasting = bundleStatuses.indexOf("confirmed");
/** Of a bundle that hasn't landed, as far as the answer knows. */
const unknown = -1;

/** How far bundles are, by id: a place in `bundleStatuses`, or `unknown`. */
type BundleStages = ReadonlyMap<string, number>;

/** What an answer shows that a later one of the same vendor can fall behind. */
export interface OwnAnswer {
  readonly vendor: number;
  readonly operation: string;
  readonly slot: number | null;
  readonly stages: BundleStages;
  /** Unix time in ms, by our clock. */
  readonly sent_ms: number;
  readonly received_ms: number;
}

/** The list is aligned to the request, unless its members say otherwise (§4.3). */
function stagesIn({ requestSpec: { operation }, sent, answer }: Exchange): BundleStages {
  if (operation !== "getBundleStatuses") return new Map();
  const asked = listOf(valueAt(sent.json, "/params/0"));
  const list = listOf(valueAt(answer?.json?.value, "/result/value"));
  const isAligned = asked.length === list.length;
  const stages = list.flatMap((item, nth): (readonly [string, number])[] => {
    const id = (isObject(item) ? item["bundle_id"] : null) ?? (isAligned ? asked[nth] : null);
    const status = isObject(item) ? item["confirmation_status"] : null;
    const stage = bundleStatuses.findIndex((one) => one === status);
    const isRead = item === null || stage !== unknown;
    return isRead && typeof id === "string" ? [[id, stage]] : [];
  });
  return new Map(stages);
}

/** Null where an answer shows nothing by which one can tell. @param reply that was served */
export function ownAnswerOf(operation: string, { vendor, exchange, received_ms }: Reply): OwnAnswer | null {
  const [slot, stages] = [slotIn(exchange), stagesIn(exchange)];
  if (slot === null && stages.size === 0) return null;
  return { vendor, operation, slot, stages, sent_ms: exchange.sentAt_ms, received_ms };
}

/** What a vendor has shown in one operation, by answers that were completely received. */
interface Seen {
  slot: number;
  readonly stages: Map<string, number>;
}

function see({ slot, stages }: OwnAnswer, seen: Seen, believed: number): void {
  if (slot !== null && slot <= believed) seen.slot = Math.max(seen.slot, slot);
  for (const [id, stage] of stages) seen.stages.set(id, Math.max(stage, seen.stages.get(id) ?? unknown));
}

/** @param own answers of one vendor in one operation, in order of time */
function countsIn(own: readonly OwnAnswer[], replaced: ReadonlySet<OwnAnswer>): Omit<Backwards, keyof Whose> {
  const claimed = own.flatMap(({ slot }) => slot ?? []);
  // One answer alone may claim any slot.
  const believed = reached(2, claimed) + farthest_slots;
  const lastKnown = new Map<string, number>();
  for (const [nth, { stages }] of own.entries())
    for (const [id, stage] of stages) if (stage !== unknown) lastKnown.set(id, nth);
  const seen: Seen = { slot: Number.NEGATIVE_INFINITY, stages: new Map() };
  const slots: { [slots: string]: number } = {};
  const counts = { answers: 0, back: 0, values: 0, statuses: 0 };
  let underWay: readonly OwnAnswer[] = [];
  for (const [nth, answer] of own.entries()) {
    // What is still under way may be answered first: the network explains it.
    for (const earlier of underWay) if (earlier.received_ms < answer.sent_ms) see(earlier, seen, believed);
    underWay = [...underWay.filter(({ received_ms }) => received_ms >= answer.sent_ms), answer];
    const behind = answer.slot === null ? 0 : Math.max(0, seen.slot - answer.slot);
    const known = [...answer.stages].map(([id, stage]) => ({ id, stage, was: seen.stages.get(id) ?? unknown }));
    // What stays unknown may have been forgotten: nothing says for how long statuses are kept.
    const isEarlier = ({ id, stage, was }: (typeof known)[number]): boolean =>
      stage === unknown ? was >= lasting && (lastKnown.get(id) ?? 0) > nth : stage < was;
    const isComparable = (answer.slot !== null && seen.slot >= 0) || known.some(({ was }) => was !== unknown);
    if (!isComparable) continue;
    const isOldValue = behind === 0 && replaced.has(answer);
    const isOldStatus = known.some(isEarlier);
    counts.answers += 1;
    counts.back += Number(behind > 0 || isOldValue || isOldStatus);
    counts.values += Number(isOldValue);
    counts.statuses += Number(isOldStatus);
    if (behind > 0) slots[behind] = (slots[behind] ?? 0) + 1;
  }
  return { ...counts, slots };
}

type Whose = Pick<Backwards, "vendor" | "operation">;

/**
 * @param answers in order of time
 * @param replaced those that gave a value which their vendor had replaced, as `replacedIn` tells
 */
export function backwardsIn(answers: readonly OwnAnswer[], replaced: ReadonlySet<OwnAnswer>): readonly Backwards[] {
  const groups = new Map<string, [OwnAnswer, ...OwnAnswer[]]>();
  for (const answer of answers) {
    const name = `${answer.vendor} ${answer.operation}`;
    const group = groups.get(name);
    if (group) group.push(answer);
    else groups.set(name, [answer]);
  }
  return [...groups.values()].map((own) => {
    const [{ vendor, operation }] = own;
    return { vendor, operation, ...countsIn(own, replaced) };
  });
}

type Agreement = Pick<ReturnType<typeof agreementIn>, "standings" | "agreed" | "heads">;

/** How often each answer of the panel became its answer. */
function timesAgreed(agreed: Agreement["agreed"]): ReadonlyMap<string, number> {
  const values = agreed.flatMap((value) => value ?? []);
  const times = new Map<string, number>();
  for (const [nth, value] of values.entries())
    if (value !== values[nth - 1]) times.set(value, (times.get(value) ?? 0) + 1);
  return times;
}

/**
 * Stale votes of vendors that had given the newer answer themselves. A balance may honestly return to an earlier
 * amount, and one vendor may see it first: so the panel must agree on the newer answer before, at and after the poll,
 * until others would have seen data that is newer than its slot, and on neither answer at any other time.
 * @param polls of one question, in order of time
 * @param reference whom to trust instead of a majority
 */
export function replacedIn(
  polls: readonly Votes[],
  { standings, agreed, heads }: Agreement,
  reference: number | null,
): readonly (readonly [nth: number, vendor: number])[] {
  const times = timesAgreed(agreed);
  const last_slot = heads.reduce((most, head) => Math.max(most, head), Number.NEGATIVE_INFINITY);
  const after = [...agreed.slice(1), null];
  for (let nth = after.length - 2; nth >= 0; nth -= 1) after[nth] ??= after[nth + 1] ?? null;
  const isCertain = (nth: number, { vendor, value, slot }: Vote, newer: string): boolean => {
    if ((agreed[nth] ?? newer) !== newer || times.get(value) !== 1 || times.get(newer) !== 1) return false;
    const others = (polls[nth] ?? []).filter((vote) => vote.vendor !== vendor);
    const givers = others.filter((vote) => vote.value === newer);
    const isTrusted = reference === null ? givers.length > 1 : givers.some((vote) => vote.vendor === reference);
    if (!isTrusted || others.some((vote) => vote.value === value)) return false;
    const head = heads[nth] ?? 0;
    return last_slot >= Math.max(head, Math.min(slot, head + farthest_slots)) + finality_slots;
  };
  /** The latest poll in which each vendor gave each answer. */
  const given = new Map<string, number>();
  const lastAgreed = new Map<string | null, number>();
  return polls.flatMap((poll, nth) => {
    const replaced = poll.filter((vote, at) => {
      const newer = after[nth] ?? null;
      if (newer === null || standings[nth]?.[at] !== "stale") return false;
      const gaveNewer = given.get(`${vote.vendor} ${newer}`) ?? -1;
      return gaveNewer > (lastAgreed.get(vote.value) ?? nth) && isCertain(nth, vote, newer);
    });
    for (const { vendor, value } of poll) given.set(`${vendor} ${value}`, nth);
    lastAgreed.set(agreed[nth] ?? null, nth);
    return replaced.map(({ vendor }) => [nth, vendor] as const);
  });
}

// Outcomes of sent bundles: accepted, perhaps at a later attempt, or refused, perhaps later (§4.3)
import { broken, type Finding, held, heldInPart, must } from "../../harness/core/finding.ts";
import { isObject, type Json, valueAt } from "../../harness/core/json.ts";
import { Inconclusive, notSeen, notSettled } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Check, CheckContext, Oracle, Shown } from "../../harness/model/check.ts";
import { describeOutcome, isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { returnedBy } from "../../harness/transport/fates.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { inTurn } from "../shared/inTurn.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { maskedBy, notTested } from "../shared/masked.ts";
import { isBlockhashLasting } from "./blockhashes.ts";
import { followBundle, landedBundles, statusEntryOf } from "./landed.ts";
import {
  accepted,
  type BundleSending,
  plainly,
  scenario,
  sending,
  sendPlain,
  sent,
  servedStatus,
  type WantedBundle,
} from "./requests.ts";
import type { Signed } from "./transactions.ts";

/** More than a second, the unit of rate limits. */
export const second_ms = 1_100;

const wasTaken = (exchange: Exchange): Finding =>
  must(isServed(exchange), "/error", "a bundle id", describeOutcome(exchange));

/** Attempts after the first, before a refusal is a breach (amendment 4). */
const later = ["second", "third"] as const;

const sameBytes: WantedBundle = { count: 0, tip: "none" };

/** What it takes at most to confirm refusals, in the plan's cost: the same bytes pay nothing more. */
export const confirming = (bundles: number, positiveControl: WantedBundle): readonly WantedBundle[] => [
  ...Array.from({ length: later.length * bundles }, () => sameBytes),
  ...Array.from({ length: later.length + 1 }, () => [positiveControl, sameBytes]).flat(),
];

/**
 * Sends these bundles beside a plain one that must be accepted: a refusal alone may have many reasons.
 * @param run gets the id of the plain bundle
 */
export function besidePlain(
  id: RequirementId,
  all: readonly WantedBundle[],
  { count = 1, encoding = "base58" }: Pick<WantedBundle, "count"> & Pick<BundleSending, "encoding">,
  run: (context: CheckContext, plainId: string) => Promise<readonly Shown[]>,
): Check {
  return scenario(id, sending(all, [plainly(count, encoding)]), async (context) =>
    run(context, accepted(await sendPlain(context, count, encoding))),
  );
}

export type BundleToSend = readonly [wanted: WantedBundle, how?: BundleSending];

/** A bundle is sent again after nothing else. */
const isDefinite = (exchange: Exchange): boolean =>
  rpcErrorOf(exchange) !== null || (exchange.answer?.status ?? 0) >= 400;

/** Refused for its blockhash, which says nothing of what the bundle was to show. */
const isStale = (exchange: Exchange): boolean => /blockhash/i.test(JSON.stringify(rpcErrorOf(exchange)?.message ?? ""));

const wordsOf = (exchange: Exchange): string => `${describeOutcome(exchange)} ${JSON.stringify(rpcErrorOf(exchange))}`;

/**
 * Each accepted, or refused three times, byte for byte (amendment 16), between others that are accepted: payers run out
 * of funds, engines are busy. Of a refusal that was ever followed by acceptance nothing is concluded.
 * @param positiveControl differs only in what is proved
 */
export async function taken(
  context: CheckContext,
  exchanges: readonly Exchange[],
  [wanted, how]: BundleToSend,
  judge: (exchange: Exchange) => Finding = wasTaken,
): Promise<readonly Shown[]> {
  const shownOf = (some: readonly Exchange[]) => some.map((exchange) => ({ exchange, finding: judge(exchange) }));
  const isGood = (exchange: Exchange): boolean => judge(exchange).outcome === "held";
  let open = exchanges.filter((exchange) => !isGood(exchange));
  if (open.length === 0 || context.target.isReference) return shownOf(exchanges);
  for (const exchange of open) if (!isDefinite(exchange) || isStale(exchange)) throw maskedBy(exchange);
  const lifted = context.once("refusals that were lifted", () => new Set<string>());
  const beside = async () => {
    const exchange = await sent(context, wanted, how);
    if (isServed(exchange) || !isDefinite(exchange)) return accepted(exchange);
    await context.wait(second_ms);
    return accepted(await context.ask(context.fresh(exchange.requestSpec)));
  };
  const since_ms = Math.min(...open.map(({ sentAt_ms }) => sentAt_ms));
  let reason: string | undefined;
  for (const attempt of later) {
    await context.wait(second_ms);
    if (open.length > 0) await beside();
    const again = await inTurn(open, (exchange) => context.ask(context.fresh(exchange.requestSpec)));
    for (const [nth, before] of open.entries()) {
      if (again[nth] && !isBlockhashLasting(context, since_ms, again[nth].sentAt_ms))
        throw notTested(`refused (${returnedBy(before)}), and not sent again while its blockhash lasted`);
      if (!again[nth] || !isGood(again[nth])) continue;
      lifted.add(wordsOf(before));
      reason ??= `refused (${returnedBy(before)}) and accepted at a ${attempt} attempt, byte for byte`;
    }
    open = again.filter((exchange) => !isGood(exchange));
  }
  if (open.length > 0) await beside();
  const confirmed = open.filter((exchange) => !lifted.has(wordsOf(exchange)));
  if (confirmed.length === 0) throw notSeen(reason ?? "refused as bundles that were accepted at a later attempt");
  return shownOf([...exchanges.filter(isGood), ...confirmed]);
}

export const refused = (exchange: Exchange): Shown => ({
  exchange,
  finding: must(!isServed(exchange), "/result", "an error", resultOf(exchange)),
});

/** Refused while another call with the same key is served. */
export const refusedBesideStatus =
  (expected: string): Oracle =>
  async (exchange, context) => {
    if (isServed(exchange)) return broken("/result", expected, resultOf(exchange));
    await servedStatus(context);
    return held;
  };

/** A status that claims no failure; how failures look is unspecified (OBS-BST-ERR). */
const claimsSuccess = (entry: Json | undefined): boolean => isObject(entry) && valueAt(entry, "/err/Ok") === null;

/**
 * Refused at once or later: an accepted bundle may still be refused, and is a breach where it lands.
 * @param isEnough whether it is shown that it doesn't land, once others of ours did (amendment 13)
 * @throws Withheld where one was accepted and didn't land, unless that is enough
 */
export async function refusedInTheEnd(
  context: CheckContext,
  exchanges: readonly Exchange[],
  isEnough: boolean,
): Promise<readonly Shown[]> {
  const idIn = (exchange: Exchange): readonly string[] => {
    const id = resultOf(exchange);
    return isServed(exchange) && typeof id === "string" ? [id] : [];
  };
  const ids = exchanges.flatMap(idIn);
  const shown = exchanges.filter((exchange) => idIn(exchange).length === 0).map(refused);
  if (ids.length === 0) return shown;
  // Side by side, as statuses may be forgotten soon; then for as long since others landed.
  const [own, early] = await Promise.all([landedBundles(context), followBundle(context, ids, claimsSuccess)]);
  const since_ms = Math.max(...own.map(({ status }) => status.sentAt_ms));
  const hasLanded = (exchange: Exchange): boolean => claimsSuccess(statusEntryOf(exchange));
  const ends = early.some(hasLanded) ? early : await followBundle(context, ids, claimsSuccess, { since_ms });
  if (!isEnough && !ends.some(hasLanded))
    throw notSettled("accepted, but it hasn't landed: it may have been refused later");
  const otherwise = own.length > 0 ? held : heldInPart("forged bundles: none of our valid ones landed within 90 s");
  const findingOf = (exchange: Exchange): Finding =>
    hasLanded(exchange) ? broken("/result/value/0", "null: it must never land", statusEntryOf(exchange)) : otherwise;
  return [...shown, ...ends.map((exchange) => ({ exchange, finding: findingOf(exchange) }))];
}

/** A bundle that was sent before; null where it isn't accepted again, which is unspecified (OBS-BND-RESEND). */
export async function onceMore(context: CheckContext, requestSpec: RequestSpec): Promise<Exchange | null> {
  try {
    const exchange = await context.ask(requestSpec);
    return isServed(exchange) ? exchange : null;
  } catch (error) {
    if (error instanceof Inconclusive) return null;
    throw error;
  }
}

/**
 * Whether a bundle's status lists exactly its signatures.
 * @throws Withheld for this reason where it lists no texts
 */
export function listsSignatures(exchange: Exchange, signed: readonly Signed[], otherwise: string): Finding {
  const listed = resultOf(exchange, "/value/0/transactions");
  if (!Array.isArray(listed) || !listed.every((one) => typeof one === "string")) throw notTested(otherwise);
  const own = signed.map(({ signature }) => signature);
  const isExact = listed.length === own.length && own.every((one) => listed.includes(one));
  return must(isExact, "/result/value/0/transactions", own.join(", "), listed);
}

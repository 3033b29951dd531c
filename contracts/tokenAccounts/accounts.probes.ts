// Probes of the accounts that getTokenAccounts lists: burnt, delegated and large amounts, slots (§2.2, §2.3)
import Big from "big.js";
import { type Json, literalAt, valueAt } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import { type Probe, type ProbeContext, type Seen, seenTogether } from "../../harness/model/probe.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { exactIn, isOfDouble, isWhole, seenAs } from "../shared/describeCalls.ts";
import { forFeature, probesFor } from "../shared/forFeature.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { balance, compressed, mint, owner, ownerWithEmptyAccounts, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { accountsIn, emptyAccountsFlag } from "./walks.ts";

const { experiment, observeAll } = forFeature("tokenAccounts");
const ofBoth = probesFor(["tokenAccounts", "compression"]);

/** Lists of accounts with every kind of them, where the target knows some. */
const everyAccount: readonly RequestSpec[] = [
  tokenAccounts({ owner, limit: 50 }),
  tokenAccounts({ mint, limit: 50 }),
  tokenAccounts({ owner: ownerWithEmptyAccounts, limit: 50, options: { [emptyAccountsFlag]: true } }, { id: 4 }),
];

/** Every account in answers that came twice. @throws Withheld */
function listedIn(ownAnswers: readonly AnsweredExchange[]) {
  const listed = ownAnswers
    .filter((answered) => answered.requestSpec.operation === "getTokenAccounts" && isServed(answered))
    .flatMap((answered) =>
      accountsIn(answered).map((account, index) => ({ answered, account, at: `/result/token_accounts/${index}` })),
    );
  if (listed.length === 0) throw notSeen("no account was listed twice");
  return listed;
}

const setOf = (texts: readonly string[]): string =>
  [...new Set(texts)].sort().join(" | ") || "no such account was seen";

const kindOf = (value: Json | undefined): string =>
  value === undefined ? "absent" : value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

function describeBurnt(ownAnswers: readonly AnsweredExchange[]): readonly Seen[] {
  const seen = listedIn(ownAnswers).map(({ account }) => ({
    burnt: valueAt(account, "/burnt"),
    isEmpty: valueAt(account, "/amount") === 0,
  }));
  const present = seen.filter(({ burnt }) => burnt !== undefined).length;
  const values = (isEmpty: boolean): string => {
    const those = seen.filter((one) => one.isEmpty === isEmpty);
    return setOf(those.map(({ burnt }) => (typeof burnt === "boolean" ? String(burnt) : kindOf(burnt))));
  };
  return seenTogether({
    types: setOf(seen.map(({ burnt }) => kindOf(burnt))),
    presence: present === 0 ? "on none" : present === seen.length ? "on every account" : "on some",
    "with amount 0": values(true),
    "with another amount": values(false),
  });
}

const zero = new Big(0);

function shareOf(delegated: Big, amount: Big): string {
  if (delegated.eq(zero)) return "0";
  if (delegated.eq(amount)) return "the amount";
  return delegated.lt(amount) ? "a part of the amount" : "more than the amount";
}

/** How much is delegated of accounts that aren't empty, with a delegate, without one, or with no such member. */
function describeDelegated(ownAnswers: readonly AnsweredExchange[]): readonly Seen[] {
  const byDelegate = new Map<string, string[]>();
  for (const { answered, account, at } of listedIn(ownAnswers)) {
    const amount = exactIn(answered, `${at}/amount`);
    const delegated = exactIn(answered, `${at}/delegated_amount`);
    if (!amount || !delegated || amount.eq(zero)) continue;
    const delegate = valueAt(account, "/delegate");
    const group =
      delegate === undefined ? "no delegate member" : delegate === null ? "without a delegate" : "with a delegate";
    byDelegate.set(group, [...(byDelegate.get(group) ?? []), shareOf(delegated, amount)]);
  }
  const groups = [...byDelegate].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([group, ways]) => ({ case: group, summary: setOf(ways) }));
}

const wholly = /^\d+$/;

function describeBigAmounts(ownAnswers: readonly AnsweredExchange[]): readonly Seen[] {
  const amounts = listedIn(ownAnswers).flatMap(({ answered, at }) =>
    answered.answer.json ? (literalAt(answered.answer.json, `${at}/amount`) ?? []) : [],
  );
  const big = amounts.filter((digits) => new Big(digits).gt(Number.MAX_SAFE_INTEGER));
  if (big.length === 0) throw notSeen("no amount above 2^53 was listed twice");
  const isExact = big.some((digits) => wholly.test(digits) && !isOfDouble(digits));
  return seenTogether({
    "above 2^53": isExact ? "digits that no double holds: exact" : "digits of doubles alone: rounded, or so by chance",
    written: big.every((digits) => wholly.test(digits)) ? "plainly" : "with an exponent or a point",
  });
}

const balanceCall = balance({ address: compressed(0, "address") });

/** Whether amounts are of base units, which nothing is smaller than, or may be of whole tokens. */
function describeUnits(ownAnswers: readonly AnsweredExchange[]): readonly Seen[] {
  const served = ownAnswers.filter(isServed);
  const numbersOf = (operation: string, places: (answered: AnsweredExchange) => readonly string[]): readonly Big[] =>
    served
      .filter(({ requestSpec }) => requestSpec.operation === operation)
      .flatMap((answered) => places(answered).flatMap((place) => exactIn(answered, place) ?? []));
  const amounts = numbersOf("getTokenAccounts", (answered) =>
    accountsIn(answered).flatMap((_, nth) =>
      ["amount", "delegated_amount"].map((member) => `/result/token_accounts/${nth}/${member}`),
    ),
  );
  const balances = numbersOf("getCompressedBalance", () => ["/result/value"]);
  if (amounts.length + balances.length === 0) throw notSeen("no amount was seen twice");
  return seenTogether(
    Object.fromEntries(
      Object.entries({ amounts, balances }).flatMap(([name, all]) =>
        all.length === 0 ? [] : [[name, all.every(isWhole) ? "whole" : "some with a fraction"]],
      ),
    ),
  );
}

const calls = 20;
const slotCall = (again: number): RequestSpec => ({ ...tokenAccounts({ owner, limit: 1 }, { id: "slots" }), again });

async function describeSlots({ ask, canAsk }: ProbeContext): Promise<readonly Seen[]> {
  const slots: number[] = [];
  let last: AnsweredExchange | undefined;
  for (let nth = 0; nth < calls; nth += 1) {
    last = await ask(slotCall(nth));
    const slot = resultOf(last, "/last_indexed_slot");
    if (typeof slot === "number") slots.push(slot);
  }
  if (!last || slots.length < calls) throw notSeen(`only ${slots.length} of ${calls} calls returned a slot`);
  const falls = slots.some((slot, nth) => slot < (slots[nth - 1] ?? 0));
  const seen = [seenAs(`${calls} calls`, last, falls ? "falls at times" : "never falls")];
  if (!canAsk(balanceCall)) return seen;
  const beside = await ask({ ...balanceCall, again: 20 });
  const slot = resultOf(beside, "/context/slot");
  if (typeof slot !== "number") return seen;
  const lag = Math.abs(slot - (slots.at(-1) ?? 0));
  const most = [10, 100, 1000].find((one) => lag <= one);
  const distance = most === undefined ? "further away" : `within ${most} slots`;
  return [...seen, seenAs("beside context.slot of getCompressedBalance", beside, distance)];
}

export const probes: readonly Probe[] = [
  observeAll("OBS-TA-BURNT", everyAccount, ({ ownAnswers }) => describeBurnt(ownAnswers)),
  observeAll("OBS-TA-U64", everyAccount, ({ ownAnswers }) => describeBigAmounts(ownAnswers)),
  ofBoth.observeAll("OBS-TA-UNITS", [...everyAccount, balanceCall], ({ ownAnswers }) => describeUnits(ownAnswers)),
  experiment("OBS-TA-SLOTMONO", [slotCall(0)], describeSlots, { repeats: calls }),
  observeAll("OBS-TA-DELEG", everyAccount, ({ ownAnswers }) => describeDelegated(ownAnswers)),
];

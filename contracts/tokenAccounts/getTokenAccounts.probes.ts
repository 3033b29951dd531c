// What is left open about the params of getTokenAccounts, and about the accounts that it lists? (§2.2, §4.3)
import Big from "big.js";
import { type Json, literalAt, valueAt } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { givenAt, type Template } from "../../harness/core/template.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import {
  experiment,
  observeAll,
  type Probe,
  type ProbeContext,
  type Reading,
  readingOf,
  requestProbe,
  type Seen,
} from "../../harness/model/probe.ts";
import type { Target } from "../../harness/target/target.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import {
  describeLiteral,
  describeResult,
  isOfDouble,
  isSame,
  seenAs,
  unjudged,
  unknownDigest,
} from "../shared/describeCalls.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { balance, compressed, mint, owner, ownerWithEmptyAccounts, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { addressesIn } from "./walks.ts";

const feature = "tokenAccounts";

type Params = { readonly [member: string]: Template };
const call = (params?: Params): Stimulus => unjudged(tokenAccounts(params, { id: "open" }));
/** The owner's first two accounts, with something open beside. */
const owners = (params: Params): Stimulus => call({ owner, limit: 2, ...params });

const firstTwo = tokenAccounts({ owner, limit: 2 });

const howMany = (answered: Answered): string => (addressesIn(answered).length === 0 ? "no accounts" : "accounts");

/** Each answer beside the owner's first two accounts. */
const besideFirstTwo = (
  id: Probe["id"],
  cases: { readonly [name: string]: Stimulus },
  summary: (answered: Answered, isFirst: boolean) => Json,
): Probe =>
  experiment(
    id,
    [firstTwo, ...Object.values(cases)],
    async ({ ask }) => {
      const first = addressesIn(await ask(firstTwo));
      const seen: Seen[] = [];
      for (const [name, stimulus] of Object.entries(cases)) {
        const answered = await ask(stimulus);
        seen.push(
          seenAs(
            name,
            answered,
            isServed(answered) ? summary(answered, isSame(addressesIn(answered), first)) : outcomeOf(answered),
          ),
        );
      }
      return readingOf(seen);
    },
    { feature },
  );

const describePage = (answered: Answered, isFirst: boolean): Json =>
  isFirst ? "the first page" : addressesIn(answered).length === 0 ? "no accounts" : "other accounts";

const flag = "§/names/emptyAccountsFlag";
const emptyOnes = (options: Template): Stimulus => call({ owner: ownerWithEmptyAccounts, limit: 50, options });
const areEmptyShown = (answered: Answered): Json =>
  accountsIn(answered).some((account) => valueAt(account, "/amount") === 0)
    ? "empty accounts shown"
    : "empty accounts left out";

/** Whose list stays short whatever the limit. */
const smallOwner = (target: Target): Template =>
  givenAt(target, ownerWithEmptyAccounts["§"]) === undefined ? owner : ownerWithEmptyAccounts;
const limits = [100, 1000, 1001, 10_000];

/** Of the small owner, since a limit far too high may be followed. */
const limited = async ({ ask, target }: ProbeContext, values: readonly number[]): Promise<readonly Seen[]> => {
  const seen: Seen[] = [];
  for (const limit of values) {
    const answered = await ask(call({ owner: smallOwner(target), limit }));
    seen.push(
      seenAs(
        `limit ${limit}`,
        answered,
        describeResult((one) => `limit ${describeLiteral(one, "/result/limit")}, ${howMany(one)}`)(answered),
      ),
    );
  }
  return seen;
};

const pages = [0, -1, 1.5, 1_000_000];

const ranges = experiment(
  "OBS-TA-RANGE",
  [firstTwo, ...pages.map((page) => owners({ page }))],
  async (context) => {
    const first = addressesIn(await context.ask(firstTwo));
    const seen: Seen[] = [...(await limited(context, [0, -1, 1.5, 1e9]))];
    for (const page of pages) {
      const answered = await context.ask(owners({ page }));
      seen.push(
        seenAs(
          `page ${page}`,
          answered,
          describeResult((one) => describePage(one, isSame(addressesIn(one), first)))(answered),
        ),
      );
    }
    return readingOf(seen);
  },
  { feature },
);

const accountsIn = (answered: Answered): readonly Json[] => {
  const accounts = resultOf(answered, "/token_accounts");
  return Array.isArray(accounts) ? (accounts as readonly Json[]) : [];
};

/** Lists of accounts with every kind of them, where the target knows some. */
const everyAccount: readonly Stimulus[] = [
  tokenAccounts({ owner, limit: 50 }),
  tokenAccounts({ mint, limit: 50 }),
  tokenAccounts({ owner: ownerWithEmptyAccounts, limit: 50, options: { [flag]: true } }, { id: 4 }),
];

interface Listed {
  readonly answered: Answered;
  readonly account: Json;
  readonly at: string;
}

/** Every account that was listed twice. @throws Withheld */
function listedIn(sampleHalf: readonly Answered[]): readonly Listed[] {
  const lists = sampleHalf.filter(
    (answered) => answered.stimulus.operation === "getTokenAccounts" && isServed(answered),
  );
  const listed = lists.flatMap((answered) =>
    accountsIn(answered).map((account, index) => ({ answered, account, at: `/result/token_accounts/${index}` })),
  );
  if (listed.length === 0) throw new Withheld("no account was listed twice");
  return listed;
}

const setOf = (texts: readonly string[]): string =>
  [...new Set(texts)].sort().join(" | ") || "no such account was seen";

const kindOf = (value: Json | undefined): string =>
  value === undefined ? "absent" : value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

function describeBurnt(sampleHalf: readonly Answered[]): Reading {
  const seen = listedIn(sampleHalf).map(({ account }) => ({
    burnt: valueAt(account, "/burnt"),
    isEmpty: valueAt(account, "/amount") === 0,
  }));
  const present = seen.filter(({ burnt }) => burnt !== undefined).length;
  const values = (isEmpty: boolean): string =>
    setOf(
      seen
        .filter((one) => one.isEmpty === isEmpty)
        .map(({ burnt }) => (typeof burnt === "boolean" ? String(burnt) : kindOf(burnt))),
    );
  const summary = {
    types: setOf(seen.map(({ burnt }) => kindOf(burnt))),
    presence: present === 0 ? "on none" : present === seen.length ? "on every account" : "on some",
    "with amount 0": values(true),
    "with another amount": values(false),
  };
  return { summary, fingerprints: [] };
}

const zero = new Big(0);

/** What is delegated of an account that holds something, by whether the answer tells of a delegate. */
function describeDelegated(sampleHalf: readonly Answered[]): Reading {
  const byDelegate = new Map<string, string[]>();
  for (const { answered, account, at } of listedIn(sampleHalf)) {
    const [amount, delegated] = ["amount", "delegated_amount"].map((name) =>
      describeLiteral(answered, `${at}/${name}`),
    );
    if (amount === undefined || delegated === undefined || [amount, delegated].includes("no number") || zero.eq(amount))
      continue;
    const than = new Big(delegated).cmp(amount);
    const how = zero.eq(delegated)
      ? "0"
      : than === 0
        ? "the amount"
        : than < 0
          ? "a part of the amount"
          : "more than the amount";
    const delegate = valueAt(account, "/delegate");
    const group =
      delegate === undefined ? "no word of a delegate" : delegate === null ? "without a delegate" : "with a delegate";
    byDelegate.set(group, [...(byDelegate.get(group) ?? []), how]);
  }
  return {
    summary: Object.fromEntries(
      [...byDelegate].sort(([a], [b]) => (a < b ? -1 : 1)).map(([group, ways]) => [group, setOf(ways)]),
    ),
    fingerprints: [],
  };
}

const wholly = /^\d+$/;

function describeBigAmounts(sampleHalf: readonly Answered[]): Reading {
  const amounts = listedIn(sampleHalf).flatMap(({ answered, at }) =>
    answered.answer.json ? (literalAt(answered.answer.json, `${at}/amount`) ?? []) : [],
  );
  const big = amounts.filter((digits) => new Big(digits).gt(Number.MAX_SAFE_INTEGER));
  if (big.length === 0) throw new Withheld("no amount above 2^53 was listed twice");
  const how = big.some((digits) => !wholly.test(digits)) ? "with an exponent or a point" : "plainly";
  const isExact = big.some((digits) => wholly.test(digits) && !isOfDouble(digits));
  return {
    summary: {
      "above 2^53": isExact
        ? "digits that no double holds: exact"
        : "digits of doubles alone: rounded, or so by chance",
      written: how,
    },
    fingerprints: [],
  };
}

const calls = 20;
const slotCall = (again: number): Stimulus => ({ ...tokenAccounts({ owner, limit: 1 }, { id: "slots" }), again });
const balanceCall = balance({ address: compressed(0, "address") });
const apart = [
  [10, "within 10 slots"],
  [100, "within 100 slots"],
  [1000, "within 1000 slots"],
] as const;

async function describeSlots({ ask, canAsk }: ProbeContext): Promise<Reading> {
  const slots: number[] = [];
  let last: Answered | undefined;
  for (let nth = 0; nth < calls; nth += 1) {
    last = await ask(slotCall(nth));
    const slot = resultOf(last, "/last_indexed_slot");
    if (typeof slot === "number") slots.push(slot);
  }
  if (!last || slots.length < calls) throw new Withheld(`only ${slots.length} of ${calls} calls told a slot`);
  const falls = slots.some((slot, nth) => slot < (slots[nth - 1] ?? 0));
  const seen = [seenAs(`${calls} calls`, last, falls ? "falls at times" : "never falls")];
  if (!canAsk(balanceCall)) return readingOf(seen);
  const beside = await ask({ ...balanceCall, again: 20 });
  const slot = resultOf(beside, "/context/slot");
  if (typeof slot !== "number") return readingOf(seen);
  const lag = Math.abs(slot - (slots.at(-1) ?? 0));
  return readingOf([
    ...seen,
    seenAs(
      "beside context.slot of getCompressedBalance",
      beside,
      apart.find(([most]) => lag <= most)?.[1] ?? "further away",
    ),
  ]);
}

export const probes: readonly Probe[] = [
  observeAll("OBS-TA-BURNT", everyAccount, ({ sampleHalf }) => describeBurnt(sampleHalf), { feature }),
  requestProbe(
    "OBS-TA-REQ",
    { "{}": call({}), "{page: 1}": call({ page: 1 }), "params absent": call() },
    { feature, summary: describeResult(howMany) },
  ),
  requestProbe(
    "OBS-TA-OPT",
    {
      "the flag": emptyOnes({ [flag]: true }),
      "the flag as a text": emptyOnes({ [flag]: "true" }),
      "the flag as 1": emptyOnes({ [flag]: 1 }),
      "an unknown child": emptyOnes({ assayUnknown: true }),
      null: emptyOnes(null),
    },
    { feature, summary: describeResult(areEmptyShown) },
  ),
  experiment(
    "OBS-TA-MAXLIMIT",
    [firstTwo, ...limits.map((limit) => owners({ limit }))],
    async (context) => readingOf(await limited(context, limits)),
    { feature },
  ),
  requestProbe(
    "OBS-TA-DEFLIMIT",
    { "no limit": tokenAccounts({ owner }) },
    { feature, summary: describeResult((answered) => describeLiteral(answered, "/result/limit")) },
  ),
  ranges,
  besideFirstTwo(
    "OBS-TA-STRNUM",
    { 'limit "2"': owners({ limit: "2" }), 'page "1"': owners({ page: "1" }) },
    (answered, isFirst) => (isFirst ? "as a number" : howMany(answered)),
  ),
  besideFirstTwo(
    "OBS-TA-UNKNOWNKEY",
    { "{owner, foo}": owners({ foo: 1 }), "{Owner}": call({ Owner: owner, limit: 2 }) },
    (answered, isFirst) => (isFirst ? "the owner's accounts" : howMany(answered)),
  ),
  requestProbe(
    "OBS-TA-ADDRFMT",
    {
      "no base58": call({ owner: "0OIl", limit: 2 }),
      "too short": call({ owner: "abc", limit: 2 }),
      empty: call({ owner: "", limit: 2 }),
      "33 bytes": call({ owner: unknownDigest("owner", 33), limit: 2 }),
      "for comparison: of nobody": call({ owner: unknownDigest("owner"), limit: 2 }),
    },
    { feature, summary: describeResult(howMany) },
  ),
  besideFirstTwo(
    "OBS-TA-NULLS",
    {
      "mint and cursor null": owners({ mint: null, cursor: null }),
      "page null": owners({ page: null }),
      "limit null": owners({ limit: null }),
    },
    (answered, isFirst) =>
      isFirst ? "as absent" : `limit ${describeLiteral(answered, "/result/limit")}, ${howMany(answered)}`,
  ),
  observeAll("OBS-TA-U64", everyAccount, ({ sampleHalf }) => describeBigAmounts(sampleHalf), { feature }),
  experiment("OBS-TA-SLOTMONO", [slotCall(0)], describeSlots, { feature }),
  observeAll("OBS-TA-DELEG", everyAccount, ({ sampleHalf }) => describeDelegated(sampleHalf), { feature }),
];

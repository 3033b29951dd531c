// What is left open about the params of getTokenAccounts, and about the accounts that it lists? (§2.2, §4.3)
import Big from "big.js";
import { type Json, literalAt, valueAt } from "../../harness/core/json.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import { givenAt, type Template } from "../../harness/core/template.ts";
import { Withheld } from "../../harness/model/check.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import {
  asking,
  beholding,
  experiment,
  type Probe,
  type ProbeBench,
  type Reading,
  readingOf,
  type Seen,
} from "../../harness/model/probe.ts";
import type { Target } from "../../harness/target/target.ts";
import { isServed, outcomeOf } from "../../harness/transport/jsonRpc.ts";
import { isOfDouble, isSame, literalTold, nobodys, openly, seenAs, told } from "../shared/describeCalls.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { balance, compressed, mint, owner, ownerWithEmptyAccounts, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { addressesIn } from "./walks.ts";

const part = "tokenAccounts";

type Params = { readonly [member: string]: Template };
const call = (params?: Params): Stimulus => openly(tokenAccounts(params, { id: "open" }));
/** The owner's first two accounts, with something open beside. */
const owners = (params: Params): Stimulus => call({ owner, limit: 2, ...params });

const firstTwo = tokenAccounts({ owner, limit: 2 });

const howMany = (answered: Answered): string => (addressesIn(answered).length === 0 ? "no accounts" : "accounts");

/** Each answer beside the owner's first two accounts. */
const besideFirstTwo = (
  id: Probe["id"],
  cases: { readonly [name: string]: Stimulus },
  tells: (answered: Answered, isFirst: boolean) => Json,
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
            isServed(answered) ? tells(answered, isSame(addressesIn(answered), first)) : outcomeOf(answered),
          ),
        );
      }
      return readingOf(seen);
    },
    { part },
  );

const pageTold = (answered: Answered, isFirst: boolean): Json =>
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
const limited = async ({ ask, target }: ProbeBench, values: readonly number[]): Promise<readonly Seen[]> => {
  const seen: Seen[] = [];
  for (const limit of values) {
    const answered = await ask(call({ owner: smallOwner(target), limit }));
    seen.push(
      seenAs(
        `limit ${limit}`,
        answered,
        told((one) => `limit ${literalTold(one, "/result/limit")}, ${howMany(one)}`)(answered),
      ),
    );
  }
  return seen;
};

const pages = [0, -1, 1.5, 1_000_000];

const ranges = experiment(
  "OBS-TA-RANGE",
  [firstTwo, ...pages.map((page) => owners({ page }))],
  async (bench) => {
    const first = addressesIn(await bench.ask(firstTwo));
    const seen: Seen[] = [...(await limited(bench, [0, -1, 1.5, 1e9]))];
    for (const page of pages) {
      const answered = await bench.ask(owners({ page }));
      seen.push(
        seenAs(`page ${page}`, answered, told((one) => pageTold(one, isSame(addressesIn(one), first)))(answered)),
      );
    }
    return readingOf(seen);
  },
  { part },
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
function listedIn(hand: readonly Answered[]): readonly Listed[] {
  const lists = hand.filter((answered) => answered.stimulus.operation === "getTokenAccounts" && isServed(answered));
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

function burntTold(hand: readonly Answered[]): Reading {
  const seen = listedIn(hand).map(({ account }) => ({
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
  const tells = {
    types: setOf(seen.map(({ burnt }) => kindOf(burnt))),
    presence: present === 0 ? "on none" : present === seen.length ? "on every account" : "on some",
    "with amount 0": values(true),
    "with another amount": values(false),
  };
  return { tells, fingerprints: [] };
}

const zero = new Big(0);

/** What is delegated of an account that holds something, by whether the answer tells of a delegate. */
function delegatedTold(hand: readonly Answered[]): Reading {
  const byDelegate = new Map<string, string[]>();
  for (const { answered, account, at } of listedIn(hand)) {
    const [amount, delegated] = ["amount", "delegated_amount"].map((name) => literalTold(answered, `${at}/${name}`));
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
    tells: Object.fromEntries(
      [...byDelegate].sort(([a], [b]) => (a < b ? -1 : 1)).map(([group, ways]) => [group, setOf(ways)]),
    ),
    fingerprints: [],
  };
}

const wholly = /^\d+$/;

function bigAmountsTold(hand: readonly Answered[]): Reading {
  const amounts = listedIn(hand).flatMap(({ answered, at }) =>
    answered.answer.json ? (literalAt(answered.answer.json, `${at}/amount`) ?? []) : [],
  );
  const big = amounts.filter((digits) => new Big(digits).gt(Number.MAX_SAFE_INTEGER));
  if (big.length === 0) throw new Withheld("no amount above 2^53 was listed twice");
  const how = big.some((digits) => !wholly.test(digits)) ? "with an exponent or a point" : "plainly";
  const isExact = big.some((digits) => wholly.test(digits) && !isOfDouble(digits));
  return {
    tells: {
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

async function slotsTold({ ask, canAsk }: ProbeBench): Promise<Reading> {
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
  beholding("OBS-TA-BURNT", everyAccount, ({ hand }) => burntTold(hand), { part }),
  asking(
    "OBS-TA-REQ",
    { "{}": call({}), "{page: 1}": call({ page: 1 }), "params absent": call() },
    { part, tells: told(howMany) },
  ),
  asking(
    "OBS-TA-OPT",
    {
      "the flag": emptyOnes({ [flag]: true }),
      "the flag as a text": emptyOnes({ [flag]: "true" }),
      "the flag as 1": emptyOnes({ [flag]: 1 }),
      "an unknown child": emptyOnes({ assayUnknown: true }),
      null: emptyOnes(null),
    },
    { part, tells: told(areEmptyShown) },
  ),
  experiment(
    "OBS-TA-MAXLIMIT",
    [firstTwo, ...limits.map((limit) => owners({ limit }))],
    async (bench) => readingOf(await limited(bench, limits)),
    { part },
  ),
  asking(
    "OBS-TA-DEFLIMIT",
    { "no limit": tokenAccounts({ owner }) },
    { part, tells: told((answered) => literalTold(answered, "/result/limit")) },
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
  asking(
    "OBS-TA-ADDRFMT",
    {
      "no base58": call({ owner: "0OIl", limit: 2 }),
      "too short": call({ owner: "abc", limit: 2 }),
      empty: call({ owner: "", limit: 2 }),
      "33 bytes": call({ owner: nobodys("owner", 33), limit: 2 }),
      "for comparison: of nobody": call({ owner: nobodys("owner"), limit: 2 }),
    },
    { part, tells: told(howMany) },
  ),
  besideFirstTwo(
    "OBS-TA-NULLS",
    {
      "mint and cursor null": owners({ mint: null, cursor: null }),
      "page null": owners({ page: null }),
      "limit null": owners({ limit: null }),
    },
    (answered, isFirst) =>
      isFirst ? "as absent" : `limit ${literalTold(answered, "/result/limit")}, ${howMany(answered)}`,
  ),
  beholding("OBS-TA-U64", everyAccount, ({ hand }) => bigAmountsTold(hand), { part }),
  experiment("OBS-TA-SLOTMONO", [slotCall(0)], slotsTold, { part, apart: calls }),
  beholding("OBS-TA-DELEG", everyAccount, ({ hand }) => delegatedTold(hand), { part }),
];

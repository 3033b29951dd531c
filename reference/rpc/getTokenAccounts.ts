// getTokenAccounts: accounts of an owner or a mint (§4.3, §2.2, §2.3)
import { is32Bytes } from "../platform/base58.ts";
import type { TokenAccount } from "../platform/chain.ts";
import type { TokenAccountChoices } from "../platform/rpcChoices.ts";
import type { RpcRules, TokenAccountRules } from "../platform/rpcRules.ts";
import { type Doc, isDocValue, type Value } from "../platform/wire.ts";
import { pass } from "./causes.ts";
import { indexedSlot, type RpcContext, type ServedMethod } from "./method.ts";
import { needs, Refused } from "./refusals.ts";
import { tokenPageOf, type WantedPage } from "./tokenPages.ts";

const memberTypes: { readonly [name: string]: "string" | "number" | "object" } = {
  mint: "string",
  owner: "string",
  page: "number",
  limit: "number",
  cursor: "string",
  before: "string",
  after: "string",
  options: "object",
};

/** The member of options; §4.3 doesn't show its name. */
const flag = "showZeroBalance";

const isNumeral = (value: Value): value is string => typeof value === "string" && /^\d+$/.test(value);
const asText = (value: Value): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** Explicit nulls count as absent: real clients send them. @throws Refused for a wrong type or a bad address */
function wantedOf(
  params: Value | undefined,
  { tokenAccounts: rules, choices: { tokenAccounts: choices } }: RpcRules,
): WantedPage {
  const named = rules.params === "an array" && Array.isArray(params) ? params[0] : params;
  needs(isDocValue(named) && !(rules.params === "an array" && isDocValue(params)));
  needs(choices.nulls === "as absent" || !Object.values(named).includes(null));
  const given = Object.entries(rules.params === "camel names" ? renamed(named) : named).filter(
    ([, value]) => value !== null,
  );
  const wanted: Doc = {};
  for (const [name, sent] of given) {
    const type = Object.hasOwn(memberTypes, name) ? memberTypes[name] : undefined;
    needs(type !== undefined || choices.unknownMembers === "ignored");
    if (type === undefined) continue;
    const value = type === "number" && choices.numericStrings === "numbers" && isNumeral(sent) ? Number(sent) : sent;
    const isRight = type === "object" ? isDocValue(value) : typeof value === type;
    needs(isRight || rules.wrongTypes === "as text");
    wanted[name] = isRight ? value : asText(value);
  }
  const isLenient = rules.wrongTypes === "as text" || choices.badAddresses === "match nothing";
  for (const address of [wanted["mint"], wanted["owner"]])
    needs(address === undefined || isLenient || is32Bytes(address));
  const { options }: WantedPage = wanted;
  needs(
    choices.unknownOptions === "ignored" ||
      Object.entries(options ?? {}).every(([name, value]) => name === flag && typeof value === "boolean"),
  );
  return wanted;
}

const renamed = (doc: Doc): Doc => {
  const { mintAddress, ownerAddress, mint: _, owner: __, ...rest } = doc;
  return {
    ...rest,
    ...(mintAddress === undefined ? {} : { mint: mintAddress }),
    ...(ownerAddress === undefined ? {} : { owner: ownerAddress }),
  };
};

/** Whether an account matches the filters. */
function filterOf({ mint, owner }: WantedPage, rules: TokenAccountRules): (account: TokenAccount) => boolean {
  const hasMint = (account: TokenAccount): boolean =>
    mint === undefined ||
    (rules.mintMatch === "whole" ? account.mint === mint : account.mint.startsWith(mint.slice(0, 1)));
  const hasOwner = (account: TokenAccount): boolean =>
    owner === undefined || account.owner === owner || (rules.delegates === "owners too" && account.delegate === owner);
  const hasBoth = (account: TokenAccount): boolean => hasMint(account) && hasOwner(account);
  if (mint === undefined || owner === undefined) return hasBoth;
  return {
    both: hasBoth,
    "the owner": hasOwner,
    "the mint": hasMint,
    either: (account: TokenAccount) => hasMint(account) || hasOwner(account),
  }[rules.both];
}

function showsEmpty({ options }: WantedPage, { empties }: TokenAccountRules): (account: TokenAccount) => boolean {
  const isOn =
    empties === "always" || (empties === "with any options" ? options !== undefined : options?.[flag] === true);
  if (isOn && empties === "alone with the flag") return ({ amount }) => amount === 0n;
  return ({ amount }) => amount > 0n || (isOn && empties !== "never");
}

const isShown = ({ leavesOut }: TokenAccountRules, { delegate, frozen }: TokenAccount): boolean =>
  !(leavesOut === "delegated accounts" && delegate !== null) && !(leavesOut === "frozen accounts" && frozen);

const burnt = {
  "a boolean": { burnt: false },
  null: { burnt: null },
  "an object": { burnt: { at: null } },
  absent: {},
} as const;

function shown(tokenAccount: TokenAccount, choices: TokenAccountChoices): Value {
  const { address, mint, owner, amount, delegate, delegatedAmount, frozen } = tokenAccount;
  const written = (units: bigint): Value => {
    if (choices.units === "whole tokens") return Number(units) / 1e6;
    return choices.bigAmounts === "exact" ? units : Number(units);
  };
  const delegated = delegate === null && choices.withoutDelegate === "the amount" ? amount : delegatedAmount;
  return {
    address,
    mint,
    owner,
    amount: written(amount),
    delegated_amount: written(delegated),
    frozen,
    ...burnt[choices.burnt],
  };
}

/** By how many slots a replica lags, and how long each one answers in turn. */
const replica = { lag: 3, turn_ms: 100 };

const lagOfReplica = ({ now_ms, rules }: RpcContext): number =>
  rules.choices.tokenAccounts.replicas === "one behind" && Math.floor(now_ms / replica.turn_ms) % 2 === 1
    ? replica.lag
    : 0;

/** Begins at another account with each call. */
function shuffled(accounts: readonly TokenAccount[], now_ms: number): readonly TokenAccount[] {
  const from = Math.floor(now_ms / 10) % Math.max(1, accounts.length);
  return [...accounts.slice(from), ...accounts.slice(0, from)];
}

const byMint = (accounts: readonly TokenAccount[]): readonly TokenAccount[] =>
  [...accounts].sort((a, b) =>
    a.mint === b.mint ? Number(a.address > b.address) - Number(a.address < b.address) : a.mint < b.mint ? -1 : 1,
  );

function handle(context: RpcContext): Value {
  const { tokenAccounts: rules, choices } = context.rules;
  const { order, total, unknownOwners } = choices.tokenAccounts;
  const wanted = wantedOf(context.params, context.rules);
  needs(wanted.mint !== undefined || wanted.owner !== undefined || rules.unfiltered === "everything");
  pass(wanted.owner, wanted.mint);
  const isWanted = filterOf(wanted, rules);
  const hasBalance = showsEmpty(wanted, rules);
  const indexed = indexedSlot(context) - lagOfReplica(context);
  const newest = rules.slotShown === "one too many" ? indexed - 1 : indexed;
  if (unknownOwners === "not found" && context.chain.accounts(isWanted).length === 0) throw new Refused("notFound");
  const found = context.chain.accounts(
    (account) => isWanted(account) && hasBalance(account) && account.slot <= newest && isShown(rules, account),
  );
  const { accounts, cursor, limit } = tokenPageOf(order === "by mint" ? byMint(found) : found, wanted, context.rules);
  return {
    last_indexed_slot: rules.slotShown === "of the chain" ? context.slot : indexed,
    total: total === "of the set" ? found.length : accounts.length,
    limit,
    ...(cursor === null ? {} : { cursor }),
    token_accounts: (order === "shuffled on each page" ? shuffled(accounts, context.now_ms) : accounts).map((account) =>
      shown(account, choices.tokenAccounts),
    ),
  };
}

export const getTokenAccounts: ServedMethod = { errorTable: "tokenAccounts", handle };

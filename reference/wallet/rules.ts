// By which rules does the platform answer wallet requests? Most mutants about them change one. (§4.2, §5)
import type { OperationId } from "../../specs/generated/operations.ts";
import { type ErrorShape, honestRefusals, type WalletCause, type WalletRefusal } from "./refusals.ts";

export type WalletOperation = Extract<OperationId, `${string}Wallet${string}`>;

/** How a past moment is named: unix time in seconds, ISO 8601 with a zone, or a slot. */
export type MomentForm = "time" | "datetime" | "slot";

export interface Route {
  readonly verb: "GET" | "POST";
  /** `{wallet}` stands for the address or domain. */
  readonly path: string;
}

interface BatchRules {
  /** The member of the body; §4.2 doesn't show it. */
  readonly member: string;
  readonly body: "JSON" | "a form";
  readonly mediaTypes: readonly string[] | "any";
  /** Entries per call, §8; null: as many as come. */
  readonly most: number | null;
  readonly beyondMost: "refused" | "cut off";
  readonly counted: "all entries" | "addresses alone";
  readonly domains: "resolved" | "refused";
  readonly looksUp: "all" | "the first";
  /** Bytes. */
  readonly largestBody: number;
}

interface BalanceAtRules {
  /** Names of query parameters; §4.2 doesn't show them. */
  readonly names: { readonly [F in MomentForm | "mint"]: string };
  readonly forms: readonly MomentForm[];
  readonly when: "as asked" | "now";
}

/** What the interface leaves open. */
export interface WalletChoices {
  readonly errorShape: ErrorShape;
  readonly successStatus: 200 | 203;
  /** Domains on endpoints that are documented for addresses. */
  readonly domains: "everywhere" | "identity alone";
  readonly domainCase: "any" | "exact";
  /** A well-formed address or domain of which nothing is known. */
  readonly unknown: "empty data" | "not found";
  readonly unknownQuery: "ignored" | "refused";
  /** Entries of a batch that are neither address nor domain. */
  readonly badEntries: "refused" | "as unknown";
  readonly emptyBatch: "refused" | "an empty list";
  readonly duplicates: "each told" | "told once";
  readonly batchOrder: "as asked" | "known ones first";
  readonly unknownEntries: "in their places" | "left out";
  readonly otherMembers: "ignored" | "refused";
  readonly future: "refused" | "as now";
  /** Before the first transaction. */
  readonly beforeAll: "nothing held" | "refused";
  readonly twoMoments: "refused" | "the first counts";
  readonly noMoment: "refused" | "now";
  /** The value of what nobody trades. */
  readonly noPrice: "null" | "left out" | "zero";
  /** A sign of beta in headers. */
  readonly beta: "none" | "told";
  /** Beside the members of every record. */
  readonly meta: "none" | "told";
  /** Base units. */
  readonly amounts: "numbers" | "texts";
  /** Of history and transfers. */
  readonly paging: "none" | "told";
  /** Whether a free plan is told before anything that is wrong with the request. */
  readonly planJudged: "before the request" | "behind it";
}

export interface WalletRules {
  /** Null: not routed at all. */
  readonly routes: { readonly [O in WalletOperation]: Route | null };
  readonly refusals: { readonly [C in WalletCause]: WalletRefusal };
  readonly headerIgnored: readonly WalletOperation[];
  readonly queryIgnored: readonly WalletOperation[];
  /** Where batch-identity finds a key; in the body it is a member of the query parameter's name. */
  readonly batchKey: "with the request" | "in the body";
  /** Operations that are served although the key is missing or unknown. */
  readonly open: { readonly [C in "noKey" | "unknownKey"]: readonly WalletOperation[] };
  /** Whose request one without a key is. */
  readonly keyless: "nobody's" | "a demo project's";
  /** What projects on free plans are answered: data, nothing with 204, or a refusal with that status (§5.7). */
  readonly onFree: { readonly [O in WalletOperation]: "served" | "nothing" | number };
  /** Operations that are closed to the lowest paid plan too. */
  readonly closedToLowest: readonly WalletOperation[];
  readonly identityDomains: "resolved" | "refused" | "always the first wallet";
  readonly batch: BatchRules;
  readonly balanceAt: BalanceAtRules;
  readonly choices: WalletChoices;
}

const get = (path: string): Route => ({ verb: "GET", path });

export const honestWallet: WalletRules = {
  routes: {
    getWalletIdentity: get("/v1/wallet/{wallet}/identity"),
    batchWalletIdentity: { verb: "POST", path: "/v1/wallet/batch-identity" },
    getWalletBalances: get("/v1/wallet/{wallet}/balances"),
    getWalletBalanceAt: get("/v1/wallet/{wallet}/balance-at"),
    getWalletHistory: get("/v1/wallet/{wallet}/history"),
    getWalletTransfers: get("/v1/wallet/{wallet}/transfers"),
    getWalletFundedBy: get("/v1/wallet/{wallet}/funded-by"),
  },
  refusals: honestRefusals,
  headerIgnored: [],
  queryIgnored: [],
  batchKey: "with the request",
  open: { noKey: [], unknownKey: [] },
  keyless: "nobody's",
  onFree: {
    getWalletIdentity: 403,
    batchWalletIdentity: 403,
    getWalletBalances: "served",
    getWalletBalanceAt: "served",
    getWalletHistory: "served",
    getWalletTransfers: "served",
    getWalletFundedBy: 403,
  },
  closedToLowest: [],
  identityDomains: "resolved",
  batch: {
    member: "addresses",
    body: "JSON",
    mediaTypes: ["application/json"],
    most: 100,
    beyondMost: "refused",
    counted: "all entries",
    domains: "resolved",
    looksUp: "all",
    largestBody: 1_048_576,
  },
  balanceAt: {
    names: { mint: "mint", time: "time", datetime: "datetime", slot: "slot" },
    forms: ["time", "datetime", "slot"],
    when: "as asked",
  },
  choices: {
    errorShape: "code and message",
    successStatus: 200,
    domains: "everywhere",
    domainCase: "any",
    unknown: "empty data",
    unknownQuery: "ignored",
    badEntries: "refused",
    emptyBatch: "refused",
    duplicates: "each told",
    batchOrder: "as asked",
    unknownEntries: "in their places",
    otherMembers: "ignored",
    future: "refused",
    beforeAll: "nothing held",
    twoMoments: "refused",
    noMoment: "refused",
    noPrice: "null",
    beta: "none",
    meta: "none",
    amounts: "numbers",
    paging: "none",
    planJudged: "before the request",
  },
};

/** Some changed, table by table. */
export type WalletChange = Partial<
  Omit<WalletRules, "routes" | "refusals" | "open" | "onFree" | "batch" | "balanceAt" | "choices">
> & {
  readonly [T in "routes" | "refusals" | "open" | "onFree" | "batch" | "balanceAt" | "choices"]?: Partial<
    WalletRules[T]
  >;
};

export const changedWallet = (rules: WalletRules, change: WalletChange = {}): WalletRules => ({
  ...rules,
  ...change,
  routes: { ...rules.routes, ...change.routes },
  refusals: { ...rules.refusals, ...change.refusals },
  open: { ...rules.open, ...change.open },
  onFree: { ...rules.onFree, ...change.onFree },
  batch: { ...rules.batch, ...change.batch },
  balanceAt: { ...rules.balanceAt, ...change.balanceAt },
  choices: { ...rules.choices, ...change.choices },
});

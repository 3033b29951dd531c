// The rules of the wallet endpoints (§4.2, §5); of refusals only the 403 on free plans is shown (§5.7, §7.3)
import type { OperationId } from "../../specs/generated/operations.ts";
import { type ChangeOf, type Chosen, either, firstOf, rule } from "./change.ts";

export interface WalletRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export type ErrorShape = "code and message" | "nested" | "as of the usage endpoint";

export type WalletRouteName = Extract<OperationId, `${string}Wallet${string}`>;

/** How a past moment is named: unix time in seconds, ISO 8601 with a zone, or a slot. */
export type MomentForm = "time" | "datetime" | "slot";

export interface WalletRoute {
  readonly verb: "GET" | "POST";
  /** `{wallet}` stands for the address or domain. */
  readonly path: string;
}

const refusal = (status: number, code: string, message: string): WalletRefusal => ({ status, code, message });
const unauthorized = refusal(401, "UNAUTHORIZED", "The API key is missing or isn't known");

export const honestRefusals = {
  noKey: unauthorized,
  malformedKey: unauthorized,
  unknownKey: unauthorized,
  revokedKey: unauthorized,
  blockedAddress: refusal(403, "ADDRESS_BLOCKED", "This API key is not allowed from your address"),
  plan: refusal(403, "PLAN_REQUIRED", "This endpoint needs a paid plan"),
  wallet: refusal(400, "INVALID_WALLET", "Neither a wallet address nor a domain"),
  moment: refusal(
    400,
    "INVALID_MOMENT",
    "Name exactly one past moment: unix time in seconds, ISO 8601 with a zone, or a slot",
  ),
  query: refusal(400, "INVALID_QUERY", "A query parameter is unknown or isn't good"),
  mediaType: refusal(415, "UNSUPPORTED_MEDIA_TYPE", "Send application/json"),
  tooLarge: refusal(413, "BODY_TOO_LARGE", "The body is too large"),
  body: refusal(400, "INVALID_BODY", "The body isn't a list of wallet addresses and domains"),
  tooMany: refusal(400, "TOO_MANY_ENTRIES", "At most 100 addresses and domains per call"),
  notFound: refusal(404, "NOT_FOUND", "Nothing is known of this wallet"),
  verb: refusal(405, "METHOD_NOT_ALLOWED", "Method not allowed"),
} as const;
export type WalletCause = keyof typeof honestRefusals;

const get = (path: string): WalletRoute => ({ verb: "GET", path });

const batch = {
  /** The member of the body; §4.2 doesn't show it. */
  member: rule<string>("addresses"),
  body: rule("JSON", "a form"),
  mediaTypes: rule<readonly string[] | "any">(["application/json"]),
  /** Entries per call, §8; null: unlimited. */
  most: rule<number | null>(100),
  beyondMost: rule("refused", "cut off"),
  counted: rule("all entries", "addresses alone"),
  domains: rule("resolved", "refused"),
  looksUp: rule("all", "the first"),
  /** Bytes. */
  largestBody: rule<number>(1_048_576),
} as const;

const balanceAt = {
  /** Names of query parameters; §4.2 doesn't show them. */
  names: rule<{ readonly [F in MomentForm | "mint"]: string }>({
    mint: "mint",
    time: "time",
    datetime: "datetime",
    slot: "slot",
  }),
  forms: rule<readonly MomentForm[]>(["time", "datetime", "slot"]),
  when: rule("as asked", "now"),
} as const;

/** Choices where the interface leaves behaviour unspecified. */
export const walletChoices = {
  errorShape: either<ErrorShape>("code and message", "nested", "as of the usage endpoint"),
  successStatus: either(200, 203),
  /** Domains on endpoints that are documented for addresses. */
  domains: either("everywhere", "identity alone"),
  domainCase: either("any", "exact"),
  /** A well-formed address or domain of which nothing is known. */
  unknown: either("empty data", "not found"),
  unknownQuery: either("ignored", "refused"),
  /** Entries of a batch that are neither address nor domain. */
  badEntries: either("refused", "as unknown"),
  emptyBatch: either("refused", "an empty list"),
  duplicates: either("each", "told once"),
  batchOrder: either("as asked", "known ones first"),
  unknownEntries: either("in their places", "left out"),
  otherMembers: either("ignored", "refused"),
  future: either("refused", "as now"),
  /** Before the first transaction. */
  beforeAll: either("nothing held", "refused"),
  twoMoments: either("refused", "the first counts"),
  noMoment: either("refused", "now"),
  /** The value of an asset without a price. */
  noPrice: either("null", "left out", "zero"),
  /** A sign of beta in headers. */
  beta: either("none", "told"),
  /** Beside the members of every record. */
  meta: either("none", "told"),
  /** Base units. */
  amounts: either("numbers", "texts"),
  /** Of history and transfers. */
  paging: either("none", "told"),
  /** Whether a free plan is refused before faults of the request. */
  planJudged: either("before the request", "behind it"),
} as const;
export type WalletChoices = Chosen<typeof walletChoices>;

export const honestWallet = {
  /** Null: not routed at all. */
  routes: rule<{ readonly [O in WalletRouteName]: WalletRoute | null }>({
    getWalletIdentity: get("/v1/wallet/{wallet}/identity"),
    batchWalletIdentity: { verb: "POST", path: "/v1/wallet/batch-identity" },
    getWalletBalances: get("/v1/wallet/{wallet}/balances"),
    getWalletBalanceAt: get("/v1/wallet/{wallet}/balance-at"),
    getWalletHistory: get("/v1/wallet/{wallet}/history"),
    getWalletTransfers: get("/v1/wallet/{wallet}/transfers"),
    getWalletFundedBy: get("/v1/wallet/{wallet}/funded-by"),
  }),
  refusals: rule<{ readonly [C in WalletCause]: WalletRefusal }>(honestRefusals),
  headerIgnored: rule<readonly WalletRouteName[]>([]),
  queryIgnored: rule<readonly WalletRouteName[]>([]),
  /** Where batch-identity finds a key; in the body it is a member of the query parameter's name. */
  batchKey: rule("with the request", "in the body"),
  /** Operations that are served without a valid key. */
  open: rule<{ readonly [C in "noKey" | "unknownKey"]: readonly WalletRouteName[] }>({ noKey: [], unknownKey: [] }),
  /** The project of a request without a key. */
  keyless: rule("anonymous", "a demo project's"),
  /** The answer on free plans: data, nothing with 204, or a refusal with that status (§5.7). */
  onFree: rule<{ readonly [O in WalletRouteName]: "served" | "nothing" | number }>({
    getWalletIdentity: 403,
    batchWalletIdentity: 403,
    getWalletBalances: "served",
    getWalletBalanceAt: "served",
    getWalletHistory: "served",
    getWalletTransfers: "served",
    getWalletFundedBy: 403,
  }),
  /** Operations that are closed to the lowest paid plan too. */
  closedToLowest: rule<readonly WalletRouteName[]>([]),
  identityDomains: rule("resolved", "refused", "always the first wallet"),
  batch,
  balanceAt,
  choices: firstOf(walletChoices),
} as const;
export type WalletRules = typeof honestWallet;

export type WalletChange = ChangeOf<WalletRules>;

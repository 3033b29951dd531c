// Types of the rules of the wallet endpoints (§4.2, §5)

import type { OperationId } from "../../specs/generated/operations.ts";
import type { Change } from "./change.ts";

export type WalletCause =
  | "noKey"
  | "malformedKey"
  | "unknownKey"
  | "revokedKey"
  | "blockedAddress"
  | "plan"
  | "wallet"
  | "moment"
  | "query"
  | "mediaType"
  | "tooLarge"
  | "body"
  | "tooMany"
  | "notFound"
  | "verb";

export interface WalletRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

export type ErrorShape = "code and message" | "nested" | "as of the usage endpoint";

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
  /** Entries per call, §8; null: unlimited. */
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

/** Choices where the interface leaves behaviour unspecified. */
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
  readonly duplicates: "each" | "told once";
  readonly batchOrder: "as asked" | "known ones first";
  readonly unknownEntries: "in their places" | "left out";
  readonly otherMembers: "ignored" | "refused";
  readonly future: "refused" | "as now";
  /** Before the first transaction. */
  readonly beforeAll: "nothing held" | "refused";
  readonly twoMoments: "refused" | "the first counts";
  readonly noMoment: "refused" | "now";
  /** The value of an asset without a price. */
  readonly noPrice: "null" | "left out" | "zero";
  /** A sign of beta in headers. */
  readonly beta: "none" | "told";
  /** Beside the members of every record. */
  readonly meta: "none" | "told";
  /** Base units. */
  readonly amounts: "numbers" | "texts";
  /** Of history and transfers. */
  readonly paging: "none" | "told";
  /** Whether a free plan is refused before faults of the request. */
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
  /** Operations that are served without a valid key. */
  readonly open: { readonly [C in "noKey" | "unknownKey"]: readonly WalletOperation[] };
  /** The project of a request without a key. */
  readonly keyless: "anonymous" | "a demo project's";
  /** The answer on free plans: data, nothing with 204, or a refusal with that status (§5.7). */
  readonly onFree: { readonly [O in WalletOperation]: "served" | "nothing" | number };
  /** Operations that are closed to the lowest paid plan too. */
  readonly closedToLowest: readonly WalletOperation[];
  readonly identityDomains: "resolved" | "refused" | "always the first wallet";
  readonly batch: BatchRules;
  readonly balanceAt: BalanceAtRules;
  readonly choices: WalletChoices;
}

export type WalletChange = Change<WalletRules>;

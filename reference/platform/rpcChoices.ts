// Types of the choices of JSON-RPC where the interface leaves behaviour unspecified
import type { Change } from "./change.ts";
export interface EnvelopeChoices {
  /** HTTP status of a call that is served. */
  readonly servedStatus: 200 | 202;
  /** HTTP status of what is no JSON. */
  readonly parseStatus: 200 | 400;
  readonly notificationStatus: 200 | 202 | 204;
  /** Whether `jsonrpc` must be "2.0". */
  readonly version: "demanded" | "not looked at" | "1.0 wanted";
  readonly methodSpelling: "exact" | "any case and white space";
  /** Ids that are neither text nor number nor null. */
  readonly otherIds: "refused" | "echoed";
  readonly fractionalIds: "echoed" | "refused";
  /** Characters of an id, at most; null: any number. */
  readonly longestId: number | null;
  readonly loneSurrogates: "echoed" | "replaced" | "refused";
  /** Calls in a batch, at most; null: any number. */
  readonly longestBatch: number | null;
  readonly batchOrder: "as asked" | "the last first";
  readonly duplicates: "the last counts" | "the first counts" | "refused";
  /** Members that no envelope has. */
  readonly otherMembers: "ignored" | "refused";
  /** Params that are neither object nor array nor null. */
  readonly scalarParams: "no request" | "bad params";
  /** Levels of JSON, at most; null: any number. */
  readonly deepest: number | null;
  /** Bytes of a body, at most; null: any number. */
  readonly largestBody: number | null;
  /** Bodies that were sent compressed. */
  readonly gzipped: "taken as they are" | "refused" | "unpacked";
  readonly get: "not allowed" | "not found" | "a page";
  readonly discover: "a document" | "unknown";
  readonly contextSlots: "of one index" | "of several";
  readonly contextMembers: "slot" | "slot and version";
  readonly errorData: "none" | "the cause";
  readonly requestId: "none" | "in every envelope";
  readonly keyInHeader: "not looked at" | "as good as in the query";
  readonly blockedAddress: "in an envelope" | "by HTTP alone";
  /** When the key is judged. */
  readonly keyJudged: "after the envelope" | "before the envelope" | "after the method";
  readonly limitJudged: "before the method" | "last";
}

export interface TokenAccountChoices {
  readonly burnt: "a boolean" | "null" | "an object" | "absent";
  readonly withoutDelegate: "0" | "the amount";
  /** How whole numbers beyond 2^53 are written. */
  readonly bigAmounts: "exact" | "as doubles";
  readonly total: "of the set" | "of the page";
  readonly order: "by address" | "by mint" | "shuffled on each page";
  /** Limits and pages below the first, or with fractions. */
  readonly outOfRange: "refused" | "brought into range";
  readonly numericStrings: "refused" | "numbers";
  readonly unknownMembers: "ignored" | "refused";
  readonly unknownOptions: "ignored" | "refused";
  readonly nulls: "as absent" | "refused";
  readonly badAddresses: "refused" | "match nothing";
  readonly unknownOwners: "own nothing" | "not found";
  readonly cursorForm: "opaque" | "an address";
  readonly badCursors: "refused" | "lead nowhere";
  readonly lastCursor: "absent" | "of the last account" | "an empty text";
  readonly pageAndCursor: "pages from the cursor" | "the page counts" | "the cursor counts" | "refused";
  /** Two of cursor, before and after. */
  readonly severalCursors: "the range between" | "refused";
  readonly beforePages: "the nearest" | "the nearest, reversed" | "the first";
  /** Whether a replica whose index lags answers now and then. */
  readonly replicas: "in step" | "one behind";
}

export interface ProofChoices {
  readonly noAddresses: "refused" | "no proofs";
  readonly duplicates: "each proved" | "proved once" | "refused";
  readonly existing: "refused" | "proved by their own leaf";
  readonly order: "as asked" | "by address";
  readonly shortAddresses: "refused" | "filled up";
  /** Hashes below the root that the tree's own account holds, so that no proof repeats them. */
  readonly canopy: number;
}

export interface BalanceChoices {
  readonly bothGiven: "must agree" | "the address counts" | "the hash counts" | "refused";
  readonly unknownAccounts: "worth 0" | "refused";
  readonly bigBalances: "exact" | "as doubles";
}

export interface MethodChoices {
  readonly tokenAccounts: TokenAccountChoices;
  readonly proofs: ProofChoices;
  readonly balance: BalanceChoices;
}

export type MethodChange = Change<MethodChoices>;

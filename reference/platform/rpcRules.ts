// Types of the rules of JSON-RPC (§4.3, §7.2)

import type { BundleRules } from "./bundleRules.ts";
import type { Change } from "./change.ts";
import type { RpcCause, RpcRefusals } from "./rpcCauses.ts";
import type { EnvelopeChoices, MethodChoices } from "./rpcChoices.ts";

export interface TokenAccountRules {
  readonly params: "an object" | "an array" | "camel names";
  /** Members with another JSON type than documented. */
  readonly wrongTypes: "refused" | "as text";
  /** Which filters hold where both are given. */
  readonly both: "both" | "the owner" | "the mint" | "either";
  readonly mintMatch: "whole" | "by its beginning";
  readonly delegates: "not owners" | "owners too";
  readonly leavesOut: "nothing" | "delegated accounts" | "frozen accounts";
  readonly defaultLimit: number;
  readonly largestLimit: number;
  readonly beyondLargest: "refused" | "cut to the largest";
  /** How many accounts a page holds. */
  readonly perPage: "limit" | "limit and one" | "everything" | "120 without a limit";
  readonly firstPage: 0 | 1;
  readonly pages: "consecutive" | "always the first" | "overlapping by one" | "with gaps";
  readonly cursors:
    | "exact"
    | "skip the next"
    | "repeat the last"
    | "lead back"
    | "only on the first page"
    | "omit the first account";
  readonly after: "after" | "at and after" | "before" | "ignored";
  readonly before: "before" | "at and before" | "ignored";
  /** The member of options; §4.3 doesn't show its name. */
  readonly flag: string;
  readonly empties: "with the flag" | "never" | "alone with the flag" | "always" | "with any options";
  /** Neither owner nor mint. */
  readonly unfiltered: "refused" | "everything";
  readonly slotShown: "of the index" | "of the chain" | "one too many";
}

export interface HealthRules {
  readonly params: "none or empty" | "none at all" | "anything" | "required" | "null only";
  readonly limit: "more than" | "at least";
  /** Blocks; null: by the index's setting. */
  readonly threshold: number | null;
  readonly judged: "at the call" | "once and for all" | "never";
}

export interface BalanceRules {
  readonly params: "an object" | "an array";
  readonly byAddress: "its account" | "always the first";
  readonly byHash: "its account" | "refused" | "as an address" | "before the last change" | "in whole coins";
  readonly nulls: "as absent" | "address refused" | "hash refused";
  readonly badInput: "refused" | "valued null";
  readonly neither: "refused" | "nothing";
}

export interface ProofRules {
  readonly params: "flat" | "nested";
  readonly reads: "all" | "the first";
  readonly invalid: "refused" | "left out";
  /** Addresses per call, at most. */
  readonly most: number;
}

export interface RpcRules {
  readonly paths: readonly string[];
  readonly verbs: readonly string[];
  readonly methodNames: "as documented" | "in lower case";
  readonly unknownMethods: readonly string[];
  readonly mediaTypes: "any" | readonly string[];
  readonly keyIn: "query" | "header";
  /** Methods that are served without a key. */
  readonly openMethods: readonly string[];
  readonly blankKey: "refused" | "let through";
  readonly refusals: RpcRefusals;
  /** HTTP status of an error. */
  readonly errorStatus: 200 | "by cause";
  readonly stringIds: "accepted" | "refused";
  readonly requiredMember: string | null;
  /** The cause for which no answer ever comes. */
  readonly hangs: RpcCause | null;
  readonly echoes: "its own id" | "the id of the latest call of its method";
  readonly cache: "none" | "of whole envelopes";
  readonly batches: "answered" | "refused";
  readonly notifications: "not answered" | "answered";
  readonly nullIds: "requests" | "notifications";
  readonly emptyBatch: "refused" | "answered with nothing in it";
  readonly batchOfOne: "an array" | "an object";
  readonly memberCase: "exact" | "any";
  readonly notRequests: "refused" | "served";
  readonly reservedNames: "unknown" | "aliases";
  readonly tokenAccounts: TokenAccountRules;
  readonly health: HealthRules;
  readonly balance: BalanceRules;
  readonly proofs: ProofRules;
  readonly bundles: BundleRules;
  /** Choices of methods where the interface leaves behaviour unspecified. */
  readonly choices: MethodChoices;
  /** Choices of envelopes. */
  readonly envelope: EnvelopeChoices;
}

export type RpcChange = Change<RpcRules>;

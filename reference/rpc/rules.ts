// By which rules does the platform answer JSON-RPC calls? Most mutants about them change one.
import { type BundleChange, type BundleRules, changedBundles, honestBundles } from "../bundles/rules.ts";
import { chosen, honestMethods, type MethodChange, type MethodChoices } from "./choices.ts";
import { type EnvelopeChoices, honestEnvelopes } from "./envelope.ts";
import type { ProofRules } from "./getMultipleNewAddressProofs.ts";
import { documentedRefusals, type RpcCause, type RpcRefusals } from "./refusals.ts";

export interface TokenAccountRules {
  readonly params: "an object" | "an array" | "camel names";
  /** How members that were sent with another JSON type than documented are taken. */
  readonly wrongTypes: "refused" | "as text";
  /** Which filters hold where both are given. */
  readonly both: "both" | "the owner" | "the mint" | "either";
  readonly mintMatch: "whole" | "by its beginning";
  readonly delegates: "not owners" | "owners too";
  readonly leavesOut: "nothing" | "delegated accounts" | "frozen accounts";
  readonly defaultLimit: number;
  readonly largestLimit: number;
  readonly beyondLargest: "refused" | "cut to the largest";
  /** What `limit` says where the page is longer or shorter. */
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
  /** Blocks; null: as the setting says. */
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
  readonly echoes: "its own id" | "the id of the last call that came in";
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
  /** What the interface leaves open about the methods. */
  readonly choices: MethodChoices;
  /** And about envelopes. */
  readonly envelope: EnvelopeChoices;
}

export const honestRpc: RpcRules = {
  paths: ["/"],
  verbs: ["POST"],
  methodNames: "as documented",
  unknownMethods: [],
  mediaTypes: "any",
  keyIn: "query",
  openMethods: [],
  blankKey: "refused",
  refusals: documentedRefusals,
  errorStatus: 200,
  stringIds: "accepted",
  requiredMember: null,
  hangs: null,
  echoes: "its own id",
  cache: "none",
  batches: "answered",
  notifications: "not answered",
  nullIds: "requests",
  emptyBatch: "refused",
  batchOfOne: "an array",
  memberCase: "exact",
  notRequests: "refused",
  reservedNames: "unknown",
  tokenAccounts: {
    params: "an object",
    wrongTypes: "refused",
    both: "both",
    mintMatch: "whole",
    delegates: "not owners",
    leavesOut: "nothing",
    defaultLimit: 100,
    largestLimit: 1000,
    beyondLargest: "refused",
    perPage: "limit",
    firstPage: 1,
    pages: "consecutive",
    cursors: "exact",
    after: "after",
    before: "before",
    flag: "showZeroBalance",
    empties: "with the flag",
    unfiltered: "refused",
    slotShown: "of the index",
  },
  health: { params: "none or empty", limit: "more than", threshold: null, judged: "at the call" },
  balance: {
    params: "an object",
    byAddress: "its account",
    byHash: "its account",
    nulls: "as absent",
    badInput: "refused",
    neither: "refused",
  },
  proofs: { params: "flat", reads: "all", invalid: "refused", most: 50 },
  bundles: honestBundles,
  choices: honestMethods,
  envelope: honestEnvelopes,
};

/** Some changed, table by table. */
export type RpcChange = Partial<
  Omit<RpcRules, "tokenAccounts" | "health" | "balance" | "proofs" | "bundles" | "choices" | "envelope" | "refusals">
> & {
  readonly tokenAccounts?: Partial<TokenAccountRules>;
  readonly health?: Partial<HealthRules>;
  readonly balance?: Partial<BalanceRules>;
  readonly proofs?: Partial<ProofRules>;
  readonly bundles?: BundleChange;
  readonly choices?: MethodChange;
  readonly envelope?: Partial<EnvelopeChoices>;
  readonly refusals?: { readonly [F in keyof RpcRefusals]?: RpcRefusals[F] };
};

export const changedRpc = (rules: RpcRules, change: RpcChange = {}): RpcRules => ({
  ...rules,
  ...change,
  tokenAccounts: { ...rules.tokenAccounts, ...change.tokenAccounts },
  health: { ...rules.health, ...change.health },
  balance: { ...rules.balance, ...change.balance },
  proofs: { ...rules.proofs, ...change.proofs },
  bundles: changedBundles(rules.bundles, change.bundles),
  choices: chosen(rules.choices, change.choices),
  envelope: { ...rules.envelope, ...change.envelope },
  refusals: {
    tokenAccounts: { ...rules.refusals.tokenAccounts, ...change.refusals?.tokenAccounts },
    compression: { ...rules.refusals.compression, ...change.refusals?.compression },
    bundles: { ...rules.refusals.bundles, ...change.refusals?.bundles },
  },
});

// The rules of JSON-RPC (§4.3, §7.2)
import type { RpcCause, RpcRefusals } from "../errors/causes.ts";
import { refusals } from "../generated/refusals.ts";
import { honestBundles } from "./bundleRules.ts";
import { type ChangeOf, firstOf, rule } from "./change.ts";
import { envelopeChoices, methodChoices } from "./rpcChoices.ts";

const tokenAccounts = {
  params: rule("an object", "an array", "camel names"),
  /** Members with another JSON type than documented. */
  wrongTypes: rule("refused", "as text"),
  /** Which filters hold where both are given. */
  both: rule("both", "the owner", "the mint", "either"),
  mintMatch: rule("whole", "by its beginning"),
  delegates: rule("not owners", "owners too"),
  leavesOut: rule("nothing", "delegated accounts", "frozen accounts"),
  defaultLimit: rule<number>(100),
  largestLimit: rule<number>(1000),
  beyondLargest: rule("refused", "cut to the largest"),
  /** How many accounts a page holds. */
  perPage: rule("limit", "limit and one", "everything", "120 without a limit"),
  firstPage: rule(1, 0),
  pages: rule("consecutive", "always the first", "overlapping by one", "with gaps"),
  cursors: rule(
    "exact",
    "skip the next",
    "repeat the last",
    "lead back",
    "only on the first page",
    "omit the first account",
  ),
  after: rule("after", "at and after", "before", "ignored"),
  before: rule("before", "at and before", "ignored"),
  empties: rule("with the flag", "never", "alone with the flag", "always", "with any options"),
  /** Neither owner nor mint. */
  unfiltered: rule("refused", "everything"),
  slotShown: rule("of the index", "of the chain", "one too many"),
} as const;
export type TokenAccountRules = typeof tokenAccounts;

const health = {
  params: rule("none or empty", "none at all", "anything", "required", "null only"),
  limit: rule("more than", "at least"),
  /** Blocks; null: by the index's setting. */
  threshold: rule<number | null>(null),
  judged: rule("at the call", "once and for all", "never"),
} as const;
export type HealthRules = typeof health;

const balance = {
  params: rule("an object", "an array"),
  byAddress: rule("its account", "always the first"),
  byHash: rule("its account", "refused", "as an address", "before the last change", "in whole coins"),
  nulls: rule("as absent", "address refused", "hash refused"),
  badInput: rule("refused", "valued null"),
  neither: rule("refused", "nothing"),
} as const;
export type BalanceRules = typeof balance;

const proofs = {
  params: rule("flat", "nested"),
  reads: rule("all", "the first"),
  invalid: rule("refused", "left out"),
  /** Addresses per call, at most. */
  most: rule<number>(50),
} as const;

export const honestRpc = {
  paths: rule<readonly string[]>(["/"]),
  verbs: rule<readonly string[]>(["POST"]),
  methodNames: rule("as documented", "in lower case"),
  unknownMethods: rule<readonly string[]>([]),
  mediaTypes: rule<"any" | readonly string[]>("any"),
  keyIn: rule("query", "header"),
  /** Methods that are served without a key. */
  openMethods: rule<readonly string[]>([]),
  blankKey: rule("refused", "let through"),
  refusals: rule<RpcRefusals>(refusals),
  /** HTTP status of an error. */
  errorStatus: rule<200 | "by cause">(200),
  stringIds: rule("accepted", "refused"),
  requiredMember: rule<string | null>(null),
  /** The cause for which no answer ever comes. */
  hangs: rule<RpcCause | null>(null),
  echoes: rule("its own id", "the id of the latest call of its method"),
  cache: rule("none", "of whole envelopes"),
  batches: rule("answered", "refused"),
  notifications: rule("not answered", "answered"),
  nullIds: rule("requests", "notifications"),
  emptyBatch: rule("refused", "answered with nothing in it"),
  batchOfOne: rule("an array", "an object"),
  memberCase: rule("exact", "any"),
  notRequests: rule("refused", "served"),
  reservedNames: rule("unknown", "aliases"),
  tokenAccounts,
  health,
  balance,
  proofs,
  bundles: honestBundles,
  /** Choices of methods where the interface leaves behaviour unspecified. */
  choices: firstOf(methodChoices),
  /** Choices of envelopes. */
  envelope: firstOf(envelopeChoices),
} as const;
export type RpcRules = typeof honestRpc;

export type RpcChange = ChangeOf<RpcRules>;

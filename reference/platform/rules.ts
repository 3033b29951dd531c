// Types of the rules by which the platform acts: one object; most mutants change one member of it
import type { Change } from "./change.ts";
import type { Algorithm, Limits } from "./limitRules.ts";
import type { MeteringRules } from "./meteringRules.ts";
import type { General } from "./project.ts";
import type { RpcRules } from "./rpcRules.ts";
import type { WalletRules } from "./walletRules.ts";

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly error: string;
}

/** Why a usage request is refused. */
export type Cause =
  | "noKey"
  | "malformedKey"
  | "unknownKey"
  | "blockedAddress"
  | "throttled"
  | "foreignProject"
  | "unknownProject"
  | "notUuid"
  | "adminOff"
  | "unbilled"
  | "revokedKey"
  | "exhausted";

/** In which order a usage request is examined. */
export type Step =
  | "key"
  | "address"
  | "limit"
  | "project"
  | "admin"
  | "billing"
  | "uuidBeforeKey"
  | "projectBeforeKey"
  | "limitBeforeKey";

/** The entries over which a figure sums. */
export type Scope =
  | "cycle"
  | "lifetime"
  | "cycle and the one before"
  | "calendar month"
  | "billing window"
  | "day"
  | "until the last full hour"
  | "until midnight";

export interface Rounding {
  /** Whether increments are rounded before they are accumulated. */
  readonly each: "never" | "nearest" | "up" | "daily";
  /** How products and totals are rounded when they are shown. */
  readonly last: "nearest" | "half even" | "down" | "up";
  /** Whether the four totals are shown rounded. */
  readonly totals: "rounded" | "exact";
  /** Whether reading usage changes what is accumulated. */
  readonly reading: "leaves the ledger" | "writes back";
}

export interface Choices {
  /** HEAD on a served path. */
  readonly head: "as GET" | "refused";
  readonly otherOrigins: "not mentioned" | "any";
  readonly slashAtEnd: "another path" | "the same path";
  readonly doubledSlashes: "another path" | "the same path";
  readonly pathCase: "exact" | "any";
  readonly unknownPath: "not found" | "key first";
  readonly unknownQuery: "ignored" | "refused";
  readonly accept: "ignored" | "honoured";
  readonly compression: "never" | "where accepted";
  readonly etag: "none" | "of the body";
  readonly bodyOfGet: "ignored" | "refused";
  /** Characters of an address, at most; null: the server's own limit. */
  readonly longestAddress: number | null;
  readonly plainHttp: "served" | "redirected";
  /** The key that counts where header and query carry one. */
  readonly bothCarriers: "the header counts" | "the query counts" | "refused";
  readonly repeatedKey: "the first counts" | "the last counts" | "joined";
  readonly emptyHeader: "a key" | "no key";
  readonly keySpaces: "count" | "trimmed";
  readonly keyCase: "exact" | "any";
  readonly queryNameCase: "exact" | "any";
  readonly bearer: "ignored" | "a key";
  /** Whether reading usage is itself usage. */
  readonly usageReads: "not counted" | "counted";
  /** By which algorithm limits per second are counted. */
  readonly limiter: Algorithm;
  /** What the limit of the usage endpoint counts. */
  readonly usageBudget: "usage alone" | "JSON-RPC calls too";
}

/** Rules by which a usage document is made. */
export interface UsageRules {
  readonly creditCycle:
    | "current"
    | "previous"
    | "next on the last day"
    | "of the signup"
    | "calendar month"
    | "rolling 30 days"
    | "by the project's creation";
  readonly billingCycle: "as creditCycle" | "shifted by a day" | "annual" | "previous" | "next";
  /** Hours from UTC by which cycle dates are shown. */
  readonly dateOffset_h: number;
  /** Whether a time zone named by the client moves the dates. */
  readonly dateHint: "ignored" | "followed";
  readonly scopes: {
    readonly [figure in "products" | "used" | "prepaidUsed" | "remaining" | "requests" | "bytes"]: Scope;
  };
  readonly rounding: Rounding;
  readonly prepaidBalance: "falls" | "stays" | "falls twice";
  readonly limitShown: "of the plan" | "what remains" | "with prepaid" | "a twelfth where invoiced yearly";
  /** Whether every read sees every entry. */
  readonly replicas: "fresh" | "every other one entry behind";
}

export interface Rules extends UsageRules {
  /** Served paths, `{id}` standing for the project; §4.1. */
  readonly usagePaths: readonly string[];
  /** The limit in headers of the usage endpoint, §8. */
  readonly adminPerSecond: number;
  readonly limits: Limits;
  /** Names of the key's carriers on the usage endpoint, §5.2; null: not read. */
  readonly keyHeader: string | null;
  readonly keyHeaderCase: "any" | "exact";
  readonly keyQuery: string | null;
  /** Whether an empty key is refused or stands for the first project's. */
  readonly blankKey: "refused" | "let through";
  /** The APIs that accept keys of projects. */
  readonly keyClass: "for every API" | "not for usage" | "not for JSON-RPC";
  readonly order: readonly Step[];
  /** The refusal for each cause, §7.1; null: served nevertheless. */
  readonly refusals: { readonly [C in Cause]: Refusal | null };
  /** Whose document a foreign id is served where the mismatch isn't refused. */
  readonly foreignServes: "the project named" | "the key's own";
  /** Only the project's first key opens its usage. */
  readonly firstKeyOnly: boolean;
  /** What one project with its admin API off affects. */
  readonly adminSwitch: "per project" | "global" | "for JSON-RPC too";
  /** Whether the restriction of one key blocks its siblings. */
  readonly addressScope: "key" | "project";
  /** Upper-case ids name the same project (RFC 9562). */
  readonly idCase: "any" | "exact";
  /** What a change of plan does to the running cycle. */
  readonly planChange: "keeps the cycle" | "begins a cycle";
  readonly refusedCalls: "cost nothing" | "give back a credit";
  /** Credits per gibibyte of a stream, per webhook delivery. */
  readonly prices: { readonly gibibyte: string; readonly delivery: string };
  /** The Cache-Control of usage documents. */
  readonly cacheControl: string;
  /** Seconds, as sent with a 429. */
  readonly retryAfter: string | null;
  /** What a plan allows in JSON-RPC calls where it doesn't say so itself (§8). */
  readonly general: { readonly paid: General; readonly free: General };
  readonly rpc: RpcRules;
  readonly wallet: WalletRules;
  readonly metering: MeteringRules;
  /** Choices of HTTP where the interface leaves behaviour unspecified. */
  readonly choices: Choices;
}

export type RuleChange = Change<Rules>;

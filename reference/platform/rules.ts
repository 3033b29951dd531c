// By which rules does the platform act? One object; most mutants change one of them.

import { changedLimits, honestLimits, type LimitChange, type Limits } from "../access/limits.ts";
import { changedMetering, honestMetering, type MeteringChange, type MeteringRules } from "../metering/charge.ts";
import { changedRpc, honestRpc, type RpcChange, type RpcRules } from "../rpc/rules.ts";
import { changedWallet, honestWallet, type WalletChange, type WalletRules } from "../wallet/rules.ts";
import { type Choices, honestChoices } from "./choices.ts";
import type { General } from "./world.ts";

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

/** Over which entries a figure is made. */
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

export interface Rules {
  /** Served paths, `{id}` standing for the project; §4.1. */
  readonly usagePaths: readonly string[];
  /** What the usage endpoint says of its limit, §8. */
  readonly adminPerSecond: number;
  readonly limits: Limits;
  /** Names of the key's carriers on the usage endpoint, §5.2; null: not read. */
  readonly keyHeader: string | null;
  readonly keyHeaderCase: "any" | "exact";
  readonly keyQuery: string | null;
  /** Whether an empty key counts as a key (and draws a refusal) or as the owner's own. */
  readonly blankKey: "refused" | "let through";
  /** Where the keys of projects are good. */
  readonly keyClass: "for every surface" | "not for usage" | "not for JSON-RPC";
  readonly order: readonly Step[];
  /** What each cause draws, §7.1; null: served all the same. */
  readonly refusals: { readonly [C in Cause]: Refusal | null };
  /** Whose document a foreign id is served where the mismatch isn't refused. */
  readonly foreignServes: "the project named" | "the key's own";
  /** Only the project's first key is good for its usage. */
  readonly firstKeyOnly: boolean;
  /** For whom one project with the admin interface off turns it off, and for what. */
  readonly adminSwitch: "per project" | "global" | "for JSON-RPC too";
  /** Whether the restriction of one key blocks its siblings. */
  readonly addressScope: "key" | "project";
  /** Upper-case ids name the same project (RFC 9562). */
  readonly idCase: "any" | "exact";
  readonly creditCycle:
    | "current"
    | "previous"
    | "next on the last day"
    | "of the signup"
    | "calendar month"
    | "rolling 30 days"
    | "by the project's creation";
  readonly billingCycle: "as creditCycle" | "shifted by a day" | "annual" | "previous" | "next";
  /** Hours from UTC by which cycle dates are told. */
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
  /** What a change of plan does to the running cycle. */
  readonly planChange: "keeps the cycle" | "begins a cycle";
  readonly refusedCalls: "cost nothing" | "give back a credit";
  /** Credits per gibibyte of a stream, per webhook delivery. */
  readonly prices: { readonly gibibyte: string; readonly delivery: string };
  /** What the usage answer says of caching. */
  readonly cacheControl: string;
  /** Seconds, as sent with a 429. */
  readonly retryAfter: string | null;
  /** What a plan allows in JSON-RPC calls where it doesn't say so itself (§8). */
  readonly general: { readonly paid: General; readonly free: General };
  readonly rpc: RpcRules;
  readonly wallet: WalletRules;
  readonly metering: MeteringRules;
  /** What the interface leaves open. */
  readonly choices: Choices;
}

const refusal = (status: number, message: string, error: string): Refusal => ({ status, message, error });

const unauthorized = refusal(401, "Missing or invalid API key", "Unauthorized");
const mismatch = refusal(400, "Invalid project id", "Bad Request");

/** The rules of a platform that keeps its interface. Typed by hand: the judge's tables are elsewhere. */
export const honestRules: Rules = {
  usagePaths: ["/v0/admin/projects/{id}/usage"],
  adminPerSecond: 5,
  limits: honestLimits,
  keyHeader: "X-Api-Key",
  keyHeaderCase: "any",
  keyQuery: "api-key",
  blankKey: "refused",
  keyClass: "for every surface",
  order: ["key", "address", "limit", "project", "admin", "billing"],
  refusals: {
    noKey: unauthorized,
    malformedKey: unauthorized,
    unknownKey: unauthorized,
    blockedAddress: refusal(403, "This API key is not allowed from your address", "Forbidden"),
    throttled: refusal(429, "ThrottlerException: Too Many Requests", "Too Many Requests"),
    foreignProject: mismatch,
    unknownProject: mismatch,
    notUuid: mismatch,
    adminOff: refusal(403, "Admin API not enabled for this project", "Forbidden"),
    unbilled: refusal(500, "Internal server error", "Internal Server Error"),
    revokedKey: unauthorized,
    exhausted: null,
  },
  foreignServes: "the project named",
  firstKeyOnly: false,
  adminSwitch: "per project",
  addressScope: "key",
  idCase: "any",
  creditCycle: "current",
  billingCycle: "as creditCycle",
  dateOffset_h: 0,
  dateHint: "ignored",
  scopes: {
    products: "cycle",
    used: "cycle",
    prepaidUsed: "cycle",
    remaining: "cycle",
    requests: "cycle",
    bytes: "cycle",
  },
  rounding: { each: "never", last: "nearest", totals: "rounded", reading: "leaves the ledger" },
  prepaidBalance: "falls",
  limitShown: "of the plan",
  replicas: "fresh",
  planChange: "keeps the cycle",
  refusedCalls: "cost nothing",
  prices: { gibibyte: "12.5", delivery: "0.3" },
  cacheControl: "private, no-store",
  retryAfter: "1",
  general: { paid: { perSecond: 50, burst: 100 }, free: { perSecond: 10, burst: 20 } },
  rpc: honestRpc,
  wallet: honestWallet,
  metering: honestMetering,
  choices: honestChoices,
};

/** Rules with some changed; refusals are changed one by one. */
export type RuleChange = Partial<
  Omit<Rules, "refusals" | "scopes" | "rounding" | "choices" | "rpc" | "wallet" | "metering" | "limits">
> & {
  readonly limits?: LimitChange;
  readonly rpc?: RpcChange;
  readonly wallet?: WalletChange;
  readonly metering?: MeteringChange;
  readonly choices?: Partial<Choices>;
  readonly refusals?: Partial<Rules["refusals"]>;
  readonly scopes?: Partial<Rules["scopes"]>;
  readonly rounding?: Partial<Rounding>;
};

export const changed = (rules: Rules, change: RuleChange): Rules => ({
  ...rules,
  ...change,
  refusals: { ...rules.refusals, ...change.refusals },
  choices: { ...rules.choices, ...change.choices },
  limits: changedLimits(rules.limits, change.limits),
  rpc: changedRpc(rules.rpc, change.rpc),
  wallet: changedWallet(rules.wallet, change.wallet),
  metering: changedMetering(rules.metering, change.metering),
  scopes: { ...rules.scopes, ...change.scopes },
  rounding: { ...rules.rounding, ...change.rounding },
});

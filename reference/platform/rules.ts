// The rules by which the platform acts: one object, typed by hand, as the judge has its own tables
import { type ChangeOf, type Chosen, either, firstOf, rule } from "./change.ts";
import { type Algorithm, algorithms, honestLimits } from "./limitRules.ts";
import { honestMetering } from "./meteringRules.ts";
import type { ProjectLimit } from "./project.ts";
import { honestRpc } from "./rpcRules.ts";
import { honestWallet } from "./walletRules.ts";

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly error: string;
}

const refusal = (status: number, message: string, error: string): Refusal => ({ status, message, error });
const unauthorized = refusal(401, "Missing or invalid API key", "Unauthorized");
const mismatch = refusal(400, "Invalid project id", "Bad Request");

const refusals = {
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
};

/** Why a usage request is refused. */
export type RefusalCause = keyof typeof refusals;

/** In which order a usage request is examined. */
export type RefusalStep =
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
export type KeyScope =
  | "cycle"
  | "lifetime"
  | "cycle and the one before"
  | "calendar month"
  | "billing window"
  | "day"
  | "until the last full hour"
  | "until midnight";

const rounding = {
  /** Whether increments are rounded before they are accumulated. */
  each: rule("never", "nearest", "up", "daily"),
  /** How products and totals are rounded when they are shown. */
  last: rule("nearest", "half even", "down", "up"),
  /** Whether the four totals are shown rounded. */
  totals: rule("rounded", "exact"),
  /** Whether reading usage changes what is accumulated. */
  reading: rule("leaves the ledger", "writes back"),
} as const;
export type Rounding = typeof rounding;

/** Choices of HTTP where the interface leaves behaviour unspecified. */
export const httpChoices = {
  /** HEAD on a served path. */
  head: either("as GET", "refused"),
  otherOrigins: either("not mentioned", "any"),
  slashAtEnd: either("another path", "the same path"),
  doubledSlashes: either("another path", "the same path"),
  pathCase: either("exact", "any"),
  unknownPath: either("not found", "key first"),
  unknownQuery: either("ignored", "refused"),
  accept: either("ignored", "honoured"),
  compression: either("never", "where accepted"),
  etag: either("none", "of the body"),
  bodyOfGet: either("ignored", "refused"),
  /** Characters of an address, at most; null: the server's own limit. */
  longestAddress: either<number | null>(null, 4_096),
  plainHttp: either("served", "redirected"),
  /** The key that counts where header and query carry one. */
  bothCarriers: either("the header counts", "the query counts", "refused"),
  repeatedKey: either("the first counts", "the last counts", "joined"),
  emptyHeader: either("a key", "no key"),
  keySpaces: either("count", "trimmed"),
  keyCase: either("exact", "any"),
  queryNameCase: either("exact", "any"),
  bearer: either("ignored", "a key"),
  /** Whether reading usage is itself usage. */
  usageReads: either("not counted", "counted"),
  /** By which algorithm limits per second are counted. */
  limiter: either<Algorithm>(...algorithms),
  /** What the limit of the usage endpoint counts. */
  usageBudget: either("usage alone", "JSON-RPC calls too"),
} as const;
export type HttpChoices = Chosen<typeof httpChoices>;

const cycle = rule<KeyScope>("cycle");

/** Rules by which a usage document is made. */
export const honestUsage = {
  creditCycle: rule(
    "current",
    "previous",
    "next on the last day",
    "of the signup",
    "calendar month",
    "rolling 30 days",
    "by the project's creation",
  ),
  billingCycle: rule("as creditCycle", "shifted by a day", "annual", "previous", "next"),
  /** Hours from UTC by which cycle dates are shown. */
  dateOffset_h: rule<number>(0),
  /** Whether a time zone named by the client moves the dates. */
  dateHint: rule("ignored", "followed"),
  scopes: { products: cycle, used: cycle, prepaidUsed: cycle, remaining: cycle, requests: cycle, bytes: cycle },
  rounding,
  prepaidBalance: rule("falls", "stays", "falls twice"),
  limitShown: rule("of the plan", "what remains", "with prepaid", "a twelfth where invoiced yearly"),
  /** Whether every read sees every entry. */
  replicas: rule("fresh", "every other one entry behind"),
} as const;
export type UsageRules = typeof honestUsage;

export const honestRules = {
  ...honestUsage,
  /** Served paths, `{id}` standing for the project; §4.1. */
  usagePaths: rule<readonly string[]>(["/v0/admin/projects/{id}/usage"]),
  limits: honestLimits,
  /** Names of the key's carriers on the usage endpoint, §5.2; null: not read. */
  keyHeader: rule<string | null>("X-Api-Key"),
  keyHeaderCase: rule("any", "exact"),
  keyQuery: rule<string | null>("api-key"),
  /** Whether an empty key is refused or stands for the first project's. */
  blankKey: rule("refused", "let through"),
  /** The APIs that accept keys of projects. */
  keyClass: rule("for every API", "not for usage", "not for JSON-RPC"),
  order: rule<readonly RefusalStep[]>(["key", "address", "limit", "project", "admin", "billing"]),
  /** The refusal for each cause, §7.1; null: served nevertheless. */
  refusals: rule<{ readonly [C in RefusalCause]: Refusal | null }>(refusals),
  /** Whose document a foreign id is served where the mismatch isn't refused. */
  foreignServes: rule("the project named", "the key's own"),
  /** Only the project's first key opens its usage. */
  firstKeyOnly: rule<boolean>(false),
  /** What one project with its admin API off affects. */
  adminSwitch: rule("per project", "global", "for JSON-RPC too"),
  /** Whether the restriction of one key blocks its siblings. */
  addressScope: rule("key", "project"),
  /** Upper-case ids name the same project (RFC 9562). */
  idCase: rule("any", "exact"),
  /** What a change of plan does to the running cycle. */
  planChange: rule("keeps the cycle", "begins a cycle"),
  refusedCalls: rule("cost nothing", "give back a credit"),
  /** Credits per gibibyte of a stream, per webhook delivery. */
  prices: { gibibyte: rule<string>("12.5"), delivery: rule<string>("0.3") },
  /** The Cache-Control of usage documents. */
  cacheControl: rule<string>("private, no-store"),
  /** Seconds, as sent with a 429. */
  retryAfter: rule<string | null>("1"),
  /** What a plan allows in JSON-RPC calls where it doesn't say so itself (§8). */
  general: {
    paid: rule<ProjectLimit>({ perSecond: 50, burst: 100 }),
    free: rule<ProjectLimit>({ perSecond: 10, burst: 20 }),
  },
  rpc: honestRpc,
  wallet: honestWallet,
  metering: honestMetering,
  /** Choices of HTTP where the interface leaves behaviour unspecified. */
  choices: firstOf(httpChoices),
} as const;
export type Rules = typeof honestRules;

export type RuleChange = ChangeOf<Rules>;

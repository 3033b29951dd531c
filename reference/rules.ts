// By which rules does the platform act? One object; most lies change one of them.
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly error: string;
}

/** Why a usage request is refused. */
export type Cause = "noKey" | "malformedKey" | "unknownKey" | "blockedAddress" | "throttled" | "foreignProject" | "unknownProject" | "notUuid" | "adminOff" | "unbilled";

/** In which order a usage request is examined. */
export type Step = "key" | "address" | "limit" | "project" | "admin" | "billing" | "uuidBeforeKey" | "projectBeforeKey";

export interface Rules {
  /** Served paths, `{id}` standing for the project; §4.1. */
  readonly usagePaths: readonly string[];
  /** Requests per second and project on the usage endpoint, §8. */
  readonly adminPerSecond: number;
  /** Names of the key's carriers on the usage endpoint, §5.2; null: not read. */
  readonly keyHeader: string | null;
  readonly keyHeaderCase: "any" | "exact";
  readonly keyQuery: string | null;
  /** Whether an empty key counts as a key (and draws a refusal) or as the owner's own. */
  readonly blankKey: "refused" | "let through";
  readonly order: readonly Step[];
  /** What each cause draws, §7.1; null: served all the same. */
  readonly refusals: { readonly [C in Cause]: Refusal | null };
  /** Whose document a foreign id is served where the mismatch isn't refused. */
  readonly foreignServes: "the project named" | "the key's own";
  /** Only the project's first key is good for its usage. */
  readonly firstKeyOnly: boolean;
  /** One project with the admin interface off turns it off for all. */
  readonly adminSwitch: "per project" | "global";
  /** Whether the restriction of one key blocks its siblings. */
  readonly addressScope: "key" | "project";
  /** Upper-case ids name the same project (RFC 9562). */
  readonly idCase: "any" | "exact";
  readonly creditCycle: "current" | "previous" | "next on the last day" | "of the signup";
  readonly billingCycle: "as creditCycle" | "shifted by a day" | "annual" | "previous" | "next";
  /** What the usage answer says of caching. */
  readonly cacheControl: string;
  /** Seconds, as sent with a 429. */
  readonly retryAfter: string | null;
}

const refusal = (status: number, message: string, error: string): Refusal => ({ status, message, error });

const unauthorized = refusal(401, "Missing or invalid API key", "Unauthorized");
const mismatch = refusal(400, "Invalid project id", "Bad Request");

/** The rules of a platform that keeps its interface. Typed by hand: the judge's tables are elsewhere. */
export const honestRules: Rules = {
  usagePaths: ["/v0/admin/projects/{id}/usage"],
  adminPerSecond: 5,
  keyHeader: "X-Api-Key",
  keyHeaderCase: "any",
  keyQuery: "api-key",
  blankKey: "refused",
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
  },
  foreignServes: "the project named",
  firstKeyOnly: false,
  adminSwitch: "per project",
  addressScope: "key",
  idCase: "any",
  creditCycle: "current",
  billingCycle: "as creditCycle",
  cacheControl: "private, no-store",
  retryAfter: "1",
};

/** Rules with some changed; refusals are changed one by one. */
export type RuleChange = Partial<Omit<Rules, "refusals">> & { readonly refusals?: Partial<Rules["refusals"]> };

export const changed = (rules: Rules, change: RuleChange): Rules => ({ ...rules, ...change, refusals: { ...rules.refusals, ...change.refusals } });

// The honest rules put together; typed by hand, as the judge has its own tables
import { honestLimits } from "./access/limits.ts";
import { honestMetering } from "./metering/charge.ts";
import { honestChoices } from "./platform/choices.ts";
import type { Refusal, Rules } from "./platform/rules.ts";
import { honestRpc } from "./rpc/rules.ts";
import { honestUsage } from "./usage/rules.ts";
import { honestWallet } from "./wallet/rules.ts";

const refusal = (status: number, message: string, error: string): Refusal => ({ status, message, error });

const unauthorized = refusal(401, "Missing or invalid API key", "Unauthorized");
const mismatch = refusal(400, "Invalid project id", "Bad Request");

/** The rules of a platform that keeps its interface. Typed by hand: the judge's tables are elsewhere. */
export const honestRules: Rules = {
  ...honestUsage,
  usagePaths: ["/v0/admin/projects/{id}/usage"],
  adminPerSecond: 5,
  limits: honestLimits,
  keyHeader: "X-Api-Key",
  keyHeaderCase: "any",
  keyQuery: "api-key",
  blankKey: "refused",
  keyClass: "for every API",
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

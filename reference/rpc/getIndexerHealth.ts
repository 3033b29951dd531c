// getIndexerHealth: ok, or an error where the index lags too far (§4.3)
import type { HealthRules } from "../platform/rpcRules.ts";
import type { Value } from "../platform/wire.ts";
import type { RpcContext, ServedMethod } from "./method.ts";
import { needs, Refused } from "./refusals.ts";

/** Real clients send no params, null, [] or {}. */
const isEmpty = (params: Value | undefined): boolean =>
  params === undefined || params === null || (typeof params === "object" && Object.keys(params).length === 0);

const accepts: { readonly [P in HealthRules["params"]]: (params: Value | undefined) => boolean } = {
  "none or empty": isEmpty,
  "none at all": (params) => params === undefined,
  anything: () => true,
  required: (params) => params !== undefined && isEmpty(params),
  "null only": (params) => params === null,
};

function handle({ params, indexer, rules: { health } }: RpcContext): Value {
  needs(accepts[health.params](params));
  const behindBy = health.judged === "once and for all" ? indexer.worst : indexer.behindBy;
  const threshold = health.threshold ?? indexer.mayBeBehindBy;
  const isBehind = health.limit === "more than" ? behindBy > threshold : behindBy >= threshold;
  if (isBehind && health.judged !== "never") throw new Refused("lag");
  return "ok";
}

export const getIndexerHealth: ServedMethod = { errorTable: "compression", handle };

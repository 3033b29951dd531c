// The JSON-RPC address: body, key, limits and metering of a request (§4.3, §5, §8)
import type { openRpc } from "../../specs/generated/openrpc.ts";
import { type Identified, identify, mayUse } from "../access/keys.ts";
import type { Limiter } from "../access/limiter.ts";
import type { BundleBook } from "../bundles/book.ts";
import { cycleAt } from "../metering/calendar.ts";
import type { EndpointServices } from "../metering/endpointServices.ts";
import type { Caller } from "../metering/meters.ts";
import type { Chain } from "../platform/chain.ts";
import { governing, type LimitRules, perSecond } from "../platform/limitRules.ts";
import { nowOf } from "../platform/project.ts";
import { problem, type RequestContext } from "../platform/request.ts";
import type { Rules } from "../platform/rules.ts";
import { headerIn, type PlatformAnswer, type Value } from "../platform/wire.ts";
import type { Methods } from "./method.ts";
import { type CallServices, serveCall } from "./serve.ts";

export interface RpcServices extends EndpointServices {
  readonly chain: Chain;
  readonly book: BundleBook;
  readonly methods: Methods;
  /** The result of rpc.discover. */
  readonly description: typeof openRpc;
  readonly limiter: Limiter;
  /** JSON-RPC calls so far, by project and cycle. */
  readonly calls: Map<string, number>;
  /** Envelopes that were sent, for the mutant that sends them again. */
  readonly envelopes: Map<string, Value>;
  /** Bodies that came to the JSON-RPC address so far. */
  rpcCalls: number;
}

export async function serveRpc(context: RequestContext, services: RpcServices): Promise<PlatformAnswer> {
  const { call, headers, body, address, connection } = context;
  const { rules, limiter, now_ms } = services;
  const unread = unreadBody(context, rules);
  if (unread) return unread;
  const who = identified(context, services);
  const caller: Caller | null = "project" in who ? { ...who, address, connection } : null;
  call.carrier = who.carrier;
  if (caller) call.project = caller.project;
  const meter = meterFor(caller, services);
  const mayCall =
    !caller ||
    (mayUse(caller, address, rules) &&
      (caller.project.admin === "enabled" || rules.adminSwitch !== "for JSON-RPC too"));
  if (!mayCall && rules.rpc.envelope.blockedAddress === "by HTTP alone")
    return problem(rules.refusals.blockedAddress ?? { status: 403, message: "Forbidden", error: "Forbidden" });
  services.rpcCalls += 1;
  if (rules.choices.usageBudget === "JSON-RPC calls too" && caller)
    limiter.admit("usage", rules.limits.admin, rules.choices.limiter, caller, now_ms());
  const { answer, call: made } = await serveCall(body, {
    ...services,
    rules: rules.rpc,
    now_ms: now_ms(),
    who,
    mayCall,
    admit: (method) => caller === null || admitCall(method, caller, services),
    meter,
    carried: { query: (name) => context.url.searchParams.get(name), header: (name) => headerIn(headers, name) ?? null },
    before: services.rpcCalls,
    cache: services.envelopes,
  });
  call.rpc = made;
  return answer;
}

export const isGzippedRequest = ({ headers }: Pick<RequestContext, "headers">): boolean =>
  headerIn(headers, "content-encoding") === "gzip";

/** The refusal of a body that isn't read; null for all others. */
function unreadBody(context: RequestContext, { rpc: { mediaTypes, envelope } }: Rules): PlatformAnswer | null {
  const mediaType = headerIn(context.headers, "content-type")?.split(";")[0]?.trim();
  if (mediaTypes !== "any" && !mediaTypes.includes(mediaType ?? ""))
    return problem({ status: 415, message: `Unsupported ${mediaType ?? "body"}`, error: "Unsupported Media Type" });
  if (envelope.gzipped === "refused" && isGzippedRequest(context))
    return problem({ status: 415, message: "Unsupported content coding", error: "Unsupported Media Type" });
  if (envelope.largestBody !== null && Buffer.byteLength(context.body) > envelope.largestBody)
    return problem({ status: 413, message: "The body is too large", error: "Content Too Large" });
  return null;
}

function identified({ headers, url }: RequestContext, { rules, store }: RpcServices): Identified {
  const { keyIn, blankKey, envelope } = rules.rpc;
  const carriers =
    keyIn === "header" ? { keyQuery: null } : envelope.keyInHeader === "not looked at" ? { keyHeader: null } : {};
  const found = identify({ ...rules, ...carriers, blankKey }, store, headers, url.searchParams);
  return rules.keyClass === "not for JSON-RPC" && "project" in found
    ? { cause: "unknownKey", carrier: found.carrier }
    : found;
}

/** Charges the calls of one body. */
function meterFor(caller: Caller | null, { meters, rules }: RpcServices): CallServices["meter"] {
  const payer = caller && meters.payerOf(caller);
  let charged = 0;
  return (errorTable, method, params, isServed) => {
    if (!payer || (rules.metering.rpcBatch === "once" && charged > 0)) return;
    charged += 1;
    meters.chargeRpc(payer, errorTable, method, params, isServed);
  };
}

/** Counts one more call against the limit that governs its method; false where that refuses it. */
function admitCall(method: string, caller: Caller, services: RpcServices): boolean {
  const { rules, limiter, now_ms } = services;
  const { limits, choices } = rules;
  const admit = (name: string, limit: LimitRules): boolean =>
    limiter.admit(name, limit, choices.limiter, caller, now_ms()) !== null;
  const governed = {
    "the plan's": () => admitToPlan(caller, services),
    "that of sendBundle": () => admit("bundles", limits.bundles),
    both: () => admitToPlan(caller, services) && admit("bundles", limits.bundles),
    "five per second of its own": () => admit(method, perSecond(5)),
    none: () => true,
  };
  return governed[governing(limits, method)]();
}

/** Counts one more call against the general limit and the quota of the plan (§8); false where one refuses it. */
function admitToPlan(caller: Caller, { rules, limiter, calls, now_ms }: RpcServices): boolean {
  const { project } = caller;
  const { plans, burst: bursts, quota } = rules.limits.general;
  const stated =
    plans === "one for all" ? rules.general.paid : (project.plan.general ?? rules.general[project.plan.kind]);
  const burst = bursts === "ignored" ? stated.perSecond : stated.burst;
  const cycle = `${project.id} ${cycleAt(project.billingAnchor, nowOf(project, now_ms())).start}`;
  const soFar = calls.get(cycle) ?? 0;
  if (quota === "enforced" && soFar >= (stated.quota ?? Number.POSITIVE_INFINITY)) return false;
  const limit: LimitRules = { ...perSecond(stated.perSecond), bucket: { burst, perSecond: stated.perSecond } };
  if (limiter.admit("general", limit, "bucket", caller, now_ms()) === null) return false;
  calls.set(cycle, soFar + 1);
  return true;
}

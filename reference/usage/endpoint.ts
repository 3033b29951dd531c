// The usage endpoint: a request is examined step by step, then answered or refused (§4.1, §5, §7.1)
import Big from "big.js";
import { type Identified, identify, mayUse } from "../access/keys.ts";
import type { Client, Limiter } from "../access/limiter.ts";
import type { EndpointServices } from "../metering/endpointServices.ts";
import { use } from "../metering/meter.ts";
import type { LimitRules } from "../platform/limitRules.ts";
import { type Holder, nowOf, type Project } from "../platform/project.ts";
import { problem, type RequestContext } from "../platform/request.ts";
import type { Refusal, RefusalCause, RefusalStep, Rules } from "../platform/rules.ts";
import type { PlatformAnswer, RawHeaders } from "../platform/wire.ts";
import { exactFigures, usageOf } from "./document.ts";
import { shownUsage } from "./shownUsage.ts";

export interface UsageServices extends EndpointServices {
  /** Under honest rules equal documents are made once; under others a document may depend on anything. */
  readonly isHonest: boolean;
  readonly limiter: Limiter;
  /** Lets time pass before an answer. */
  readonly wait: (duration_ms: number) => Promise<void>;
  /** Reads so far, by project. */
  readonly reads: Map<Project, number>;
}

/** One request under examination. */
interface Examined {
  readonly context: RequestContext;
  readonly services: UsageServices;
  readonly who: Identified;
  /** The project of the id in the path. */
  readonly named: Project | undefined;
  /** When a request is served that the limiter queues. */
  wait_ms: number;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function serveUsage(context: RequestContext, services: UsageServices): PlatformAnswer | Promise<PlatformAnswer> {
  const { rules, store } = services;
  const found = identify(rules, store, context.headers, context.url.searchParams);
  const who: Identified =
    rules.keyClass === "not for usage" && "project" in found ? { cause: "unknownKey", carrier: found.carrier } : found;
  const id = rules.idCase === "any" ? context.id?.toLowerCase() : context.id;
  const examined: Examined = { context, services, who, named: id ? store.project(id) : undefined, wait_ms: 0 };
  note(examined);
  const answer = refusalOf(examined) ?? served(examined);
  return examined.wait_ms > 0 ? services.wait(examined.wait_ms).then(() => answer) : answer;
}

/** Records the request for response mutations and for the meters. */
function note({ context: { call, address, connection }, services: { meters, now_ms }, who }: Examined): void {
  call.operation = "getProjectUsage";
  call.carrier = who.carrier;
  if (!("project" in who)) return;
  call.project = who.project;
  call.now_ms = nowOf(who.project, now_ms());
  meters.payerOf({ ...who, address, connection });
}

function refusalOf(examined: Examined): PlatformAnswer | null {
  const { context, services, who } = examined;
  const { rules } = services;
  for (const step of rules.order) {
    const cause = causeAt(step, examined);
    const refusal = cause && rules.refusals[cause];
    if (!refusal) continue;
    if (rules.refusedCalls === "give back a credit" && "project" in who)
      use(who.project, context.call.now_ms, { product: "other", credits: new Big(-1), pool: "regular" });
    return refuse(refusal, cause, rules);
  }
  return null;
}

function served({ context, services, who, named }: Examined): PlatformAnswer {
  const { rules, store, limiter, meters, reads, now_ms } = services;
  const own = "project" in who ? who.project : store.projects[0];
  const shown = rules.foreignServes === "the project named" ? (named ?? own) : own;
  if (!shown) throw new Error("there are no projects");
  const left = limiter.left("usage", rules.limits.admin, shown, now_ms());
  const before = reads.get(shown) ?? 0;
  reads.set(shown, before + 1);
  if (rules.choices.usageReads === "counted") meters.chargeRead(shown);
  const ledger = "project" in who ? meters.ledgerFor(shown, who.key, context.address) : shown.ledger;
  const project = ledger === shown.ledger ? shown : { ...shown, ledger };
  const read = { now_ms: nowOf(shown, now_ms()), before, hint_h: hintOf(context.headers) };
  return {
    status: 200,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": rules.cacheControl,
      ...rateHeaders(left),
    },
    body: services.isHonest ? shownUsage(project, rules, read) : usageOf(project, rules, read),
  };
}

/** Hours from UTC that a client names in a header for such hints. */
function hintOf(headers: RawHeaders): number {
  const hint = headers.find(([name]) => ["time-zone", "x-time-zone", "x-timezone"].includes(name.toLowerCase()))?.[1];
  return hint === undefined ? 0 : Number(/([+-]\d{1,2})$/.exec(hint)?.[1] ?? 0);
}

/** Requests per second and project, §8. */
const most = 5;

const rateHeaders = (left: number): Record<string, string> => ({
  "x-ratelimit-limit": String(most),
  "x-ratelimit-remaining": String(left),
  "x-ratelimit-reset": "1",
  "ratelimit-policy": `"project";q=${most};w=1`,
  ratelimit: `"project";r=${left};t=1`,
});

function refuse(refusal: Refusal, cause: RefusalCause, rules: Rules): PlatformAnswer {
  const headers: Record<string, string> = {};
  if (refusal.status === 401) headers["www-authenticate"] = 'ApiKey realm="usage"';
  if (cause === "throttled" && rules.retryAfter !== null) headers["retry-after"] = rules.retryAfter;
  if (cause === "throttled") headers["cache-control"] = "no-store";
  return problem(refusal, headers);
}

/** The cause for which one step would refuse; null where the request passes. */
function causeAt(step: RefusalStep, examined: Examined): RefusalCause | null {
  const { context, who, named } = examined;
  const { id } = context;
  switch (step) {
    case "uuidBeforeKey":
      return id !== null && !uuid.test(id) ? "notUuid" : null;
    case "projectBeforeKey":
      return named?.admin === "disabled" ? "adminOff" : !named ? "unknownProject" : null;
    case "limitBeforeKey":
      return throttled(examined, { per: "address" });
    case "key":
      return "cause" in who ? who.cause : null;
    default:
      return "project" in who ? causeFor(who, step, examined) : null;
  }
}

function throttled(examined: Examined, per: Partial<LimitRules> = {}): RefusalCause | null {
  const { context, services, who } = examined;
  const { rules, limiter, now_ms } = services;
  const { address, connection } = context;
  const client: Client = { address, connection, ...("project" in who ? who : { project: null, key: null }) };
  const wait_ms = limiter.admit("usage", { ...rules.limits.admin, ...per }, rules.choices.limiter, client, now_ms());
  examined.wait_ms = wait_ms ?? 0;
  return wait_ms === null ? "throttled" : null;
}

/** Of a request with a valid key. */
function causeFor(
  { project, key }: Holder,
  step: "address" | "limit" | "project" | "admin" | "billing",
  examined: Examined,
): RefusalCause | null {
  const { context, named } = examined;
  const { rules, store, now_ms } = examined.services;
  switch (step) {
    case "address":
      return mayUse({ project, key }, context.address, rules) ? null : "blockedAddress";
    case "limit":
      return throttled(examined);
    case "project":
      if (context.id === null) return null;
      if (!uuid.test(context.id)) return "notUuid";
      if (!named) return "unknownProject";
      if (rules.firstKeyOnly && project.keys[0] !== key) return "foreignProject";
      return named === project ? null : "foreignProject";
    case "admin":
      return project.admin === "disabled" ||
        (rules.adminSwitch === "global" && store.projects.some(({ admin }) => admin === "disabled"))
        ? "adminOff"
        : null;
    case "billing":
      if (project.billingData === "missing") return "unbilled";
      return rules.refusals.exhausted !== null && isExhausted(project, rules, now_ms()) ? "exhausted" : null;
  }
}

/** No credits remain, neither of the plan nor prepaid. */
function isExhausted(project: Project, rules: Rules, real_ms: number): boolean {
  const { remaining, prepaidRemaining } = exactFigures(project, nowOf(project, real_ms), rules);
  return remaining.eq(0) && prepaidRemaining.eq(0);
}

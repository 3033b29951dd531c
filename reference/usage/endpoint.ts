// How is a usage request examined, step by step, and then answered or refused? (§4.1, §5, §7.1)
import Big from "big.js";
import { type Identified, identify, type RawHeaders } from "../access/keys.ts";
import type { LimitRules } from "../access/limiter.ts";
import { use } from "../metering/meter.ts";
import type { Cause, Refusal, Rules, Step } from "../platform/rules.ts";
import { mayAsk, problem, type RequestContext, type Services } from "../platform/services.ts";
import type { WireAnswer } from "../platform/wire.ts";
import { nowOf, type Project } from "../platform/world.ts";
import { shownUsage } from "./shownUsage.ts";
import { exactFigures } from "./usage.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Hours from UTC that a client names in one of the headers that such hints come in. */
function hintOf(headers: RawHeaders): number {
  const hint = headers.find(([name]) => ["time-zone", "x-time-zone", "x-timezone"].includes(name.toLowerCase()))?.[1];
  return hint === undefined ? 0 : Number(/([+-]\d{1,2})$/.exec(hint)?.[1] ?? 0);
}

export function usage(context: RequestContext, services: Services): WireAnswer | Promise<WireAnswer> {
  const turn: Turn = { in_ms: 0 };
  const answer = examined(context, services, turn);
  return turn.in_ms > 0 ? services.wait(turn.in_ms).then(() => answer) : answer;
}

/** When a request is served that waits for its turn. */
interface Turn {
  in_ms: number;
}

function examined(context: RequestContext, services: Services, turn: Turn): WireAnswer {
  const { rules, world, now_ms } = services;
  const { call } = context;
  call.operation = "getProjectUsage";
  const found = identify(rules, world, context.headers, context.url.searchParams);
  const who: Identified =
    rules.keyClass === "not for usage" && "project" in found ? { cause: "unknownKey", carrier: found.carrier } : found;
  call.carrier = who.carrier;
  if ("project" in who) {
    call.project = who.project;
    call.now_ms = nowOf(who.project, now_ms());
  }
  const caller = "project" in who ? { ...who, address: context.address, connection: context.connection } : null;
  if (caller) services.meters.payerOf(caller);
  const named =
    context.id === null ? undefined : world.project(rules.idCase === "any" ? context.id.toLowerCase() : context.id);
  for (const step of rules.order) {
    const cause = examine(step, context, who, named, services, turn);
    const refusal = cause && rules.refusals[cause];
    if (!refusal) continue;
    if (rules.refusedCalls === "give back a credit" && "project" in who)
      use(who.project, call.now_ms, { product: "other", credits: new Big(-1), pool: "regular" });
    return refuse(refusal, cause, rules);
  }
  const own = "project" in who ? who.project : world.projects[0];
  const shown = rules.foreignServes === "the project named" ? (named ?? own) : own;
  if (!shown) throw new Error("a world without projects");
  const left = services.limiter.left("usage", rules.limits.admin, shown, now_ms());
  const before = services.reads.get(shown) ?? 0;
  services.reads.set(shown, before + 1);
  if (rules.choices.usageReads === "counted") services.meters.chargeRead(shown);
  const ledger = caller ? services.meters.ledgerFor(shown, caller.key, context.address) : shown.ledger;
  const body = shownUsage(ledger === shown.ledger ? shown : { ...shown, ledger }, rules, {
    now_ms: nowOf(shown, now_ms()),
    before,
    hint_h: hintOf(context.headers),
  });
  return {
    status: 200,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": rules.cacheControl,
      ...rateHeaders(rules, left),
    },
    body,
  };
}

const knownHeaders = new Map<string, Record<string, string>>();

function rateHeaders({ adminPerSecond }: Rules, left: number): Record<string, string> {
  const name = `${adminPerSecond} ${left}`;
  const known = knownHeaders.get(name) ?? madeHeaders(adminPerSecond, left);
  knownHeaders.set(name, known);
  return known;
}

const madeHeaders = (adminPerSecond: number, left: number): Record<string, string> => ({
  "x-ratelimit-limit": String(adminPerSecond),
  "x-ratelimit-remaining": String(left),
  "x-ratelimit-reset": "1",
  "ratelimit-policy": `"project";q=${adminPerSecond};w=1`,
  ratelimit: `"project";r=${left};t=1`,
});

function refuse(refusal: Refusal, cause: Cause, rules: Rules): WireAnswer {
  const headers: Record<string, string> = {};
  if (refusal.status === 401) headers["www-authenticate"] = 'ApiKey realm="usage"';
  if (cause === "throttled" && rules.retryAfter !== null) headers["retry-after"] = rules.retryAfter;
  if (cause === "throttled") headers["cache-control"] = "no-store";
  return problem(refusal, headers);
}

/** The cause for which one step would refuse; null where it lets the request pass. */
function examine(
  step: Step,
  context: RequestContext,
  who: Identified,
  named: Project | undefined,
  services: Services,
  turn: Turn,
): Cause | null {
  const { id, address } = context;
  const { rules, world, now_ms } = services;
  const throttled = (per: Partial<LimitRules> = {}): Cause | null => {
    const requestProbe = {
      address,
      connection: context.connection,
      ...("project" in who ? who : { project: null, key: null }),
    };
    const in_ms = services.limiter.admit(
      "usage",
      { ...rules.limits.admin, ...per },
      rules.choices.limiter,
      requestProbe,
      now_ms(),
    );
    turn.in_ms = in_ms ?? 0;
    return in_ms === null ? "throttled" : null;
  };
  switch (step) {
    case "uuidBeforeKey":
      return id !== null && !uuid.test(id) ? "notUuid" : null;
    case "projectBeforeKey":
      return named?.admin === "disabled" ? "adminOff" : !named ? "unknownProject" : null;
    case "limitBeforeKey":
      return throttled({ per: "address" });
    case "key":
      return "cause" in who ? who.cause : null;
  }
  if (!("project" in who)) return null;
  const { project, key } = who;
  switch (step) {
    case "address": {
      return mayAsk({ project, key }, address, rules) ? null : "blockedAddress";
    }
    case "limit":
      return throttled();
    case "project":
      if (id === null) return null;
      if (!uuid.test(id)) return "notUuid";
      if (!named) return "unknownProject";
      if (rules.firstKeyOnly && project.keys[0] !== key) return "foreignProject";
      return named === project ? null : "foreignProject";
    case "admin":
      return project.admin === "disabled" ||
        (rules.adminSwitch === "global" && world.projects.some(({ admin }) => admin === "disabled"))
        ? "adminOff"
        : null;
    case "billing":
      if (project.billingData === "missing") return "unbilled";
      return rules.refusals.exhausted !== null && isExhausted(project, rules, now_ms()) ? "exhausted" : null;
  }
}

/** Nothing remains of the plan's credits, nor of prepaid ones. */
function isExhausted(project: Project, rules: Rules, real_ms: number): boolean {
  const { remaining, prepaidRemaining } = exactFigures(project, rules, nowOf(project, real_ms));
  return remaining.eq(0) && prepaidRemaining.eq(0);
}

// The reference platform: a Web-standard fetch over real state, honest unless it was made to lie.
import Big from "big.js";
import { TrieRouter } from "hono/router/trie-router";
import { finished, pathFor, turnedAway } from "./choices.ts";
import { BadCommand, obey } from "./control.ts";
import { type Identified, identify, type RawHeaders } from "./keys.ts";
import { Limiter } from "./limiter.ts";
import { use } from "./meter.ts";
import type { Lie } from "./mutant.ts";
import { exactFigures, usageOf } from "./rest/usage.ts";
import { type Cause, changed, honestRules, type Refusal, type Rules, type Step } from "./rules.ts";
import { type Call, textOf, type WireAnswer } from "./wire.ts";
import { nowOf, type Project, type World } from "./world.ts";

export interface PlatformOptions {
  readonly world: World;
  /** Real time in ms for limiters; calendars are the projects' own. */
  readonly now_ms: () => number;
  readonly lie?: Lie;
  /** Who names it in X-Assay-Control has power over the platform; without one there is no such power. */
  readonly controlToken?: string;
}

/** What a Web request can't carry: the spelling of header names and the address of the client. */
export interface Connection {
  readonly rawHeaders?: RawHeaders;
  readonly address?: string;
}

export interface Platform {
  fetch(request: Request, connection?: Connection): Promise<Response>;
}

type Handler = (visit: Visit) => WireAnswer;

interface Visit {
  readonly url: URL;
  readonly call: Call;
  readonly headers: RawHeaders;
  readonly address: string;
  readonly body: string;
  readonly id: string | null;
}

/** The liar says so here; the harness asserts it and takes it away before anybody judges. */
export const mutantHeader = "x-assay-mutant";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function createPlatform({ world, now_ms, lie, controlToken }: PlatformOptions): Platform {
  const rules = lie?.rules ? changed(honestRules, lie.rules) : honestRules;
  const shop: Shop = { rules, world, limiter: new Limiter(), now_ms, reads: new Map() };
  const router = new TrieRouter<Handler>();
  if (controlToken !== undefined) router.add("POST", "/control", (visit) => underControl(visit, shop, controlToken));
  for (const path of rules.usagePaths) {
    const pattern = pathFor(rules.choices, path).replace("{id}", ":id");
    for (const method of rules.choices.head === "refused" ? ["GET"] : ["GET", "HEAD"]) router.add(method, pattern, (visit) => usage(visit, shop));
    router.add("ALL", pattern, () => problem({ status: 405, message: "Method Not Allowed", error: "Method Not Allowed" }, { allow: "GET, HEAD" }));
  }

  return {
    fetch: async (request, connection = {}) => {
      const url = new URL(request.url);
      const [matches] = router.match(request.method, pathFor(rules.choices, url.pathname));
      const match = matches[0] as [Handler, Record<string, string>] | undefined;
      const call: Call = { method: request.method, path: url.pathname, operation: null, project: null, carrier: null, now_ms: now_ms() };
      const headers = connection.rawHeaders ?? [...request.headers];
      const visit: Visit = { url, call, headers, address: connection.address ?? "127.0.0.1", body: await request.text(), id: match?.[1]["id"] ?? null };
      // Control is no part of the interface: it makes no choices and tells no lies.
      const isControl = url.pathname === "/control";
      const asked = { method: request.method, url, headers };
      const answer = finished(rules.choices, asked, (isControl ? null : turnedAway(rules.choices, asked)) ?? (match ? match[0](visit) : elsewhere(visit, shop)));
      answer.headers["date"] = new Date(call.now_ms).toUTCString();
      if (request.method === "HEAD") answer.body = undefined;
      const bend = isControl ? undefined : lie?.answer;
      return respond(bend ? bend(structuredClone(answer), call) : answer, lie?.id);
    },
  };
}

function respond(answer: WireAnswer, mutant: string | undefined): Response {
  const headers = new Headers(answer.headers);
  if (mutant) headers.set(mutantHeader, mutant);
  return new Response(textOf(answer.body) as ConstructorParameters<typeof Response>[0], { status: answer.status, headers });
}

const problem = ({ status, message, error }: Refusal, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: { statusCode: status, message, error },
});

/** Hours from UTC that a client names in one of the headers that such hints come in. */
function hintOf(headers: RawHeaders): number {
  const hint = headers.find(([name]) => ["time-zone", "x-time-zone", "x-timezone"].includes(name.toLowerCase()))?.[1];
  return hint === undefined ? 0 : Number(/([+-]\d{1,2})$/.exec(hint)?.[1] ?? 0);
}

interface Shop {
  readonly rules: Rules;
  readonly world: World;
  readonly limiter: Limiter;
  readonly now_ms: () => number;
  /** Reads so far, by project. */
  readonly reads: Map<Project, number>;
}

function underControl({ headers, body }: Visit, { world, rules, now_ms }: Shop, token: string): WireAnswer {
  if (headers.find(([name]) => name.toLowerCase() === "x-assay-control")?.[1] !== token)
    return problem({ status: 401, message: "The control token is missing or wrong", error: "Unauthorized" });
  try {
    return { status: 200, headers: { "content-type": "application/json" }, body: { ...obey(world, body, now_ms(), rules) } };
  } catch (error) {
    if (error instanceof BadCommand) return problem({ status: 400, message: error.message, error: "Bad Request" });
    throw error;
  }
}

/** A path that isn't served. */
function elsewhere({ call, url, headers }: Visit, { rules, world }: Shop): WireAnswer {
  const who = identify(rules, world, headers, url.searchParams);
  const refusal = rules.choices.unknownPath === "key first" && "cause" in who ? rules.refusals[who.cause] : null;
  return problem(refusal ?? { status: 404, message: `Cannot ${call.method} ${url.pathname}`, error: "Not Found" });
}

function usage(visit: Visit, shop: Shop): WireAnswer {
  const { rules, world, now_ms } = shop;
  const { call } = visit;
  call.operation = "getProjectUsage";
  const who = identify(rules, world, visit.headers, visit.url.searchParams);
  call.carrier = who.carrier;
  if ("project" in who) {
    call.project = who.project;
    call.now_ms = nowOf(who.project, now_ms());
  }
  const named = visit.id === null ? undefined : world.project(rules.idCase === "any" ? visit.id.toLowerCase() : visit.id);
  for (const step of rules.order) {
    const cause = examine(step, visit, who, named, shop);
    const refusal = cause && rules.refusals[cause];
    if (!refusal) continue;
    if (rules.refusedCalls === "give back a credit" && "project" in who) use(who.project, call.now_ms, { product: "other", credits: new Big(-1), pool: "regular" });
    return refuse(refusal, cause, rules);
  }
  const own = "project" in who ? who.project : world.projects[0];
  const shown = rules.foreignServes === "the project named" ? (named ?? own) : own;
  if (!shown) throw new Error("a world without projects");
  const left = shop.limiter.left(shown.id, rules.adminPerSecond, now_ms());
  const before = shop.reads.get(shown) ?? 0;
  shop.reads.set(shown, before + 1);
  if (rules.choices.usageReads === "counted") use(shown, nowOf(shown, now_ms()), { product: "other", credits: new Big(0), requests: 1 });
  const body = usageOf(shown, rules, { now_ms: nowOf(shown, now_ms()), before, hint_h: hintOf(visit.headers) });
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8", "cache-control": rules.cacheControl, ...rateHeaders(rules, left) }, body };
}

const rateHeaders = ({ adminPerSecond }: Rules, left: number): Record<string, string> => ({
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
function examine(step: Step, { id, address }: Visit, who: Identified, named: Project | undefined, shop: Shop): Cause | null {
  const { rules, world, limiter, now_ms } = shop;
  switch (step) {
    case "uuidBeforeKey":
      return id !== null && !uuid.test(id) ? "notUuid" : null;
    case "projectBeforeKey":
      return named?.admin === "disabled" ? "adminOff" : !named ? "unknownProject" : null;
    case "limitBeforeKey":
      return limiter.admit(`address ${address}`, rules.adminPerSecond, now_ms()) ? null : "throttled";
    case "key":
      return "cause" in who ? who.cause : null;
  }
  if (!("project" in who)) return null;
  const { project, key } = who;
  switch (step) {
    case "address": {
      const restricted = rules.addressScope === "key" ? [key] : project.keys;
      return restricted.some(({ allowedAddresses }) => allowedAddresses && !allowedAddresses.includes(address)) ? "blockedAddress" : null;
    }
    case "limit":
      return limiter.admit(project.id, rules.adminPerSecond, now_ms()) ? null : "throttled";
    case "project":
      if (id === null) return null;
      if (!uuid.test(id)) return "notUuid";
      if (!named) return "unknownProject";
      if (rules.firstKeyOnly && project.keys[0] !== key) return "foreignProject";
      return named === project ? null : "foreignProject";
    case "admin":
      return project.admin === "disabled" || (rules.adminSwitch === "global" && world.projects.some(({ admin }) => admin === "disabled")) ? "adminOff" : null;
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

// The reference platform: a Web-standard fetch over real state, honest unless it was made to lie.
import { gunzipSync } from "node:zlib";
import { TrieRouter } from "hono/router/trie-router";
import { openRpc } from "../specs/generated/openrpc.ts";
import { type Identified, identify, type RawHeaders } from "./access/keys.ts";
import { type Asking, Bucket, Limiter, type LimitRules, perSecond } from "./access/limiter.ts";
import { governing } from "./access/limits.ts";
import { BadCommand, obey } from "./control.ts";
import { cycleAt } from "./metering/calendar.ts";
import { Meters } from "./metering/meters.ts";
import { finished, pathFor, turnedAway } from "./platform/choices.ts";
import type { Variant } from "./platform/mutant.ts";
import { changed, honestRules } from "./platform/rules.ts";
import { mayAsk, problem, type RequestContext, type Services } from "./platform/services.ts";
import { type Call, textOf, type Value, type WireAnswer } from "./platform/wire.ts";
import { nowOf, type Project, type World } from "./platform/world.ts";
import type { EnvelopeChoices } from "./rpc/envelope.ts";
import { answerTo } from "./rpc/serve.ts";
import { usage } from "./usage/endpoint.ts";
import { otherVerb, wallet } from "./wallet/endpoint.ts";
import type { Route, WalletOperation } from "./wallet/rules.ts";

export interface PlatformOptions {
  readonly world: World;
  /** Real time in ms for limiters; calendars are the projects' own. */
  readonly now_ms: () => number;
  /** Lets time pass, as `now_ms` tells it; real time where it is left out. */
  readonly wait?: (duration_ms: number) => Promise<void>;
  readonly variant?: Variant;
  /** Who names it in X-Assay-Control has power over the platform; without one there is no such power. */
  readonly controlToken?: string;
}

/** What a Web request can't carry: the spelling of header names and the address of the client. */
export interface Connection {
  readonly rawHeaders?: RawHeaders;
  readonly address?: string;
  /** The same object for all requests of one connection. */
  readonly socket?: object;
}

export interface Platform {
  fetch(request: Request, connection?: Connection): Promise<Response>;
}

type Handler = (context: RequestContext) => WireAnswer | Promise<WireAnswer>;

/** The liar says so here; the harness asserts it and takes it away before anybody judges. */
const mutantHeader = "x-assay-mutant";

export function createPlatform({ world, now_ms, wait = passing, variant, controlToken }: PlatformOptions): Platform {
  const rules = variant?.rules ? changed(honestRules, variant.rules) : honestRules;
  const services: Services = {
    rules,
    world,
    limiter: new Limiter(),
    meters: new Meters(rules.metering, now_ms),
    general: new Bucket(),
    calls: new Map(),
    now_ms,
    wait,
    reads: new Map(),
    envelopes: new Map(),
    lastId: null,
    rpcCalls: 0,
  };
  const router = new TrieRouter<Handler>();
  if (controlToken !== undefined)
    router.add("POST", "/control", (context) => underControl(context, services, controlToken));
  for (const path of rules.usagePaths) {
    const pattern = pathFor(rules.choices, path).replace("{id}", ":id");
    for (const method of rules.choices.head === "refused" ? ["GET"] : ["GET", "HEAD"])
      router.add(method, pattern, (context) => usage(context, services));
    router.add("ALL", pattern, () =>
      problem({ status: 405, message: "Method Not Allowed", error: "Method Not Allowed" }, { allow: "GET, HEAD" }),
    );
  }
  routeWallets(router, services);
  for (const path of rules.rpc.paths.map((one) => pathFor(rules.choices, one))) {
    for (const verb of rules.rpc.verbs) router.add(verb, path, (context) => rpc(context, services));
    if (rules.rpc.envelope.get !== "not allowed")
      router.add("GET", path, (context) =>
        rules.rpc.envelope.get === "a page" ? welcome() : elsewhere(context, services),
      );
    router.add("ALL", path, () =>
      problem(
        { status: 405, message: "Method Not Allowed", error: "Method Not Allowed" },
        { allow: rules.rpc.verbs.join(", ") },
      ),
    );
  }

  const routed = remembering((name) => {
    const [matches] = router.match(...name);
    return matches[0] as [Handler, Record<string, string>] | undefined;
  });

  return {
    fetch: async (request, connection = {}) => {
      const url = new URL(request.url);
      const match = routed(request.method, pathFor(rules.choices, url.pathname));
      const call: Call = {
        method: request.method,
        path: url.pathname,
        operation: null,
        rpc: null,
        wallet: null,
        project: null,
        carrier: null,
        now_ms: now_ms(),
      };
      const headers = connection.rawHeaders ?? [...request.headers];
      const context: RequestContext = {
        url,
        call,
        headers,
        address: connection.address ?? "127.0.0.1",
        body: await bodyOf(request, headers, rules.rpc.envelope),
        id: match?.[1]["id"] ?? null,
        wallet: rules.choices.pathCase === "exact" ? (match?.[1]["wallet"] ?? null) : walletIn(url.pathname),
        connection: connection.socket ?? services,
      };
      services.meters.settle();
      if (rules.rpc.echoes !== "its own id") await overtaken(context.body, services);
      // Control is no part of the interface: it makes no choices and tells no lies.
      const isControl = url.pathname === "/control";
      const asked = { method: request.method, url, headers };
      const answer = finished(
        rules.choices,
        asked,
        (isControl ? null : turnedAway(rules.choices, asked)) ??
          (match ? await match[0](context) : elsewhere(context, services)),
      );
      if (call.rpc?.cause && call.rpc.cause === rules.rpc.hangs) await new Promise(() => undefined);
      answer.headers["date"] = new Date(call.now_ms).toUTCString();
      if (request.method === "HEAD") answer.body = undefined;
      if (rules.rpc.echoes !== "its own id" && call.rpc)
        answer.body = { ...(answer.body as { [member: string]: Value }), id: services.lastId };
      const mutation = isControl ? undefined : variant?.answer;
      return respond(mutation ? mutation(structuredClone(answer), call) : answer, variant?.id);
    },
  };
}

const passing = (duration_ms: number): Promise<void> => new Promise((done) => setTimeout(done, duration_ms));

function routeWallets(router: TrieRouter<Handler>, services: Services): void {
  const { routes } = services.rules.wallet;
  for (const [operation, route] of Object.entries(routes) as [WalletOperation, Route | null][]) {
    if (!route) continue;
    const pattern = pathFor(services.rules.choices, route.path).replace("{wallet}", ":wallet");
    const verbs = route.verb === "GET" && services.rules.choices.head === "as GET" ? ["GET", "HEAD"] : [route.verb];
    for (const verb of verbs) router.add(verb, pattern, (context) => wallet(operation, context, services));
    router.add("ALL", pattern, () => otherVerb(verbs.join(", "), services));
  }
}

/** As it was written, where paths are routed in lower case. */
const walletIn = (path: string): string | null => path.split("/").filter((step) => step !== "")[2] ?? null;

async function bodyOf(request: Request, headers: RawHeaders, { gzipped }: EnvelopeChoices): Promise<string> {
  // They carry none, and asking for it takes as long as all the rest of an answer.
  if (request.method === "GET" || request.method === "HEAD") return "";
  if (gzipped !== "unpacked" || !isGzipped(headers)) return request.text();
  return new TextDecoder().decode(gunzipSync(new Uint8Array(await request.arrayBuffer())));
}

const valueOf = (headers: RawHeaders, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
const isGzipped = (headers: RawHeaders): boolean => valueOf(headers, "content-encoding") === "gzip";

/** Requests ask for the same few paths again and again; beyond these many, each is looked up anew. */
const mostRoutes = 500;

function remembering<Route>(
  find: (name: readonly [method: string, path: string]) => Route,
): (method: string, path: string) => Route {
  const known = new Map<string, Route>();
  return (method, path) => {
    const name = `${method} ${path}`;
    const route = known.has(name) ? (known.get(name) as Route) : find([method, path]);
    if (known.size < mostRoutes) known.set(name, route);
    return route;
  };
}

function respond(answer: WireAnswer, mutant: string | undefined): Response {
  const headers = mutant ? { ...answer.headers, [mutantHeader]: mutant } : answer.headers;
  return new Response(textOf(answer.body) as ConstructorParameters<typeof Response>[0], {
    status: answer.status,
    headers,
  });
}

const welcome = (): WireAnswer => ({
  status: 200,
  headers: { "content-type": "text/html" },
  body: { raw: "<!doctype html><html><h1>JSON-RPC is served here</h1></html>" },
});

/** Remembers the id of this call and lets others come in before it is answered. */
async function overtaken(body: string, services: Services): Promise<void> {
  const id = /"id":("[^"]*"|-?\d+)/.exec(body)?.[1];
  services.lastId = id === undefined ? null : (JSON.parse(id) as Value);
  await new Promise((later) => setImmediate(later));
}

/** Takes a place under the general limit and the quota of a project, where there is one (§8). */
function admit(project: Project, { rules, general, calls, now_ms }: Services): boolean {
  const { plans, burst, quota } = rules.limits.general;
  const stated =
    plans === "one for all" ? rules.general.paid : (project.plan.general ?? rules.general[project.plan.kind]);
  const limit = { ...stated, ...(burst === "ignored" ? { burst: stated.perSecond } : {}) };
  const cycle = `${project.id} ${cycleAt(project.billingAnchor, nowOf(project, now_ms())).start}`;
  const soFar = calls.get(cycle) ?? 0;
  if (
    (quota === "kept" && soFar >= (limit.quota ?? Number.POSITIVE_INFINITY)) ||
    !general.admit(project.id, limit, now_ms())
  )
    return false;
  calls.set(cycle, soFar + 1);
  return true;
}

/** Takes a place under the limit that governs a method. */
function admitCall(method: string, requestProbe: Asking & { readonly project: Project }, services: Services): boolean {
  const { rules, limiter, now_ms } = services;
  const { limits, choices } = rules;
  const isIn = (what: string, one: LimitRules): boolean =>
    limiter.admit(what, one, choices.limiter, requestProbe, now_ms()) !== null;
  switch (governing(limits, method)) {
    case "the plan's":
      return admit(requestProbe.project, services);
    case "that of sendBundle":
      return isIn("bundles", limits.bundles);
    case "both":
      return admit(requestProbe.project, services) && isIn("bundles", limits.bundles);
    case "five per second of its own":
      return isIn(method, perSecond(5));
    case "none":
      return true;
  }
}

async function rpc(
  { call, headers, url, body, address, connection }: RequestContext,
  services: Services,
): Promise<WireAnswer> {
  const { rules, world, now_ms, meters } = services;
  const { keyIn, mediaTypes, blankKey, envelope } = rules.rpc;
  const mediaType = valueOf(headers, "content-type")?.split(";")[0]?.trim();
  if (mediaTypes !== "any" && !mediaTypes.includes(mediaType ?? ""))
    return problem({ status: 415, message: `Unsupported ${mediaType ?? "body"}`, error: "Unsupported Media Type" });
  if (envelope.gzipped === "refused" && isGzipped(headers))
    return problem({ status: 415, message: "Unsupported content coding", error: "Unsupported Media Type" });
  if (envelope.largestBody !== null && Buffer.byteLength(body) > envelope.largestBody)
    return problem({ status: 413, message: "The body is too large", error: "Content Too Large" });
  const carriers =
    keyIn === "header" ? { keyQuery: null } : envelope.keyInHeader === "not looked at" ? { keyHeader: null } : {};
  const found = identify({ ...rules, ...carriers, blankKey }, world, headers, url.searchParams);
  const who: Identified =
    rules.keyClass === "not for JSON-RPC" && "project" in found
      ? { cause: "unknownKey", carrier: found.carrier }
      : found;
  call.carrier = who.carrier;
  if ("project" in who) call.project = who.project;
  const isAllowed =
    !("project" in who) ||
    (mayAsk(who, address, rules) && (who.project.admin === "enabled" || rules.adminSwitch !== "for JSON-RPC too"));
  const payer = "project" in who ? meters.payerOf({ ...who, address, connection }) : null;
  let metered = 0;
  if (!isAllowed && envelope.blockedAddress === "by HTTP alone")
    return problem(rules.refusals.blockedAddress ?? { status: 403, message: "Forbidden", error: "Forbidden" });
  services.rpcCalls += 1;
  if (rules.choices.usageBudget === "JSON-RPC calls too" && "project" in who)
    services.limiter.admit(
      "usage",
      rules.limits.admin,
      rules.choices.limiter,
      { ...who, address, connection },
      now_ms(),
    );
  const { answer, call: told } = await answerTo(body, {
    rules: rules.rpc,
    chain: world.chain,
    now_ms: now_ms(),
    who,
    admit: (method) => !("project" in who) || admitCall(method, { ...who, address, connection }, services),
    meter: (errorTable, method, params, isServed) => {
      if (!payer || (rules.metering.rpcBatch === "once" && metered > 0)) return;
      metered += 1;
      meters.chargeRpc(payer, errorTable, method, params, isServed);
    },
    carried: {
      query: (name) => url.searchParams.get(name),
      header: (name) => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? null,
    },
    book: world.book,
    mayAsk: isAllowed,
    before: services.rpcCalls,
    cache: services.envelopes,
    description: openRpc,
  });
  call.rpc = told;
  return answer;
}

function underControl(
  { headers, body }: RequestContext,
  { world, rules, now_ms }: Services,
  token: string,
): WireAnswer {
  if (headers.find(([name]) => name.toLowerCase() === "x-assay-control")?.[1] !== token)
    return problem({ status: 401, message: "The control token is missing or wrong", error: "Unauthorized" });
  try {
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: { ...obey(world, body, now_ms(), rules) },
    };
  } catch (error) {
    if (error instanceof BadCommand) return problem({ status: 400, message: error.message, error: "Bad Request" });
    throw error;
  }
}

/** A path that isn't served. */
function elsewhere({ call, url, headers }: RequestContext, { rules, world }: Services): WireAnswer {
  const who = identify(rules, world, headers, url.searchParams);
  const refusal = rules.choices.unknownPath === "key first" && "cause" in who ? rules.refusals[who.cause] : null;
  return problem(refusal ?? { status: 404, message: `Cannot ${call.method} ${url.pathname}`, error: "Not Found" });
}

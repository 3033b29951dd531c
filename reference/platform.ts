// The reference platform: a Web-standard fetch over real state, honest unless a variant changes it
import { gunzipSync } from "node:zlib";
import { openRpc } from "../specs/generated/openrpc.ts";
import { Limiter } from "./access/limiter.ts";
import { methods } from "./generated/methods.ts";
import { Meters } from "./metering/meters.ts";
import { changed } from "./platform/change.ts";
import { finished, pathFor, refusedEarly } from "./platform/choices.ts";
import type { Variant } from "./platform/mutant.ts";
import type { RequestContext } from "./platform/request.ts";
import { honestRules } from "./platform/rules.ts";
import {
  bodyText,
  type Doc,
  type JsonRpcCall,
  type PlatformAnswer,
  type RawHeaders,
  type Value,
} from "./platform/wire.ts";
import { type Handler, notFound, routesOf, type Services } from "./routes.ts";
import { isGzippedRequest } from "./rpc/endpoint.ts";
import type { World } from "./world.ts";

export interface PlatformOptions {
  readonly world: World;
  /** Real time in ms for limiters; calendars are the projects' own. */
  readonly now_ms: () => number;
  /** Lets time pass on the clock of `now_ms`; real time where it is left out. */
  readonly wait?: (duration_ms: number) => Promise<void>;
  readonly variant?: Variant;
  /** Requests with this token in X-Assay-Control have power over the platform; without one there is no control. */
  readonly controlToken?: string;
}

/** What a Web request can't carry: the case of header names and the address of the client. */
export interface Connection {
  readonly rawHeaders?: RawHeaders;
  readonly address?: string;
  /** The same object for all requests of one connection. */
  readonly socket?: object;
}

export interface Platform {
  fetch(request: Request, connection?: Connection): Promise<Response>;
}

/** Names the mutant; the mutant runner asserts it, and the transport removes it before anything is judged. */
const mutantHeader = "x-assay-mutant";

const passing = (duration_ms: number): Promise<void> => new Promise((done) => setTimeout(done, duration_ms));

export function createPlatform(options: PlatformOptions): Platform {
  const { variant } = options;
  const services = servicesOf(options);
  const { rules, meters } = services;
  const routed = remembering(routesOf(services, options.controlToken ?? null));
  // The id of the latest call by method, for the mutant that confuses calls that run at once.
  const lastIds = new Map<string, Value>();
  const confusesIds = rules.rpc.echoes !== "its own id";

  return {
    fetch: async (request, connection = {}) => {
      const { pathname } = new URL(request.url);
      const match = routed(request.method, pathFor(rules.choices, pathname));
      const context = await contextOf(request, connection, match?.[1] ?? {}, services);
      const { call } = context;
      meters.settle();
      if (confusesIds) {
        lastIds.set(methodIn(context.body), idIn(context.body));
        await new Promise((later) => setImmediate(later));
      }
      // Control is no part of the interface: neither choices nor mutants change it.
      const isControl = pathname === "/control";
      const received = { method: request.method, url: context.url, headers: context.headers };
      const early = isControl ? null : refusedEarly(rules.choices, received);
      const answer = finished(
        rules.choices,
        received,
        early ?? (match ? await match[0](context) : notFound(context, services)),
      );
      if (call.rpc?.cause && call.rpc.cause === rules.rpc.hangs) await new Promise(() => undefined);
      answer.headers["date"] = new Date(call.now_ms).toUTCString();
      if (request.method === "HEAD") answer.body = undefined;
      if (confusesIds && call.rpc)
        answer.body = { ...(answer.body as Doc), id: lastIds.get(methodIn(context.body)) ?? null };
      const mutation = isControl ? undefined : variant?.answer;
      return responseOf(mutation ? mutation(structuredClone(answer), call) : answer, variant?.id);
    },
  };
}

const methodIn = (body: string): string => /"method":"([^"]*)"/.exec(body)?.[1] ?? "";

function idIn(body: string): Value {
  const id = /"id":("[^"]*"|-?\d+)/.exec(body)?.[1];
  return id === undefined ? null : (JSON.parse(id) as Value);
}

function servicesOf({ world, now_ms, wait = passing, variant }: PlatformOptions): Services {
  const rules = changed(honestRules, variant?.rules);
  return {
    rules,
    isHonest: variant?.rules === undefined,
    store: world,
    chain: world.chain,
    book: world.book,
    methods: new Map(Object.entries(methods)),
    description: openRpc,
    limiter: new Limiter(),
    meters: new Meters(rules.metering, now_ms),
    now_ms,
    wait,
    reads: new Map(),
    calls: new Map(),
    envelopes: new Map(),
    rpcCalls: 0,
  };
}

async function contextOf(
  request: Request,
  { rawHeaders, address = "127.0.0.1", socket }: Connection,
  { id = null, wallet = null }: { readonly id?: string | null; readonly wallet?: string | null },
  services: Services,
): Promise<RequestContext> {
  const { rules, now_ms } = services;
  const url = new URL(request.url);
  const call: JsonRpcCall = {
    method: request.method,
    path: url.pathname,
    operation: null,
    rpc: null,
    wallet: null,
    project: null,
    carrier: null,
    now_ms: now_ms(),
  };
  const headers = rawHeaders ?? [...request.headers];
  return {
    url,
    call,
    headers,
    address,
    body: await bodyOf(request, rules.rpc.envelope.gzipped === "unpacked" && isGzippedRequest({ headers })),
    id,
    wallet: rules.choices.pathCase === "exact" ? wallet : walletIn(url.pathname),
    connection: socket ?? services,
  };
}

/** As it was written, where paths are routed in lower case. */
const walletIn = (path: string): string | null => path.split("/").filter((step) => step !== "")[2] ?? null;

async function bodyOf(request: Request, isUnpacked: boolean): Promise<string> {
  // Reading a body takes as long as all else in an answer, and these carry none.
  if (request.method === "GET" || request.method === "HEAD") return "";
  if (!isUnpacked) return request.text();
  return new TextDecoder().decode(gunzipSync(new Uint8Array(await request.arrayBuffer())));
}

type Route = [Handler, Record<string, string>] | undefined;

/** Most requests name the same few paths; beyond this number, each is looked up anew. */
const mostRoutes = 500;

function remembering(router: ReturnType<typeof routesOf>) {
  const known = new Map<string, Route>();
  return (method: string, path: string): Route => {
    const name = `${method} ${path}`;
    const route = known.has(name) ? known.get(name) : (router.match(method, path)[0][0] as Route);
    if (known.size < mostRoutes) known.set(name, route);
    return route;
  };
}

function responseOf(answer: PlatformAnswer, mutant: string | undefined): Response {
  const headers = mutant ? { ...answer.headers, [mutantHeader]: mutant } : answer.headers;
  return new Response(bodyText(answer.body) as ConstructorParameters<typeof Response>[0], {
    status: answer.status,
    headers,
  });
}

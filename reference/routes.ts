// Routes of the platform: usage, wallets, JSON-RPC and control
import { TrieRouter } from "hono/router/trie-router";
import { identify } from "./access/keys.ts";
import { BadCommand, executeCommand } from "./control.ts";
import { pathFor } from "./platform/choices.ts";
import { problem, type RequestContext } from "./platform/request.ts";
import type { WalletRoute, WalletRouteName } from "./platform/walletRules.ts";
import { headerIn, type PlatformAnswer } from "./platform/wire.ts";
import { type RpcServices, serveRpc } from "./rpc/endpoint.ts";
import { serveUsage, type UsageServices } from "./usage/endpoint.ts";
import { otherVerb, serveWallet } from "./wallet/endpoint.ts";
import type { World } from "./world.ts";

export interface Services extends UsageServices, RpcServices {
  readonly store: World;
}

export type Handler = (context: RequestContext) => PlatformAnswer | Promise<PlatformAnswer>;

/** @param controlToken null: there is no control */
export function routesOf(services: Services, controlToken: string | null): TrieRouter<Handler> {
  const router = new TrieRouter<Handler>();
  if (controlToken !== null) router.add("POST", "/control", (context) => underControl(context, services, controlToken));
  routeUsage(router, services);
  routeWallets(router, services);
  routeRpc(router, services);
  return router;
}

const wrongVerb = (allowed: string): PlatformAnswer =>
  problem({ status: 405, message: "Method Not Allowed", error: "Method Not Allowed" }, { allow: allowed });

function routeUsage(router: TrieRouter<Handler>, services: Services): void {
  const { usagePaths, choices } = services.rules;
  for (const path of usagePaths) {
    const pattern = pathFor(choices, path).replace("{id}", ":id");
    for (const method of choices.head === "refused" ? ["GET"] : ["GET", "HEAD"])
      router.add(method, pattern, (context) => serveUsage(context, services));
    router.add("ALL", pattern, () => wrongVerb("GET, HEAD"));
  }
}

function routeWallets(router: TrieRouter<Handler>, services: Services): void {
  const { wallet: rules, choices } = services.rules;
  for (const [operation, route] of Object.entries(rules.routes) as [WalletRouteName, WalletRoute | null][]) {
    if (!route) continue;
    const pattern = pathFor(choices, route.path).replace("{wallet}", ":wallet");
    const verbs = route.verb === "GET" && choices.head === "as GET" ? ["GET", "HEAD"] : [route.verb];
    for (const verb of verbs) router.add(verb, pattern, (context) => serveWallet(operation, context, services));
    router.add("ALL", pattern, () => otherVerb(verbs.join(", "), services));
  }
}

function routeRpc(router: TrieRouter<Handler>, services: Services): void {
  const { rpc: rules, choices } = services.rules;
  for (const path of rules.paths.map((one) => pathFor(choices, one))) {
    for (const verb of rules.verbs) router.add(verb, path, (context) => serveRpc(context, services));
    if (rules.envelope.get === "a page") router.add("GET", path, welcome);
    if (rules.envelope.get === "not found") router.add("GET", path, (context) => notFound(context, services));
    router.add("ALL", path, () => wrongVerb(rules.verbs.join(", ")));
  }
}

const welcome = (): PlatformAnswer => ({
  status: 200,
  headers: { "content-type": "text/html" },
  body: { raw: "<!doctype html><html><h1>JSON-RPC is served here</h1></html>" },
});

/** A path that isn't served. */
export function notFound({ call, url, headers }: RequestContext, { rules, store }: Services): PlatformAnswer {
  const who = identify(rules, store, headers, url.searchParams);
  const refusal = rules.choices.unknownPath === "key first" && "cause" in who ? rules.refusals[who.cause] : null;
  return problem(refusal ?? { status: 404, message: `Cannot ${call.method} ${url.pathname}`, error: "Not Found" });
}

function underControl(
  { headers, body }: RequestContext,
  { store, rules, now_ms }: Services,
  token: string,
): PlatformAnswer {
  if (headerIn(headers, "x-assay-control") !== token)
    return problem({ status: 401, message: "The control token is missing or wrong", error: "Unauthorized" });
  try {
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: { ...executeCommand(store, body, now_ms(), rules) },
    };
  } catch (error) {
    if (error instanceof BadCommand) return problem({ status: 400, message: error.message, error: "Bad Request" });
    throw error;
  }
}

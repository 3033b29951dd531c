// The platform as `assay serve` offers it: with what only authors of clients need, and nothing judges
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { Connection, Platform } from "./platform.ts";

/** Descriptions of the interface; each gets the address by which it was requested. */
export interface Documents {
  readonly openApi: object;
  readonly openRpc: object;
}

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Jito's block engine has its JSON-RPC there. */
const pathsOfJito = ["/bundles", "/api/v1/bundles"];

const originOf = ({ req }: Context): string => new URL(req.url).origin;

/** Pages of loopback may call it; it serves documents, and says where JSON-RPC is. */
export function servedWithDocuments(platform: Platform, { openApi, openRpc }: Documents): Platform {
  const app = new Hono<{ Bindings: Connection }>();
  const shared = cors({ origin: (origin) => origin, allowMethods: ["GET", "HEAD", "POST"], exposeHeaders: ["*"] });
  app.use((context, next) => (loopback.test(context.req.header("origin") ?? "") ? shared(context, next) : next()));
  app.get("/openapi.json", (context) => {
    const here = JSON.stringify(openApi).replaceAll('"http://127.0.0.1"', JSON.stringify(originOf(context)));
    return context.body(here, 200, { "content-type": "application/json" });
  });
  app.get("/openrpc.json", (context) =>
    context.json({ ...openRpc, servers: [{ name: "assay serve", url: `${originOf(context)}/` }] }),
  );
  app.on("POST", pathsOfJito, (context) => {
    const message = `JSON-RPC isn't served at ${context.req.path}. Send it to ${originOf(context)}/?api-key=<key>.`;
    return context.json({ jsonrpc: "2.0", error: { code: -32601, message }, id: null }, 404);
  });
  app.all("*", ({ req, env }) => platform.fetch(req.raw, env));
  // A connection that the platform resets is its caller's matter.
  app.onError((error) => {
    throw error;
  });
  return { fetch: async (request, connection) => app.fetch(request, connection) };
}

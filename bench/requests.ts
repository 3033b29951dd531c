// Benchmark: requests per second of the reference, relative to a server that only says hello
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { median } from "simple-statistics";
import { Pool } from "undici";
import { type Demo, demo } from "../reference/demo.ts";
import { type Listening, listen } from "../reference/http.ts";
import { createPlatform } from "../reference/platform.ts";
import type { Ratio } from "./ratio.ts";

const connections = 16;

/** The least ratio to the requests that the hello server answers in the same time. */
const least = 0.5;

interface Measured {
  readonly name: string;
  readonly request: {
    readonly method: "GET" | "POST";
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
  /** Part of every right answer of the reference, so that quick refusals don't count. */
  readonly holds: string;
}

/** A second passes with each reading, so that no limiter refuses. */
function hastyClock(): () => number {
  let now_ms = Date.now();
  return () => (now_ms += 1000);
}

/** Reads requests and answers hello. */
function helloServer(): Promise<Pick<Listening, "port" | "close">> {
  const app = new Hono()
    .get("*", (context) => context.text("hello"))
    .post("*", async (context) => {
      await context.req.text();
      return context.text("hello");
    });
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
      resolve({ port, close: () => new Promise((done) => void server.close(() => done())) });
    });
  });
}

/**
 * Requests per second of processor time, client and server together, so that other processes don't count.
 * @throws Error for an answer that isn't a 200 with the expected text
 */
async function pace(port: number, { request, holds }: Omit<Measured, "name">, duration_ms: number): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  const began = process.cpuUsage();
  const from = performance.now();
  let answers = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - from < duration_ms) {
      const { statusCode, body } = await pool.request(request);
      const text = await body.text();
      if (statusCode !== 200 || !text.includes(holds)) throw new Error(`answered ${statusCode} ${text.slice(0, 200)}`);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const { user, system } = process.cpuUsage(began);
  await pool.close();
  return (answers / (user + system)) * 1_000_000;
}

interface Options {
  readonly rounds?: number;
  readonly round_ms?: number;
}

/** Rounds alternate, so that a change of pace affects both; both servers get the same requests. */
async function measure(measuredOf: (demo: Demo) => Measured, { rounds = 7, round_ms = 400 }: Options): Promise<Ratio> {
  const shown = demo();
  const what = measuredOf(shown);
  const hello = await helloServer();
  const reference = await listen(createPlatform({ world: shown.world, now_ms: hastyClock() }), 0);
  const bare: number[] = [];
  const served: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    bare.push(await pace(hello.port, { ...what, holds: "hello" }, round_ms));
    served.push(await pace(reference.port, what, round_ms));
  }
  await Promise.all([hello.close(), reference.close()]);
  // The first round warms both up.
  return {
    name: `requests of ${what.name}, relative to a hello server`,
    measured: median(served.slice(1)) / median(bare.slice(1)),
    bound: { atLeast: least },
  };
}

const health = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getIndexerHealth" });

export const measureHealth = (options: Options = {}): Promise<Ratio> =>
  measure(
    ({ keys }) => ({
      name: "getIndexerHealth",
      request: {
        method: "POST",
        path: `/?api-key=${keys.paid}`,
        headers: { "content-type": "application/json" },
        body: health,
      },
      holds: '"result":"ok"',
    }),
    options,
  );

export const measureUsage = (options: Options = {}): Promise<Ratio> =>
  measure(
    ({ keys, ids }) => ({
      name: "usage",
      request: { method: "GET", path: `/v0/admin/projects/${ids.paid}/usage`, headers: { "x-api-key": keys.paid } },
      holds: '"creditsRemaining"',
    }),
    options,
  );

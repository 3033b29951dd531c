// A process of the proxy's benchmark: the upstream, a bare forwarder, or clients
import { setTimeout } from "node:timers/promises";
import { Agent, type Dispatcher, Pool } from "undici";
import { onLoopback } from "../proof/loopbackServer.ts";

export interface Load {
  readonly url: string;
  readonly path: string;
  readonly seconds: number;
  /** Sent at set times; null for as many as are answered. */
  readonly perSecond: number | null;
}

export interface Loaded {
  readonly answers: number;
  readonly p99_ms: number;
}

const connections = 10;

/** The least that forwards by the same libraries. */
async function bare(upstream: string): Promise<string> {
  const agent = new Agent({ connections: 64 });
  const { base } = await onLoopback(({ headers: all, method = "GET", url: path = "/" }, response) => {
    const { connection: _hop, host: _host, ...headers } = all;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, { connection: _hop, "keep-alive": _idle, ...fields }) =>
        void response.writeHead(status, fields),
      onResponseData: (_controller, chunk) => void response.write(chunk),
      onResponseEnd: () => void response.end(),
      onResponseError: () => void response.destroy(),
    };
    agent.dispatch({ origin: upstream, path, method, headers }, handler);
  });
  return base;
}

async function loaded({ url, path, seconds, perSecond }: Load): Promise<Loaded> {
  const pool = new Pool(url, { connections });
  const times: number[] = [];
  const ask = async (): Promise<void> => {
    const from = performance.now();
    const { statusCode, body } = await pool.request({ path, method: "GET", headers: { "x-api-key": "a-key" } });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`answered ${statusCode} ${text.slice(0, 200)}`);
    times.push(performance.now() - from);
  };
  const from = performance.now();
  const until = performance.now() + seconds * 1000;
  const steadily = async (): Promise<void> => {
    while (performance.now() < until) await ask();
  };
  const all = perSecond === null ? Array.from({ length: connections }, steadily) : [];
  while (perSecond !== null && all.length < seconds * perSecond) {
    const due = Math.min(seconds, (performance.now() - from) / 1000) * perSecond;
    while (all.length < due) all.push(ask());
    await setTimeout(1);
  }
  await Promise.all(all);
  await pool.close();
  return { answers: times.length, p99_ms: times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN };
}

const roles: { readonly [role: string]: (text: string) => Promise<string> } = {
  upstream: async (body) => {
    const headers = { "content-type": "application/json" };
    return (await onLoopback((_request, response) => void response.writeHead(200, headers).end(body))).base;
  },
  bare,
  clients: () => {
    process.on("message", (load: Load) => {
      void loaded(load).then((done) => process.send?.(done));
    });
    return Promise.resolve("");
  },
};
const [role = "", text = ""] = process.argv.slice(2);
process.send?.((await roles[role]?.(text)) ?? "");
process.on("disconnect", () => process.exit());

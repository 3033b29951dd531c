// A process in k6's place that prints the output of a load at a given pace without sending anything
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { sourceBegins } from "../load/k6/bundle.ts";
import type { TrafficOrders, TrafficRecord, TrafficShown } from "../load/k6/orders.ts";

const tick_ms = 10;
/** The size of each whole answer; in the reference's mix only a page of transfers is as long. */
const body_bytes = 20_000;
const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "x".repeat(body_bytes) })).toString("base64");
/** Each of 250 virtual users returns the first two answers that break a requirement. */
const mostBroken = 500;
const broken = ["GEN-JSON-01", "RPC-ENV-03"];

const logLine = (message: object): string =>
  JSON.stringify({ level: "info", msg: JSON.stringify(message), source: "console", time: new Date().toISOString() });

/** Every answer of the first operation breaks requirements; of the others one in a hundred is judged. */
function linesOf(nth: number, shares: number, shownEvery: number): readonly string[] {
  const share = nth % shares;
  const found = share === 0 ? broken : [];
  const isJudged = share === 0 || nth % 100 === 0;
  const record: TrafficRecord = [nth, 0, share, 0, 300 + ((nth * 7919) % 5_000), isJudged ? 1 : 0, found];
  if (nth % shownEvery !== shownEvery - 1 && !(share === 0 && nth / shares < mostBroken)) return [logLine(record)];
  const answer = {
    status: 200,
    headers: { "Content-Type": "application/json" },
    body_base64: body,
    errorCode: 0,
    error: "",
  };
  const shown: TrafficShown = {
    nth,
    share,
    sentAt_ms: Date.now(),
    latency_ms: 1,
    broken: isJudged ? found : null,
    answer,
  };
  return [logLine(record), logLine(shown)];
}

function ordersIn(source: string): TrafficOrders {
  const [first = ""] = source.split("\n");
  return JSON.parse(JSON.parse(first.slice(sourceBegins.length, -");".length)) as string) as TrafficOrders;
}

async function run(): Promise<void> {
  const { shares, phases } = ordersIn(await text(process.stdin));
  const { perSecond, seconds, shown } = phases[0] ?? { perSecond: 0, seconds: 0, shown: 1 };
  const all = perSecond * seconds;
  const began = performance.now();
  for (let nth = 0; nth < all; ) {
    const due = Math.min(all, Math.ceil(((performance.now() - began) / 1000) * perSecond));
    const lines: string[] = [];
    for (; nth < due; nth += 1) lines.push(...linesOf(nth, shares.length, Math.round(1 / shown)));
    if (lines.length > 0 && !process.stdout.write(`${lines.join("\n")}\n`)) await once(process.stdout, "drain");
    await new Promise((done) => void setTimeout(done, tick_ms));
  }
  console.log(logLine({ summary: { iterations: all, droppedIterations: 0, requests: all } }));
}

await run();

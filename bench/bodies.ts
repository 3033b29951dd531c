// Benchmark: memory that a run keeps of large answers, relative to their bytes
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { contractSuite } from "../contracts/suite.ts";
import { openEngine } from "../harness/engine/engine.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import type { Wire } from "../harness/transport/wire.ts";
import { inProcess } from "../proof/inProcess.ts";
import type { Ratio } from "./ratio.ts";

/** A run keeps all exchanges, but not their bodies. */
const most = 0.25;
const leastCame_bytes = 8_000_000;

const filler = Array.from(
  { length: 4_000 },
  (_, nth) => `${nth} lorem ipsum dolor sit amet, consectetur adipiscing elit`,
);

/** @throws Error where too little came, or was not judged */
export async function measureBodies(): Promise<Ratio> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap_bytes = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  let came_bytes = 0;
  const checks = contractSuite.checks.filter(({ feature, when }) => feature === "usage" && when !== "alone");
  const options = inProcess({ ...contractSuite, checks, probes: [] });
  const wire: Wire = async (request, signal) => {
    const answer = await options.wire(request, signal);
    const text = Buffer.from(answer.body).toString();
    if (!text.startsWith("{")) return answer;
    const body = Buffer.from(`{"filler":${JSON.stringify([came_bytes, ...filler])},${text.slice(1)}`);
    came_bytes += body.length;
    return { ...answer, body };
  };
  const before_bytes = heap_bytes();
  const exchanges: Exchange[] = [];
  const engine = openEngine({ ...options, wire, observe: [] });
  engine.events.on((event) => {
    if (event.event === "exchange") exchanges.push(event.exchange);
  });
  const verdicts = await engine.run();
  const kept_bytes = heap_bytes() - before_bytes;
  const isJudged = verdicts.some(({ id, verdict }) => id === "USG-FLD-01" && verdict === "holds");
  if (came_bytes < leastCame_bytes || !isJudged || exchanges.length === 0)
    throw new Error(`${came_bytes} bytes came in ${exchanges.length} answers, USG-FLD-01 is judged: ${isJudged}`);
  return {
    name: `memory kept of ${Math.round(came_bytes / 1e6)} MB of answers`,
    measured: kept_bytes / came_bytes,
    bound: { atMost: most },
  };
}

// Benchmark: seconds of a run in virtual time, relative to those that a vendor's limits and late charges impose
import { contractSuite } from "../contracts/suite.ts";
import { steppedClock, type Wait } from "../harness/core/clock.ts";
import { openEngine } from "../harness/engine/engine.ts";
import { secondsWaited } from "../harness/record/figures.ts";
import type { Target } from "../harness/targets/target.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import { limitScopeOf, paceOf } from "../harness/transport/requestLimiter.ts";
import { inProcess } from "../proof/inProcess.ts";
import type { Ratio } from "./ratio.ts";

/** Times as long as its slowest limit scope, the charges that settle and the schedules take. */
const most = 1.25;

/** How long requests take at the pace of their limit scope; scopes run side by side. */
function pacedSeconds(target: Target, exchanges: readonly Exchange[]): number {
  const scopes = new Map<string, number>();
  for (const { requestSpec } of exchanges) {
    const { name } = limitScopeOf(target, requestSpec);
    scopes.set(name, (scopes.get(name) ?? 0) + 1 / paceOf(target, requestSpec));
  }
  return Math.max(...scopes.values());
}

/** A whole run on a vendor of 25 requests per second, 4.9 of them for usage, without calls at once. */
export async function measureSeconds(): Promise<Ratio> {
  const options = inProcess(contractSuite, undefined, { clockFrom: steppedClock });
  const { control: _, ...known } = options.target;
  const target = { ...known, isReference: false, allow: known.allow.filter((one) => one !== "throttle") };
  const exchanges: Exchange[] = [];
  const waits: Wait[] = [];
  const engine = openEngine({ ...options, target });
  engine.events.on((event) => {
    if (event.event === "exchange") exchanges.push(event.exchange);
    if (event.event === "waiting") waits.push(event);
  });
  const began_ms = options.clock.now_ms();
  await engine.run();
  const took_s = (options.clock.now_ms() - began_ms) / 1_000;
  const imposed_s = pacedSeconds(target, exchanges) + secondsWaited(waits, "charges");
  const [took, imposed] = [took_s, imposed_s].map((seconds) => `${seconds.toFixed(0)} s`);
  return {
    name: `a run of ${exchanges.length} requests in ${took}, of the ${imposed} that pace and charges impose`,
    measured: took_s / imposed_s,
    bound: { atMost: most },
  };
}
